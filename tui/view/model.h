/* model.h - what the daemon says exists: Desktops and their sessions, as the TUI knows them.
 * Contract:  kept by the answer to `subscribe` and by the notifications behind it. Texts are made
 *            safe where they are drawn. Desktops stand in order of their names, sessions in the
 *            order in which they were started.
 * Ownership: pointers into the model hold until the next model_*() call that changes it; keep ids
 *            instead.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandesk/types.h"

enum session_need { NEEDS_NOTHING, NEEDS_LOOK, NEEDS_ANSWER };

struct session {
	char id[ID_BYTES];
	char name[NAME_BYTES];
	char desktop_id[ID_BYTES];
	enum status status;
	bool is_exec;
	int exit_status; /* -1: not known */
	double started;
	unsigned clients;
	char *reason; /* NULL: none */
	char *title;
	char *notice;		       /* NULL: none */
	char *limits;		       /* budgets that are near, in words; NULL: none */
	size_t walls_missing; /* that its machine does not give */
	enum session_need need;
	char *why; /* the fact that decided the status; NULL: not told */
	uint64_t notices, notices_seen; /* seen: by who looks at this screen */
};

struct desktop {
	char id[ID_BYTES];
	char name[NAME_BYTES];
	char *dir;
	bool is_folded;
};

struct model {
	struct desktop *desktops;
	size_t desktops_n;
	struct session *sessions;
	size_t sessions_n;
	bool is_known; /* the first answer has come */
};

void model_fini(struct model *m);
void model_replace(struct model *m, const json_t *everything);
void model_notify(struct model *m, const char *method, const json_t *params);

struct desktop *model_desktop(const struct model *m, const char *id);
struct session *model_session(const struct model *m, const char *id);

/* The n-th session of a Desktop, terminals only; NULL behind the last. */
struct session *model_nth(const struct model *m, const char *desktop_id, size_t n);
