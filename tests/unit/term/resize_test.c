#include "helper.h"

#include "term/screen.h"

static char *
text_of(struct term *t, enum term_text_flags flags)
{
	AUTO(buf) struct buf text = { 0 };

	term_text(t, &text, flags);
	return buf_take(&text);
}

/* Rows joined by '/', without the blank ones at the end. */
static char *
picture(struct term *t)
{
	char *text = text_of(t, TERM_TEXT_SCREEN);
	size_t n = strlen(text);

	for (char *at = text; *at; at++)
		if (*at == '\n')
			*at = '/';
	while (n && text[n - 1] == '/')
		text[--n] = 0;
	return text;
}

static const struct {
	const char *name;
	unsigned rows, cols;
	const char *in;
	unsigned to_rows, to_cols;
	const char *want;
	unsigned row, col;
	unsigned history;
} cases[] = {
	{ "narrower", 4, 10, "abcdefgh", 4, 5, "abcde/fgh", 1, 3, 0 },
	{ "wider joins what was wrapped", 4, 4, "abcdefgh", 4, 10, "abcdefgh", 0, 8, 0 },
	{ "wider keeps lines that were ended", 4, 4, "abcd\r\nefgh", 4, 10, "abcd/efgh", 1, 4, 0 },
	{ "wide characters stay whole", 4, 6, "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 4, 5,
		"\xe4\xb8\xad\xe4\xb8\xad/\xe4\xb8\xad", 1, 2, 0 },
	{ "and come together again", 4, 5, "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 4, 6,
		"\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 0, 5, 0 },
	{ "cursor inside the text", 4, 10, "abcdefgh\033[1;7H", 4, 5, "abcde/fgh", 1, 1, 0 },
	{ "cursor behind the text", 4, 10, "ab\033[1;9H", 4, 5, "ab", 0, 4, 0 },
	{ "lower: blank rows go first", 6, 5, "a\r\nb", 3, 5, "a/b", 1, 1, 0 },
	{ "lower: the top becomes history", 4, 5, "a\r\nb\r\nc\r\nd", 2, 5, "c/d", 1, 1, 2 },
	{ "lower: the cursor stays", 4, 5, "a\r\nb\r\nc\r\nd\033[1;1H", 2, 5, "a/b", 0, 0, 0 },
	{ "higher: history comes back", 2, 5, "a\r\nb\r\nc\r\nd", 4, 5, "a/b/c/d", 3, 1, 0 },
	{ "higher: not over a screen with room", 2, 5, "a\r\nb\r\nc\r\nd\033[2J\033[Hx", 4, 5, "x",
		0, 1, 2 },
	{ "a line that runs out of history", 2, 4, "abcdefghij", 2, 10, "abcdefghij", 0, 9, 0 },
	{ "narrow by history", 2, 10, "abcdefghij", 2, 3, "ghi/j", 1, 1, 2 },
	{ "the alternate screen is cropped", 3, 6, "\033[?1049habcdef", 3, 3, "abc", 0, 2, 0 },
	{ "the alternate screen keeps its cursor's row", 3, 6, "\033[?1049h\033[Ha\r\nb\r\nc", 2, 6,
		"b/c", 1, 1, 0 },
	{ "a wide character at the cropped edge", 2, 6, "\033[?1049h\033[Habc\xe4\xb8\xad", 2, 4,
		"abc", 0, 3, 0 },
	{ "a line feed ends a line that ran on", 4, 4, "abcdef\033[1;1H\nxy", 4, 10, "abcd/xy", 1,
		2, 0 },
	{ "pending wrap stays", 2, 4, "abcd", 2, 4, "abcd", 0, 3, 0 },
};

static void
test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct term *t = term_make(cases[i].rows, cases[i].cols);
		AUTO(mem) char *got = NULL;
		unsigned row, col;

		term_feed(t, cases[i].in, strlen(cases[i].in));
		term_resize(
			t, (struct size){ (uint16_t)cases[i].to_rows, (uint16_t)cases[i].to_cols });
		got = picture(t);
		term_cursor(t, &row, &col);
		if (strcmp(got, cases[i].want) != 0 || row != cases[i].row || col != cases[i].col ||
			term_history_lines(t) != cases[i].history)
			fail_msg("%s: got \"%s\", cursor %u,%u, %u lines of history", cases[i].name,
				got, row, col, (unsigned)term_history_lines(t));
		if (term_fault(t))
			fail_msg("%s: %s", cases[i].name, term_fault(t));
		term_free(t);
	}
}

static void
random_lines(uint64_t *seed, unsigned lines, struct buf *to)
{
	static const char *const words[] = { "alpha", "be", "\xe4\xb8\xad\xe6\x96\x87", "e\xcc\x81",
		"\xf0\x9f\x98\x80", "x y", "\033[31mred\033[m", "\xe2\x9d\xa4\xef\xb8\x8f" };

	while (lines--) {
		for (unsigned n = random_below(seed, 30); n; n--)
			buf_add_str(to, words[random_below(seed, sizeof words / sizeof words[0])]);
		buf_add_str(to, ".\r\n");
	}
}

