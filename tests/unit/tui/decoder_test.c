#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "input/decoder.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/mem.h"

/* Every event as a word, joined by blanks. */
static void
record(const struct event *e, void *arg)
{
	static const char *const kinds[] = { "press", "release", "drag", "move", "wheelup",
		"wheeldown", "wheelleft", "wheelright" };
	struct buf *to = arg;
	char name[KEY_NAME_BYTES];

	if (to->len)
		buf_add_char(to, ' ');
	switch (e->kind) {
	case EVENT_KEY:
		key_name(e->key, name);
		buf_add_str(to, name);
		break;
	case EVENT_MOUSE:
		buf_addf(to, "%s%u@%u,%u/%u", kinds[e->mouse.kind], e->mouse.button, e->mouse.row,
			e->mouse.col, e->mouse.mods);
		break;
	case EVENT_PASTE:
		buf_addf(to, "paste(%.*s)", (int)e->paste.len, e->paste.data);
		break;
	case EVENT_FOCUS:
		buf_add_str(to, e->has_focus ? "in" : "out");
		break;
	case EVENT_REPLY:
		buf_addf(to, "reply%c%c%c", e->reply.prefix ? e->reply.prefix : '-',
			e->reply.intermediate ? e->reply.intermediate : '-', e->reply.final);
		for (unsigned i = 0; i < e->reply.n; i++)
			buf_addf(to, ",%u", e->reply.params[i]);
		break;
	case EVENT_STRING:
		buf_addf(to, "string%c(%s)", e->string.introducer, e->string.text);
		break;
	}
}

