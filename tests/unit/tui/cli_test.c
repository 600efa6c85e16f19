/* What the command line prints: cleaned output of a sandbox, tables, questions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cli/ask.h"
#include "cli/listing.h"
#include "cli/out.h"
#include "cli/safe.h"
#include "cli/table.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/str.h"
#include "sandesk/commands.h"

#define FFFD "\xef\xbf\xbd"
#define SGR32 "1;2;3;4;5;6;7;8;9;1;2;3;4;5;6;7;8;9;1;2;3;4;5;6;7;8;9;1;2;3;4;5"

static const struct safe_row {
	const char *name;
	const char *in;
	const char *out;
} safe_rows[] = {
	{ "text", "plain text\n", "plain text\n" },
	{ "turned around", "a\u202eb\u2066c\u200f", "a\ufffdb\ufffdc\ufffd" },
	{ "line controls", "a\tb\r\nc\bd", "a\tb\r\nc\bd" },
	{ "other controls", "a\001b\007c\013d\016e\177f", "abcdef" },
	{ "colours", "\033[1;31mred\033[0m \033[m\033[38:2::1:2:3mx",
		"\033[1;31mred\033[0m \033[m\033[38:2::1:2:3mx" },
	{ "cursor movement", "a\033[2Jb\033[10;20Hc\033[Kd", "abcd" },
	{ "private sequences that end in m", "a\033[>4;1mb\033[?1mc", "abc" },
	{ "intermediate before m", "a\033[1 mb", "ab" },
	{ "modes", "\033[?1049h\033[?25l\033=x", "x" },
	{ "title", "\033]0;evil\007x\033]2;evil\033\\y", "xy" },
	{ "clipboard", "\033]52;c;ZXZpbA==\007x", "x" },
	{ "device control", "\033Pq#0;2;0\033\\x", "x" },
	{ "other strings", "\033Xa\033\\\033^b\033\\\033_c\033\\x", "x" },
	{ "string cut by CAN", "\033]0;evil\030x", "x" },
	{ "sequence in a string", "\033]0;a\033[31mx", "\033[31mx" },
	{ "sequence cut by CAN", "\033[31\030mx", "mx" },
	{ "sequence cut by ESC", "\033[3\033[31mx", "\033[31mx" },
	{ "C0 in a sequence", "\033[3\n1mx", "\n\033[31mx" },
	{ "charset", "\033(0x\033)By\033#8z", "xyz" },
	{ "reset and keypad", "a\033cb\033>c", "abc" },
	{ "UTF-8", "\xc3\xa4 \xe4\xb8\xad \xf0\x9f\x98\x80",
		"\xc3\xa4 \xe4\xb8\xad \xf0\x9f\x98\x80" },
	{ "bytes that are no UTF-8",
		"a\xff"
		"b\x80"
		"c",
		"a" FFFD "b" FFFD "c" },
	{ "overlong and surrogate", "\xc0\xaf|\xe0\x80\xaf|\xed\xa0\x80|",
		FFFD FFFD "|" FFFD "|" FFFD "|" },
	{ "cut character", "\xe4\xb8x", FFFD "x" },
	{ "cut character at the end", "x\xe4\xb8", "x" FFFD },
	{ "C1 as a byte",
		"a\x9b"
		"31mb",
		"a" FFFD "31mb" },
	{ "C1 as UTF-8: CSI",
		"a\xc2\x9b"
		"2Jb\xc2\x9b"
		"31mc",
		"abc" },
	{ "C1 as UTF-8: OSC and ST",
		"a\xc2\x9d"
		"0;evil\xc2\x9c"
		"b",
		"ab" },
	{ "C1 as UTF-8: NEL",
		"a\xc2\x85"
		"b",
		"ab" },
	{ "character in a sequence", "\033[3\xc3\xa4x", "x" },
	{ "character in a string", "\033]0;\xc3\xa4\007x", "x" },
	{ "colour of 63 bytes", "\033[" SGR32 "mx", "\033[" SGR32 "mx" },
	{ "colour that is too long", "\033[" SGR32 ";" SGR32 "mx", "x" },
	{ "sequence at the end", "x\033[31", "x" },
	{ "escape at the end", "x\033", "x" },
};

/* At every size of portions. */
static void
test_safe(void **state)
{
	const struct safe_row *row = *state;
	size_t len = strlen(row->in);

	for (size_t portion = 1; portion <= len; portion++) {
		AUTO(buf) struct buf out = { 0 };
		struct safe s = { 0 };

		for (size_t at = 0; at < len; at += portion)
			safe_feed(&s, row->in + at, len - at < portion ? len - at : portion, &out);
		safe_end(&s, &out);
		if (!str_equal(out.data ? out.data : "", row->out))
			fail_msg("portions of %zu: %s", portion, out.data ? out.data : "");
	}
}

