#include "jail/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

static const char *const part_names[CGROUP_PARTS] = { "memory", "cpu", "pids", "freezer" };

/* ---- files ---- */

static int
put(const char *dir, const char *file, const char *text)
{
	char path[PATH_MAX + 64];
	AUTO(fd) int fd = -1;

	snprintf(path, sizeof path, "%s/%s", dir, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		return -errno;
	return 0;
}

static int
put_number(const char *dir, const char *file, uint64_t n)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)n);
	return put(dir, file, text);
}

static bool
get(const char *path, char *to, size_t size)
{
	AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : fd_read_all(fd, to, size - 1);

	to[n > 0 ? n : 0] = 0;
	return n >= 0;
}

static int
open_in(const char *dir, const char *file, int flags)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof path, "%s/%s", dir, file);
	return open(path, flags | O_CLOEXEC);
}

/* Whether a word stands in a list. */
static bool
has_word(const char *list, const char *word, const char *separators)
{
	size_t len = strlen(word);

	for (;;) {
		size_t n = strcspn(list, separators);

		if (n == len && !memcmp(list, word, len))
			return true;
		list += n;
		if (!*list)
			return false;
		list++;
	}
}

/* ---- finding ---- */

struct mount_line {
	char root[PATH_MAX], point[PATH_MAX], type[16], options[256];
};

/* One line of mountinfo (proc(5)); paths of control groups have no character that it escapes. */
static bool
read_mount(const char *line, struct mount_line *ret)
{
	const char *rest = strstr(line, " - ");
	const char *end = strchr(line, '\n');

	return rest && (!end || rest < end) &&
	       sscanf(line, "%*s %*s %*s %4095s %4095s", ret->root, ret->point) == 2 &&
	       sscanf(rest, " - %15s %*s %255s", ret->type, ret->options) == 2;
}

/* The path of the own group in one hierarchy: the line of /proc/self/cgroup that names `controller`, or
 * the one that begins with "0::". */
static bool
own_path(const char *self, const char *controller, char to[PATH_MAX])
{
	for (const char *line = self; line && *line; line = strchr(line, '\n'), line += line != NULL) {
		char id[16], names[256] = "", path[PATH_MAX];
		bool is_v2 = !strncmp(line, "0::", 3);

		if (is_v2 ? sscanf(line, "0::%4095[^\n]", path) != 1
			  : sscanf(line, "%15[^:]:%255[^:]:%4095[^\n]", id, names, path) != 3)
			continue;
		if (controller ? is_v2 || !has_word(names, controller, ",") : !is_v2)
			continue;
		str_copy(to, PATH_MAX, path);
		return true;
	}
	return false;
}

/* Where a group is: what is mounted may be the inside of another. */
static bool
place(const char *root, const struct mount_line *m, const char *own, char to[PATH_MAX])
{
	size_t len = str_equal(m->root, "/") ? 0 : strlen(m->root);
	int n;

	if (strncmp(own, m->root, len) || (len && own[len] && own[len] != '/') ||
		str_has_prefix(own, "/.."))
		return false;
	own += len;
	n = snprintf(to, PATH_MAX, "%s%s%s", root, m->point, str_equal(own, "/") ? "" : own);
	return n > 0 && n < PATH_MAX - 200;
}

static void
find_v1(const char *root, const char *self, const struct mount_line *m, struct cgroups *ret)
{
	char own[PATH_MAX];

	for (size_t i = 0; i < CGROUP_PARTS; i++) {
		if (!has_word(m->options, part_names[i], ",") || ret->dir[i][0] ||
			!own_path(self, part_names[i], own))
			continue;
		if (!place(root, m, own, ret->dir[i]))
			ret->dir[i][0] = 0;
	}
}

/* A controller is in v2 or in a v1 hierarchy, never in both; the freezer of v2 is always there. */
static void
find_v2(const char *root, const char *self, const struct mount_line *m, struct cgroups *ret)
{
	char own[PATH_MAX], dir[PATH_MAX], path[PATH_MAX + 64], controllers[512];

	if (!own_path(self, NULL, own) || !place(root, m, own, dir))
		return;
	snprintf(path, sizeof path, "%s/cgroup.controllers", dir);
	get(path, controllers, sizeof controllers);
	for (size_t i = 0; i < CGROUP_PARTS; i++) {
		if (ret->dir[i][0] ||
			(i != CGROUP_FREEZER && !has_word(controllers, part_names[i], " \n")))
			continue;
		str_copy(ret->dir[i], PATH_MAX, dir);
		ret->is_v2[i] = true;
	}
}

