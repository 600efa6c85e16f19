/* redteam_test.c - attempts to get out of a sandbox: each is made inside a real one, in both profiles,
 * and bare, where it must succeed.
 * Contract:  a row fails when the attempt succeeds inside, when it says nothing, or when it does not
 *            succeed bare (then it proves nothing). As root everything is done twice: as root and as
 *            an ordinary user. With the argument `table` the attempts are also made in the sandboxes
 *            of others that are installed, and a table is printed (make redteam).
 *            Root's firejail leaves three mounts of its own in /run/firejail, podman empty groups
 *            (libpod_parent) in /sys/fs/cgroup.
 *            Needs attempt beside itself. Bare attempts keep their mounts from the machine
 *            (attempt.c, "Safety").
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <linux/keyctl.h>
#include <mqueue.h>
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
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "jail/jail.h"
#include "pty/pty.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

enum { DEADLINE_MS = 20000, OTHER_UID = 61235, LEAKED_FD = 9, WORD_BYTES = 256 };

/* Who can prove it bare. NOBODY: success bare would harm the machine, or says nothing. */
enum proof { ANYBODY, ROOT, NOBODY };

/* What a profile must do. BY_DESIGN: it must be possible there. MAY: not held there, and said to be so
 * (jail/notify.h; jail/plan.c on /proc). */
enum must { REFUSE, BY_DESIGN, MAY };

