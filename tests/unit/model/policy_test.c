/* policy_test.c - KEY=VALUE to policies and back. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/policy.h"

static const struct {
	const char *name, *key, *value;
	const char *printed; /* NULL: refused, and `error` is a part of the sentence */
	const char *error;
} rows[] = {
	{ "profile", "profile", "strict", "strict", NULL },
	{ "profile, unknown", "profile", "lax", NULL, "give default or strict" },
	{ "special files", "special_files", "yes", "yes", NULL },
	{ "special files, no word of ours", "special_files", "true", NULL, "give yes or no" },
	{ "protect", "protect", "a,b/c", "a,b/c", NULL },
	{ "protect nothing", "protect", "none", "none", NULL },
	{ "protect: climbs out", "protect", "a/../../b", NULL, "is not a path below" },
	{ "protect: absolute", "protect", "/etc", NULL, "is not a path below" },
	{ "protect: empty", "protect", "", NULL, "is not a path below" },
	{ "protect: empty part", "protect", "a,,b", NULL, "is not a path below" },
	{ "protect: dot", "protect", "./a", NULL, "is not a path below" },
	{ "require", "require", "cgroup,landlock", "landlock,cgroup", NULL },
	{ "require nothing", "require", "none", "none", NULL },
	{ "require: unknown", "require", "cgroup,moat", NULL,
		"\"moat\" is no wall; give all, none, or of" },
	{ "memory", "memory", "2048M", "2G", NULL },
	{ "memory, odd", "memory", "4194305", "4194305", NULL },
	{ "memory: none", "memory", "0", NULL, "cannot be" },
	{ "run time", "run_time", "2h", "7200s", NULL },
	{ "over", "over", "kill", "kill", NULL },
	{ "unknown key", "moat", "deep", NULL, "is not known; there are profile, require" },
};

static void
values(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct policy p = { 0 };
		AUTO(buf) struct buf text = { 0 };
		struct err e = { 0 };
		int r = policy_set(&p, rows[i].key, rows[i].value, POLICY_DESKTOP, &e);

		if (!rows[i].printed) {
			if (!r || !strstr(e.msg, rows[i].error))
				fail_msg("%s: %d \"%s\"", rows[i].name, r, e.msg);
			policy_fini(&p);
			continue;
		}
		for (size_t k = 0; !r && k < policy_count(); k++)
			if (strcmp(policy_key(k), rows[i].key) == 0) {
				policy_value(&p, k, &text);
				assert_int_equal(p.sources[k], POLICY_DESKTOP);
			}
		if (r || !text.data || strcmp(text.data, rows[i].printed))
			fail_msg("%s: %d \"%s\" %s", rows[i].name, r, e.msg,
				text.data ? text.data : "");
		policy_fini(&p);
	}
}

static void
the_later_one_wins(void **state)
{
	AUTO(buf) struct buf list = { 0 }, again = { 0 };
	struct policy p = { 0 }, q = { 0 };
	struct err e = { 0 };

	(void)state;
	list_add(&list, "profile=strict");
	list_add(&list, "memory=64M");
	list_add(&list, "profile=default");
	assert_int_equal(policy_set_all(&p, span_of(&list), POLICY_SESSION, &e), 0);
	assert_int_equal(p.profile, JAIL_DEFAULT);
	policy_list(&p, &again);
	assert_int_equal(policy_set_all(&q, span_of(&again), POLICY_DESKTOP, &e), 0);
	assert_int_equal(q.limits.memory_bytes, 64 << 20);
	policy_list_put(&list, "profile", NULL);
	assert_int_equal(list_count(span_of(&list)), 1);
	policy_list_put(&list, "memory", "memory=1G");
	assert_int_equal(list_count(span_of(&list)), 1);
	assert_true(policy_count() <= POLICY_KEYS_MAX);
	policy_fini(&p);
	policy_fini(&q);
}

static void
shared_keys_are_the_desktops(void **state)
{
	static const char *const pairs[][2] = { { "protect", "none" }, { "special_files", "yes" } };

	(void)state;
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		struct policy p = { 0 };
		struct err e = { 0 };

		assert_int_equal(
			policy_set(&p, pairs[i][0], pairs[i][1], POLICY_SESSION, &e), -EINVAL);
		assert_non_null(strstr(e.msg, "is the same for all sessions of a Desktop"));
		assert_int_equal(policy_set(&p, pairs[i][0], pairs[i][1], POLICY_DESKTOP, &e), 0);
		policy_fini(&p);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(values),
		cmocka_unit_test(the_later_one_wins),
		cmocka_unit_test(shared_keys_are_the_desktops) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
