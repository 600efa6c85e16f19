/* spawn.h - starting our other programs.
 * Contract:  posix_spawn, so that the size of the daemon does not matter; the child gets 0 =
 *            /dev/null, 1 and 2 = the log, from 3 on the given descriptors in their order, its own
 *            session, no signal blocked or ignored, and of the environment XDG_* and HOME only.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

struct daemon;
struct err;

/* fds stay the caller's. Returns the pid or a negative errno. */
pid_t spawn_program(
	struct daemon *d, const char *program, const int *fds, size_t nfds, struct err *e);