/* `arg`: a word with @ stands for something of the world, see value_of(). */
static const struct attempt {
	const char *id, *name, *act, *arg;
	enum must by_default, in_strict;
	enum proof proof;
} attempts[] = {
	{ "F01", "read /etc/shadow", "read", "/etc/shadow", 0, 0, ROOT },
	{ "F01b", "read a file beside W", "read", "@secret", 0, 0, ANYBODY },
	{ "F02", "write /usr", "write", "/usr/sandesk-redteam", 0, 0, ROOT },
	{ "F02b", "write /etc", "write", "/etc/sandesk-redteam", 0, 0, ROOT },
	{ "F02c", "make /usr writable", "remount", "/usr", 0, 0, NOBODY },
	{ "F03", "write a mount below a read-only one", "submounts", "", 0, 0, NOBODY },
	{ "F04", "host files by a process's root", "read", "@through-root", 0, 0, ANYBODY },
	{ "F04b", "host files by W and ..", "read", "@through-cwd", 0, 0, ANYBODY },
	{ "F05", "a leaked descriptor", "descriptors", "", 0, 0, ANYBODY },
	{ "F06", "open by file handle", "handle", "", 0, 0, ROOT },
	{ "F08", "setuid bit in W", "chmod", "4755", 0, 0, ANYBODY },
	{ "F08b", "setgid bit in W", "chmod", "2755", 0, 0, ANYBODY },
	{ "F08c", "these bits by every other call", "setid-otherwise", "", 0, 0, ANYBODY },
	{ "F08d", "file capabilities in W", "file-caps", "", 0, 0, ROOT },
	{ "F10", "character device in W", "device", "c", 0, 0, ROOT },
	{ "F10b", "block device in W", "device", "b", 0, 0, ROOT },
	{ "F10c", "FIFO in W", "fifo", "", 0, 0, ANYBODY },
	{ "F10d", "socket in W", "bind", "", 0, 0, ANYBODY },
	{ "F10e", "the same by an own mount", "node-by-mount", "", 0, 0, ANYBODY },
	{ "F10f", "the same by a race of links", "race-bind", "", 0, 0, ANYBODY },
	{ "F11", "plant a git hook", "hook", "", 0, 0, ANYBODY },
	{ "F11b", "after renaming .git", "hook-by-rename", "", 0, 0, ANYBODY },
	{ "F11c", "by replacing hooks or config", "hook-by-replacement", "", 0, 0, ANYBODY },
	{ "F11d", "config by a hard link", "hook-by-link", "", 0, 0, ANYBODY },
	{ "F11e", "in an own mount namespace", "hook-by-mount", "", 0, 0, NOBODY },
	{ "F16", "trusted.* attributes", "trusted-xattr", "", 0, 0, ROOT },
	{ "P01", "core_pattern, modprobe, sysrq", "write-any",
		"/proc/sys/kernel/core_pattern,/proc/sys/kernel/modprobe,/proc/sysrq-trigger,"
		"/proc/sys/vm/overcommit_memory,/sys/kernel/uevent_helper",
		0, 0, ROOT },
	{ "P02", "kernel addresses", "addresses", "/proc/kallsyms", 0, 0, ROOT },
	{ "P02b", "physical memory map", "addresses", "/proc/iomem", 0, 0, NOBODY },
	{ "P02c", "kernel log", "read", "/dev/kmsg", 0, 0, NOBODY },
	{ "P02d", "kernel memory", "read", "/proc/kcore", 0, 0, NOBODY },
	{ "P03", "environment of a host process", "environ", "@pid", 0, 0, ANYBODY },
	{ "P03b", "signal a host process", "kill", "@pid", 0, 0, ANYBODY },
	{ "P04", "into the sandbox's init", "init", "", 0, 0, ROOT },
	{ "P04b", "as root of an own namespace", "init-nested", "", 0, 0, NOBODY },
	{ "P07", "own id map, less OOM", "write-any", "/proc/1/oom_score_adj,/proc/1/uid_map", 0, 0,
		ROOT },
	{ "D01", "devices of the host", "exists-any",
		"/dev/mem,/dev/port,/dev/kmsg,/dev/sda,/dev/vda,/dev/fuse,/dev/net/tun,/dev/kvm,"
		"/dev/uinput,/dev/dri,/dev/loop-control",
		0, 0, ANYBODY },
	{ "D03", "a terminal of the host", "open-write", "@tty", 0, 0, ANYBODY },
	{ "N01", "namespaces inside (inner sandboxes)", "nested", "", BY_DESIGN, 0, ANYBODY },
	{ "N01b", "the same by clone3", "clone3-nested", "", BY_DESIGN, 0, ANYBODY },
	{ "N02", "enter init's namespaces", "setns", "", 0, 0, NOBODY },
	{ "N03", "mount without a namespace", "mount-calls", "", 0, 0, ROOT },
	{ "N04", "system calls of the future", "unknown-calls", "", 0, 0, NOBODY },
	{ "C01", "capabilities, new privileges", "caps", "", 0, 0, ANYBODY },
#if defined(__x86_64__)
	{ "S01", "io_uring", "syscall", "425", 0, 0, ANYBODY },
	{ "S02", "bpf", "syscall", "321", 0, 0, ROOT },
	{ "S02b", "perf_event_open", "syscall", "298", 0, 0, ROOT },
	{ "S02c", "userfaultfd", "syscall", "323", 0, 0, ROOT },
	{ "S03b", "add_key", "syscall", "248", 0, 0, ANYBODY },
	{ "S04", "i386 calls", "i386", "", 0, 0, ANYBODY },
	{ "S04b", "x32 calls", "syscall", "0x40000027", 0, 0, NOBODY },
#endif
	{ "S03", "key of the host's session", "key", "redteam", 0, 0, ANYBODY },
	{ "S03c", "names of the user's keys (strict)", "contains", "/proc/keys,redteam", MAY, 0,
		ANYBODY },
	{ "S07", "a listener of its own", "listener", "", 0, 0, ANYBODY },
	{ "S11", "READ_IMPLIES_EXEC", "personality", "0x400000", 0, 0, ANYBODY },
	{ "T01", "type into the terminal", "type", "0x5412", 0, 0, ANYBODY },
	{ "T02", "TIOCLINUX", "type", "0x541c", 0, 0, NOBODY },
	{ "I01", "abstract socket of the host", "abstract", "@base", 0, 0, ANYBODY },
	{ "I02", "socket of the host in W", "host-socket", "host.sock", 0, 0, ANYBODY },
	{ "I02b", "the same by a race", "race-connect", "host.sock", 0, 0, ANYBODY },
	{ "I02c", "datagram socket of the host in W (strict)", "datagram", "host.dgram", MAY, 0,
		ANYBODY },
	{ "I03", "server on the host's loopback", "tcp", "@port", 0, 0, ANYBODY },
	{ "I04", "shared memory of the host", "shm", "@shm", 0, 0, ANYBODY },
	{ "I04b", "message queue of the host", "queue", "@queue", 0, 0, ANYBODY },
	{ "I05", "AF_VSOCK", "socket", "40,0", 0, 0, NOBODY },
	{ "I05b", "AF_PACKET", "socket", "17,3", 0, 0, ROOT },
	{ "I05c", "AF_ALG", "socket", "38,0", 0, 0, NOBODY },
	{ "I05d", "netlink connector", "socket", "16,11", 0, 0, NOBODY },
	{ "I06", "pidfd of a host process", "pidfd", "@pid", 0, 0, ANYBODY },
	{ "R01", "5000 processes", "forks", "5000", 0, 0, NOBODY },
	{ "R02", "2 GB in /tmp", "scratch", "2000000000", 0, 0, NOBODY },
	{ "R06", "core dumps", "core", "", 0, 0, NOBODY },
	{ "X01", "environment of the caller", "env", "REDTEAM_SECRET", 0, 0, ANYBODY },
	{ "K01", "control socket of sandesk", "exists-any", "@control", 0, 0, ANYBODY },
};

