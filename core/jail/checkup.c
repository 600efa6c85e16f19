#include "jail/checkup.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <pwd.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "jail/attempts.h"
#include "jail/cgroup.h"
#include "jail/doctor.h"
#include "jail/jail.h"
#include "jail/landlock.h"
#include "jail/machine.h"
#include "jail/walls.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

enum { DEADLINE_MS = 15000, ANSWER_BYTES = 16 << 10, PATH_BYTES = 512 };

/* The throw-away place, and what of the host is looked for from inside. */
struct trial {
	char base[PATH_BYTES], desk[PATH_BYTES + 16], home[PATH_BYTES + 16];
	char program[PATH_BYTES + 32];
	int listener, abstract;
	char *facts[FACT_COUNT]; /* NAME=VALUE, owned */
	char answer[ANSWER_BYTES];
	uint32_t missing;
	int status;
	char *groups[CGROUP_PARTS]; /* made for the trial; owned */
	bool has_part[CGROUP_PARTS];
};

/* ---- the place ---- */

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static void
trial_drop(struct trial *t)
{
	fd_drop(&t->listener);
	fd_drop(&t->abstract);
	for (int i = 0; i < FACT_COUNT; i++)
		mem_free(t->facts[i]);
	for (int i = 0; i < CGROUP_PARTS; i++) {
		if (t->groups[i])
			rmdir(t->groups[i]); /* the same one in v2: the second time is an error */
		mem_free(t->groups[i]);
	}
	if (t->base[0])
		nftw(t->base, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static int
write_file(const char *path, const char *text)
{
	AUTO(fd) int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	return fd < 0 ? -errno : fd_write_all(fd, text, strlen(text));
}

/* The program itself may lie where no sandbox sees it. */
static int
copy_program(const char *from, const char *to)
{
	AUTO(fd) int in = open(from, O_RDONLY | O_CLOEXEC);
	AUTO(fd) int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	ssize_t n = 1;

	while (in >= 0 && out >= 0 && n > 0)
		n = sendfile(out, in, NULL, 1 << 20);
	return in < 0 || out < 0 || n < 0 ? -errno : 0;
}

static int
make_place(struct trial *t, const char *base, const char *self, struct err *e)
{
	AUTO(mem) char *secret = NULL, *hooks = NULL, *git = NULL;

	if (snprintf(t->base, sizeof t->base, "%s/doctor-XXXXXX", base) >= (int)sizeof t->base)
		return err_set(e, -ENAMETOOLONG, "%s: is too long", base);
	if (!mkdtemp(t->base)) {
		t->base[0] = 0;
		return err_errno(e, -errno, "make a directory in %s", base);
	}
	snprintf(t->desk, sizeof t->desk, "%s/desk", t->base);
	snprintf(t->home, sizeof t->home, "%s/home", t->base);
	snprintf(t->program, sizeof t->program, "%s/program", t->desk);
	secret = str_format("%s/secret", t->base);
	git = str_format("%s/.git", t->desk);
	hooks = str_format("%s/hooks", git);
	if (mkdir(t->desk, 0700) || mkdir(t->home, 0700) || mkdir(git, 0700) ||
		mkdir(hooks, 0700) || write_file(secret, "secret\n") ||
		copy_program(self, t->program))
		return err_errno(e, -errno, "prepare %s", t->base);
	t->facts[FACT_SECRET] = str_format("%s=%s", attempt_fact_name(FACT_SECRET), secret);
	return 0;
}

/* ---- what of the host is looked for ---- */

static void
listen_on_loopback(struct trial *t)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof at;

	t->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (t->listener < 0 || bind(t->listener, (void *)&at, size) || listen(t->listener, 4) ||
		getsockname(t->listener, (void *)&at, &size))
		at.sin_port = 0;
	t->facts[FACT_PORT] = str_format("%s=%u", attempt_fact_name(FACT_PORT), ntohs(at.sin_port));
}

static void
listen_abstract(struct trial *t)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int n = snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "sandesk-doctor-%d", getpid());

	t->abstract = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (t->abstract >= 0 &&
		!bind(t->abstract, (void *)&at,
			(socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)))
		listen(t->abstract, 4);
	t->facts[FACT_ABSTRACT] =
		str_format("%s=%s", attempt_fact_name(FACT_ABSTRACT), at.sun_path + 1);
}

