#include "../../lib/check.h"

#include <errno.h>
#include <unistd.h>

#include "jail/usage.h"

/* 10 ms a tick and 4 KiB a page everywhere this runs; the test asks anyway. */
static uint64_t
ticks(uint64_t n)
{
	return n * (1000000 / (uint64_t)sysconf(_SC_CLK_TCK));
}

static uint64_t
pages(uint64_t n)
{
	return n * (uint64_t)sysconf(_SC_PAGESIZE);
}

#define STAT(name) "7 (" name ") S 1 7 7 0 -1 4194560 99 98 97 96 11 22 33 44 20 0 1 0 5 6 7"

static const struct row {
	const char *name, *stat, *statm, *io;
	int result;
	uint64_t ticks, pages, written;
} rows[] = {
	{ "plain", STAT("sh"), "900 300 100 50 0 70 0", "rchar: 1\nwrite_bytes: 4096\n", 0, 110, 200,
		4096 },
	{ "a name that looks like fields", STAT("a) S 1 2 3 (b"), "900 300 100", "", 0, 110, 200, 0 },
	{ "io cannot be read", STAT("sh"), "900 300 100", "", 0, 110, 200, 0 },
	{ "cancelled writes are another line", STAT("sh"), "",
		"rchar: 1\ncancelled_write_bytes: 8\n", 0, 110, 0, 0 },
	{ "more shared than resident", STAT("sh"), "900 100 300", "", 0, 110, 0, 0 },
	{ "no stat: it has ended", "", "900 300 100", "", -EINVAL, 0, 0, 0 },
	{ "half a stat", "7 (sh) S 1 7", "900 300 100", "", -EINVAL, 0, 0, 0 },
};

static void
adds_a_process(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct row *r = &rows[i];
		struct jail_usage u = { 0 };

		print_message("%s\n", r->name);
		assert_int_equal(usage_add(&u, r->stat, r->statm, r->io), r->result);
		assert_int_equal(u.cpu_us, ticks(r->ticks));
		assert_int_equal(u.memory, pages(r->pages));
		assert_int_equal(u.written, r->written);
		assert_int_equal(u.processes, r->result == 0);
	}
}

static void
counts_this_machine(void **state)
{
	struct jail_usage u;

	(void)state;
	usage_count("/proc", &u);
	assert_true(u.processes >= 1);
	assert_true(u.memory > 0 && u.memory_peak >= u.memory);
	usage_count("/nowhere", &u);
	assert_int_equal(u.processes, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adds_a_process),
		cmocka_unit_test(counts_this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
