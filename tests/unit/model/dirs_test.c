#include "../../lib/check.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/dirs.h"
#include "model/registry.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/paths.h"

/*  ROOT/home/.local/state/sandesk   ROOT/run/sandesk
 *  ROOT/work/here   ROOT/work/file  ROOT/link -> work */
struct world {
	char root[PATH_MAX];
	char home[PATH_MAX + 8];
	struct paths paths;
};

static const char *const made[] = { "home", "home/.local", "home/.local/state",
	"home/.local/state/sandesk", "run", "run/sandesk", "work", "work/here" };

static char *
at(const struct world *w, const char *below)
{
	return str_format("%s/%s", w->root, below);
}

static int
setup(void **state)
{
	struct world *w = mem_new(struct world);
	char template[] = "/tmp/sandesk-dirs-XXXXXX";
	AUTO(mem) char *file = NULL, *link = NULL;

	assert_non_null(realpath(mkdtemp(template), w->root));
	snprintf(w->home, sizeof w->home, "%s/home", w->root);
	for (size_t i = 0; i < ARRAY_LEN(made); i++) {
		AUTO(mem) char *dir = at(w, made[i]);

		assert_int_equal(mkdir(dir, 0700), 0);
	}
	snprintf(w->paths.state, sizeof w->paths.state, "%.4000s/home/.local/state/sandesk",
		w->root);
	snprintf(w->paths.runtime, sizeof w->paths.runtime, "%.4000s/run/sandesk", w->root);
	file = at(w, "work/file");
	close(open(file, O_CREAT | O_WRONLY, 0600));
	link = at(w, "link");
	assert_int_equal(symlink("work", link), 0);
	*state = w;
	return 0;
}

static int
teardown(void **state)
{
	struct world *w = *state;
	AUTO(mem) char *file = at(w, "work/file"), *link = at(w, "link");

	unlink(file);
	unlink(link);
	for (size_t i = ARRAY_LEN(made); i-- > 0;) {
		AUTO(mem) char *dir = at(w, made[i]);

		rmdir(dir);
	}
	assert_int_equal(rmdir(w->root), 0);
	mem_free(w);
	return 0;
}

static const struct {
	const char *path; /* begins with / : as it is, else below ROOT */
	bool is_forced;
	int code;
	const char *want; /* canonical path below ROOT, or part of the message */
} rows[] = {
	{ "work/here", false, 0, "work/here" },
	{ "work/here/", false, 0, "work/here" },
	{ "work//here/.", false, 0, "work/here" },
	{ "work/here/../here", false, 0, "work/here" },
	{ "link/here", false, 0, "work/here" },
	{ "link/new/deep", false, 0, "work/new/deep" },
	{ "work/new//a/./b/", false, 0, "work/new/a/b" },
	{ "home/project", false, 0, "home/project" },
	{ "home/.local/share/x", false, 0, "home/.local/share/x" },
	{ "run/other", false, 0, "run/other" },
	{ "run/sandesk-more", false, 0, "run/sandesk-more" },
	{ "work/new/../../up", false, -ENOENT, "leave out the .." },
	{ "work/file/below", false, -ENOTDIR, "Not a directory" },
	{ "/", false, -EPERM, "cannot be a Desktop" },
	{ "/", true, -EPERM, "cannot be a Desktop" },
	{ "/proc", true, -EPERM, "each sandbox has of its own" },
	{ "/proc/new", false, -EPERM, "each sandbox has of its own" },
	{ "/sys/kernel", true, -EPERM, "each sandbox has of its own" },
	{ "/dev/shm", true, -EPERM, "each sandbox has of its own" },
	{ "/usr/share/doc", false, -EPERM, "the system's /usr" },
	{ "/etc", false, -EPERM, "--force" },
	{ "home", false, -EPERM, "is your home directory" },
	{ "home", true, 0, "home" },
	{ "home/.", false, -EPERM, "--force" },
	{ ".", false, -EPERM, "holds your home directory" },
	{ ".", true, 0, "" },
	{ "home/.local", true, -EPERM, "holds sandesk's own" },
	{ "home/.local/state", false, -EPERM, "holds sandesk's own" },
	{ "home/.local/state/sandesk", true, -EPERM, "lies in sandesk's own" },
	{ "home/.local/state/sandesk/homes/x", true, -EPERM, "lies in sandesk's own" },
	{ "run", false, -EPERM, "holds sandesk's own" },
	{ "run/sandesk", true, -EPERM, "lies in sandesk's own" },
	{ "run/sandesk/new", false, -EPERM, "lies in sandesk's own" },
};

