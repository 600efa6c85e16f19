#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "draw/out.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/utf8.h"
#include "sandesk/dump.h"

static struct out *
new_direct(enum out_depth depth, bool is_utf8)
{
	struct out_config c = { .term = "xterm",
		.depth = depth,
		.is_utf8 = is_utf8,
		.has_underline_styles = true,
		.has_scroll_region = true,
		.size = { 10, 40 } };

	return out_direct.new(&c, NULL);
}

static uint32_t
next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static uint32_t
random_colour(uint32_t *seed)
{
	switch (next_random(seed) % 6) {
	case 0:
		return colour(COLOUR_NAMED, next_random(seed) % 16);
	case 1:
		return colour(COLOUR_INDEX, next_random(seed) % 256);
	case 2:
		return colour(COLOUR_RGB, next_random(seed) & 0xffffff);
	default:
		return 0;
	}
}

static struct style
random_style(uint32_t *seed)
{
	struct style s = { random_colour(seed), random_colour(seed), 0 };

	if (next_random(seed) % 2)
		s.attr = (uint16_t)(next_random(seed) & (ATTR_BOLD | ATTR_DIM | ATTR_ITALIC |
								ATTR_REVERSE | ATTR_STRIKE));
	if (next_random(seed) % 4 == 0)
		s.attr |= (uint16_t)(next_random(seed) % 6 << ATTR_UNDERLINE_SHIFT);
	return s;
}

/* Writes, fills and scrolls somewhere: what a frame may bring. */
static void
change(struct surface *s, uint32_t *seed)
{
	static const char *const texts[] = { "hello", "x", "  ",
		"a long piece of text that runs over the edge of the screen",
		"\xe4\xb8\xad\xe6\x96\x87", "e\xcc\x81", "\xf0\x9f\x98\x80!", "tab\tand\x1b",
		"\xe2\x94\x80\xe2\x94\x82" };
	struct area all = surface_area(s);
	int row = (int)(next_random(seed) % s->size.rows),
	    col = (int)(next_random(seed) % s->size.cols);
	size_t cols = s->size.cols;

	switch (next_random(seed) % 8) {
	case 0:
		surface_fill(s,
			(struct area){ row, col, (int)(next_random(seed) % 4),
				(int)(next_random(seed) % 30) },
			random_style(seed));
		break;
	case 1:
		memmove(s->cells, s->cells + cols, (s->size.rows - 1u) * cols * sizeof *s->cells);
		surface_fill(s, (struct area){ s->size.rows - 1, 0, 1, s->size.cols },
			(struct style){ 0 });
		break;
	case 2:
		memmove(s->cells + 2 * cols, s->cells + cols,
			(s->size.rows - 3u) * cols * sizeof *s->cells);
		break;
	default:
		surface_text(s, all, row, col, random_style(seed),
			texts[next_random(seed) % ARRAY_LEN(texts)]);
	}
	s->cursor = (struct surface_cursor){
		.is_visible = true, .row = (uint16_t)row, .col = (uint16_t)col
	};
}

static void
dump(const struct buf *bytes, struct size size, struct buf *to)
{
	assert_int_equal(term_dump(bytes->data ? bytes->data : "", bytes->len, size, to), 0);
}

/* The rows of a dump must be what the memory back end says of the surface. */
static void
check_text(const struct surface *s, const struct buf *dumped)
{
	AUTO(buf) struct buf want = { 0 };
	struct out *memory = out_memory.new(NULL, NULL);
	const char *rows = strchr(dumped->data, '|');
	char *end;

	out_memory.frame(memory, s, &want);
	out_memory.free(memory);
	end = strstr(want.data, "cursor ");
	want.len = end ? (size_t)(end - want.data) : want.len;
	assert_non_null(rows);
	if (strncmp(rows, want.data, want.len) != 0)
		fail_msg("the terminal shows\n%s\nwanted\n%.*s", rows, (int)want.len, want.data);
}

/* However the frames came about, the terminal shows what one full picture of the last surface
 * shows. */
