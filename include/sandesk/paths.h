/* paths.h - where things lie.
 *
 *      runtime  $XDG_RUNTIME_DIR/sandesk, else /tmp/sandesk-UID      0700, ours, not a symlink
 *                   daemon.sock   daemon.lock   keepers/ID.sock
 *      state    $XDG_STATE_HOME/sandesk, else ~/.local/state/sandesk 0700
 *                   catalog.db    daemon.log    homes/DESKTOP-ID/
 *      config   $XDG_CONFIG_HOME/sandesk/sandesk.ini, else ~/.config/sandesk/sandesk.ini
 *      libexec  where the three other programs are: beside /proc/self/exe, or ../libexec/sandesk from there
 * Errors:    a runtime or state directory with another owner, a wider mode or of another type is
 *            refused with a sentence.
 */
#pragma once

#include <limits.h>
#include <stddef.h>

struct err;

struct paths {
	char runtime[PATH_MAX];
	char state[PATH_MAX];
	char config[PATH_MAX]; /* the file; it may be missing */
	char libexec[PATH_MAX];
};

/* Finds, and makes where missing, the directories. `libexec` is known also when another is refused. */
int paths_init(struct paths *p, struct err *e);

/* Full path of one of the other programs ("sandesk-keeper"). -ENOENT with where it was looked
 * for. */
int paths_program(const struct paths *p, const char *program, char *to, size_t size, struct err *e);

/* Unix sockets by a path of any length (the address holds 108 bytes: the directory goes by
 * /proc/self/fd). Return a close-on-exec descriptor or a negative errno. */
int socket_listen(const char *path, struct err *e);
int socket_connect(const char *path, struct err *e);
