/* export_fuzz.c - what a program printed, as a document of each format and as a drawing: no control
 * character and no tag of the program's gets out, whatever range is asked for. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/utf8.h"
#include "sandesk/replay.h"
#include "term/export.h"
#include "term/marks.h"
#include "term/term.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_document(enum export_format format, const struct buf *out)
{
	for (size_t i = 0; i < out->len; i++) {
		unsigned char c = (unsigned char)out->data[i];

		if ((c < ' ' && c != '\n' && (c != 033 || format != EXPORT_ANSI)) || c == 127)
			abort();
	}
	if (!utf8_is_valid(out->data ? out->data : "", out->len))
		abort();
	if ((format == EXPORT_HTML || format == EXPORT_SVG) &&
		(strstr(out->data, "<script") || strstr(out->data, "<!--")))
		abort();
}

static void
check_drawing(const uint8_t *data, size_t size)
{
	struct replay *r = replay_new((struct size){ 6, 24 });

	for (size_t n; size; data += n, size -= n) {
		AUTO(buf) struct buf out = { 0 };

		n = size < 64 ? size : 64;
		replay_feed(r, data, n);
		replay_draw(r, (struct size){ 5, 20 }, &out);
		for (size_t i = 0; i < out.len; i++) {
			unsigned char c = (unsigned char)out.data[i];

			if ((c < ' ' && (c != 033 || out.data[i + 1] != '[')) || c == 127)
				abort();
		}
	}
	replay_free(r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct term *t = term_new(&(struct term_config){
		.size = { 6, 24 }, .history_bytes = 256 << 10, .history_lines = 300 });
	uint64_t from = size ? data[0] % 64 : 0, stop = size ? from + data[0] / 4 : 0;

	term_feed(t, data, size);
	if (size > 8)
		term_resize(t, (struct size){ data[1] % 16 + 1, data[2] % 40 + 2 });
	for (unsigned f = EXPORT_TEXT; f < EXPORT_FORMAT_COUNT; f++) {
		AUTO(buf) struct buf all = { 0 }, part = { 0 };

		if (term_export(t, (enum export_format)f, 0, UINT64_MAX, &all) < 0 ||
			term_export(t, (enum export_format)f, from, stop, &part) < 0)
			abort();
		check_document((enum export_format)f, &all);
	}
	for (size_t i = 0; i < term_commands(t); i++) {
		AUTO(buf) struct buf output = { 0 };

		term_command_output(t, term_command(t, i), &output, TERM_TEXT_JOIN);
	}
	term_free(t);
	check_drawing(data, size);
	return 0;
}
