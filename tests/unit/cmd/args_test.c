/* Words, lines and JSON to checked commands. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sandesk/args.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

enum { WORDS_MAX = 16 };

static size_t
count(const char *const *words)
{
	size_t n = 0;

	while (n < WORDS_MAX && words[n])
		n++;
	return n;
}

/* ---- words that are right ---- */

static const struct good_row {
	const char *name;
	const char *words[WORDS_MAX];
	enum command_id id;
	const char *args; /* JSON with sorted keys */
} good_rows[] = {
	{ "no arguments", { "desktop", "list" }, COMMAND_desktop_list, "{}" },
	{ "short form", { "ls", "--json" }, COMMAND_desktop_list, "{\"json\": true}" },
	{ "one word", { "version" }, COMMAND_version, "{}" },
	{ "relative path", { "new", "shop", "--dir", "src/shop" }, COMMAND_desktop_create,
		"{\"dir\": \"/home/u/src/shop\", \"name\": \"shop\"}" },
	{ "the current directory", { "new", "shop", "--dir", "." }, COMMAND_desktop_create,
		"{\"dir\": \"/home/u\", \"name\": \"shop\"}" },
	{ "absolute path", { "new", "shop", "--dir=/srv/x" }, COMMAND_desktop_create,
		"{\"dir\": \"/srv/x\", \"name\": \"shop\"}" },
	{ "path with = in it", { "new", "shop", "--dir=/srv/a=b" }, COMMAND_desktop_create,
		"{\"dir\": \"/srv/a=b\", \"name\": \"shop\"}" },
	{ "options first", { "new", "--force", "shop" }, COMMAND_desktop_create,
		"{\"force\": true, \"name\": \"shop\"}" },
	{ "flag twice", { "new", "--force", "shop", "--force" }, COMMAND_desktop_create,
		"{\"force\": true, \"name\": \"shop\"}" },
	{ "target, then name", { "desktop", "rename", "shop", "store" }, COMMAND_desktop_rename,
		"{\"target\": \"shop\", \"to\": \"store\"}" },
	{ "optional target left out", { "session", "list" }, COMMAND_session_list, "{}" },
	{ "optional target", { "session", "list", "shop", "--all" }, COMMAND_session_list,
		"{\"all\": true, \"target\": \"shop\"}" },
	{ "everything of start",
		{ "run", "shop", "--name", "api", "--size", "024x0080", "--env", "A=1",
			"--env=B=x=y", "--", "ls", "-l", "--", "" },
		COMMAND_session_start,
		"{\"cmd\": [\"ls\", \"-l\", \"--\", \"\"], \"env\": [\"A=1\", \"B=x=y\"], "
		"\"name\": \"api\", \"size\": \"24x80\", "
		"\"target\": \"shop\"}" },
	{ "no command behind --", { "run", "shop", "--" }, COMMAND_session_start,
		"{\"target\": \"shop\"}" },
	{ "help of the command is the command's", { "exec", "shop", "--", "ls", "--help" },
		COMMAND_session_exec, "{\"cmd\": [\"ls\", \"--help\"], \"target\": \"shop\"}" },
	{ "environment of the caller", { "exec", "shop", "--env", "ARGS_TEST", "--", "x" },
		COMMAND_session_exec,
		"{\"cmd\": [\"x\"], \"env\": [\"ARGS_TEST=from caller\"], \"target\": \"shop\"}" },
	{ "empty value in the environment", { "exec", "shop", "--env", "A=", "--", "x" },
		COMMAND_session_exec,
		"{\"cmd\": [\"x\"], \"env\": [\"A=\"], \"target\": \"shop\"}" },
	{ "dash in an option's name", { "attach", "--read-only", "shop/sh" },
		COMMAND_session_attach, "{\"read_only\": true, \"target\": \"shop/sh\"}" },
	{ "seconds", { "session", "stop", "a/b", "--grace", "1.5" }, COMMAND_session_stop,
		"{\"grace\": 1500, \"target\": \"a/b\"}" },
	{ "milliseconds", { "session", "stop", "a/b", "--grace", "250ms" }, COMMAND_session_stop,
		"{\"grace\": 250, \"target\": \"a/b\"}" },
	{ "text with a blank", { "send", "a/b", "make test", "--enter" }, COMMAND_session_send,
		"{\"enter\": true, \"target\": \"a/b\", \"text\": \"make test\"}" },
	{ "text that begins with a dash", { "send", "a/b", "--", "--enter" }, COMMAND_session_send,
		"{\"target\": \"a/b\", \"text\": \"--enter\"}" },
	{ "a dash alone", { "send", "a/b", "-" }, COMMAND_session_send,
		"{\"target\": \"a/b\", \"text\": \"-\"}" },
	{ "empty text", { "send", "a/b", "" }, COMMAND_session_send,
		"{\"target\": \"a/b\", \"text\": \"\"}" },
	{ "value that begins with one dash", { "wait", "a/b", "--text", "-v" },
		COMMAND_session_wait, "{\"target\": \"a/b\", \"text\": \"-v\"}" },
	{ "value that looks like an option", { "wait", "a/b", "--text=--exit" },
		COMMAND_session_wait, "{\"target\": \"a/b\", \"text\": \"--exit\"}" },
	{ "wait for quiet", { "wait", "a/b", "--quiet", "2", "--timeout", "1m" },
		COMMAND_session_wait,
		"{\"quiet\": 2000, \"target\": \"a/b\", \"timeout\": 60000}" },
	{ "several keys", { "session", "keys", "a/b", "C-c", "Up", "x" }, COMMAND_session_keys,
		"{\"keys\": [\"C-c\", \"Up\", \"x\"], \"target\": \"a/b\"}" },
	{ "yes", { "kill", "a/b", "--yes" }, COMMAND_session_kill,
		"{\"target\": \"a/b\", \"yes\": true}" },
	{ "words of help", { "help", "session", "start" }, COMMAND_help,
		"{\"words\": [\"session\", \"start\"]}" },
	{ "--help alone", { "--help" }, COMMAND_help, "{}" },
	{ "-h alone", { "-h" }, COMMAND_help, "{}" },
	{ "--version", { "--version" }, COMMAND_version, "{}" },
	{ "help of a noun", { "session", "--help" }, COMMAND_help, "{\"words\": [\"session\"]}" },
	{ "smallest size", { "session", "resize", "a/b", "1x2" }, COMMAND_session_resize,
		"{\"size\": \"1x2\", \"target\": \"a/b\"}" },
};

