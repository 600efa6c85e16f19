#include "helper.h"

#include "sandesk/base/clock.h"
#include "term/search.h"

enum { ROOM = 64 };

/* "line:col+cells" of every hit. */
static char *
hits_of(struct term *t, struct search *s, size_t at_once)
{
	struct buf out = { 0 };
	struct search_hit hits[ROOM];

	buf_add_str(&out, "");
	while (!s->is_done) {
		int n = term_search(t, s, hits, at_once);

		if (n < 0) {
			buf_addf(&out, "error %d", n);
			break;
		}
		for (int i = 0; i < n; i++)
			buf_addf(&out, "%s%u:%u+%u", out.len ? " " : "", (unsigned)hits[i].at.line,
				(unsigned)hits[i].at.col, (unsigned)hits[i].cells);
	}
	return buf_take(&out);
}

static const struct {
	const char *name;
	unsigned rows, cols;
	const char *in, *text;
	const char *want;
} cases[] = {
	{ "none", 3, 10, "hello", "x", "" },
	{ "on the screen", 3, 10, "hello", "llo", "0:2+3" },
	{ "twice in a line", 3, 20, "ab ab", "ab", "0:0+2 0:3+2" },
	{ "hits do not overlap", 3, 20, "aaaa", "aa", "0:0+2 0:2+2" },
	{ "history and screen", 2, 10, "ab\r\nx\r\nab\r\nab", "ab", "0:0+2 2:0+2 3:0+2" },
	{ "small letters find both", 3, 20, "Ab aB", "ab", "0:0+2 0:3+2" },
	{ "a capital letter finds itself", 3, 20, "Ab ab", "Ab", "0:0+2" },
	{ "over a wrapped line on the screen", 3, 4, "abcdef", "cdef", "0:2+4" },
	{ "over a wrapped line in history", 1, 4, "abcdef\r\n\r\n", "cdef", "0:2+4" },
	{ "from history into the screen", 1, 4, "abcdef", "cdef", "0:2+4" },
	{ "over three lines", 1, 2, "abcdef\r\n", "bcde", "0:1+4" },
	{ "not over the end of a line", 3, 4, "abcd\r\nef", "cdef", "" },
	{ "behind wide characters", 3, 20, "\xe4\xb8\xad\xe6\x96\x87x", "x", "0:4+1" },
	{ "a wide character", 3, 20, "a\xe4\xb8\xad\xe6\x96\x87x", "\xe6\x96\x87", "0:3+2" },
	{ "a wide character in history", 1, 20, "a\xe4\xb8\xad\xe6\x96\x87x\r\n", "\xe6\x96\x87x",
		"0:3+3" },
	{ "not a part of a character", 3, 20, "a\xe4\xb8\xad", "a\xe4\xb8", "" },
	{ "the begin of a cluster", 3, 20, "ae\xcc\x81z", "ae", "0:0+2" },
	{ "the end of a cluster", 3, 20, "ae\xcc\x81z", "\xcc\x81z", "0:1+2" },
	{ "a cluster", 3, 20, "ae\xcc\x81z", "e\xcc\x81", "0:1+1" },
	{ "a mark that a cell has twice", 3, 20, "ae\xcc\x81\xcc\x81z\xcc\x81", "\xcc\x81", "0:1+1 0:2+1" },
	{ "over blank cells", 3, 20, "a\033[5Gb", "a   b", "0:0+5" },
	{ "blanks at the end are no text", 3, 20, "ab   \r\n", "b ", "" },
	{ "styles do not matter", 1, 20, "\033[31mab\033[1mcd\033[mef\r\n", "bcde", "0:1+4" },
	{ "the alternate screen continues nothing", 1, 4, "abcdef\033[?1049h\033[Hxyz", "fx", "" },
	{ "the alternate screen", 1, 4, "abcdef\033[?1049h\033[Hxyz", "xyz", "1:0+3" },
};

