/* Characters of several code points: which join, how wide they are, and that tables that a program
 * filled on purpose serve the next one. */
#include "helper.h"

#include "sandesk/base/utf8.h"
#include "sandesk/base/width.h"
#include "term/screen.h"

/* Wanted: the clusters with '|' between them, each followed by its width. */
static const struct {
	const char *name, *in, *want;
} cases[] = {
	{ "letters", "ab", "a1|b1" },
	{ "family", "\U0001f468\u200d\U0001f469\u200d\U0001f467x",
		"\U0001f468\u200d\U0001f469\u200d\U0001f4672|x1" },
	{ "flag with ZWJ", "\U0001f3f3\ufe0f\u200d\U0001f308",
		"\U0001f3f3\ufe0f\u200d\U0001f3082" },
	{ "astronaut with a skin tone", "\U0001f9d1\U0001f3ff\u200d\U0001f680",
		"\U0001f9d1\U0001f3ff\u200d\U0001f6802" },
	{ "ZWJ between letters joins nothing", "a\u200d\U0001f680", "a\u200d1|\U0001f6802" },
	{ "a digit is not pictographic", "1\u200d\U0001f680", "1\u200d1|\U0001f6802" },
	{ "VS16", "\u2764\ufe0f", "\u2764\ufe0f2" },
	{ "VS15 changes no width", "\U0001f600\ufe0e", "\U0001f600\ufe0e2" },
	{ "VS16 behind a letter", "a\ufe0f", "a\ufe0f1" },
	{ "keycap", "1\ufe0f\u20e3", "1\ufe0f\u20e32" },
	{ "keycap without VS16", "1\u20e3", "1\u20e31" },
	{ "two flags", "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7",
		"\U0001f1e9\U0001f1ea2|\U0001f1eb\U0001f1f72" },
	{ "flag of tags", "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007fx",
		"\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f2|x1" },
	{ "Hangul of three", "\u1112\u1161\u11ab\u1100\u1173\u11af",
		"\u1112\u1161\u11ab2|\u1100\u1173\u11af2" },
	{ "Hangul: initials", "\u1100\u1100\u1161", "\u1100\u1100\u11612" },
	{ "Hangul: initial and syllable", "\u1100\uac00", "\u1100\uac002" },
	{ "Hangul syllables", "\ud55c\uad6d", "\ud55c2|\uad6d2" },
	{ "Hangul: syllable and final", "\uac00\u11a8", "\uac00\u11a82" },
	{ "conjunct", "\u0915\u094d\u0937x", "\u0915\u094d\u09372|x1" },
	{ "conjunct of three", "\u0938\u094d\u0924\u094d\u0930",
		"\u0938\u094d\u0924\u094d\u09302" },
	{ "conjunct with ZWJ", "\u0915\u094d\u200d\u0937", "\u0915\u094d\u200d\u09372" },
	{ "no conjunct with ZWNJ", "\u0915\u094d\u200c\u0937", "\u0915\u094d\u200c1|\u09371" },
	{ "no conjunct without a linker", "\u0915\u0937", "\u09151|\u09371" },
	{ "no conjunct behind a letter", "a\u094d\u0937", "a\u094d1|\u09371" },
	{ "no conjunct in Tamil", "\u0b95\u0bcd\u0bb7", "\u0b95\u0bcd1|\u0bb71" },
	{ "Bengali conjunct", "\u0995\u09cd\u09b7", "\u0995\u09cd\u09b72" },
	{ "vowel sign", "\u0928\u093f", "\u0928\u093f2" },
	{ "Thai", "\u0e19\u0e49\u0e33", "\u0e19\u0e49\u0e332" },
	{ "zalgo", "Z\u0324\u0308\u0301", "Z\u0324\u0308\u03011" },
	{ "beyond a cluster's cap text goes on",
		"\u1100\u1100\u1100\u1100\u1100\u1100\u1100\u1100"
		"\u1100\u1100\u1100\u1100\u1100\u1100\u1100\u1100\u1101",
		"\u1100\u1100\u1100\u1100\u1100\u1100\u1100\u1100"
		"\u1100\u1100\u1100\u1100\u1100\u1100\u1100\u11002|\u11012" },
	{ "wide with a mark", "\u4e2d\u0301", "\u4e2d\u03012" },
	{ "an escape sequence that colours does not part", "e\033[31m\u0301", "e\u03011" },
	{ "a move does", "e\033[2G\u0301", "e1" },
};

