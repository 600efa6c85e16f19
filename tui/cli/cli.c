#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "cli/ask.h"
#include "cli/listing.h"
#include "cli/out.h"
#include "sandesk/args.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/err.h"
#include "sandesk/base/str.h"
#include "sandesk/client.h"
#include "sandesk/command-words.h"
#include "sandesk/help.h"
#include "sandesk/paths.h"

enum { STOP_MS = 10000, READ_BYTES = 4096 };

/* The functions of the LOCAL rows. The condition is a constant, so a function that is missing for
 * one is a link error. */
#define X(id, name, short_name, args, target, flags, help)                                         \
	[COMMAND_##id] = (FLAGS(flags) & LOCAL) ? cli_##id : NULL,
static cli_fn *const local_fns[COMMAND_COUNT] = { COMMANDS(X) };
#undef X

static const char *const locale_names[] = { "LANG", "LANGUAGE", "LC_ALL", "LC_ADDRESS",
	"LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES",
	"LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME", "TZ" };

json_t *
cli_params(const struct cli_call *call)
{
	json_t *params = json_copy(call->args), *locale = json_object();

	for (size_t i = 0; i < ARRAY_LEN(locale_names); i++) {
		const char *value = getenv(locale_names[i]);

		if (value) /* what is no UTF-8 gives NULL, which is not set */
			json_object_set_new(locale, locale_names[i], json_string(value));
	}
	json_object_set_new(params, "locale", locale);
	if (call->cwd)
		json_object_set_new(params, "cwd", json_string(call->cwd));
	return params;
}

int
cli_open_tui(const char *attach_target, bool is_read_only)
{
	const char *session = getenv("SANDESK_SESSION");
	struct paths paths;
	struct app_options options = {
		.paths = &paths, .attach_target = attach_target, .is_read_only = is_read_only
	};
	struct err e = { 0 };
	int status = EXIT_FAILED;

	if (session && *session)
		err_set(&e, -EBUSY,
			"already inside session %s: sandesk does not nest; detach first, or use "
			"another terminal",
			session);
	else if (!isatty(STDIN_FILENO))
		err_set(&e, -ENOTTY,
			"standard input: is not a terminal; run it in one, or give a command "
			"(sandesk help)");
	else if (paths_init(&paths, &e) == 0)
		status = app_main(&options, &e);
	if (status && e.msg[0])
		out_error(e.msg);
	return status;
}

/* What happened while nobody was there, as a catalog that was set aside. Costs one answer, and must
 * not cost the command. */
static void
print_notices(struct client *client)
{
	json_t *hello = NULL, *notice;
	json_t *params = json_pack("{s:s, s:s}", "version", SANDESK_VERSION, "program", "sandesk");
	size_t i;

	if (client_call(client, "hello", params, &hello, NULL) < 0)
		return;
	json_array_foreach (json_object_get(hello, "notices"), i, notice) {
		if (json_is_string(notice))
			out_error(json_string_value(notice));
	}
	json_decref(hello);
}

/* A command that asks about the daemon, or ends it, does not start one; but --sessions has
 * something to do without it. */
static unsigned
open_flags(const struct cli_call *call)
{
	if (call->command->id == COMMAND_daemon_status)
		return 0;
	if (call->command->id == COMMAND_daemon_stop)
		return json_is_true(json_object_get(call->args, "sessions")) ? CLIENT_START : 0;
	return CLIENT_START;
}

/* `daemon stop` is answered before the daemon ends. The next command shall find none, and not one
 * that is on its way out. */
static void
await_end(struct client *client)
{
	struct pollfd p = { .fd = client_take_fd(client), .events = POLLIN };
	int64_t deadline = clock_ms() + STOP_MS, left;
	char skipped[READ_BYTES];

	while ((left = deadline - clock_ms()) > 0 && poll(&p, 1, (int)left) != 0)
		if (read(p.fd, skipped, sizeof skipped) <= 0 && errno != EINTR)
			break;
	close(p.fd);
}

/* `session wait` succeeds in three ways, of which a script wants to know one. */
static int
wait_status(const struct cli_call *call, const json_t *result)
{
	const char *outcome = json_string_value(json_object_get(result, "outcome"));
	const char *target = json_string_value(json_object_get(call->args, "target"));
	struct err e = { 0 };

	if (str_equal(outcome, "met"))
		return 0;
	if (str_equal(outcome, "timeout"))
		err_set(&e, -ETIMEDOUT, "session wait: %s: the time is up; give a longer --timeout",
			target);
	else
		err_set(&e, -ESRCH,
			"session wait: %s: the session ended before it happened; see: sandesk "
			"capture %s",
			target, target);
	out_error(e.msg);
	return EXIT_FAILED;
}

static int
print_result(const struct cli_call *call, const json_t *result)
{
	bool is_json = json_is_true(json_object_get(call->args, "json"));
	AUTO(buf) struct buf text = { 0 };
	const char *hint = is_json ? NULL : listing_hint(call->command, result);

	if (call->command->id == COMMAND_session_wait)
		return wait_status(call, result);
	if (json_is_true(json_object_get(call->args, "ansi")))
		listing_add_styled(&text, json_string_value(json_object_get(result, "text")));
	else
		listing_add(&text, call->command, result, is_json, clock_wall());
	if (hint && isatty(STDOUT_FILENO))
		out_error(hint);
	return out_write(&text);
}

static int
call_daemon(struct cli_call *call, struct client *client)
{
	json_t *result = NULL;
	struct err e = { 0 };
	char method[64];
	int rc, status;

	print_notices(client);
	if (call->command->flags & COMMAND_ASKS) {
		rc = ask_confirm(call, client, &e);
		if (rc < 0) {
			out_error(e.msg);
			return rc == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
		}
	}
	command_method(call->command, method, sizeof method);
	if (client_call(client, method, cli_params(call), &result, &e) < 0) {
		out_error(e.msg);
		return client_exit_status(client);
	}
	status = print_result(call, result);
	json_decref(result);
	if (call->command->id == COMMAND_daemon_stop)
		await_end(client);
	return status;
}

static int
run_remote(struct cli_call *call)
{
	struct client *client = NULL;
	struct paths paths;
	struct err e = { 0 };
	int rc = paths_init(&paths, &e), status;

	if (rc == 0)
		rc = client_open(&client, &paths, open_flags(call), &e);
	if ((rc == -ENOENT || rc == -ECONNREFUSED) && call->command->id == COMMAND_daemon_stop &&
		!open_flags(call))
		return 0; /* what was asked for is so */
	if (rc < 0) {
		out_error(e.msg);
		return EXIT_FAILED;
	}
	status = call_daemon(call, client);
	client_free(client);
	return status;
}

static int
print_help(const struct command *c)
{
	AUTO(buf) struct buf text = { 0 };

	help_command(c, &text);
	return out_write(&text);
}

int
cli_main(const char *const *words, size_t n)
{
	char cwd[PATH_MAX];
	struct cli_call call = { .cwd = getcwd(cwd, sizeof cwd) };
	struct err e = { 0 };
	int status;

	if (args_parse(words, n, call.cwd, &call.command, &call.args, &e) < 0) {
		out_error(e.msg);
		return EXIT_USAGE;
	}
	if (!call.args)
		return print_help(call.command);
	status = local_fns[call.command->id] ? local_fns[call.command->id](&call)
					     : run_remote(&call);
	json_decref(call.args);
	return status;
}
