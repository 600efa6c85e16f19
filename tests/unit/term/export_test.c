#include "helper.h"

#include "term/export.h"

static char *
document(struct term *t, enum export_format format, uint64_t from, uint64_t stop)
{
	AUTO(buf) struct buf out = { 0 };

	assert_int_equal(term_export(t, format, from, stop, &out), 0);
	return buf_take(&out);
}

static const struct {
	const char *name;
	enum export_format format;
	const char *in;
	const char *has; /* this stands in it */
	const char *lacks;
} cases[] = {
	{ "text", EXPORT_TEXT, "\033[1mab\033[m c", "ab c\n", "\033" },
	{ "ansi: plain has no style", EXPORT_ANSI, "ab c", "ab c\n", "\033" },
	{ "ansi: bold", EXPORT_ANSI, "a\033[1mb\033[mc", "a\033[0;1mb\033[mc\n", NULL },
	{ "ansi: reset at the end of a row", EXPORT_ANSI, "\033[31mred", "\033[0;31mred\033[m\n", NULL },
	{ "ansi: colours", EXPORT_ANSI, "\033[93;48;5;17mx\033[38;2;1;2;3my",
		"\033[0;93;48;5;17mx\033[0;38;2;1;2;3;48;5;17my\033[m", NULL },
	{ "ansi: underlines", EXPORT_ANSI, "\033[4:3;58;5;9mx", "\033[0;4:3;58;5;9mx\033[m", NULL },
	{ "ansi: no links", EXPORT_ANSI, "\033]8;;http://x/\033\\l\033]8;;\033\\", "l\n", "http" },
	{ "ansi: blank rows at the end go", EXPORT_ANSI, "a\r\n\r\nb\r\n\r\n", "a\n\nb\n", "b\n\n" },
	{ "html: escaped", EXPORT_HTML, "<script>&\"'", "&lt;script&gt;&amp;&quot;&#39;", "<script" },
	{ "html: style", EXPORT_HTML, "\033[1;31mx",
		"<span class=\"b\" style=\"color:#cd0000;\">x</span>", NULL },
	{ "html: reverse", EXPORT_HTML, "\033[7;32mx", "background:#00cd00;", NULL },
	{ "html: title escaped", EXPORT_HTML, "\033]0;</title><script>x\a",
		"<title>&lt;/title&gt;&lt;script&gt;x</title>", "<script" },
	{ "html: link", EXPORT_HTML, "\033]8;;https://example.org/?a=1&b=\"2\"\033\\l",
		"href=\"https://example.org/?a=1&amp;b=&quot;2&quot;\">", NULL },
	{ "html: no script behind a link", EXPORT_HTML, "\033]8;;javascript:alert(1)\033\\l", ">",
		"javascript" },
	{ "html: nor data", EXPORT_HTML, "\033]8;;data:text/html,x\033\\l", ">", "data:" },
	{ "html: underline", EXPORT_HTML, "\033[4:3mx", "text-decoration:underline  wavy;", NULL },
	{ "svg: escaped", EXPORT_SVG, "</text><script>", "&lt;/text&gt;&lt;script&gt;", "<script" },
	{ "svg: size", EXPORT_SVG, "x", "viewBox=\"0 0 198 126\"", NULL },
	{ "svg: colour and place", EXPORT_SVG, "\033[2;3H\033[34mxy",
		"<text x=\"27\" y=\"41\" textLength=\"18\"", NULL },
	{ "svg: background", EXPORT_SVG, "\033[41m ", "fill=\"#cd0000\"/>", NULL },
	{ "svg: the cursor", EXPORT_SVG, "ab", "fill-opacity", NULL },
	{ "svg: a hidden cursor", EXPORT_SVG, "ab\033[?25l", "<svg", "fill-opacity" },
	{ "json: text and cursor", EXPORT_JSON, "ab",
		"{\"line\":0,\"wrapped\":false,\"runs\":[{\"col\":0,\"cells\":2,\"text\":\"ab\"}]}",
		NULL },
	{ "json: cursor", EXPORT_JSON, "ab", "\"cursor\":{\"line\":0,\"row\":0,\"col\":2,\"visible\":true}",
		NULL },
	{ "json: light screen", EXPORT_JSON, "\033[?5ha", "\"reverse\":true,", NULL },
	{ "json: bytes fed", EXPORT_JSON, "a\033[1mb", "\"bytes\":6,", NULL },
	{ "json: escaped", EXPORT_JSON, "a\"\\b", "\"text\":\"a\\\"\\\\b\"", NULL },
	{ "json: style", EXPORT_JSON, "\033[1;3;4;31;48;2;1;2;3mx",
		"\"text\":\"x\",\"fg\":1,\"bg\":\"#010203\",\"attributes\":[\"bold\",\"italic\","
		"\"underline\"]}",
		NULL },
	{ "json: wrapped", EXPORT_JSON, "0123456789abcdefghijk", "\"wrapped\":true", NULL },
	{ "json: wide", EXPORT_JSON, "\xe4\xb8\xad", "\"cells\":2,\"text\":\"\xe4\xb8\xad\"", NULL },
	{ "json: title", EXPORT_JSON, "\033]0;a\"b\a", "\"title\":\"a\\\"b\"", NULL },
	{ "json: link", EXPORT_JSON, "\033]8;;http://x/\"\033\\l", "\"link\":\"http://x/\\\"\"", NULL },
};

