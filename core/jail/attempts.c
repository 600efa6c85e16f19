#include "jail/attempts.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandesk/base/fd.h"
#include "sandesk/base/str.h"

typedef const char *const facts[FACT_COUNT];

enum { PROCESS_FD_MAX = 1024, BLOCK = 64 << 10 };

#define X(id, name) name,
static const char *const fact_names[] = { ATTEMPT_FACTS(X) };
#undef X

const char *
attempt_fact_name(enum attempt_fact fact)
{
	return fact_names[fact];
}

static bool say(bool is_held, char *detail, const char *fmt, ...) PRINTF_LIKE(3, 4);

static bool
say(bool is_held, char *detail, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(detail, ATTEMPT_DETAIL_BYTES, fmt, args);
	va_end(args);
	return is_held;
}

/* What a call returned that must fail. */
static bool
must_fail(long result, char *detail, const char *what)
{
	if (result < 0)
		return say(true, detail, "%s: %s", what, strerrorname_np(errno));
	return say(false, detail, "%s: it worked", what);
}

/* ---- files ---- */

static bool
try_files(facts f, char *detail)
{
	AUTO(fd) int fd = open(f[FACT_SECRET], O_RDONLY | O_CLOEXEC);

	return must_fail(fd, detail, "read a file beside the Desktop's directory");
}

/* The private home may have the same path: then it must be another directory. */
static bool
try_home(facts f, char *detail)
{
	unsigned long long dev, ino;
	int at = 0;
	struct stat st;

	if (sscanf(f[FACT_HOME], "%llu:%llu:%n", &dev, &ino, &at) != 2 || !at)
		return say(false, detail, "the host's home is not known");
	if (stat(f[FACT_HOME] + at, &st))
		return must_fail(-1, detail, f[FACT_HOME] + at);
	if (st.st_dev == dev && st.st_ino == ino)
		return say(false, detail, "%s is the host's", f[FACT_HOME] + at);
	return say(true, detail, "%s is a private one", f[FACT_HOME] + at);
}

static bool
try_system(facts f, char *detail)
{
	static const char *const places[] = { "/usr/.sandesk-doctor", "/etc/.sandesk-doctor",
		"/.sandesk-doctor" };

	(void)f;
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		AUTO(fd) int fd = open(places[i], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

		if (fd >= 0)
			unlink(places[i]);
		if (!must_fail(fd, detail, places[i]))
			return false;
	}
	return true;
}

static bool
try_special(facts f, char *detail)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = "doctor-socket" };
	AUTO(fd) int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int r = mknod("doctor-fifo", S_IFIFO | 0600, 0);

	(void)f;
	unlink("doctor-fifo");
	if (!must_fail(r, detail, "a FIFO in the Desktop's directory"))
		return false;
	r = bind(s, (void *)&at, sizeof at);
	unlink(at.sun_path);
	return must_fail(r, detail, "a socket in the Desktop's directory");
}

static bool
try_devices(facts f, char *detail)
{
	int r = mknod("doctor-device", S_IFCHR | 0600, makedev(1, 1));

	(void)f;
	unlink("doctor-device");
	return must_fail(r, detail, "make a device of the machine's memory");
}

