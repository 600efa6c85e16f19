/* History joined and cut anew: rows as they would be had the text been printed at this width. */
#include "helper.h"

#include "sandesk/base/clock.h"
#include "term/frame.h"
#include "term/line.h"
#include "term/screen.h"

static struct term *
make(unsigned rows, unsigned cols)
{
	return term_new(&(struct term_config){ .size = { (uint16_t)rows, (uint16_t)cols },
		.history_bytes = 64 << 20,
		.history_lines = 400000 });
}

static char *
all_rows(struct term *t, enum term_text_flags more)
{
	AUTO(buf) struct buf text = { 0 };

	term_text(t, &text, TERM_TEXT_HISTORY | more);
	return buf_take(&text);
}

static const struct {
	const char *name;
	unsigned cols, to_cols;
	const char *in, *want;
} cases[] = {
	{ "wider: lines come together", 4, 8, "abcdefgh\r\nij\r\n\r\n", "abcdefgh\nij\n" },
	{ "wider: and are cut again", 3, 5, "abcdefgh\r\n\r\n\r\n", "abcde\nfgh\n" },
	{ "narrower: lines are cut", 8, 3, "abcdefgh\r\n\r\n\r\n", "abc\ndef\ngh\n" },
	{ "wide characters stay whole", 8, 5, "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\r\n\r\n\r\n",
		"\xe4\xb8\xad\xe4\xb8\xad\n\xe4\xb8\xad\n" },
	{ "and come together", 5, 6, "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\r\n\r\n\r\n",
		"\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\n" },
	{ "ended lines stay ended", 4, 9, "abcd\r\nefgh\r\n\r\n\r\n", "abcd\nefgh\n" },
	{ "a background makes no row", 8, 4, "ab\033[41m\033[K\033[m\r\nc\r\n\r\n\r\n", "ab\nc\n" },
	{ "blank lines stay", 4, 8, "a\r\n\r\nb\r\n\r\n\r\n", "a\n\nb\n" },
};

/* Two rows high, so that what is looked at is history. */
static void
test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct term *t = make(2, cases[i].cols);
		AUTO(mem) char *got = NULL;

		term_feed(t, cases[i].in, strlen(cases[i].in));
		term_resize(t, (struct size){ 2, (uint16_t)cases[i].to_cols });
		got = all_rows(t, 0);
		for (size_t n = strlen(got); n > 1 && got[n - 2] == '\n'; n--)
			got[n - 1] = 0; /* blank lines at the end are not what is looked at */
		if (strcmp(got, cases[i].want) != 0)
			fail_msg("%s: got \"%s\"", cases[i].name, got);
		term_free(t);
	}
}

static void
random_lines(uint64_t *seed, unsigned lines, struct buf *to)
{
	static const char *const words[] = { "alpha", "be", "\xe4\xb8\xad\xe6\x96\x87", "e\xcc\x81",
		"\xf0\x9f\x98\x80", "x y", "\033[31mred\033[m" };

	while (lines--) {
		for (unsigned n = random_below(seed, 40); n; n--)
			buf_add_str(to, words[random_below(seed, ARRAY_LEN(words))]);
		buf_add_str(to, ".\r\n");
	}
}

/* Printed narrow and looked at wide is the same as printed wide; there and back again is the same
 * as before. */
