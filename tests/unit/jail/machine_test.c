/* Other machines, as trees of files: what is in the way, and what would mend it. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "jail/machine.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/str.h"

enum { FILES = 6 };

static const struct row {
	const char *name;
	uid_t uid;
	enum jail_profile profile;
	struct {
		const char *path, *text;
	} files[FILES];
	const char *wall; /* NULL: no wall may be missing */
	enum check_state state;
	const char *why, *mend; /* parts of them */
} rows[] = {
	{ "a plain machine", 1000, JAIL_DEFAULT,
		{ { "/proc/self/status", "Name:\tx\nSeccomp:\t0\n" },
			{ "/proc/self/mountinfo", "21 1 0:5 / /proc rw - proc proc rw\n" } },
		NULL, CHECK_HOLDS, "", "" },
	{ "no network namespaces", 1000, JAIL_DEFAULT,
		{ { "/proc/sys/user/max_net_namespaces", "0\n" } }, "sysctl", CHECK_MISSING,
		"user.max_net_namespaces is 0", "sysctl -w user.max_net_namespaces=15000" },
	{ "Debian's old switch", 1000, JAIL_DEFAULT,
		{ { "/proc/sys/kernel/unprivileged_userns_clone", "0\n" } }, "sysctl",
		CHECK_MISSING, "unprivileged_userns_clone is 0",
		"sysctl -w kernel.unprivileged_userns_clone=1" },
	{ "Debian's old switch, for root", 0, JAIL_DEFAULT,
		{ { "/proc/sys/kernel/unprivileged_userns_clone", "0\n" } }, NULL, CHECK_HOLDS, "",
		"" },
	{ "Ubuntu's AppArmor", 1000, JAIL_DEFAULT,
		{ { "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n" } }, "apparmor",
		CHECK_MISSING, "apparmor_restrict_unprivileged_userns is 1",
		"profile sandesk /opt/sandesk-keeper flags=(unconfined) { userns, }" },
	{ "Ubuntu's AppArmor with our profile in its directory", 1000, JAIL_DEFAULT,
		{ { "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n" },
			{ "/etc/apparmor.d/sandesk", "abi <abi/4.0>,\n" } },
		"apparmor", CHECK_HOLDS, "is there", "" },
	{ "Ubuntu's AppArmor with our profile not loaded", 1000, JAIL_DEFAULT,
		{ { "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n" },
			{ "/etc/apparmor.d/sandesk", "abi <abi/4.0>,\n" },
			{ "/sys/kernel/security/apparmor/profiles", "cupsd (enforce)\n" } },
		"apparmor", CHECK_MISSING, "AppArmor", "apparmor_parser -r" },
	{ "Docker's filter", 0, JAIL_DEFAULT,
		{ { "/.dockerenv", "" }, { "/proc/self/status", "Seccomp:\t2\n" } }, "outer-filter",
		CHECK_NOT_ASKED, "this is a container", "seccomp=unconfined" },
	{ "Docker's masks", 0, JAIL_DEFAULT,
		{ { "/proc/self/mountinfo", "21 1 0:5 / /proc rw - proc proc rw\n"
					    "22 21 0:6 /null /proc/kcore rw - tmpfs tmpfs rw\n" } },
		"outer-proc", CHECK_MISSING, "/proc/kcore is masked", "systempaths=unconfined" },
	{ "binfmt_misc hides nothing", 0, JAIL_DEFAULT,
		{ { "/proc/self/mountinfo",
			"22 21 0:6 / /proc/sys/fs/binfmt_misc rw - autofs systemd-1 rw\n" } },
		NULL, CHECK_HOLDS, "", "" },
	{ "SELinux", 1000, JAIL_DEFAULT, { { "/sys/fs/selinux/enforce", "1" } }, "selinux",
		CHECK_NOT_ASKED, "enforcing", "ausearch" },
	{ "no newuidmap", 1000, JAIL_DEFAULT, { { "/etc/subuid", "dev:100000:65536\n" } },
		"root-inside", CHECK_NOT_ASKED, "are not here", "uidmap" },
	{ "no ids", 1000, JAIL_DEFAULT,
		{ { "/usr/bin/newuidmap", "" }, { "/usr/bin/newgidmap", "" },
			{ "/etc/subuid", "developer:100000:65536\n" } },
		"root-inside", CHECK_NOT_ASKED, "no ids for dev", "--add-subuids" },
	{ "ids by number", 1000, JAIL_DEFAULT,
		{ { "/usr/bin/newuidmap", "" }, { "/usr/bin/newgidmap", "" },
			{ "/etc/subuid", "x:1:1\n1000:100000:65536\n" },
			{ "/etc/subgid", "dev:100000:65536\n" } },
		"root-inside", CHECK_NOT_ASKED, "can be had", "" },
	{ "linger off", 1000, JAIL_DEFAULT, { { "/run/systemd/system", "" } }, "linger",
		CHECK_WEAKER, "is off", "loginctl enable-linger" },
	{ "linger on", 1000, JAIL_DEFAULT,
		{ { "/run/systemd/system", "" }, { "/var/lib/systemd/linger/dev", "" } }, "linger",
		CHECK_HOLDS, "is on", "" },
	{ "agents in strict", 1000, JAIL_STRICT, { { NULL, NULL } }, "codex", CHECK_NOT_ASKED,
		"switch it off", "danger-full-access" },
};

