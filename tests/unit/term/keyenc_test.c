#include "helper.h"

#include "sandesk/base/err.h"
#include "term/keyenc.h"

static const struct {
	const char *name; /* as key_parse() reads it */
	const char *modes;
	const char *want;
} keys[] = {
	{ "a", "", "a" },
	{ "A", "", "A" },
	{ "M-a", "", "\033a" },
	{ "C-a", "", "\001" },
	{ "C-M-a", "", "\033\001" },
	{ "C-[", "", "\033" },
	{ "C-_", "", "\037" },
	{ "C-/", "", "\037" },
	{ "C-?", "", "\177" },
	{ "Enter", "", "\r" },
	{ "Enter", "\033[20h", "\r\n" },
	{ "M-Enter", "", "\033\r" },
	{ "Tab", "", "\t" },
	{ "S-Tab", "", "\033[Z" },
	{ "Backspace", "", "\177" },
	{ "C-Backspace", "", "\b" },
	{ "Escape", "", "\033" },
	{ "Space", "", " " },
	{ "Up", "", "\033[A" },
	{ "Up", "\033[?1h", "\033OA" },
	{ "C-Up", "\033[?1h", "\033[1;5A" },
	{ "S-Left", "", "\033[1;2D" },
	{ "M-Right", "", "\033[1;3C" },
	{ "Home", "", "\033[H" },
	{ "End", "\033[?1h", "\033OF" },
	{ "Insert", "", "\033[2~" },
	{ "Delete", "", "\033[3~" },
	{ "C-Delete", "", "\033[3;5~" },
	{ "PageUp", "", "\033[5~" },
	{ "PageDown", "", "\033[6~" },
	{ "F1", "", "\033OP" },
	{ "S-F1", "", "\033[1;2P" },
	{ "F5", "", "\033[15~" },
	{ "F12", "", "\033[24~" },
	{ "C-F12", "", "\033[24;5~" },
	{ "KPEnter", "", "\r" },
	{ "KPEnter", "\033=", "\033OM" },
	{ "\xc3\xa9", "", "\xc3\xa9" },
	{ "C-\xc3\xa9", "", "\xc3\xa9" },
	{ "Backspace", "\033[?67h", "\b" },
	{ "C-Backspace", "\033[?67h", "\177" },
	/* kitty, flag 1 */
	{ "a", "\033[>1u", "a" },
	{ "A", "\033[>1u", "A" },
	{ "C-a", "\033[>1u", "\033[97;5u" },
	{ "M-a", "\033[>1u", "\033[97;3u" },
	{ "M-A", "\033[>1u", "\033[97;4u" },
	{ "C-i", "\033[>1u", "\033[105;5u" },
	{ "Escape", "\033[>1u", "\033[27u" },
	{ "Enter", "\033[>1u", "\r" },
	{ "S-Enter", "\033[>1u", "\033[13;2u" },
	{ "C-Enter", "\033[>1u", "\033[13;5u" },
	{ "Tab", "\033[>1u", "\t" },
	{ "S-Tab", "\033[>1u", "\033[9;2u" },
	{ "Backspace", "\033[>1u", "\177" },
	{ "M-Backspace", "\033[>1u", "\033[127;3u" },
	{ "C-Space", "\033[>1u", "\033[32;5u" },
	{ "Up", "\033[?1h\033[>1u", "\033[A" },
	{ "C-Up", "\033[>1u", "\033[1;5A" },
	{ "F1", "\033[>1u", "\033[P" },
	{ "F3", "\033[>1u", "\033[13~" },
	{ "S-F3", "\033[>1u", "\033[13;2~" },
	{ "F5", "\033[>1u", "\033[15~" },
	{ "Delete", "\033[>1u", "\033[3~" },
	{ "KPEnter", "\033[>1u", "\033[57414u" },
	{ "D-a", "\033[>1u", "\033[97;9u" },
	/* all keys, alternates, text */
	{ "a", "\033[>8u", "\033[97u" },
	{ "A", "\033[>8u", "\033[97;2u" },
	{ "Enter", "\033[>8u", "\033[13u" },
	{ "Tab", "\033[>8u", "\033[9u" },
	{ "A", "\033[>12u", "\033[97:65;2u" },
	{ "a", "\033[>24u", "\033[97;;97u" },
	{ "A", "\033[>24u", "\033[97;2;65u" },
	{ "C-a", "\033[>24u", "\033[97;5u" },
	{ "Up", "\033[>31u", "\033[A" },
	/* flags that say nothing by themselves; taken away; of the other screen */
	{ "C-a", "\033[>4u", "\001" },
	{ "C-a", "\033[>1u\033[<u", "\001" },
	{ "C-a", "\033[>1u\033[?1049h", "\001" },
	{ "C-a", "\033[>1u\033[?1049h\033[?1049l", "\033[97;5u" },
	/* modifyOtherKeys */
	{ "C-a", "\033[>4;1m", "\001" },
	{ "M-a", "\033[>4;1m", "\033a" },
	{ "C-1", "\033[>4;1m", "\033[27;5;49~" },
	{ "S-Enter", "\033[>4;1m", "\033[27;2;13~" },
	{ "C-Tab", "\033[>4;1m", "\033[27;5;9~" },
	{ "S-Tab", "\033[>4;2m", "\033[Z" },
	{ "a", "\033[>4;2m", "a" },
	{ "A", "\033[>4;2m", "A" },
	{ "C-a", "\033[>4;2m", "\033[27;5;97~" },
	{ "M-a", "\033[>4;2m", "\033[27;3;97~" },
	{ "C-S-a", "\033[>4;2m", "\033[27;6;65~" },
	{ "C-Backspace", "\033[>4;2m", "\033[27;5;127~" },
	{ "S-Space", "\033[>4;2m", "\033[27;2;32~" },
	{ "Enter", "\033[>4;2m", "\r" },
	{ "C-Up", "\033[>4;2m", "\033[1;5A" },
	{ "C-a", "\033[>4;2m\033[>1u", "\033[97;5u" },
	{ "C-a", "\033[>4;2m\033[>4m", "\001" },
};

