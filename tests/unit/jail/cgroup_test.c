#include "../../lib/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/cgroup.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

/* ---- what the kernel says of the own groups ---- */

#define V1_MOUNTS                                                                                  \
	"31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"                               \
	"32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:4 - cgroup cgroup rw,cpu,cpuacct\n" \
	"35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"                        \
	"37 31 0:34 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n"
#define V2_MOUNT(root, point) "41 31 0:38 " root " " point " rw - cgroup2 cgroup2 rw\n"

static const struct row {
	const char *name, *self, *mounts, *controllers;
	const char *memory, *cpu, *pids, *freezer; /* with the version before it; "" none */
} rows[] = {
	{ "v1", "9:cpu,cpuacct:/\n4:memory:/box/1\n2:freezer:/\n", V1_MOUNTS, "",
		"1/sys/fs/cgroup/memory/box/1", "1/sys/fs/cgroup/cpu,cpuacct", "",
		"1/sys/fs/cgroup/freezer" },
	{ "v2", "0::/user.slice/a.scope\n", V2_MOUNT("/", "/v2"), "cpuset cpu memory pids\n",
		"2/v2/user.slice/a.scope", "2/v2/user.slice/a.scope", "2/v2/user.slice/a.scope",
		"2/v2/user.slice/a.scope" },
	{ "v2 without controllers still freezes", "0::/\n", V2_MOUNT("/", "/v2"), "\n", "", "", "",
		"2/v2" },
	{ "hybrid: a controller is where it is", "4:memory:/\n0::/\n",
		V1_MOUNTS V2_MOUNT("/", "/v2"), "pids\n", "1/sys/fs/cgroup/memory", "", "2/v2", "2/v2" },
	{ "the mount shows the inside of a container's group", "0::/docker/abc/x\n",
		V2_MOUNT("/docker/abc", "/v2"), "memory\n", "2/v2/x", "", "", "2/v2/x" },
	{ "the own group is not below what is mounted", "0::/docker/abcd\n",
		V2_MOUNT("/docker/abc", "/v2"), "memory\n", "", "", "", "" },
	{ "outside of the own cgroup namespace", "0::/../other\n", V2_MOUNT("/", "/v2"), "memory\n", "",
		"", "", "" },
	{ "a name that only begins like a controller", "4:memory2:/\n",
		"35 31 0:32 / /m rw - cgroup cgroup rw,memory2\n", "", "", "", "", "" },
	{ "nothing is mounted", "4:memory:/\n0::/\n", "", "", "", "", "", "" },
	{ "no text at all", "", "", "", "", "", "", "" },
	{ "half lines", "4:mem", "35 31 0:32 / /m rw", "", "", "", "", "" },
};

static char root[64]; /* set once, by the group's setup */

static void
make_file(const char *path, const char *text)
{
	char full[512];
	FILE *f;

	snprintf(full, sizeof full, "%s%s", root, path);
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void
make_dir(const char *path)
{
	char full[512];

	for (const char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
		snprintf(full, sizeof full, "%s%.*s", root,
			slash ? (int)(slash - path) : (int)strlen(path), path);
		assert_true(mkdir(full, 0755) == 0 || errno == EEXIST);
		if (!slash)
			return;
	}
}

static void
check_dir(const struct row *r, const struct cgroups *g, enum cgroup_part part, const char *want)
{
	char text[512];

	snprintf(text, sizeof text, "%s%s", r->name,
		!want[0] ? (g->dir[part][0] ? ": is there" : "")
		: !str_has_prefix(g->dir[part], root) || !str_equal(g->dir[part] + strlen(root), want + 1)
			? ": another directory"
		: g->is_v2[part] != (want[0] == '2') ? ": another version"
						     : "");
	assert_string_equal(text, r->name);
}

static void
finds(void **state)
{
	(void)state;
	make_dir("/v2/user.slice/a.scope");
	make_dir("/v2/x");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *r = &rows[i];
		AUTO(mem) struct cgroups *g = mem_alloc(sizeof *g);

		make_file("/v2/cgroup.controllers", r->controllers);
		make_file("/v2/x/cgroup.controllers", r->controllers);
		make_file("/v2/user.slice/a.scope/cgroup.controllers", r->controllers);
		cgroups_find(root, r->self, r->mounts, g);
		check_dir(r, g, CGROUP_MEMORY, r->memory);
		check_dir(r, g, CGROUP_CPU, r->cpu);
		check_dir(r, g, CGROUP_PIDS, r->pids);
		check_dir(r, g, CGROUP_FREEZER, r->freezer);
	}
}

/* ---- a session's group, in a tree of plain files ---- */

static void
has_text(const char *path, const char *want)
{
	char full[512], text[128] = "";
	FILE *f;

	snprintf(full, sizeof full, "%s%s", root, path);
	f = fopen(full, "r");
	if (!f)
		fail_msg("%s is not there", path);
	assert_true(fread(text, 1, sizeof text - 1, f) < sizeof text);
	fclose(f);
	assert_string_equal(text, want);
}

static bool
keeps_none(const char *session, void *arg)
{
	(void)session;
	(void)arg;
	return false;
}

static const struct jail_limits limits = { .memory_bytes = 1 << 26, .cpu_percent = 150,
	.cpu_weight = 50 };

static void
take_text(struct cgroups *g, const char *lines)
{
	AUTO(buf) struct buf text = { 0 };

	for (; *lines; lines += strcspn(lines, "\n") + 1) { /* NAME VERSION PATH */
		int len = (int)strcspn(lines, "\n");
		const char *path = strchr(lines, '/');

		buf_addf(&text, "%.*s%s%.*s\n", (int)(path - lines), lines, root,
			len - (int)(path - lines), path);
	}
	cgroups_parse(text.data, g);
}

