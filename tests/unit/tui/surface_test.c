#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "draw/out.h"
#include "sandesk/base/buf.h"

static void
check(const char *name, const struct surface *s, const char *want)
{
	AUTO(buf) struct buf got = { 0 };
	struct out *memory = out_memory.new(NULL, NULL);

	out_memory.frame(memory, s, &got);
	out_memory.free(memory);
	if (strcmp(got.data, want) != 0)
		fail_msg("%s: got\n%s", name, got.data);
	for (unsigned r = 0; r < s->size.rows; r++) { /* wide characters are always paired */
		const struct cell *row = surface_row(s, r);

		for (unsigned c = 0; c < s->size.cols; c++) {
			bool is_wide = row[c].attr & ATTR_WIDE;
			bool has_spacer = c + 1 < s->size.cols && (row[c + 1].attr & ATTR_SPACER);

			assert_true(row[c].ch != 0);
			assert_int_equal(is_wide, has_spacer);
		}
	}
}

static const struct {
	const char *name;
	struct area within;
	int row, col;
	const char *text;
	int end; /* column behind the text */
	const char *screen;
} rows[] = {
	{ "plain", { 0, 0, 2, 8 }, 0, 1, "abc", 4, "| abc\n|\n" },
	{ "cut at the right", { 0, 0, 2, 8 }, 0, 6, "abc", 9, "|      ab\n|\n" },
	{ "cut at the left", { 0, 0, 2, 8 }, 0, -1, "abc", 2, "|bc\n|\n" },
	{ "below", { 0, 0, 2, 8 }, 2, 0, "abc", 3, "|\n|\n" },
	{ "above", { 0, 0, 2, 8 }, -1, 0, "abc", 3, "|\n|\n" },
	{ "in an area", { 0, 2, 1, 3 }, 0, 1, "abcdef", 7, "|  bcd\n|\n" },
	{ "in an area outside", { 0, 20, 1, 3 }, 0, 1, "abcdef", 7, "|\n|\n" },
	{ "wide", { 0, 0, 2, 8 }, 0, 0, "\xe4\xb8\xad!", 3, "|\xe4\xb8\xad!\n|\n" },
	{ "wide cut at the right", { 0, 0, 2, 8 }, 0, 7, "\xe4\xb8\xad", 9, "|\n|\n" },
	{ "wide cut by the area", { 0, 0, 2, 3 }, 0, 2, "\xe4\xb8\xad", 4, "|\n|\n" },
	{ "mark", { 0, 0, 2, 8 }, 0, 0, "e\xcc\x81x", 2, "|e\xcc\x81x\n|\n" },
	{ "mark on a wide one", { 0, 0, 2, 8 }, 0, 0, "\xe4\xb8\xad\xcc\x81x", 3,
		"|\xe4\xb8\xad\xcc\x81x\n|\n" },
	{ "mark first", { 0, 0, 2, 8 }, 0, 3, "\xcc\x81x", 4, "|   x\n|\n" },
	{ "controls", { 0, 0, 2, 8 }, 0, 0, "a\x1b[\x07\x7f\xc2\x9b", 6,
		"|a\xef\xbf\xbd[\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\n|\n" },
	{ "invalid", { 0, 0, 2, 8 }, 0, 0, "a\xff\xe4z", 4, "|a\xef\xbf\xbd\xef\xbf\xbdz\n|\n" },
};

static void
test_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct surface s;
		int end;

		surface_init(&s, (struct size){ 2, 8 });
		end = surface_text(&s, rows[i].within, rows[i].row, rows[i].col,
			(struct style){ 0 }, rows[i].text);
		if (end != rows[i].end)
			fail_msg("%s: ended at %d", rows[i].name, end);
		check(rows[i].name, &s, rows[i].screen);
		surface_fini(&s);
	}
}

static void
test_halves(void **state)
{
	struct surface s;
	struct style plain = { 0 };

	(void)state;
	surface_init(&s, (struct size){ 1, 6 });
	surface_text(&s, surface_area(&s), 0, 0, plain, "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad");
	surface_text(&s, surface_area(&s), 0, 1, plain, "x");
	check("second half overwritten", &s, "| x\xe4\xb8\xad\xe4\xb8\xad\n");
	surface_text(&s, surface_area(&s), 0, 3, plain, "\xe4\xb8\xad");
	check("two halves overwritten", &s, "| x \xe4\xb8\xad\n");
	surface_fill(&s, (struct area){ 0, 4, 1, 1 }, plain);
	check("half filled", &s, "| x\n");
	surface_fini(&s);
}

static void
test_box(void **state)
{
	struct surface s;

	(void)state;
	surface_init(&s, (struct size){ 3, 5 });
	surface_box(&s, (struct area){ 0, 0, 3, 4 }, (struct style){ 0 });
	check("box", &s,
		"|\xe2\x94\x8c\xe2\x94\x80\xe2\x94\x80\xe2\x94\x90\n|\xe2\x94\x82  \xe2\x94\x82\n"
		"|\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80\xe2\x94\x98\n");
	surface_box(&s, (struct area){ 1, 3, 10, 10 }, (struct style){ 0 }); /* mostly outside */
	surface_fini(&s);
}

static void
test_touched_rows(void **state)
{
	struct surface s;

	(void)state;
	surface_init(&s, (struct size){ 4, 8 });
	surface_settle(&s);
	surface_text(&s, surface_area(&s), 2, 0, (struct style){ 0 }, "x");
	for (unsigned r = 0; r < 4; r++)
		assert_int_equal(s.touched[r], r == 2);
	surface_begin(&s, (struct style){ 0 });
	for (unsigned r = 0; r < 4; r++)
		assert_true(s.touched[r]);
	surface_fini(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_halves),
		cmocka_unit_test(test_box),
		cmocka_unit_test(test_touched_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