void
cgroups_find(const char *root, const char *self, const char *mounts, struct cgroups *ret)
{
	static const char *const types[] = { "cgroup", "cgroup2" }; /* v1 first: it has a real freezer */
	struct mount_line m;

	memset(ret, 0, sizeof *ret);
	for (size_t t = 0; t < ARRAY_LEN(types); t++)
		for (const char *line = mounts; line && *line;
			line = strchr(line, '\n'), line += line != NULL) {
			if (!read_mount(line, &m) || !str_equal(m.type, types[t]))
				continue;
			if (t == 0)
				find_v1(root, self, &m, ret);
			else
				find_v2(root, self, &m, ret);
		}
}

enum { SELF_BYTES = 16 << 10, MOUNTS_BYTES = 1 << 20 };

void
cgroups_here(struct cgroups *ret)
{
	AUTO(mem) char *self = mem_alloc(SELF_BYTES);
	AUTO(mem) char *mounts = mem_alloc(MOUNTS_BYTES);

	get("/proc/self/cgroup", self, SELF_BYTES);
	get("/proc/self/mountinfo", mounts, MOUNTS_BYTES);
	cgroups_find("", self, mounts, ret);
}

/* ---- claiming ---- */

/* A group of v2 with processes of its own gives no controllers to its children: the caller moves into
 * a child first, when it is alone there. */
static void
step_aside(const char *dir)
{
	char path[PATH_MAX + 64], text[64];
	long pid;

	snprintf(path, sizeof path, "%s/cgroup.procs", dir);
	if (!get(path, text, sizeof text) || sscanf(text, "%ld", &pid) != 1 || pid != getpid() ||
		strchr(text, '\n') != strrchr(text, '\n'))
		return;
	snprintf(path, sizeof path, "%s/sandesk-daemon", dir);
	if (!mkdir(path, 0755) || errno == EEXIST)
		(void)put_number(path, "cgroup.procs", (uint64_t)getpid());
}

static bool
give_to_children(const char *dir, enum cgroup_part part)
{
	char text[32];

	if (part == CGROUP_FREEZER)
		return true;
	snprintf(text, sizeof text, "+%s", part_names[part]);
	if (!put(dir, "cgroup.subtree_control", text))
		return true;
	step_aside(dir);
	return !put(dir, "cgroup.subtree_control", text);
}

static bool
claim(char dir[PATH_MAX], enum cgroup_part part, bool is_v2, const char *name)
{
	char ours[PATH_MAX];

	if (is_v2 && !give_to_children(dir, part))
		return false;
	snprintf(ours, sizeof ours, "%.*s/%.60s", PATH_MAX - 64, dir, name);
	if ((mkdir(ours, 0755) && errno != EEXIST) || access(ours, W_OK))
		return false;
	if (is_v2 && !give_to_children(ours, part))
		return false;
	str_copy(dir, PATH_MAX, ours);
	return true;
}

void
cgroups_claim(struct cgroups *g, const char *name)
{
	for (size_t i = 0; i < CGROUP_PARTS; i++)
		if (g->dir[i][0] && !claim(g->dir[i], (enum cgroup_part)i, g->is_v2[i], name))
			g->dir[i][0] = 0;
}

bool
cgroups_unclaim(const struct cgroups *g)
{
	bool is_all = true;

	for (size_t i = 0; i < CGROUP_PARTS; i++)
		if (g->dir[i][0] && rmdir(g->dir[i]) && errno != ENOENT)
			is_all = false; /* another daemon's sessions are in it */
	return is_all;
}

void
cgroups_print(const struct cgroups *g, struct buf *to)
{
	for (size_t i = 0; i < CGROUP_PARTS; i++)
		if (g->dir[i][0])
			buf_addf(to, "%s %d %s\n", part_names[i], g->is_v2[i] ? 2 : 1, g->dir[i]);
}