struct world {
	char base[64]; /* everything below it is removed at the end */
	char desk[96], home[96], secret[160], through_root[192], through_cwd[256], control[160];
	char port[8], pid[16], shm[16], queue[64], tty[64];
	int servers[4];
	int shm_id;
	struct pty pty;
	int slave;
};

static const char *
value_of(const struct world *w, const char *arg)
{
	const struct {
		const char *word, *value;
	} words[] = {
		{ "@secret", w->secret },
		{ "@through-root", w->through_root },
		{ "@through-cwd", w->through_cwd },
		{ "@control", w->control },
		{ "@pid", w->pid },
		{ "@port", w->port },
		{ "@base", w->base },
		{ "@shm", w->shm },
		{ "@queue", w->queue },
		{ "@tty", w->tty },
	};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (str_equal(words[i].word, arg))
			return words[i].value;
	return arg;
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st, (void)kind, (void)where;
	return remove(path);
}

static bool
make_file(const char *dir, const char *name, const char *text)
{
	char path[256];
	AUTO(fd) int fd = -1;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	return fd >= 0 && !fd_write_all(fd, text, strlen(text));
}

/* W as it was before anybody attempted anything in it. */
static bool
freshen(const struct world *w)
{
	static const char *const made[] = { ".git", ".gitx", "sub", "up", "work" };
	char path[256];
	DIR *dir = opendir(w->desk);
	struct dirent *entry;

	for (size_t i = 0; i < ARRAY_LEN(made); i++) {
		snprintf(path, sizeof path, "%s/%s", w->desk, made[i]);
		nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	}
	while (dir && (entry = readdir(dir)))
		if (str_has_prefix(entry->d_name, "attempt-") ||
			str_has_prefix(entry->d_name, "race-"))
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	snprintf(path, sizeof path, "%s/.git", w->desk);
	if (mkdir(path, 0755))
		return false;
	snprintf(path, sizeof path, "%s/.git/hooks", w->desk);
	return !mkdir(path, 0755) && make_file(w->desk, ".git/config", "[core]\n");
}

/* Leaves the process in a session keyring that has a key in it. */
static void
make_key(void)
{
	syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL, 0, 0, 0);
	syscall(SYS_add_key, "user", "redteam", "x", 1, KEY_SPEC_SESSION_KEYRING);
}

