/* What is made from the command table, and what is checked in of it. Run from the top of the tree.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sandesk/args.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/str.h"
#include "sandesk/help.h"

static void
read_file(const char *path, struct buf *to)
{
	char bytes[4096];
	size_t n;
	FILE *f = fopen(path, "r");

	if (!f)
		fail_msg("%s is missing; run: make man", path);
	while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
		buf_add(to, bytes, n);
	fclose(f);
}

static void
assert_is_file(const char *path, const struct buf *text)
{
	AUTO(buf) struct buf file = { 0 };

	read_file(path, &file);
	if (file.len != text->len || memcmp(file.data, text->data, text->len) != 0)
		fail_msg("%s is not what the command table says; run: make man", path);
}

static void
test_man_is_checked_in(void **state)
{
	AUTO(buf) struct buf text = { 0 };

	(void)state;
	help_man(&text);
	assert_is_file("man/sandesk.1", &text);
}

static void
test_completions_are_checked_in(void **state)
{
	static const struct {
		const char *shell, *path;
	} rows[] = { { "bash", "completions/sandesk.bash" }, { "zsh", "completions/_sandesk" },
		{ "fish", "completions/sandesk.fish" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		AUTO(buf) struct buf text = { 0 };

		assert_int_equal(help_completion(rows[i].shell, &text, NULL), 0);
		assert_is_file(rows[i].path, &text);
	}
}

static void
test_unknown_shell(void **state)
{
	AUTO(buf) struct buf text = { 0 };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(help_completion("tcsh\n", &text, &e), -EINVAL);
	assert_string_equal(e.msg,
		"--completion: \"tcsh\\x0a\" is no shell that is known; give bash, zsh or fish");
	assert_int_equal(text.len, 0);
}

/* Help, manual page and completions know every command, every short form and every option. */
static void
test_nothing_is_left_out(void **state)
{
	AUTO(buf) struct buf overview = { 0 }, man = { 0 }, bash = { 0 }, zsh = { 0 }, fish = { 0 };

	(void)state;
	help_overview(&overview);
	help_man(&man);
	help_completion("bash", &bash, NULL);
	help_completion("zsh", &zsh, NULL);
	help_completion("fish", &fish, NULL);
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_at((enum command_id)i);
		AUTO(buf) struct buf own = { 0 };
		struct arg_spec specs[ARGS_MAX];
		size_t n = command_args(c, specs);
		char text[600];

		help_command(c, &own);
		assert_non_null(strstr(overview.data, c->name));
		snprintf(text, sizeof text, "\\fB%s\\fR", c->name);
		assert_non_null(strstr(man.data, text));
		snprintf(text, sizeof text, "'%s'", c->name);
		assert_non_null(strstr(bash.data, text));
		assert_non_null(strstr(zsh.data, text));
		if (c->short_name[0]) {
			snprintf(text, sizeof text, "short: sandesk %s ", c->short_name);
			assert_non_null(strstr(own.data, text));
			snprintf(text, sizeof text, "'%s'|%s)", c->name, c->short_name);
			assert_non_null(strstr(bash.data, text));
			snprintf(text, sizeof text, "-a '%s'", c->short_name);
			assert_non_null(strstr(fish.data, text));
		}
		for (size_t k = 0; k < n; k++) {
			if (!help_argument(c, specs[k].name))
				fail_msg("%s: core/cmd/help.c has no note for %s", c->name,
					specs[k].name);
			if (!specs[k].is_option)
				continue;
			snprintf(text, sizeof text, "--%s", specs[k].name);
			assert_non_null(strstr(own.data, text));
			assert_non_null(strstr(bash.data, text));
			snprintf(text, sizeof text, "\"%s\" \"%s\"' -l %s ", c->name, c->short_name,
				specs[k].name);
			assert_non_null(strstr(fish.data, text));
		}
	}
}

static void
test_lines_fit(void **state)
{
	AUTO(buf) struct buf text = { 0 };

	(void)state;
	help_overview(&text);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		help_command(command_at((enum command_id)i), &text);
	for (const char *line = text.data; *line; line += strcspn(line, "\n") + 1) {
		if (strcspn(line, "\n") > 80)
			fail_msg("a line of help is longer than 80: %.100s", line);
		if (strcspn(line, "\n") && line[strcspn(line, "\n") - 1] == ' ')
			fail_msg("a line of help ends with a blank: %.100s", line);
	}
}

static const struct words_row {
	const char *name;
	const char *words[4];
	size_t n;
	const char *begins; /* of the text, or of the message */
	int code;
} words_rows[] = {
	{ "none", { NULL }, 0, "sandesk - Desktops", 0 },
	{ "two words", { "session", "start" }, 2, "usage: sandesk session start DESKTOP", 0 },
	{ "short form", { "run" }, 1, "usage: sandesk session start DESKTOP", 0 },
	{ "noun", { "daemon" }, 1, "usage: sandesk daemon COMMAND", 0 },
	{ "help itself", { "help" }, 1, "usage: sandesk help", 0 },
	{ "unknown", { "sesion" }, 1, "help: sesion: no such command; ", -EINVAL },
	{ "empty word", { "" }, 1, "help: (empty word): no such command; ", -EINVAL },
	{ "too many", { "session", "start", "now" }, 3, "help: a command has one word or two; ",
		-EINVAL },
	{ "an option", { "--help" }, 1, "usage: sandesk help", 0 },
};

static void
test_words(void **state)
{
	const struct words_row *row = *state;
	AUTO(buf) struct buf text = { 0 };
	struct err e = { 0 };

	assert_int_equal(help_words(row->words, row->n, &text, &e), row->code);
	if (!str_has_prefix(row->code ? e.msg : text.data, row->begins))
		fail_msg("begins with: %.80s", row->code ? e.msg : text.data);
}

int
main(void)
{
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(test_man_is_checked_in),
		cmocka_unit_test(test_completions_are_checked_in),
		cmocka_unit_test(test_unknown_shell),
		cmocka_unit_test(test_nothing_is_left_out),
		cmocka_unit_test(test_lines_fit),
	};
	struct CMUnitTest tests[ARRAY_LEN(others) + ARRAY_LEN(words_rows)];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		tests[n++] = others[i];
	for (size_t i = 0; i < ARRAY_LEN(words_rows); i++)
		tests[n++] = (struct CMUnitTest){ .name = words_rows[i].name,
			.test_func = test_words,
			.initial_state = (void *)&words_rows[i] };
	return cmocka_run_group_tests_name("help", tests, NULL, NULL);
}