static struct term *
term_in(const char *modes)
{
	struct term *t = term_make(24, 80);

	term_feed(t, modes, strlen(modes));
	return t;
}

static void
test_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		struct term *t = term_in(keys[i].modes);
		AUTO(buf) struct buf out = { 0 };
		struct key k;
		struct err e = { 0 };

		if (key_parse(keys[i].name, &k, &e) < 0)
			fail_msg("%s: %s", keys[i].name, e.msg);
		term_encode_key(t, k, &out);
		if (!out.len || strcmp(out.data, keys[i].want) != 0)
			fail_msg("%s after \"%s\": got \"%s\"", keys[i].name,
				keys[i].modes + (*keys[i].modes != 0),
				out.len ? out.data + (out.data[0] == 27) : "");
		term_free(t);
	}
}

static void
test_control_space(void **state)
{
	struct term *t = term_in("");
	AUTO(buf) struct buf out = { 0 };

	(void)state;
	term_encode_key(t, (struct key){ .code = KEY_SPACE, .mods = MOD_CTRL }, &out);
	assert_int_equal(out.len, 1);
	assert_int_equal(out.data[0], 0);
	term_free(t);
}

/* What only a client that speaks the protocol itself can tell. */
static const struct {
	const char *name, *modes;
	struct key key;
	const char *want;
} events[] = {
	{ "release without a protocol", "", { .code = 'a', .event = KEY_RELEASE }, "" },
	{ "repeat without a protocol", "", { .code = 'a', .event = KEY_REPEAT }, "a" },
	{ "release not asked for", "\033[>1u", { .code = 'a', .event = KEY_RELEASE }, "" },
	{ "release", "\033[>3u", { .code = 'a', .event = KEY_RELEASE }, "\033[97;1:3u" },
	{ "press is text", "\033[>3u", { .code = 'a' }, "a" },
	{ "repeat of text", "\033[>3u", { .code = 'a', .event = KEY_REPEAT }, "a" },
	{ "repeat of an arrow", "\033[>3u", { .code = KEY_UP, .event = KEY_REPEAT },
		"\033[1;1:2A" },
	{ "release with Ctrl", "\033[>3u", { .code = 'a', .mods = MOD_CTRL, .event = KEY_RELEASE },
		"\033[97;5:3u" },
	{ "release of Enter is silent", "\033[>3u", { .code = KEY_ENTER, .event = KEY_RELEASE },
		"" },
	{ "release of Enter", "\033[>10u", { .code = KEY_ENTER, .event = KEY_RELEASE },
		"\033[13;1:3u" },
	{ "release has no text", "\033[>26u", { .code = 'a', .event = KEY_RELEASE },
		"\033[97;1:3u" },
	{ "another layout", "\033[>13u", { .code = 0x441, .mods = MOD_CTRL, .base = 'c' },
		"\033[1089::99;5u" },
	{ "shifted, another layout", "\033[>13u",
		{ .code = 0x421, .unshifted = 0x441, .base = 'c', .mods = MOD_CTRL },
		"\033[1089:1057:99;6u" },
	{ "shifted digit", "\033[>12u", { .code = '!', .unshifted = '1' }, "\033[49:33;2u" },
	{ "text of its own", "\033[>24u", { .code = 'a', .text = 0xe5 }, "\033[97;;229u" },
};

static void
test_events(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
		struct term *t = term_in(events[i].modes);
		AUTO(buf) struct buf out = { 0 };

		term_encode_key(t, events[i].key, &out);
		if (strcmp(out.len ? out.data : "", events[i].want) != 0)
			fail_msg("%s: got \"%s\"", events[i].name, out.len ? out.data + 1 : "");
		term_free(t);
	}
}

