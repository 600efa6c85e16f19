/* probe.c - tries one forbidden thing and says what the kernel answered.
 * Contract:  usage: probe ACT [ARG]. Prints one word: "ok", the name of an errno, "SIGSYS" when the
 * try was killed, or what the act is documented to print. Static and free of project code, because
 * it runs inside and outside alike: a test that sees the refusal inside and "ok" outside cannot
 * pass by being broken.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int
say(long result)
{
	puts(result < 0 ? strerrorname_np(errno) : "ok");
	return 0;
}

static int
act_read(const char *path)
{
	char byte;
	int fd = open(path, O_RDONLY);

	return say(fd < 0 ? fd : read(fd, &byte, 1));
}

static int
act_write(const char *path)
{
	return say(open(path, O_WRONLY | O_CREAT, 0600));
}

static int
act_exists(const char *path)
{
	return say(access(path, F_OK));
}

static int
act_mount(const char *at)
{
	return say(mount("tmpfs", at, "tmpfs", 0, NULL));
}

/* What a command with namespaces of its own may do. */
static int
act_mount_nested(const char *at)
{
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return say(-1);
	return act_mount(at);
}

static int
act_remount_nested(const char *at)
{
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return say(-1);
	return say(mount(NULL, at, NULL, MS_REMOUNT | MS_BIND, NULL));
}

static int
act_umount_nested(const char *at)
{
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return say(-1);
	return say(umount2(at, MNT_DETACH));
}

static int
act_setns(const char *path)
{
	int fd = open(path, O_RDONLY);

	return say(fd < 0 ? fd : setns(fd, 0));
}

static int
act_ptrace(const char *pid)
{
	return say(ptrace(PTRACE_SEIZE, atoi(pid), 0, 0));
}

static int
act_ptrace_child(const char *unused)
{
	pid_t pid = fork();

	(void)unused;
	if (!pid)
		for (;;)
			pause();
	long r = ptrace(PTRACE_SEIZE, pid, 0, 0);
	int saved = errno;

	kill(pid, SIGKILL);
	errno = saved;
	return say(r);
}

static int
act_kill(const char *pid)
{
	return say(kill(atoi(pid), 0));
}

static int
act_connect(const char *port)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(port)),
		.sin_addr = { htonl(INADDR_LOOPBACK) } };

	return say(connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&to, sizeof to));
}

static int
act_abstract(const char *name)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };

	snprintf(to.sun_path + 1, sizeof to.sun_path - 1, "%s", name);
	return say(connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&to,
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name))));
}

/* Prints the names of all interfaces but loopback, or "none". */
static int
act_interfaces(const char *unused)
{
	FILE *f = fopen("/proc/self/net/dev", "r");
	char line[512];
	int n = 0;

	(void)unused;
	while (f && fgets(line, sizeof line, f)) {
		char *colon = strchr(line, ':');

		if (!colon)
			continue;
		*colon = 0;
		if (strcmp(line + strspn(line, " "), "lo"))
			n += printf("%s ", line + strspn(line, " "));
	}
	puts(n ? "" : f ? "none" : "unreadable");
	return 0;
}

/* On a terminal of its own, so that it can be tried anywhere. The request may carry bits that the
 * kernel drops. */
static int
act_tty(const char *request)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;
	char argument[256] = "x";
	pid_t pid;

	if (master < 0 || unlockpt(master))
		return say(-1);
	slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY);
	pid = fork();
	if (pid)
		return waitpid(pid, NULL, 0) < 0;
	if (setsid() < 0 || ioctl(slave, TIOCSCTTY, 0))
		return say(-1);
	say(syscall(SYS_ioctl, slave, strtoul(request, NULL, 0), argument));
	fflush(stdout);
	_exit(0);
}

static int
act_socket(const char *family_and_protocol)
{
	int family = 0, protocol = 0;

	sscanf(family_and_protocol, "%d,%d", &family, &protocol);
	return say(socket(family,
		family == AF_NETLINK || family == AF_PACKET ? SOCK_RAW
		: family == 38				    ? SOCK_SEQPACKET
							    : SOCK_STREAM,
		protocol));
}

/* A system call by number with four zeros; in a child, because it may be killed for it. */
static int
act_syscall(const char *number)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		say(syscall(strtol(number, NULL, 0), 0, 0, 0, 0));
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		puts(WTERMSIG(status) == SIGSYS ? "SIGSYS" : strsignal(WTERMSIG(status)));
	return 0;
}

