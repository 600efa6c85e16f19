#include "../../lib/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/plan.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

static char *const command[] = { "sh", "-c", "true", NULL };

struct dirs {
	char base[64], desk[128], home[128];
};

static struct jail_policy
policy_for(const struct dirs *d)
{
	struct jail_policy p;

	jail_policy_init(&p);
	p.desktop_dir = d->desk;
	p.home_dir = d->home;
	p.user = "dev";
	p.hostname = "shop";
	p.argv = command;
	return p;
}

static const struct plan_step *
find(const struct plan *p, enum plan_op op, const char *to)
{
	for (size_t i = 0; i < p->nsteps; i++)
		if (p->steps[i].op == op && (!to || str_equal(p->steps[i].to, to)))
			return &p->steps[i];
	return NULL;
}

static const char *
env_of(const struct plan *p, const char *key)
{
	size_t len = strlen(key);

	for (char **e = p->env; *e; e++)
		if (!strncmp(*e, key, len) && (*e)[len] == '=')
			return *e + len + 1;
	return NULL;
}

static void
steps_stand_in_phases_with_reasons(void **state)
{
	struct jail_policy policy = policy_for(*state);
	AUTO(plan) struct plan p = { 0 };
	enum plan_phase last = PHASE_IDS;
	size_t seen[PHASE_COUNT] = { 0 };

	assert_int_equal(plan_make(&policy, &p, NULL), 0);
	for (size_t i = 0; i < p.nsteps; i++) {
		enum plan_phase phase = plan_op_phase(p.steps[i].op);

		assert_true(phase >= last);
		assert_true(p.steps[i].why && strlen(p.steps[i].why) > 2);
		last = phase;
		seen[phase]++;
	}
	for (size_t i = 0; i < PHASE_COUNT; i++)
		assert_row(plan_phase_name((enum plan_phase)i), seen[i] > 0);
	assert_true(
		p.steps[p.nsteps - 1].op == PLAN_EXEC && p.steps[p.nsteps - 2].op == PLAN_FILTER);
}

/* Each mount point is made before it is used, and nothing is made twice. */
static void
targets_have_parents(void **state)
{
	struct jail_policy policy = policy_for(*state);
	AUTO(plan) struct plan p = { 0 };

	assert_int_equal(plan_make(&policy, &p, NULL), 0);
	for (size_t i = 0; i < p.nsteps; i++) {
		const struct plan_step *s = &p.steps[i];
		AUTO(mem) char *parent = str_dup(s->to);
		char *slash = parent ? strrchr(parent, '/') : NULL;
		bool has_parent = !slash || s->op == PLAN_WATCH;

		if (slash)
			*slash = 0;
		for (size_t j = 0; j < i; j++) {
			bool is_same = s->to && str_equal(p.steps[j].to, s->to);

			has_parent = has_parent || (slash && str_equal(p.steps[j].to, parent));
			assert_row(s->to ? s->to : "", !is_same || p.steps[j].op != s->op);
		}
		assert_row(s->to ? s->to : "", has_parent);
	}
}

static void
what_is_shown(void **state)
{
	static const char *const never[] = { "etc/shadow", "etc/gshadow", "etc/sudoers", "etc/ssh",
		"etc/kubernetes", "root", "sys", "etc/cloud", "etc/krb5.keytab" };
	const struct dirs *d = *state;
	struct jail_policy policy = policy_for(d);
	AUTO(plan) struct plan p = { 0 };
	const struct plan_step *s;

	assert_int_equal(plan_make(&policy, &p, NULL), 0);
	for (size_t i = 0; i < ARRAY_LEN(never); i++)
		for (size_t j = 0; j < p.nsteps; j++)
			assert_row(never[i], !str_equal(p.steps[j].to, never[i]));
	s = find(&p, PLAN_BIND_RW, d->desk + 1);
	assert_non_null(s);
	assert_string_equal(p.trees[s->id].path, d->desk);
	s = find(&p, PLAN_BIND_RW, "home/dev");
	assert_non_null(s);
	assert_string_equal(p.trees[s->id].path, d->home);
	s = find(&p, PLAN_TEXT, "etc/passwd");
	assert_non_null(strstr(s->from, "\ndev:x:"));
	assert_non_null(find(&p, PLAN_BIND_RO, "usr"));
	assert_null(find(&p, PLAN_CONSOLE, NULL));
}

static void
ids(void **state)
{
	static const struct {
		const char *name;
		uid_t uid, inner;
	} rows[] = { { "ordinary user", 1234, 1234 }, { "root", 0, JAIL_ROOT_INNER_ID } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct jail_policy policy = policy_for(*state);
		AUTO(plan) struct plan p = { 0 };

		policy.uid = rows[i].uid;
		policy.gid = rows[i].uid;
		assert_int_equal(plan_make(&policy, &p, NULL), 0);
		assert_row(
			rows[i].name, p.inner_uid == rows[i].inner && p.inner_gid == rows[i].inner);
		assert_row(rows[i].name, p.outer_uid != 0 && p.outer_gid != 0);
		assert_row(rows[i].name,
			rows[i].uid ? p.outer_uid == rows[i].uid : p.outer_uid >= JAIL_ID_BASE);
	}
}