static const struct {
	const char *name, *bytes, *events;
	bool strings;
} rows[] = {
	{ "letters", "aZ5", "a Z 5", false },
	{ "blank", " ", "Space", false },
	{ "enter, tab, backspace", "\r\t\x7f", "Enter Tab Backspace", false },
	{ "control letters", "\x01\x08\x0a\x1a", "C-a C-h C-j C-z", false },
	{ "control punctuation", "\x1c\x1d\x1e\x1f", "C-\\ C-] C-^ C-_", false },
	{ "utf-8", "\xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80", "\xc3\xa4 \xe4\xb8\xad \xf0\x9f\x98\x80",
		false },
	{ "utf-8 cut short",
		"\xe4\xb8"
		"a",
		"a", false },
	{ "utf-8 overlong",
		"\xc0\x80"
		"a",
		"a", false },
	{ "lone continuation",
		"\x80"
		"a",
		"a", false },
	{ "cursor keys", "\033[A\033[B\033[C\033[D", "Up Down Right Left", false },
	{ "application cursor keys", "\033OA\033OB\033OC\033OD\033OH\033OF",
		"Up Down Right Left Home End", false },
	{ "cursor keys with modifiers", "\033[1;5A\033[1;2B\033[1;3C\033[1;8D",
		"C-Up S-Down M-Right C-M-S-Left", false },
	{ "editing keys", "\033[1~\033[2~\033[3~\033[4~\033[5~\033[6~",
		"Home Insert Delete End PageUp PageDown", false },
	{ "editing keys with modifiers", "\033[3;5~\033[5;2~", "C-Delete S-PageUp", false },
	{ "function keys, xterm", "\033OP\033OQ\033OR\033OS\033[15~\033[24~", "F1 F2 F3 F4 F5 F12",
		false },
	{ "function keys with modifiers", "\033[1;5P\033[1;2R\033[17;3~", "C-F1 S-F3 M-F6", false },
	{ "function keys, vt220", "\033[11~\033[14~", "F1 F4", false },
	{ "function keys, linux", "\033[[A\033[[E", "F1 F5", false },
	{ "keypad, vt100", "\033Op\033Oy\033OM\033Ok", "0 9 KPEnter +", false },
	{ "rxvt", "\033[3^\033[3$\033[3@\033[a\033Oa", "C-Delete S-Delete C-S-Delete S-Up C-Up",
		false },
	{ "back tab", "\033[Z", "S-Tab", false },
	{ "alt letters", "\033a\033Z\033\xc3\xa4", "M-a M-Z M-\xc3\xa4", false },
	{ "alt control", "\033\x01\033\r\033\x7f", "C-M-a M-Enter M-Backspace", false },
	{ "alt and a sequence", "\033\033[A", "M-Up", false },
	{ "alt brackets of strings", "\033]\033P", "M-] M-P", false },
	{ "kitty", "\033[97;5u\033[13;2u\033[27u\033[9;5u\033[127;3u",
		"C-a S-Enter Escape C-Tab M-Backspace", false },
	{ "kitty shifted", "\033[97:65;2u\033[49:33;2u", "A !", false },
	{ "kitty ctrl shift", "\033[97;6u", "C-S-a", false },
	{ "kitty release is no key", "\033[97;1:3u\033[1;1:3A\033[3;1:3~", "", false },
	{ "kitty keypad and lone modifier", "\033[57414u\033[57441u\033[57400u", "KPEnter 1",
		false },
	{ "modifyOtherKeys", "\033[27;5;105~\033[27;2;13~\033[27;6;65~", "C-i S-Enter C-S-a",
		false },
	{ "mouse", "\033[<0;5;3M\033[<0;5;3m\033[<2;1;1M",
		"press1@2,4/0 release1@2,4/0 press3@0,0/0", false },
	{ "mouse drag, move, modifiers", "\033[<32;2;2M\033[<35;2;2M\033[<20;1;1M",
		"drag1@1,1/0 move0@1,1/0 press1@0,0/5", false },
	{ "wheel", "\033[<64;1;1M\033[<65;1;1M\033[<66;1;1M",
		"wheelup0@0,0/0 wheeldown0@0,0/0 wheelleft0@0,0/0", false },
	{ "mouse far out", "\033[<0;300;200M", "press1@199,299/0", false },
	{ "mouse at 0 is no place", "\033[<0;0;1M", "", false },
	{ "extra mouse buttons are dropped", "\033[<128;1;1M", "", false },
	{ "mouse, X10", "\033[M !!\033[M#!!", "press1@0,0/0 release0@0,0/0", false },
	{ "focus", "\033[I\033[O", "in out", false },
	{ "paste", "a\033[200~x\033[A\ny\033[201~b", "a paste(x\033[A\ny) b", false },
	{ "paste with half an end", "\033[200~x\033[20\033[201\033\033[201~",
		"paste(x\033[20\033[201\033)", false },
	{ "empty paste", "\033[200~\033[201~a", "a", false },
	{ "replies", "\033[?62;22c\033[?2026;2$y\033[5;10R\033[>1;2;3c",
		"reply?-c,62,22 reply?$y,2026,2 reply--R,5,10 reply>-c,1,2,3", false },
	{ "strings that are expected",
		"\033]11;rgb:0/0/0\033\\a\033P>|x\033\\b\033]2;t\x07"
		"c",
		"string](11;rgb:0/0/0) a stringP(>|x) b string](2;t) c", true },
	{ "string cut by a key", "\033]11;x\033[Aa", "Up a", true },
	{ "sequence cut by another", "\033[1;\033[Aa", "Up a", false },
	{ "sequence with a control byte",
		"\033[1\x01"
		"a",
		"a", false },
	{ "unknown sequences", "\033[99~\033[?1;2;3h\033[5n\033OZa", "reply?-h,1,2,3 a", false },
	{ "huge parameters", "\033[999999999999;99999999999A\033[4294967301~a", "Up a", false },
	{ "too many parameters", "\033[1;1;1;1;1;1;1;1;1;1;1;1A", "Up", false },
};

static void
decode(const char *bytes, size_t len, size_t chunk, bool strings, struct buf *to)
{
	struct decoder *d = decoder_new(record, to);

	decoder_expect_strings(d, strings);
	for (size_t at = 0; at < len; at += chunk) {
		size_t n = len - at < chunk ? len - at : chunk;
		void *copy = mem_dup(bytes + at, n); /* so that a read beyond it is seen */

		decoder_feed(d, copy, n);
		mem_free(copy);
	}
	decoder_free(d);
}