static const struct {
	const char *name;
	const char *modes;
	struct mouse mouse;
	const char *want;
} mice[] = {
	{ "no mode", "", { MOUSE_PRESS, 1, 0, 2, 3 }, "" },
	{ "X10 press", "\033[?9h", { MOUSE_PRESS, 1, MOD_CTRL, 2, 3 }, "\033[M $#" },
	{ "X10 has no release", "\033[?9h", { MOUSE_RELEASE, 1, 0, 2, 3 }, "" },
	{ "press", "\033[?1000h", { MOUSE_PRESS, 3, 0, 0, 0 }, "\033[M\"!!" },
	{ "release", "\033[?1000h", { MOUSE_RELEASE, 3, 0, 0, 0 }, "\033[M#!!" },
	{ "SGR press", "\033[?1000;1006h", { MOUSE_PRESS, 1, 0, 2, 3 }, "\033[<0;4;3M" },
	{ "SGR release", "\033[?1000;1006h", { MOUSE_RELEASE, 2, 0, 2, 3 }, "\033[<1;4;3m" },
	{ "modifiers", "\033[?1000;1006h", { MOUSE_PRESS, 1, MOD_SHIFT | MOD_ALT | MOD_CTRL, 0, 0 },
		"\033[<28;1;1M" },
	{ "wheel", "\033[?1000;1006h", { MOUSE_WHEEL_DOWN, 0, 0, 0, 0 }, "\033[<65;1;1M" },
	{ "drag not asked for", "\033[?1000;1006h", { MOUSE_DRAG, 1, 0, 0, 0 }, "" },
	{ "drag", "\033[?1002;1006h", { MOUSE_DRAG, 1, 0, 0, 0 }, "\033[<32;1;1M" },
	{ "move not asked for", "\033[?1002;1006h", { MOUSE_MOVE, 0, 0, 0, 0 }, "" },
	{ "move", "\033[?1003;1006h", { MOUSE_MOVE, 0, 0, 0, 0 }, "\033[<35;1;1M" },
	{ "outside", "\033[?1003;1006h", { MOUSE_PRESS, 1, 0, 24, 0 }, "" },
	{ "pixels", "\033[?1000;1016h", { MOUSE_PRESS, 1, 0, 2, 3 }, "\033[<0;29;41M" },
	{ "wheel on the alternate screen", "\033[?1049h", { MOUSE_WHEEL_UP, 0, 0, 2, 3 },
		"\033[A\033[A\033[A" },
	{ "wheel there, application keys", "\033[?1049h\033[?1h", { MOUSE_WHEEL_DOWN, 0, 0, 2, 3 },
		"\033OB\033OB\033OB" },
	{ "wheel there, not wanted", "\033[?1049h\033[?1007l", { MOUSE_WHEEL_UP, 0, 0, 2, 3 }, "" },
	{ "wheel on the main screen", "", { MOUSE_WHEEL_UP, 0, 0, 2, 3 }, "" },
	{ "mode off again", "\033[?1003h\033[?1003l", { MOUSE_PRESS, 1, 0, 0, 0 }, "" },
};

static void
test_mouse(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof mice / sizeof mice[0]; i++) {
		struct term *t = term_in(mice[i].modes);
		AUTO(buf) struct buf out = { 0 };

		term_encode_mouse(t, mice[i].mouse, &out);
		if (strcmp(out.len ? out.data : "", mice[i].want) != 0)
			fail_msg("%s: got \"%s\"", mice[i].name, out.len ? out.data + 1 : "");
		term_free(t);
	}
}

static const struct {
	const char *name, *modes, *in, *want;
} pastes[] = {
	{ "plain", "", "ls -l", "ls -l" },
	{ "newlines", "", "a\nb\r\nc\rd", "a\rb\rc\rd" },
	{ "tab stays", "", "a\tb", "a\tb" },
	{ "brackets", "\033[?2004h", "ls", "\033[200~ls\033[201~" },
	{ "cannot end its own brackets", "\033[?2004h", "a\033[201~rm\n",
		"\033[200~arm\r\033[201~" },
	{ "nor in pieces", "\033[?2004h", "a\033[20\033[201~1~b", "\033[200~a[201~b\033[201~" },
	{ "control bytes go", "", "a\003\004\032b\177c", "abc" },
	{ "C1 goes", "",
		"a\xc2\x9b"
		"b",
		"ab" },
	{ "text stays", "", "\xc3\xa9\xe4\xb8\xad", "\xc3\xa9\xe4\xb8\xad" },
	{ "bad bytes go", "", "a\xff\xc3", "a" },
};

static void
test_paste(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof pastes / sizeof pastes[0]; i++) {
		struct term *t = term_in(pastes[i].modes);
		AUTO(buf) struct buf out = { 0 };

		term_encode_paste(t, pastes[i].in, strlen(pastes[i].in), &out);
		if (strcmp(out.data, pastes[i].want) != 0)
			fail_msg("%s: got \"%s\"", pastes[i].name, out.data);
		term_free(t);
	}
}

static void
test_focus(void **state)
{
	struct term *t = term_in("");
	AUTO(buf) struct buf out = { 0 };

	(void)state;
	term_encode_focus(t, true, &out);
	assert_int_equal(out.len, 0);
	term_feed(t, "\033[?1004h", 8);
	term_encode_focus(t, true, &out);
	term_encode_focus(t, false, &out);
	assert_string_equal(out.data, "\033[I\033[O");
	term_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_control_space),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_mouse),
		cmocka_unit_test(test_paste),
		cmocka_unit_test(test_focus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
