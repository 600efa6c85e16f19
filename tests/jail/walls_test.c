/* walls_test.c - every wall is tried from the inside, and the same act from the outside, where it
 * must succeed. Contract:  run as root it runs everything twice: as root and, in a child, as an
 * ordinary user. Needs probe beside itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <linux/keyctl.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "jail/doctor.h"
#include "jail/jail.h"
#include "pty/pty.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

enum { DEADLINE_MS = 10000, OTHER_UID = 61234 };

struct world {
	char base[64]; /* everything below it is removed at the end */
	char desk[96], home[96], secret[96], probe[128];
	int listener, abstract;
	char port[8], pid[16];
};

struct ran {
	int code;	 /* of jail_start(), or 0 */
	int status;	 /* wait status */
	char text[4096]; /* what it wrote to stdout */
	char error[ERR_MSG_BYTES];
};

static void
set_up_policy(const struct world *w, struct jail_policy *p, char *const *argv)
{
	jail_policy_init(p);
	p->desktop_dir = w->desk;
	p->home_dir = w->home;
	p->user = "dev";
	p->hostname = "walls";
	p->argv = argv;
}

/* Reads until the end of the file or the deadline; false at the deadline. */
static bool
read_to_end(int fd, char *to, size_t size)
{
	int64_t end = clock_ms() + DEADLINE_MS;
	size_t have = 0;
	ssize_t n = 1;

	while (n > 0 && have < size - 1) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int64_t left = end - clock_ms();

		if (left <= 0 || poll(&p, 1, (int)left) <= 0)
			return false;
		n = read(fd, to + have, size - 1 - have);
		have += n > 0 ? (size_t)n : 0;
	}
	to[have] = 0;
	return true;
}

static int
await_exit(struct jail *j)
{
	struct pollfd p = { .fd = j->status_fd, .events = POLLIN };
	int status = -1;

	while (jail_exit(j, &status) == -EAGAIN)
		if (poll(&p, 1, DEADLINE_MS) <= 0)
			return -1;
	return status;
}

static bool
await_gone(const struct jail *j)
{
	struct pollfd p = { .fd = j->pidfd, .events = POLLIN };

	return poll(&p, 1, DEADLINE_MS) > 0;
}

static void
run_policy(const struct jail_policy *policy, struct ran *r)
{
	AUTO(plan) struct plan plan = { 0 };
	AUTO(jail) struct jail jail = { 0 };
	struct err e = { 0 };
	int out[2];

	memset(r, 0, sizeof *r);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	struct jail_io io = { .pty = -1, .fds = { out[0], out[1], 2 } };
	r->code = plan_make(policy, &plan, &e);
	r->code = r->code ? r->code : jail_start(&plan, &io, &jail, &e);
	close(out[1]);
	str_copy(r->error, sizeof r->error, e.msg);
	if (!r->code) {
		r->status = await_exit(&jail);
		assert_true(read_to_end(out[0], r->text, sizeof r->text));
		r->text[strcspn(r->text, "\n")] = 0;
	}
	close(out[0]);
}

static void
run_inside(const struct world *w, char *const *argv, struct ran *r)
{
	struct jail_policy policy;

	set_up_policy(w, &policy, argv);
	run_policy(&policy, r);
}