static void
test_good(void **state)
{
	const struct good_row *row = *state;
	const struct command *c = NULL;
	json_t *args = NULL;
	struct err e = { 0 };
	char *text;
	int rc = args_parse(row->words, count(row->words), "/home/u", &c, &args, &e);

	if (rc < 0)
		print_error("%s\n", e.msg);
	assert_int_equal(rc, 0);
	assert_int_equal(c->id, row->id);
	assert_non_null(args);
	text = json_dumps(args, JSON_SORT_KEYS);
	assert_string_equal(text, row->args);
	free(text);
	assert_int_equal(args_check(c, args, &e),
		0); /* what words gave is right by the rules for JSON too */
	json_decref(args);
}

/* ---- words that are wrong ---- */

#define NAME64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static const struct bad_row {
	const char *name;
	const char *words[WORDS_MAX];
	const char *message;
} bad_rows[] = {
	{ "nothing", { NULL }, "command: is missing; \"sandesk help\" lists them all" },
	{ "unknown", { "frobnicate" },
		"frobnicate: no such command; \"sandesk help\" lists them all" },
	{ "empty word", { "" }, "(empty word): no such command; \"sandesk help\" lists them all" },
	{ "control bytes are shown", { "\033[2J" },
		"\\x1b[2J: no such command; \"sandesk help\" lists them all" },
	{ "a verb alone", { "restart", "shop/sh" },
		"restart: no such command; nearest: session restart" },
	{ "a verb of two", { "rename" },
		"rename: no such command; nearest: desktop rename, session rename" },
	{ "near a verb", { "restrat" }, "restrat: no such command; nearest: session restart" },
	{ "near short form", { "exce" }, "exce: no such command; nearest: exec" },
	{ "near noun", { "sesion", "start" }, "sesion: no such command; nearest: session start" },
	{ "near verb", { "session", "strat" },
		"session strat: no such command; nearest: session start" },
	{ "far verb", { "daemon", "destroy" },
		"daemon destroy: no such command; behind daemon stands one of start, stop, "
		"status" },
	{ "noun alone", { "daemon" },
		"daemon: a word is missing behind it; give one of start, stop, status" },
	{ "unknown option", { "ls", "--jsno" },
		"desktop list: --jsno: no such option; nearest: --json" },
	{ "far option", { "run", "shop", "--zzzzzz" },
		"session start: --zzzzzz: no such option; there are --name, --size, --dir, --env, --limit, --policy; "
		"write -- before text that "
		"begins with \"-\"" },
	{ "no options at all", { "version", "-x" },
		"version: -x: no such option; this command has none; write -- before text that "
		"begins with \"-\"" },
	{ "option's name is not a prefix", { "run", "shop", "--nam", "x" },
		"session start: --nam: no such option; nearest: --name" },
	{ "value missing at the end", { "run", "shop", "--name" },
		"session start: --name: its value is missing; give --name NAME" },
	{ "value missing before an option", { "run", "shop", "--name", "--size", "2x2" },
		"session start: --name: its value is missing; give --name NAME" },
	{ "flag with a value", { "ls", "--json=yes" },
		"desktop list: --json: takes no value; leave \"=...\" out" },
	{ "option twice", { "run", "shop", "--name", "a", "--name", "b" },
		"session start: --name: is given twice; give it once" },
	{ "one word too many", { "ls", "shop" },
		"desktop list: \"shop\" is one word too many; quote words that belong together" },
	{ "command without --", { "run", "shop", "top" },
		"session start: \"top\" is one word too many; a command and its arguments stand "
		"behind --" },
	{ "target missing", { "desktop", "show" },
		"desktop show: DESKTOP is missing; usage: sandesk desktop show DESKTOP [--json]" },
	{ "text missing", { "send", "a/b" },
		"session send: TEXT is missing; usage: sandesk session send DESKTOP/SESSION TEXT "
		"[--enter]" },
	{ "command missing", { "exec", "shop" },
		"session exec: CMD is missing; usage: sandesk session exec DESKTOP [--dir PATH] "
		"[--env NAME=VALUE]... [--limit TEXT]... [--policy TEXT]... -- CMD ..." },
	{ "empty command", { "exec", "shop", "--", "" },
		"session exec: CMD: is empty; name a command behind --" },
	{ "empty name", { "new", "" },
		"desktop create: Desktop name: is empty; give 1 to 64 of A-Z a-z 0-9 . _ -" },
	{ "name too long", { "desktop", "show", NAME64 "b" },
		"desktop show: Desktop name: \"" NAME64 "b...\" has 65 bytes; give at most 64" },
	{ "slash in a name", { "new", "a/b" },
		"desktop create: Desktop name: \"a/b\" has a character that is not allowed; use "
		"A-Z a-z 0-9 . _ -" },
	{ "dot first", { "new", ".a" },
		"desktop create: Desktop name: \".a\" starts with \".\"; begin with a letter, a "
		"digit or _" },
	{ "control byte in a name", { "run", "shop", "--name", "a\nb" },
		"session start: session name: \"a\\x0ab\" has a character that is not allowed; use "
		"A-Z a-z 0-9 . _ -" },
	{ "Desktop for a session", { "kill", "shop" },
		"session kill: DESKTOP/SESSION: \"shop\" does not name a session; give "
		"DESKTOP/SESSION, as in shop/api" },
	{ "two slashes", { "kill", "a/b/c" },
		"session kill: DESKTOP/SESSION: \"a/b/c\" does not name a session; give "
		"DESKTOP/SESSION, as in shop/api" },
	{ "no session behind the slash", { "kill", "a/" },
		"session kill: session name: is empty; give 1 to 64 of A-Z a-z 0-9 . _ -" },
	{ "session for a Desktop", { "run", "a/b" },
		"session start: DESKTOP: \"a/b\" names a session; give a Desktop, without \"/\"" },
	{ "size of one number", { "session", "resize", "a/b", "24" },
		"session resize: SIZE: \"24\" is no size; give ROWSxCOLS, from 1x2 to 2000x5000, "
		"as in 24x80" },
	{ "size too small", { "run", "shop", "--size", "1x1" },
		"session start: --size: \"1x1\" is no size; give ROWSxCOLS, from 1x2 to 2000x5000, "
		"as in 24x80" },
	{ "size too large", { "run", "shop", "--size", "2001x80" },
		"session start: --size: \"2001x80\" is no size; give ROWSxCOLS, from 1x2 to "
		"2000x5000, as in 24x80" },
	{ "size with a sign", { "run", "shop", "--size", "-24x80" },
		"session start: --size: \"-24x80\" is no size; give ROWSxCOLS, from 1x2 to "
		"2000x5000, as in 24x80" },
	{ "time without a number", { "session", "stop", "a/b", "--grace", "soon" },
		"session stop: --grace: \"soon\" is no time; give seconds, or a number with ms, s, "
		"m or h" },
	{ "time too long", { "session", "stop", "a/b", "--grace", "99999h" },
		"session stop: --grace: \"99999h\" is longer than a year; give less" },
	{ "variable's name", { "exec", "s", "--env", "1A=secret", "--", "x" },
		"session exec: --env: \"1A\" is no name of a variable; use A-Z a-z 0-9 _, as in "
		"NAME=VALUE" },
	{ "variable without a name", { "exec", "s", "--env", "=secret", "--", "x" },
		"session exec: --env: \"\" is no name of a variable; use A-Z a-z 0-9 _, as in "
		"NAME=VALUE" },
	{ "variable that is not set", { "exec", "s", "--env", "ARGS_TEST_UNSET", "--", "x" },
		"session exec: --env: \"ARGS_TEST_UNSET\" is not set in the environment; set it or "
		"give NAME=VALUE" },
	{ "value that is no UTF-8 is not shown", { "exec", "s", "--env", "A=\xff", "--", "x" },
		"session exec: --env: \"(value)\" is not valid UTF-8" },
	{ "text that is no UTF-8", { "send", "a/b", "x\xff" },
		"session send: TEXT: \"x\\xff\" is not valid UTF-8" },
	{ "empty path", { "new", "a", "--dir", "" },
		"desktop create: --dir: \"\" is empty; give a path" },
	{ "empty expression", { "wait", "a/b", "--text", "" },
		"session wait: --text: \"\" is met by every screen; give the text to wait for" },
	{ "wait for nothing", { "wait", "a/b" },
		"session wait: give exactly one of --text --exit --quiet" },
	{ "wait for two things", { "wait", "a/b", "--exit", "--text", "x" },
		"session wait: give exactly one of --text --exit --quiet" },
	{ "no keys", { "session", "keys", "a/b" },
		"session keys: KEYS is missing; give at least one" },
	{ "help of two kinds", { "help", "--man", "session" },
		"help: give at most one of WORDS --man --completion" },
};

