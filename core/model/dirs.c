#include "model/dirs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/registry.h"
#include "sandesk/base/err.h"
#include "sandesk/base/str.h"
#include "sandesk/paths.h"

static bool
is_inside(const char *path, const char *dir) /* or the same; both canonical */
{
	size_t len = strlen(dir);

	if (len == 1)
		return true; /* "/" */
	return strncmp(path, dir, len) == 0 && (!path[len] || path[len] == '/');
}

/* realpath() of what exists, and the rest as it stands: the directory may have to be made. */
static int
canonical(const char *path, char ret[PATH_MAX], struct err *e)
{
	char known[PATH_MAX];
	size_t end = strlen(path);

	if (path[0] != '/')
		return err_set(e, -EINVAL,
			"directory \"%s\": is not absolute; give a path that begins with /", path);
	if (end >= sizeof known)
		return err_set(e, -ENAMETOOLONG,
			"directory: the path has %zu bytes; at most %d are possible", end,
			PATH_MAX - 1);
	str_copy(known, sizeof known, path);
	while (!realpath(known, ret)) {
		if (errno != ENOENT || end <= 1)
			return err_errno(e, -errno, "directory %s", path);
		while (end > 1 && known[end - 1] == '/')
			end--;
		while (end > 1 && known[end - 1] != '/')
			end--;
		known[end] = 0;
	}
	while (path[end] == '/')
		end++;
	for (const char *part = path + end; *part; part += strspn(part, "/")) {
		size_t len = strcspn(part, "/");

		if (len == 2 && part[0] == '.' && part[1] == '.')
			return err_set(e, -ENOENT,
				"directory %s: goes up from what does not exist; leave out the ..",
				path);
		if (strlen(ret) + len + 2 > PATH_MAX)
			return err_set(
				e, -ENAMETOOLONG, "directory %s: the path is too long", path);
		if (len != 1 || part[0] != '.')
			snprintf(ret + strlen(ret), PATH_MAX - strlen(ret), "%s%.*s",
				str_equal(ret, "/") ? "" : "/", (int)len, part);
		part += len;
	}
	return 0;
}

/* A path of ours for comparison; the unresolved one when it does not resolve. */
static void
resolved(const char *path, char ret[PATH_MAX])
{
	if (!realpath(path, ret))
		str_copy(ret, PATH_MAX, path);
}

/* The first of the directories that the path lies in; NULL for none. */
static const char *
lies_in(const char *path, const char *const *dirs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_inside(path, dirs[i]))
			return dirs[i];
	return NULL;
}

static int
refuse_system(const struct dir_request *r, const char *path, struct err *e)
{
	static const char *const own[] = { "/proc", "/sys", "/dev" };
	static const char *const shared[] = { "/usr", "/etc", "/boot", "/bin", "/sbin", "/lib",
		"/lib32", "/lib64" };
	const char *in;

	if (str_equal(path, "/"))
		return err_set(e, -EPERM,
			"directory /: cannot be a Desktop; choose one below it with --dir");
	in = lies_in(path, own, ARRAY_LEN(own));
	if (in)
		return err_set(e, -EPERM,
			"directory %s: lies in %s, which each sandbox has of its own; choose "
			"another with --dir",
			path, in);
	in = r->is_forced ? NULL : lies_in(path, shared, ARRAY_LEN(shared));
	if (in)
		return err_set(e, -EPERM,
			"directory %s: lies in the system's %s, which sandboxes must not write; "
			"choose another with "
			"--dir, or say --force",
			path, in);
	return 0;
}

/* The user's home directory when it is the path or lies in it. */
static bool
holds_home(const struct dir_request *r, const char *path, char ret[PATH_MAX])
{
	for (size_t i = 0; i < ARRAY_LEN(r->homes); i++) {
		if (!r->homes[i])
			continue;
		resolved(r->homes[i], ret);
		if (!str_equal(ret, "/") &&
			is_inside(ret, path)) /* "/" is the home of those who have none */
			return true;
	}
	return false;
}

