#include "../../lib/check.h"

#include <string.h>

#include "sandesk/base/err.h"
#include "sandesk/key.h"
#include "sandesk/types.h"

static void
names(void **state)
{
	static const char *const good[] = { "a", "shop", "A-b_c.9", "_x", "0",
		"0123456789012345678901234567890123456789012345678901234567890123" };
	static const char *const bad[] = { "", "-a", ".a", "a/b", "a b", "a\n", "\x1b[m",
		"gr\xc3\xbc", "\xff", "a:b",
		"01234567890123456789012345678901234567890123456789012345678901234" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		assert_row(good[i], name_check("Desktop name", good[i], NULL) == 0);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct err e = { 0 };

		assert_row(bad[i], name_check("Desktop name", bad[i], &e) < 0);
		assert_row(bad[i], !strpbrk(e.msg, "\n\x1b\xff"));
		assert_row(bad[i], strncmp(e.msg, "Desktop name: ", 14) == 0);
	}
}

static void
sizes_are_clamped(void **state)
{
	(void)state;
	assert_true(size_equal(size_clamp(0, 0), (struct size){ SIZE_MIN_ROWS, SIZE_MIN_COLS }));
	assert_true(size_equal(size_clamp(24, 80), (struct size){ 24, 80 }));
	assert_true(size_equal(
		size_clamp(99999, 99999), (struct size){ SIZE_MAX_ROWS, SIZE_MAX_COLS }));
}

static void
ids_are_valid_and_differ(void **state)
{
	char a[ID_BYTES], b[ID_BYTES];
	unsigned same = 0;

	(void)state;
	for (int i = 0; i < 100; i++) {
		id_new(a);
		id_new(b);
		assert_true(id_is_valid(a) && id_is_valid(b));
		same += strcmp(a, b) == 0;
	}
	assert_in_range(same, 0, 2); /* 16 random bits within one millisecond */
	assert_false(id_is_valid("../../../etc/pass"));
	assert_false(id_is_valid("0123456789abcde"));
}

static void
statuses_have_names(void **state)
{
	(void)state;
	for (enum status s = 0; s < STATUS_COUNT; s++) {
		enum status back = STATUS_COUNT;

		assert_int_equal(status_parse(status_name(s), &back), 0);
		assert_int_equal(back, s);
	}
}

static void
keys(void **state)
{
	static const struct {
		const char *text;
		uint32_t code;
		uint8_t mods;
		const char *name;
	} rows[] = {
		{ "a", 'a', 0, "a" },
		{ "C-a", 'a', MOD_CTRL, "C-a" },
		{ "^C", 'c', MOD_CTRL, "C-c" },
		{ "C-Space", ' ', MOD_CTRL, "C-Space" },
		{ "M-x", 'x', MOD_ALT, "M-x" },
		{ "S-Up", KEY_UP, MOD_SHIFT, "S-Up" },
		{ "C-M-Delete", KEY_DELETE, MOD_CTRL | MOD_ALT, "C-M-Delete" },
		{ "F12", KEY_F12, 0, "F12" },
		{ "-", '-', 0, "-" },
		{ "C--", '-', MOD_CTRL, "C--" },
		{ "enter", KEY_ENTER, 0, "Enter" },
		{ "\xc3\xa9", 0xe9, 0, "\xc3\xa9" },
		{ "^", '^', 0, "^" },
	};
	static const char *const bad[] = { "", "C-", "X-a", "foo", "C-foo", "ab", "\x01" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char name[KEY_NAME_BYTES];
		struct key k = { 0 };

		assert_row(rows[i].text, key_parse(rows[i].text, &k, NULL) == 0);
		assert_row(rows[i].text, k.code == rows[i].code && k.mods == rows[i].mods);
		key_name(k, name);
		assert_string_equal(name, rows[i].name);
	}
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct key k;

		assert_row(bad[i], key_parse(bad[i], &k, NULL) < 0);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(sizes_are_clamped),
		cmocka_unit_test(ids_are_valid_and_differ),
		cmocka_unit_test(statuses_have_names),
		cmocka_unit_test(keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