/* The probe as it is, in the Desktop's directory, with the same descriptors. */
static void
run_outside(const struct world *w, const char *act, const char *arg, struct ran *r)
{
	int out[2], status;
	pid_t pid;

	memset(r, 0, sizeof *r);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	pid = fork();
	if (!pid) {
		if (chdir(w->desk) || dup2(out[1], 1) < 0)
			_exit(1);
		execl(w->probe, "probe", act, arg, NULL);
		_exit(1);
	}
	close(out[1]);
	assert_true(read_to_end(out[0], r->text, sizeof r->text));
	r->text[strcspn(r->text, "\n")] = 0;
	close(out[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void
check_word(const char *name, const char *side, const char *got, const char *want)
{
	if (strcmp(got, want))
		fail_msg("%s: %s: got \"%s\", want \"%s\"", name, side, got, want);
}

enum proof {
	ANYBODY,
	ROOT,
	NOBODY
}; /* who can do it outside; NOBODY: the act inside is what must work */

struct row {
	const char *name, *act, *arg, *inside;
	enum proof proof;
	const char *outside;		       /* NULL: "ok" */
	const char *outside_act, *outside_arg; /* NULL: the same */
};

static void
try_rows(const struct world *w, const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct row *row = &rows[i];
		char *argv[] = { (char *)w->probe, (char *)row->act, (char *)row->arg, NULL };
		struct ran r;

		run_inside(w, argv, &r);
		if (r.code)
			fail_msg("%s: did not start: %s", row->name, r.error);
		check_word(row->name, "inside", r.text, row->inside);
		if (row->proof == NOBODY)
			continue;
		if (row->proof == ROOT && geteuid()) {
			print_message("  %s: no proof from outside: only root could do it there\n",
				row->name);
			continue;
		}
		run_outside(w, row->outside_act ? row->outside_act : row->act,
			row->outside_arg ? row->outside_arg : row->arg, &r);
		check_word(row->name, "outside", r.text, row->outside ? row->outside : "ok");
	}
}

static void
files_of_the_host(void **state)
{
	const struct world *w = *state;
	char other[128];

	snprintf(other, sizeof other, "%s/secret", w->secret);
	const struct row rows[] = {
		{ "shadow", "read", "/etc/shadow", "ENOENT", ROOT, 0, 0, 0 },
		{ "sudoers", "exists", "/etc/sudoers", "ENOENT", ROOT,
			access("/etc/sudoers", F_OK) ? "ENOENT" : "ok", 0, 0 },
		{ "another directory beside the Desktop's", "read", other, "ENOENT", ANYBODY, 0, 0,
			0 },
		{ "host's /root", "exists", "/root", "ENOENT", ANYBODY, 0, 0, 0 },
		{ "host's /sys", "exists", "/sys/kernel", "ENOENT", ANYBODY, 0, 0, 0 },
		{ "host's terminals", "exists", "/dev/pts/ptmx", "ok", NOBODY, 0, 0, 0 },
		{ "memory device", "exists", "/dev/mem", "ENOENT", NOBODY, 0, 0, 0 },
		{ "write /usr", "write", "/usr/sandesk-walls", "EROFS", ROOT, 0, 0, 0 },
		{ "write /etc", "write", "/etc/sandesk-walls", "EROFS", ROOT, 0, 0, 0 },
		{ "write /", "write", "/sandesk-walls", "EROFS", ROOT, 0, 0, 0 },
		{ "own /tmp can be written", "write", "/tmp/x", "ok", NOBODY, 0, 0, 0 },
		{ "own /dev/shm can be written", "write", "/dev/shm/x", "ok", NOBODY, 0, 0, 0 },
		{ "own home can be written", "write", "/home/dev/x", "ok", NOBODY, 0, 0, 0 },
		{ "the Desktop can be written", "write", "made-inside", "ok", NOBODY, 0, 0, 0 },
	};
	struct stat made, desk;
	char path[128];

	try_rows(w, rows, ARRAY_LEN(rows));
	unlink("/usr/sandesk-walls");
	unlink("/etc/sandesk-walls");
	unlink("/sandesk-walls");
	snprintf(path, sizeof path, "%s/made-inside", w->desk);
	assert_int_equal(stat(path, &made), 0);
	assert_int_equal(stat(w->desk, &desk), 0);
	assert_int_equal(made.st_uid, desk.st_uid);
	assert_int_equal(made.st_gid, desk.st_gid);
}

static void
mounts_and_namespaces(void **state)
{
	static const struct row rows[] = {
		{ "mount", "mount", "/tmp", "EPERM", ANYBODY, 0, "mount-nested", 0 },
		{ "an inner sandbox may mount in its own namespace", "mount-nested", "/tmp", "ok",
			NOBODY, 0, 0, 0 },
		{ "an inner sandbox cannot make /usr writable", "remount-nested", "/usr", "EPERM",
			NOBODY, 0, 0, 0 },
		{ "an inner sandbox cannot make / writable", "remount-nested", "/", "EPERM", NOBODY,
			0, 0, 0 },
		{ "an inner sandbox cannot uncover what is below a mount", "umount-nested", "/usr",
			"EINVAL", NOBODY, 0, 0, 0 },
		{ "setns to init's mounts", "setns", "/proc/1/ns/mnt", "EACCES", ROOT, 0, 0,
			"/proc/self/ns/mnt" },
		{ "setns to own user namespace", "setns", "/proc/self/ns/user", "EINVAL", NOBODY, 0,
			0, 0 },
	};

	try_rows(*state, rows, ARRAY_LEN(rows));
}

static void
processes(void **state)
{
	const struct world *w = *state;
	const struct row rows[] = {
		{ "trace init", "ptrace", "1", "EPERM", NOBODY, 0, 0, 0 },
		{ "read init's memory", "read", "/proc/1/mem", "EACCES", NOBODY, 0, 0, 0 },
		{ "read init's environment", "read", "/proc/1/environ", "EACCES", NOBODY, 0, 0, 0 },
		{ "init's root", "exists", "/proc/1/root/etc", "EACCES", NOBODY, 0, 0, 0 },
		{ "trace an own child works", "ptrace-child", "", "ok", ANYBODY, 0, 0, 0 },
		{ "signal a process of the host", "kill", w->pid, "ESRCH", ANYBODY, 0, 0, 0 },
		{ "descriptors", "descriptors", "", "none", NOBODY, 0, 0, 0 },
		{ "environment", "env", "WALLS_SECRET", "unset", ANYBODY, "leaked", 0, 0 },
		{ "no core, no helper of the host", "limit", "4", "1", NOBODY, 0, 0, 0 },
		{ "orphans are reaped", "orphans", "", "0", NOBODY, 0, 0, 0 },
	};

	setenv("WALLS_SECRET", "leaked", 1);
	try_rows(w, rows, ARRAY_LEN(rows));
	unsetenv("WALLS_SECRET");
}

static void
leaked_descriptor(void **state)
{
	const struct world *w = *state;
	char *argv[] = { (char *)w->probe, "descriptors", NULL };
	int fd = open("/etc/passwd", O_RDONLY); /* inheritable, as a careless caller leaves it */
	struct ran r;

	assert_true(fd > 2);
	run_inside(w, argv, &r);
	check_word("leaked descriptor", "inside", r.text, "none");
	run_outside(w, "descriptors", "", &r);
	assert_string_not_equal(r.text, "none");
	close(fd);
}

static void
network(void **state)
{
	const struct world *w = *state;
	const struct row rows[] = {
		{ "a server on the host's loopback", "connect", w->port, "ECONNREFUSED", ANYBODY, 0,
			0, 0 },
		{ "an abstract socket of the host", "abstract", w->base, "ECONNREFUSED", ANYBODY, 0,
			0, 0 },
		{ "interfaces", "interfaces", "", "none", NOBODY, 0, 0, 0 },
		{ "vsock", "socket", "40,0", "EAFNOSUPPORT", NOBODY, 0, 0, 0 },
		{ "packet", "socket", "17,3", "EAFNOSUPPORT", ROOT, 0, 0, 0 },
		{ "alg", "socket", "38,0", "EAFNOSUPPORT", NOBODY, 0, 0, 0 },
		{ "netlink connector", "socket", "16,15", "EPROTONOSUPPORT", ANYBODY, 0, 0, 0 },
		{ "netlink route works", "socket", "16,0", "ok", ANYBODY, 0, 0, 0 },
		{ "raw", "socket", "2,1", "EPROTONOSUPPORT", NOBODY, 0, 0, 0 },
		{ "inet works", "socket", "2,0", "ok", ANYBODY, 0, 0, 0 },
		{ "own sockets and FIFOs work", "sockets", "", "ok", NOBODY, 0, 0, 0 },
	};

	try_rows(w, rows, ARRAY_LEN(rows));
}

static void
system_calls(void **state)
{
	static const struct row rows[] = {
#if defined(__x86_64__)
		{ "io_uring_setup", "syscall", "425", "ENOSYS", ANYBODY, "EFAULT", 0, 0 },
		{ "keyctl", "syscall", "250", "ENOSYS", NOBODY, 0, 0, 0 },
		{ "add_key", "syscall", "248", "ENOSYS", ANYBODY, "EFAULT", 0, 0 },
		{ "request_key", "syscall", "249", "ENOSYS", ANYBODY, "EFAULT", 0, 0 },
		{ "bpf", "syscall", "321", "EPERM", ROOT, "EINVAL", 0, 0 },
		{ "perf_event_open", "syscall", "298", "EPERM", ROOT, "EFAULT", 0, 0 },
		{ "userfaultfd", "syscall", "323", "EPERM", ROOT, 0, 0, 0 },
		{ "open_by_handle_at", "syscall", "304", "EPERM", ROOT, "EFAULT", 0, 0 },
		{ "kexec_load", "syscall", "246", "EPERM", NOBODY, 0, 0, 0 },
		{ "init_module", "syscall", "175", "EPERM", NOBODY, 0, 0, 0 },
		{ "swapon", "syscall", "167", "EPERM", NOBODY, 0, 0, 0 },
		{ "reboot", "syscall", "169", "EPERM", NOBODY, 0, 0, 0 },
		{ "acct", "syscall", "163", "EPERM", NOBODY, 0, 0, 0 },
		{ "x32", "syscall", "0x40000027", "SIGSYS", ANYBODY, "ENOSYS", 0, 0 },
		{ "unknown call", "syscall", "1000", "ENOSYS", NOBODY, 0, 0, 0 },
		{ "openat2", "syscall", "437", "ENOSYS", ANYBODY, "EINVAL", 0, 0 },
#endif
		{ "setuid bit", "chmod", "4755", "EPERM", ANYBODY, 0, 0, 0 },
		{ "setgid bit", "chmod", "2755", "EPERM", ANYBODY, 0, 0, 0 },
		{ "plain mode works", "chmod", "755", "ok", ANYBODY, 0, 0, 0 },
		{ "setuid bit at creation", "create", "4755", "EPERM", ANYBODY, 0, 0, 0 },
		{ "plain creation works", "create", "755", "ok", ANYBODY, 0, 0, 0 },
		{ "device node", "mknod", "probe-node", "EPERM", ROOT, 0, 0, 0 },
		{ "READ_IMPLIES_EXEC", "personality", "0x0400000", "EPERM", ANYBODY, 0, 0, 0 },
		{ "TIOCLINUX", "tty", "0x541c", "EPERM", NOBODY, 0, 0, 0 },
		{ "TIOCSETD", "tty", "0x5423", "EPERM", NOBODY, 0, 0, 0 },
		{ "an ordinary terminal call works", "tty", "0x5413", "ok", NOBODY, 0, 0, 0 },
	};

	try_rows(*state, rows, ARRAY_LEN(rows));
}

static void
i386_calls(void **state)
{
	const struct world *w = *state;
	char *argv[] = { (char *)w->probe, "i386", NULL };
	struct ran r;

	run_outside(w, "i386", "", &r);
	if (strcmp(r.text, "ok")) {
		print_message(
			"  SKIPPED: i386_calls: this kernel runs no i386 calls (%s)\n", r.text);
		skip();
	}
	run_inside(w, argv, &r);
	check_word("i386", "inside", r.text, "SIGSYS");
}

static void
typing_into_a_terminal(void **state)
{
	static const char *const requests[] = { "0x5412", "0x100005412", "0xffffffff00005412" };
	const struct world *w = *state;
	struct ran r;

	run_outside(w, "tty", requests[1], &r);
	if (strcmp(r.text, "ok"))
		print_message("  no proof from outside: this kernel refuses TIOCSTI itself "
			      "(dev.tty.legacy_tiocsti): %s\n",
			r.text);
	for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
		char *argv[] = { (char *)w->probe, "tty", (char *)requests[i], NULL };

		run_inside(w, argv, &r);
		check_word(requests[i], "inside", r.text, "EPERM");
	}
}

static void
host_keyring(void **state)
{
	const struct world *w = *state;
	char *argv[] = { "/bin/cat", "/proc/keys", NULL };
	struct ran r;
	long key;

	/* The key is put where the tests' own session finds it, before a sandbox is started. */
	if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL, 0, 0, 0) < 0) {
		print_message("  SKIPPED: host_keyring: no keys here (%s)\n", strerror(errno));
		skip();
	}
	key = syscall(SYS_add_key, "user", "walls-secret", "x", 1, KEY_SPEC_SESSION_KEYRING);
	assert_true(key > 0);
	assert_true(syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user",
			    "walls-secret", 0) == key);
	run_inside(w, argv, &r);
	assert_int_equal(r.code, 0);
	if (!geteuid()) /* an ordinary user's own keys are listed to him by name in every /proc;
			   none can be read */
		assert_null(strstr(r.text, "walls-secret"));
	/* jail_start() has left that keyring for the whole process. */
	assert_true(syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user",
			    "walls-secret", 0) < 0);
}

