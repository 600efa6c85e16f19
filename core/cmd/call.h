/* call.h - one command on its way: checked arguments in, one answer out, at once or later.
 * Contract:  a handler ends its call exactly once, by call_done() or call_fail(); the call is freed
 *            by that, but not before the handler returns. Between, the objects it meant may go
 *            away: whoever answers later looks them up again by the ids kept in the call. When the
 *            caller goes away first, the call lives on without anybody to answer; a handler that
 *            waits for something that may never come sets `cancel`.
 * Ownership: args and descriptors belong to the call; call_take_fds() moves descriptors out.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "sandesk/base/err.h"
#include "sandesk/commands.h"
#include "sandesk/types.h"

struct cmd_call;
struct daemon;

typedef void cmd_fn(struct cmd_call *c);
/* result is borrowed; NULL with `e`. wants_events: the caller asked to hear of changes from now
 * on. */
typedef void call_reply_fn(struct cmd_call *c, json_t *result, const struct err *e, void *arg);

enum { CALL_FDS = 4 };

struct cmd_call {
	struct daemon *daemon;
	const struct command *command; /* NULL for methods that are no command */
	cmd_fn *run;
	json_t *args;
	int fds[CALL_FDS];
	size_t nfds;
	call_reply_fn *reply; /* NULL: nobody listens any more */
	void *reply_arg;
	bool wants_events;
	int exit_status; /* what the error asks a command line for */

	bool is_running; /* its handler is on the stack */
	bool has_ended;

	/* for handlers that answer later */
	cmd_fn *cancel; /* the caller went away: ends the call */
	char session_id[ID_BYTES], desktop_id[ID_BYTES];
	size_t left;
};

/* args are taken; so are the descriptors. */
struct cmd_call *call_new(
	struct daemon *d, const char *method, json_t *args, const int *fds, size_t nfds);
/* may answer before it returns */
void call_run(struct cmd_call *c, call_reply_fn *reply, void *arg);
/* the caller is gone */
void call_abandon(struct cmd_call *c);

void call_done(struct cmd_call *c, json_t *result); /* takes it; NULL means {} */
void call_fail(struct cmd_call *c, const struct err *e);
void call_fail_status(struct cmd_call *c, const struct err *e, int exit_status);

/* ---- arguments, already checked against the table ---- */
const char *call_text(const struct cmd_call *c, const char *name); /* NULL when not given */
bool call_flag(const struct cmd_call *c, const char *name);
long long call_number(const struct cmd_call *c, const char *name, long long otherwise);
void call_take_fds(struct cmd_call *c, int *to, size_t n);

/* ---- handlers, one file per noun: cmd_ID for every row that is not COMMAND_LOCAL, and for
 *   session.exec ---- */
#define X(id, ...) cmd_fn cmd_##id;
COMMANDS(X)
#undef X
cmd_fn cmd_hello, cmd_subscribe, cmd_layout_get,
	cmd_layout_set; /* not in the table: between our own programs */
