#include "cli/ask.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/cli.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/str.h"
#include "sandesk/client.h"

static void
add_name(struct buf *to, const json_t *object)
{
	const char *desktop = json_string_value(json_object_get(object, "desktop"));
	const char *name = json_string_value(json_object_get(object, "name"));

	if (desktop) {
		str_escape(to, desktop, strlen(desktop));
		buf_add_char(to, '/');
	}
	if (name)
		str_escape(to, name, strlen(name));
}

void
ask_question(struct buf *to, const struct command *c, const json_t *object)
{
	json_int_t running = json_integer_value(json_object_get(object, "running"));

	switch (c->id) {
	case COMMAND_desktop_remove:
		buf_add_str(to, "Remove Desktop ");
		add_name(to, object);
		if (running)
			buf_addf(to, " and stop its %lld session%s", (long long)running,
				running == 1 ? "" : "s");
		break;
	case COMMAND_session_kill:
		buf_add_str(to, "Kill session ");
		add_name(to, object);
		break;
	case COMMAND_session_remove:
		buf_add_str(to, "Stop session ");
		add_name(to, object);
		buf_add_str(to, " and forget it with its screen and scrollback");
		break;
	default:
		buf_addf(to, "%s: ", c->name);
		add_name(to, object);
	}
	buf_add_str(to, "? [y/N] ");
}

/* Reads a line from the terminal. The question goes where a person sees it, whatever is redirected.
 */
static bool
is_answer_yes(const struct buf *question)
{
	AUTO(fd) int tty = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC);
	char answer[64];
	ssize_t n;

	fd_write_all(tty >= 0 ? tty : STDERR_FILENO, question->data, question->len);
	do
		n = read(STDIN_FILENO, answer, sizeof answer - 1);
	while (n < 0 && errno == EINTR);
	answer[n > 0 ? n : 0] = 0;
	answer[strcspn(answer, " \t\r\n")] = 0;
	return strcasecmp(answer, "y") == 0 || strcasecmp(answer, "yes") == 0;
}

/* The object that the command is about, so that the question names it whole and not by the prefix
 * that was typed. */
static int
find_object(struct cli_call *call, struct client *client, json_t **ret, struct err *e)
{
	bool is_session = call->command->target == TARGET_SESSION;
	json_t *params = cli_params(call);

	return client_call(client, is_session ? "session.show" : "desktop.show", params, ret, e);
}

static void
set_target(struct cli_call *call, const json_t *object)
{
	AUTO(buf) struct buf target = { 0 };

	add_name(&target, object);
	json_object_set_new(call->args, "target", json_string(target.data));
}

int
ask_confirm(struct cli_call *call, struct client *client, struct err *e)
{
	AUTO(buf) struct buf question = { 0 };
	json_t *object = NULL;
	int rc;

	if (json_is_true(json_object_get(call->args, "yes")))
		return 0;
	if (!isatty(STDIN_FILENO))
		return err_set(e, -EINVAL,
			"%s: wants a yes and standard input is no terminal; give --yes",
			call->command->name);
	rc = find_object(call, client, &object, e);
	if (rc < 0)
		return rc;
	ask_question(&question, call->command, object);
	if (is_answer_yes(&question)) {
		set_target(call, object);
		json_object_set_new(call->args, "yes", json_true());
	} else {
		rc = err_set(e, -ECANCELED, "%s: not done", call->command->name);
	}
	json_decref(object);
	return rc;
}
