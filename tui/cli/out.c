#include "cli/out.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/str.h"

void
out_one_line(struct buf *to, const char *text)
{
	/* who made the message has escaped what it quotes: doubling its backslashes again would
	 * only confuse */
	for (;;) {
		size_t len = strcspn(text, "\\");

		str_escape(to, text, len);
		if (!text[len])
			return;
		buf_add_char(to, '\\');
		text += len + 1;
	}
}

void
out_error(const char *text)
{
	AUTO(buf) struct buf line = { 0 };

	buf_add_str(&line, "sandesk: ");
	out_one_line(&line, text);
	buf_add_char(&line, '\n');
	fd_write_all(
		STDERR_FILENO, line.data, line.len); /* there is nowhere to say that this failed */
}

int
out_write(const struct buf *text)
{
	AUTO(buf) struct buf why = { 0 };
	int rc;

	signal(SIGPIPE, SIG_IGN); /* a closed pipe is said in words, as every other failure */
	rc = text->len ? fd_write_all(STDOUT_FILENO, text->data, text->len) : 0;
	if (rc == 0)
		return 0;
	buf_addf(&why, "standard output: %s", strerror(-rc));
	out_error(why.data);
	return EXIT_FAILED;
}
