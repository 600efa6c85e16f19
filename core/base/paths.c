#include "sandesk/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandesk/base/err.h"
#include "sandesk/base/str.h"

/* A directory of ours: made 0700 when missing, refused when somebody else could put things
 * there. */
static int
own_dir(const char *path, const char *what, struct err *e)
{
	struct stat st;

	if (mkdir(path, 0700) < 0 && errno != EEXIST)
		return err_errno(e, -errno, "%s %s: cannot be made", what, path);
	if (lstat(path, &st) < 0)
		return err_errno(e, -errno, "%s %s", what, path);
	if (!S_ISDIR(st.st_mode))
		return err_set(e, -ENOTDIR, "%s %s: is not a directory; move it away", what, path);
	if (st.st_uid != geteuid())
		return err_set(e, -EPERM, "%s %s: belongs to user %u; remove it or set %s", what,
			path, (unsigned)st.st_uid,
			str_equal(what, "runtime directory") ? "XDG_RUNTIME_DIR"
							     : "XDG_STATE_HOME");
	if (st.st_mode & 077)
		return err_set(e, -EPERM, "%s %s: mode %03o lets others in; run: chmod 700 %s",
			what, path, st.st_mode & 0777, path);
	return 0;
}

static int
make_parents(const char *path, const char *what, struct err *e)
{
	char part[PATH_MAX];

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
		if (mkdir(part, 0700) < 0 && errno != EEXIST)
			return err_errno(e, -errno, "%s %s: cannot make %s", what, path, part);
	}
	return 0;
}

static const char *
absolute_env(const char *name)
{
	const char *value = getenv(name);

	/* the XDG rules: a relative path is ignored */
	return value && value[0] == '/' ? value : NULL;
}

static int
join(char to[PATH_MAX], const char *what, const char *a, const char *b, struct err *e)
{
	if (snprintf(to, PATH_MAX, "%s%s", a, b) >= PATH_MAX)
		return err_set(e, -ENAMETOOLONG,
			"%s: the path is too long; set a shorter HOME or XDG variable", what);
	return 0;
}

static int
find_runtime(struct paths *p, struct err *e)
{
	const char *base = absolute_env("XDG_RUNTIME_DIR");
	struct stat st;
	char keepers[PATH_MAX];
	int r;

	if (base && stat(base, &st) == 0 && st.st_uid != geteuid())
		return err_set(e, -EPERM,
			"runtime directory %s: belongs to user %u, not to you; unset "
			"XDG_RUNTIME_DIR or set it to your own",
			base, (unsigned)st.st_uid);
	if (base && access(base, F_OK) < 0)
		base = NULL; /* as after su: the variable is of another login, the directory is gone */
	if (base)
		r = join(p->runtime, "runtime directory", base, "/sandesk", e);
	else
		r = snprintf(p->runtime, sizeof p->runtime, "/tmp/sandesk-%u",
			    (unsigned)geteuid()) < 0
			    ? -EINVAL
			    : 0;
	if (r < 0 || (r = own_dir(p->runtime, "runtime directory", e)) < 0)
		return r;
	r = join(keepers, "runtime directory", p->runtime, "/keepers", e);
	return r < 0 ? r : own_dir(keepers, "runtime directory", e);
}

static int
find_below_home(char to[PATH_MAX], const char *what, const char *variable, const char *below_home,
	const char *tail, struct err *e)
{
	const char *base = absolute_env(variable), *home = absolute_env("HOME");
	char rest[128];

	if (base)
		return join(to, what, base, tail, e);
	if (!home)
		return err_set(e, -ENOENT, "%s: HOME is not set; set HOME or %s", what, variable);
	snprintf(rest, sizeof rest, "%s%s", below_home, tail);
	return join(to, what, home, rest, e);
}

static int
find_libexec(struct paths *p, struct err *e)
{
	char self[PATH_MAX], beside[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	char *slash;

	if (n < 0)
		return err_errno(e, -errno, "/proc/self/exe: cannot be read; mount /proc");
	self[n] = 0;
	slash = strrchr(self, '/');
	*slash = 0;
	if (snprintf(beside, sizeof beside, "%s/sandesk-daemon", self) < PATH_MAX &&
		access(beside, X_OK) == 0)
		return join(p->libexec, "programs", self, "", e);
	slash = strrchr(self, '/');
	if (slash)
		*slash = 0;
	return join(p->libexec, "programs", self, "/libexec/sandesk", e);
}

int
paths_init(struct paths *p, struct err *e)
{
	int r;

	*p = (struct paths){ 0 };
	/* first: doctor needs the programs where there is nothing else */
	if ((r = find_libexec(p, e)) < 0 || (r = find_runtime(p, e)) < 0)
		return r;
	if ((r = find_below_home(p->state, "state directory", "XDG_STATE_HOME", "/.local/state",
		     "/sandesk", e)) < 0)
		return r;
	if (access(p->state, F_OK) < 0 && (r = make_parents(p->state, "state directory", e)) < 0)
		return r;
	if ((r = own_dir(p->state, "state directory", e)) < 0)
		return r;
	return find_below_home(p->config, "configuration", "XDG_CONFIG_HOME", "/.config",
		"/sandesk/sandesk.ini", e);
}

int
paths_program(const struct paths *p, const char *program, char *to, size_t size, struct err *e)
{
	if (snprintf(to, size, "%s/%s", p->libexec, program) >= (int)size)
		return err_set(
			e, -ENAMETOOLONG, "%s: the path %s is too long", program, p->libexec);
	if (access(to, X_OK) < 0)
		return err_set(
			e, -ENOENT, "%s: is not at %s; run make, or make install", program, to);
	return 0;
}