static bool
try_setid(facts f, char *detail)
{
	AUTO(fd) int fd = open("doctor-setid", O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
	int r = fd < 0 ? 0 : fchmod(fd, 04755);

	(void)f;
	unlink("doctor-setid");
	return must_fail(r, detail, "make a program setuid");
}

static bool
try_protect(facts f, char *detail)
{
	AUTO(fd) int fd = open(".git/hooks/doctor", O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
	int r;

	(void)f;
	if (fd >= 0)
		unlink(".git/hooks/doctor");
	if (!must_fail(fd, detail, "write .git/hooks"))
		return false;
	r = rename(".git", ".git-doctor");
	if (!r && rename(".git-doctor", ".git"))
		return say(false, detail, "move .git away: it worked");
	return must_fail(r, detail, "move .git away");
}

static bool
try_mount(facts f, char *detail)
{
	int r = mount("tmpfs", "/tmp", "tmpfs", 0, NULL);

	(void)f;
	if (!r)
		umount2("/tmp", MNT_DETACH);
	return must_fail(r, detail, "mount");
}

/* ---- processes ---- */

static bool
try_processes(facts f, char *detail)
{
	return must_fail(kill((pid_t)strtol(f[FACT_PID], NULL, 10), 0), detail,
		"find a process of the host");
}

static bool
try_trace(facts f, char *detail)
{
	long r = ptrace(PTRACE_SEIZE, 1, 0, 0);

	(void)f;
	if (!r)
		ptrace(PTRACE_DETACH, 1, 0, 0);
	return must_fail(r, detail, "trace the first process");
}

static bool
try_namespaces(facts f, char *detail)
{
	static const char *const kinds[] = { "user", "mnt", "pid", "net", "ipc", "uts", "cgroup" };
	char path[64], link[64];

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		ssize_t n;

		snprintf(path, sizeof path, "/proc/self/ns/%s", kinds[i]);
		n = readlink(path, link, sizeof link - 1);
		link[n > 0 ? n : 0] = 0;
		if (n <= 0 || strstr(f[FACT_NAMESPACES], link))
			return say(false, detail, "%s is the host's", kinds[i]);
	}
	return say(true, detail, "user mnt pid net ipc uts cgroup: all its own");
}

static bool
try_time(facts f, char *detail)
{
	char link[64];
	ssize_t n = readlink("/proc/self/ns/time", link, sizeof link - 1);

	link[n > 0 ? n : 0] = 0;
	if (n <= 0)
		return say(false, detail, "this kernel has no time namespaces");
	return say(!strstr(f[FACT_NAMESPACES], link), detail, "%s", link);
}

static bool
read_status(const char *key, char *to, size_t size)
{
	char text[4096], *at;
	AUTO(fd) int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : fd_read_all(fd, text, sizeof text - 1);

	text[n > 0 ? n : 0] = 0;
	at = strstr(text, key);
	if (!at)
		return false;
	at += strlen(key);
	at += strspn(at, "\t ");
	at[strcspn(at, "\n")] = 0;
	return str_copy(to, size, at);
}

static bool
try_caps(facts f, char *detail)
{
	static const char *const sets[] = { "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:" };
	char text[64];

	(void)f;
	for (size_t i = 0; i < ARRAY_LEN(sets); i++)
		if (!read_status(sets[i], text, sizeof text) || strtoull(text, NULL, 16))
			return say(false, detail, "%s %s", sets[i], text);
	return say(true, detail, "no capability, none to be had");
}

static bool
try_new_privileges(facts f, char *detail)
{
	(void)f;
	return say(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1, detail,
		"programs with setuid give %s",
		prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? "nothing" : "their owner's rights");
}

static bool
try_descriptors(facts f, char *detail)
{
	(void)f;
	for (int fd = 3; fd < PROCESS_FD_MAX; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			return say(false, detail, "descriptor %d came from outside", fd);
	return say(true, detail, "none but 0, 1, 2");
}

static bool
try_environment(facts f, char *detail)
{
	(void)f;
	return getenv("DOCTOR_LEAK") ? say(false, detail, "a variable of the host's came in")
				     : say(true, detail, "nothing of the host's");
}

/* ---- network and messages ---- */

static bool
try_network(facts f, char *detail)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)strtol(f[FACT_PORT], NULL, 10)),
		.sin_addr = { htonl(INADDR_LOOPBACK) } };
	AUTO(fd) int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (!must_fail(connect(s, (void *)&to, sizeof to), detail, "reach the host's loopback"))
		return false;
	for (unsigned i = 1; i < 64; i++) {
		char name[IF_NAMESIZE];

		if (if_indextoname(i, name) && !str_equal(name, "lo"))
			return say(false, detail, "there is an interface %s", name);
	}
	return true;
}

static bool
try_abstract(facts f, char *detail)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t len = strlen(f[FACT_ABSTRACT]);
	AUTO(fd) int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	str_copy(to.sun_path + 1, sizeof to.sun_path - 1, f[FACT_ABSTRACT]);
	return must_fail(connect(s, (void *)&to,
				 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len)),
		detail, "reach an abstract socket of the host");
}

static bool
try_sockets(facts f, char *detail)
{
	static const struct {
		const char *name;
		int family, type;
	} kinds[] = { { "AF_VSOCK", AF_VSOCK, SOCK_STREAM }, { "AF_ALG", AF_ALG, SOCK_SEQPACKET },
		{ "AF_PACKET", AF_PACKET, SOCK_RAW }, { "AF_BLUETOOTH", AF_BLUETOOTH, SOCK_RAW } };

	(void)f;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		AUTO(fd) int s = socket(kinds[i].family, kinds[i].type | SOCK_CLOEXEC, 0);

		if (!must_fail(s, detail, kinds[i].name))
			return false;
	}
	return true;
}

