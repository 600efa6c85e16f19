/* target.h - what a person wrote for a Desktop or session, to the object; and names for new
 * sessions.
 * Contract:  an exact name wins, then an exact id, then a unique prefix. Pure.
 * Errors:    -ENOENT says what there is, -ENOTUNIQ lists the matches, -EINVAL what the right form
 *            is.
 */
#pragma once

#include "sandesk/types.h"

struct desktop;
struct err;
struct registry;
struct session;

int target_desktop(const struct registry *r, const char *text, struct desktop **ret, struct err *e);

/* DESKTOP/SESSION, or the id of a session. */
int target_session(const struct registry *r, const char *text, struct session **ret, struct err *e);

/* A free name for a session that runs `command`: its base name with what is not allowed left out,
 * then -2, -3 ... */
void name_for_session(const struct registry *r, const struct desktop *d, const char *command,
	char ret[NAME_BYTES]);

/* A free name like the given one, for a Desktop that comes back under a name taken meanwhile. */
void name_for_desktop(const struct registry *r, const char *wanted, char ret[NAME_BYTES]);