/* The first word that comes, until the end of the file or the deadline. */
static void
read_word(int fd, char *to)
{
	int64_t end = clock_ms() + DEADLINE_MS;
	size_t have = 0;
	ssize_t n = 1;

	while (n > 0 && have < WORD_BYTES - 1) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int64_t left = end - clock_ms();

		if (left <= 0 || poll(&p, 1, (int)left) <= 0)
			break;
		n = read(fd, to + have, WORD_BYTES - 1 - have);
		have += n > 0 ? (size_t)n : 0;
	}
	to[have] = 0;
	to[strcspn(to, "\r\n")] = 0;
}

/* In a child, because a sandbox of ours changes the caller's keyring. */
static void
jailed_child(const struct world *w, enum jail_profile profile, const struct attempt *a, int out)
{
	char *argv[] = { "./attempt", (char *)a->act, (char *)value_of(w, a->arg), NULL };
	AUTO(plan) struct plan plan = { 0 };
	AUTO(jail) struct jail jail = { 0 };
	struct jail_io io = { .pty = -1, .fds = { w->slave, out, 2 } };
	struct jail_policy policy;
	struct err e = { 0 };
	int status;

	jail_policy_init(&policy);
	policy.desktop_dir = w->desk;
	policy.home_dir = w->home;
	policy.user = "dev";
	policy.hostname = "redteam";
	policy.argv = argv;
	policy.profile = profile;
	if (plan_make(&policy, &plan, &e) || jail_start(&plan, &io, &jail, &e)) {
		dprintf(out, "not started: %s\n", e.msg);
		_exit(1);
	}
	while (jail_exit(&jail, &status) == -EAGAIN) {
		struct pollfd p = { .fd = jail.status_fd, .events = POLLIN };

		if (poll(&p, 1, DEADLINE_MS) <= 0)
			break;
	}
	jail_fini(&jail);
	_exit(0);
}

typedef void child_main(const struct world *w, const struct attempt *a, int out);

static void
by_default(const struct world *w, const struct attempt *a, int out)
{
	jailed_child(w, JAIL_DEFAULT, a, out);
}

static void
in_strict(const struct world *w, const struct attempt *a, int out)
{
	jailed_child(w, JAIL_STRICT, a, out);
}

static void
bare(const struct world *w, const struct attempt *a, int out)
{
	(void)out;
	execl("./attempt", "attempt", a->act, value_of(w, a->arg), NULL);
}

static void
in_bwrap(const struct world *w, const struct attempt *a, int out)
{
	AUTO(mem) char *hooks = str_format("%s/.git/hooks", w->desk);

	(void)out;
	execlp("bwrap", "bwrap", "--unshare-all", "--unshare-user", "--disable-userns",
		"--new-session", "--die-with-parent", "--cap-drop", "ALL", "--clearenv",
		"--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib",
		"/lib", "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev",
		"--tmpfs", "/tmp", "--bind", w->desk, w->desk, "--ro-bind", hooks, hooks, "--chdir",
		w->desk, "./attempt", a->act, value_of(w, a->arg), NULL);
}

static void
in_firejail(const struct world *w, const struct attempt *a, int out)
{
	AUTO(mem) char *private = str_format("--private=%s", w->desk);

	(void)out;
	execlp("firejail", "firejail", "--quiet", "--noprofile", "--net=none", private,
		"--private-dev", "--private-tmp", "--caps.drop=all", "--nonewprivs", "--noroot",
		"--seccomp", "--ipc-namespace", "--restrict-namespaces", "--rlimit-nproc=400",
		"--rlimit-as=1000000000", "--", "./attempt", a->act, value_of(w, a->arg), NULL);
}

