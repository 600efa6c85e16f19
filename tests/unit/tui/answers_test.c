/* A terminal's answers, as bytes through the decoder: what is found out, and that keys of the newer
 * protocols come out as keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "input/answers.h"
#include "input/decoder.h"
#include "sandesk/base/auto.h"

struct seen {
	struct answers answers;
	bool has_fence, has_background, is_dark;
	unsigned keys;
	struct key key;
};

static void
on_event(const struct event *e, void *arg)
{
	struct seen *s = arg;

	if (e->kind == EVENT_REPLY) {
		s->has_fence |= answers_take(&s->answers, &e->reply);
	} else if (e->kind == EVENT_STRING) {
		s->has_background |= answers_background(e->string.text, &s->is_dark);
	} else if (e->kind == EVENT_KEY) {
		s->keys++;
		s->key = e->key;
	}
}

static struct seen
feed(const char *bytes, size_t step)
{
	struct seen s = { 0 };
	struct decoder *d = decoder_new(on_event, &s);
	size_t len = strlen(bytes);

	decoder_expect_strings(d, true);
	for (size_t at = 0; at < len; at += step)
		decoder_feed(d, bytes + at, len - at < step ? len - at : step);
	decoder_free(d);
	return s;
}

static void
test_terminals(void **state)
{
	static const struct {
		const char *name, *bytes;
		enum out_keys keys;
		bool has_sync, has_background, is_dark;
	} rows[] = {
		{ "kitty",
			"\033[?2026;2$y\033[?0u\033[>1;4000;29c\033]11;rgb:1e1e/1e1e/1e1e\033\\"
			"\033[?62;c",
			OUT_KEYS_KITTY, true, true, true },
		{ "xterm", "\033[?2026;0$y\033[>41;380;0c\033]11;rgb:ffff/ffff/dddd\007\033[?64;1c",
			OUT_KEYS_OTHER, false, true, false },
		{ "tmux", "\033[>84;0;0c\033[?1;2c", OUT_KEYS_OTHER, false, false, false },
		{ "vte", "\033[?2026;2$y\033[>65;7003;1c\033]11;rgb:ff/ff/ff\033\\\033[?65;1c",
			OUT_KEYS_PLAIN, true, true, false },
		{ "says little", "\033[?6c", OUT_KEYS_PLAIN, false, false, false },
		{ "wrong colour", "\033]11;rgb:zz/00/00\033\\\033[?6c", OUT_KEYS_PLAIN, false,
			false, false },
		{ "half a colour", "\033]11;rgb:00/00\033\\\033[?6c", OUT_KEYS_PLAIN, false, false,
			false },
		{ "other colour", "\033]10;rgb:00/00/00\033\\\033[?6c", OUT_KEYS_PLAIN, false,
			false, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		for (size_t step = 1; step < 40; step += 3) {
			struct seen s = feed(rows[i].bytes, step);

			assert_true(s.has_fence);
			assert_int_equal(answers_keys(&s.answers), rows[i].keys);
			assert_int_equal(s.answers.has_sync, rows[i].has_sync);
			assert_int_equal(s.has_background, rows[i].has_background);
			if (s.has_background)
				assert_int_equal(s.is_dark, rows[i].is_dark);
			assert_int_equal(s.keys, 0);
		}
}

static void
test_keys(void **state)
{
	static const struct {
		const char *bytes;
		struct key key;
	} rows[] = {
		{ "\033[13;2u", { .code = KEY_ENTER, .mods = MOD_SHIFT } },
		{ "\033[27;2;13~", { .code = KEY_ENTER, .mods = MOD_SHIFT } },
		{ "\033[13;5u", { .code = KEY_ENTER, .mods = MOD_CTRL } },
		{ "\033[27;5;13~", { .code = KEY_ENTER, .mods = MOD_CTRL } },
		{ "\033[46;5u", { .code = '.', .mods = MOD_CTRL } },
		{ "\033[27;5;46~", { .code = '.', .mods = MOD_CTRL } },
		{ "\033[27u", { .code = KEY_ESCAPE } },
		{ "\033[32;5u", { .code = ' ', .mods = MOD_CTRL } },
		{ "\033[27;5;32~", { .code = ' ', .mods = MOD_CTRL } },
		{ "\033[27;5;97~", { .code = 'a', .mods = MOD_CTRL } },
		{ "\033[27;5;8~", { .code = KEY_BACKSPACE, .mods = MOD_CTRL } },
		{ "\033[127;5u", { .code = KEY_BACKSPACE, .mods = MOD_CTRL } },
		{ "\033[97;69u", { .code = 'a', .mods = MOD_CTRL } }, /* with CapsLock */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct seen s = feed(rows[i].bytes, 1);

		assert_int_equal(s.keys, 1);
		assert_int_equal(s.key.code, rows[i].key.code);
		assert_int_equal(s.key.mods, rows[i].key.mods);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_terminals),
		cmocka_unit_test(test_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