#if defined(__x86_64__)
/* getpid as an i386 program asks for it. */
static int
act_i386(const char *unused)
{
	pid_t pid = fork();
	int status;

	(void)unused;
	if (!pid) {
		long r = 20;

		__asm__ volatile("int $0x80" : "+a"(r) : : "memory");
		puts(r > 0 ? "ok" : "refused");
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		puts(WTERMSIG(status) == SIGSYS ? "SIGSYS" : strsignal(WTERMSIG(status)));
	return 0;
}
#endif

static int
act_chmod(const char *mode)
{
	int fd = open("probe-file", O_WRONLY | O_CREAT, 0600);

	return say(fd < 0 ? fd : fchmod(fd, (mode_t)strtoul(mode, NULL, 8)));
}

static int
act_create(const char *mode)
{
	unlink("probe-made");
	return say(open("probe-made", O_WRONLY | O_CREAT | O_EXCL, (mode_t)strtoul(mode, NULL, 8)));
}

static int
act_mknod(const char *name)
{
	unlink(name);
	return say(mknod(name, S_IFCHR | 0600, makedev(1, 3)));
}

static int
act_personality(const char *value)
{
	return say(personality(strtoul(value, NULL, 0)));
}

/* Prints how many children could be had at once, at most 200. */
static int
act_forks(const char *unused)
{
	int n = 0, ends[2];

	(void)unused;
	if (pipe(ends))
		return say(-1);
	for (pid_t pid; n < 200; n++) {
		pid = fork();
		if (pid < 0)
			break;
		if (!pid) {
			char byte;

			close(ends[1]);
			_exit((int)read(ends[0], &byte, 1));
		}
	}
	printf("%d\n", n);
	return 0;
}

/* Prints the open descriptors above 2, or "none". */
static int
act_descriptors(const char *unused)
{
	int n = 0;

	(void)unused;
	for (int fd = 3; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			n += printf("%d ", fd);
	puts(n ? "" : "none");
	return 0;
}

static int
act_env(const char *key)
{
	puts(getenv(key) ? getenv(key) : "unset");
	return 0;
}

static int
act_limit(const char *which)
{
	struct rlimit l;

	getrlimit((__rlimit_resource_t)atoi(which), &l);
	printf("%llu\n", (unsigned long long)l.rlim_max);
	return 0;
}

/* A process that leaves its group, session and parent, keeps stdout and sleeps for ever; prints
 * when it stands. */
static int
act_daemon(const char *unused)
{
	int ready[2];
	char byte;

	(void)unused;
	if (pipe(ready))
		return say(-1);
	if (!fork()) {
		setsid();
		if (fork())
			_exit(0);
		signal(SIGTERM, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	return read(ready[0], &byte, 1) == 1 ? say(0) : 1;
}

static int
zombies(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int n = 0;

	while (proc && (entry = readdir(proc))) {
		char path[300], text[512];
		const char *end;
		int fd;
		ssize_t got;

		snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
		fd = entry->d_name[0] >= '0' && entry->d_name[0] <= '9' ? open(path, O_RDONLY) : -1;
		if (fd < 0)
			continue;
		got = read(fd, text, sizeof text - 1);
		close(fd);
		text[got > 0 ? got : 0] = 0;
		end = strrchr(text, ')');
		n += end && end[1] && end[2] == 'Z';
	}
	if (proc)
		closedir(proc);
	return n;
}

/* Leaves 50 orphans that have ended; prints how many are still zombies after at most five seconds.
 */
static int
act_orphans(const char *unused)
{
	struct timespec start, now;
	int left;

	(void)unused;
	for (int i = 0; i < 50; i++) {
		pid_t pid = fork();

		if (!pid) {
			if (!fork())
				_exit(0);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		left = zombies();
		sched_yield();
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (left && now.tv_sec - start.tv_sec < 5);
	printf("%d\n", left);
	return 0;
}

static int __attribute__((noreturn)) act_pause(const char *unused)
{
	(void)unused;
	puts("ok");
	fflush(stdout);
	for (;;)
		pause();
}

static int
unix_socket(const char *path, int type, int (*call)(int, const struct sockaddr *, socklen_t))
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, type, 0);

	snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
	return call(s, (void *)&at, sizeof at) ? -1 : s;
}

static int
tcp_socket(int port, int (*call)(int, const struct sockaddr *, socklen_t))
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr = { htonl(INADDR_LOOPBACK) } };
	int s = socket(AF_INET, SOCK_STREAM, 0);

	return call(s, (void *)&at, sizeof at) ? -1 : s;
}

/* Connections wait until the server takes them, as connect(2) says of blocking sockets. */
static int
full_backlog(void)
{
	int server = unix_socket("/tmp/probe-full", SOCK_STREAM, bind);
	pid_t pid;

	if (server < 0 || listen(server, 0))
		return -1;
	unix_socket("/tmp/probe-full", SOCK_STREAM, connect);
	pid = fork();
	if (!pid)
		_exit(unix_socket("/tmp/probe-full", SOCK_STREAM, connect) < 0);
	int status;

	accept(server, NULL, NULL);
	accept(server, NULL, NULL);
	waitpid(pid, &status, 0);
	return status ? -1 : 0;
}

/* What programs do with sockets and FIFOs of their own; prints "ok", or the first that does not
 * work. */
static int
act_sockets(const char *unused)
{
	struct sockaddr_un name = { 0 },
			   abstract = { .sun_family = AF_UNIX, .sun_path = "\0probe" };
	socklen_t len = sizeof name;
	struct stat st;
	int s, t;

	(void)unused;
	umask(027);
	mkdir("/tmp/probe-dir", 0700);
	s = unix_socket("/tmp/probe-dir/s", SOCK_STREAM, bind);
	if (s < 0 || listen(s, 8) || getsockname(s, (void *)&name, &len) ||
		strcmp(name.sun_path, "/tmp/probe-dir/s"))
		return puts("bind and getsockname") < 0;
	if (stat("/tmp/probe-dir/s", &st) || (st.st_mode & 0777) != 0750)
		return puts("umask") < 0;
	if (unix_socket("/tmp/probe-dir/s", SOCK_STREAM, bind) >= 0 || errno != EADDRINUSE)
		return puts("a second bind") < 0;
	if (unix_socket("/tmp/probe-dir/s", SOCK_STREAM, connect) < 0 || accept(s, NULL, NULL) < 0)
		return puts("connect") < 0;
	if (unix_socket("/tmp/none", SOCK_STREAM, connect) >= 0 || errno != ENOENT)
		return puts("connect to nothing") < 0;
	if (chdir("/tmp/probe-dir") || unix_socket("rel", SOCK_SEQPACKET, bind) < 0 ||
		stat("/tmp/probe-dir/rel", &st))
		return puts("relative bind") < 0;
	if (unix_socket("./d", SOCK_DGRAM, bind) < 0 || unix_socket("d", SOCK_DGRAM, connect) < 0)
		return puts("datagrams") < 0;
	s = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(s, (void *)&abstract, 8) || listen(s, 8) ||
		connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&abstract, 8))
		return puts("abstract") < 0;
	if (full_backlog())
		return puts("full backlog") < 0;
	s = tcp_socket(80, bind);
	if (s < 0 || listen(s, 8) || (t = tcp_socket(80, connect)) < 0)
		return puts("port 80") < 0;
	if (write(t, "x", 1) != 1 || read(accept(s, NULL, NULL), name.sun_path, 1) != 1)
		return puts("bytes through a port") < 0;
	if (tcp_socket(81, connect) >= 0 || errno != ECONNREFUSED)
		return puts("refused port") < 0;
	if (connect(-1, (void *)&abstract, 8) != -1 || errno != EBADF ||
		connect(0, (void *)&abstract, 8) != -1 || errno != ENOTSOCK ||
		connect(s, NULL, 16) != -1 || errno != EFAULT)
		return puts("errors") < 0;
	if (mkfifo("/tmp/probe-fifo", 0666) || stat("/tmp/probe-fifo", &st) ||
		st.st_mode != (S_IFIFO | 0640))
		return puts("FIFO") < 0;
	prctl(PR_SET_DUMPABLE, 0); /* as ssh-agent */
	if (unix_socket("/tmp/probe-dir/hidden", SOCK_STREAM, bind) < 0)
		return puts("bind by who hides its memory") < 0;
	return say(0);
}