static char *
own_namespaces(void)
{
	static const char *const kinds[] = { "user", "mnt", "pid", "net", "ipc", "uts", "cgroup",
		"time" };
	char all[512] = "", path[64];
	size_t len = 0;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		ssize_t n;

		snprintf(path, sizeof path, "/proc/self/ns/%s", kinds[i]);
		n = readlink(path, all + len, sizeof all - len - 2);
		if (n <= 0)
			continue;
		len += (size_t)n;
		all[len++] = ' ';
		all[len] = 0;
	}
	return str_format("%s=%s", attempt_fact_name(FACT_NAMESPACES), all);
}

static void
gather_facts(struct trial *t)
{
	const struct passwd *pw = getpwuid(geteuid());
	const char *home = pw && pw->pw_dir ? pw->pw_dir : "/";
	struct stat st = { 0 };

	listen_on_loopback(t);
	listen_abstract(t);
	stat(home, &st);
	t->facts[FACT_HOME] = str_format("%s=%llu:%llu:%s", attempt_fact_name(FACT_HOME),
		(unsigned long long)st.st_dev, (unsigned long long)st.st_ino, home);
	t->facts[FACT_PID] = str_format("%s=%d", attempt_fact_name(FACT_PID), getpid());
	t->facts[FACT_NAMESPACES] = own_namespaces();
}

/* ---- the session ---- */

static void
set_policy(const struct trial *t, enum jail_profile profile, struct jail_policy *p)
{
	static char *const protect[] = { ".git/hooks", NULL };

	jail_policy_init(p);
	p->desktop_dir = t->desk;
	p->home_dir = t->home;
	p->user = "doctor";
	p->hostname = "doctor";
	p->profile = profile;
	p->protect = protect;
	p->limits.processes = ATTEMPT_PROCESSES;
	p->limits.scratch_bytes = ATTEMPT_SCRATCH_BYTES;
}

/* Reads what the attempts say until they have ended; they may also hang. */
static int
hear(struct trial *t, struct jail *j, int from, struct err *e)
{
	int64_t end = clock_ms() + DEADLINE_MS;
	size_t len = 0;
	ssize_t n = 1;

	while (n > 0 && len < sizeof t->answer - 1) {
		struct pollfd p = { .fd = from, .events = POLLIN };
		int64_t left = end - clock_ms();

		if (left <= 0 || poll(&p, 1, (int)left) == 0)
			return err_set(e, -ETIMEDOUT, "the attempts: did not end in %d s",
				DEADLINE_MS / 1000);
		n = read(from, t->answer + len, sizeof t->answer - 1 - len);
		len += n > 0 ? (size_t)n : 0;
	}
	t->answer[len] = 0;
	while (jail_exit(j, &t->status) == -EAGAIN) {
		struct pollfd p = { .fd = j->status_fd, .events = POLLIN };

		if (poll(&p, 1, DEADLINE_MS) == 0)
			return err_set(e, -ETIMEDOUT, "the attempts: did not end");
	}
	return 0;
}

/* Proof of a control group: the sandbox's first process lets itself be put into one of ours that has
 * the limit. Groups of the daemon's are left alone. */
static void
try_groups(struct trial *t, pid_t pid)
{
	static const char *const limits[2][CGROUP_PARTS] = {
		{ "memory.limit_in_bytes", "cpu.shares", "pids.max", "freezer.state" },
		{ "memory.max", "cpu.weight", "pids.max", "cgroup.freeze" },
	};
	AUTO(mem) char *number = str_format("%d", pid);
	AUTO(mem) struct cgroups *here = mem_zero(1, sizeof *here);

	cgroups_here(here);
	for (int i = 0; i < CGROUP_PARTS; i++) {
		AUTO(mem) char *procs = NULL, *limit = NULL;
		AUTO(fd) int fd = -1;

		if (!here->dir[i][0])
			continue;
		t->groups[i] = str_format("%s/sandesk-doctor-%d", here->dir[i], getpid());
		procs = str_format("%s/cgroup.procs", t->groups[i]);
		limit = str_format("%s/%s", t->groups[i], limits[here->is_v2[i]][i]);
		if (mkdir(t->groups[i], 0755) && errno != EEXIST)
			continue;
		fd = open(procs, O_WRONLY | O_CLOEXEC);
		t->has_part[i] = fd >= 0 && !fd_write_all(fd, number, strlen(number)) &&
				 !access(limit, W_OK);
	}
}