static void
test_safe_nul(void **state)
{
	AUTO(buf) struct buf out = { 0 };
	struct safe s = { 0 };

	(void)state;
	safe_feed(&s, "a\0b", 3, &out);
	assert_string_equal(out.data, "ab");
}

/* Whatever comes, what goes out is text, line controls and colours. */
static void
test_safe_property(void **state)
{
	static const char alphabet[] = "\033[]m;31?\007\\P\x9b\xc2\xc3\xe4\xb8\xad\n\t\030 x";
	AUTO(buf) struct buf out = { 0 };
	struct safe s = { 0 }, again = { 0 };
	AUTO(buf) struct buf twice = { 0 };
	uint32_t seed = 1;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		seed = seed * 1664525 + 1013904223;
		safe_feed(&s, &alphabet[(seed >> 16) % (sizeof alphabet - 1)], 1, &out);
	}
	safe_end(&s, &out);
	safe_feed(&again, out.data, out.len, &twice);
	safe_end(&again, &twice);
	assert_int_equal(out.len, twice.len); /* clean already: nothing more is dropped */
	assert_memory_equal(out.data, twice.data, out.len);
	for (const char *p = out.data; (p = strchr(p, '\033')); p++) {
		size_t n = strspn(p + 2, "0123456789:;");

		assert_int_equal(p[1], '[');
		assert_int_equal(p[2 + n], 'm');
	}
}

/* ---- tables ---- */

static const struct age_row {
	const char *name;
	double seconds;
	const char *text;
} age_rows[] = {
	{ "now", 0, "0 s ago" },
	{ "seconds", 59.9, "59 s ago" },
	{ "a minute", 60, "1 min ago" },
	{ "minutes", 3599, "59 min ago" },
	{ "hours", 7200, "2 h ago" },
	{ "days", 86400 * 400.0, "400 d ago" },
	{ "the future", -5, "0 s ago" },
	{ "no number", __builtin_nan(""), "0 s ago" },
};

static void
test_age(void **state)
{
	const struct age_row *row = *state;
	AUTO(buf) struct buf text = { 0 };

	table_age(&text, 1e9 - row->seconds, 1e9);
	assert_string_equal(text.data, row->text);
}