static void
put_file(const char *root, const char *path, const char *text)
{
	char full[512];
	int fd;

	snprintf(full, sizeof full, "%s%s", root, path);
	for (char *c = full + strlen(root) + 1; (c = strchr(c, '/')); c++) {
		*c = 0;
		assert_true(!mkdir(full, 0700) || errno == EEXIST);
		*c = '/';
	}
	fd = open(full, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(fd_write_all(fd, text, strlen(text)), 0);
	close(fd);
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static const struct check_row *
find(const struct checkup *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (str_equal(c->rows[i].name, name))
			return &c->rows[i];
	return NULL;
}

static void
check_part(const struct row *row, const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("%s: \"%s\" has no \"%s\"", row->name, text, part);
}

static void
other_machines(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char root[] = "/tmp/machine-XXXXXX";
		struct machine m = { .root = root,
			.self = "/opt/sandesk-keeper",
			.user = "dev",
			.uid = rows[i].uid };
		struct checkup c = { 0 };
		const struct check_row *r;

		assert_non_null(mkdtemp(root));
		for (size_t k = 0; k < FILES && rows[i].files[k].path; k++)
			put_file(root, rows[i].files[k].path, rows[i].files[k].text);
		machine_check(&m, rows[i].profile, &c);
		nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
		if (!rows[i].wall) {
			for (size_t k = 0; k < c.n; k++)
				if (c.rows[k].is_wall && c.rows[k].state != CHECK_HOLDS)
					fail_msg("%s: %s: %s", rows[i].name, c.rows[k].name,
						c.rows[k].why);
			continue;
		}
		r = find(&c, rows[i].wall);
		if (!r)
			fail_msg("%s: no row %s", rows[i].name, rows[i].wall);
		if (r->state != rows[i].state)
			fail_msg(
				"%s: %s: is %s", rows[i].name, r->name, check_state_name(r->state));
		check_part(&rows[i], r->why, rows[i].why);
		check_part(&rows[i], r->mend, rows[i].mend);
		if (!*rows[i].mend)
			assert_string_equal(r->mend, "");
	}
}

static void
whole_only_without_a_missing_wall(void **state)
{
	struct checkup c = { 0 };

	(void)state;
	assert_false(checkup_is_whole(&c)); /* nothing was tried */
	checkup_add(&c, "a", CHECK_HOLDS, "");
	checkup_add(&c, "b", CHECK_NOT_ASKED, "");
	assert_true(checkup_is_whole(&c));
	checkup_add(&c, "c", CHECK_WEAKER, "")->is_wall = false;
	assert_true(checkup_is_whole(&c));
	checkup_add(&c, "d", CHECK_WEAKER, "");
	assert_false(checkup_is_whole(&c));
	for (int i = 0; i < 2 * CHECK_ROWS; i++)
		checkup_add(&c, "more", CHECK_HOLDS, "");
	assert_int_equal(c.n, CHECK_ROWS - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_machines),
		cmocka_unit_test(whole_only_without_a_missing_wall),
	};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
