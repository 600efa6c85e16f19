/* term_fuzz.c - hostile output with resizes, resets, scrolled views and frames in between.
 * Input: rows, columns, then steps: a length n and n bytes to feed; n = 0: two bytes of a new size;
 * n = 255: a frame is sent to a mirror, which must take it and show what the terminal shows; n =
 * 254: a byte to scroll by; n = 253: paste; n = 252: a key or a mouse event. What is answered holds no
 * control bytes but the frames of the answers. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/mirror.h"
#include "term/frame.h"
#include "term/keyenc.h"
#include "term/term.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(int is_true)
{
	if (!is_true)
		abort();
}

static void
check_grid(struct term *t)
{
	struct size size = term_size(t);
	unsigned row, col, used;

	term_cursor(t, &row, &col);
	must(row < size.rows && col < size.cols);
	must(term_first_line(t) <= term_next_line(t));
	for (row = 0; row < size.rows; row++) {
		const struct cell *c = term_row(t, row, &used);

		must(used <= size.cols);
		for (col = 0; col < used; col++) {
			bool is_wide = c[col].attr & ATTR_WIDE,
			     has_spacer = col + 1 < used && c[col + 1].attr & ATTR_SPACER;

			must(is_wide == has_spacer);
			must(!(c[col].attr & ATTR_SPACER) || (col && !c[col].ch));
		}
	}
}

static void
check_mirror(struct term *t, struct frame_view *v, struct mirror *m)
{
	AUTO(buf) struct buf body = { 0 };
	struct size size = term_size(t);
	unsigned used;

	must(frame_encode(v, t, &body) == 0);
	must(mirror_apply(m, body.data, body.len, NULL) == 0);
	must(size_equal(size, mirror_size(m)));
	if (mirror_scroll(m))
		return;
	for (unsigned row = 0; row < size.rows; row++) {
		const struct cell *c = term_row(t, row, &used), *d = mirror_row(m, row);

		for (unsigned col = 0; col < size.cols; col++) {
			char a[64], b[64];
			size_t n = col < used ? term_cluster(t, c[col].ch, a, sizeof a) : 0;

			must(n == mirror_cluster(m, d[col].ch, b, sizeof b) &&
				memcmp(a, b, n) == 0);
			must((col < used ? c[col].bg : 0) == d[col].bg);
		}
	}
}

/* Keys and mouse of all kinds: what is typed is short, and text of the program's never. */
static void
press(struct term *t, const uint8_t *at)
{
	AUTO(buf) struct buf out = { 0 };
	uint32_t code = at[1] & 0x80 ? KEY_FIRST + at[0] % (KEY_LAST - KEY_FIRST) : at[0];
	struct key key = { .code = code, .mods = at[1] & 15, .event = at[2] % 3 };
	struct mouse mouse = { .kind = (enum mouse_kind)(at[3] % 8),
		.button = at[4] % 4,
		.mods = at[1] & 7,
		.row = at[5],
		.col = at[6] };

	key.unshifted = at[7] & 1 ? at[8] : 0;
	key.base = at[7] & 2 ? at[9] : 0;
	key.text = at[7] & 4 ? at[8] : 0;
	term_encode_key(t, key, &out);
	term_encode_mouse(t, mouse, &out);
	term_encode_focus(t, at[7] & 8, &out);
	must(out.len < 200);
	term_set_dark(t, at[7] & 16);
	term_set_cell_pixels(t, at[8], at[9]);
}

static void
check_replies(struct term *t)
{
	struct buf *b = term_replies(t);

	for (size_t i = 0; i < b->len; i++) {
		uint8_t c = (uint8_t)b->data[i];

		must(c == 0x1b || (c >= 0x20 && c < 0x7f));
	}
	buf_reset(b);
}

static const uint8_t *
step(struct term *t, struct frame_view *v, struct mirror *m, const uint8_t *at, const uint8_t *end)
{
	size_t n = *at++, left = (size_t)(end - at);
	AUTO(buf) struct buf out = { 0 };

	if (n == 255) {
		check_mirror(t, v, m);
		return at;
	}
	if (n == 0 && left >= 2) {
		term_resize(t, (struct size){ at[0] % 64, at[1] });
		return at + 2;
	}
	if (n == 254 && left >= 1) {
		frame_view_scroll(v, t, (int8_t)*at);
		return at + 1;
	}
	if (n == 252 && left >= 10) {
		press(t, at);
		return at + 10;
	}
	n = n < left ? n : left;
	if (n == 253)
		term_encode_paste(t, at, n, &out);
	term_feed(t, at, n);
	return at + n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *at = data, *end = data + size;
	AUTO(buf) struct buf text = { .limit = 1 << 20 };
	struct mirror *m = mirror_new();
	struct frame_view v;
	struct term *t;

	if (size < 2) {
		mirror_free(m);
		return 0;
	}
	at += 2;
	t = term_new(&(struct term_config){ .size = { data[0] % 64, data[1] },
		.history_bytes = 64 << 10,
		.history_lines = 500 });
	frame_view_init(&v);
	while (at < end) {
		at = step(t, &v, m, at, end);
		check_grid(t);
		check_replies(t);
	}
	check_mirror(t, &v, m);
	term_text(t, &text, TERM_TEXT_HISTORY | TERM_TEXT_JOIN);
	frame_view_fini(&v);
	mirror_free(m);
	term_free(t);
	return 0;
}
