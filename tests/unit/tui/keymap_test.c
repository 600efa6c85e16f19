#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "input/keymap.h"
#include "sandesk/base/err.h"
#include "sandesk/base/str.h"

static const char *
command_of(const struct keymap *k, const char *key)
{
	const struct binding *b;
	struct key parsed;

	assert_int_equal(key_parse(key, &parsed, NULL), 0);
	b = keymap_find(k, parsed);
	return b ? b->command : NULL;
}

static const struct {
	const char *name, *text;
	const char *error; /* NULL: none */
	const char *key, *command, *prefix;
} rows[] = {
	{ "nothing", "", NULL, "c", "session new", "C-Space" },
	{ "prefix", "[keys]\nprefix = C-b\n", NULL, "C-b", "prefix", "C-b" },
	{ "old prefix is free", "[keys]\nprefix = C-b\n", NULL, "C-Space", NULL, "C-b" },
	{ "alt prefix", "[keys]\nprefix = M-a\n", NULL, "%", "pane split right", "M-a" },
	{ "function key as prefix", "[keys]\nprefix = F12\n", NULL, "F12", "prefix", "F12" },
	{ "letter as prefix", "[keys]\nprefix = b\n",
		"x.ini: line 2: prefix \"b\": would make that letter impossible to type; use one "
		"with C- or M-",
		"c", "session new", "C-Space" },
	{ "unknown key", "[keys]\nprefix = Hyper\n", "x.ini: line 2: key \"Hyper\"", "c",
		"session new", "C-Space" },
	{ "unknown setting, the rest applies", "[keys]\nprefx = C-a\nprefix = C-b\n",
		"x.ini: line 2: setting \"prefx\" of [keys]", "c", "session new", "C-b" },
	{ "bind", "[bind]\nF2 = session list\nc = run shop\n", NULL, "F2", "session list",
		"C-Space" },
	{ "bind over", "[bind]\nc = run shop -- top\n", NULL, "c", "run shop -- top", "C-Space" },
	{ "unbind", "[bind]\nK =\n", NULL, "K", NULL, "C-Space" },
	{ "no assignment", "[keys]\nnonsense\nprefix = C-b\n",
		"x.ini: line 2: is not `name = value`", "c", "session new", "C-b" },
	{ "another section", "[other]\nx = y\n", NULL, "c", "session new", "C-Space" },
};

static void
test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct keymap k;
		struct err e = { 0 };
		char prefix[KEY_NAME_BYTES];

		keymap_default(&k);
		keymap_load_text(&k, "x.ini", rows[i].text, &e);
		key_name(k.prefix, prefix);
		if (!str_equal(prefix, rows[i].prefix) ||
			!str_equal(command_of(&k, rows[i].key), rows[i].command) ||
			(rows[i].error ? !str_has_prefix(e.msg, rows[i].error) : e.code))
			fail_msg("%s: prefix %s, command %s, error %s", rows[i].name, prefix,
				command_of(&k, rows[i].key), e.msg);
	}
}

static void
test_missing_file_is_no_error(void **state)
{
	struct keymap k;
	struct err e = { 0 };

	(void)state;
	keymap_default(&k);
	assert_int_equal(keymap_load(&k, "/nonexistent/sandesk.ini", &e), 0);
	assert_int_equal(e.code, 0);
}

static void
test_defaults_do_not_collide(void **state)
{
	struct keymap k;

	(void)state;
	keymap_default(&k);
	for (size_t a = 0; a < k.n; a++) {
		assert_true(k.rows[a].key.code != 0);
		for (size_t b = 0; b < a; b++)
			assert_false(key_equal(k.rows[a].key, k.rows[b].key));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_missing_file_is_no_error),
		cmocka_unit_test(test_defaults_do_not_collide),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
