#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/out.h"
#include "sandesk/base/err.h"
#include "sandesk/base/str.h"
#include "sandesk/client.h"
#include "sandesk/paths.h"
#include "sandesk/types.h"

static int
show_session(struct cli_call *call, json_t **ret, struct err *e)
{
	struct client *client = NULL;
	struct paths paths;
	int rc = paths_init(&paths, e);

	if (rc == 0)
		rc = client_open(&client, &paths, CLIENT_START, e);
	if (rc == 0)
		rc = client_call(client, "session.show", cli_params(call), ret, e);
	client_free(client);
	return rc;
}

/* The session by its full name, from the prefix that was typed. */
static int
resolve(struct cli_call *call, char *to, size_t size, struct err *e)
{
	json_t *session = NULL;
	const char *desktop, *name, *kind;
	int rc = show_session(call, &session, e);

	if (rc < 0)
		return rc;
	desktop = json_string_value(json_object_get(session, "desktop"));
	name = json_string_value(json_object_get(session, "name"));
	kind = json_string_value(json_object_get(session, "kind"));
	if (!desktop || !name)
		rc = err_set(e, -EPROTO,
			"session attach: the daemon's answer names no session; see its log");
	else if (str_equal(kind, "exec"))
		rc = err_set(e, -ENOTTY,
			"session attach: %s/%s: was started by exec and has no terminal", desktop,
			name);
	else
		snprintf(to, size, "%s/%s", desktop, name);
	json_decref(session);
	return rc;
}

/* The terminal is the shell's again: what was left behind, in one line. */
static void
say_what_goes_on(struct cli_call *call, const char *target)
{
	json_t *session = NULL;
	const char *status;
	enum status s;

	if (show_session(call, &session, NULL) < 0)
		return; /* removed meanwhile */
	status = json_string_value(json_object_get(session, "status"));
	if (status && status_parse(status, &s) == 0)
		printf(status_is_over(s) ? "%s has ended: %s\n"
					 : "detached from %s, which goes on (%s)\n",
			target, status);
	json_decref(session);
}

static int
attach(struct cli_call *call, const char *target)
{
	int status = cli_open_tui(target, json_is_true(json_object_get(call->args, "read_only")));

	if (status == 0)
		say_what_goes_on(call, target);
	return status;
}

int
cli_session_attach(struct cli_call *call)
{
	const char *inside = getenv("SANDESK_SESSION");
	char target[2 * NAME_BYTES];
	struct err e = { 0 };

	if (inside && *inside)
		err_set(&e, -EBUSY,
			"session attach: already inside session %s: sessions do not nest; detach "
			"first",
			inside);
	else if (!isatty(STDIN_FILENO))
		err_set(&e, -ENOTTY,
			"session attach: standard input is not a terminal; use send, keys and "
			"capture instead");
	else if (resolve(call, target, sizeof target, &e) == 0)
		return attach(call, target);
	out_error(e.msg);
	return EXIT_FAILED;
}