static void
environment(void **state)
{
	static char *const extra[] = { "SANDESK_DESKTOP=shop", "LANG=de_DE.UTF-8", "TERM=dumb",
		NULL };
	static const struct {
		const char *key, *value;
	} rows[] = {
		{ "HOME", "/home/dev" },
		{ "USER", "dev" },
		{ "LOGNAME", "dev" },
		{ "SHELL", "/bin/zsh" },
		{ "COLORTERM", "truecolor" },
		{ "SANDESK_DESKTOP", "shop" },
		{ "LANG", "de_DE.UTF-8" },
		{ "TERM", "dumb" },
		{ "PLAN_TEST_LEAK", NULL },
	};
	struct jail_policy policy = policy_for(*state);
	AUTO(plan) struct plan p = { 0 };
	size_t n = 0;

	setenv("PLAN_TEST_LEAK", "x", 1);
	policy.env = extra;
	policy.shell = "/bin/zsh";
	assert_int_equal(plan_make(&policy, &p, NULL), 0);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *value = env_of(&p, rows[i].key);

		assert_row(rows[i].key,
			rows[i].value ? value && str_equal(value, rows[i].value) : !value);
	}
	while (p.env[n])
		n++;
	assert_int_equal(n, 10); /* nine of its own, one more from the caller: replaced ones are not
				   there twice */
}

static void
bad_directories(void **state)
{
	const struct dirs *d = *state;
	AUTO(mem) char *missing = str_format("%s/missing", d->base);
	AUTO(mem) char *file = str_format("%s/file", d->base);
	AUTO(mem) char *link = str_format("%s/link", d->base);
	AUTO(mem) char *inside = str_format("%s/home", d->desk);
	const struct {
		const char *name, *desk, *home;
		int result;
		const char *says;
	} rows[] = {
		{ "missing Desktop", missing, d->home, -ENOENT, "missing" },
		{ "Desktop is a file", file, d->home, -ENOTDIR, "not a directory" },
		{ "Desktop by a symlink", link, d->home, -EINVAL, d->desk },
		{ "missing home", d->desk, missing, -ENOENT, "private home" },
		{ "home is the Desktop", d->desk, d->desk, -EINVAL, "lie in each other" },
		{ "home in the Desktop", d->desk, inside, -EINVAL, "lie in each other" },
		{ "Desktop in the state", inside, d->desk, -EINVAL, "lie in each other" },
		{ "relative", "x", d->home, -EINVAL, "absolute" },
		{ "root of all", "/", d->home, -EINVAL, "whole machine" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct jail_policy policy = policy_for(d);
		struct plan p = { 0 };
		struct err e = { 0 };

		policy.desktop_dir = rows[i].desk;
		policy.home_dir = rows[i].home;
		assert_row(rows[i].name, plan_make(&policy, &p, &e) == rows[i].result);
		assert_row(rows[i].name, strstr(e.msg, rows[i].says));
		assert_row(rows[i].name, !p.steps && !p.argv); /* untouched on failure */
	}
}

static void
printed(void **state)
{
	static char *const extra[] = { "TOKEN=hunter2", NULL };
	struct jail_policy policy = policy_for(*state);
	AUTO(plan) struct plan p = { 0 };
	AUTO(buf) struct buf text = { 0 };
	size_t lines = 0;

	policy.env = extra;
	policy.has_pty = true;
	assert_int_equal(plan_make(&policy, &p, NULL), 0);
	plan_print(&p, &text);
	for (const char *c = text.data; *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, p.nsteps);
	assert_non_null(strstr(text.data, "mounts    bind-ro      /usr from /usr  # "));
	assert_non_null(strstr(text.data, "limits    limit        core 1  # "));
	assert_non_null(find(&p, PLAN_CONSOLE, "dev/console"));
	assert_null(strstr(text.data, "hunter2"));
}

static int
make_dirs(void **state)
{
	struct dirs *d = mem_new(struct dirs);
	AUTO(mem) char *file = NULL;
	AUTO(mem) char *link = NULL;
	AUTO(mem) char *inside = NULL;
	FILE *f;

	strcpy(d->base, "/tmp/sandesk-plan-XXXXXX");
	if (!mkdtemp(d->base))
		return -1;
	snprintf(d->desk, sizeof d->desk, "%s/desk", d->base);
	snprintf(d->home, sizeof d->home, "%s/home", d->base);
	file = str_format("%s/file", d->base);
	link = str_format("%s/link", d->base);
	inside = str_format("%s/home", d->desk);
	if (mkdir(d->desk, 0700) || mkdir(d->home, 0700) || mkdir(inside, 0700) ||
		symlink(d->desk, link) || !(f = fopen(file, "w")))
		return -1;
	fclose(f);
	*state = d;
	return 0;
}

static int
remove_dirs(void **state)
{
	static const char *const names[] = { "file", "link", "desk/home", "desk", "home" };
	struct dirs *d = *state;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		AUTO(mem) char *path = str_format("%s/%s", d->base, names[i]);

		remove(path);
	}
	remove(d->base);
	mem_free(d);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_stand_in_phases_with_reasons),
		cmocka_unit_test(targets_have_parents),
		cmocka_unit_test(what_is_shown),
		cmocka_unit_test(ids),
		cmocka_unit_test(environment),
		cmocka_unit_test(bad_directories),
		cmocka_unit_test(printed),
	};

	return cmocka_run_group_tests_name("jail/plan", tests, make_dirs, remove_dirs);
}
