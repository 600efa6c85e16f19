#include "helper.h"

#include "term/marks.h"
#include "term/screen.h"

#define P "\033]133;A\a$ \033]133;B\a"
#define C "\r\n\033]133;C\a"
#define D(n) "\033]133;D;" n "\a"

/* "command|status|output" of each command; '/' for line ends. */
static char *
list_of(struct term *t)
{
	AUTO(buf) struct buf out = { 0 };

	buf_add_str(&out, "");
	for (size_t i = 0; i < term_commands(t); i++) {
		const struct mark *m = term_command(t, i);

		buf_addf(&out, "%s%s|", i ? " " : "", m->text);
		if (m->state == MARK_DONE)
			buf_addf(&out, "%d|", m->status);
		else
			buf_add_str(&out, "runs|");
		if (term_command_output(t, m, &out, TERM_TEXT_JOIN) < 0)
			buf_add_str(&out, "gone");
	}
	for (size_t i = 0; i < out.len; i++)
		if (out.data[i] == '\n')
			out.data[i] = '/';
	return buf_take(&out);
}

static const struct {
	const char *name, *in, *want;
} cases[] = {
	{ "none", "$ ls\r\na b\r\n$ ", "" },
	{ "only a prompt", P "ls", "" },
	{ "runs", P "ls" C "a\r\n", "ls|runs|a/" },
	{ "done", P "ls" C "a\r\nb\r\n" D("0") P, "ls|0|a/b/" },
	{ "failed", P "false" C D("1") P, "false|1|" },
	{ "no status", P "x" C "\033]133;D\a" P, "x|-1|" },
	{ "two", P "a" C "1\r\n" D("0") P "b" C "2\r\n" D("3") P, "a|0|1/ b|3|2/" },
	{ "an empty line runs nothing", P "\r\n" D("0") P "\r\n" D("0") P "a" C D("0"), "a|0|" },
	{ "no line end", P "printf x" C "x" D("0") P, "printf x|0|x/" },
	{ "no prompt marks", "\033]133;C\aout\r\n\033]133;D;0\a", "|0|out/" },
	{ "end not marked", P "a" C "1\r\n" P "b" C "2\r\n", "a|-1|1/ b|runs|2/" },
	{ "blanks around", P "  a  " C D("0"), "a|0|" },
	{ "a long command over two rows", P "0123456789abcdefghij" C "x\r\n" D("0"),
		"0123456789abcdefghij|0|x/" },
	{ "output in history", P "a" C "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n" D("0") P,
		"a|0|1/2/3/4/5/6/" },
	{ "cleared: the output is gone", P "a" C "1\r\n" D("0") P "\033[2J\033[H" P, "a|0|gone" },
	{ "cleared history", P "a" C "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n" D("0") "\r\n\r\n\r\n\r\n\r\n"
		"\033[3J", "a|0|gone" },
	{ "the alternate screen is not looked at", P "vi" C "\033[?1049h" P "x" C D("5")
		"\033[?1049l" D("0"), "vi|0|" },
};

static void
test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct term *t = term_make(5, 16);
		AUTO(mem) char *got = NULL;

		term_feed(t, cases[i].in, strlen(cases[i].in));
		got = list_of(t);
		if (strcmp(got, cases[i].want) != 0)
			fail_msg("%s: got \"%s\"", cases[i].name, got);
		term_free(t);
	}
}

static void
test_time_and_place(void **state)
{
	const char *run = "\033]7;file://h/src/a%20b\a" P "make" C, *end = "ok\r\n" D("2");
	struct term *t = term_make(5, 16);
	const struct mark *m;

	(void)state;
	term_set_time(t, 1000);
	term_feed(t, run, strlen(run));
	term_set_time(t, 3500);
	term_feed(t, end, strlen(end));
	m = term_command(t, 0);
	assert_string_equal(m->cwd, "/src/a b");
	assert_int_equal(m->started_us, 1000);
	assert_int_equal(m->ended_us, 3500);
	assert_int_equal(m->prompt.line, 0);
	assert_int_equal(m->output.line, 1);
	assert_int_equal(m->end.line, 2);
	assert_null(term_command(t, 1));
	term_free(t);
}

/* However often the size changes, each command keeps its output. */
static void
test_resizes(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < 100; round++) {
		uint64_t seed = round + 100;
		struct term *t = term_make(2 + random_below(&seed, 9), 8 + random_below(&seed, 30));
		AUTO(buf) struct buf out = { 0 };
		AUTO(mem) char *before = NULL;

		for (unsigned i = random_below(&seed, 12) + 1; i; i--) {
			buf_addf(&out, "%sc%u%s", P, i, C);
			for (unsigned k = random_below(&seed, 5); k; k--)
				buf_addf(&out, "%.*s\r\n", (int)random_below(&seed, 40) + 1,
					"output that may be longer than the screen");
			buf_addf(&out, "\033]133;D;%u\a", i);
		}
		buf_add_str(&out, P);
		term_feed(t, out.data, out.len);
		before = list_of(t);
		for (unsigned i = 0; i < 10; i++) {
			AUTO(mem) char *after = NULL;

			term_resize(t, (struct size){ (uint16_t)(1 + random_below(&seed, 12)),
					       (uint16_t)(8 + random_below(&seed, 60)) });
			after = list_of(t);
			if (strcmp(before, after) != 0)
				fail_msg("round %u, change %u to %ux%u: was \"%s\", is \"%s\"",
					(unsigned)round, i, term_size(t).rows, term_size(t).cols,
					before, after);
		}
		term_free(t);
	}
}

static void
test_bounded(void **state)
{
	struct term *t = term_make(5, 16);
	const char *one = P "x" C "y\r\n" D("0");

	(void)state;
	for (unsigned i = 0; i < 3 * MARKS_MAX; i++)
		term_feed(t, one, strlen(one));
	assert_int_equal(term_commands(t), MARKS_MAX);
	assert_int_equal(term_command(t, 0)->number, 2 * MARKS_MAX + 1);
	assert_int_equal(term_command(t, MARKS_MAX - 1)->number, 3 * MARKS_MAX);
	term_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_time_and_place),
		cmocka_unit_test(test_resizes),
		cmocka_unit_test(test_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
