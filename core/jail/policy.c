#include "jail/policy.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "sandesk/base/str.h"

enum { PATH_BYTES = 4096 };

/* What tools on the host run or obey without asking, in a directory that git works in. */
static char *const protect_default[] = { ".git/hooks", ".git/config", NULL };

void
jail_policy_init(struct jail_policy *p)
{
	*p = (struct jail_policy){
		.uid = geteuid(),
		.gid = getegid(),
		.protect = protect_default,
		.limits = {
			.processes = 4096,
			.files = 65536,
			.scratch_bytes = 1ULL << 30,
			.scratch_inodes = 200000,
			.ptys = 256,
		},
	};
}

/* Whether a path has no empty, "." or ".." part and no trailing slash: then it can be compared as
 * text. */
static bool
is_canonical(const char *path)
{
	if (path[0] != '/')
		return false;
	for (const char *part = path + 1;; part++) {
		size_t len = strcspn(part, "/");

		if (!len || (len == 1 && part[0] == '.') ||
			(len == 2 && part[0] == '.' && part[1] == '.'))
			return false;
		part += len;
		if (!*part)
			return true;
	}
}

static int
check_path(const char *what, const char *path, struct err *e)
{
	if (!path || !*path)
		return err_set(e, -EINVAL, "%s: no path given", what);
	if (path[0] != '/')
		return err_set(
			e, -EINVAL, "%s: the path must be absolute; give it from / on", what);
	if (!path[1])
		return err_set(e, -EINVAL,
			"%s: / would show the whole machine; choose a directory below it", what);
	if (strlen(path) >= PATH_BYTES)
		return err_set(e, -EINVAL, "%s: the path has over %d bytes", what, PATH_BYTES - 1);
	if (!is_canonical(path))
		return err_set(e, -EINVAL,
			"%s: the path must be without //, /./, /../ and trailing slash", what);
	return 0;
}

/* Trees that the sandbox gets from somewhere else: to share them read-write would open the wall
 * that they are. */
static int
check_desktop(const char *path, struct err *e)
{
	static const char *const whole[] = { "/usr", "/etc", "/bin", "/sbin", "/lib", "/lib32",
		"/lib64", "/libx32", "/opt", "/run", "/var", "/boot" };
	static const char *const below[] = { "/proc", "/sys", "/dev", "/etc", "/bin", "/sbin",
		"/lib", "/lib32", "/lib64", "/libx32", "/boot" };
	int r = check_path("Desktop's directory", path, e);

	for (size_t i = 0; !r && i < ARRAY_LEN(whole); i++)
		if (str_equal(path, whole[i]))
			r = err_set(e, -EINVAL,
				"Desktop's directory: %s belongs to the system; choose a directory "
				"of your own",
				path);
	for (size_t i = 0; !r && i < ARRAY_LEN(below); i++) {
		size_t len = strlen(below[i]);

		if (str_has_prefix(path, below[i]) && (!path[len] || path[len] == '/'))
			r = err_set(e, -EINVAL,
				"Desktop's directory: %s lies in %s, which a sandbox has of its "
				"own; choose another",
				path, below[i]);
	}
	return r;
}

/* Letters that need no quoting in passwd(5), group(5) and hosts(5), where these words are written.
 */
static int
check_word(const char *what, const char *word, size_t max, const char *extra, struct err *e)
{
	size_t len = word ? strlen(word) : 0;

	if (!len)
		return err_set(e, -EINVAL, "%s: is empty", what);
	if (len > max)
		return err_set(e, -EINVAL, "%s: has over %zu bytes", what, max);
	if (word[0] == '-' || word[0] == '.')
		return err_set(e, -EINVAL, "%s: must not begin with - or .", what);
	for (const char *c = word; *c; c++)
		if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
			    (*c >= '0' && *c <= '9') || strchr(extra, *c)))
			return err_set(e, -EINVAL, "%s: only letters, digits and %s", what, extra);
	return 0;
}

static int
check_list(const char *what, char *const *list, struct err *e)
{
	for (size_t i = 0; list && list[i]; i++) {
		if (i >= JAIL_ARGS_MAX)
			return err_set(e, -EINVAL, "%s: over %d entries", what, JAIL_ARGS_MAX);
		if (strlen(list[i]) >= JAIL_ARG_BYTES)
			return err_set(e, -EINVAL, "%s: entry %zu has over %d bytes", what, i,
				JAIL_ARG_BYTES - 1);
	}
	return 0;
}

static int
check_env(char *const *env, struct err *e)
{
	for (size_t i = 0; env && env[i]; i++) {
		size_t key = strcspn(env[i], "=");

		if (!key || env[i][key] != '=')
			return err_set(e, -EINVAL, "environment: entry %zu is not KEY=VALUE", i);
	}
	return check_list("environment", env, e);
}

static int
check_limits(const struct jail_limits *l, struct err *e)
{
	if (l->processes < 2)
		return err_set(e, -EINVAL,
			"limits: a sandbox needs at least 2 processes (init and the command)");
	if (l->files < 16)
		return err_set(e, -EINVAL, "limits: a command needs at least 16 open files");
	if (l->scratch_bytes < 1 << 20)
		return err_set(e, -EINVAL, "limits: scratch space must be at least 1 MiB");
	if (l->scratch_inodes < 1024)
		return err_set(e, -EINVAL, "limits: scratch space needs at least 1024 inodes");
	if (l->ptys < 1)
		return err_set(e, -EINVAL, "limits: a sandbox needs at least 1 pty");
	return 0;
}

static int
check_words(const struct jail_policy *p, struct err *e)
{
	int r = check_word("user", p->user, JAIL_USER_BYTES, "._-", e);

	return r ? r : check_word("hostname", p->hostname, JAIL_HOSTNAME_BYTES, ".-_", e);
}

int
jail_policy_check(const struct jail_policy *p, struct err *e)
{
	int r = check_desktop(p->desktop_dir, e);

	r = r ? r : check_path("private home", p->home_dir, e);
	r = r ? r : check_words(p, e);
	if (!r && p->workdir && !str_equal(p->workdir, "/"))
		r = check_path("working directory", p->workdir, e);
	if (!r && p->shell)
		r = check_path("shell", p->shell, e);
	if (!r && p->lang)
		r = check_word("LANG", p->lang, 64, "._-@", e);
	if (!r && (!p->argv || !p->argv[0] || !*p->argv[0]))
		r = err_set(e, -EINVAL, "command: is empty");
	r = r ? r : check_list("command", p->argv, e);
	r = r ? r : check_env(p->env, e);
	return r ? r : check_limits(&p->limits, e);
}