void
cgroups_parse(const char *text, struct cgroups *ret)
{
	memset(ret, 0, sizeof *ret);
	for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
		char name[16], dir[PATH_MAX];
		int version;

		if (sscanf(line, "%15s %d %4095[^\n]", name, &version, dir) != 3)
			continue;
		for (size_t i = 0; i < CGROUP_PARTS; i++)
			if (str_equal(name, part_names[i])) {
				str_copy(ret->dir[i], PATH_MAX, dir);
				ret->is_v2[i] = version == 2;
			}
	}
}

/* ---- one session's ---- */

static bool
is_wanted(const struct jail_limits *of, size_t part)
{
	switch (part) {
	case CGROUP_MEMORY:
		return of->memory_bytes;
	case CGROUP_CPU:
		return of->cpu_weight || of->cpu_percent;
	default:
		return false;
	}
}

bool
cgroup_is_wanted(const struct jail_limits *of)
{
	return is_wanted(of, CGROUP_MEMORY) || is_wanted(of, CGROUP_CPU);
}

unsigned
cgroup_missing(const struct cgroups *g, const struct jail_limits *of)
{
	unsigned missing = 0;

	for (size_t i = 0; i < CGROUP_PARTS; i++)
		if (is_wanted(of, i) && !g->dir[i][0])
			missing |= 1U << i;
	return missing;
}

enum { PERIOD_US = 100000, SHARES_OF_ONE = 1024, WEIGHT_OF_ONE = 100 };

/* What is not given stays as the kernel has it. Swap would only hide that the memory is used up; a
 * kernel without it has no such file. */
static int
limit_memory(const char *dir, bool is_v2, const struct jail_limits *of)
{
	int r = put_number(dir, is_v2 ? "memory.max" : "memory.limit_in_bytes", of->memory_bytes);

	if (!r && is_v2)
		(void)put(dir, "memory.swap.max", "0");
	else if (!r)
		(void)put_number(dir, "memory.memsw.limit_in_bytes", of->memory_bytes);
	return r;
}

static int
limit_cpu(const char *dir, bool is_v2, const struct jail_limits *of)
{
	uint64_t quota = (uint64_t)of->cpu_percent * (PERIOD_US / 100);
	char text[48];
	int r = 0;

	if (of->cpu_weight)
		r = is_v2 ? put_number(dir, "cpu.weight", of->cpu_weight)
			  : put_number(dir, "cpu.shares",
				    (uint64_t)of->cpu_weight * SHARES_OF_ONE / WEIGHT_OF_ONE);
	if (r || !quota)
		return r;
	snprintf(text, sizeof text, "%llu %d", (unsigned long long)quota, PERIOD_US);
	if (is_v2)
		return put(dir, "cpu.max", text);
	r = put_number(dir, "cpu.cfs_period_us", PERIOD_US);
	return r ? r : put_number(dir, "cpu.cfs_quota_us", quota);
}

static int
limit_part(const char *dir, size_t part, bool is_v2, const struct jail_limits *of)
{
	return part == CGROUP_MEMORY && of->memory_bytes ? limit_memory(dir, is_v2, of)
	       : part == CGROUP_CPU			 ? limit_cpu(dir, is_v2, of)
							 : 0;
}

/* Its Desktop's group is shared: whoever comes first makes it, whoever finds it empty removes it. That
 * may be between the two calls, so it is tried again. */
static int
make_dirs(const char *ours, const char *desktop, const char *session, size_t part, bool is_v2,
	char to[PATH_MAX])
{
	char parent[PATH_MAX];

	snprintf(parent, sizeof parent, "%.*s/%.32s", PATH_MAX - 64, ours, desktop);
	snprintf(to, PATH_MAX, "%.*s/%.20s", PATH_MAX - 32, parent, session);
	for (int tries = 0; tries < 3; tries++) {
		if (mkdir(parent, 0755) && errno != EEXIST)
			return -errno;
		if (is_v2 && !give_to_children(parent, (enum cgroup_part)part))
			return -EBUSY;
		if (!mkdir(to, 0755) || errno == EEXIST)
			return 0;
		if (errno != ENOENT)
			return -errno;
	}
	return -ENOENT;
}