static void
feed_text(struct term *t, const char *text)
{
	term_feed(t, text, strlen(text));
}

static char *
clusters(struct term *t, unsigned row)
{
	AUTO(buf) struct buf b = { 0 };
	unsigned used;
	const struct cell *c = term_row(t, row, &used);

	buf_add_str(&b, "");
	for (unsigned i = 0; i < used; i++) {
		char text[TERM_CLUSTER_BYTES];

		if (c[i].attr & ATTR_SPACER)
			continue;
		if (b.len)
			buf_add_char(&b, '|');
		buf_add(&b, text, term_cluster(t, c[i].ch, text, sizeof text));
		buf_add_char(&b, c[i].attr & ATTR_WIDE ? '2' : '1');
	}
	return buf_take(&b);
}

static void
test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t len = strlen(cases[i].in);

		for (size_t chunk = len; chunk; chunk--) {
			struct term *t = term_make(2, 40);
			AUTO(mem) char *got = NULL;

			for (size_t at = 0; at < len; at += chunk)
				term_feed(t, cases[i].in + at, len - at < chunk ? len - at : chunk);
			got = clusters(t, 0);
			if (strcmp(got, cases[i].want) != 0)
				fail_msg("%s, by %zu bytes: got \"%s\"", cases[i].name, chunk, got);
			if (term_fault(t))
				fail_msg("%s: %s", cases[i].name, term_fault(t));
			term_free(t);
		}
	}
}

/* A line of Unicode's GraphemeBreakTest: code points in hexadecimal with U+00F7 (break) or U+00D7
 * between them. Returns false when it holds what is no text of a cell. */
static bool
read_line(const char *line, struct buf *in, struct buf *want)
{
	bool is_first = true, parts = true;

	while (*line && *line != '#') {
		char *end;
		char utf8[4];
		unsigned long cp;
		size_t n;

		if ((unsigned char)line[0] == 0xc3) {
			parts = (unsigned char)line[1] == 0xb7;
			line += 2;
			continue;
		}
		cp = strtoul(line, &end, 16);
		if (end == line) {
			line++;
			continue;
		}
		line = end;
		/* Controls and line ends are not text; nor do we prepend (width.h), nor show marks
		 * by themselves, nor part what has no width from what stands before it, nor put
		 * a skin tone on a letter. */
		if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x200b || cp == 0x2028 ||
			(cp >= 0x600 && cp <= 0x605) || cp == 0xad || cp == 0x110bd ||
			(cp == 0x1f3ff && !parts) ||
			(parts && !(width_class((uint32_t)cp) & WIDTH_CELLS)))
			return false;
		if (parts && !is_first)
			buf_add_char(want, '|');
		is_first = false;
		n = utf8_encode((uint32_t)cp, utf8);
		buf_add(in, utf8, n);
		buf_add(want, utf8, n);
	}
	return in->len > 0;
}

static void
test_unicode(void **state)
{
	FILE *f = fopen("/usr/share/unicode/auxiliary/GraphemeBreakTest.txt", "r");
	char line[1024];
	unsigned run = 0, wrong = 0;

	(void)state;
	if (!f) {
		print_message("skipped: Debian's unicode-data is not installed\n");
		skip();
	}
	while (fgets(line, sizeof line, f)) {
		AUTO(buf) struct buf in = { 0 }, want = { 0 }, plain = { 0 };
		AUTO(mem) char *got = NULL;
		struct term *t;

		if (!read_line(line, &in, &want))
			continue;
		t = term_make(2, 80);
		term_feed(t, in.data, in.len);
		got = clusters(t, 0);
		for (const char *s = got; *s; s++)
			if (!((*s == '1' || *s == '2') && (s[1] == '|' || !s[1])))
				buf_add_char(&plain, *s);
		run++;
		if (strcmp(plain.data, want.data) != 0) {
			print_error("%sgot %s\n", line, plain.data);
			wrong++;
		}
		term_free(t);
	}
	fclose(f);
	print_message("lines of GraphemeBreakTest: %u\n", run);
	assert_true(run > 50);
	assert_int_equal(wrong, 0);
}

