/* dirs.h - which directories may be a Desktop's, and the private ones that we keep for it.
 * Contract:  what dirs_prepare() returns is canonical (no symlink, no "..") and was a directory
 *            that we can read, write and search. Refused: "/", what the sandbox puts its own file
 *            systems over (/proc, /sys, /dev), everything inside sandesk's state or runtime
 *            directory, and what contains them. With force only: HOME, what contains HOME, and the
 *            system's own directories.
 * Errors:    negative errno and a sentence with what to do. Nothing was made unless 0 is returned
 *            or a parent of the directory could be made and the rest not.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct desktop;
struct err;
struct paths;

struct dir_request {
	const char *path; /* absolute */
	bool is_forced;
	const struct paths *paths;
	/* of the user: as the environment and as the system says; or NULL */
	const char *homes[2];
	mode_t umask; /* for directories that are made */
};

/* Two steps, so that another Desktop's claim is found before anything is made. */
int dirs_resolve(const struct dir_request *r, char ret[PATH_MAX], struct err *e);
int dirs_make(const struct dir_request *r, const char *canonical, struct err *e);

/* Is the directory of the Desktop still what it was? For each start of a session. */
int dirs_check(const struct desktop *d, struct err *e);

/* STATE/homes/ID, made 0700 when missing. */
int dirs_home(const struct paths *p, const char *desktop_id, char ret[PATH_MAX], struct err *e);
