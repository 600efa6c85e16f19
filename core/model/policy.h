/* policy.h - what a policy says, as people write it: KEY=VALUE, gathered from five places.
 * Contract:  one table of keys. `policy set`, `run --policy`, [policy] and [policy DESKTOP] in sandesk.ini and `policy show` read
 *            it; the keys of budget.h belong to it. A later place wins over an earlier one, key by key, and each key remembers
 *            which place it was. What no place says is the built-in value.
 *            What concerns the shared directory is the Desktop's alone: one session's could undo another's.
 * Ownership: struct policy owns its lists; policy_fini().
 * Errors:    -EINVAL with a sentence that names the key, what is wrong with the value and what may be given.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "jail/policy.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/messages.h"

enum policy_source {
	POLICY_BUILT_IN,
	POLICY_FILE,	     /* [policy] or [limits] of sandesk.ini */
	POLICY_FILE_DESKTOP, /* [policy DESKTOP] of sandesk.ini */
	POLICY_DESKTOP,	     /* policy set */
	POLICY_SESSION,	     /* run --policy, --limit */
};

enum { POLICY_KEYS_MAX = 32, POLICY_BYTES = 16 << 10 };

struct policy {
	enum jail_profile profile;
	bool allows_special_files;
	bool has_protect;   /* else the jail's own list holds */
	struct buf protect; /* list of texts, as in messages.h */
	uint32_t require;   /* bits of enum jail_wall */
	struct jail_limits limits;
	uint8_t sources[POLICY_KEYS_MAX]; /* enum policy_source, by number of the key */
};

void policy_fini(struct policy *p);

int policy_set(struct policy *p, const char *key, const char *value, enum policy_source from,
	struct err *e);

/* A list of KEY=VALUE; the later one wins. */
int policy_set_all(struct policy *p, struct span pairs, enum policy_source from, struct err *e);

/* The keys by number. */
size_t policy_count(void);
const char *policy_key(size_t i);
/* The value as it would be written; "" for what is not set and has none. */
void policy_value(const struct policy *p, size_t i, struct buf *to);
/* All keys that have a value, as a list of KEY=VALUE. */
void policy_list(const struct policy *p, struct buf *to);
const char *policy_source_name(enum policy_source source);

/* Takes the pair of a key out of a list of KEY=VALUE, if it is there, and adds a new one if it is not NULL. */
void policy_list_put(struct buf *list, const char *key, const char *pair);

/* Fills in what a policy says of a jail's; `protect` is the NULL-terminated array of p->protect, or NULL where it says nothing. */
void policy_apply(const struct policy *p, char *const *protect, struct jail_policy *to);
