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

/* The session by its full name, from the prefix that was typed. */
static int
resolve(struct cli_call *call, char *to, size_t size, struct err *e)
{
	struct client *client = NULL;
	struct paths paths;
	json_t *session = NULL;
	const char *desktop, *name, *kind;
	int rc = paths_init(&paths, e);

	if (rc == 0)
		rc = client_open(&client, &paths, CLIENT_START, e);
	if (rc == 0)
		rc = client_call(client, "session.show", cli_params(call), &session, e);
	client_free(client);
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
		return cli_open_tui(target, json_is_true(json_object_get(call->args, "read_only")));
	out_error(e.msg);
	return EXIT_FAILED;
}