/* Fills the tables of clusters, styles and links, as one program may. */
static void
fill(struct term *t, unsigned seed)
{
	AUTO(buf) struct buf b = { 0 };

	for (unsigned i = 0; i < CLUSTER_MAX + 100; i++) {
		char utf8[4];

		buf_add_str(&b, "\r");
		buf_add(&b, utf8, utf8_encode(0x4e00 + (i + seed) % 20000, utf8));
		buf_add(&b, utf8, utf8_encode(0x300 + i / 20000 + seed % 16, utf8));
	}
	for (unsigned i = 0; i < EXT_MAX + 100; i++)
		buf_addf(&b, "\033]8;;http://%u/%u\a\033[58:2::%u:%u:1mx\r", seed, i, i >> 8,
			i & 255);
	buf_add_str(&b, "\033]8;;\a\033[m");
	term_feed(t, b.data, b.len);
}

static void
test_full_tables_recover(void **state)
{
	struct term *t = term_make(24, 80);
	unsigned used;
	const struct cell *c;
	char text[TERM_CLUSTER_BYTES];

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		fill(t, i * 7);
	assert_true(t->table.count <= CLUSTER_MAX && t->table.ext_count <= EXT_MAX &&
		    t->table.link_count <= LINK_MAX);
	feed_text(t, "\033[2;1H\033]8;;http://me/\aq\xcc\x8a\033]8;;\a");
	c = term_row(t, 1, &used);
	assert_int_equal(term_cluster(t, c[0].ch, text, sizeof text), 3);
	assert_string_equal(term_link(t, term_ext(t, c[0].ext).link), "http://me/");
	assert_null(term_fault(t));
	term_free(t);
}

/* What is shown, and what is in history, is never taken away. */
static void
test_sweep_keeps_what_is_used(void **state)
{
	struct term *t = term_make(3, 20);
	AUTO(buf) struct buf text = { 0 };

	(void)state;
	feed_text(t, "old\xcc\x8a\033]8;;http://keep/\aL\033]8;;\a\r\n\r\n\r\n");
	feed_text(t, "new\xcc\x8a\r\n");
	for (unsigned i = 0; i < 3; i++)
		fill(t, i * 11);
	term_text(t, &text, TERM_TEXT_HISTORY);
	assert_non_null(strstr(text.data, "old\xcc\x8aL\n"));
	assert_non_null(strstr(text.data, "new\xcc\x8a\n"));
	term_free(t);
}

/* History that uses every place: the sweeps must not be run again for every miss. */
static void
test_sweeps_are_rationed(void **state)
{
	struct term *t = term_new(&(struct term_config){
		.size = { 4, 80 }, .history_bytes = 8 << 20, .history_lines = 100000 });
	AUTO(buf) struct buf b = { 0 };

	(void)state;
	for (unsigned i = 0; i < 3 * CLUSTER_MAX; i++) {
		char utf8[4];

		buf_add(&b, utf8, utf8_encode(0x4e00 + i % 20000, utf8));
		buf_add(&b, utf8, utf8_encode(0x300 + i / 20000, utf8));
		if (i % 16 == 0)
			buf_add_str(&b, "\r\n");
	}
	term_feed(t, b.data, b.len);
	assert_true(t->sweep_patience > 0);
	assert_null(term_fault(t));
	term_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_unicode),
		cmocka_unit_test(test_full_tables_recover),
		cmocka_unit_test(test_sweep_keeps_what_is_used),
		cmocka_unit_test(test_sweeps_are_rationed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
