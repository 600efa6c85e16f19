/* cgroup.h - control groups: what holds the memory, CPU time and processes of a sandbox together.
 * Contract:  cgroups_find() reads what the kernel says of the caller's own groups, v1 hierarchies, v2 or
 *            both; cgroups_claim() makes a group of ours below each that it may write to, and drops
 *            the others: what is missing then is told, never pretended. A sandbox's first process is
 *            put into its group while it waits for its plan, so that nothing it starts is ever outside.
 *
 *            own group / NAME / DESKTOP / SESSION      (NAME: one for each daemon)
 *
 *            Outer limits stay in force. A frozen group of v1 cannot even be killed: thaw it before.
 * Ownership: struct cgroup owns its descriptors, which work without a file system.
 *
 *            Entering waits for a grace period of the kernel, 10 ms and more: only what a policy asks
 *            for is paid.
 * Errors:    negative errno and a sentence.
 * Source:    Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/ of Linux.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "jail/policy.h"
#include "sandesk/base/auto.h"
#include "sandesk/base/err.h"

struct buf;

enum cgroup_part { CGROUP_MEMORY, CGROUP_CPU, CGROUP_PIDS, CGROUP_FREEZER, CGROUP_PARTS };

struct cgroups {
	char dir[CGROUP_PARTS][PATH_MAX]; /* found: the own group; claimed: ours. "": none */
	bool is_v2[CGROUP_PARTS];
};

struct cgroup {
	int freeze; /* -1: none */
	int events; /* of the memory group */
	bool freeze_is_v2, events_is_v2;
};

/* From the texts of /proc/self/cgroup and /proc/self/mountinfo; below `root` for tests ("" else). */
void cgroups_find(
	const char *root, const char *self, const char *mounts, struct cgroups *ret);
void cgroups_here(struct cgroups *ret); /* of this process */

/* Makes a group of that name below each. */
void cgroups_claim(struct cgroups *g, const char *name);
/* Removes what is empty; false when something stays. */
bool cgroups_unclaim(const struct cgroups *g);

/* One line for each part, to hand them on. */
void cgroups_print(const struct cgroups *g, struct buf *to);
void cgroups_parse(const char *text, struct cgroups *ret);

/* Whether a policy needs a group at all; and which parts of it cannot be had: a bit each. */
bool cgroup_is_wanted(const struct jail_limits *of);
unsigned cgroup_missing(const struct cgroups *g, const struct jail_limits *of);

/* Makes the group of a session with its limits and puts `pid` into it. */
int cgroup_make(const struct cgroups *g, const char *desktop, const char *session,
	const struct jail_limits *of, pid_t pid, struct cgroup *ret, struct err *e);
void cgroup_fini(struct cgroup *c); /* closes; the group stays */
int cgroup_freeze(struct cgroup *c, bool on); /* 0, or -ENOTSUP without a freezer */
uint64_t cgroup_oom_kills(const struct cgroup *c);

/* Thaws and removes every session's group that `keeps` does not want. Returns how many of them still
 * have processes: try again soon. */
typedef bool cgroup_keep_fn(const char *session, void *arg);
size_t cgroups_sweep(const struct cgroups *g, cgroup_keep_fn *keeps, void *arg);