static void
test_differences(void **state)
{
	struct size sizes[] = { { 10, 40 }, { 24, 80 }, { 6, 20 }, { 1, 2 }, { 5, 3 } };

	(void)state;
	for (uint32_t seed = 1; seed < 120; seed++) {
		struct size size = sizes[seed % ARRAY_LEN(sizes)];
		AUTO(buf) struct buf bytes = { 0 };
		struct out *o = new_direct(DEPTH_RGB, true);
		struct surface s;
		uint32_t random = seed;

		surface_init(&s, size);
		for (int frame = 0; frame < 30; frame++) {
			AUTO(buf) struct buf full = { 0 }, got = { 0 }, want = { 0 };
			struct out *fresh = new_direct(DEPTH_RGB, true);

			for (uint32_t n = next_random(&random) % 4 + (size.rows < 4 ? 0 : 1); n > 0;
				n--)
				if (size.rows >= 4)
					change(&s, &random);
				else
					surface_text(&s, surface_area(&s), 0, 0,
						random_style(&random), "ab");
			out_direct.frame(o, &s, &bytes);
			out_direct.frame(fresh, &s, &full);
			out_direct.free(fresh);
			dump(&bytes, size, &got);
			dump(&full, size, &want);
			check_text(&s, &want);
			if (strcmp(got.data, want.data) != 0)
				fail_msg("seed %u, frame %d: got\n%s\nwanted\n%s", seed, frame,
					got.data, want.data);
		}
		out_direct.free(o);
		surface_fini(&s);
	}
}

static void
frame(struct out *o, const struct surface *s, struct buf *to)
{
	buf_reset(to);
	out_direct.frame(o, s, to);
}

static void
fill_lines(struct surface *s, int first)
{
	char text[40];

	for (int r = 0; r < s->size.rows; r++) {
		snprintf(text, sizeof text, "line number %d, of many", first + r);
		surface_fill(s, (struct area){ r, 0, 1, s->size.cols }, (struct style){ 0 });
		surface_text(s, surface_area(s), r, 0, (struct style){ 0 }, text);
	}
}

static void
test_costs(void **state)
{
	AUTO(buf) struct buf bytes = { 0 };
	struct out *o = new_direct(DEPTH_RGB, true);
	struct surface s;

	(void)state;
	surface_init(&s, (struct size){ 24, 80 });
	fill_lines(&s, 0);
	frame(o, &s, &bytes);
	frame(o, &s, &bytes);
	assert_int_equal(bytes.len, 0); /* nothing has changed */
	surface_text(&s, surface_area(&s), 5, 30, (struct style){ 0 }, "x");
	frame(o, &s, &bytes);
	assert_true(bytes.len > 0 && bytes.len <= 12); /* one cell */
	surface_text(&s, surface_area(&s), 5, 31, (struct style){ 0 }, "y");
	frame(o, &s, &bytes);
	assert_int_equal(bytes.len, 1); /* typing on: the cursor is there already */
	fill_lines(&s, 0);
	frame(o, &s, &bytes);
	fill_lines(&s, 3);
	frame(o, &s, &bytes);
	assert_non_null(strstr(bytes.data, "S\033[r")); /* three lines on: the terminal scrolls */
	assert_true(bytes.len < 130);
	out_direct.free(o);
	surface_fini(&s);
}