/* Each both ways, and hit by hit. */
static void
test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct term *t = term_make(cases[i].rows, cases[i].cols);

		term_feed(t, cases[i].in, strlen(cases[i].in));
		for (unsigned at_once = 1; at_once <= ROOM; at_once += ROOM - 1) {
			struct search s = { .text = cases[i].text,
				.len = strlen(cases[i].text),
				.any_case = search_any_case(
					cases[i].text, strlen(cases[i].text), false) };
			AUTO(mem) char *got = hits_of(t, &s, at_once);

			if (strcmp(got, cases[i].want) != 0)
				fail_msg("%s, %u at once: got \"%s\"", cases[i].name, at_once, got);
		}
		term_free(t);
	}
}

/* A session of many lines, some wrapped, some wide: what it has of a word is known. */
static void
fill(struct term *t, uint64_t seed, unsigned lines)
{
	static const char *const words[] = { "alpha ", "needle", "\xe4\xb8\xad\xe6\x96\x87",
		"\033[32mneedle\033[m", "e\xcc\x81", "nee", "dle", "  " };
	AUTO(buf) struct buf out = { 0 };

	while (lines--) {
		for (unsigned n = random_below(&seed, 12); n; n--)
			buf_add_str(&out, words[random_below(&seed, ARRAY_LEN(words))]);
		buf_add_str(&out, "\r\n");
	}
	term_feed(t, out.data, out.len);
}

static size_t
all_hits(struct term *t, bool is_backwards, size_t at_once, uint64_t most, struct search_hit *to,
	size_t room)
{
	struct search s = { .text = "needle",
		.len = 6,
		.is_backwards = is_backwards,
		.most_lines = most };
	size_t count = 0;

	if (is_backwards)
		s.from = search_end(t);
	while (!s.is_done) {
		int n = term_search(t, &s, to + count, at_once);

		assert_true(n >= 0);
		count += (size_t)n;
		assert_true(count + at_once <= room);
	}
	return count;
}

/* By member: what stands in the gaps between them is anybody's. */
static bool
is_same(const struct search_hit *a, const struct search_hit *b)
{
	return a->at.line == b->at.line && a->at.col == b->at.col && a->end.line == b->end.line &&
	       a->end.col == b->end.col && a->cells == b->cells;
}

static void
test_both_ways_agree(void **state)
{
	enum { HITS = 20000 };
	static const struct {
		size_t at_once;
		uint64_t most;
	} ways[] = { { 1000, 0 }, { 1, 0 }, { 7, 0 }, { 1000, 5 }, { 3, 100 } };
	struct search_hit *forwards = malloc(HITS * sizeof *forwards),
			  *other = malloc(HITS * sizeof *other);

	(void)state;
	for (uint64_t seed = 0; seed < 6; seed++) {
		struct term *t = term_new(&(struct term_config){ .size = { 5, 11 + seed * 9 },
			.history_bytes = 4 << 20,
			.history_lines = 100000 });
		AUTO(buf) struct buf text = { 0 };
		size_t n, expected = 0;

		fill(t, seed, 700);
		n = all_hits(t, false, 1000, 0, forwards, HITS);
		term_text(t, &text, TERM_TEXT_HISTORY | TERM_TEXT_JOIN);
		for (const char *at = text.data; (at = strstr(at, "needle")); at += 6)
			expected++;
		assert_int_equal(n, expected);
		assert_true(n > 100);
		for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
			assert_int_equal(all_hits(t, false, ways[k].at_once, ways[k].most, other,
						 HITS),
				n);
			for (size_t i = 0; i < n; i++)
				assert_true(is_same(&forwards[i], &other[i]));
			assert_int_equal(
				all_hits(t, true, ways[k].at_once, ways[k].most, other, HITS), n);
			for (size_t i = 0; i < n; i++)
				assert_true(is_same(&forwards[i], &other[n - 1 - i]));
		}
		term_free(t);
	}
	free(forwards);
	free(other);
}