static bool
try_keyring(facts f, char *detail)
{
	long r = syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0, 0, 0);

	(void)f;
	return must_fail(r, detail, "ask for the session's keys");
}

/* ---- the kernel ---- */

/* By number: headers older than the kernel lack names. Arguments that a kernel would refuse with
 * another errno than the filter does. */
static bool
try_calls(facts f, char *detail)
{
	static const struct {
		const char *name;
		long number, args[3];
	} calls[] = { { "io_uring_setup", SYS_io_uring_setup, { 0, 0, 0 } },
		{ "bpf", SYS_bpf, { -1, 0, 0 } }, { "userfaultfd", SYS_userfaultfd, { -1, 0, 0 } },
		{ "perf_event_open", SYS_perf_event_open, { 0, 0, -1 } },
		{ "kexec_load", SYS_kexec_load, { -1, -1, 0 } },
		{ "open_by_handle_at", SYS_open_by_handle_at, { -1, 0, 0 } },
		{ "init_module", SYS_init_module, { 0, 0, 0 } } };

	(void)f;
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		long r = syscall(calls[i].number, calls[i].args[0], calls[i].args[1],
			calls[i].args[2], 0, 0);

		if (r >= 0 || (errno != ENOSYS && errno != EPERM))
			return say(false, detail, "%s reaches the kernel", calls[i].name);
	}
	return say(true, detail, "io_uring, bpf, userfaultfd, perf and others: not to be had");
}

