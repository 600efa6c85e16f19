/* settings.h - what sandesk.ini says to the daemon.
 * Contract:  read anew for each session that starts, so a change needs no restart. A file that is
 *            missing, or a line that says nothing to us, leaves what holds without it.
 *
 *   [terminal]
 *   erase_history = no     may a program's CSI 3 J (`clear` sends it, and agents that repaint) erase
 *                          the scrollback? Without it no: what an agent printed stays readable.
 *
 *   [policy]               of every session: the keys of policy.h
 *   memory = 4G
 *
 *   [policy shop]          of the sessions of Desktop shop
 *   profile = strict
 *
 *   [limits]               as [policy], the limits alone
 *
 * Ownership: struct settings owns its policy; settings_fini().
 * Errors:    a policy that cannot be is an error of whoever starts a session: silently dropped it
 *            would be a wall that is not there.
 */
#pragma once

#include <stdbool.h>

#include "model/policy.h"
#include "sandesk/base/err.h"

struct desktop;

struct settings {
	bool erases_history;
	struct policy policy;
	const char *desktop;	 /* whose section counts; borrowed */
	enum policy_source pass; /* the sections for all first: the file may have them behind */
	struct err policy_error;
};

/* For one Desktop, by name. 0, or what is wrong with the policy and where; accepted by settings_fini() both ways. */
int settings_load(struct settings *s, const char *path, const char *desktop, struct err *e);
/* The same with what the Desktop and the session (a list of KEY=VALUE) say on top. */
int settings_for(struct settings *s, const char *path, const struct desktop *desktop,
	struct span session, struct err *e);
void settings_fini(struct settings *s);
void settings_drop(struct settings *s); /* for AUTO(settings) */
