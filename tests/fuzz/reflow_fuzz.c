/* reflow_fuzz.c - what a program printed, resizes and scrolled views in between: every row that is
 * shown fits, wide characters are whole, and scrolling down again meets the rows that scrolling up
 * met. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/mirror.h"
#include "term/frame.h"
#include "term/line.h"
#include "term/screen.h"
#include "term/term.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OPERATION = 0xfd };

static void
check_rows(struct term *t)
{
	struct row_walk walk;
	struct row_shown row;
	uint64_t last = 0;

	row_walk_init(&walk, t, 0, UINT64_MAX);
	while (row_walk_next(&walk, &row)) {
		if (row.used > t->size.cols || row.line < last || row.line < t->history.first)
			abort();
		last = row.line;
		if (row.used && row.cells[0].attr & ATTR_SPACER)
			abort();
		if (row.used && row.cells[row.used - 1].attr & ATTR_WIDE)
			abort();
	}
	if (last != t->history.next + t->size.rows - 1)
		abort();
	row_walk_fini(&walk);
}

static void
check_scrolling(struct term *t, unsigned lines)
{
	struct frame_view v;
	unsigned up = 0;

	if (t->modes.alternate)
		return;
	frame_view_init(&v);
	for (; up < lines && (v.anchor_from || !v.is_anchored || v.anchor > t->history.first); up++) {
		frame_view_scroll(&v, t, 1);
		if (!v.is_anchored)
			break;
	}
	frame_view_scroll(&v, t, -(int64_t)up);
	if (up && v.is_anchored)
		abort();
	frame_view_fini(&v);
}

static void
operate(struct term *t, struct frame_view *v, struct mirror *m, uint8_t a, uint8_t b)
{
	AUTO(buf) struct buf body = { 0 };

	if (a & 1)
		term_resize(t, (struct size){ a / 2 % 20 + 1, b % 60 + 2 });
	else if (a & 2)
		frame_view_scroll(v, t, (int8_t)b);
	else
		frame_view_show(v, t, b);
	if (frame_encode(v, t, &body) < 0 || mirror_apply(m, body.data, body.len, NULL) < 0)
		abort();
	check_rows(t);
	check_scrolling(t, b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct term *t = term_new(&(struct term_config){
		.size = { 5, 20 }, .history_bytes = 128 << 10, .history_lines = 200 });
	struct mirror *m = mirror_new();
	struct frame_view v;

	frame_view_init(&v);
	while (size) {
		const uint8_t *next = memchr(data, OPERATION, size);
		size_t n = next ? (size_t)(next - data) : size;

		term_feed(t, data, n);
		data += n;
		size -= n;
		if (size < 3)
			break;
		operate(t, &v, m, data[1], data[2]);
		data += 3;
		size -= 3;
	}
	check_rows(t);
	frame_view_fini(&v);
	mirror_free(m);
	term_free(t);
	return 0;
}
