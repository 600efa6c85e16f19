#include "jail/plan.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/plan-parts.h"
#include "jail/tables.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

void
plan_add(struct plan *p, struct plan_draft d)
{
	if (p->nsteps == p->room) {
		p->room = p->room ? p->room * 2 : 128;
		p->steps = mem_grow(p->steps, p->room, sizeof *p->steps);
	}
	p->steps[p->nsteps++] = (struct plan_step){ .op = d.op,
		.from = str_dup(d.from),
		.to = str_dup(d.to),
		.number = d.number,
		.id = d.id,
		.why = d.why };
}

void
plan_note(struct plan *p, const char *fmt, ...)
{
	char text[ERR_MSG_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	p->notes = mem_grow(p->notes, p->nnotes + 1, sizeof *p->notes);
	p->notes[p->nnotes++] = str_dup(text);
}

static void
add_from(struct plan *p, enum plan_op op, const char *from, const char *to, const char *why)
{
	plan_add(p, (struct plan_draft){ .op = op, .from = from, .to = to, .why = why });
}

bool
plan_lies_in(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	return str_has_prefix(path, dir) && (!path[len] || path[len] == '/');
}

static bool
has_target(const struct plan *p, const char *to)
{
	for (size_t i = 0; i < p->nsteps; i++)
		if (str_equal(p->steps[i].to, to))
			return true;
	return false;
}

/* Makes the directories above `to`, and `to` itself, once each. `to` has no leading slash. */
static void
add_dirs(struct plan *p, const char *to, const char *why)
{
	AUTO(mem) char *path = str_dup(to);

	for (char *c = path;; c++) {
		char saved = *c;

		if (saved && saved != '/')
			continue;
		*c = 0;
		if (!has_target(p, path))
			plan_add(p, (struct plan_draft){
					    PLAN_DIR, .to = path, .number = 0755, .why = why });
		*c = saved;
		if (!saved)
			return;
	}
}

static void
plan_ids(struct plan *p)
{
	AUTO(mem)
	char *map = str_format(
		"uid %u:%u gid %u:%u", p->inner_uid, p->outer_uid, p->inner_gid, p->outer_gid);

	plan_add(p,
		(struct plan_draft){ PLAN_IDS, .from = map,
			.why = p->is_root
				       ? "one id, out of a range that nobody owns: never outer root"
				       : "one id: inside and outside are the same user, and nobody "
					 "else exists" });
	plan_add(p, (struct plan_draft){ PLAN_DIE,
			    .why = "when the keeper dies, at any instant, the sandbox is killed" });
}

/* One host directory or symlink at the top of the tree. */
static void
plan_root(struct plan *p, const char *path, const char *why)
{
	char target[PATH_MAX];
	struct stat st;
	ssize_t n;

	if (lstat(path, &st))
		return;
	if (S_ISLNK(st.st_mode)) {
		n = readlink(path, target, sizeof target - 1);
		if (n <= 0)
			return;
		target[n] = 0;
		add_from(p, PLAN_LINK, target, path + 1, "the same symlink as on the host");
	} else if (S_ISDIR(st.st_mode)) {
		plan_add(p, (struct plan_draft){ PLAN_DIR, .to = path + 1, .number = 0755,
				    .why = "mount point" });
		add_from(p, PLAN_BIND_RO, path, path + 1, why);
	}
}

enum { COPY_MAX = 8 << 10 };

/* One name of the allow-list in /etc: small files are copied, because a mount costs more; the rest
 * is bound. */
static void
plan_etc_name(struct plan *p, const char *name, const char *why)
{
	AUTO(mem) char *path = str_format("/etc/%s", name);
	char target[PATH_MAX];
	struct stat st;
	ssize_t n;

	if (lstat(path, &st))
		return;
	if (S_ISLNK(st.st_mode)) {
		n = readlink(path, target, sizeof target - 1);
		target[n > 0 ? n : 0] = 0;
		if (n > 0)
			add_from(p, PLAN_LINK, target, path + 1, why);
		return;
	}
	if (!(st.st_mode & S_IROTH))
		return;
	if (S_ISREG(st.st_mode) && st.st_size <= COPY_MAX) {
		plan_add(p, (struct plan_draft){
				    PLAN_COPY, path, path + 1, why, .number = st.st_mode & 0555 });
	} else if (S_ISDIR(st.st_mode)) {
		plan_add(p, (struct plan_draft){ PLAN_DIR, .to = path + 1, .number = 0755,
				    .why = "mount point" });
		add_from(p, PLAN_BIND_RO, path, path + 1, why);
	} else if (S_ISREG(st.st_mode)) {
		plan_add(p, (struct plan_draft){
				    PLAN_TEXT, "", path + 1, "mount point", .number = 0444 });
		add_from(p, PLAN_BIND_RO, path, path + 1, why);
	}
}

static void
add_text(struct plan *p, const char *to, const char *text, const char *why)
{
	plan_add(p, (struct plan_draft){ PLAN_TEXT, text, to, why, .number = 0444 });
}

/* Files of /etc that name users and hosts: the sandbox's own, because the host's would name others.
 */
static void
plan_etc_own(struct plan *p, const struct jail_policy *policy, const char *shell)
{
	AUTO(mem)
	char *passwd =
		str_format("root:x:0:0:root:/root:/usr/sbin/nologin\n"
			   "%s:x:%u:%u:%s:%s:%s\n"
			   "nobody:x:65534:65534:everybody else:/nonexistent:/usr/sbin/nologin\n",
			policy->user, p->inner_uid, p->inner_gid, policy->user, p->home, shell);
	AUTO(mem)
	char *group =
		str_format("root:x:0:\n%s:x:%u:\nnogroup:x:65534:\n", policy->user, p->inner_gid);
	AUTO(mem)
	char *hosts =
		str_format("127.0.0.1 localhost %s\n::1 localhost ip6-localhost ip6-loopback\n",
			policy->hostname);
	AUTO(mem) char *hostname = str_format("%s\n", policy->hostname);

	add_text(p, "etc/passwd", passwd, "names of the one user there is");
	add_text(p, "etc/group", group, "names of the one group there is");
	add_text(p, "etc/hosts", hosts, "only itself");
	add_text(p, "etc/hostname", hostname, "only itself");
	add_text(p, "etc/resolv.conf", "# no network but loopback\n",
		"the host's name server is not reachable");
	add_text(p, "etc/nsswitch.conf",
		"passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nnetworks: "
		"files\nprotocols: files\n"
		"services: files\n",
		"no name service of the host is reachable");
}

static void
plan_etc_all(struct plan *p, const struct jail_policy *policy, const char *shell)
{
	plan_add(p, (struct plan_draft){ PLAN_DIR, .to = "etc", .number = 0755,
			    .why = "own: filled from an allow-list" });
	for (size_t i = 0; i < ARRAY_LEN(plan_etc); i++)
		plan_etc_name(p, plan_etc[i].name, plan_etc[i].why);
	plan_etc_own(p, policy, shell);
}

static void
plan_dev(struct plan *p, const struct jail_policy *policy)
{
	plan_add(p, (struct plan_draft){ PLAN_DIR, .to = "dev", .number = 0755,
			    .why = "own: no device of the host but harmless ones" });
	for (size_t i = 0; i < ARRAY_LEN(plan_devices); i++) {
		AUTO(mem) char *path = str_format("/dev/%s", plan_devices[i].name);

		plan_add(p,
			(struct plan_draft){ PLAN_DEVICE, path, path + 1, "programs expect it",
				.number = makedev(plan_devices[i].major, plan_devices[i].minor) });
	}
	for (size_t i = 0; i < ARRAY_LEN(plan_dev_links); i++) {
		AUTO(mem) char *to = str_format("dev/%s", plan_dev_links[i].name);

		add_from(p, PLAN_LINK, plan_dev_links[i].target, to, "programs expect it");
	}
	plan_add(p, (struct plan_draft){
			    PLAN_DIR, .to = "dev/pts", .number = 0755, .why = "mount point" });
	plan_add(p, (struct plan_draft){ PLAN_PTS, .to = "dev/pts", .number = policy->limits.ptys,
			    .why = "own instance: the host's terminals are not in it; capped" });
	if (policy->has_pty)
		plan_add(p, (struct plan_draft){ PLAN_CONSOLE, .to = "dev/console",
				    .why = "the session's terminal by a name, for ttyname(3)" });
	plan_add(p, (struct plan_draft){ PLAN_SCRATCH, .to = "dev/shm", .number = 01777,
			    .why = "shared memory of its own" });
}

static void
plan_scratch(struct plan *p)
{
	const char *desktop = p->trees[PLAN_TREE_DESKTOP].path;
	AUTO(mem) char *runtime_dir = str_format("/run/user/%u", p->inner_uid);

	plan_add(p, (struct plan_draft){ PLAN_SCRATCH, .to = "tmp", .number = 01777,
			    .why = "private; counts against the root's size" });
	plan_add(p, (struct plan_draft){ PLAN_SCRATCH, .to = "run", .number = 0755,
			    .why = "private: no socket of the host" });
	plan_add(p, (struct plan_draft){ PLAN_DIR, .to = "run/user", .number = 0755,
			    .why = "sockets of the user's own services" });
	plan_add(p, (struct plan_draft){ PLAN_DIR, .to = runtime_dir + 1, .number = 0700,
			    .why = "XDG_RUNTIME_DIR: else agents make their sockets in the home" });
	plan_add(p, (struct plan_draft){ PLAN_DIR, .to = "var", .number = 0755, .why = "own" });
	add_from(p, PLAN_LINK, "../run", "var/run", "the old name of /run");
	if (plan_lies_in(desktop, "/var/tmp"))
		plan_add(p, (struct plan_draft){ PLAN_SCRATCH, .to = "var/tmp", .number = 01777,
				    .why = "private" });
	else
		add_from(
			p, PLAN_LINK, "../tmp", "var/tmp", "private: nothing outlives the session");
}

static void
plan_tree_mount(struct plan *p, size_t tree, const char *at, const char *why)
{
	add_dirs(p, at + 1, "way to a mount point; nothing else of it is visible");
	plan_add(p,
		(struct plan_draft){ PLAN_BIND_RW, p->trees[tree].path, at + 1, why, .id = tree });
}

/* The default profile's is unmasked, because an inner sandbox could mount no other. */
static void
plan_proc(struct plan *p)
{
	plan_add(p,
		(struct plan_draft){ PLAN_PROC, .to = "proc", .why = "of the new pid namespace" });
	if (!p->is_strict)
		return;
	plan_add(p, (struct plan_draft){ PLAN_NO_NESTING,
			    .why = "no user namespace inside, and so no right in any other" });
	for (size_t i = 0; i < ARRAY_LEN(plan_proc_masks); i++) {
		AUTO(mem) char *to = str_format("proc/%s", plan_proc_masks[i].name);

		plan_add(p,
			(struct plan_draft){ plan_proc_masks[i].is_hidden ? PLAN_MASK : PLAN_FREEZE,
				.to = to, .why = plan_proc_masks[i].why });
	}
}

static void
plan_mounts(struct plan *p, const struct jail_policy *policy, const char *shell)
{
	plan_add(p,
		(struct plan_draft){ PLAN_ROOT, .number = policy->limits.scratch_bytes,
			.id = policy->limits.scratch_inodes,
			.why = "an empty root in memory, capped: what is not put into it does not "
			       "exist" });
	for (size_t i = 0; i < ARRAY_LEN(plan_roots); i++)
		plan_root(p, plan_roots[i].path, plan_roots[i].why);
	plan_etc_all(p, policy, shell);
	plan_dev(p, policy);
	plan_add(p, (struct plan_draft){
			    PLAN_DIR, .to = "proc", .number = 0555, .why = "mount point" });
	plan_proc(p);
	plan_scratch(p);
	plan_tree_mount(p, PLAN_TREE_HOME, p->home, "private home, kept per Desktop");
	plan_tree_mount(p, PLAN_TREE_DESKTOP, p->trees[PLAN_TREE_DESKTOP].path,
		"the Desktop's directory, at its own path");
	plan_protect(p, policy);
}

static void
plan_limits(struct plan *p, const struct jail_limits *l)
{
	const struct {
		const char *name;
		uint64_t id, number;
		const char *why;
	} rows[] = {
		{ "core", RLIMIT_CORE, 1,
			"no memory image is written, nor piped to a host program: 0 forbids the "
			"file alone (core(5))" },
		{ "processes", RLIMIT_NPROC, l->processes,
			"a fork bomb ends here; set inside the user namespace" },
		{ "files", RLIMIT_NOFILE, l->files, "open files of one process" },
		{ "file-bytes", RLIMIT_FSIZE, l->file_bytes ? l->file_bytes : RLIM_INFINITY,
			"size of one file" },
		{ "data", RLIMIT_DATA, l->data_bytes ? l->data_bytes : RLIM_INFINITY,
			"memory of one process, where no control group holds all of them" },
		{ "nice", RLIMIT_NICE, 0, "never before the host's processes" },
		{ "realtime", RLIMIT_RTPRIO, 0, "never before the host's processes" },
		{ "signals", RLIMIT_SIGPENDING, 4096, "kernel memory of queued signals" },
		{ "queues", RLIMIT_MSGQUEUE, 1 << 20, "kernel memory of message queues" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		plan_add(p, (struct plan_draft){ PLAN_LIMIT, rows[i].name, NULL, rows[i].why,
				    rows[i].number, rows[i].id });
}

/* What follows the mounts; nothing in it depends on the policy but the limits. */
static void
plan_walls(struct plan *p, const struct jail_policy *policy)
{
	plan_add(p, (struct plan_draft){ PLAN_PIVOT,
			    .why = "the host's tree is detached; the root becomes read-only" });
	plan_limits(p, &policy->limits);
	plan_add(p, (struct plan_draft){ PLAN_CAPS,
			    .why = "bounding, ambient, permitted sets empty; securebits locked" });
	plan_add(p,
		(struct plan_draft){ PLAN_NNP, .why = "no program can gain rights: setuid and file "
						      "capabilities do nothing" });
	plan_add(p, (struct plan_draft){ PLAN_SCOPE,
			    .why = "second wall where the kernel has Landlock 6: no signal "
				   "and no abstract socket leaves the sandbox" });
	plan_add(p, (struct plan_draft){ PLAN_FILTER,
			    .why = "system calls: refused unless listed (jail/syscalls.h)" });
	plan_add(p, (struct plan_draft){ PLAN_EXEC, policy->argv[0],
			    .why = "own session and group, default signals, own environment" });
}

static int
plan_tree_look(const char *what, const char *path, struct plan_tree *ret, struct err *e)
{
	char real[PATH_MAX];
	struct stat st;

	if (stat(path, &st))
		return err_errno(e, -errno, "%s %s", what, path);
	if (!S_ISDIR(st.st_mode))
		return err_set(e, -ENOTDIR, "%s %s: is not a directory", what, path);
	if (access(path, R_OK | X_OK))
		return err_errno(e, -errno, "%s %s", what, path);
	if (!realpath(path, real))
		return err_errno(e, -errno, "%s %s", what, path);
	if (!str_equal(real, path))
		return err_set(
			e, -EINVAL, "%s %s: goes through a symlink; give %s", what, path, real);
	*ret = (struct plan_tree){ str_dup(path), st.st_dev, st.st_ino, st.st_uid, st.st_gid };
	return 0;
}

/* The first place for the home that neither hides the Desktop's directory nor lies in it. */
static char *
choose_home(const char *user, const char *desktop)
{
	static const char *const places[] = { "/home/", "/home/sandesk-", "/var/home/" };

	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		AUTO(mem) char *home = str_format("%s%s", places[i], user);

		if (!plan_lies_in(home, desktop) && !plan_lies_in(desktop, home))
			return mem_take(home);
	}
	return NULL;
}

static char **
copy_list(char *const *list)
{
	size_t n = 0;
	char **copy;

	while (list && list[n])
		n++;
	copy = mem_zero(n + 1, sizeof *copy);
	for (size_t i = 0; i < n; i++)
		copy[i] = str_dup(list[i]);
	return copy;
}

/* Sets KEY=VALUE, replacing an earlier one of the same key. `list` has room. */
static void
env_put(char **list, const char *entry)
{
	size_t key = strcspn(entry, "=") + 1, i = 0;

	for (; list[i]; i++)
		if (!strncmp(list[i], entry, key))
			break;
	mem_free(list[i]);
	list[i] = str_dup(entry);
}

/* Nothing is inherited: the fixed set, then what the caller lists. */
static char **
make_env(const struct jail_policy *policy, const struct plan *p, const char *shell)
{
	AUTO(mem)
	char *paths = str_format(
		"PATH=%s/.local/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		p->home);
	AUTO(mem) char *runtime_dir = str_format("/run/user/%u", p->inner_uid);
	const struct {
		const char *key, *value;
	} fixed[] = {
		{ "HOME", p->home },
		{ "USER", policy->user },
		{ "LOGNAME", policy->user },
		{ "SHELL", shell },
		{ "TERM", "xterm-256color" },
		{ "COLORTERM", "truecolor" },
		{ "LANG", policy->lang ? policy->lang : "C.UTF-8" },
		{ "XDG_RUNTIME_DIR", runtime_dir },
	};
	size_t n = 0;
	char **env;

	while (policy->env && policy->env[n])
		n++;
	env = mem_zero(n + ARRAY_LEN(fixed) + 2, sizeof *env);
	env_put(env, paths);
	for (size_t i = 0; i < ARRAY_LEN(fixed); i++) {
		AUTO(mem) char *entry = str_format("%s=%s", fixed[i].key, fixed[i].value);

		env_put(env, entry);
	}
	for (size_t i = 0; i < n; i++)
		env_put(env, policy->env[i]);
	return env;
}

void
plan_choose_ids(struct plan *p, uid_t uid, gid_t gid)
{
	p->is_root = uid == 0;
	p->inner_uid = p->is_root ? JAIL_ROOT_INNER_ID : uid;
	p->inner_gid = p->is_root ? JAIL_ROOT_INNER_ID : gid;
	p->outer_uid = p->is_root ? JAIL_ID_BASE + (uid_t)getpid() : uid;
	p->outer_gid = p->is_root ? JAIL_ID_BASE + (gid_t)getpid() : gid;
}

static int
plan_trees(struct plan *p, const struct jail_policy *policy, struct err *e)
{
	const char *desktop = policy->desktop_dir, *home = policy->home_dir;
	int r = plan_tree_look("Desktop's directory", desktop, &p->trees[PLAN_TREE_DESKTOP], e);

	if (r)
		return r;
	r = plan_tree_look("private home", home, &p->trees[PLAN_TREE_HOME], e);
	if (r)
		return r;
	if (plan_lies_in(home, desktop) || plan_lies_in(desktop, home))
		return err_set(e, -EINVAL,
			"Desktop's directory %s and sandesk's own state in %s lie in each other; "
			"choose another",
			desktop, home);
	p->home = choose_home(policy->user, desktop);
	assert(p->home); /* one path cannot lie in all three places */
	return 0;
}

int
plan_make(const struct jail_policy *policy, struct plan *ret, struct err *e)
{
	const char *shell = policy->shell;
	AUTO(plan) struct plan p = { 0 };
	int r = jail_policy_check(policy, e);

	if (!r)
		r = plan_trees(&p, policy, e);
	if (r)
		return r;
	if (!shell)
		shell = access("/bin/bash", X_OK) ? "/bin/sh" : "/bin/bash";
	plan_choose_ids(&p, policy->uid, policy->gid);
	p.has_pty = policy->has_pty;
	p.is_strict = policy->profile == JAIL_STRICT;
	p.asks_init = !policy->allows_special_files;
	p.require = policy->require;
	p.hostname = str_dup(policy->hostname);
	p.workdir = str_dup(policy->workdir ? policy->workdir : policy->desktop_dir);
	p.argv = copy_list(policy->argv);
	p.env = make_env(policy, &p, shell);
	plan_ids(&p);
	plan_add(&p, (struct plan_draft){ PLAN_HOSTNAME, policy->hostname,
			     .why = "the host's name is not shown" });
	plan_add(&p, (struct plan_draft){ PLAN_LOOPBACK, .why = "the only network there is" });
	plan_mounts(&p, policy, shell);
	plan_walls(&p, policy);
	*ret = p;
	p = (struct plan){ 0 };
	return 0;
}

static void
list_free(char **list)
{
	for (size_t i = 0; list && list[i]; i++)
		mem_free(list[i]);
	mem_free(list);
}

void
plan_fini(struct plan *p)
{
	for (size_t i = 0; i < p->nsteps; i++) {
		mem_free(p->steps[i].from);
		mem_free(p->steps[i].to);
	}
	mem_free(p->steps);
	for (size_t i = 0; i < PLAN_TREES; i++)
		mem_free(p->trees[i].path);
	for (size_t i = 0; i < p->nnotes; i++)
		mem_free(p->notes[i]);
	mem_free(p->notes);
	mem_free(p->hostname);
	mem_free(p->home);
	mem_free(p->workdir);
	list_free(p->argv);
	list_free(p->env);
	*p = (struct plan){ 0 };
}

void
plan_drop(struct plan *p)
{
	plan_fini(p);
}
