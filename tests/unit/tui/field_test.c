#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sandesk/base/utf8.h"
#include "widget/field.h"

/* The text with '|' where the cursor is. */
static const struct {
	const char *name, *start, *keys, *end;
} rows[] = {
	{ "typing", "", "a b Space c", "ab c|" },
	{ "in the middle", "ac", "Left b", "ab|c" },
	{ "ends", "abc", "Home x End y", "xabcy|" },
	{ "backspace", "abc", "Left Backspace", "a|c" },
	{ "backspace at the start", "abc", "Home Backspace", "|abc" },
	{ "delete", "abc", "Home Delete", "|bc" },
	{ "delete at the end", "abc", "Delete", "abc|" },
	{ "left at the start", "a", "Left Left Left", "|a" },
	{ "right at the end", "a", "Right Right", "a|" },
	{ "control keys", "abc", "C-a C-f x C-e C-b C-d C-h", "ax|" },
	{ "words", "one two  ", "C-w x", "one x|" },
	{ "to the start", "one two", "C-b C-u", "|o" },
	{ "to the end", "one two", "C-a C-k", "|" },
	{ "wide characters", "\xe4\xb8\xad\xe4\xb8\xad", "Left Backspace", "|\xe4\xb8\xad" },
	{ "marks go with their letter",
		"ae\xcc\x81"
		"b",
		"Left Left x",
		"ax|e\xcc\x81"
		"b" },
	{ "controls of the start value",
		"a\x1b\n"
		"b\xff",
		"", "ab|" },
	{ "keys that mean nothing", "ab", "F5 M-x C-t Tab", "ab|" },
};

static void
test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char copy[100], got[FIELD_BYTES + 1], *rest = copy;
		struct field f = { 0 };

		snprintf(copy, sizeof copy, "%s", rows[i].keys);
		field_set(&f, rows[i].start);
		for (char *name = strsep(&rest, " "); name; name = strsep(&rest, " ")) {
			struct key key;

			if (!*name)
				continue;
			assert_int_equal(key_parse(name, &key, NULL), 0);
			field_key(&f, key);
		}
		snprintf(got, sizeof got, "%.*s|%s", (int)f.at, f.text, f.text + f.at);
		if (strcmp(got, rows[i].end) != 0 || f.len != strlen(f.text) ||
			!utf8_is_valid(f.text, f.len))
			fail_msg("%s: got [%s]", rows[i].name, got);
	}
}

static void
test_limit(void **state)
{
	struct field f = { 0 };

	(void)state;
	for (int i = 0; i < 2000; i++)
		field_insert(&f, "\xe4\xb8\xad", 3);
	assert_int_equal(f.len, (FIELD_BYTES - 1) / 3 * 3);
	assert_true(utf8_is_valid(f.text, f.len));
	field_insert(&f, "\xe4\xb8", 2);
	assert_true(utf8_is_valid(f.text, f.len));
}

static void
test_draw_follows_the_cursor(void **state)
{
	struct surface s;
	struct field f = { 0 };

	(void)state;
	surface_init(&s, (struct size){ 1, 10 });
	field_set(&f, "0123456789abcdef");
	field_draw(&f, &s, (struct area){ 0, 2, 1, 5 }, (struct style){ 0 });
	assert_int_equal(s.cursor.col, 6);
	assert_int_equal(surface_row(&s, 0)[5].ch, 'f');
	assert_int_equal(surface_row(&s, 0)[7].ch, ' ');
	f.at = 0;
	field_draw(&f, &s, (struct area){ 0, 2, 1, 5 }, (struct style){ 0 });
	assert_int_equal(s.cursor.col, 2);
	assert_int_equal(surface_row(&s, 0)[6].ch, '4');
	surface_fini(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_draw_follows_the_cursor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