static void
in_podman(const struct world *w, const struct attempt *a, int out)
{
	AUTO(mem) char *root = str_format("%s/root", w->base);
	AUTO(mem) char *volume = str_format("%s:%s", w->desk, w->desk);
	AUTO(mem) char *state = str_format("--root=%s/podman", w->base);
	AUTO(mem) char *run = str_format("--runroot=%s/podman-run", w->base);
	/* crun refuses machines that have both versions of cgroups. */
	const char *runtime = access("/usr/sbin/runc", X_OK) ? "--runtime=crun" : "--runtime=runc";

	(void)out;
	execlp("podman", "podman", state, run, "--cgroup-manager=cgroupfs", "--events-backend=none",
		"--storage-driver=vfs", runtime, "run", "--rm", "-i", "--network=none",
		"--cap-drop=all", "--security-opt=no-new-privileges", "--ulimit=nproc=400:400",
		"--ulimit=nofile=1024:1024", "-v", volume, "-w", w->desk, "--rootfs", root,
		"./attempt", a->act, value_of(w, a->arg), NULL);
}

/* A session of its own with a terminal of the harness's, a leaked descriptor, a key and a secret in
 * the environment, as a careless caller has them. */
static void
start_child(const struct world *w, child_main *run, const struct attempt *a, int out)
{
	int leaked = open(w->secret, O_RDONLY);

	setsid();
	ioctl(w->slave, TIOCSCTTY, 0);
	dup2(w->slave, 0);
	dup2(out, 1);
	dup2(open("/dev/null", O_WRONLY), 2);
	dup2(leaked, LEAKED_FD);
	setenv("REDTEAM_SECRET", "x", 1);
	make_key();
	signal(SIGHUP, SIG_IGN);
	if (chdir(w->desk))
		_exit(125);
	run(w, a, 1);
	_exit(126);
}

static void
make_attempt(const struct world *w, child_main *run, const struct attempt *a, char *word)
{
	int out[2];
	pid_t pid;

	assert_true(freshen(w));
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	fflush(stdout);
	pid = fork();
	if (!pid)
		start_child(w, run, a, out[1]);
	close(out[1]);
	read_word(out[0], word);
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(out[0]);
}

/* A refusal is the name of an errno, or SIGSYS; silence and complaints are none. */
static bool
is_refusal(const char *word)
{
	if (str_equal(word, "SIGSYS"))
		return true;
	if (word[0] != 'E')
		return false;
	return strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == strlen(word);
}

static void
inside(const struct world *w, child_main *run, bool is_strict, const char *profile)
{
	int bad = 0;

	for (size_t i = 0; i < ARRAY_LEN(attempts); i++) {
		const struct attempt *a = &attempts[i];
		enum must must = is_strict ? a->in_strict : a->by_default;
		char word[WORD_BYTES];

		make_attempt(w, run, a, word);
		if (must == BY_DESIGN
				? !str_equal(word, "ok")
				: !is_refusal(word) && !(must == MAY && str_equal(word, "ok"))) {
			print_error("%s %s, %s: \"%s\"\n", a->id, a->name, profile, word);
			bad++;
		}
	}
	assert_int_equal(bad, 0);
}

static void
attempts_in_the_default_profile(void **state)
{
	inside(*state, by_default, false, "default");
}

static void
attempts_in_the_strict_profile(void **state)
{
	inside(*state, in_strict, true, "strict");
}

/* Else the rows above would prove nothing. */
static void
attempts_succeed_bare(void **state)
{
	int bad = 0;

	for (size_t i = 0; i < ARRAY_LEN(attempts); i++) {
		const struct attempt *a = &attempts[i];
		char word[WORD_BYTES];

		if (a->proof == NOBODY || (a->proof == ROOT && geteuid()))
			continue;
		make_attempt(*state, bare, a, word);
		if (!str_equal(word, "ok")) {
			print_error("%s %s: bare: \"%s\"\n", a->id, a->name, word);
			bad++;
		}
	}
	assert_int_equal(bad, 0);
}

static int
listen_on(int type, struct sockaddr *at, socklen_t len)
{
	int s = socket(at->sa_family, type | SOCK_CLOEXEC, 0);

	return s < 0 || bind(s, at, len) || (type == SOCK_STREAM && listen(s, 4096)) ? -1 : s;
}