static void
limits_v1(void **state)
{
	static const char *const files[] = { "/m/D/S/memory.limit_in_bytes",
		"/m/D/S/memory.memsw.limit_in_bytes", "/m/D/S/memory.oom_control",
		"/m/D/S/cgroup.procs", "/c/D/S/cpu.shares", "/c/D/S/cpu.cfs_period_us",
		"/c/D/S/cpu.cfs_quota_us", "/c/D/S/cgroup.procs", "/f/D/S/freezer.state",
		"/f/D/S/cgroup.procs" };
	AUTO(mem) struct cgroups *g = mem_alloc(sizeof *g);
	struct cgroup c;
	struct err e = { 0 };

	(void)state;
	make_dir("/m/D/S");
	make_dir("/c/D/S");
	make_dir("/f/D/S");
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		make_file(files[i], "");
	make_file("/m/D/S/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
	take_text(g, "memory 1 /m\ncpu 1 /c\nfreezer 1 /f\n");
	assert_int_equal(cgroup_missing(g, &limits), 0);
	assert_int_equal(cgroup_make(g, "D", "S", &limits, 77, &c, &e), 0);
	has_text("/m/D/S/memory.limit_in_bytes", "67108864");
	has_text("/m/D/S/memory.memsw.limit_in_bytes", "67108864");
	has_text("/m/D/S/cgroup.procs", "77");
	has_text("/c/D/S/cpu.shares", "512");
	has_text("/c/D/S/cpu.cfs_quota_us", "150000");
	has_text("/c/D/S/cgroup.procs", "77");
	has_text("/f/D/S/cgroup.procs", "77");
	assert_int_equal(cgroup_freeze(&c, true), 0);
	has_text("/f/D/S/freezer.state", "FROZEN");
	assert_int_equal(cgroup_oom_kills(&c), 3);
	cgroup_fini(&c);
}

static void
limits_v2(void **state)
{
	static const char *const files[] = { "/w/D/cgroup.subtree_control", "/w/D/S/memory.max",
		"/w/D/S/memory.swap.max", "/w/D/S/memory.events", "/w/D/S/cpu.weight",
		"/w/D/S/cpu.max", "/w/D/S/cgroup.procs", "/w/D/S/cgroup.freeze" };
	AUTO(mem) struct cgroups *g = mem_alloc(sizeof *g);
	struct cgroup c;
	struct err e = { 0 };

	(void)state;
	make_dir("/w/D/S");
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		make_file(files[i], "");
	take_text(g, "memory 2 /w\ncpu 2 /w\nfreezer 2 /w\n");
	assert_int_equal(cgroup_make(g, "D", "S", &limits, 77, &c, &e), 0);
	has_text("/w/D/S/memory.max", "67108864");
	has_text("/w/D/S/memory.swap.max", "0");
	has_text("/w/D/S/cpu.weight", "50");
	has_text("/w/D/S/cpu.max", "150000 100000");
	has_text("/w/D/S/cgroup.procs", "77");
	assert_int_equal(cgroup_freeze(&c, true), 0);
	has_text("/w/D/S/cgroup.freeze", "1");
	cgroup_fini(&c);
}

static void
missing_parts_are_told(void **state)
{
	AUTO(mem) struct cgroups *g = mem_alloc(sizeof *g);
	struct cgroup c;
	struct err e = { 0 };

	(void)state;
	take_text(g, "cpu 1 /nowhere\n");
	assert_int_equal(cgroup_missing(g, &limits), 1 << CGROUP_MEMORY);
	assert_true(cgroup_make(g, "D", "S", &limits, 77, &c, &e) < 0);
	assert_non_null(strstr(e.msg, "/nowhere"));
	assert_int_equal(cgroup_freeze(&c, true), -ENOTSUP);
	assert_int_equal(cgroup_oom_kills(&c), 0);
	assert_false(cgroup_is_wanted(&(struct jail_limits){ .run_seconds = 1 }));
}

static void
sweeps_and_prints(void **state)
{
	AUTO(mem) struct cgroups *g = mem_alloc(sizeof *g), *again = mem_alloc(sizeof *again);
	AUTO(buf) struct buf text = { 0 };
	char path[256];

	(void)state;
	make_dir("/s/D/S1");
	make_dir("/s/E/S2");
	make_dir("/s/E/S3");
	make_file("/s/E/S3/held", ""); /* as a group with processes: rmdir fails */
	take_text(g, "memory 1 /s\n");
	cgroups_print(g, &text);
	cgroups_parse(text.data, again);
	assert_memory_equal(g, again, sizeof *g);
	assert_int_equal(cgroups_sweep(g, keeps_none, NULL), 1);
	assert_false(cgroups_unclaim(g));
	snprintf(path, sizeof path, "%s/s/E/S3/held", root);
	unlink(path);
	assert_int_equal(cgroups_sweep(g, keeps_none, NULL), 0);
	assert_true(cgroups_unclaim(g));
}

static int
make_root(void **state)
{
	(void)state;
	snprintf(root, sizeof root, "/tmp/cgroup-test.XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int
remove_root(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", root);
	return system(command);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds),
		cmocka_unit_test(limits_v1),
		cmocka_unit_test(limits_v2),
		cmocka_unit_test(missing_parts_are_told),
		cmocka_unit_test(sweeps_and_prints),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
