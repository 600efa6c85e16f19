#include "../../lib/check.h"

#include <string.h>

#include "jail/pack.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/mem.h"

static void
a_plan_survives_the_trip(void **state)
{
	char *argv[] = { "sh", "", "\xff", "\xff\xff tail", NULL };
	char *env[] = { "A=b", NULL };
	struct plan_step steps[] = {
		{ .op = PLAN_ROOT, .number = UINT64_MAX, .id = 7 },
		{ .op = PLAN_LINK, .from = "", .to = "etc/x" },
		{ .op = PLAN_BIND_RW, .from = "\xff", .id = 1, .why = "not carried" },
	};
	struct plan p = { .steps = steps,
		.nsteps = ARRAY_LEN(steps),
		.argv = argv,
		.env = env,
		.trees = { { .path = "/d", .dev = 3, .ino = 4, .uid = 5 }, { .path = "/h" } },
		.inner_uid = 1000,
		.outer_uid = 1900000001,
		.is_root = true,
		.hostname = "shop",
		.home = "/home/u",
		.workdir = "/d/sub" };
	AUTO(buf) struct buf bytes = { 0 };
	struct plan back;

	(void)state;
	plan_pack(&p, &bytes);
	plan_unpack(bytes.data, bytes.len, &back);
	assert_int_equal(back.nsteps, 3);
	assert_true(back.steps[0].number == UINT64_MAX && back.steps[0].id == 7);
	assert_null(back.steps[0].from);
	assert_null(back.steps[0].to);
	assert_string_equal(back.steps[1].from, "");
	assert_string_equal(back.steps[1].to, "etc/x");
	assert_string_equal(back.steps[2].from, "\xff");
	assert_true(back.trees[0].dev == 3 && back.trees[0].ino == 4 && back.trees[0].uid == 5);
	assert_string_equal(back.trees[1].path, "/h");
	assert_true(back.inner_uid == 1000 && back.outer_uid == 1900000001 && back.is_root);
	assert_string_equal(back.hostname, "shop");
	assert_string_equal(back.home, "/home/u");
	assert_string_equal(back.workdir, "/d/sub");
	for (size_t i = 0; i < ARRAY_LEN(argv) - 1; i++)
		assert_string_equal(back.argv[i], argv[i]);
	assert_null(back.argv[ARRAY_LEN(argv) - 1]);
	assert_string_equal(back.env[0], "A=b");
	assert_null(back.env[1]);
	mem_free(back.steps);
	mem_free(back.argv);
	mem_free(back.env);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_survives_the_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
