/* steps.c - the steps of a plan in their order. The order is the security argument. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <linux/securebits.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/inside.h"
#include "jail/landlock.h"
#include "jail/walls.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/str.h"

/* Whether the keeper has gone: its end of the socket closes before its death is signalled, so that
 * looking here after asking for the signal leaves no instant uncovered. */
static bool
is_orphan(int socket)
{
	char byte;

	return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* Changing ids clears the death signal (prctl(2)), so it is asked for after them. */
static int
step_ids(struct inside *in)
{
	const struct plan *p = &in->plan;

	if (p->is_root &&
		(setgroups(0, NULL) || setresgid(p->inner_gid, p->inner_gid, p->inner_gid) ||
			setresuid(p->inner_uid, p->inner_uid, p->inner_uid)))
		return err_errno(in->err, -errno, "become uid %u inside", p->inner_uid);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		return err_errno(in->err, -errno, "ask to die with the keeper");
	if (is_orphan(in->socket))
		_exit(1);
	/* Its memory is a copy of the keeper's: nobody inside may look into it, not even with all
	 * capabilities there. */
	if (prctl(PR_SET_DUMPABLE, 0))
		return err_errno(in->err, -errno, "close init's memory");
	return 0;
}

static int
step_hostname(struct inside *in)
{
	if (sethostname(in->plan.hostname, strlen(in->plan.hostname)))
		return err_errno(in->err, -errno, "set the host name");
	return 0;
}

static int
step_loopback(struct inside *in)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	AUTO(fd) int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (s < 0 || ioctl(s, SIOCSIFFLAGS, &lo))
		return err_errno(in->err, -errno, "bring loopback up (see sandesk doctor)");
	return 0;
}

/* A value above what the caller itself may have becomes that: raising it takes a right outside. */
static int
set_limit(struct inside *in, const struct plan_step *s)
{
	struct rlimit now, want = { s->number, s->number };

	if (getrlimit((__rlimit_resource_t)s->id, &now))
		return err_errno(in->err, -errno, "limit %s", s->from);
	if (want.rlim_cur > now.rlim_max)
		want = (struct rlimit){ now.rlim_max, now.rlim_max };
	if (setrlimit((__rlimit_resource_t)s->id, &want))
		return err_errno(in->err, -errno, "limit %s", s->from);
	return 0;
}

/* Of the memory of each process: for the command and what comes of it. Init has needs of its own when it starts the command and
 * when it answers for it. */
static bool
is_memory(const struct plan_step *s)
{
	return s->id == RLIMIT_DATA;
}

static int
step_limits(struct inside *in)
{
	int r = 0;

	for (size_t i = 0; !r && i < in->plan.nsteps; i++)
		if (in->plan.steps[i].op == PLAN_LIMIT && !is_memory(&in->plan.steps[i]))
			r = set_limit(in, &in->plan.steps[i]);
	return r;
}

static int
step_memory(struct inside *in)
{
	int r = 0;

	for (size_t i = 0; !r && i < in->plan.nsteps; i++)
		if (in->plan.steps[i].op == PLAN_LIMIT && is_memory(&in->plan.steps[i]))
			r = set_limit(in, &in->plan.steps[i]);
	return r;
}

/* What init needs to answer for a command (notify.h): to look at a caller that hides its memory, as
 * ssh-agent does; to stand in the caller's root, with its ids where there are several; to bind ports
 * below 1024, which in this network are nobody else's. All of it counts inside this user namespace
 * alone. */
static const cap_value_t init_caps[] = { CAP_SYS_PTRACE, CAP_SYS_CHROOT, CAP_SETUID, CAP_SETGID,
	CAP_NET_BIND_SERVICE };

/* No id gives a capability again, and none can be raised (capabilities(7)). */
enum {
	LOCKED = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
		 SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
		 SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED,
};

static int
keep_caps(const cap_value_t *keep, int n)
{
	cap_t caps = cap_init();
	int r = !caps ||
				(n && (cap_set_flag(caps, CAP_PERMITTED, n, keep, CAP_SET) ||
					      cap_set_flag(
						      caps, CAP_EFFECTIVE, n, keep, CAP_SET))) ||
				cap_set_proc(caps)
			? -errno
			: 0;

	cap_free(caps);
	return r;
}

/* Init keeps what it answers with; nothing it starts can have even that. */
static int
step_caps(struct inside *in)
{
	int n = in->plan.asks_init ? (int)ARRAY_LEN(init_caps) : 0, r = 0;

	for (cap_value_t c = 0; !r && CAP_IS_SUPPORTED(c); c++)
		r = cap_drop_bound(c) ? -errno : 0;
	if (!r && (cap_reset_ambient() || cap_set_secbits(LOCKED)))
		r = -errno;
	r = r ? r : keep_caps(init_caps, n);
	return r ? err_errno(in->err, r, "drop all capabilities") : 0;
}

static int
step_no_caps(struct inside *in)
{
	int r = keep_caps(NULL, 0);

	return r ? err_errno(in->err, r, "drop all capabilities") : 0;
}

static int
step_nnp(struct inside *in)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
		       ? err_errno(in->err, -errno, "set no_new_privs")
		       : 0;
}

static int
step_landlock(struct inside *in)
{
	int need = in->plan.is_strict ? 1 : LANDLOCK_ABI_SCOPES;

	if (landlock_abi() < need) {
		in->missing |= 1u << WALL_LANDLOCK;
		return 0;
	}
	return in->plan.is_strict ? landlock_files(&in->plan, in->err) : landlock_scopes(in->err);
}