static const struct listing_row {
	const char *name;
	enum command_id id;
	bool is_json;
	const char *result;
	const char *text;
} listing_rows[] = {
	{ "empty list", COMMAND_desktop_list, false, "[]", "" },
	{ "empty list as JSON", COMMAND_desktop_list, true, "[]", "[]\n" },
	{ "columns by what a terminal shows", COMMAND_desktop_list, false,
		"[{\"name\":\"a\",\"running\":2,\"sessions\":10,\"created\":999940,\"dir\":\"/x/"
		"\xe4\xb8\xad\"},"
		"{\"name\":\"longer\",\"running\":0,\"sessions\":1,\"created\":992800,\"dir\":\"/"
		"y\"}]",
		"DESKTOP  RUNNING  SESSIONS  CREATED    DIRECTORY\n"
		"a              2        10  1 min ago  /x/\xe4\xb8\xad\n"
		"longer         0         1  2 h ago    /y\n" },
	{ "hostile text", COMMAND_desktop_list, false,
		"[{\"name\":\"a\\u001b[2J\\n\",\"dir\":\"/\\u202e\\u009b\"}]",
		"DESKTOP       RUNNING  SESSIONS  CREATED  DIRECTORY\n"
		"a\\x1b[2J\\x0a        -         -  -        /\\u{202e}\\u{009b}\n" },
	{ "sessions", COMMAND_session_list, false,
		"[{\"name\":\"api\",\"desktop\":\"shop\",\"status\":\"working\",\"exit_status\":"
		"null,\"clients\":1,\"usage\":{\"cpu_seconds\":2.5,\"memory\":1572864},"
		"\"started\":999999,\"command\":[\"sh\",\"-c\",\"it's $x\",\"\"]},"
		"{\"name\":\"b\",\"desktop\":\"shop\",\"status\":\"failed\",\"exit_status\":7,"
		"\"clients\":0,"
		"\"started\":999000.5,\"command\":[\"make\",\"X=1\"]}]",
		"SESSION   STATUS   EXIT  CLIENTS  CPU  MEMORY  STARTED     COMMAND\n"
		"shop/api  working     -        1  2 s  1.5M    1 s ago     sh -c 'it'\\''s $x' ''\n"
		"shop/b    failed      7        0  -    -       16 min ago  make X=1\n" },
	{ "values of other types", COMMAND_session_list, false,
		"[{\"name\":1,\"desktop\":[],\"command\":\"x\",\"started\":\"y\"},7]",
		"SESSION  STATUS  EXIT  CLIENTS  CPU  MEMORY  STARTED  COMMAND\n"
		"/        -          -        -  -    -       y        x\n"
		"-        -          -        -  -    -       -        -\n" },
	{ "JSON is ASCII and two blanks deep", COMMAND_session_list, true,
		"[{\"title\":\"\xc3\xa4\\u0007\\u009b\",\"pid\":null}]",
		"[\n  {\n    \"title\": \"\\u00E4\\u0007\\u009B\",\n    \"pid\": null\n  }\n]\n" },
	{ "record without what is not there", COMMAND_daemon_status, false,
		"{\"pid\":12,\"version\":\"0.1.0\",\"uptime\":125.4,\"desktops\":2,\"log\":null}",
		"Pid          12\nVersion      0.1.0\nRunning for  2 min\nDesktops     2\n" },
	{ "size and target in a record", COMMAND_session_show, false,
		"{\"name\":\"api\",\"desktop\":\"shop\",\"rows\":24,\"cols\":80,\"env\":[\"A\","
		"\"B\"]}",
		"Session      shop/api\nEnvironment  A B\nSize         24x80\n" },
	{ "a new session is named for the next command", COMMAND_session_start, false,
		"{\"name\":\"sh\",\"desktop\":\"shop\"}", "shop/sh\n" },
	{ "a new Desktop", COMMAND_desktop_create, false,
		"{\"name\":\"shop\",\"dir\":\"/srv/shop\"}", "Desktop shop: /srv/shop\n" },
	{ "a screen", COMMAND_session_capture, false,
		"{\"text\":\"$ ls\\\\n\\n\xe4\xb8\xad \\u001b[31m\\n\"}",
		"$ ls\\n\n\xe4\xb8\xad \\x1b[31m\n" },
	{ "a screen without a last line end", COMMAND_session_capture, false, "{\"text\":\"x\"}",
		"x\n" },
	{ "silence", COMMAND_session_stop, false, "{}", "" },
};

static void
test_listing(void **state)
{
	const struct listing_row *row = *state;
	AUTO(buf) struct buf text = { 0 };
	json_t *result = json_loads(row->result, JSON_ALLOW_NUL, NULL);

	assert_non_null(result);
	listing_add(&text, command_at(row->id), result, row->is_json, 1000000);
	assert_string_equal(text.data ? text.data : "", row->text);
	json_decref(result);
}

