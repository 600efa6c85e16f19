/* budget.h - limits of a session as people write them: KEY=VALUE.
 * Contract:  one table of keys: `run --limit`, [limits] in sandesk.ini and the help read it. What
 *            the file says holds for every session, what was asked for at its start for that one.
 * Errors:    -EINVAL with a sentence that names the key, what is wrong with the value and what may
 *            be given.
 */
#pragma once

#include "jail/policy.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/messages.h"

int budget_set(struct jail_limits *l, const char *key, const char *value, struct err *e);

/* The keys by number, and a value as it would be written: nothing for a limit that is not set. */
size_t budget_count(void);
const char *budget_key(size_t i);
void budget_print(const struct jail_limits *l, size_t i, struct buf *to);

/* A list of KEY=VALUE; the later one wins. */
int budget_set_all(struct jail_limits *l, struct span pairs, struct err *e);