static void
exit_statuses(void **state)
{
	static const struct {
		const char *name, *script;
		int code, exit_code;
		int signal; /* 0: it exits */
	} rows[] = {
		{ "0", "exit 0", 0, 0, 0 },
		{ "7", "exit 7", 0, 7, 0 },
		{ "255", "exit 255", 0, 255, 0 },
		{ "TERM", "kill -TERM $$", 0, 143, SIGTERM },
		{ "KILL", "kill -KILL $$", 0, 137, SIGKILL },
		{ "SEGV", "kill -SEGV $$", 0, 139, SIGSEGV },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *argv[] = { "sh", "-c", (char *)rows[i].script, NULL };
		struct ran r;

		run_inside(*state, argv, &r);
		if (r.code || jail_status_code(r.status) != rows[i].exit_code)
			fail_msg("%s: %d %s, status %#x", rows[i].name, r.code, r.error,
				(unsigned)r.status);
		assert_int_equal(WIFSIGNALED(r.status) ? WTERMSIG(r.status) : 0, rows[i].signal);
	}
}

static void
commands_that_cannot_run(void **state)
{
	const struct world *w = *state;
	char plain[128], broken[128];
	int fd;

	snprintf(plain, sizeof plain, "%s/plain", w->desk);
	snprintf(broken, sizeof broken, "%s/broken", w->desk);
	fd = open(plain, O_WRONLY | O_CREAT, 0644);
	close(fd);
	fd = open(broken, O_WRONLY | O_CREAT, 0755);
	assert_int_equal(fd_write_all(fd, "\x01\x02\x03", 3), 0);
	close(fd);
	const struct {
		const char *name, *command, *workdir;
		int code, exit_code;
	} rows[] = {
		{ "not in PATH", "sandesk-no-such", NULL, JAIL_NOT_FOUND, 127 },
		{ "no such path", "/nowhere/x", NULL, JAIL_NOT_FOUND, 127 },
		{ "not executable", plain, NULL, JAIL_NOT_EXECUTABLE, 126 },
		{ "not a program", broken, NULL, JAIL_NOT_EXECUTABLE, 126 },
		{ "a directory", w->desk, NULL, JAIL_NOT_EXECUTABLE, 126 },
		{ "no working directory", "true", "/nowhere", JAIL_NOT_BUILT, 125 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *argv[] = { (char *)rows[i].command, NULL };
		struct jail_policy policy;
		struct ran r;

		set_up_policy(w, &policy, argv);
		policy.workdir = rows[i].workdir;
		run_policy(&policy, &r);
		if (r.code != rows[i].code || jail_exit_code(r.code) != rows[i].exit_code)
			fail_msg("%s: got %d: %s", rows[i].name, r.code, r.error);
		assert_non_null(
			strstr(r.error, rows[i].workdir ? rows[i].workdir : rows[i].command));
	}
}

static void
fork_bomb_ends(void **state)
{
	enum { PROCESSES = 40 };
	const struct world *w = *state;
	char *argv[] = { (char *)w->probe, "forks", NULL };
	struct jail_policy policy;
	struct ran r;

	set_up_policy(w, &policy, argv);
	policy.limits.processes = PROCESSES;
	run_policy(&policy, &r);
	assert_int_equal(r.code, 0);
	assert_in_range(atoi(r.text), 10, PROCESSES);
	run_outside(w, "forks", "", &r);
	if (atoi(r.text) <= PROCESSES)
		print_message(
			"  no proof from outside: the machine itself gave only %s processes\n",
			r.text);
}

/* A sandbox that holds the writing end of `out`, running the probe's `act`. Waits until it has said
 * ok. */
static void
start_holding(const struct world *w, const char *act, struct jail *jail, int out[2])
{
	char *argv[] = { (char *)w->probe, (char *)act, NULL };
	AUTO(plan) struct plan plan = { 0 };
	struct jail_policy policy;
	struct err e = { 0 };
	char word[3];

	set_up_policy(w, &policy, argv);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	struct jail_io io = { .pty = -1, .fds = { out[0], out[1], 2 } };
	assert_int_equal(plan_make(&policy, &plan, &e), 0);
	if (jail_start(&plan, &io, jail, &e))
		fail_msg("%s", e.msg);
	close(out[1]);
	assert_int_equal(fd_read_all(out[0], word, sizeof word), sizeof word);
	assert_memory_equal(word, "ok\n", 3);
}

static void
daemons_die_with_the_command(void **state)
{
	struct jail jail = { 0 };
	char rest[16];
	int out[2];

	start_holding(*state, "daemon", &jail, out);
	assert_int_equal(await_exit(&jail), 0);
	assert_true(await_gone(&jail));
	assert_true(read_to_end(out[0], rest, sizeof rest)); /* nobody holds it any more */
	close(out[0]);
	jail_fini(&jail);
}

static void
signals_are_forwarded(void **state)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGKILL, SIGQUIT };

	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		struct jail jail = { 0 };
		int out[2], status;

		start_holding(*state, "pause", &jail, out);
		assert_int_equal(jail_signal(&jail, 0), -EINVAL);
		assert_int_equal(jail_signal(&jail, signals[i]), 0);
		status = await_exit(&jail);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), signals[i]);
		assert_int_equal(jail_signal(&jail, signals[i]), -ESRCH);
		close(out[0]);
		jail_fini(&jail);
	}
}

