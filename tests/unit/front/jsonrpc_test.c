#include "../../lib/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "front/jsonrpc.h"
#include "sandesk/base/auto.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

#define HEAD "{\"jsonrpc\":\"2.0\",\"id\":7,"

static const struct {
	const char *name, *text;
	int code;
	const char *says; /* part of the message; or the method when code is 0 */
} rows[] = {
	{ "whole", HEAD "\"method\":\"desktop.list\",\"params\":{}}", 0, "desktop.list" },
	{ "no params", HEAD "\"method\":\"desktop.list\"}", 0, "desktop.list" },
	{ "text as id", "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"m\"}", 0, "m" },
	{ "unknown members", HEAD "\"method\":\"m\",\"more\":[1,{}]}", 0, "m" },
	{ "brackets in text",
		HEAD "\"method\":\"m\",\"params\":{\"a\":\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
		     "\\\"[[\"}}",
		0, "m" },
	{ "empty", "", JSONRPC_PARSE, "not JSON" },
	{ "blank", " \n", JSONRPC_PARSE, "not JSON" },
	{ "cut off", HEAD "\"method\":\"m\"", JSONRPC_PARSE, "not JSON" },
	{ "two", HEAD "\"method\":\"m\"}{}", JSONRPC_PARSE, "not JSON" },
	{ "NaN", HEAD "\"method\":\"m\",\"params\":{\"a\":NaN}}", JSONRPC_PARSE, "not JSON" },
	{ "Infinity", HEAD "\"method\":\"m\",\"params\":{\"a\":1e999}}", JSONRPC_PARSE,
		"not JSON" },
	{ "huge integer", HEAD "\"method\":\"m\",\"params\":{\"a\":99999999999999999999}}",
		JSONRPC_PARSE, "not JSON" },
	{ "NUL in a text", HEAD "\"method\":\"a\\u0000b\"}", JSONRPC_PARSE, "not JSON" },
	{ "invalid UTF-8", HEAD "\"method\":\"\xff\"}", JSONRPC_PARSE, "not JSON" },
	{ "lone surrogate", HEAD "\"method\":\"\\ud800\"}", JSONRPC_PARSE, "not JSON" },
	{ "a name twice", HEAD "\"id\":8,\"method\":\"m\"}", JSONRPC_PARSE, "duplicate" },
	{ "just text", "\"x\"", JSONRPC_PARSE, "not JSON" },
	{ "batch", "[" HEAD "\"method\":\"m\"}]", JSONRPC_INVALID, "batches" },
	{ "empty batch", "[]", JSONRPC_INVALID, "batches" },
	{ "no version", "{\"id\":7,\"method\":\"m\"}", JSONRPC_INVALID, "2.0" },
	{ "other version", "{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"m\"}", JSONRPC_INVALID,
		"2.0" },
	{ "longer version", "{\"jsonrpc\":\"2.01\",\"id\":7,\"method\":\"m\"}", JSONRPC_INVALID,
		"2.0" },
	{ "version as number", "{\"jsonrpc\":2.0,\"id\":7,\"method\":\"m\"}", JSONRPC_INVALID,
		"2.0" },
	{ "no id", "{\"jsonrpc\":\"2.0\",\"method\":\"m\"}", JSONRPC_INVALID, "no id" },
	{ "null id", "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"m\"}", JSONRPC_INVALID,
		"no id" },
	{ "id as fraction", "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"m\"}", JSONRPC_INVALID,
		"no id" },
	{ "id as object", "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"m\"}", JSONRPC_INVALID,
		"no id" },
	{ "no method", HEAD "\"params\":{}}", JSONRPC_INVALID, "no method" },
	{ "method as number", HEAD "\"method\":5}", JSONRPC_INVALID, "no method" },
	{ "params as list", HEAD "\"method\":\"m\",\"params\":[1]}", JSONRPC_INVALID, "by name" },
	{ "params as text", HEAD "\"method\":\"m\",\"params\":\"x\"}", JSONRPC_INVALID, "by name" },
};

static void
requests(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct jsonrpc_request r;
		struct err e = { 0 };
		int code = jsonrpc_parse(rows[i].text, strlen(rows[i].text), &r, &e);

		assert_row(rows[i].name, code == rows[i].code);
		if (code)
			assert_row(rows[i].name, strstr(e.msg, rows[i].says) != NULL);
		else
			assert_row(rows[i].name, str_equal(r.method, rows[i].says) && r.id);
		jsonrpc_free(&r);
	}
}