/* In a child with a terminal of its own: typing into it would be the proof. */
static bool
try_typing(facts f, char *detail)
{
	AUTO(fd) int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	int status = 0;
	pid_t pid;

	(void)f;
	if (master < 0 || unlockpt(master))
		return say(false, detail, "no terminal to try it on: %s", strerrorname_np(errno));
	pid = fork();
	if (!pid) {
		int slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY);

		if (setsid() < 0 || ioctl(slave, TIOCSCTTY, 0))
			_exit(255);
		/* with a bit that the kernel drops: the filter must, too */
		_exit(syscall(SYS_ioctl, slave, TIOCSTI | 1L << 32, "x") ? errno : 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return say(false, detail, "could not be tried");
	errno = WEXITSTATUS(status);
	return must_fail(errno ? -1 : 0, detail, "type into a terminal");
}

#if defined(__x86_64__)
static bool
try_i386(facts f, char *detail)
{
	int status = 0;
	pid_t pid = fork();

	(void)f;
	if (!pid) {
		long r = 20; /* getpid as an i386 program asks for it */

		__asm__ volatile("int $0x80" : "+a"(r) : : "memory");
		_exit(r > 0 ? 0 : 1);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return say(false, detail, "could not be tried");
	if (WIFSIGNALED(status))
		return say(true, detail, "calls of i386: killed for it");
	return say(WEXITSTATUS(status) != 0, detail, "calls of i386: %s",
		WEXITSTATUS(status) ? "refused" : "they work");
}
#endif

static bool
try_nesting(facts f, char *detail)
{
	int status = 0;
	pid_t pid = fork();

	(void)f;
	if (!pid)
		_exit(unshare(CLONE_NEWUSER) ? errno : 0);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return say(false, detail, "could not be tried");
	errno = WEXITSTATUS(status);
	return must_fail(errno ? -1 : 0, detail, "make a namespace inside");
}

static bool
try_proc(facts f, char *detail)
{
	static const char *const hidden[] = { "/proc/keys", "/proc/kallsyms", "/proc/timer_list" };

	(void)f;
	for (size_t i = 0; i < ARRAY_LEN(hidden); i++) {
		AUTO(fd) int fd = open(hidden[i], O_RDONLY | O_CLOEXEC);
		char byte;

		if (fd >= 0 && read(fd, &byte, 1) > 0)
			return say(false, detail, "%s can be read", hidden[i]);
	}
	return say(true, detail, "what tells of the machine is covered");
}

/* ---- limits ---- */

/* Children wait for the end of a pipe; the count of those that could be had is the proof. */
static bool
try_forks(facts f, char *detail)
{
	int ends[2], n = 0, error = 0;

	(void)f;
	if (pipe2(ends, O_CLOEXEC))
		return say(false, detail, "could not be tried");
	for (; n < 2 * ATTEMPT_PROCESSES; n++) {
		pid_t pid = fork();
		char byte;

		if (!pid) {
			close(ends[1]);
			_exit((int)read(ends[0], &byte, 1));
		}
		error = errno;
		if (pid < 0)
			break;
	}
	close(ends[0]);
	close(ends[1]);
	for (int i = 0; i < n; i++)
		wait(NULL);
	if (n == 2 * ATTEMPT_PROCESSES)
		return say(false, detail, "%d processes at a limit of %d", n, ATTEMPT_PROCESSES);
	return say(true, detail, "%s after %d processes", strerrorname_np(error), n);
}

static bool
try_scratch(facts f, char *detail)
{
	static const char block[BLOCK];
	AUTO(fd) int fd = open("/tmp/doctor-scratch", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	size_t done = 0;
	ssize_t n = 0;

	(void)f;
	while (fd >= 0 && done < 2 * ATTEMPT_SCRATCH_BYTES &&
		(n = write(fd, block, sizeof block)) > 0)
		done += (size_t)n;
	unlink("/tmp/doctor-scratch");
	if (done >= 2 * ATTEMPT_SCRATCH_BYTES)
		return say(false, detail, "%zu MiB in /tmp", done >> 20);
	return say(fd >= 0, detail, "%s after %zu KiB in /tmp", strerrorname_np(errno), done >> 10);
}

static bool
try_cores(facts f, char *detail)
{
	struct rlimit l = { 0 };

	(void)f;
	getrlimit(RLIMIT_CORE, &l);
	return say(l.rlim_max <= 1, detail, "a crash %s",
		l.rlim_max <= 1 ? "leaves no core and calls no helper" : "may leave a core");
}

/* `processes` is first: the number that it looks for must not have been used inside. */
static const struct attempt attempts[] = {
	{ "processes", "processes of the host are not to be seen", false, try_processes },
	{ "files", "files beside the Desktop's directory are not there", false, try_files },
	{ "home", "the home is not the host's", false, try_home },
	{ "system", "/usr, /etc and / cannot be written", false, try_system },
	{ "special-files", "sockets and FIFOs stay out of what sessions share", false,
		try_special },
	{ "devices", "devices cannot be made", false, try_devices },
	{ "setuid", "setuid programs cannot be made", false, try_setid },
	{ "protect", "protected paths cannot be written, moved or replaced", false, try_protect },
	{ "mounts", "nothing can be mounted", false, try_mount },
	{ "namespaces", "namespaces are its own", false, try_namespaces },
	{ "time-namespace", "clocks are its own", false, try_time },
	{ "first-process", "the sandbox's first process cannot be traced", false, try_trace },
	{ "capabilities", "there are none", false, try_caps },
	{ "new-privileges", "setuid programs give no rights", false, try_new_privileges },
	{ "descriptors", "nothing is inherited", false, try_descriptors },
	{ "environment", "nothing is inherited", false, try_environment },
	{ "network", "there is none but its own loopback", false, try_network },
	{ "abstract-sockets", "those of the host cannot be reached", false, try_abstract },
	{ "sockets", "only UNIX, INET and NETLINK_ROUTE", false, try_sockets },
	{ "keyring", "keys of the host cannot be asked for", false, try_keyring },
	{ "calls", "system calls that are not listed do not exist", false, try_calls },
	{ "typing", "nothing can be typed into a terminal", false, try_typing },
#if defined(__x86_64__)
	{ "i386", "calls of another architecture are refused", false, try_i386 },
#endif
	{ "process-limit", "a fork bomb ends at its limit", false, try_forks },
	{ "scratch-limit", "/tmp ends at its limit", false, try_scratch },
	{ "cores", "a crash starts nothing on the host", false, try_cores },
	{ "nesting", "no sandbox inside", true, try_nesting },
	{ "proc-masks", "/proc tells nothing of the machine", true, try_proc },
};

const struct attempt *
attempt_at(size_t i)
{
	return i < ARRAY_LEN(attempts) ? &attempts[i] : NULL;
}

int
attempts_main(const char *name)
{
	const char *known[FACT_COUNT];
	int rc = 2;

	for (int i = 0; i < FACT_COUNT; i++) {
		const char *value = getenv(fact_names[i]);

		known[i] = value ? value : "";
	}
	for (size_t i = 0; i < ARRAY_LEN(attempts); i++) {
		char detail[ATTEMPT_DETAIL_BYTES] = "";
		bool is_held;

		if (name && !str_equal(name, attempts[i].name))
			continue;
		rc = 0;
		is_held = attempts[i].run(known, detail);
		printf("%s\t%s\t%s\n", attempts[i].name, is_held ? "held" : "open", detail);
		fflush(stdout); /* the next one may end us */
	}
	return rc;
}
