/* What facts make of a session's status: events in order, and the verdict. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "keeper/status.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/str.h"

#define REPORT(state, text) "\033]7501;state=" state ":msg=" text "\033\\"

static const struct {
	const char *name, *fed;
	bool is_typed;	   /* a person typed behind it */
	const char *later; /* fed then; NULL: nothing */
	enum status status;
	enum need need;
	const char *fact; /* that the reason begins with */
} rows[] = {
	{ "nothing known", "hello", false, NULL, STATUS_WORKING, NEED_NOTHING, "process" },
	{ "blocked", REPORT("blocked", "b2s="), false, NULL, STATUS_WAITING, NEED_ASKS,
		"report (OSC 7501): waits for an answer: ok" },
	{ "blocked stays when typed", REPORT("blocked", "b2s="), true, NULL, STATUS_WAITING,
		NEED_ASKS, "report" },
	{ "done", "\033]7501;state=done\033\\", false, NULL, STATUS_WAITING, NEED_DONE, "report" },
	{ "done and looked at", "\033]7501;state=done\033\\", true, NULL, STATUS_WAITING,
		NEED_NOTHING, "report" },
	{ "the most urgent of two",
		"\033]7501;state=blocked:kind=permission:id=a\033\\\033]7501;state=working:id=b\033\\",
		false, NULL, STATUS_WAITING, NEED_ASKS,
		"report (OSC 7501): asks for permission" },
	{ "a report replaces its own", "\033]7501;state=blocked\033\\\033]7501;state=working\033\\",
		false, NULL, STATUS_WORKING, NEED_NOTHING, "report" },
	{ "cleared with what is below",
		"\033]7501;state=blocked:id=a/b\033\\\033]7501;state=clear:id=a\033\\", false, NULL,
		STATUS_WORKING, NEED_NOTHING, "process" },
	{ "a prompt drops what worked", "\033]7501;state=working\033\\\033]133;A\033\\", false,
		NULL, STATUS_WAITING, NEED_NOTHING, "shell" },
	{ "a prompt keeps what is done", "\033]7501;state=done\033\\\033]133;A\033\\", false, NULL,
		STATUS_WAITING, NEED_DONE, "report" },
	{ "a command runs", "\033]133;A\033\\\033]133;C\033\\", false, NULL, STATUS_WORKING,
		NEED_NOTHING, "process: the shell's command runs" },
	{ "a report comes before the prompt", "\033]133;A\033\\" REPORT("working", "b2s="), false,
		NULL, STATUS_WORKING, NEED_NOTHING, "report" },
	{ "the command failed", "\033]133;C\033\\\033]133;D;3\033\\\033]133;A\033\\", false, NULL,
		STATUS_WAITING, NEED_NOTHING,
		"shell (OSC 133): the shell stands at its prompt: the last command: 3" },
	{ "progress", "\033]9;4;1;40\033\\", false, NULL, STATUS_WORKING, NEED_NOTHING,
		"progress (OSC 9;4): shows progress: 40%" },
	{ "progress at an error", "\033]9;4;2;40\033\\", false, NULL, STATUS_WAITING, NEED_ASKS,
		"progress" },
	{ "progress over", "\033]9;4;1;40\033\\\033]9;4;0\033\\", false, NULL, STATUS_WORKING,
		NEED_NOTHING, "process" },
	{ "a spinner in the title", "\033]2;\xe2\xa0\x8b work\033\\", false, NULL, STATUS_WORKING,
		NEED_NOTHING, "title" },
	{ "a title that asks", "\033]2;[ ! ] Action Required | x\033\\", false, NULL,
		STATUS_WAITING, NEED_ASKS, "title" },
	{ "the bell", "\a", false, NULL, STATUS_WAITING, NEED_ASKS, "bell" },
	{ "the bell, answered", "\a", true, NULL, STATUS_WORKING, NEED_NOTHING, "process" },
	{ "the bell after that", "\a", true, "\a", STATUS_WAITING, NEED_ASKS, "bell" },
	{ "progress before the bell", "\a\033]9;4;3\033\\", false, NULL, STATUS_WORKING,
		NEED_NOTHING, "progress" },
};

static void
feed(struct status_facts *f, struct term *t, const char *bytes)
{
	struct term_event e;

	term_feed(t, bytes, strlen(bytes));
	while (term_next_event(t, &e))
		status_event(f, &e, 1);
}

static void
test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct term *t = term_new(&(struct term_config){ .size = { 4, 40 } });
		struct status_facts f;
		struct status_verdict v;

		status_init(&f);
		feed(&f, t, rows[i].fed);
		if (rows[i].is_typed)
			status_typed(&f);
		if (rows[i].later)
			feed(&f, t, rows[i].later);
		status_decide(&f, &v);
		if (v.status != rows[i].status || v.need != rows[i].need ||
			!str_has_prefix(v.why, rows[i].fact))
			fail_msg("%s: %s, need %s, %s", rows[i].name, status_name(v.status),
				need_name(v.need), v.why);
		term_free(t);
	}
}

/* However it was told before, an end is an end; a long command's end is worth a look. */
static void
test_end_and_long(void **state)
{
	struct status_facts f;
	struct status_verdict v;

	(void)state;
	status_init(&f);
	status_event(&f, &(struct term_event){ .kind = TERM_EVENT_OUTPUT }, 1);
	status_event(&f, &(struct term_event){ .kind = TERM_EVENT_COMMAND_DONE },
		1 + STATUS_LONG_US);
	status_event(&f, &(struct term_event){ .kind = TERM_EVENT_PROMPT }, 2 + STATUS_LONG_US);
	status_decide(&f, &v);
	assert_int_equal(v.need, NEED_DONE);
	f.is_over = true;
	f.ended = STATUS_FAILED;
	status_decide(&f, &v);
	assert_int_equal(v.status, STATUS_FAILED);
	assert_int_equal(v.need, NEED_DONE);
}

/* More reports than there is room for: the oldest go, and the list explains itself. */
static void
test_many(void **state)
{
	AUTO(buf) struct buf list = { 0 };
	struct status_facts f;

	(void)state;
	status_init(&f);
	for (int i = 0; i < 100; i++) {
		struct term_event e = { .kind = TERM_EVENT_STATUS, .value = TERM_STATUS_WORKING };

		snprintf(e.id, sizeof e.id, "a%d", i);
		status_event(&f, &e, 1);
	}
	assert_int_equal(f.records_n, STATUS_RECORDS);
	assert_string_equal(f.records[0].id, "a99");
	status_explain(&f, &list);
	assert_non_null(strstr(list.data, "\"decides\":\"yes\""));
	assert_null(strstr(strstr(list.data, "\"decides\":\"yes\"") + 5, "\"decides\":\"yes\""));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_end_and_long),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