static void
test_bad(void **state)
{
	const struct bad_row *row = *state;
	const struct command *c = NULL;
	json_t *args = NULL;
	struct err e = { 0 };

	assert_int_equal(
		args_parse(row->words, count(row->words), "/home/u", &c, &args, &e), -EINVAL);
	assert_string_equal(e.msg, row->message);
	assert_null(args);
	assert_int_equal(
		args_parse(row->words, count(row->words), "/home/u", &c, &args, NULL), -EINVAL);
}

static void
test_bad_key(void **state)
{
	const char *words[] = { "session", "keys", "a/b", "C-nonsense" };
	const struct command *c;
	json_t *args;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(args_parse(words, 4, "/", &c, &args, &e), -EINVAL);
	assert_true(str_has_prefix(e.msg, "session keys: KEYS: "));
	assert_non_null(strstr(e.msg, "C-nonsense"));
}

static void
test_help_gives_command(void **state)
{
	const char *words[] = { "run", "--nonsense", "--help" };
	const struct command *c = NULL;
	json_t *args = (json_t *)&c;

	(void)state;
	assert_int_equal(args_parse(words, 3, "/", &c, &args, NULL), 0);
	assert_int_equal(c->id, COMMAND_session_start);
	assert_null(args);
}

static void
test_no_cwd(void **state)
{
	const char *words[] = { "new", "shop", "--dir", "x" };
	const struct command *c;
	json_t *args;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(args_parse(words, 4, NULL, &c, &args, &e), -EINVAL);
	assert_string_equal(e.msg, "desktop create: --dir: \"x\" is relative and the current "
				   "directory is gone; give an "
				   "absolute path");
}