static int
try_all(struct trial *t, enum jail_profile profile, struct err *e)
{
	AUTO(plan) struct plan plan = { 0 };
	AUTO(jail) struct jail jail = { 0 };
	AUTO(fd) int none = open("/dev/null", O_RDWR | O_CLOEXEC);
	AUTO(fd) int from = -1;
	AUTO(fd) int to = -1;
	char *argv[] = { t->program, "attempts", NULL };
	char *env[FACT_COUNT + 1] = { 0 };
	struct jail_policy policy;
	int ends[2], r;

	if (none < 0 || pipe2(ends, O_CLOEXEC))
		return err_errno(e, -errno, "make a pipe");
	from = ends[0];
	to = ends[1];
	memcpy(env, t->facts, sizeof t->facts);
	set_policy(t, profile, &policy);
	policy.argv = argv;
	policy.env = env;
	r = plan_make(&policy, &plan, e);
	r = r ? r : jail_prepare(&jail, e);
	if (!r)
		try_groups(t, jail.pid);
	r = r ? r : jail_run(&jail, &plan, &(struct jail_io){ -1, { none, to, none } }, e);
	fd_drop(&to);
	if (r)
		return r;
	t->missing = jail.missing;
	return hear(t, &jail, from, e);
}

/* ---- the table ---- */