/* However often the size changes, the lines that were printed are the same lines. */
static void
test_text_survives(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < 150; round++) {
		uint64_t seed = round * 7 + 1;
		struct term *t =
			term_make(2 + random_below(&seed, 20), 4 + random_below(&seed, 60));
		AUTO(buf) struct buf out = { 0 };
		AUTO(mem) char *before = NULL;

		random_lines(&seed, 1 + random_below(&seed, 60), &out);
		term_feed(t, out.data, out.len);
		before = text_of(t, TERM_TEXT_HISTORY | TERM_TEXT_JOIN);
		for (unsigned i = 0; i < 12; i++) {
			AUTO(mem) char *after = NULL;

			term_resize(t, (struct size){ (uint16_t)(1 + random_below(&seed, 30)),
					       (uint16_t)(4 + random_below(&seed, 80)) });
			after = text_of(t, TERM_TEXT_HISTORY | TERM_TEXT_JOIN);
			if (term_fault(t))
				fail_msg("round %u: %s", (unsigned)round, term_fault(t));
			for (size_t at = 0; before[at] || after[at]; at++)
				if (before[at] != after[at])
					fail_msg("round %u, change %u to %ux%u: was \"%.40s\", is "
						 "\"%.40s\"",
						(unsigned)round, i, term_size(t).rows,
						term_size(t).cols, before + at, after + at);
		}
		term_free(t);
	}
}

/* Sequences, resizes and history in any order leave the grid sound. */
static void
test_grid_stays_sound(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < 200; round++) {
		uint64_t seed = round;
		struct term *t =
			term_make(1 + random_below(&seed, 20), 2 + random_below(&seed, 50));

		for (unsigned i = 0; i < 60; i++) {
			AUTO(buf) struct buf out = { 0 };

			random_output(&seed, 10, &out);
			term_feed(t, out.data, out.len);
			term_resize(t, (struct size){ (uint16_t)(1 + random_below(&seed, 20)),
					       (uint16_t)(1 + random_below(&seed, 50)) });
			if (term_fault(t))
				fail_msg("round %u: %s", (unsigned)round, term_fault(t));
			assert_true(t->region_top <= t->region_bottom &&
				    t->region_bottom < t->size.rows);
			assert_true(t->left < t->right && t->right < t->size.cols);
		}
		term_free(t);
	}
}

static void
test_text_flags(void **state)
{
	const char *text = "one\r\ntwo  \r\nabcdefgh\r\n$ ";
	struct term *t = term_make(3, 6);
	AUTO(mem) char *plain = NULL, *blanks = NULL, *all = NULL, *joined = NULL;

	(void)state;
	term_feed(t, text, strlen(text));
	plain = text_of(t, TERM_TEXT_SCREEN);
	blanks = text_of(t, TERM_TEXT_BLANKS);
	all = text_of(t, TERM_TEXT_HISTORY);
	joined = text_of(t, TERM_TEXT_HISTORY | TERM_TEXT_JOIN | TERM_TEXT_BLANKS);
	assert_string_equal(plain, "abcdef\ngh\n$\n");
	assert_string_equal(blanks, "abcdef\ngh\n$ \n");
	assert_string_equal(all, "one\ntwo\nabcdef\ngh\n$\n");
	assert_string_equal(joined, "one\ntwo  \nabcdefgh\n$ \n");
	term_free(t);
}

static void
test_text_is_cut_at_the_limit(void **state)
{
	struct term *t = term_make(3, 6);
	AUTO(buf) struct buf small = { .limit = 8 };

	(void)state;
	term_feed(t, "abcdef\r\nghijkl", 14);
	term_text(t, &small, TERM_TEXT_SCREEN);
	assert_true(small.is_full);
	assert_string_equal(small.data, "abcdef\n");
	term_free(t);
}

/* Lines that leave a region whose top is the screen's are history; others, and the alternate
 * screen's, are not. */
static void
test_what_becomes_history(void **state)
{
	static const struct {
		const char *name, *in;
		unsigned lines;
	} rows[] = {
		{ "whole screen", "a\r\nb\r\nc\r\nd\r\ne", 1 },
		{ "region from the top", "a\r\nb\r\nc\r\nd\033[1;3r\033[3;1H\n\n", 2 },
		{ "region below the top", "a\r\nb\r\nc\r\nd\033[2;3r\033[3;1H\n\n", 0 },
		{ "alternate", "\033[?1049ha\r\nb\r\nc\r\nd\r\ne\r\nf", 0 },
		{ "deleted lines", "a\r\nb\r\nc\033[H\033[2M", 0 },
		{ "scroll up", "a\r\nb\033[2S", 2 },
		{ "margins", "a\r\nb\r\nc\033[?69h\033[2;4s\033[4;1H\n\n\n", 0 },
		{ "cleared", "a\r\nb\r\nc\r\nd\r\ne\033[3J", 0 },
		{ "full reset keeps it", "a\r\nb\r\nc\r\nd\r\ne\033c", 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct term *t = term_make(4, 6);

		term_feed(t, rows[i].in, strlen(rows[i].in));
		if (term_history_lines(t) != rows[i].lines)
			fail_msg("%s: %u lines", rows[i].name, (unsigned)term_history_lines(t));
		term_free(t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_text_survives),
		cmocka_unit_test(test_grid_stays_sound),
		cmocka_unit_test(test_text_flags),
		cmocka_unit_test(test_text_is_cut_at_the_limit),
		cmocka_unit_test(test_what_becomes_history),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
