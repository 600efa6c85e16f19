/* groups.h - the daemon's part in control groups (jail/cgroup.h): where they are, and what is left.
 * Contract:  looked for when the first session needs one, and remembered in the runtime directory, so
 *            that a daemon that was started from another group finds what sessions are in. What a
 *            session leaves is removed when its keeper is gone, and by the next daemon.
 */
#pragma once

struct daemon;
struct loop_timer;

struct groups {
	char *text; /* cgroups_print(); NULL: not looked for */
	struct loop_timer *sweep;
	unsigned tries;
};

void groups_init(struct daemon *d);
void groups_fini(struct daemon *d);

/* Borrowed; "" where the machine gives none. */
const char *groups_text(struct daemon *d);

/* A session is over, or its keeper gone: its group follows as soon as its last process has ended. */
void groups_clean(struct daemon *d);