static bool
make_servers(struct world *w)
{
	struct sockaddr_in tcp = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	socklen_t len = sizeof tcp;

	w->servers[0] = listen_on(SOCK_STREAM, (void *)&tcp, sizeof tcp);
	getsockname(w->servers[0], (void *)&tcp, &len);
	snprintf(w->port, sizeof w->port, "%u", ntohs(tcp.sin_port));
	memcpy(at.sun_path + 1, w->base, strlen(w->base));
	w->servers[1] = listen_on(SOCK_STREAM, (void *)&at,
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(w->base)));
	memset(at.sun_path, 0, sizeof at.sun_path);
	snprintf(at.sun_path, sizeof at.sun_path, "%s/host.sock", w->desk);
	w->servers[2] = listen_on(SOCK_STREAM, (void *)&at, sizeof at);
	snprintf(at.sun_path, sizeof at.sun_path, "%s/host.dgram", w->desk);
	w->servers[3] = listen_on(SOCK_DGRAM, (void *)&at, sizeof at);
	return w->servers[0] >= 0 && w->servers[1] >= 0 && w->servers[2] >= 0 && w->servers[3] >= 0;
}

static bool
make_shared(struct world *w)
{
	key_t key = 0x5a000000 | (getpid() & 0xffffff);
	mqd_t queue;

	w->shm_id = shmget(key, 1, IPC_CREAT | 0600);
	snprintf(w->shm, sizeof w->shm, "%#x", (unsigned)key);
	snprintf(w->queue, sizeof w->queue, "/sandesk-redteam-%d", getpid());
	queue = mq_open(w->queue, O_CREAT | O_RDWR | O_CLOEXEC, 0600, NULL);
	return w->shm_id >= 0 && queue >= 0;
}

static bool
copy_attempt(const struct world *w, const char *to_name)
{
	char self[4096], bytes[1 << 16], path[256];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 9);
	AUTO(fd) int from = -1;
	AUTO(fd) int to = -1;

	if (n <= 0)
		return false;
	self[n] = 0;
	str_copy(strrchr(self, '/') + 1, 9, "attempt");
	snprintf(path, sizeof path, "%s/%s", w->desk, to_name);
	from = open(self, O_RDONLY | O_CLOEXEC);
	to = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	if (from < 0 || to < 0)
		return false;
	while ((n = read(from, bytes, sizeof bytes)) > 0)
		if (fd_write_all(to, bytes, (size_t)n))
			return false;
	return !n;
}

static bool
make_terminal(struct world *w)
{
	struct err e;
	ssize_t n;
	char link[64];

	if (pty_open(&w->pty, (struct size){ 24, 80 }, &e) < 0)
		return false;
	w->slave = pty_slave(&w->pty, &e);
	snprintf(link, sizeof link, "/proc/self/fd/%d", w->slave);
	n = readlink(link, w->tty, sizeof w->tty - 1);
	w->tty[n > 0 ? n : 0] = 0;
	return w->slave >= 0 && n > 0;
}

static int
make_world(void **state)
{
	static const char *const dirs[] = { "other", "root", "root/tmp", "root/proc", "root/dev",
		"root/sys", "root/etc", "root/run", "podman", "podman-run" };
	struct world *w = mem_new(struct world);
	char path[128];

	str_copy(w->base, sizeof w->base, "/tmp/sandesk-red-XXXXXX");
	if (!mkdtemp(w->base))
		return -1;
	snprintf(w->desk, sizeof w->desk, "%s/desk", w->base);
	snprintf(w->home, sizeof w->home, "%s/home", w->base);
	if (mkdir(w->desk, 0700) || mkdir(w->home, 0700))
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(dirs); i++) {
		snprintf(path, sizeof path, "%s/%s", w->base, dirs[i]);
		if (mkdir(path, 0755))
			return -1;
	}
	snprintf(path, sizeof path, "%s/other", w->base);
	snprintf(w->secret, sizeof w->secret, "%s/secret", path);
	snprintf(w->control, sizeof w->control, "%s/daemon.sock", path);
	snprintf(w->through_root, sizeof w->through_root, "/proc/%d/root%s", getpid(), w->secret);
	snprintf(w->through_cwd, sizeof w->through_cwd, "/proc/self/cwd/../../..%s", w->secret);
	snprintf(w->pid, sizeof w->pid, "%d", getpid());
	*state = w;
	return make_file(path, "secret", "secret") && make_file(path, "daemon.sock", "") &&
			       make_servers(w) && make_shared(w) && copy_attempt(w, "attempt") &&
			       make_terminal(w)
		       ? 0
		       : -1;
}