static const struct {
	const char *name;
	int (*run)(const char *arg);
} acts[] = {
	{ "read", act_read },
	{ "write", act_write },
	{ "exists", act_exists },
	{ "mount", act_mount },
	{ "mount-nested", act_mount_nested },
	{ "remount-nested", act_remount_nested },
	{ "umount-nested", act_umount_nested },
	{ "setns", act_setns },
	{ "ptrace", act_ptrace },
	{ "ptrace-child", act_ptrace_child },
	{ "kill", act_kill },
	{ "connect", act_connect },
	{ "abstract", act_abstract },
	{ "interfaces", act_interfaces },
	{ "tty", act_tty },
	{ "socket", act_socket },
	{ "syscall", act_syscall },
	{ "chmod", act_chmod },
	{ "create", act_create },
	{ "mknod", act_mknod },
	{ "personality", act_personality },
	{ "forks", act_forks },
	{ "descriptors", act_descriptors },
	{ "env", act_env },
	{ "limit", act_limit },
	{ "daemon", act_daemon },
	{ "orphans", act_orphans },
	{ "pause", act_pause },
	{ "sockets", act_sockets },
#if defined(__x86_64__)
	{ "i386", act_i386 },
#endif
};

int
main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof acts / sizeof *acts; i++)
		if (!strcmp(argv[1], acts[i].name))
			return acts[i].run(argc > 2 ? argv[2] : "");
	fprintf(stderr, "probe: no such act\n");
	return 2;
}