/* A message about a word of any length stays one short line. */
static void
test_long_words(void **state)
{
	AUTO(mem) char *word = mem_zero(100001, 1);
	const char *first[] = { word, word, word }, *option[] = { "ls", word },
		   *value[] = { "run", word };
	const struct command *c;
	json_t *args;
	struct err e = { 0 };

	(void)state;
	memset(word, 'x', 100000);
	assert_int_equal(args_parse(first, 3, "/", &c, &args, &e), -EINVAL);
	assert_int_equal(args_parse(value, 2, "/", &c, &args, &e), -EINVAL);
	word[0] = word[1] = '-';
	assert_int_equal(args_parse(option, 2, "/", &c, &args, &e), -EINVAL);
}

/* ---- JSON ---- */

static const struct json_row {
	const char *name;
	enum command_id id;
	const char *json;
	const char *message; /* NULL: right */
} json_rows[] = {
	{ "right", COMMAND_session_start,
		"{\"target\":\"shop\",\"cmd\":[\"ls\"],\"env\":[\"A=1\"],\"size\":\"24x80\"}",
		NULL },
	{ "unknown members are skipped", COMMAND_desktop_list, "{\"cwd\":7,\"locale\":{}}", NULL },
	{ "null and false are as left out", COMMAND_session_list, "{\"target\":null,\"all\":false}",
		NULL },
	{ "no object", COMMAND_desktop_list, "[]",
		"desktop list: its arguments are not an object; give them by name" },
	{ "target missing", COMMAND_desktop_show, "{}",
		"desktop show: DESKTOP is missing; usage: sandesk desktop show DESKTOP [--json]" },
	{ "target is a number", COMMAND_desktop_show, "{\"target\":1}",
		"desktop show: DESKTOP: is not a text; give a string" },
	{ "flag is a text", COMMAND_session_list, "{\"all\":\"yes\"}",
		"session list: --all: is neither true nor false" },
	{ "NUL byte", COMMAND_session_send, "{\"target\":\"a/b\",\"text\":\"x\\u0000y\"}",
		"session send: TEXT: has a NUL byte; leave it out" },
	{ "relative path", COMMAND_desktop_create, "{\"name\":\"a\",\"dir\":\"x\"}",
		"desktop create: --dir: \"x\" is not an absolute path" },
	{ "variable without a value", COMMAND_session_exec,
		"{\"target\":\"a\",\"cmd\":[\"x\"],\"env\":[\"HOME\"]}",
		"session exec: --env: \"HOME\" has no value; give NAME=VALUE" },
	{ "list is a text", COMMAND_session_exec, "{\"target\":\"a\",\"cmd\":\"x\"}",
		"session exec: CMD: is not a list; give an array of strings" },
	{ "empty list", COMMAND_session_exec, "{\"target\":\"a\",\"cmd\":[]}",
		"session exec: CMD: is empty; name a command" },
	{ "empty command", COMMAND_session_start, "{\"target\":\"a\",\"cmd\":[\"\"]}",
		"session start: CMD: its first text is empty; name a command" },
	{ "number in a list", COMMAND_session_exec, "{\"target\":\"a\",\"cmd\":[\"x\",1]}",
		"session exec: CMD: is not a text; give a string" },
	{ "negative time", COMMAND_session_stop, "{\"target\":\"a/b\",\"grace\":-1}",
		"session stop: --grace: is no time; give a whole number of milliseconds, at most a "
		"year" },
	{ "huge time", COMMAND_session_stop, "{\"target\":\"a/b\",\"grace\":9223372036854775807}",
		"session stop: --grace: is no time; give a whole number of milliseconds, at most a "
		"year" },
	{ "time as a text", COMMAND_session_stop, "{\"target\":\"a/b\",\"grace\":\"5\"}",
		"session stop: --grace: is no time; give a whole number of milliseconds, at most a "
		"year" },
	{ "two of one", COMMAND_session_wait, "{\"target\":\"a/b\",\"exit\":true,\"quiet\":5}",
		"session wait: give exactly one of --text --exit --quiet" },
};

