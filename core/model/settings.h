/* settings.h - what sandesk.ini says to the daemon.
 * Contract:  read anew for each session that starts, so a change needs no restart. A file that is
 *            missing, or a line that says nothing to us, leaves what holds without it.
 *
 *   [terminal]
 *   erase_history = no     may a program's CSI 3 J (`clear` sends it, and agents that repaint) erase
 *                          the scrollback? Without it no: what an agent printed stays readable.
 *
 *   [limits]               of every session: the keys of budget.h
 *   memory = 4G
 *
 * Errors:    a limit that cannot be is one of whoever starts a session: silently dropped it would be
 *            a wall that is not there.
 */
#pragma once

#include <stdbool.h>

#include "jail/policy.h"
#include "sandesk/base/err.h"

struct settings {
	bool erases_history;
	struct jail_limits limits; /* 0: not said */
	struct err limits_error;
};

/* 0, or what is wrong with a limit and where. */
int settings_load(struct settings *s, const char *path, struct err *e);
