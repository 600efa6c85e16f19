/* protect.c - paths of the Desktop's directory that no session may write, replace or move.
 * Contract:  what is there becomes a read-only mount of itself; each directory above it, inside the
 *            Desktop's, a mount of itself, so that it cannot be renamed or removed. Every session of
 *            the Desktop has the same mounts, so that none of them can loosen another's. Nothing is
 *            created in the user's tree: what is not there is looked for when the session ends.
 *
 *            desk/            desk/.git        desk/.git/hooks
 *            the Desktop  ->  pinned (rw)  ->  protected (ro)
 *
 * Limits:    a symlink on the way can be replaced, and a file with a second name be written by that
 *            name: both become notes. Whoever writes from outside of a sandbox is not held up.
 * Source:    rename(2), EBUSY; mount_namespaces(7).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/plan-parts.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

enum {
	NAMES_MAX = 1000,   /* of a protected directory, looked at for second names */
	GITFILE_MAX = 4096, /* a .git that is a file */
};

static bool
has_step(const struct plan *p, enum plan_op op, const char *to)
{
	for (size_t i = 0; i < p->nsteps; i++)
		if (p->steps[i].op == op && str_equal(p->steps[i].to, to))
			return true;
	return false;
}

/* Pins every directory between the Desktop's and `path`, the outermost first. Both are absolute. */
static void
pin_above(struct plan *p, const char *path, const char *desktop)
{
	AUTO(mem) char *dir = str_dup(path);

	for (char *c = dir + strlen(desktop) + 1; (c = strchr(c, '/')); c++) {
		*c = 0;
		if (!has_step(p, PLAN_PIN, dir + 1))
			plan_add(p, (struct plan_draft){ PLAN_PIN, .to = dir + 1,
					    .why = "holds a protected path: cannot be moved" });
		*c = '/';
	}
}

static void
look_for_names(struct plan *p, int at, const char *name, const char *shown)
{
	struct stat st;

	if (!fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode) && st.st_nlink > 1)
		plan_note(p,
			"protect %s: the file has %ju names and can be written by another one; "
			"replace it by a copy",
			shown, (uintmax_t)st.st_nlink);
}

static void
look_in(struct plan *p, const char *path, const char *shown)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	for (int i = 0; dir && i < NAMES_MAX && (entry = readdir(dir)); i++)
		look_for_names(p, fd, entry->d_name, shown);
	if (dir)
		closedir(dir);
	else
		fd_close(fd);
}

/* `real` has no symlink and lies in the Desktop's directory. */
static void
protect_real(struct plan *p, const char *real, const char *desktop, const char *shown)
{
	struct stat st;

	if (has_step(p, PLAN_PROTECT, real + 1) || lstat(real, &st))
		return;
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
		plan_note(p, "protect %s: is neither a file nor a directory", shown);
		return;
	}
	if (S_ISDIR(st.st_mode))
		look_in(p, real, shown);
	else
		look_for_names(p, AT_FDCWD, real, shown);
	pin_above(p, real, desktop);
	plan_add(p, (struct plan_draft){ PLAN_PROTECT, .to = real + 1,
			    .why = "host tools run or obey what lies here: read-only" });
}

static void
protect_path(struct plan *p, const char *path, const char *desktop, const char *shown)
{
	char real[PATH_MAX];
	struct stat st;

	if (!realpath(path, real)) {
		int error = errno;

		if ((error == ENOENT || error == ENOTDIR) && lstat(path, &st))
			plan_add(p,
				(struct plan_draft){ PLAN_WATCH, .to = path + 1,
					.why = "is not there: looked for when the session ends" });
		else
			plan_note(p, "protect %s: cannot be followed: %s", shown, strerror(error));
		return;
	}
	if (!str_equal(real, path))
		plan_note(p, "protect %s: goes through a symlink, which can be replaced", shown);
	if (plan_lies_in(real, desktop) && !str_equal(real, desktop))
		protect_real(p, real, desktop, shown);
}

/* In a worktree or submodule .git is a file that says where the real one lies (gitrepository-layout(5)).
 * False when it is not such a file. */
static bool
read_gitfile(const char *path, char *to, size_t size)
{
	AUTO(fd) int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char text[GITFILE_MAX];
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	n = fd_read_all(fd, text, sizeof text - 1);
	text[n > 0 ? n : 0] = 0;
	text[strcspn(text, "\r\n")] = 0;
	return str_has_prefix(text, "gitdir: ") && str_copy(to, size, text + strlen("gitdir: "));
}

/* The file itself says which hooks are run, so that it is protected, too. */
static void
protect_gitfile(struct plan *p, const char *desktop, const char *below)
{
	AUTO(mem) char *file = str_format("%s/.git", desktop);
	char where[GITFILE_MAX], real[PATH_MAX];
	AUTO(mem) char *dir = NULL;
	AUTO(mem) char *path = NULL;

	if (!read_gitfile(file, where, sizeof where))
		return;
	protect_real(p, file, desktop, ".git");
	dir = where[0] == '/' ? str_dup(where) : str_format("%s/%s", desktop, where);
	if (!realpath(dir, real) || !plan_lies_in(real, desktop) || str_equal(real, desktop))
		return; /* not to be seen inside */
	path = str_format("%s/%s", real, below);
	protect_path(p, path, desktop, below);
}

void
plan_protect(struct plan *p, const struct jail_policy *policy)
{
	const char *desktop = policy->desktop_dir;

	for (char *const *rule = policy->protect; rule && *rule; rule++) {
		AUTO(mem) char *path = str_format("%s/%s", desktop, *rule);

		if (str_has_prefix(*rule, ".git/"))
			protect_gitfile(p, desktop, *rule + strlen(".git/"));
		protect_path(p, path, desktop, *rule);
	}
}
