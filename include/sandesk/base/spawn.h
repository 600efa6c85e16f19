/* spawn.h - how a program of ours that outlives its starter is started.
 * Contract:  its own session, no signal blocked or ignored, and no descriptor but those that the
 *            starter names: neither a terminal nor a script's lock may be held by it.
 * Ownership: both are destroyed by spawn_run(), whatever comes of it.
 * Errors:    negative errno.
 * Source:    posix_spawn(3); posix_spawn_file_actions_addclosefrom_np is of glibc 2.34. */
#pragma once

#include <spawn.h>
#include <sys/types.h>

struct spawn {
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
};

void spawn_init(struct spawn *s); /* 0 is /dev/null; the rest is added to `files` */
/* Descriptors from first_closed on are not inherited. The pid, or a negative errno. */
pid_t spawn_run(struct spawn *s, int first_closed, const char *path, const char *name, char **env);
