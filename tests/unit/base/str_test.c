#include "../../lib/check.h"

#include <errno.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/str.h"

static void
whole_numbers(void **state)
{
	static const struct {
		const char *text;
		int result;
		int64_t value;
	} rows[] = {
		{ "0", 0, 0 },
		{ "42", 0, 42 },
		{ "-5", 0, -5 },
		{ "100", 0, 100 },
		{ "101", -ERANGE, 0 },
		{ "-6", -ERANGE, 0 },
		{ "99999999999999999999", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ "1x", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
		{ "1.5", -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int64_t n = 0;

		assert_row(rows[i].text, str_to_int(rows[i].text, -5, 100, &n) == rows[i].result);
		assert_row(rows[i].text, n == rows[i].value);
	}
}

static void
durations(void **state)
{
	static const struct {
		const char *text;
		int result;
		int64_t ms;
	} rows[] = {
		{ "5", 0, 5000 },
		{ "0.25", 0, 250 },
		{ "10ms", 0, 10 },
		{ "2m", 0, 120000 },
		{ "1h", 0, 3600000 },
		{ "3s", 0, 3000 },
		{ "0", 0, 0 },
		{ "", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "5x", -EINVAL, 0 },
		{ "nan", -EINVAL, 0 },
		{ "inf", -EINVAL, 0 },
		{ "1e400", -ERANGE, 0 },
		{ "9999999h", -ERANGE, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int64_t ms = 0;

		assert_row(rows[i].text, str_to_ms(rows[i].text, &ms) == rows[i].result);
		assert_row(rows[i].text, ms == rows[i].ms);
	}
}

static void
hostile_text_is_made_printable(void **state)
{
	static const struct {
		const char *text, *shown;
	} rows[] = {
		{ "plain", "plain" },
		{ "grüße 漢", "grüße 漢" },
		{ "\x1b]0;x\a", "\\x1b]0;x\\x07" },
		{ "a\nb", "a\\x0ab" },
		{ "\x7f", "\\x7f" },
		{ "\xc2\x9b", "\\u{009b}" },
		{ "\xff\xfe", "\\xff\\xfe" },
		{ "\xe2\x80\xae", "\\u{202e}" },
		{ "\\", "\\\\" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		AUTO(buf) struct buf b = { 0 };

		str_escape(&b, rows[i].text, strlen(rows[i].text));
		assert_string_equal(b.data ? b.data : "", rows[i].shown);
	}
}

static void
copies_say_when_they_cut(void **state)
{
	char small[4];

	(void)state;
	assert_true(str_copy(small, sizeof small, "abc"));
	assert_false(str_copy(small, sizeof small, "abcd"));
	assert_string_equal(small, "abc");
}

static void
errors_read_from_the_outside_in(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(err_errno(&e, -EACCES, "open %s", "ptmx"), -EACCES);
	assert_int_equal(err_wrap(&e, "start %s", "web/api"), -EACCES);
	assert_string_equal(e.msg, "start web/api: open ptmx: Permission denied");
	assert_int_equal(err_set(NULL, -EIO, "nobody reads this"), -EIO);
}

static void
a_buffer_keeps_its_cap(void **state)
{
	AUTO(buf) struct buf b = { .limit = 10 };

	(void)state;
	assert_int_equal(buf_add_str(&b, "12345678"), 0);
	assert_int_equal(buf_add_str(&b, "abc"), -ENOBUFS);
	assert_true(b.is_full);
	assert_string_equal(b.data, "12345678");
	buf_cut(&b, 6);
	assert_string_equal(b.data, "78");
	assert_int_equal(buf_addf(&b, "%d", 5), 0);
	assert_string_equal(b.data, "785");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers),
		cmocka_unit_test(durations),
		cmocka_unit_test(hostile_text_is_made_printable),
		cmocka_unit_test(copies_say_when_they_cut),
		cmocka_unit_test(errors_read_from_the_outside_in),
		cmocka_unit_test(a_buffer_keeps_its_cap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