static int
step_seccomp(struct inside *in)
{
	int r = filter_install(in->plan.is_strict, in->plan.asks_init, &in->listener, in->err);

	if (!r && in->plan.asks_init && in->listener < 0)
		in->missing |= 1u << WALL_ASK;
	return r;
}

/* Own session, own group, the terminal, 0 to 2 and nothing else; default signals. */
static int
step_session(struct inside *in)
{
	sigset_t none;

	if (setsid() < 0)
		return err_errno(in->err, -errno, "start a session");
	if (in->plan.has_pty && ioctl(in->fds[0], TIOCSCTTY, 0))
		return err_errno(in->err, -errno, "take the terminal");
	for (int i = 0; i < 3; i++)
		if (dup2(in->fds[i], i) < 0)
			return err_errno(in->err, -errno, "set up descriptor %d", i);
	if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC)) /* the table is init's, too, until the exec */
		return err_errno(in->err, -errno, "close what the keeper had open");
	umask(022);
	if (chdir(in->plan.workdir))
		return err_errno(in->err, -errno, "working directory %s", in->plan.workdir);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	return 0;
}

static const char *
path_of(char *const *env)
{
	for (; *env; env++)
		if (str_has_prefix(*env, "PATH="))
			return *env + 5;
	return "/usr/bin:/bin";
}

/* Tries each directory of PATH as a shell does: what cannot be executed is remembered while looking
 * on (POSIX, XCU 2.9.1.1). Returns the errno of the last or of the most telling try. */
static int
exec_by_path(const struct plan *p)
{
	char file[4096];
	int found = ENOENT;

	for (const char *dir = path_of(p->env), *next; *dir; dir = next) {
		size_t len = strcspn(dir, ":");
		int n = snprintf(file, sizeof file, "%.*s/%s", (int)len, dir, p->argv[0]);

		next = dir + len + (dir[len] == ':');
		if (n < 0 || (size_t)n >= sizeof file)
			continue;
		execve(file, p->argv, p->env);
		if (errno != ENOENT && errno != ENOTDIR)
			found = errno;
	}
	return found;
}

/* What the policy demands and this machine does not give: the last moment at which nothing has run yet. */
static int
step_required(struct inside *in)
{
	uint32_t lacks = in->missing & in->plan.require;
	int wall = __builtin_ctz(lacks | 1U << 31);

	if (!lacks)
		return 0;
	return err_set(in->err, JAIL_NOT_BUILT,
		"wall %s: the policy requires it and this machine does not give it; `sandesk "
		"doctor` says what mends it",
		jail_wall_name((enum jail_wall)wall));
}

static int
step_exec(struct inside *in)
{
	const struct plan *p = &in->plan;
	int why;

	if (strchr(p->argv[0], '/')) {
		execve(p->argv[0], p->argv, p->env);
		why = errno;
	} else {
		why = exec_by_path(p);
	}
	if (why == ENOENT || why == ENOTDIR)
		return err_set(in->err, JAIL_NOT_FOUND,
			"%s: command not found in the sandbox; it sees /usr, /opt, the Desktop's "
			"directory and a private home",
			p->argv[0]);
	return err_set(in->err, JAIL_NOT_EXECUTABLE,
		"%s: cannot be executed: %s; look at its mode and first line", p->argv[0],
		strerror(why));
}

struct step {
	const char *name;
	int (*run)(struct inside *in);
	enum step_turn turn;
};

static const struct step steps[] = {
	/* each row may rely on every row above it */
	/* needs CAP_NET_ADMIN inside, and nothing of the plan */
	{ "loopback", step_loopback, TURN_EARLY },
	/* nothing made below would have an owner */
	{ "ids", step_ids, TURN_INIT },
	/* needs CAP_SYS_ADMIN inside, as the next two */
	{ "hostname", step_hostname, TURN_INIT },
	{ "mounts", mounts_run, TURN_INIT },
	/* the last step that can see the host */
	{ "pivot", mounts_pivot, TURN_INIT },
	/* in the user namespace: before it they would count the caller's processes */
	{ "limits", step_limits, TURN_INIT },
	/* nothing below may need a capability, but what init answers with */
	{ "caps", step_caps, TURN_INIT },
	/* without it, Landlock and seccomp need the capability just dropped */
	{ "nnp", step_nnp, TURN_INIT },
	/* forbids nothing that a row below does */
	{ "landlock", step_landlock, TURN_INIT },
	/* opens and changes what the filter refuses */
	{ "session", step_session, TURN_COMMAND },
	/* what is left is init's alone */
	{ "no capabilities", step_no_caps, TURN_COMMAND },
	/* a process of its own by now, though in init's memory */
	{ "memory", step_memory, TURN_COMMAND },
	/* the filter refuses the rows above */
	{ "seccomp", step_seccomp, TURN_COMMAND },
	/* all that could be missing is known */
	{ "required walls", step_required, TURN_COMMAND },
	{ "exec", step_exec, TURN_COMMAND },
};

int
steps_run(struct inside *in, enum step_turn turn)
{
	int r = 0;

	for (size_t i = 0; !r && i < ARRAY_LEN(steps); i++) {
		if (steps[i].turn != turn)
			continue;
		r = steps[i].run(in);
		if (r && steps[i].run != step_exec) {
			err_wrap(in->err, "build the sandbox: %s", steps[i].name);
			r = in->err->code = JAIL_NOT_BUILT;
		}
	}
	return r;
}