/* "NAME\theld|open\tDETAIL\n" of one attempt; false when it never came to it. */
static bool
find_answer(const struct trial *t, const char *name, bool *is_held, char *detail, size_t size)
{
	const char *at = t->answer;
	size_t len = strlen(name);

	while (strncmp(at, name, len) || at[len] != '\t') {
		at = strchr(at, '\n');
		if (!at)
			return false;
		at++;
	}
	at += len + 1;
	*is_held = str_has_prefix(at, "held\t");
	at = strchr(at, '\t');
	if (!at)
		return false;
	snprintf(detail, size, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
	return true;
}

static void
add_attempt(struct checkup *c, const struct trial *t, const struct attempt *a,
	enum jail_profile profile)
{
	struct check_row *r = checkup_add(c, a->name, CHECK_MISSING, a->what);
	bool is_held = false;

	if (!find_answer(t, a->name, &is_held, r->why, sizeof r->why))
		str_copy(r->why, sizeof r->why, "the attempt ended without an answer");
	else if (a->is_strict && profile != JAIL_STRICT)
		r->state = CHECK_NOT_ASKED;
	else if (is_held)
		r->state = CHECK_HOLDS;
}

/* What the sandbox itself said it did not get. Those that an attempt has the name of are in the table
 * already. */
static void
add_walls(struct checkup *c, const struct trial *t)
{
	for (int i = 0; i < WALL_COUNT; i++) {
		struct check_row *r = NULL;

		for (size_t k = 0; k < c->n; k++)
			if (str_equal(c->rows[k].name, jail_wall_name(i)))
				r = &c->rows[k];
		if (!r)
			r = checkup_add(c, jail_wall_name(i), CHECK_HOLDS, jail_wall_what(i));
		if (t->missing & 1u << i && r->state == CHECK_HOLDS) {
			r->state = CHECK_MISSING;
			str_copy(r->why, sizeof r->why, "the sandbox did not get it");
		}
	}
}

static struct check_row *
row_of(struct checkup *c, enum jail_wall wall)
{
	for (size_t i = 0; i < c->n; i++)
		if (str_equal(c->rows[i].name, jail_wall_name(wall)))
			return &c->rows[i];
	return NULL;
}

static void
explain_landlock(struct checkup *c)
{
	struct check_row *r = row_of(c, WALL_LANDLOCK);
	int abi = landlock_abi();

	if (!r || !abi) {
		if (r)
			str_copy(r->why, sizeof r->why, "this kernel has no Landlock");
		if (r)
			str_copy(r->mend, sizeof r->mend,
				"boot with lsm=landlock,... (cat /sys/kernel/security/lsm)");
		return;
	}
	snprintf(r->why, sizeof r->why, "ABI %d%s", abi,
		abi < LANDLOCK_ABI_SCOPES ? ": too old to scope signals and sockets" : "");
	if (abi < LANDLOCK_ABI_SCOPES && r->state == CHECK_HOLDS)
		r->state = CHECK_WEAKER;
	if (abi < LANDLOCK_ABI_SCOPES)
		str_copy(r->mend, sizeof r->mend, "a kernel of 6.12 or later");
}

static void
explain_time(struct checkup *c)
{
	struct check_row *r = row_of(c, WALL_TIME);

	if (r && r->state == CHECK_MISSING)
		str_copy(r->mend, sizeof r->mend, "a kernel with CONFIG_TIME_NS");
}

static void
explain_groups(struct checkup *c, const struct trial *t)
{
	static const char *const names[CGROUP_PARTS] = { "memory", "cpu", "pids", "freezer" };
	struct check_row *r = row_of(c, WALL_CGROUP);
	char had[64] = "", not_had[64] = "";
	int n = 0;

	for (int i = 0; i < CGROUP_PARTS; i++) {
		char *to = t->has_part[i] ? had : not_had;

		snprintf(to + strlen(to), sizeof had - strlen(to), " %s", names[i]);
		n += t->has_part[i];
	}
	if (!r)
		return;
	r->state = n == CGROUP_PARTS ? CHECK_HOLDS : n ? CHECK_WEAKER : CHECK_MISSING;
	snprintf(r->why, sizeof r->why, "%s%s%s%s",
		n ? "put into a group of" : "no group could be made", had,
		n && n < CGROUP_PARTS ? ", but not of" : "", n && n < CGROUP_PARTS ? not_had : "");
	if (n < CGROUP_PARTS && !access("/run/systemd/system", F_OK))
		str_copy(r->mend, sizeof r->mend,
			"mkdir -p /etc/systemd/system/user@.service.d && printf "
			"'[Service]\\nDelegate=cpu memory pids io\\n' "
			">/etc/systemd/system/user@.service.d/delegate.conf && systemctl "
			"daemon-reload (as root; then log in anew)");
	else if (n < CGROUP_PARTS)
		snprintf(r->mend, sizeof r->mend,
			"give user %u the groups that /proc/self/cgroup names (as root: chown in "
			"/sys/fs/cgroup)",
			geteuid());
}

/* No sandbox, no table: one row with the reason. The sentence ends with what to do. */
static void
add_failure(struct checkup *c, const struct err *why)
{
	struct check_row *r =
		checkup_add(c, "sandbox", CHECK_MISSING, "a session can be started at all");
	struct err probe = { 0 };
	const char *text = jail_probe(&probe) ? probe.msg : why->msg;
	const char *mend = strstr(text, "; ");

	snprintf(r->why, sizeof r->why, "%.*s", (int)(mend ? mend - text : (ptrdiff_t)strlen(text)),
		text);
	str_copy(r->mend, sizeof r->mend, mend ? mend + 2 : "");
}

static void
add_machine(struct checkup *c, enum jail_profile profile, const char *self)
{
	const struct passwd *pw = getpwuid(geteuid());
	struct machine m = {
		.root = "", .self = self, .user = pw ? pw->pw_name : NULL, .uid = geteuid()
	};

	machine_check(&m, profile, c);
}

void
checkup_run(struct checkup *c, enum jail_profile profile, const char *base, const char *self)
{
	AUTO(trial) struct trial t = { .listener = -1, .abstract = -1 };
	const struct attempt *a;
	struct err e = { 0 };
	int r = make_place(&t, base, self, &e);

	if (!r) {
		gather_facts(&t);
		setenv("DOCTOR_LEAK", "1", 1); /* of ours, which must not come in */
		r = try_all(&t, profile, &e);
		unsetenv("DOCTOR_LEAK");
	}
	if (r) {
		add_failure(c, &e);
	} else {
		for (size_t i = 0; (a = attempt_at(i)); i++)
			add_attempt(c, &t, a, profile);
		add_walls(c, &t);
		explain_landlock(c);
		explain_time(c);
		explain_groups(c, &t);
	}
	add_machine(c, profile, self);
}
