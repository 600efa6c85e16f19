#include "../../lib/check.h"

#include <errno.h>
#include <string.h>

#include "jail/policy.h"

static char *const command[] = { "sh", NULL };

static struct jail_policy
good(void)
{
	struct jail_policy p;

	jail_policy_init(&p);
	p.desktop_dir = "/srv/shop";
	p.home_dir = "/var/lib/sandesk/home";
	p.user = "dev";
	p.hostname = "shop";
	p.argv = command;
	return p;
}

static void
a_plain_policy_is_good(void **state)
{
	struct jail_policy p = good();
	struct err e = { 0 };

	(void)state;
	assert_int_equal(jail_policy_check(&p, &e), 0);
	assert_true(p.limits.processes > 100 && p.limits.files > 1000);
}

static void
desktop_paths(void **state)
{
	static const struct {
		const char *path;
		int result;
		const char *says;
	} rows[] = {
		{ "/home/alice/src/shop", 0, NULL },
		{ "/root/x", 0, NULL },
		{ "/tmp/x", 0, NULL },
		{ "/work", 0, NULL },
		{ "/opt/shop", 0, NULL },
		{ "/var/www", 0, NULL },
		{ "/etcetera", 0, NULL },
		{ "/x..", 0, NULL },
		{ "/..x", 0, NULL },
		{ "/usr/src/x", 0, NULL },
		{ NULL, -EINVAL, "no path" },
		{ "", -EINVAL, "no path" },
		{ "/", -EINVAL, "whole machine" },
		{ "shop", -EINVAL, "absolute" },
		{ "./shop", -EINVAL, "absolute" },
		{ "/srv/", -EINVAL, "trailing" },
		{ "//srv", -EINVAL, "//" },
		{ "/srv//x", -EINVAL, "//" },
		{ "/srv/./x", -EINVAL, "/./" },
		{ "/srv/../etc", -EINVAL, "/../" },
		{ "/..", -EINVAL, "/../" },
		{ "/usr", -EINVAL, "system" },
		{ "/etc", -EINVAL, "system" },
		{ "/etc/x", -EINVAL, "of its own" },
		{ "/proc/self", -EINVAL, "of its own" },
		{ "/sys/fs", -EINVAL, "of its own" },
		{ "/dev/shm/x", -EINVAL, "of its own" },
		{ "/dev", -EINVAL, "of its own" },
		{ "/opt", -EINVAL, "system" },
		{ "/lib64/x", -EINVAL, "of its own" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct jail_policy p = good();
		const char *name = rows[i].path ? rows[i].path : "NULL";
		struct err e = { 0 };

		p.desktop_dir = rows[i].path;
		assert_row(name, jail_policy_check(&p, &e) == rows[i].result);
		assert_row(name, !rows[i].says || strstr(e.msg, rows[i].says));
		assert_row(name, jail_policy_check(&p, NULL) == rows[i].result);
	}
}

static void
words(void **state)
{
	static const struct {
		const char *word;
		int result;
	} rows[] = {
		{ "dev", 0 },
		{ "d", 0 },
		{ "dev-1.x_y", 0 },
		{ "", -EINVAL },
		{ NULL, -EINVAL },
		{ "-dev", -EINVAL },
		{ ".dev", -EINVAL },
		{ "a:b", -EINVAL },
		{ "a b", -EINVAL },
		{ "a\nroot::0:0", -EINVAL },
		{ "a/b", -EINVAL },
		{ "\xc3\xa4", -EINVAL },
		{ "abcdefghijklmnopqrstuvwxyz0123456789", -EINVAL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct jail_policy p = good();

		p.user = rows[i].word;
		assert_row(rows[i].word ? rows[i].word : "NULL",
			jail_policy_check(&p, NULL) == rows[i].result);
	}
}

static void
commands_and_environment(void **state)
{
	static char *const none[] = { NULL }, *const empty[] = { "", NULL };
	static char *const no_value[] = { "A=1", "B", NULL }, *const no_key[] = { "=x", NULL },
			   *const fine[] = { "A=", "B=x=y", NULL };
	static const struct {
		const char *name;
		char *const *argv, *const *env;
		int result;
	} rows[] = {
		{ "no argv", NULL, NULL, -EINVAL },
		{ "empty argv", none, NULL, -EINVAL },
		{ "empty command", empty, NULL, -EINVAL },
		{ "environment without =", command, no_value, -EINVAL },
		{ "environment without key", command, no_key, -EINVAL },
		{ "fine", command, fine, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct jail_policy p = good();

		p.argv = rows[i].argv;
		p.env = rows[i].env;
		assert_row(rows[i].name, jail_policy_check(&p, NULL) == rows[i].result);
	}
}

static void
limits(void **state)
{
	static const struct {
		const char *name;
		struct jail_limits limits;
		int result;
	} rows[] = {
		{ "least",
			{ .processes = 2,
				.files = 16,
				.scratch_bytes = 1 << 20,
				.scratch_inodes = 1024,
				.ptys = 1 },
			0 },
		{ "one process",
			{ .processes = 1,
				.files = 16,
				.scratch_bytes = 1 << 20,
				.scratch_inodes = 1024,
				.ptys = 1 },
			-EINVAL },
		{ "no files",
			{ .processes = 2,
				.files = 3,
				.scratch_bytes = 1 << 20,
				.scratch_inodes = 1024,
				.ptys = 1 },
			-EINVAL },
		{ "no scratch",
			{ .processes = 2,
				.files = 16,
				.scratch_bytes = 0,
				.scratch_inodes = 1024,
				.ptys = 1 },
			-EINVAL },
		{ "no inodes",
			{ .processes = 2,
				.files = 16,
				.scratch_bytes = 1 << 20,
				.scratch_inodes = 0,
				.ptys = 1 },
			-EINVAL },
		{ "no ptys",
			{ .processes = 2,
				.files = 16,
				.scratch_bytes = 1 << 20,
				.scratch_inodes = 1024,
				.ptys = 0 },
			-EINVAL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct jail_policy p = good();

		p.limits = rows[i].limits;
		assert_row(rows[i].name, jail_policy_check(&p, NULL) == rows[i].result);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_policy_is_good),
		cmocka_unit_test(desktop_paths),
		cmocka_unit_test(words),
		cmocka_unit_test(commands_and_environment),
		cmocka_unit_test(limits),
	};

	return cmocka_run_group_tests_name("jail/policy", tests, NULL, NULL);
}