static void
open_files(const char *dir, size_t part, bool is_v2, struct cgroup *ret)
{
	if (part == CGROUP_FREEZER) {
		ret->freeze = open_in(dir, is_v2 ? "cgroup.freeze" : "freezer.state", O_RDWR);
		ret->freeze_is_v2 = is_v2;
	}
	if (part == CGROUP_MEMORY) {
		ret->events = open_in(dir, is_v2 ? "memory.events" : "memory.oom_control", O_RDONLY);
		ret->events_is_v2 = is_v2;
	}
}

int
cgroup_make(const struct cgroups *g, const char *desktop, const char *session,
	const struct jail_limits *of, pid_t pid, struct cgroup *ret, struct err *e)
{
	char dir[PATH_MAX];
	int r = 0;

	*ret = (struct cgroup){ .freeze = -1, .events = -1 };
	for (size_t i = 0; !r && i < CGROUP_PARTS; i++) {
		if (!g->dir[i][0] || (!is_wanted(of, i) && i != CGROUP_FREEZER))
			continue;
		r = make_dirs(g->dir[i], desktop, session, i, g->is_v2[i], dir);
		r = r ? r : limit_part(dir, i, g->is_v2[i], of);
		r = r ? r : put_number(dir, "cgroup.procs", (uint64_t)pid);
		open_files(dir, i, g->is_v2[i], ret);
		if (r)
			err_errno(e, r, "control group %s", dir);
	}
	if (r)
		cgroup_fini(ret);
	return r;
}

void
cgroup_fini(struct cgroup *c)
{
	fd_drop(&c->freeze);
	fd_drop(&c->events);
}

int
cgroup_freeze(struct cgroup *c, bool on)
{
	const char *text = c->freeze_is_v2 ? (on ? "1" : "0") : (on ? "FROZEN" : "THAWED");

	if (c->freeze < 0)
		return -ENOTSUP;
	return write(c->freeze, text, strlen(text)) < 0 ? -errno : 0;
}

uint64_t
cgroup_oom_kills(const struct cgroup *c)
{
	char text[512];
	const char *line;
	ssize_t n = c->events < 0 ? -1 : pread(c->events, text, sizeof text - 1, 0);

	text[n > 0 ? n : 0] = 0;
	line = strstr(text, "oom_kill ");
	return line ? strtoull(line + strlen("oom_kill "), NULL, 10) : 0;
}

/* ---- leftovers ---- */

static bool
remove_group(const char *dir, size_t part, bool is_v2)
{
	if (!rmdir(dir) || errno == ENOENT)
		return true;
	if (part == CGROUP_FREEZER) /* else what was killed in it never ends */
		(void)put(dir, is_v2 ? "cgroup.freeze" : "freezer.state", is_v2 ? "0" : "THAWED");
	return !rmdir(dir) || errno == ENOENT;
}

static size_t
sweep_desktop(const char *dir, size_t part, bool is_v2, cgroup_keep_fn *keeps, void *arg)
{
	char path[PATH_MAX + 600];
	DIR *list = opendir(dir);
	struct dirent *entry;
	size_t left = 0;

	while (list && (entry = readdir(list))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.' || keeps(entry->d_name, arg))
			continue;
		snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
		left += !remove_group(path, part, is_v2);
	}
	if (list)
		closedir(list);
	(void)rmdir(dir); /* empty: nobody is in this Desktop any more */
	return left;
}

size_t
cgroups_sweep(const struct cgroups *g, cgroup_keep_fn *keeps, void *arg)
{
	char path[PATH_MAX + 300];
	size_t left = 0;

	for (size_t i = 0; i < CGROUP_PARTS; i++) {
		DIR *list = g->dir[i][0] ? opendir(g->dir[i]) : NULL;
		struct dirent *entry;

		while (list && (entry = readdir(list))) {
			if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
				continue;
			snprintf(path, sizeof path, "%s/%s", g->dir[i], entry->d_name);
			left += sweep_desktop(path, i, g->is_v2[i], keeps, arg);
		}
		if (list)
			closedir(list);
	}
	return left;
}
