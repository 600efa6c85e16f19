#include "../../lib/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cast.h"
#include "sandesk/base/err.h"

/* A file of the test's own with that text, at its begin. */
static int
file_of(const char *text)
{
	char path[] = "/tmp/sandesk-cast.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void
test_written(void **state)
{
	AUTO(buf) struct buf out = { 0 };
	struct cast_writer w = { 0 };

	(void)state;
	cast_header(&w, (struct size){ 24, 80 }, 5000000, "a\"b", &out);
	cast_output(&w, 5500000, "x\033[m\r\n", 6, &out);
	cast_output(&w, 5600000, "\xe4\xb8", 2, &out); /* a character in two messages */
	cast_output(&w, 5700000, "\xad\xff", 2, &out);
	cast_resize(&w, 6000000, (struct size){ 10, 20 }, &out);
	cast_marker(&w, 6000001, "m", &out);
	cast_output(&w, 1, "", 0, &out);
	assert_string_equal(out.data,
		"{\"version\": 2, \"width\": 80, \"height\": 24, \"timestamp\": 5, \"title\": "
		"\"a\\\"b\", \"env\": {\"TERM\": \"xterm-256color\"}}\n"
		"[0.500000, \"o\", \"x\\u001b[m\\r\\n\"]\n"
		"[0.700000, \"o\", \"\xe4\xb8\xad\xef\xbf\xbd\"]\n"
		"[1.000000, \"r\", \"20x10\"]\n"
		"[1.000001, \"m\", \"m\"]\n");
}

#define HEADER "{\"version\": 2, \"width\": 80, \"height\": 24}\n"

static const struct {
	const char *name, *text, *want; /* kinds and texts, or the error */
} cases[] = {
	{ "events", HEADER "[0, \"o\", \"ab\"]\n[1.5, \"r\", \"20x10\"]\n[2, \"i\", \"x\"]\n",
		"o:ab r:10x20 ?" },
	{ "nothing", HEADER, "" },
	{ "cut off", HEADER "[0, \"o\", \"ab\"]\n[1, \"o\"", "o:ab" },
	{ "no header", "[0, \"o\", \"ab\"]\n",
		"line 1: is no header of version 2; give an asciicast file, version 2" },
	{ "empty", "", "line 0: is no header of version 2; give an asciicast file, version 2" },
	{ "another version", "{\"version\": 1, \"width\": 80, \"height\": 24}\n",
		"line 1: is no header of version 2; give an asciicast file, version 2" },
	{ "huge", "{\"version\": 2, \"width\": 80000, \"height\": 24}\n",
		"line 1: has no size that can be shown; give an asciicast file, version 2" },
	{ "no event", HEADER "[0, \"o\", \"ab\"]\n{}\n",
		"o:ab line 3: is no event; give an asciicast file, version 2" },
	{ "a bad size", HEADER "[0, \"r\", \"0x0\"]\n",
		"line 2: is no event; give an asciicast file, version 2" },
	{ "no JSON", HEADER "hello\n", "line 2: is no event; give an asciicast file, version 2" },
};

static void
test_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct cast_reader r = { .fd = file_of(cases[i].text) };
		struct cast_event event = { 0 };
		AUTO(buf) struct buf got = { 0 };
		struct err e = { 0 };
		struct size size;
		int rc = cast_read_header(&r, &size, &e);

		buf_add_str(&got, "");
		while (rc == 0 && (rc = cast_read(&r, &event, &e)) > 0) {
			buf_add_str(&got, got.len ? " " : "");
			if (event.kind == CAST_OUTPUT)
				buf_addf(&got, "o:%s", event.text.data);
			else if (event.kind == CAST_RESIZE)
				buf_addf(&got, "r:%ux%u", event.size.rows, event.size.cols);
			else
				buf_add_char(&got, '?');
			rc = 0;
		}
		if (rc < 0)
			buf_addf(&got, "%s%s", got.len ? " " : "", e.msg);
		if (strcmp(got.data, cases[i].want) != 0)
			fail_msg("%s: got \"%s\"", cases[i].name, got.data);
		buf_fini(&event.text);
		cast_reader_fini(&r);
		close(r.fd);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_written),
		cmocka_unit_test(test_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