static void
every_cut_is_refused(void **state)
{
	static const char text[] = HEAD "\"method\":\"m\",\"params\":{\"a\":[1,\"\\u00e9\",true]}}";

	(void)state;
	for (size_t len = 0; len < sizeof text - 1; len++) {
		/* so that the sanitizer sees a read behind the end */
		AUTO(mem) char *copy = mem_dup(text, len ? len : 1);
		struct jsonrpc_request r;

		assert_int_equal(jsonrpc_parse(copy, len, &r, NULL), JSONRPC_PARSE);
		jsonrpc_free(&r);
	}
}

static void
the_id_of_a_bad_request_is_kept(void **state)
{
	struct jsonrpc_request r;

	(void)state;
	assert_int_equal(
		jsonrpc_parse(HEAD "\"method\":5}", strlen(HEAD "\"method\":5}"), &r, NULL),
		JSONRPC_INVALID);
	assert_int_equal(json_integer_value(r.id), 7);
	jsonrpc_free(&r);
}

/* `n` brackets around nothing, as params. */
static char *
nested(size_t n)
{
	AUTO(mem) char *open = mem_zero(n + 1, 1), *close = mem_zero(n + 1, 1);

	memset(open, '[', n);
	memset(close, ']', n);
	return str_format(HEAD "\"method\":\"m\",\"params\":{\"a\":%s%s}}", open, close);
}

static void
depth_has_a_limit(void **state)
{
	static const struct {
		const char *name;
		size_t brackets;
		int code;
	} deep[] = { { "four", 4, 0 }, { "the deepest", REQUEST_DEPTH - 2, 0 },
		{ "one more", REQUEST_DEPTH - 1, JSONRPC_PARSE },
		{ "a million", 1000000, JSONRPC_PARSE } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(deep); i++) {
		AUTO(mem) char *text = nested(deep[i].brackets);
		struct jsonrpc_request r;

		assert_row(
			deep[i].name, jsonrpc_parse(text, strlen(text), &r, NULL) == deep[i].code);
		jsonrpc_free(&r);
	}
}

static void
size_has_a_limit(void **state)
{
	AUTO(mem) char *text = mem_zero(REQUEST_BYTES + 1, 1);
	struct jsonrpc_request r;
	struct err e = { 0 };

	(void)state;
	memset(text, ' ', REQUEST_BYTES + 1);
	assert_int_equal(jsonrpc_parse(text, REQUEST_BYTES + 1, &r, &e), JSONRPC_INVALID);
	assert_int_equal(e.code, -E2BIG);
	assert_null(r.root);
}

static void
answers(void **state)
{
	AUTO(mem) char *good = NULL, *bad = NULL, *nobody = NULL, *event = NULL;
	struct err e = { .code = -ENOENT, .msg = "Desktop \"x\": does not exist" };
	json_t *id = json_string("a"), *result = json_true();

	(void)state;
	good = jsonrpc_result(id, result);
	bad = jsonrpc_error(id, JSONRPC_OURS, &e, 127);
	nobody = jsonrpc_error(NULL, JSONRPC_PARSE, &e, 1);
	event = jsonrpc_notification("session.removed", json_pack("{s:s}", "id", "1"));
	assert_string_equal(good, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":true}");
	assert_string_equal(bad, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"error\":{\"code\":-32000,"
				 "\"message\":\"Desktop \\\"x\\\": does not "
				 "exist\",\"data\":{\"errno\":2,\"exit_status\":127}}}");
	assert_non_null(strstr(nobody, "\"id\":null"));
	assert_string_equal(event,
		"{\"jsonrpc\":\"2.0\",\"method\":\"session.removed\",\"params\":{\"id\":\"1\"}}");
	json_decref(id);
}

static void
an_error_that_is_not_text_is_still_told(void **state)
{
	struct err e = { .code = -EIO, .msg = "cut \xc3" };
	AUTO(mem) char *text = jsonrpc_error(NULL, JSONRPC_OURS, &e, 1);

	(void)state;
	assert_non_null(text);
	assert_non_null(strstr(text, "not UTF-8"));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests),
		cmocka_unit_test(every_cut_is_refused),
		cmocka_unit_test(the_id_of_a_bad_request_is_kept),
		cmocka_unit_test(depth_has_a_limit),
		cmocka_unit_test(size_has_a_limit),
		cmocka_unit_test(answers),
		cmocka_unit_test(an_error_that_is_not_text_is_still_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
