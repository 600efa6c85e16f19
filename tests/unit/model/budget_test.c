#include "../../lib/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/budget.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/str.h"

static const struct row {
	const char *key, *value;
	int result;
	uint64_t want;
} rows[] = {
	{ "memory", "64M", 0, 64 << 20 },
	{ "memory", "67108864", 0, 64 << 20 },
	{ "memory", "65536k", 0, 64 << 20 },
	{ "memory", "64MiB", 0, 64 << 20 },
	{ "memory", "4194303", -EINVAL, 0 },
	{ "memory", "0", -EINVAL, 0 },
	{ "memory", "-64M", -EINVAL, 0 },
	{ "memory", " 64M", -EINVAL, 0 },
	{ "memory", "64X", -EINVAL, 0 },
	{ "memory", "64Mx", -EINVAL, 0 },
	{ "memory", "1024T", -EINVAL, 0 },
	{ "memory", "18446744073709551616", -EINVAL, 0 },
	{ "memory", "18014398509481985K", -EINVAL, 0 },
	{ "memory", "", -EINVAL, 0 },
	{ "disk", "1G", 0, 1 << 30 },
	{ "run_time", "90", 0, 90 },
	{ "run_time", "2m", 0, 120 },
	{ "run_time", "999ms", -EINVAL, 0 },
	{ "idle_time", "1h", 0, 3600 },
	{ "processes", "100", 0, 100 },
	{ "processes", "3", -EINVAL, 0 },
	{ "processes", "1e3", -EINVAL, 0 },
	{ "cpu_weight", "10000", 0, 10000 },
	{ "cpu_weight", "10001", -EINVAL, 0 },
	{ "cpu_percent", "50", 0, 50 },
	{ "cpu_percent", "100000000", -EINVAL, 0 },
	{ "over", "kill", 0, JAIL_OVER_KILL },
	{ "over", "pause", 0, JAIL_OVER_PAUSE },
	{ "over", "Kill", -EINVAL, 0 },
	{ "Memory", "64M", -EINVAL, 0 },
	{ "", "64M", -EINVAL, 0 },
};

static uint64_t
value_of(const struct jail_limits *l, const char *key)
{
	const struct {
		const char *key;
		uint64_t value;
	} all[] = { { "memory", l->memory_bytes }, { "disk", l->disk_bytes },
		{ "run_time", l->run_seconds }, { "idle_time", l->idle_seconds },
		{ "processes", l->processes }, { "cpu_weight", l->cpu_weight },
		{ "cpu_percent", l->cpu_percent }, { "over", l->over } };

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (str_equal(all[i].key, key))
			return all[i].value;
	fail_msg("no such key: %s", key);
	return 0;
}

static void
reads_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct row *r = &rows[i];
		struct jail_limits l = { 0 }, none = { 0 };
		struct err e = { 0 };
		char name[80];

		snprintf(name, sizeof name, "%s=%s", r->key, r->value);
		assert_row(name, budget_set(&l, r->key, r->value, &e) == r->result);
		if (r->result) {
			assert_row(name, !memcmp(&l, &none, sizeof l));
			assert_row(name, strstr(e.msg, r->key) && strstr(e.msg, r->result ? ";" : ""));
		} else {
			assert_row(name, value_of(&l, r->key) == r->want);
		}
	}
}

static void
reads_lists(void **state)
{
	AUTO(buf) struct buf list = { 0 };
	struct jail_limits l = { 0 };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(budget_set_all(&l, span_of(&list), &e), 0);
	list_add(&list, "memory=8M");
	list_add(&list, "processes=7");
	list_add(&list, "memory=16M");
	assert_int_equal(budget_set_all(&l, span_of(&list), &e), 0);
	assert_int_equal(l.memory_bytes, 16 << 20);
	assert_int_equal(l.processes, 7);
	list_add(&list, "memory");
	assert_int_equal(budget_set_all(&l, span_of(&list), &e), -EINVAL);
	assert_non_null(strstr(e.msg, "KEY=VALUE"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_values),
		cmocka_unit_test(reads_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