static void
test_any_widths(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < 120; round++) {
		uint64_t seed = round * 31 + 7;
		unsigned a = 3 + random_below(&seed, 60), b = 3 + random_below(&seed, 60);
		struct term *t = make(3, a), *other = make(3, b);
		AUTO(buf) struct buf out = { 0 };
		AUTO(mem) char *before = NULL, *at_b = NULL, *printed_at_b = NULL, *back = NULL;

		random_lines(&seed, 60, &out);
		term_feed(t, out.data, out.len);
		term_feed(other, out.data, out.len);
		before = all_rows(t, 0);
		term_resize(t, (struct size){ 3, (uint16_t)b });
		at_b = all_rows(t, 0);
		printed_at_b = all_rows(other, 0);
		term_resize(t, (struct size){ 3, (uint16_t)a });
		back = all_rows(t, 0);
		if (strcmp(at_b, printed_at_b) != 0)
			fail_msg("round %u: %u to %u columns differs", (unsigned)round, a, b);
		if (strcmp(before, back) != 0)
			fail_msg("round %u: %u to %u columns and back", (unsigned)round, a, b);
		term_free(t);
		term_free(other);
	}
}

/* Rows upwards are the rows downwards, in reverse. */
static void
test_scrolling_meets_every_row(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 30; seed++) {
		uint64_t random = seed;
		struct term *t = make(2, 5 + random_below(&random, 30));
		struct frame_view v;
		AUTO(buf) struct buf out = { 0 };
		unsigned up = 0, down = 0;

		random_lines(&random, 40, &out);
		term_feed(t, out.data, out.len);
		term_resize(t, (struct size){ 2, (uint16_t)(3 + random_below(&random, 60)) });
		frame_view_init(&v);
		do {
			frame_view_scroll(&v, t, 1);
			up++;
		} while (v.anchor > t->history.first || v.anchor_from);
		do {
			frame_view_scroll(&v, t, -1);
			down++;
		} while (v.is_anchored);
		assert_int_equal(up, down);
		frame_view_fini(&v);
		term_free(t);
	}
}

static void
test_a_line_is_shown(void **state)
{
	struct term *t = make(6, 10);
	struct frame_view v;

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		term_feed(t, "abc\r\n", 5);
	frame_view_init(&v);
	frame_view_show(&v, t, 50);
	assert_int_equal(v.anchor, 48);
	frame_view_show(&v, t, 0);
	assert_int_equal(v.anchor, 0);
	frame_view_show(&v, t, term_next_line(t) + 3);
	assert_false(v.is_anchored);
	frame_view_fini(&v);
	term_free(t);
}

/* One line of a megabyte, and a resize with 300,000 lines: bounded time. */
static void
test_much(void **state)
{
	struct term *t = make(24, 80);
	struct frame_view v;
	AUTO(buf) struct buf frame = { 0 };
	int64_t start, took, worst = 0;

	(void)state;
	for (unsigned i = 0; i < 300000; i++)
		term_feed(t, i % 3 ? "text of a line\r\n" : "\033[32mgreen\033[m and more\r\n",
			i % 3 ? 16 : 24);
	assert_true(term_history_lines(t) > 250000);
	for (unsigned i = 0; i < 20; i++) {
		start = clock_ms();
		term_resize(t, (struct size){ 24, (uint16_t)(i % 2 ? 80 : 33) });
		took = clock_ms() - start;
		worst = took > worst ? took : worst;
	}
	if (getenv("SANDESK_SHOW_FIGURES"))
		print_message("resize %d ms at worst\n", (int)worst);
	assert_in_range(worst, 0, 100);
	for (unsigned i = 0; i < 1 << 16; i++)
		term_feed(t, "sixteen letters.", 16);
	term_feed(t, "\r\n", 2);
	frame_view_init(&v);
	start = clock_ms();
	for (unsigned i = 0; i < 200; i++) {
		frame_view_scroll(&v, t, 7);
		buf_reset(&frame);
		assert_int_equal(frame_encode(&v, t, &frame), 0);
	}
	if (getenv("SANDESK_SHOW_FIGURES"))
		print_message("200 frames %d ms\n", (int)(clock_ms() - start));
	assert_in_range(clock_ms() - start, 0, 10000);
	frame_view_fini(&v);
	term_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_any_widths),
		cmocka_unit_test(test_scrolling_meets_every_row),
		cmocka_unit_test(test_a_line_is_shown),
		cmocka_unit_test(test_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
