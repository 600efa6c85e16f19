#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "sandesk/base/utf8.h"
#include "sandesk/base/width.h"

static const struct {
	const char *name;
	uint32_t cp;
	unsigned width;
	uint8_t has, lacks;
} widths[] = {
	{ "letter", 'a', 1, 0, WIDTH_EXTEND | WIDTH_EMOJI },
	{ "digit", '7', 1, WIDTH_EMOJI, WIDTH_PICTOGRAPHIC },
	{ "control", 0x07, 0, 0, WIDTH_EXTEND },
	{ "C1", 0x9b, 0, 0, WIDTH_EXTEND },
	{ "soft hyphen", 0xad, 1, 0, 0 },
	{ "ambiguous is narrow", 0xb1, 1, 0, 0 },
	{ "combining acute", 0x301, 0, WIDTH_EXTEND, 0 },
	{ "Hangul initial", 0x1100, 2, 0, 0 },
	{ "Hangul vowel", 0x1161, 0, WIDTH_EXTEND, 0 },
	{ "Hangul syllable", 0xac00, 2, 0, 0 },
	{ "zero width space", 0x200b, 0, 0, WIDTH_EXTEND },
	{ "ZWJ", 0x200d, 0, WIDTH_EXTEND, 0 },
	{ "right-to-left override", 0x202e, 0, 0, WIDTH_EXTEND },
	{ "heart", 0x2764, 1, WIDTH_EMOJI | WIDTH_PICTOGRAPHIC, 0 },
	{ "CJK", 0x4e2d, 2, 0, WIDTH_PICTOGRAPHIC },
	{ "fullwidth A", 0xff21, 2, 0, 0 },
	{ "VS16", 0xfe0f, 0, WIDTH_EXTEND, 0 },
	{ "regional indicator", 0x1f1e6, 1, WIDTH_REGIONAL, WIDTH_EXTEND },
	{ "grinning face", 0x1f600, 2, WIDTH_PICTOGRAPHIC, 0 },
	{ "skin tone", 0x1f3fb, 2, WIDTH_MODIFIER, 0 },
	{ "extension B", 0x20000, 2, 0, 0 },
	{ "tag", 0xe0067, 0, WIDTH_EXTEND, 0 },
	{ "private use", 0xe000, 1, 0, 0 },
	{ "last code point", 0x10ffff, 1, 0, 0 },
	{ "no code point", 0x110000, 0, 0, 0xff },
	{ "far from one", 0xffffffff, 0, 0, 0xff },
};

static void
test_width(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
		uint8_t class = width_class(widths[i].cp);

		if (utf8_width(widths[i].cp) != widths[i].width ||
			(class & widths[i].has) != widths[i].has || class & widths[i].lacks)
			fail_msg("%s: width %u, class %#x", widths[i].name,
				utf8_width(widths[i].cp), class);
	}
}

static const struct {
	const char *name;
	const char *text;
	size_t len;
	uint32_t cp;
} decodes[] = {
	{ "ASCII", "A", 1, 'A' },
	{ "two bytes", "\xc3\xa9", 2, 0xe9 },
	{ "three bytes", "\xe4\xb8\xad", 3, 0x4e2d },
	{ "four bytes", "\xf0\x9f\x98\x80", 4, 0x1f600 },
	{ "empty", "", 0, 0 },
	{ "overlong slash", "\xc0\xaf", 0, 0 },
	{ "overlong three", "\xe0\x80\xaf", 0, 0 },
	{ "surrogate", "\xed\xa0\x80", 0, 0 },
	{ "too high", "\xf4\x90\x80\x80", 0, 0 },
	{ "continuation alone", "\x80", 0, 0 },
	{ "cut", "\xe4\xb8", 0, 0 },
	{ "broken inside",
		"\xe4"
		"A\xad",
		0, 0 },
};

static void
test_decode(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof decodes / sizeof decodes[0]; i++) {
		uint32_t cp = 0;
		size_t n = utf8_decode(decodes[i].text, strlen(decodes[i].text), &cp);

		if (n != decodes[i].len || cp != decodes[i].cp)
			fail_msg("%s: %zu bytes, %#x", decodes[i].name, n, cp);
	}
}

static void
test_round_trip(void **state)
{
	char text[4];
	uint32_t back;

	(void)state;
	for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
		size_t n = utf8_encode(cp, text);

		assert_int_equal(utf8_decode(text, n, &back), n);
		assert_int_equal(back, cp >= 0xd800 && cp <= 0xdfff ? 0xfffd : cp);
	}
}

static void
test_text_width(void **state)
{
	(void)state;
	assert_int_equal(utf8_text_width("a\xe4\xb8\xad\xcc\x81", 6), 3);
	assert_int_equal(utf8_text_width("\xff\xfe", 2), 2);
	assert_int_equal(utf8_text_width("", 0), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_decode),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_text_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