static int
match_nothing(const char *text, size_t len, size_t from, size_t *ret_start, size_t *ret_end,
	void *arg)
{
	(void)text;
	*(unsigned *)arg += 1;
	*ret_start = *ret_end = from < len ? from : len; /* an empty match everywhere */
	return 1;
}

static int
match_fails(const char *text, size_t len, size_t from, size_t *ret_start, size_t *ret_end,
	void *arg)
{
	(void)text, (void)len, (void)from, (void)ret_start, (void)ret_end, (void)arg;
	return -ETIMEDOUT;
}

static void
test_matchers(void **state)
{
	struct term *t = term_make(3, 10);
	struct search_hit hits[4];
	unsigned calls = 0;
	struct search s = { .match = match_nothing, .arg = &calls };
	struct search bad = { .match = match_fails };

	(void)state;
	term_feed(t, "a\xe4\xb8\xad" "b", 5);
	assert_int_equal(term_search(t, &s, hits, 4), 0);
	assert_true(s.is_done);
	assert_int_equal(calls, 3); /* once for each character */
	assert_int_equal(term_search(t, &bad, hits, 4), -ETIMEDOUT);
	assert_int_equal(term_search(t, &(struct search){ .text = "", .len = 0 }, hits, 4), -EINVAL);
	term_free(t);
}

static void
test_smart_case(void **state)
{
	static const struct {
		const char *text;
		bool is_regex, any;
	} rows[] = { { "abc", false, true }, { "aBc", false, false }, { "\\W", false, false },
		{ "\\W", true, true }, { "\\p{Lu}x", true, true }, { "\\WB", true, false },
		{ "\\", true, true } };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (search_any_case(rows[i].text, strlen(rows[i].text), rows[i].is_regex) !=
			rows[i].any)
			fail_msg("%s", rows[i].text);
}

static void
test_line_of_a_hit(void **state)
{
	struct term *t = term_make(2, 4);
	AUTO(buf) struct buf line = { 0 };

	(void)state;
	term_feed(t, "abcdefghij  \r\nx\r\n", 17);
	search_line(t, 2, &line);
	assert_string_equal(line.data, "abcdefghij");
	search_line(t, 99, &line);
	assert_string_equal(line.data, "abcdefghij");
	term_free(t);
}

/* 300,000 lines, no hit, both cases. The bound is generous for instrumented builds; the figure is
 * printed by the bench. */
static void
test_speed(void **state)
{
	struct term *t = term_new(&(struct term_config){
		.size = { 24, 80 }, .history_bytes = 64 << 20, .history_lines = 1000000 });
	struct search s = { .text = "no such text", .len = 12, .any_case = true };
	struct search_hit hit;
	char line[82];
	int64_t start;

	(void)state;
	memset(line, 'a', 80);
	memcpy(line + 80, "\r\n", 2);
	for (unsigned i = 0; i < 300000; i++) {
		snprintf(line, 20, "%08u some text", i);
		line[18] = 'b';
		term_feed(t, line, sizeof line - 2 - i % 60);
		term_feed(t, "\r\n", 2);
	}
	assert_true(term_history_lines(t) > 290000);
	start = clock_ms();
	assert_int_equal(term_search(t, &s, &hit, 1), 0);
	assert_true(s.is_done);
	if (getenv("SANDESK_SHOW_FIGURES"))
		print_message("forwards %d ms\n", (int)(clock_ms() - start));
	assert_in_range(clock_ms() - start, 0, 3000);
	s = (struct search){ .text = "no such text", .len = 12, .is_backwards = true,
		.from = search_end(t) };
	start = clock_ms();
	assert_int_equal(term_search(t, &s, &hit, 1), 0);
	assert_true(s.is_done);
	if (getenv("SANDESK_SHOW_FIGURES"))
		print_message("backwards %d ms\n", (int)(clock_ms() - start));
	assert_in_range(clock_ms() - start, 0, 3000);
	term_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_both_ways_agree),
		cmocka_unit_test(test_matchers),
		cmocka_unit_test(test_smart_case),
		cmocka_unit_test(test_line_of_a_hit),
		cmocka_unit_test(test_speed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