static const struct {
	const char *name;
	enum out_depth depth;
	struct style style;
	const char *bytes;
} pens[] = {
	{ "plain", DEPTH_RGB, { 0 }, "x" },
	{ "named", DEPTH_RGB, { 1 << 24 | 1, 0, 0 }, "\033[31mx" },
	{ "bright background", DEPTH_RGB, { 0, 1 << 24 | 9, 0 }, "\033[101mx" },
	{ "index", DEPTH_RGB, { 2 << 24 | 200, 0, 0 }, "\033[38;5;200mx" },
	{ "rgb", DEPTH_RGB, { 0x3010203, 0, 0 }, "\033[38;2;1;2;3mx" },
	{ "rgb with 256", DEPTH_256, { 0x3ff0000, 0, 0 }, "\033[38;5;196mx" },
	{ "rgb with 16", DEPTH_16, { 0x3ff0000, 0, 0 }, "\033[91mx" },
	{ "rgb with 8", DEPTH_8, { 0x3cc0000, 0, 0 }, "\033[31mx" },
	{ "bright with 8", DEPTH_8, { 1 << 24 | 9, 0, 0 }, "\033[1;31mx" },
	{ "grey with 256", DEPTH_256, { 0x3808080, 0, 0 }, "\033[38;5;244mx" },
	{ "mono", DEPTH_MONO, { 0x3ff0000, 2 << 24 | 4, ATTR_BOLD }, "\033[1mx" },
	{ "curly", DEPTH_RGB, { 0, 0, UNDERLINE_CURLY << ATTR_UNDERLINE_SHIFT }, "\033[4:3mx" },
	{ "all", DEPTH_RGB,
		{ 1 << 24 | 2, 1 << 24 | 3,
			ATTR_BOLD | ATTR_REVERSE | UNDERLINE_SINGLE << ATTR_UNDERLINE_SHIFT },
		"\033[1;7;4;32;43mx" },
};

static void
test_pens(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(pens); i++) {
		AUTO(buf) struct buf bytes = { 0 };
		struct out *o = new_direct(pens[i].depth, true);
		struct surface s;

		surface_init(&s, (struct size){ 2, 10 });
		frame(o, &s, &bytes);
		surface_text(&s, surface_area(&s), 0, 0, pens[i].style, "x");
		frame(o, &s, &bytes);
		if (strcmp(bytes.data, pens[i].bytes) != 0)
			fail_msg("%s: got %s", pens[i].name, bytes.data + 1);
		surface_fill(&s, surface_area(&s), (struct style){ 0 });
		frame(o, &s, &bytes);
		assert_true(pens[i].bytes[0] == 'x' || strstr(bytes.data, "\033[m") ||
			    strstr(bytes.data, "\033[0m") || strstr(bytes.data, "39m") ||
			    strstr(bytes.data, "49m"));
		out_direct.free(o);
		surface_fini(&s);
	}
}

static void
test_without_utf8(void **state)
{
	AUTO(buf) struct buf bytes = { 0 };
	struct out *o = new_direct(DEPTH_RGB, false);
	struct surface s;

	(void)state;
	surface_init(&s, (struct size){ 3, 20 });
	surface_box(&s, (struct area){ 0, 0, 3, 5 }, (struct style){ 0 });
	surface_text(&s, surface_area(&s), 1, 6, (struct style){ 0 }, "\xe4\xb8\xad\xc3\xa4");
	frame(o, &s, &bytes);
	for (size_t i = 0; i < bytes.len; i++)
		assert_true((uint8_t)bytes.data[i] < 0x80);
	assert_non_null(strstr(bytes.data, "+---+"));
	assert_non_null(strstr(bytes.data, "???"));
	out_direct.free(o);
	surface_fini(&s);
}

static void
test_sync_is_used_when_found(void **state)
{
	AUTO(buf) struct buf bytes = { 0 };
	struct out *o = new_direct(DEPTH_RGB, true);
	struct surface s;

	(void)state;
	surface_init(&s, (struct size){ 24, 80 });
	fill_lines(&s, 0);
	frame(o, &s, &bytes);
	assert_null(strstr(bytes.data, "2026"));
	out_direct.set_sync(o, true);
	out_direct.redraw(o);
	frame(o, &s, &bytes);
	assert_memory_equal(bytes.data, "\033[?2026h", 8);
	assert_memory_equal(bytes.data + bytes.len - 8, "\033[?2026l", 8);
	out_direct.free(o);
	surface_fini(&s);
}

static void
test_start_and_stop_are_pairs(void **state)
{
	static const char *const modes[] = { "1049", "2004", "1000", "1002", "1006", "1004" };
	AUTO(buf) struct buf start = { 0 }, stop = { 0 };
	struct out *o = new_direct(DEPTH_RGB, true);

	(void)state;
	out_direct.start(o, &start);
	out_direct.stop(o, &stop);
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		char on[16], off[16];

		snprintf(on, sizeof on, "\033[?%sh", modes[i]);
		snprintf(off, sizeof off, "\033[?%sl", modes[i]);
		assert_non_null(strstr(start.data, on));
		assert_non_null(strstr(stop.data, off));
		assert_non_null(strstr(out_rescue(&out_direct, OUT_KEYS_KITTY), off));
	}
	assert_non_null(strstr(stop.data, "\033[?25h"));
	out_direct.free(o);
}