static int
refuse_own(const struct dir_request *r, const char *path, struct err *e)
{
	const char *const own[] = { r->paths->state, r->paths->runtime };
	char mine[PATH_MAX], home[PATH_MAX];
	bool is_home = holds_home(r, path, home);

	for (size_t i = 0; i < ARRAY_LEN(own); i++) {
		resolved(own[i], mine);
		if (is_inside(path, mine))
			return err_set(e, -EPERM,
				"directory %s: lies in sandesk's own %s; choose another with --dir",
				path, mine);
		if (is_inside(mine, path) && !is_home)
			return err_set(e, -EPERM,
				"directory %s: holds sandesk's own %s; choose another with --dir",
				path, mine);
	}
	if (!is_home || r->is_forced)
		return 0;
	return err_set(e, -EPERM,
		"directory %s: %s your home directory, keys and passwords with it; choose another "
		"with --dir, or "
		"say --force",
		path, str_equal(home, path) ? "is" : "holds");
}

int
dirs_resolve(const struct dir_request *r, char ret[PATH_MAX], struct err *e)
{
	char path[PATH_MAX];
	int rc = canonical(r->path, path, e);

	if (!rc)
		rc = refuse_system(r, path, e);
	if (!rc)
		rc = refuse_own(r, path, e);
	if (!rc)
		str_copy(ret, PATH_MAX, path);
	return rc;
}

static int
make_all(const char *path, struct err *e)
{
	char part[PATH_MAX];

	for (const char *p = path; p;) {
		p = strchr(p + 1, '/');
		snprintf(part, sizeof part, "%.*s", p ? (int)(p - path) : PATH_MAX - 1, path);
		if (mkdir(part, 0777) < 0 && errno != EEXIST)
			return err_errno(
				e, -errno, "directory %s: cannot be made at %s", path, part);
	}
	return 0;
}

/* Can a session work there? */
static int
check_usable(const char *path, struct err *e)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return err_errno(e, -errno, "directory %s", path);
	if (!S_ISDIR(st.st_mode))
		return err_set(e, -ENOTDIR,
			"directory %s: is not a directory; choose another, or move the file away",
			path);
	if (faccessat(AT_FDCWD, path, R_OK | X_OK, AT_EACCESS) < 0)
		return err_set(e, -errno,
			"directory %s: cannot be read; run chmod u+rx on it, or choose another",
			path);
	if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0)
		return err_set(e, -errno,
			"directory %s: is read-only; make it writable, or choose another", path);
	return 0;
}

int
dirs_make(const struct dir_request *r, const char *path, struct err *e)
{
	mode_t saved;
	int rc;

	if (access(path, F_OK) == 0)
		return check_usable(path, e);
	saved = umask(r->umask); /* ours is 077; the directory is the caller's */
	rc = make_all(path, e);
	umask(saved);
	return rc < 0 ? rc : check_usable(path, e);
}

int
dirs_check(const struct desktop *d, struct err *e)
{
	char now[PATH_MAX];

	if (!realpath(d->dir, now)) {
		if (errno == ENOENT)
			return err_set(e, -ENOENT,
				"Desktop %s: its directory %s is gone; make it again, or remove "
				"the Desktop",
				d->name, d->dir);
		return err_errno(e, -errno, "Desktop %s: its directory %s", d->name, d->dir);
	}
	if (!str_equal(now, d->dir))
		return err_set(e, -ELOOP,
			"Desktop %s: its directory %s leads to %s now; put the directory back",
			d->name, d->dir, now);
	return check_usable(d->dir, e) < 0 ? err_wrap(e, "Desktop %s", d->name) : 0;
}

int
dirs_home(const struct paths *p, const char *desktop_id, char ret[PATH_MAX], struct err *e)
{
	struct stat st;

	if (snprintf(ret, PATH_MAX, "%s/homes", p->state) >= PATH_MAX - ID_BYTES - 1)
		return err_set(
			e, -ENAMETOOLONG, "state directory %s: the path is too long", p->state);
	if (mkdir(ret, 0700) < 0 && errno != EEXIST)
		return err_errno(e, -errno, "private home %s: cannot be made", ret);
	snprintf(ret + strlen(ret), PATH_MAX - strlen(ret), "/%s", desktop_id);
	if (mkdir(ret, 0700) < 0 && errno != EEXIST)
		return err_errno(e, -errno, "private home %s: cannot be made", ret);
	if (lstat(ret, &st) < 0 || !S_ISDIR(st.st_mode))
		return err_set(
			e, -ENOTDIR, "private home %s: is not a directory; move it away", ret);
	return 0;
}
