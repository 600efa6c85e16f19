/* catalog.h - Desktops, sessions and layouts as rows.
 * Contract:  plain structs in, plain structs out. Everything is written when a function returns 0,
 *            unless it stands between db_begin() and db_commit(). Environment values are never
 *            given to it.
 * Units:     seconds since the epoch; 0 is "not yet".
 * Ownership: structs given in are borrowed; rows given to a callback are borrowed until it returns.
 * Errors:    those of db.h.
 */
#pragma once

#include <stdbool.h>

#include "sandesk/messages.h"
#include "sandesk/types.h"

struct db;
struct err;

struct catalog_desktop {
	const char *id;
	const char *name;
	const char *dir; /* canonical */
	double created;
	struct span policy; /* list of KEY=VALUE */
};

struct catalog_session {
	const char *id;
	const char *desktop_id;
	const char *name;
	bool has_pty;
	struct span command;   /* list of texts, as in messages.h */
	struct span env_names; /* the same */
	const char *cwd;
	enum status status;
	const char *reason; /* or NULL */
	int exit_code;
	int exit_signal;
	double started;
	double ended;
	struct size size;
	struct span budgets; /* list of KEY=VALUE, as asked for */
	struct span policy;  /* the same, whole, as it was at the start */
	uint64_t cpu_us, memory_peak, written; /* what it used; 0: not counted */
};

/* non-zero stops and is returned */
typedef int catalog_desktop_fn(const struct catalog_desktop *row, void *arg);
typedef int catalog_session_fn(const struct catalog_session *row, void *arg);

int catalog_each_desktop(struct db *db, catalog_desktop_fn *fn, void *arg, struct err *e);
int catalog_each_session(struct db *db, catalog_session_fn *fn, void *arg, struct err *e);

int catalog_add_desktop(struct db *db, const struct catalog_desktop *row, struct err *e);
int catalog_set_policy(struct db *db, const char *id, struct span policy, struct err *e);
int catalog_rename_desktop(struct db *db, const char *id, const char *name, struct err *e);
int catalog_remove_desktop(struct db *db, const char *id, struct err *e); /* and its sessions */

/* adds or replaces */
int catalog_put_session(struct db *db, const struct catalog_session *row, struct err *e);
int catalog_rename_session(struct db *db, const char *id, const char *name, struct err *e);
int catalog_remove_session(struct db *db, const char *id, struct err *e);

int catalog_set_layout(struct db *db, const char *desktop_id, const char *layout, struct err *e);
/* owned; NULL: none */
int catalog_get_layout(struct db *db, const char *desktop_id, char **ret, struct err *e);
