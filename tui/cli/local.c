/* The commands that need no daemon, or only that there is one. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/listing.h"
#include "cli/out.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/err.h"
#include "sandesk/client.h"
#include "sandesk/dump.h"
#include "sandesk/help.h"
#include "sandesk/paths.h"

enum { RECORDING_BYTES = 256 << 20, READ_BYTES = 64 << 10, HELP_WORDS = 8 };

int
cli_version(struct cli_call *call)
{
	AUTO(buf) struct buf text = { 0 };

	(void)call;
	buf_add_str(&text, "sandesk " SANDESK_VERSION "\n");
	return out_write(&text);
}

static int
help_text(const json_t *args, struct buf *to, struct err *e)
{
	const char *shell = json_string_value(json_object_get(args, "completion"));
	const json_t *list = json_object_get(args, "words");
	const char *words[HELP_WORDS];
	size_t n = json_array_size(list) < HELP_WORDS ? json_array_size(list) : HELP_WORDS;

	if (shell)
		return help_completion(shell, to, e);
	if (json_is_true(json_object_get(args, "man"))) {
		help_man(to);
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		words[i] = json_string_value(json_array_get(list, i));
	return help_words(words, n, to, e);
}

int
cli_help(struct cli_call *call)
{
	AUTO(buf) struct buf text = { 0 };
	struct err e = { 0 };

	if (help_text(call->args, &text, &e) < 0) {
		out_error(e.msg);
		return EXIT_USAGE;
	}
	return out_write(&text);
}

static int
read_input(struct buf *to, struct err *e)
{
	for (;;) {
		ssize_t n;

		if (buf_reserve(to, READ_BYTES) < 0)
			return err_set(e, -EFBIG, "standard input: has more than %d MiB; give less",
				RECORDING_BYTES >> 20);
		n = read(STDIN_FILENO, to->data + to->len, READ_BYTES);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_errno(e, -errno, "standard input");
		if (!n)
			return 0;
		to->len += (size_t)n;
	}
}

int
cli_debug_screen(struct cli_call *call)
{
	AUTO(buf) struct buf in = { .limit = RECORDING_BYTES + READ_BYTES }, text = { 0 };
	const char *size = json_string_value(json_object_get(call->args, "size"));
	unsigned rows = 24, cols = 80;
	struct err e = { 0 };

	if (size)
		sscanf(size, "%ux%u", &rows, &cols); /* its form and range are checked */
	if (read_input(&in, &e) == 0 &&
		term_dump(in.data, in.len, size_clamp(rows, cols), &text) < 0)
		err_set(&e, -ENOBUFS,
			"debug screen: the text of the screen is too large; give a smaller --size");
	if (e.code < 0) {
		out_error(e.msg);
		return EXIT_FAILED;
	}
	return out_write(&text);
}

int
cli_daemon_start(struct cli_call *call)
{
	AUTO(buf) struct buf text = { 0 };
	struct client *client = NULL;
	struct paths paths;
	json_t *status = NULL;
	struct err e = { 0 };
	int rc = paths_init(&paths, &e);

	if (rc == 0)
		rc = client_open(&client, &paths, CLIENT_START, &e);
	if (rc == 0)
		rc = client_call(client, "daemon.status", cli_params(call), &status, &e);
	client_free(client);
	if (rc < 0) {
		out_error(e.msg);
		return EXIT_FAILED;
	}
	listing_add(&text, command_at(COMMAND_daemon_status), status, false, clock_wall());
	json_decref(status);
	return out_write(&text);
}