static void
test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct term *t = term_make(6, 20);
		AUTO(mem) char *got = NULL;

		term_feed(t, cases[i].in, strlen(cases[i].in));
		got = document(t, cases[i].format, 0, UINT64_MAX);
		if (!strstr(got, cases[i].has))
			fail_msg("%s: got \"%s\"", cases[i].name, got);
		if (cases[i].lacks && strstr(got, cases[i].lacks))
			fail_msg("%s: \"%s\" stands in \"%s\"", cases[i].name, cases[i].lacks, got);
		term_free(t);
	}
}

static void
test_ranges(void **state)
{
	static const struct {
		uint64_t from, stop;
		const char *want;
	} rows[] = { { 0, 2, "l0\nl1\n" }, { 3, 4, "l3\n" }, { 5, 9, "l5\nl6\nl7\n\n" },
		{ 8, 100, "\n" }, { 100, 200, "" }, { 4, 4, "" } };
	struct term *t = term_make(3, 10);

	(void)state;
	term_feed(t, "l0\r\nl1\r\nl2\r\nl3\r\nl4\r\nl5\r\nl6\r\nl7\r\n", 32);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		AUTO(mem) char *got = document(t, EXPORT_TEXT, rows[i].from, rows[i].stop);

		if (strcmp(got ? got : "", rows[i].want) != 0)
			fail_msg("[%u, %u): got \"%s\"", (unsigned)rows[i].from,
				(unsigned)rows[i].stop, got);
	}
	term_free(t);
}

/* A coloured blank is a blank that was printed, when it is read again. */
static void
trim(struct buf *b)
{
	while (b->len && b->data[b->len - 1] == '\n')
		b->len--;
	buf_add_char(b, 0);
}

/* What is printed with its styles and read again is the same screen. */
static void
test_ansi_reads_back(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 200; seed++) {
		uint64_t random = seed;
		struct term *t = term_make(6, 30), *other = term_make(6, 30);
		AUTO(buf) struct buf out = { 0 }, ours = { 0 }, theirs = { 0 };
		AUTO(mem) char *ansi = NULL;

		random_output(&random, 60, &out);
		term_feed(t, out.data, out.len);
		ansi = document(t, EXPORT_ANSI, term_next_line(t), UINT64_MAX);
		for (const char *at = ansi ? ansi : "", *end; *at; at = end + 1) {
			end = strchr(at, '\n');
			term_feed(other, at, (size_t)(end - at));
			term_feed(other, "\033[E", end[1] ? 3 : 0);
		}
		term_text(t, &ours, TERM_TEXT_SCREEN);
		term_text(other, &theirs, TERM_TEXT_SCREEN);
		trim(&ours);
		trim(&theirs);
		if (strcmp(ours.data, theirs.data) != 0)
			fail_msg("seed %u: \"%s\" and \"%s\"", (unsigned)seed, ours.data,
				theirs.data);
		term_free(t);
		term_free(other);
	}
}

/* Nothing that a program prints gets out as a control character or as a tag. */
static void
test_hostile(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 300; seed++) {
		uint64_t random = seed;
		struct term *t = term_make(6, 30);
		AUTO(buf) struct buf out = { 0 };

		random_output(&random, 60, &out);
		buf_add_str(&out, "<x>\"'&\033]8;;http://<x>\"'\033\\<y>");
		term_feed(t, out.data, out.len);
		for (unsigned f = EXPORT_TEXT; f < EXPORT_FORMAT_COUNT; f++) {
			AUTO(mem) char *got = document(t, (enum export_format)f, 0, UINT64_MAX);

			for (const unsigned char *c = (unsigned char *)got; c && *c; c++)
				if ((*c < ' ' && *c != '\n' && (*c != 033 || f != EXPORT_ANSI)) ||
					*c == 127)
					fail_msg("seed %u, format %u: a control character",
						(unsigned)seed, f);
			if ((f == EXPORT_HTML || f == EXPORT_SVG) &&
				(strstr(got, "<x") || strstr(got, "<y") || strstr(got, "\"'")))
				fail_msg("seed %u, format %u: not escaped", (unsigned)seed, f);
		}
		term_free(t);
	}
}

static void
test_limit(void **state)
{
	struct term *t = term_make(6, 30);

	(void)state;
	term_feed(t, "hello", 5);
	for (unsigned f = EXPORT_TEXT; f < EXPORT_FORMAT_COUNT; f++) {
		AUTO(buf) struct buf small = { .limit = 4 };

		assert_int_equal(term_export(t, (enum export_format)f, 0, UINT64_MAX, &small),
			-ENOBUFS);
	}
	assert_int_equal(term_export(t, EXPORT_FORMAT_COUNT, 0, 1, &(struct buf){ 0 }), -EINVAL);
	term_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_ansi_reads_back),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
