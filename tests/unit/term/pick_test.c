/* What is marked in copy mode: text between two places, by rows with a name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/str.h"
#include "term/frame.h"
#include "term/pick.h"
#include "term/term.h"

static const struct {
	const char *name, *fed;
	struct pick pick; /* lines from the oldest that is kept */
	const char *want;
} rows[] = {
	{ "one cell", "abc", { 0, 0, 1, 1, 0 }, "b" },
	{ "to the end of a line", "abc\r\nde", { 0, 0, 1, 5000, 0 }, "bc" },
	{ "two lines, blanks at the end left out", "abc   \r\nde", { 0, 1, 2, 0, 0 }, "c\nd" },
	{ "a wrapped line is joined", "0123456789abc\r\nx", { 0, 2, 8, 0, 0 }, "89abc\nx" },
	{ "a block", "abcd\r\nef\r\nghij", { 0, 2, 1, 2, PICK_BLOCK }, "bc\nf\nhi" },
	{ "a wide character from its second half", "a\xe4\xb8\xad" "b", { 0, 0, 2, 3, 0 },
		"\xe4\xb8\xad" "b" },
	{ "a wide character up to its first half", "a\xe4\xb8\xad" "b", { 0, 0, 0, 1, 0 },
		"a\xe4\xb8\xad" },
	{ "a combining sign stays", "e\xcc\x81x", { 0, 0, 0, 0, 0 }, "e\xcc\x81" },
	{ "a place that nothing stands in", "ab", { 0, 0, 5, 9, 0 }, "" },
	{ "behind the last line", "ab", { 900, 1000, 0, 9, 0 }, "" },
	{ "from history into the screen", "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7", { 1, 5, 0, 0, 0 },
		"2\n3\n4\n5\n6" },
};

static void
test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct term *t = term_new(&(struct term_config){ .size = { 4, 10 }, .history_bytes = 1 << 20, .history_lines = 100 });
		AUTO(buf) struct buf got = { 0 };

		term_feed(t, rows[i].fed, strlen(rows[i].fed));
		term_pick(t, &rows[i].pick, &got);
		if (strcmp(got.data ? got.data : "", rows[i].want) != 0)
			fail_msg("%s: got \"%s\"", rows[i].name, got.data ? got.data : "");
		term_free(t);
	}
}

/* A held view stands on its first line while others are printed, and tells it. */
static void
test_held(void **state)
{
	struct term *t = term_new(&(struct term_config){ .size = { 2, 10 }, .history_bytes = 1 << 20, .history_lines = 100 });
	AUTO(buf) struct buf before = { 0 }, after = { 0 }, body = { 0 };
	struct frame_view v;

	(void)state;
	frame_view_init(&v);
	term_feed(t, "a\r\nb", 4);
	frame_view_hold(&v, t, true);
	term_places(&v, t, &before);
	assert_memory_equal(before.data, "\0\0\0\0\1\0\1\0", 8);
	term_feed(t, "\r\nc\r\nd\r\ne", 9);
	term_places(&v, t, &after);
	assert_int_equal(before.len, after.len);
	assert_memory_equal(before.data, after.data, after.len);
	frame_view_hold(&v, t, false);
	frame_view_scroll(&v, t, 0);
	buf_reset(&after);
	term_places(&v, t, &after);
	assert_memory_equal(after.data, "\0\0\3\0\1\0\4\0", 8);
	frame_view_fini(&v);
	term_free(t);
}

/* After a resize a row shows cells of two lines: two pieces. */
static void
test_pieces(void **state)
{
	struct term *t = term_new(&(struct term_config){ .size = { 2, 4 }, .history_bytes = 1 << 20, .history_lines = 100 });
	AUTO(buf) struct buf got = { 0 };
	struct frame_view v;

	(void)state;
	frame_view_init(&v);
	term_feed(t, "abcdefgh\r\n1\r\n2\r\n3", 17);
	term_resize(t, (struct size){ 2, 6 });
	frame_view_hold(&v, t, true);
	frame_view_show(&v, t, 0);
	term_places(&v, t, &got);
	assert_true(got.len >= 12);
	assert_memory_equal(got.data, "\0\0\0\0\0\4\1\0\1\0\1\2", 12);
	frame_view_fini(&v);
	term_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_held),
		cmocka_unit_test(test_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