/* What is asked for is undone, before the alternate screen is left. */
static void
test_keys_are_given_back(void **state)
{
	static const struct {
		enum out_keys keys;
		const char *on, *off;
	} rows[] = { { OUT_KEYS_KITTY, "\033[>1u", "\033[<u" },
		{ OUT_KEYS_OTHER, "\033[>4;2m", "\033[>4m" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		AUTO(buf) struct buf start = { 0 }, on = { 0 }, stop = { 0 };
		struct out *o = new_direct(DEPTH_RGB, true);
		const char *off;

		out_direct.start(o, &start);
		out_direct.set_keys(o, rows[i].keys, &on);
		assert_string_equal(on.data, rows[i].on);
		out_direct.stop(o, &stop);
		off = strstr(stop.data, rows[i].off);
		assert_non_null(off);
		assert_true(off < strstr(stop.data, "\033[?1049l"));
		assert_non_null(strstr(out_rescue(&out_direct, rows[i].keys), rows[i].off));
		assert_null(strstr(out_rescue(&out_direct, OUT_KEYS_PLAIN), rows[i].off));
		out_direct.free(o);
	}
}

/* Whatever a program wants copied reaches the terminal as base64 and nothing else. */
static void
test_clipboard(void **state)
{
	static const struct {
		const char *text;
		size_t len;
		const char *bytes;
	} rows[] = { { "a", 1, "YQ==" }, { "ab", 2, "YWI=" }, { "abc", 3, "YWJj" },
		{ "\033]52;c;?\007", 9, "G101MjtjOz8H" }, { "\xff\x00\xfe\xfb", 4, "/wD++w==" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		AUTO(buf) struct buf got = { 0 };
		char want[64];

		snprintf(want, sizeof want, "\033]52;c;%s\033\\", rows[i].bytes);
		assert_true(out_clipboard(&out_direct, rows[i].text, rows[i].len, &got));
		assert_string_equal(got.data, want);
		assert_false(out_clipboard(&out_curses, rows[i].text, rows[i].len, &got));
	}
}

/* More clusters and underline colours than the tables hold: they are emptied and everything is
 * drawn anew. */
static void
test_full_tables(void **state)
{
	AUTO(buf) struct buf bytes = { 0 };
	struct out *o = new_direct(DEPTH_RGB, true);
	struct surface s;
	char text[16];

	(void)state;
	surface_init(&s, (struct size){ 10, 40 });
	for (int i = 0; i < CLUSTERS_MAX + 500; i++) {
		AUTO(buf) struct buf got = { 0 };
		size_t n = 0;

		if (i % 400 == 0)
			surface_begin(&s, (struct style){ 0 });
		text[n++] = 'a';
		n += utf8_encode(0x300 + (uint32_t)i % 80, text + n);
		n += utf8_encode(0x300 + (uint32_t)i / 80, text + n);
		surface_textn(
			&s, surface_area(&s), i % 400 / 40, i % 40, (struct style){ 0 }, text, n);
		if (i % 400 != 399)
			continue;
		out_direct.frame(o, &s, &bytes);
		dump(&bytes, s.size, &got);
		if (s.clusters_used < CLUSTERS_MAX)
			check_text(&s, &got);
	}
	assert_true(s.generation > 0);
	out_direct.free(o);
	surface_fini(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_differences),
		cmocka_unit_test(test_costs),
		cmocka_unit_test(test_pens),
		cmocka_unit_test(test_without_utf8),
		cmocka_unit_test(test_sync_is_used_when_found),
		cmocka_unit_test(test_start_and_stop_are_pairs),
		cmocka_unit_test(test_full_tables),
		cmocka_unit_test(test_keys_are_given_back),
		cmocka_unit_test(test_clipboard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