static void
test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t len = strlen(rows[i].bytes);

		for (size_t chunk = 1; chunk <= len; chunk++) {
			AUTO(buf) struct buf got = { 0 };

			decode(rows[i].bytes, len, chunk, rows[i].strings, &got);
			if (strcmp(got.len ? got.data : "", rows[i].events) != 0)
				fail_msg("%s, chunks of %zu: got [%s], wanted [%s]", rows[i].name,
					chunk, got.len ? got.data : "", rows[i].events);
		}
	}
}

static void
test_nul_is_control_space(void **state)
{
	AUTO(buf) struct buf got = { 0 };

	(void)state;
	decode("\0a", 2, 2, false, &got);
	assert_string_equal(got.data, "C-Space a");
}

static const struct {
	const char *name, *bytes;
	int waits;
	const char *events;
} pending[] = {
	{ "nothing", "a", 0, "a" },
	{ "one ESC", "\033", DECODER_ESCAPE_MS, "Escape" },
	{ "two ESC", "\033\033", DECODER_ESCAPE_MS, "M-Escape" },
	{ "three ESC", "\033\033\033", DECODER_ESCAPE_MS, "M-Escape M-Escape" },
	{ "ESC [", "\033[", DECODER_PASTE_MS, "M-[" },
	{ "ESC O", "\033O", DECODER_PASTE_MS, "M-O" },
	{ "a sequence that stops", "\033[1;", DECODER_PASTE_MS, "" },
	{ "a paste without an end", "\033[200~abc\033[20", DECODER_PASTE_MS, "paste(abc\033[20)" },
	{ "half a character", "\xe4\xb8", DECODER_PASTE_MS, "" },
};

static void
test_expire(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(pending); i++) {
		AUTO(buf) struct buf got = { 0 };
		struct decoder *d = decoder_new(record, &got);

		decoder_feed(d, pending[i].bytes, strlen(pending[i].bytes));
		assert_int_equal(decoder_waits(d), pending[i].waits);
		if (decoder_waits(d))
			decoder_expire(d);
		assert_int_equal(decoder_waits(d), 0);
		if (strcmp(got.len ? got.data : "", pending[i].events) != 0)
			fail_msg("%s: got [%s]", pending[i].name, got.len ? got.data : "");
		buf_reset(&got);
		decoder_feed(d, "z", 1);
		assert_string_equal(got.data, "z"); /* nothing is left behind */
		decoder_free(d);
	}
}

struct pasted {
	size_t len, events;
	bool is_cut;
};

static void
count_paste(const struct event *e, void *arg)
{
	struct pasted *p = arg;

	p->events++;
	p->len += e->kind == EVENT_PASTE ? e->paste.len : 0;
	p->is_cut |= e->kind == EVENT_PASTE && e->paste.is_cut;
}

static void
paste_of(size_t bytes, struct pasted *ret)
{
	struct decoder *d = decoder_new(count_paste, ret);
	char block[4096];

	memset(block, 'x', sizeof block);
	decoder_feed(d, "\033[200~", 6);
	for (size_t at = 0; at < bytes; at += sizeof block)
		decoder_feed(d, block, bytes - at < sizeof block ? bytes - at : sizeof block);
	decoder_feed(d, "\033[201~", 6);
	decoder_free(d);
}

static void
test_large_pastes(void **state)
{
	struct pasted fits = { 0 }, cut = { 0 };

	(void)state;
	paste_of(10 << 20, &fits);
	assert_int_equal(fits.len, 10 << 20);
	assert_int_equal(fits.events, 1);
	assert_false(fits.is_cut);
	paste_of(PASTE_BYTES + 1000, &cut);
	assert_int_equal(cut.len, PASTE_BYTES);
	assert_true(cut.is_cut);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_nul_is_control_space),
		cmocka_unit_test(test_expire),
		cmocka_unit_test(test_large_pastes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