static int
unmake_world(void **state)
{
	struct world *w = *state;

	for (size_t i = 0; i < ARRAY_LEN(w->servers); i++)
		close(w->servers[i]);
	close(w->slave);
	pty_drop(&w->pty);
	shmctl(w->shm_id, IPC_RMID, NULL);
	mq_unlink(w->queue);
	nftw(w->base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	mem_free(w);
	return 0;
}

static int
run_all(const char *who)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attempts_succeed_bare),
		cmocka_unit_test(attempts_in_the_default_profile),
		cmocka_unit_test(attempts_in_the_strict_profile),
	};

	return cmocka_run_group_tests_name(who, tests, make_world, unmake_world);
}

static bool
is_installed(const char *program)
{
	AUTO(mem) char *path = str_format("/usr/bin/%s", program);

	return !access(path, X_OK);
}

/* + contained, - reached, with what was answered; a blank where the tool itself did not run. */
static int
print_table(void)
{
	static const struct {
		const char *name, *program;
		child_main *run;
	} columns[] = {
		{ "bare", NULL, bare },
		{ "sandesk", NULL, by_default },
		{ "s. strict", NULL, in_strict },
		{ "bwrap", "bwrap", in_bwrap },
		{ "firejail", "firejail", in_firejail },
		{ "podman", "podman", in_podman },
	};
	int reached = 0;
	void *state;

	if (make_world(&state))
		return 1;
	printf("%-5s %-42s", "", "attempt (+ contained, - reached)");
	for (size_t c = 0; c < ARRAY_LEN(columns); c++)
		printf(" %-10s", columns[c].name);
	for (size_t i = 0; i < ARRAY_LEN(attempts); i++) {
		printf("\n%-5s %-42s", attempts[i].id, attempts[i].name);
		for (size_t c = 0; c < ARRAY_LEN(columns); c++) {
			const char *mark = " ";
			char word[WORD_BYTES] = "";

			if (columns[c].program && !is_installed(columns[c].program)) {
				printf(" %-10s", "");
				continue;
			}
			if (c == 0 && attempts[i].proof == NOBODY) {
				printf(" %-10s", "(not made)");
				continue;
			}
			make_attempt(state, columns[c].run, &attempts[i], word);
			mark = str_equal(word, "ok") ? "-" : is_refusal(word) ? "+" : " ";
			reached += *mark == '-' && (c == 2 || (c == 1 && !attempts[i].by_default));
			printf(" %s %-8.8s", mark, *mark == '+' ? word : "");
		}
	}
	printf("\n%d attempts; sandesk: %d reached that must not be\n", (int)ARRAY_LEN(attempts),
		reached);
	unmake_world(&state);
	return reached > 0;
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
			setresuid(OTHER_UID, OTHER_UID, OTHER_UID) ||
			prctl(PR_SET_DUMPABLE, 1)) /* as a process of the user's own */
			_exit(125);
		status = run_all("attempts as an ordinary user");
		fflush(NULL);
		_exit(status != 0);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int
main(int argc, char **argv)
{
	int failed;

	if (argc > 1 && str_equal(argv[1], "table"))
		return print_table();
	failed = run_all(geteuid() ? "attempts as this user" : "attempts as root");
	if (!geteuid())
		failed += run_as_other();
	else
		printf("SKIPPED: attempts as root: run it as root for these\n");
	return failed != 0;
}