static void
kill_takes_the_tree(void **state)
{
	struct jail jail = { 0 };
	char rest[16];
	int out[2];

	start_holding(*state, "pause", &jail, out);
	assert_int_equal(jail_kill(&jail), 0);
	assert_true(await_gone(&jail));
	assert_true(read_to_end(out[0], rest, sizeof rest));
	assert_int_equal(WTERMSIG(await_exit(&jail)), SIGKILL);
	close(out[0]);
	jail_fini(&jail);
}

/* The keeper is killed: its sandbox's processes close what they hold, without anybody asking them
 * to. */
static void
death_of_the_keeper(void **state)
{
	char rest[16];
	int out[2], said[2], status;
	pid_t keeper;

	assert_int_equal(pipe2(said, O_CLOEXEC), 0);
	keeper = fork();
	if (!keeper) {
		struct jail jail = { 0 };

		start_holding(*state, "pause", &jail, out);
		if (write(said[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(said[1]);
	assert_int_equal(fd_read_all(said[0], rest, 1), 1);
	close(said[0]);
	/* The tree is found by the keeper's child: init. */
	char path[64], text[32];
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", keeper, keeper);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : fd_read_all(fd, text, sizeof text - 1);
	fd_close(fd);
	text[n > 0 ? n : 0] = 0;
	pid_t init = (pid_t)strtol(text, NULL, 10);
	assert_true(init > 0);
	int pidfd = (int)syscall(SYS_pidfd_open, init, 0);
	assert_true(pidfd >= 0);
	kill(keeper, SIGKILL);
	assert_int_equal(waitpid(keeper, &status, 0), keeper);
	struct pollfd p = { .fd = pidfd, .events = POLLIN };
	assert_int_equal(poll(&p, 1, DEADLINE_MS), 1);
	close(pidfd);
}

/* SIGKILL hits the keeper at another instant of the start each time. Whatever was there by then
 * ends: the pipe that the keeper and everything in its sandbox hold is closed. */
static void
death_of_the_keeper_at_any_instant(void **state)
{
	enum { ROUNDS = 60, STEP_NS = 60000 };
	const struct world *w = *state;

	for (int i = 0; i < ROUNDS; i++) {
		char *argv[] = { (char *)w->probe, "pause", NULL };
		struct timespec instant = { .tv_nsec = i * STEP_NS };
		char rest[64];
		int out[2], status;
		pid_t keeper;

		assert_int_equal(pipe2(out, O_CLOEXEC), 0);
		keeper = fork();
		if (!keeper) {
			struct ran r;

			dup2(out[1], 2); /* the command's stderr is this one, too */
			run_inside(w, argv, &r);
			_exit(1);
		}
		close(out[1]);
		nanosleep(&instant, NULL);
		kill(keeper, SIGKILL);
		assert_int_equal(waitpid(keeper, &status, 0), keeper);
		assert_int_equal(status, SIGKILL);
		assert_true(read_to_end(out[0], rest, sizeof rest));
		close(out[0]);
	}
}

/* A stop reaches what ignores nothing; a pause and its end reach all; what ignores everything is
 * for jail_kill(). */
static void
stopping_and_pausing(void **state)
{
	struct jail jail = { 0 };
	int out[2], status;

	start_holding(*state, "pause", &jail, out);
	assert_int_equal(jail_signal_all(&jail, SIGSTOP), 0);
	assert_int_equal(jail_signal_all(&jail, SIGCONT), 0);
	assert_int_equal(jail_exit(&jail, &status), -EAGAIN);
	assert_int_equal(jail_stop(&jail), 0);
	status = await_exit(&jail);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	assert_true(await_gone(&jail));
	assert_true(jail_stop(&jail) == -ESRCH);
	close(out[0]);
	jail_fini(&jail);
	jail_fini(&jail);
}

static void
start_on_terminal(const struct world *w, char *const *argv, struct pty *pty, struct jail *jail)
{
	AUTO(plan) struct plan plan = { 0 };
	struct jail_policy policy;
	struct err e = { 0 };

	set_up_policy(w, &policy, argv);
	policy.has_pty = true;
	assert_int_equal(pty_open(pty, (struct size){ 30, 101 }, &e), 0);
	struct jail_io io = { .pty = pty_slave(pty, &e) };
	assert_true(io.pty >= 0);
	assert_int_equal(plan_make(&policy, &plan, &e), 0);
	if (jail_start(&plan, &io, jail, &e))
		fail_msg("%s", e.msg);
	close(io.pty);
}

/* The terminal's foreground job gets the signal, its shell goes on. */
static void
a_signal_for_the_foreground(void **state)
{
	const struct world *w = *state;
	char *script = str_format("set -m; %s pause; echo after $?; exit 5", w->probe);
	char *argv[] = { "bash", "-c", script, NULL };
	AUTO(jail) struct jail jail = { 0 };
	AUTO(pty) struct pty pty = { .fd = -1 };
	char text[1024] = "";
	size_t have = 0;
	ssize_t n;

	start_on_terminal(w, argv, &pty, &jail);
	mem_free(script);
	while (!strstr(text, "ok") && (n = read(pty.fd, text + have, sizeof text - 1 - have)) > 0)
		have += (size_t)n;
	assert_int_equal(jail_signal(&jail, SIGTERM), 0);
	while ((n = read(pty.fd, text + have, sizeof text - 1 - have)) > 0)
		have += (size_t)n;
	assert_non_null(strstr(text, "after 143"));
	assert_int_equal(jail_status_code(await_exit(&jail)), 5);
}

/* It ignores SIGTERM. */
static void
stopping_an_interactive_shell(void **state)
{
	char *argv[] = { "bash", "--norc", "-i", NULL };
	AUTO(jail) struct jail jail = { 0 };
	AUTO(pty) struct pty pty = { .fd = -1 };
	char text[1024] = "";
	size_t have = 0;
	ssize_t n;

	start_on_terminal(*state, argv, &pty, &jail);
	assert_int_equal(fd_write_all(pty.fd, "echo rea''dy\n", 13), 0);
	while (!strstr(text, "ready") &&
		(n = read(pty.fd, text + have, sizeof text - 1 - have)) > 0)
		have += (size_t)n;
	assert_int_equal(jail_stop(&jail), 0);
	assert_true(await_exit(&jail) >= 0);
	assert_true(await_gone(&jail));
}

static void
a_shell_on_a_terminal(void **state)
{
	char *argv[] = { "sh", "-c",
		"tty; stty size; echo $HOME $USER $TERM; cat /proc/self/status | grep -c "
		"'NoNewPrivs:.1'; exit 3",
		NULL };
	AUTO(jail) struct jail jail = { 0 };
	AUTO(pty) struct pty pty = { .fd = -1 };
	char text[1024];
	size_t have = 0;
	ssize_t n;

	start_on_terminal(*state, argv, &pty, &jail);
	while ((n = read(pty.fd, text + have, sizeof text - 1 - have)) > 0)
		have += (size_t)n;
	text[have] = 0;
	assert_string_equal(
		text, "/dev/console\r\n30 101\r\n/home/dev dev xterm-256color\r\n1\r\n");
	assert_int_equal(jail_status_code(await_exit(&jail)), 3);
}

static void
this_machine(void **state)
{
	struct err e = { 0 };

	(void)state;
	if (jail_probe(&e))
		fail_msg("%s", e.msg);
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st, (void)kind, (void)where;
	return remove(path);
}

static int
listen_on(int family, struct sockaddr *at, socklen_t len)
{
	int s = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return s < 0 || bind(s, at, len) || listen(s, 16) ? -1 : s;
}

/* From the current directory, see main(). */
static bool
copy_probe(struct world *w)
{
	char bytes[1 << 16];
	AUTO(fd) int from = -1;
	AUTO(fd) int to = -1;
	ssize_t n;

	snprintf(w->probe, sizeof w->probe, "%s/probe", w->desk);
	from = open("probe", O_RDONLY | O_CLOEXEC);
	to = open(w->probe, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	if (from < 0 || to < 0)
		return false;
	while ((n = read(from, bytes, sizeof bytes)) > 0)
		if (fd_write_all(to, bytes, (size_t)n))
			return false;
	return !n;
}

static int
make_world(void **state)
{
	struct world *w = mem_new(struct world);
	struct sockaddr_in tcp = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct sockaddr_un abstract = { .sun_family = AF_UNIX };
	socklen_t len = sizeof tcp;
	char path[128];
	int fd;

	strcpy(w->base, "/tmp/sandesk-walls-XXXXXX");
	if (!mkdtemp(w->base))
		return -1;
	snprintf(w->desk, sizeof w->desk, "%s/desk", w->base);
	snprintf(w->home, sizeof w->home, "%s/home", w->base);
	snprintf(w->secret, sizeof w->secret, "%s/other", w->base);
	snprintf(path, sizeof path, "%s/secret", w->secret);
	if (mkdir(w->desk, 0700) || mkdir(w->home, 0700) || mkdir(w->secret, 0700))
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0 || fd_write_all(fd, "secret", 6))
		return -1;
	close(fd);
	w->listener = listen_on(AF_INET, (void *)&tcp, sizeof tcp);
	getsockname(w->listener, (void *)&tcp, &len);
	snprintf(w->port, sizeof w->port, "%u", ntohs(tcp.sin_port));
	memcpy(abstract.sun_path + 1, w->base, strlen(w->base));
	w->abstract = listen_on(AF_UNIX, (void *)&abstract,
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(w->base)));
	snprintf(w->pid, sizeof w->pid, "%d", getpid());
	*state = w;
	return w->listener < 0 || w->abstract < 0 || !copy_probe(w) ? -1 : 0;
}

static int
unmake_world(void **state)
{
	struct world *w = *state;

	close(w->listener);
	close(w->abstract);
	nftw(w->base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	mem_free(w);
	return 0;
}

static int
run_all(const char *who)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_machine),
		cmocka_unit_test(files_of_the_host),
		cmocka_unit_test(mounts_and_namespaces),
		cmocka_unit_test(processes),
		cmocka_unit_test(leaked_descriptor),
		cmocka_unit_test(network),
		cmocka_unit_test(system_calls),
		cmocka_unit_test(i386_calls),
		cmocka_unit_test(typing_into_a_terminal),
		cmocka_unit_test(host_keyring),
		cmocka_unit_test(exit_statuses),
		cmocka_unit_test(commands_that_cannot_run),
		cmocka_unit_test(fork_bomb_ends),
		cmocka_unit_test(daemons_die_with_the_command),
		cmocka_unit_test(signals_are_forwarded),
		cmocka_unit_test(kill_takes_the_tree),
		cmocka_unit_test(death_of_the_keeper),
		cmocka_unit_test(death_of_the_keeper_at_any_instant),
		cmocka_unit_test(stopping_and_pausing),
		cmocka_unit_test(a_signal_for_the_foreground),
		cmocka_unit_test(stopping_an_interactive_shell),
		cmocka_unit_test(a_shell_on_a_terminal),
	};

	return cmocka_run_group_tests_name(who, tests, make_world, unmake_world);
}

/* The same as an ordinary user, whose descriptors and rights are what such a user's would be. */
static int
run_as_other(void)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (setgroups(0, NULL) || setresgid(OTHER_UID, OTHER_UID, OTHER_UID) ||
			setresuid(OTHER_UID, OTHER_UID, OTHER_UID))
			_exit(125);
		status = run_all("walls as an ordinary user");
		fflush(NULL);
		_exit(status != 0);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Goes to where this program and its probe are: the ordinary user may have no way there by path, as when root builds below
 * its own home directory. */
static bool
go_home(void)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	if (n <= 0)
		return false;
	self[n] = 0;
	*strrchr(self, '/') = 0;
	return !chdir(self);
}

int
main(void)
{
	if (!go_home()) {
		perror("not ok - the test's own directory");
		return 1;
	}
	int failed = run_all(geteuid() ? "walls as this user" : "walls as root");

	if (!geteuid())
		failed += run_as_other();
	else
		printf("SKIPPED: walls as root: run it as root for these\n");
	return failed != 0;
}
