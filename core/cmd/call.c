#include "cmd/call.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "model/daemon.h"
#include "sandesk/args.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/command-words.h"

/* The handler of each command that the daemon runs. A row without its function does not link. */
#define X(id, name, short_name, args, target, flags, help)                                         \
	[COMMAND_##id] =                                                                           \
		__builtin_choose_expr(FLAGS(flags) & COMMAND_LOCAL, (cmd_fn *)0, &cmd_##id),
static cmd_fn *const handlers[COMMAND_COUNT] = { COMMANDS(X) };
#undef X

/* Methods that are no command: what our programs say to each other, and exec, whose other half runs
 * in the client. */
static const struct {
	const char *method;
	cmd_fn *run;
	enum command_id checked_as; /* whose arguments it takes; COMMAND_COUNT: none's */
} internals[] = {
	{ "hello", cmd_hello, COMMAND_COUNT },
	{ "subscribe", cmd_subscribe, COMMAND_COUNT },
	{ "layout.get", cmd_layout_get, COMMAND_COUNT },
	{ "layout.set", cmd_layout_set, COMMAND_COUNT },
	{ "session.exec", cmd_session_exec, COMMAND_session_exec },
};

static void
find_method(struct cmd_call *c, const char *method)
{
	for (size_t i = 0; i < ARRAY_LEN(internals); i++) {
		if (!str_equal(internals[i].method, method))
			continue;
		c->run = internals[i].run;
		c->command = internals[i].checked_as < COMMAND_COUNT
				     ? command_at(internals[i].checked_as)
				     : NULL;
		return;
	}
	c->command = command_by_method(method);
	c->run = c->command ? handlers[c->command->id] : NULL;
}

struct cmd_call *
call_new(struct daemon *d, const char *method, json_t *args, const int *fds, size_t nfds)
{
	struct cmd_call *c = mem_new(struct cmd_call);

	c->daemon = d;
	c->args = args;
	c->nfds = nfds < CALL_FDS ? nfds : CALL_FDS;
	c->exit_status = 1;
	memcpy(c->fds, fds, c->nfds * sizeof fds[0]);
	for (size_t i = CALL_FDS; i < nfds; i++)
		fd_close(fds[i]);
	find_method(c, method);
	return c;
}

static void
call_free(struct cmd_call *c)
{
	for (size_t i = 0; i < c->nfds; i++)
		fd_close(c->fds[i]);
	json_decref(c->args);
	mem_free(c);
}

static void
call_end(struct cmd_call *c, json_t *result, const struct err *e)
{
	assert(!c->has_ended);
	c->has_ended = true;
	if (c->reply)
		c->reply(c, result, e, c->reply_arg);
	if (!c->is_running)
		call_free(c);
}

void
call_done(struct cmd_call *c, json_t *result)
{
	if (!result)
		result = json_object();
	call_end(c, result, NULL);
	json_decref(result);
}

void
call_fail(struct cmd_call *c, const struct err *e)
{
	call_end(c, NULL, e);
}

void
call_fail_status(struct cmd_call *c, const struct err *e, int exit_status)
{
	c->exit_status = exit_status;
	call_fail(c, e);
}

void
call_abandon(struct cmd_call *c)
{
	c->reply = NULL;
	if (c->cancel)
		c->cancel(c);
}

static void
run_handler(struct cmd_call *c)
{
	c->is_running = true;
	c->run(c);
	c->is_running = false;
	if (c->has_ended)
		call_free(c);
}

/* Those that must work when the catalog cannot be had. */
static bool
needs_catalog(const struct cmd_call *c)
{
	return c->run != cmd_hello && c->run != cmd_daemon_stop && c->run != cmd_daemon_status;
}

static void
run_ready(void *arg)
{
	struct cmd_call *c = arg;
	struct err e = { 0 };

	if (c->daemon->is_stopping) {
		err_set(&e, -ESHUTDOWN, "the daemon: is stopping; try again");
		call_fail(c, &e);
		return;
	}
	if (!c->reply) { /* hung up while it waited: nothing was begun, nothing is */
		call_fail(c, &e);
		return;
	}
	run_handler(c);
}

static int
check_args(struct cmd_call *c, struct err *e)
{
	if (!json_is_object(c->args))
		return err_set(e, -EINVAL, "params: are not an object; give the arguments by name");
	if (!c->command)
		return 0;
	if (args_check(c->command, c->args, e) < 0)
		return e->code;
	if ((c->command->flags & COMMAND_ASKS) && !call_flag(c, "yes"))
		return err_set(e, -EINVAL, "%s: wants a yes; say --yes", c->command->name);
	return 0;
}

void
call_run(struct cmd_call *c, call_reply_fn *reply, void *arg)
{
	struct err e = { 0 };

	c->reply = reply;
	c->reply_arg = arg;
	if (check_args(c, &e) < 0) {
		call_fail_status(c, &e, 2);
		return;
	}
	if (!needs_catalog(c)) {
		run_handler(c);
		return;
	}
	if (daemon_prepare(c->daemon, &e) < 0)
		call_fail(c, &e);
	else
		daemon_when_ready(c->daemon, run_ready, c);
}

const char *
call_text(const struct cmd_call *c, const char *name)
{
	return json_string_value(json_object_get(c->args, name));
}

bool
call_flag(const struct cmd_call *c, const char *name)
{
	return json_is_true(json_object_get(c->args, name));
}

long long
call_number(const struct cmd_call *c, const char *name, long long otherwise)
{
	const json_t *v = json_object_get(c->args, name);

	return json_is_integer(v) ? json_integer_value(v) : otherwise;
}

void
call_take_fds(struct cmd_call *c, int *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = i < c->nfds ? fd_take(&c->fds[i]) : -1;
}