static void
which_directories(void **state)
{
	const struct world *w = *state;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		AUTO(mem)
		char *path = rows[i].path[0] == '/' ? str_dup(rows[i].path) : at(w, rows[i].path);
		AUTO(mem) char *want = rows[i].want[0] ? at(w, rows[i].want) : str_dup(w->root);
		struct dir_request r = { .path = path,
			.is_forced = rows[i].is_forced,
			.paths = &w->paths,
			.homes = { w->home } };
		char got[PATH_MAX] = "";
		struct err e = { 0 };

		assert_row(rows[i].path, dirs_resolve(&r, got, &e) == rows[i].code);
		if (rows[i].code)
			assert_row(rows[i].path, !got[0] && strstr(e.msg, rows[i].want));
		else
			assert_row(rows[i].path, str_equal(got, want));
	}
}

static void
a_path_that_is_too_long_or_relative(void **state)
{
	const struct world *w = *state;
	AUTO(mem) char *longest = mem_zero(PATH_MAX + 2, 1);
	struct dir_request r = { .path = longest, .paths = &w->paths };
	char got[PATH_MAX];
	struct err e = { 0 };

	memset(longest, 'x', PATH_MAX + 1);
	longest[0] = '/';
	assert_int_equal(dirs_resolve(&r, got, &e), -ENAMETOOLONG);
	r.path = "work";
	assert_int_equal(dirs_resolve(&r, got, &e), -EINVAL);
}

static void
missing_ones_are_made_with_the_callers_umask(void **state)
{
	const struct world *w = *state;
	AUTO(mem) char *deep = at(w, "work/a/b"), *upper = at(w, "work/a");
	struct dir_request r = { .path = deep, .paths = &w->paths, .umask = 027 };
	struct stat st;
	mode_t before = umask(077);

	assert_int_equal(dirs_make(&r, deep, NULL), 0);
	assert_int_equal(dirs_make(&r, deep, NULL), 0); /* it is there: fine */
	assert_int_equal(stat(deep, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0750);
	assert_int_equal(umask(before), 077);
	rmdir(deep);
	rmdir(upper);
}

static void
what_cannot_be_used(void **state)
{
	const struct world *w = *state;
	AUTO(mem) char *file = at(w, "work/file"), *here = at(w, "work/here");
	struct dir_request r = { .paths = &w->paths };
	struct err e = { 0 };

	assert_int_equal(dirs_make(&r, file, &e), -ENOTDIR);
	assert_non_null(strstr(e.msg, "not a directory"));
	if (geteuid() == 0)
		return; /* modes do not stop root */
	chmod(here, 0500);
	assert_int_equal(dirs_make(&r, here, &e), -EACCES);
	assert_non_null(strstr(e.msg, "read-only"));
	chmod(here, 0300);
	assert_int_equal(dirs_make(&r, here, &e), -EACCES);
	assert_non_null(strstr(e.msg, "cannot be read"));
	chmod(here, 0700);
}

static void
a_desktops_directory_may_change_under_it(void **state)
{
	const struct world *w = *state;
	AUTO(mem) char *here = at(w, "work/here");
	struct desktop d = { .name = "shop", .dir = here };
	struct err e = { 0 };

	assert_int_equal(dirs_check(&d, &e), 0);
	assert_int_equal(rmdir(here), 0);
	assert_int_equal(dirs_check(&d, &e), -ENOENT);
	assert_non_null(strstr(e.msg, "Desktop shop: its directory"));
	assert_non_null(strstr(e.msg, "is gone"));
	/* what a session could try: a link to something better */
	assert_int_equal(symlink(w->home, here), 0);
	assert_int_equal(dirs_check(&d, &e), -ELOOP);
	assert_non_null(strstr(e.msg, "leads to"));
	unlink(here);
	close(open(here, O_CREAT | O_WRONLY, 0600));
	assert_int_equal(dirs_check(&d, &e), -ENOTDIR);
	unlink(here);
	assert_int_equal(mkdir(here, 0700), 0);
}

static void
private_homes(void **state)
{
	const struct world *w = *state;
	AUTO(mem) char *homes = str_format("%s/homes", w->paths.state);
	char home[PATH_MAX];
	struct stat st;
	struct err e = { 0 };

	assert_int_equal(dirs_home(&w->paths, "0123456789abcdef", home, &e), 0);
	assert_int_equal(stat(home, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	rmdir(home);
	assert_int_equal(symlink("/tmp", home), 0);
	assert_int_equal(dirs_home(&w->paths, "0123456789abcdef", home, &e), -ENOTDIR);
	unlink(home);
	rmdir(homes);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(which_directories, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_path_that_is_too_long_or_relative, setup, teardown),
		cmocka_unit_test_setup_teardown(
			missing_ones_are_made_with_the_callers_umask, setup, teardown),
		cmocka_unit_test_setup_teardown(what_cannot_be_used, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_desktops_directory_may_change_under_it, setup, teardown),
		cmocka_unit_test_setup_teardown(private_homes, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
