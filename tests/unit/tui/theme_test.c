#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <stdlib.h>
#include <errno.h>

#include <cmocka.h>

#include "draw/theme-check.h"
#include "draw/theme.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"

static const struct {
	const char *text;
	int code;
	struct style style;
} styles[] = {
	{ "default", 0, { 0 } },
	{ "red", 0, { 1 << 24 | 1, 0, 0 } },
	{ "bright-red blue", 0, { 1 << 24 | 9, 1 << 24 | 4, 0 } },
	{ "  200 \t #0a0B0c   bold,underline ", 0,
		{ 2 << 24 | 200, 0x30a0b0c,
			ATTR_BOLD | UNDERLINE_SINGLE << ATTR_UNDERLINE_SHIFT } },
	{ "default default reverse,dim,italic,strike,blink", 0,
		{ 0, 0, ATTR_REVERSE | ATTR_DIM | ATTR_ITALIC | ATTR_STRIKE | ATTR_BLINK } },
	{ "", -22, { 0 } },
	{ "256", -22, { 0 } },
	{ "-1", -22, { 0 } },
	{ "#12345", -22, { 0 } },
	{ "#1234567", -22, { 0 } },
	{ "#12345g", -22, { 0 } },
	{ "bright-", -22, { 0 } },
	{ "pink", -22, { 0 } },
	{ "red blue bold more", -22, { 0 } },
	{ "red blue shiny", -22, { 0 } },
	{ "red blue bold,", -22, { 0 } },
};

static void
test_styles(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(styles); i++) {
		struct style s = { 0 };
		struct err e = { 0 };
		int r = theme_parse_style(styles[i].text, &s, &e);

		if (r != styles[i].code || s.fg != styles[i].style.fg ||
			s.bg != styles[i].style.bg || s.attr != styles[i].style.attr)
			fail_msg("\"%s\": %d %x %x %x", styles[i].text, r, s.fg, s.bg, s.attr);
		assert_true(r == 0 || e.msg[0]);
	}
}

static void
test_errors_have_line_numbers_and_the_rest_applies(void **state)
{
	struct theme t;
	struct err e = { 0 };

	(void)state;
	theme_default(&t, true);
	assert_true(theme_load_text(&t, "x.theme",
			    "bar = red\nno-such = red\nborder = pink\ntext = blue\n", &e) < 0);
	assert_string_equal(e.msg, "theme x.theme: line 2: role \"no-such\": is not known");
	assert_int_equal(t.role[ROLE_BAR].fg, 1 << 24 | 1);
	assert_int_equal(t.role[ROLE_TEXT].fg, 1 << 24 | 4);
	assert_true(theme_load(&t, "/nonexistent/x.theme", &e) < 0);
	assert_non_null(strstr(e.msg, "No such file"));
}

static void
test_files(void **state)
{
	static const char *const files[] = { "themes/dark.theme", "themes/light.theme",
		"themes/mono.theme", "themes/contrast.theme",
		"themes/catppuccin.theme", "themes/gruvbox.theme" };
	struct theme t, built_in;
	struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		memset(&t, 0xff, sizeof t);
		if (theme_load(&t, files[i], &e) < 0)
			fail_msg("%s", e.msg);
		for (size_t r = 0; r < ROLE_COUNT; r++)
			if (t.role[r].fg == 0xffffffff)
				fail_msg("%s: role %zu is missing", files[i], r);
	}
	theme_load(&t, "themes/dark.theme", &e);
	theme_default(&built_in, true);
	assert_memory_equal(&t, &built_in, sizeof t);
	theme_load(&t, "themes/mono.theme", &e);
	theme_default(&built_in, false);
	assert_memory_equal(&t, &built_in, sizeof t);
}

static void
test_no_colours_and_few(void **state)
{
	struct theme t;

	(void)state;
	theme_default(&t, false);
	for (size_t r = 0; r < ROLE_COUNT; r++)
		assert_true(t.role[r].fg == 0 && t.role[r].bg == 0);
	theme_default(&t, true);
	theme_reduce(&t);
	for (size_t r = 0; r < ROLE_COUNT; r++)
		assert_true(colour_kind(t.role[r].bg) <= COLOUR_NAMED);
	assert_true(t.role[ROLE_BAR].attr & ATTR_REVERSE);
}

/* Our own themes are right; each kind of mistake is told with its line. */
static void
test_check(void **state)
{
	static const char *const good[] = { "themes/dark.theme", "themes/light.theme",
		"themes/mono.theme", "themes/contrast.theme", "themes/catppuccin.theme",
		"themes/gruvbox.theme" };
	static const char bad[] = "; a comment\ntxt = 7 0\nfield\nbar = #777777 #888888\n"
				  "bar = nope\nTEXT = #000000 #ffffff bold ; right\n";
	static const char *const said[] = { "line 2: txt: is no role", "line 3: is not `role",
		"line 4: bar: contrast is 1.", "line 5: bar: is given twice", "line 5: bar: colour",
		": dim: is missing" };
	AUTO(buf) struct buf text = { 0 };
	char path[] = "/tmp/sandesk-theme-XXXXXX";
	struct err e = { 0 };
	int fd = mkstemp(path);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		if (theme_check(good[i], &text, &e) != 0)
			fail_msg("%s", text.data);
	assert_int_equal(write(fd, bad, sizeof bad - 1), sizeof bad - 1);
	close(fd);
	assert_int_equal(theme_check(path, &text, &e), 5 + ROLE_COUNT - 2);
	unlink(path);
	for (size_t i = 0; i < ARRAY_LEN(said); i++)
		if (!strstr(text.data, said[i]))
			fail_msg("\"%s\" is not in: %s", said[i], text.data);
	assert_null(strstr(text.data, "line 6"));
	assert_int_equal(theme_check("/nonexistent/x.theme", &text, &e), -ENOENT);
}

/* Nothing is said by colour alone: every status has a sign of its own. */
static void
test_signs(void **state)
{
	(void)state;
	for (int a = 0; a < STATUS_COUNT; a++)
		for (int b = 0; b < a; b++)
			assert_int_not_equal(theme_status_sign((enum status)a),
				theme_status_sign((enum status)b));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_styles),
		cmocka_unit_test(test_errors_have_line_numbers_and_the_rest_applies),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_no_colours_and_few),
		cmocka_unit_test(test_signs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