static void
test_json(void **state)
{
	const struct json_row *row = *state;
	json_t *args = json_loads(row->json, JSON_ALLOW_NUL, NULL);
	struct err e = { 0 };

	assert_non_null(args);
	assert_int_equal(args_check(command_at(row->id), args, &e), row->message ? -EINVAL : 0);
	assert_string_equal(e.msg, row->message ? row->message : "");
	json_decref(args);
}

/* ---- lines ---- */

static const struct split_row {
	const char *name;
	const char *line;
	const char *words[WORDS_MAX]; /* {NULL}: none */
	const char *message;
} split_rows[] = {
	{ "empty", "", { NULL }, NULL },
	{ "blanks", " \t\n ", { NULL }, NULL },
	{ "words", " a  bc\td ", { "a", "bc", "d" }, NULL },
	{ "single quotes", "a 'b  \\c\"' d", { "a", "b  \\c\"", "d" }, NULL },
	{ "double quotes", "\"a 'b' \\\" \\\\ \\n\"", { "a 'b' \" \\ \\n" }, NULL },
	{ "empty quotes", "'' \"\" x", { "", "", "x" }, NULL },
	{ "quotes in a word", "a'b c'd\"e f\"", { "ab cde f" }, NULL },
	{ "backslash", "a\\ b \\' \\\\", { "a b", "'", "\\" }, NULL },
	{ "open single quote", "a 'bc", { NULL }, "quote: 'bc has no closing '; add it" },
	{ "open double quote", "\"bc", { NULL }, "quote: \"bc has no closing \"; add it" },
	{ "backslash at the end", "a\\", { NULL },
		"backslash: nothing follows it; write \\\\ for a backslash itself" },
	{ "as a key binding", "send shop/sh 'make test' --enter",
		{ "send", "shop/sh", "make test", "--enter" }, NULL },
};

