/* checkup.h - the table of walls on this machine: what holds, what does not, why, and what mends it.
 * Contract:  a wall that can be tried is tried, by a real session of the profile in a throw-away
 *            directory (attempts.h); the machine's settings (machine.h) explain what is missing, and
 *            never stand for a try. Takes some 50 ms and leaves nothing behind.
 * Ownership: rows are plain data.
 * Errors:    what cannot be tried is a row that says so.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "jail/policy.h"

enum {
	CHECK_ROWS = 64,
	CHECK_NAME_BYTES = 32,
	CHECK_TEXT_BYTES = 400,
};

enum check_state {
	CHECK_HOLDS,
	CHECK_MISSING,
	CHECK_WEAKER,
	CHECK_NOT_ASKED, /* for: the profile does not need it */
};

struct check_row {
	char name[CHECK_NAME_BYTES];
	enum check_state state;
	bool is_wall;		     /* else advice: does not count */
	const char *what;	     /* what it holds; static */
	char why[CHECK_TEXT_BYTES];  /* the proof, or why not */
	char mend[CHECK_TEXT_BYTES]; /* the one thing to do; empty when there is nothing */
};

struct checkup {
	struct check_row rows[CHECK_ROWS];
	size_t n;
};

/* Appends a row and returns it, to fill in. */
struct check_row *checkup_add(
	struct checkup *c, const char *name, enum check_state state, const char *what);

/* Fills the table. `base`: a directory of the caller's to work in; `self`: the program that calls
 * attempts_main() when its arguments are `attempts`. */
void checkup_run(struct checkup *c, enum jail_profile profile, const char *base, const char *self);

/* Every wall holds that the profile has. */
bool checkup_is_whole(const struct checkup *c);

/* "holds", "missing", "weaker", "not asked for" */
const char *check_state_name(enum check_state state);