static void
test_long_cell_is_cut(void **state)
{
	AUTO(buf) struct buf text = { 0 }, word = { 0 };
	json_t *result;

	(void)state;
	for (int i = 0; i < 500; i++)
		buf_add_str(&word, "\xe4\xb8\xad");
	result = json_pack("[{s:s, s:s}]", "name", "a", "dir", word.data);
	listing_add(&text, command_at(COMMAND_desktop_list), result, false, 0);
	json_decref(result);
	assert_true(text.len < 600);
	assert_string_equal(text.data + text.len - 4, "...\n");
}

static void
test_hint(void **state)
{
	json_t *empty = json_array(), *full = json_pack("[{}]"), *object = json_object();

	(void)state;
	assert_non_null(
		strstr(listing_hint(command_at(COMMAND_desktop_list), empty), "sandesk new"));
	assert_null(listing_hint(command_at(COMMAND_desktop_list), full));
	assert_null(listing_hint(command_at(COMMAND_desktop_show), object));
	json_decref(empty);
	json_decref(full);
	json_decref(object);
}

static const struct ask_row {
	const char *name;
	enum command_id id;
	const char *object;
	const char *text;
} ask_rows[] = {
	{ "Desktop with sessions", COMMAND_desktop_remove, "{\"name\":\"shop\",\"running\":2}",
		"Remove Desktop shop and stop its 2 sessions? [y/N] " },
	{ "Desktop with one session", COMMAND_desktop_remove, "{\"name\":\"shop\",\"running\":1}",
		"Remove Desktop shop and stop its 1 session? [y/N] " },
	{ "Desktop without", COMMAND_desktop_remove, "{\"name\":\"shop\",\"running\":0}",
		"Remove Desktop shop? [y/N] " },
	{ "kill", COMMAND_session_kill, "{\"name\":\"api\",\"desktop\":\"shop\"}",
		"Kill session shop/api? [y/N] " },
	{ "remove", COMMAND_session_remove, "{\"name\":\"api\",\"desktop\":\"shop\"}",
		"Stop session shop/api and forget it with its screen and scrollback? [y/N] " },
	{ "hostile name", COMMAND_session_kill, "{\"name\":\"a\\u001bc\",\"desktop\":\"s\"}",
		"Kill session s/a\\x1bc? [y/N] " },
};

static void
test_ask(void **state)
{
	const struct ask_row *row = *state;
	AUTO(buf) struct buf text = { 0 };
	json_t *object = json_loads(row->object, 0, NULL);

	ask_question(&text, command_at(row->id), object);
	assert_string_equal(text.data, row->text);
	json_decref(object);
}

/* No command that asks may fall through to the question that names it by its id. */
static void
test_all_that_ask_have_a_question(void **state)
{
	json_t *object = json_pack("{s:s, s:s}", "name", "n", "desktop", "d");

	(void)state;
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_at((enum command_id)i);
		AUTO(buf) struct buf text = { 0 };

		if (!(c->flags & COMMAND_ASKS))
			continue;
		ask_question(&text, c, object);
		assert_false(str_has_prefix(text.data, c->name));
	}
	json_decref(object);
}

static void
test_one_line(void **state)
{
	AUTO(buf) struct buf text = { 0 };

	(void)state;
	out_one_line(&text, "a: \"b\\x1b\": c\n\033[2J");
	assert_string_equal(text.data, "a: \"b\\x1b\": c\\x0a\\x1b[2J");
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
		cmocka_unit_test(test_safe_nul),
		cmocka_unit_test(test_safe_property),
		cmocka_unit_test(test_long_cell_is_cut),
		cmocka_unit_test(test_hint),
		cmocka_unit_test(test_all_that_ask_have_a_question),
		cmocka_unit_test(test_one_line),
	};
	struct CMUnitTest tests[ARRAY_LEN(safe_rows) + ARRAY_LEN(age_rows) +
				ARRAY_LEN(listing_rows) + ARRAY_LEN(ask_rows) + ARRAY_LEN(others)];
	size_t n = 0;

	ROWS(safe_rows, test_safe);
	ROWS(age_rows, test_age);
	ROWS(listing_rows, test_listing);
	ROWS(ask_rows, test_ask);
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		tests[n++] = others[i];
	return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}
