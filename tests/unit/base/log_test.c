#include "../../lib/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandesk/base/log.h"

static off_t
size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 ? -1 : st.st_size;
}

/* Two processes have the file open; the one that did not move it goes on in the emptied file. */
static void
what_was_moved_away_is_not_overwritten(void **state)
{
	char dir[] = "/tmp/sandesk-log-test.XXXXXX", path[64], old[80];
	struct log a = { .fd = -1 }, b = { .fd = -1 };

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/log", dir);
	snprintf(old, sizeof old, "%s.1", path);
	assert_int_equal(log_open(&a, path, "a"), 0);
	assert_int_equal(log_open(&b, path, "b"), 0);
	assert_int_equal(truncate(path, LOG_BYTES), 0);
	log_info(&a, "moves it");
	assert_true(size_of(old) > LOG_BYTES);
	assert_int_equal(size_of(path), 0);
	log_info(&b, "the first line after");
	assert_true(size_of(old) > LOG_BYTES);
	assert_true(size_of(path) > 0 && size_of(path) < LOG_BYTES);
	log_close(&a);
	log_close(&b);
	unlink(path);
	unlink(old);
	rmdir(dir);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_moved_away_is_not_overwritten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
