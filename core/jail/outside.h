/* outside.h - what the keeper does for a sandbox from outside. Private to core/jail.
 * Errors:    negative errno and a sentence.
 */
#pragma once

#include <sys/types.h>

#include "jail/plan.h"
#include "sandesk/base/err.h"

/* Ids to write into the maps of a new user namespace: one of each. */
struct outside_map {
	uid_t inner_uid, outer_uid;
	gid_t inner_gid, outer_gid;
	bool is_root; /* the caller is: setgroups(2) need not be given up */
};

enum { OUTSIDE_NO_TIME = -2 };

/* Processes with all namespaces of their own. Returns the pid (0 in the child) or negative errno.
 * *ret_pidfd is owned; in the child it is -1, or OUTSIDE_NO_TIME when the clocks are the host's. */
pid_t outside_clone(int *ret_pidfd);

int outside_write_maps(pid_t pid, const struct outside_map *map, struct err *e);

/* Joins the user's common empty session keyring. */
int outside_keyring(struct err *e);

/* A user namespace whose map turns the owner of files into the sandbox's outer id, for idmapped
 * mounts. Owned fd or negative errno. */
int outside_id_map(const struct outside_map *map, struct err *e);

/* As root: detached copies of the trees' mounts, in which the sandbox's id is the owner. `own_map` is
 * the map for files that the caller owns. Fills fds, which are owned even when it fails. */
int outside_idmapped(const struct plan *p, int own_map, int fds[PLAN_TREES], struct err *e);
