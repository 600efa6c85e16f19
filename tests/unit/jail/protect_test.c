#include "../../lib/check.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/plan.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

static char *const command[] = { "true", NULL };

struct dirs {
	char base[64], desk[128], home[128], outside[128];
};

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st, (void)kind, (void)where;
	return remove(path);
}

static int
make_dirs(void **state)
{
	struct dirs *d = mem_new(struct dirs);

	str_copy(d->base, sizeof d->base, "/tmp/sandesk-protect-XXXXXX");
	if (!mkdtemp(d->base))
		return -1;
	snprintf(d->desk, sizeof d->desk, "%s/desk", d->base);
	snprintf(d->home, sizeof d->home, "%s/home", d->base);
	snprintf(d->outside, sizeof d->outside, "%s/outside", d->base);
	*state = d;
	return mkdir(d->desk, 0700) || mkdir(d->home, 0700) || mkdir(d->outside, 0700) ? -1 : 0;
}

static int
remove_dirs(void **state)
{
	struct dirs *d = *state;

	nftw(d->base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	mem_free(d);
	return 0;
}

/* Makes what a word says, in the Desktop's directory: "dir/", "file", "link>target", "name=text",
 * "second+first" (a hard link). */
static void
make_one(const struct dirs *d, const char *what)
{
	size_t cut = strcspn(what, ">=+");
	AUTO(mem) char *path = str_format("%s/%.*s", d->desk, (int)cut, what);
	const char *rest = what[cut] ? what + cut + 1 : "";
	AUTO(mem) char *first = str_format("%s/%s", d->desk, rest);
	AUTO(fd) int fd = -1;

	if (what[cut] == '>') {
		assert_int_equal(symlink(rest, path), 0);
	} else if (what[cut] == '+') {
		assert_int_equal(link(first, path), 0);
	} else if (path[strlen(path) - 1] == '/') {
		assert_int_equal(mkdir(path, 0755), 0);
	} else {
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		assert_true(fd >= 0);
		assert_int_equal(fd_write_all(fd, rest, strlen(rest)), 0);
	}
}

/* Whether the plan has exactly these steps of one kind; paths relative to the Desktop's. */
static bool
has_only(const struct plan *p, const struct dirs *d, enum plan_op op, const char *const *paths)
{
	size_t want = 0, have = 0, found = 0;

	for (size_t i = 0; i < p->nsteps; i++)
		have += p->steps[i].op == op;
	for (; paths[want]; want++) {
		AUTO(mem) char *to = str_format("%s/%s", d->desk + 1, paths[want]);

		for (size_t i = 0; i < p->nsteps; i++)
			found += p->steps[i].op == op && str_equal(p->steps[i].to, to);
	}
	return have == want && found == want;
}

static const struct {
	const char *name;
	const char *made[8];
	const char *rule;
	const char *pins[4], *protects[4], *watches[3];
	const char *note; /* a word of it; NULL: none */
} rows[] = {
	{ "directory and what is above it", { "a/", "a/b/", "a/b/c/", NULL }, "a/b/c",
		{ "a", "a/b", NULL }, { "a/b/c", NULL }, { NULL }, NULL },
	{ "file at the top", { "Makefile", NULL }, "Makefile", { NULL }, { "Makefile", NULL },
		{ NULL }, NULL },
	{ "missing, nothing is made", { NULL }, ".git/hooks", { NULL }, { NULL },
		{ ".git/hooks", NULL }, NULL },
	{ "missing in a directory", { ".git/", NULL }, ".git/hooks", { NULL }, { NULL },
		{ ".git/hooks", NULL }, NULL },
	{ "symlink inside", { ".git/", "shared/", ".git/hooks>../shared", NULL }, ".git/hooks",
		{ NULL }, { "shared", NULL }, { NULL }, "symlink" },
	{ "symlink out", { ".git/", ".git/hooks>/usr", NULL }, ".git/hooks", { NULL }, { NULL },
		{ NULL }, "symlink" },
	{ "symlink to itself", { ".git/", ".git/hooks>hooks", NULL }, ".git/hooks", { NULL },
		{ NULL }, { NULL }, "hooks" },
	{ "dangling symlink", { ".git/", ".git/hooks>nowhere", NULL }, ".git/hooks", { NULL },
		{ NULL }, { NULL }, "cannot be followed" },
	{ "second name of a file", { ".git/", ".git/config", "other+.git/config", NULL },
		".git/config", { ".git", NULL }, { ".git/config", NULL }, { NULL }, "2 names" },
	{ "second name in a directory",
		{ ".git/", ".git/hooks/", ".git/hooks/x", "other+.git/hooks/x", NULL },
		".git/hooks", { ".git", NULL }, { ".git/hooks", NULL }, { NULL }, "2 names" },
	{ "worktree", { "main/", "main/hooks/", ".git=gitdir: main\n", NULL }, ".git/hooks",
		{ "main", NULL }, { ".git", "main/hooks", NULL }, { ".git/hooks", NULL }, NULL },
	{ "worktree of outside", { ".git=gitdir: ../outside\n", NULL }, ".git/hooks", { NULL },
		{ ".git", NULL }, { ".git/hooks", NULL }, NULL },
	{ "a .git of something else", { ".git=hello", NULL }, ".git/hooks", { NULL }, { NULL },
		{ ".git/hooks", NULL }, NULL },
};

static void
rules(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *const protect[] = { (char *)rows[i].rule, NULL };
		AUTO(plan) struct plan p = { 0 };
		struct jail_policy policy;
		const char *name = rows[i].name;
		void *state = NULL;

		assert_int_equal(make_dirs(&state), 0);
		struct dirs *d = state;
		for (size_t j = 0; rows[i].made[j]; j++)
			make_one(d, rows[i].made[j]);
		jail_policy_init(&policy);
		policy.desktop_dir = d->desk;
		policy.home_dir = d->home;
		policy.user = "dev";
		policy.hostname = "protect";
		policy.argv = command;
		policy.protect = protect;
		assert_row(name, plan_make(&policy, &p, NULL) == 0);
		assert_row(name, has_only(&p, d, PLAN_PIN, rows[i].pins));
		assert_row(name, has_only(&p, d, PLAN_PROTECT, rows[i].protects));
		assert_row(name, has_only(&p, d, PLAN_WATCH, rows[i].watches));
		assert_row(name, rows[i].note ? p.nnotes == 1 && strstr(p.notes[0], rows[i].note)
					      : p.nnotes == 0);
		remove_dirs(&state);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(rules) };

	return cmocka_run_group_tests_name("jail/protect", tests, NULL, NULL);
}