static void
test_split(void **state)
{
	const struct split_row *row = *state;
	char **words = NULL;
	size_t n = 0;
	struct err e = { 0 };

	assert_int_equal(args_split(row->line, &words, &n, &e), row->message ? -EINVAL : 0);
	if (row->message) {
		assert_string_equal(e.msg, row->message);
		return;
	}
	assert_int_equal(n, count(row->words));
	for (size_t i = 0; i < n; i++)
		assert_string_equal(words[i], row->words[i]);
	assert_null(words[n]);
	mem_free(words);
}

static void
test_split_too_long(void **state)
{
	AUTO(mem) char *line = mem_zero((2 << 20) + 1, 1);
	char **words;
	size_t n;
	struct err e = { 0 };

	(void)state;
	memset(line, 'x', 2 << 20);
	assert_int_equal(args_split(line, &words, &n, &e), -EINVAL);
	assert_string_equal(e.msg, "line: has 2097152 bytes; give at most 1048576");
}

/* ---- the table ---- */

static void
test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_at((enum command_id)i);
		struct arg_spec specs[ARGS_MAX];
		char method[64];

		assert_int_equal(c->id, i);
		assert_true(command_args(c, specs) <= ARGS_MAX);
		command_method(c, method, sizeof method);
		assert_null(strchr(method, ' '));
		assert_ptr_equal(command_by_method(method), c);
		for (size_t k = 0; k < i; k++) {
			assert_string_not_equal(c->name, command_at((enum command_id)k)->name);
			if (c->short_name[0])
				assert_string_not_equal(
					c->short_name, command_at((enum command_id)k)->short_name);
		}
	}
	assert_null(command_by_method("desktop create"));
	assert_null(command_by_method("nonsense"));
}

static void
test_usage(void **state)
{
	static const struct {
		enum command_id id;
		const char *text;
	} rows[] = {
		{ COMMAND_session_start,
			"session start DESKTOP [--name NAME] [--size ROWSxCOLS] [--dir PATH] "
			"[--env NAME=VALUE]... [--limit TEXT]... [--policy TEXT]... [-- CMD ...]" },
		{ COMMAND_session_wait,
			"session wait DESKTOP/SESSION (--text REGEX | --exit | --quiet SECONDS) "
			"[--timeout SECONDS]" },
		{ COMMAND_session_keys, "session keys DESKTOP/SESSION KEYS..." },
		{ COMMAND_session_list, "session list [DESKTOP] [--all] [--json]" },
		{ COMMAND_desktop_remove, "desktop remove DESKTOP [--yes]" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		AUTO(buf) struct buf text = { 0 };

		args_usage(command_at(rows[i].id), &text);
		assert_string_equal(text.data, rows[i].text);
	}
}

#define ROWS(rows, test)                                                                           \
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)                                               \
		tests[n++] = (struct CMUnitTest)                                                   \
		{                                                                                  \
			.name = rows[i].name, .test_func = test, .initial_state = (void *)&rows[i] \
		}

int
main(void)
{
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(test_bad_key),
		cmocka_unit_test(test_help_gives_command),
		cmocka_unit_test(test_no_cwd),
		cmocka_unit_test(test_long_words),
		cmocka_unit_test(test_split_too_long),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_usage),
	};
	struct CMUnitTest tests[ARRAY_LEN(good_rows) + ARRAY_LEN(bad_rows) + ARRAY_LEN(json_rows) +
				ARRAY_LEN(split_rows) + ARRAY_LEN(others)];
	size_t n = 0;

	setenv("ARGS_TEST", "from caller", 1);
	unsetenv("ARGS_TEST_UNSET");
	ROWS(good_rows, test_good);
	ROWS(bad_rows, test_bad);
	ROWS(json_rows, test_json);
	ROWS(split_rows, test_split);
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		tests[n++] = others[i];
	return cmocka_run_group_tests_name("args", tests, NULL, NULL);
}
