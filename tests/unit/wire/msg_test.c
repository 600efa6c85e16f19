#include "../../lib/check.h"

#include <errno.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/messages.h"

static void
numbers_keep_their_value(void **state)
{
	static const uint64_t values[] = { 0, 1, 0xff, 0x100, 0xffffffff, 0x100000000, UINT64_MAX };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		AUTO(buf) struct buf b = { 0 };
		struct msg in = { .type = MSG_attach, .attach = { .rows = values[i], .cols = 7 } },
			   out;

		assert_int_equal(msg_encode(&b, &in), 0);
		assert_int_equal(msg_decode(b.data, b.len, &out, NULL), b.len);
		assert_true(out.type == MSG_attach && out.attach.rows == values[i] &&
			    out.attach.cols == 7);
	}
}

static void
signed_numbers_keep_their_value(void **state)
{
	static const int64_t values[] = { 0, 1, -1, 1000, -1000, INT64_MAX, INT64_MIN };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		AUTO(buf) struct buf b = { 0 };
		struct msg in = { .type = MSG_scroll, .scroll.lines = values[i] }, out;

		msg_encode(&b, &in);
		assert_int_equal(msg_decode(b.data, b.len, &out, NULL), b.len);
		assert_true(out.scroll.lines == values[i]);
	}
}

static void
texts_and_lists_survive(void **state)
{
	AUTO(buf) struct buf argv = { 0 };
	AUTO(buf) struct buf b = { 0 };
	struct msg in = { .type = MSG_start,
		.start = { .session = "0123456789abcdef", .name = "" } },
		   out;
	AUTO(mem) char **words = NULL;

	(void)state;
	list_add(&argv, "echo");
	list_add(&argv, "");
	list_add(&argv, "two words");
	in.start.argv = span_of(&argv);
	assert_int_equal(msg_encode(&b, &in), 0);
	assert_int_equal(msg_decode(b.data, b.len, &out, NULL), b.len);
	assert_string_equal(out.start.session, "0123456789abcdef");
	assert_string_equal(out.start.name, "");
	assert_string_equal(out.start.dir, ""); /* left out reads as "" */
	assert_int_equal(list_count(out.start.argv), 3);
	words = list_to_argv(out.start.argv);
	assert_string_equal(words[1], "");
	assert_string_equal(words[2], "two words");
	assert_null(words[3]);
}

static void
a_cut_frame_waits_for_the_rest(void **state)
{
	AUTO(buf) struct buf b = { 0 };
	struct msg in = { .type = MSG_text, .text = { .request = 3, .bytes = { "abc", 3 } } }, out;

	(void)state;
	msg_encode(&b, &in);
	for (size_t n = 0; n < b.len; n++)
		assert_int_equal(msg_decode(b.data, n, &out, NULL), 0);
}

static void
unknown_fields_and_types_are_skipped(void **state)
{
	/* type 1 (hello): tag 99 with two bytes, then tag 1 = 5 */
	static const uint8_t newer[] = { 13, 0, 0, 0, 1, 0, 0, 0, 99, 2, 0, 0, 0, 7, 7, 1, 1, 0, 0,
		0, 5 };
	static const uint8_t unknown[] = { 0, 0, 0, 0, 0xff, 0xff, 0, 0 };
	struct msg out;

	(void)state;
	assert_int_equal(msg_decode(newer, sizeof newer, &out, NULL), sizeof newer);
	assert_int_equal(out.hello.version, 5);
	assert_int_equal(msg_decode(unknown, sizeof unknown, &out, NULL), sizeof unknown);
	assert_int_equal(out.type, 0xffff);
}

static void
malformed_frames_are_refused(void **state)
{
	static const struct {
		const char *name;
		uint8_t bytes[24];
		size_t len;
	} rows[] = {
		{ "length over the limit", { 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0 }, 8 },
		{ "field header cut", { 3, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0 }, 11 },
		{ "field longer than frame", { 6, 0, 0, 0, 1, 0, 0, 0, 1, 9, 0, 0, 0, 1 }, 14 },
		{ "field length 4 GiB", { 6, 0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 1 },
			14 },
		{ "number of nine bytes",
			{ 14, 0, 0, 0, 1, 0, 0, 0, 1, 9, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }, 22 },
		{ "text without its end", { 6, 0, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0, 0, 'x' }, 14 },
		{ "text with two ends", { 7, 0, 0, 0, 1, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0 }, 15 },
		{ "list without its end", { 6, 0, 0, 0, 36, 0, 0, 0, 2, 1, 0, 0, 0, 'x' }, 14 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err e = { 0 };
		struct msg out;

		assert_row(
			rows[i].name, msg_decode(rows[i].bytes, rows[i].len, &out, &e) == -EPROTO);
		assert_row(rows[i].name, e.msg[0]);
	}
}

static void
what_does_not_fit_is_not_begun(void **state)
{
	AUTO(buf) struct buf b = { .limit = 64 };
	char big[100] = { 0 };
	struct msg small = { .type = MSG_ack, .ack.seq = 1 };
	struct msg large = { .type = MSG_paste, .paste.bytes = { big, sizeof big } };
	size_t before;

	(void)state;
	assert_int_equal(msg_encode(&b, &small), 0);
	before = b.len;
	assert_int_equal(msg_encode(&b, &large), -ENOBUFS);
	assert_int_equal(b.len, before);
	assert_int_equal(msg_encode(&b, &small), 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_keep_their_value),
		cmocka_unit_test(signed_numbers_keep_their_value),
		cmocka_unit_test(texts_and_lists_survive),
		cmocka_unit_test(a_cut_frame_waits_for_the_rest),
		cmocka_unit_test(unknown_fields_and_types_are_skipped),
		cmocka_unit_test(malformed_frames_are_refused),
		cmocka_unit_test(what_does_not_fit_is_not_begun),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
