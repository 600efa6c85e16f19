/* attempt.c - makes one attempt to get out, as a program in a sandbox would.
 * Contract:  usage: attempt ACT [ARG]. Prints "ok" when it got what it was after, else the name of
 *            an errno or a word. Static and free of project code: the same file is run in sandesk's
 *            sandboxes, in others', and bare, where it must get it (tests/jail/redteam_test.c).
 *            The working directory is the shared one, W.
 * Safety:    as root and bare, what it does to mounts would be done to the machine. Therefore the
 *            first thing it does, always, is to leave for a mount namespace of its own from which
 *            nothing comes back; without it, it does nothing where it would be able to mount. A
 *            sandbox refuses that call, so that it changes nothing there.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static int
say(long result)
{
	puts(result < 0 ? strerrorname_np(errno) : "ok");
	return 0;
}

/* For attempts of several tries: got one, or why the last did not. */
static int
say_any(int got)
{
	return say(got ? 0 : -1);
}

static int
wait_for(pid_t pid)
{
	int status;

	fflush(stdout);
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		puts(WTERMSIG(status) == SIGSYS ? "SIGSYS" : "killed");
	return 0;
}

/* --- files --- */

static int
act_read(const char *path)
{
	char byte;
	int fd = open(path, O_RDONLY | O_NONBLOCK);

	return say(fd < 0 ? fd : read(fd, &byte, 1) > 0 ? 0 : -1);
}

static int
act_write(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	if (fd >= 0 && path[0] == '/')
		unlink(path);
	return say(fd);
}

/* A file that is there, for writing; nothing is written. */
static int
act_open_write(const char *path)
{
	return say(open(path, O_WRONLY));
}

static int
act_remount(const char *path)
{
	return say(mount(NULL, path, NULL, MS_REMOUNT | MS_BIND, NULL));
}

/* A file in any mount below what should be read-only. */
static int
act_submounts(const char *unused)
{
	static const char *const roots[] = { "/usr", "/etc", "/bin", "/lib", "/opt", "/boot" };
	FILE *f = fopen("/proc/self/mountinfo", "r");
	char line[8192], at[4096];
	int got = 0;

	(void)unused;
	errno = EROFS;
	while (f && fgets(line, sizeof line, f)) {
		if (sscanf(line, "%*d %*d %*s %*s %4095s", at) != 1)
			continue;
		for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
			if (!strncmp(at, roots[i], strlen(roots[i])))
				got |= !access(at, W_OK);
	}
	return say_any(got);
}

static int
act_descriptors(const char *unused)
{
	int got = 0;

	(void)unused;
	for (int fd = 3; fd < 1024; fd++)
		got |= fcntl(fd, F_GETFD) >= 0;
	return say_any(got);
}

static int
act_handle(const char *unused)
{
	struct {
		struct file_handle h;
		char room[MAX_HANDLE_SZ];
	} f = { .h.handle_bytes = MAX_HANDLE_SZ };
	int id, at = open(".", O_RDONLY);

	(void)unused;
	if (name_to_handle_at(AT_FDCWD, ".", &f.h, &id, 0))
		return say(-1);
	return say(open_by_handle_at(at, &f.h, O_RDONLY));
}

static int
act_chmod(const char *mode)
{
	int fd = open("attempt-file", O_WRONLY | O_CREAT, 0600);

	return say(fd < 0 ? fd : fchmod(fd, (mode_t)strtoul(mode, NULL, 8)));
}

/* Every other way to the same bits. */
static int
act_setid_otherwise(const char *unused)
{
	struct open_how how = { .flags = O_CREAT | O_WRONLY, .mode = 04755 };
	int got = 0, fd = open("attempt-file", O_WRONLY | O_CREAT, 0600);
	struct stat st;

	(void)unused;
	(void)fd;
	unlink("attempt-a");
	unlink("attempt-b");
	unlink("attempt-c");
	got |= !syscall(452, AT_FDCWD, "attempt-file", 04755, 0); /* fchmodat2 */
	got |= syscall(SYS_openat2, AT_FDCWD, "attempt-a", &how, sizeof how) >= 0 &&
	       !stat("attempt-a", &st) && st.st_mode & 06000;
	got |= creat("attempt-b", 04755) >= 0 && !stat("attempt-b", &st) && st.st_mode & 06000;
	got |= !mknod("attempt-c", S_IFREG | 02755, 0);
	got |= syscall(SYS_open, "attempt-file", O_TMPFILE | O_WRONLY, 04755) >= 0;
	return say_any(got);
}

static int
act_file_caps(const char *unused)
{
	/* struct vfs_cap_data, revision 2: cap_net_raw+ep */
	static const unsigned char caps[20] = { 1, 0, 0, 2, 0, 0x20 };

	(void)unused;
	close(open("attempt-file", O_WRONLY | O_CREAT, 0700));
	return say(setxattr("attempt-file", "security.capability", caps, sizeof caps, 0));
}

static int
act_trusted_xattr(const char *unused)
{
	(void)unused;
	close(open("attempt-file", O_WRONLY | O_CREAT, 0700));
	return say(setxattr("attempt-file", "trusted.overlay.opaque", "y", 1, 0));
}

static int
act_device(const char *kind)
{
	unlink("attempt-node");
	return say(mknod("attempt-node", (*kind == 'b' ? S_IFBLK : S_IFCHR) | 0600, makedev(1, 3)));
}

/* In W itself, by every call and from everywhere. */
static int
act_fifo(const char *unused)
{
	char path[4096], here[2048];
	int got = 0, dir = open(".", O_PATH);

	(void)unused;
	if (!getcwd(here, sizeof here))
		return say(-1);
	unlink("attempt-fifo");
	got |= !mkfifo("attempt-fifo", 0600);
	unlink("attempt-fifo");
	got |= !mknodat(dir, "attempt-fifo", S_IFIFO | 0600, 0);
	unlink("attempt-fifo");
	got |= !mknod("attempt-fifo", S_IFSOCK | 0600, 0);
	unlink("attempt-fifo");
	mkdir("sub", 0700);
	got |= !mkfifo("sub/attempt-fifo", 0600);
	unlink("sub/attempt-fifo");
	snprintf(path, sizeof path, "/tmp/../%s/attempt-fifo", here);
	got |= !mkfifo(path, 0600);
	unlink("attempt-fifo");
	/* Made elsewhere and moved here. */
	unlink("/tmp/attempt-fifo");
	if (!mkfifo("/tmp/attempt-fifo", 0600))
		got |= !link("/tmp/attempt-fifo", "attempt-fifo") ||
		       !rename("/tmp/attempt-fifo", "attempt-fifo");
	unlink("/tmp/attempt-fifo");
	return say_any(got);
}

static int
bind_to(const char *path, int type)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };

	snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
	return bind(socket(AF_UNIX, type, 0), (void *)&at, sizeof at);
}

static int
act_bind(const char *unused)
{
	char path[128];
	int got = 0;

	(void)unused;
	unlink("attempt-s");
	got |= !bind_to("attempt-s", SOCK_STREAM);
	unlink("attempt-s");
	got |= !bind_to("./attempt-s", SOCK_SEQPACKET);
	unlink("attempt-s");
	got |= !bind_to("attempt-s", SOCK_DGRAM);
	unlink("attempt-s");
	got |= !bind_to("/proc/self/cwd/attempt-s", SOCK_STREAM);
	unlink("attempt-s");
	snprintf(path, sizeof path, "/tmp/attempt-%d", getpid());
	symlink(".", "attempt-l");
	got |= !bind_to("attempt-l/attempt-s", SOCK_STREAM);
	unlink("attempt-s");
	unlink("attempt-l");
	if (mkdir(path, 0700) == 0 && chdir(path) == 0) {
		bind_to("s", SOCK_STREAM); /* there it may be made */
		unlink("s");
		rmdir(path);
		errno = EACCES;
	}
	return say_any(got);
}

static int
maps_of_own(uid_t uid, gid_t gid)
{
	char text[64];
	int fd = open("/proc/self/setgroups", O_WRONLY);

	(void)!write(fd, "deny", 4);
	close(fd);
	fd = open("/proc/self/uid_map", O_WRONLY);
	snprintf(text, sizeof text, "0 %u 1", uid);
	if (write(fd, text, strlen(text)) < 0)
		return -1;
	close(fd);
	fd = open("/proc/self/gid_map", O_WRONLY);
	snprintf(text, sizeof text, "0 %u 1", gid);
	return write(fd, text, strlen(text)) < 0 ? -1 : close(fd);
}

/* Root of namespaces of its own, as an inner sandbox is. */
static int
become_inner(void)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return -1;
	return maps_of_own(uid, gid);
}

/* A FIFO or a socket in W by way of a mount of one's own: another place of W, or an overlay that
 * writes to it. */
static int
act_node_by_mount(const char *unused)
{
	char options[8192], here[2048];
	int got = 0;

	(void)unused;
	if (!getcwd(here, sizeof here) || become_inner())
		return say(-1);
	mkdir("/tmp/attempt-m", 0700);
	mkdir("/tmp/attempt-low", 0700);
	mkdir("up", 0700);
	mkdir("work", 0700);
	unlink("attempt-fifo");
	if (!mount(here, "/tmp/attempt-m", NULL, MS_BIND | MS_REC, NULL)) {
		got |= !mkfifo("/tmp/attempt-m/attempt-fifo", 0600);
		got |= !bind_to("/tmp/attempt-m/attempt-s", SOCK_STREAM);
		umount2("/tmp/attempt-m", MNT_DETACH);
	}
	snprintf(options, sizeof options,
		"userxattr,lowerdir=/tmp/attempt-low,upperdir=%s/up,workdir=%s/work", here, here);
	if (!mount("overlay", "/tmp/attempt-m", "overlay", 0, options)) {
		mkfifo("/tmp/attempt-m/attempt-fifo", 0600);
		bind_to("/tmp/attempt-m/attempt-s", SOCK_STREAM);
		got |= !access("up/attempt-fifo", F_OK) || !access("up/attempt-s", F_OK);
		umount2("/tmp/attempt-m", MNT_DETACH);
	}
	rmdir("/tmp/attempt-m");
	rmdir("/tmp/attempt-low");
	errno = EACCES;
	return say_any(got);
}

/* --- protected paths --- */

static int
plant(const char *dir)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof path, "%s/pre-commit", dir);
	fd = open(path, O_WRONLY | O_CREAT, 0755);
	if (fd >= 0)
		close(fd);
	return fd;
}

static int
act_hook(const char *unused)
{
	(void)unused;
	return say(plant(".git/hooks"));
}

static int
act_hook_by_rename(const char *unused)
{
	(void)unused;
	if (rename(".git", ".gitx"))
		return say(-1);
	mkdir(".git", 0755);
	mkdir(".git/hooks", 0755);
	return say(plant(".git/hooks"));
}

static int
act_hook_by_replacement(const char *unused)
{
	int got = 0;

	(void)unused;
	got |= !rename(".git/hooks", ".git/hooks-old");
	got |= !rmdir(".git/hooks");
	got |= mkdir("attempt-h", 0755) == 0 && !rename("attempt-h", ".git/hooks");
	got |= !syscall(SYS_renameat2, AT_FDCWD, "attempt-h", AT_FDCWD, ".git/hooks", 2);
	got |= !rename(".git/config", ".git/config-old");
	got |= !unlink(".git/config");
	close(open("attempt-c", O_WRONLY | O_CREAT, 0644));
	got |= !rename("attempt-c", ".git/config");
	return say_any(got);
}

static int
act_hook_by_link(const char *unused)
{
	int got = 0, fd;

	(void)unused;
	unlink("attempt-link");
	got |= !link(".git/config", "attempt-link");
	fd = open(".git/config", O_RDONLY);
	got |= !linkat(fd, "", AT_FDCWD, "attempt-link", AT_EMPTY_PATH);
	got |= !truncate(".git/config", 0);
	got |= !chmod(".git/config", 0666);
	got |= !setxattr(".git/config", "user.x", "y", 1, 0);
	return say_any(got);
}

static int
act_hook_by_mount(const char *unused)
{
	char options[8192], here[2048];
	int got = 0;

	(void)unused;
	if (!getcwd(here, sizeof here) || become_inner())
		return say(-1);
	mkdir("/tmp/attempt-m", 0700);
	got |= !umount2(".git/hooks", MNT_DETACH);
	got |= !umount2(".git", MNT_DETACH);
	got |= !mount(NULL, ".git/hooks", NULL, MS_REMOUNT | MS_BIND, NULL);
	if (!mount(here, "/tmp/attempt-m", NULL, MS_BIND, NULL))
		got |= plant("/tmp/attempt-m/.git/hooks") >= 0;
	if (!mount(here, "/tmp/attempt-m", NULL, MS_BIND | MS_REC, NULL))
		got |= plant("/tmp/attempt-m/.git/hooks") >= 0;
	snprintf(options, sizeof options, "userxattr,lowerdir=/tmp,upperdir=%s,workdir=%s/sub",
		here, here);
	mkdir("sub", 0700);
	if (!mount("overlay", "/tmp/attempt-m", "overlay", 0, options))
		got |= plant("/tmp/attempt-m/.git/hooks") >= 0;
	errno = EPERM;
	return say_any(got);
}

/* --- proc, dev --- */

static int
act_write_any(const char *list)
{
	char path[256];
	int got = 0, n;

	for (; *list && sscanf(list, "%255[^,]%n", path, &n) == 1; list += n + (list[n] == ','))
		got |= open(path, O_WRONLY) >= 0;
	return say_any(got);
}

/* Whether a file of the kernel's tells an address. */
static int
act_addresses(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[512];
	unsigned long long address;
	int got = 0;

	while (f && fgets(line, sizeof line, f))
		got |= sscanf(line, "%llx", &address) == 1 && address > 0xffff;
	if (f)
		errno = ENODATA;
	return say_any(got);
}

static int
act_contains(const char *path_and_word)
{
	char path[256], word[256], line[1024];
	FILE *f;
	int got = 0;

	if (sscanf(path_and_word, "%255[^,],%255s", path, word) != 2)
		return 2;
	f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f))
		got |= strstr(line, word) != NULL;
	if (f)
		errno = ENODATA;
	return say_any(got);
}

static int
act_kill(const char *pid)
{
	return say(kill(atoi(pid), 0));
}

static int
act_environ(const char *pid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%s/environ", pid);
	return act_read(path);
}

/* The first process of the sandbox, which knows most; from within a namespace of one's own, too. */
static int
look_into_init(void)
{
	static const char *const files[] = { "/proc/1/environ", "/proc/1/mem", "/proc/1/maps",
		"/proc/1/root/etc", "/proc/1/cwd/etc", "/proc/1/fd/0", "/proc/1/exe",
		"/proc/1/stack" };
	struct iovec here = { (char[8]){ 0 }, 8 }, there = { (void *)0x400000, 8 };
	int got = 0;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		got |= open(files[i], O_RDONLY) >= 0;
	got |= !ptrace(PTRACE_SEIZE, 1, 0, 0);
	got |= process_vm_readv(1, &here, 1, &there, 1, 0) > 0 || errno == EFAULT;
	got |= syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, 1, 0), 0, 0) >= 0;
	errno = EPERM;
	return got;
}

static int
act_init(const char *unused)
{
	(void)unused;
	return say_any(look_into_init());
}

static int
act_init_nested(const char *unused)
{
	(void)unused;
	return become_inner() ? say(-1) : say_any(look_into_init());
}

static int
act_exists_any(const char *list)
{
	char path[256];
	int got = 0, n;

	for (; *list && sscanf(list, "%255[^,]%n", path, &n) == 1; list += n + (list[n] == ','))
		got |= !access(path, F_OK);
	return say_any(got);
}

/* --- namespaces, capabilities --- */

static int
act_nested(const char *unused)
{
	(void)unused;
	return say(become_inner() ? -1 : mount("tmpfs", "/tmp", "tmpfs", 0, NULL));
}

static int
act_clone3_nested(const char *unused)
{
	struct clone_args_ {
		uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
	} args = { .flags = CLONE_NEWUSER | CLONE_NEWNS, .exit_signal = SIGCHLD };
	long pid = syscall(SYS_clone3, &args, sizeof args);

	(void)unused;
	if (!pid)
		_exit(0);
	return say(pid);
}

static int
act_mount_calls(const char *unused)
{
	int got = 0;

	(void)unused;
	got |= !mount("tmpfs", "/tmp", "tmpfs", 0, NULL);
	got |= open_tree(AT_FDCWD, "/usr", OPEN_TREE_CLONE) >= 0;
	got |= fsopen("tmpfs", 0) >= 0;
	got |= !umount2("/usr", MNT_DETACH);
	got |= !syscall(SYS_pivot_root, ".", ".");
	got |= !chroot(".");
	return say_any(got);
}

static int
act_setns(const char *unused)
{
	static const char *const names[] = { "mnt", "net", "pid", "user", "uts", "ipc", "cgroup" };
	int got = 0, init = (int)syscall(SYS_pidfd_open, 1, 0);
	char path[64];

	(void)unused;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "/proc/1/ns/%s", names[i]);
		got |= !setns(open(path, O_RDONLY), 0);
	}
	got |= !setns(init, CLONE_NEWNS);
	return say_any(got);
}

/* Any system call that no kernel of today has, answered otherwise than by "there is none". */
static int
act_unknown_calls(const char *unused)
{
	int got = 0;

	(void)unused;
	for (int nr = 480; nr <= 600; nr++) {
		errno = 0;
		got |= syscall(nr, 0, 0, 0, 0) >= 0 || errno != ENOSYS;
	}
	return say_any(got);
}

static int
act_caps(const char *unused)
{
	FILE *f = fopen("/proc/self/status", "r");
	unsigned long long set;
	char line[256];
	int got = 0;

	(void)unused;
	while (f && fgets(line, sizeof line, f)) {
		if (!strncmp(line, "Cap", 3) && sscanf(line, "Cap%*s %llx", &set) == 1)
			got |= set != 0;
		got |= !strncmp(line, "NoNewPrivs:\t0", 13);
	}
	errno = EPERM;
	return say_any(got);
}

/* --- system calls --- */

static int
act_syscall(const char *number)
{
	pid_t pid = fork();

	if (pid)
		return wait_for(pid);
	errno = 0;
	long r = syscall(strtol(number, NULL, 0), 0, 0, 0, 0);
	/* Refused for its arguments: it would have been done. */
	if (r < 0 && (errno == EFAULT || errno == EINVAL || errno == EBADF || errno == ENODEV))
		r = 0;
	say(r);
	fflush(stdout);
	_exit(0);
}

static int
act_key(const char *name)
{
	char text[64];
	long key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", name, 0);

	return say(key < 0 ? key : syscall(SYS_keyctl, KEYCTL_READ, key, text, sizeof text, 0));
}

#if defined(__x86_64__)
static int
act_i386(const char *unused)
{
	pid_t pid = fork();

	(void)unused;
	if (pid)
		return wait_for(pid);
	long r = 20;
	__asm__ volatile("int $0x80" : "+a"(r) : : "memory");
	errno = ENOSYS;
	say(r > 0 ? 0 : -1);
	fflush(stdout);
	_exit(0);
}
#endif

static int
act_listener(const char *unused)
{
	struct sock_filter ops[] = { { BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW } };
	struct sock_fprog program = { 1, ops };

	(void)unused;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return say(syscall(
		SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
}

static int
act_personality(const char *value)
{
	return say(personality(strtoul(value, NULL, 0)));
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

/* --- terminal --- */

static int
act_type(const char *request)
{
	unsigned long number = strtoul(request, NULL, 0);
	int got = 0;

	got |= syscall(SYS_ioctl, 0, number, "#\0\0\0\0\0\0") >= 0;
	got |= syscall(SYS_ioctl, 0, number | 1UL << 32, "#\0\0\0\0\0\0") >= 0;
	got |= syscall(SYS_ioctl, open("/dev/tty", O_RDWR), number, "#\0\0\0\0\0\0") >= 0;
	errno = EPERM;
	return say_any(got);
}

/* --- others --- */

static int
act_tcp(const char *port)
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

static int
connect_to(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };

	snprintf(to.sun_path, sizeof to.sun_path, "%s", path);
	return connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&to, sizeof to);
}

/* A socket of the host's, by every path to it. */
static int
act_host_socket(const char *name)
{
	char path[128];
	int got = 0;

	got |= !connect_to(name);
	snprintf(path, sizeof path, "/proc/self/cwd/%s", name);
	got |= !connect_to(path);
	snprintf(path, sizeof path, "/proc/self/fd/%d", open(name, O_PATH));
	got |= !connect_to(path);
	unlink("attempt-l");
	(void)!symlink(name, "attempt-l");
	got |= !connect_to("attempt-l");
	unlink("attempt-l");
	unlink("attempt-hard");
	if (!link(name, "attempt-hard"))
		got |= !connect_to("attempt-hard");
	unlink("attempt-hard");
	errno = EACCES;
	return say_any(got);
}

static int
act_datagram(const char *name)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_DGRAM, 0), pair[2];
	int got = 0;

	snprintf(to.sun_path, sizeof to.sun_path, "%s", name);
	got |= sendto(s, "x", 1, MSG_DONTWAIT, (void *)&to, sizeof to) == 1;
	if (!socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
		got |= sendto(pair[0], "x", 1, MSG_DONTWAIT, (void *)&to, sizeof to) == 1;
	return say_any(got);
}

enum { RACE_MS = 400 };

static int
is_time_left(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000 <
	       RACE_MS;
}

/* Another thread changes the address, and the descriptor behind the number, all the time. */
struct race {
	struct sockaddr_un address;
	const char *good, *bad;
	int fd, inet, unix_;
	volatile int is_over;
};

static void *
swap(void *arg)
{
	struct race *r = arg;

	while (!r->is_over) {
		strcpy(r->address.sun_path, r->bad);
		dup2(r->unix_, r->fd);
		strcpy(r->address.sun_path, r->good);
	}
	return NULL;
}

static int
act_race_connect(const char *name)
{
	struct race r = { .address = { .sun_family = AF_UNIX }, .bad = name, .good = "/tmp/none" };
	struct timespec start;
	pthread_t thread;
	int got = 0;

	r.fd = 100;
	r.unix_ = 101;
	strcpy(r.address.sun_path, r.good);
	dup2(socket(AF_UNIX, SOCK_STREAM, 0), r.unix_);
	pthread_create(&thread, NULL, swap, &r);
	clock_gettime(CLOCK_MONOTONIC, &start);
	while (!got && is_time_left(&start)) {
		struct sockaddr_un peer;
		socklen_t len = sizeof peer;

		dup2(socket(AF_INET, SOCK_STREAM, 0), r.fd);
		connect(r.fd, (void *)&r.address, sizeof r.address);
		got |= !getpeername(r.unix_, (void *)&peer, &len);
	}
	r.is_over = 1;
	pthread_join(thread, NULL);
	errno = EACCES;
	return say_any(got);
}

/* A directory of the path is W at one moment and another one at the next. */
static void *
turn(void *arg)
{
	struct race *r = arg;

	while (!r->is_over) {
		syscall(SYS_renameat2, r->fd, "a", r->fd, "b", 2 /* RENAME_EXCHANGE */);
		sched_yield();
	}
	return NULL;
}

static int
act_race_bind(const char *unused)
{
	char here[2048], dir[64], sock[80], fifo[80];
	struct race r = { 0 };
	struct timespec start;
	pthread_t thread;
	int got = 0;

	(void)unused;
	snprintf(dir, sizeof dir, "/tmp/attempt-r-%d", getpid());
	snprintf(sock, sizeof sock, "%s/a/race-s", dir);
	snprintf(fifo, sizeof fifo, "%s/a/race-f", dir);
	if (!getcwd(here, sizeof here) || mkdir(dir, 0700))
		return say(-1);
	r.fd = open(dir, O_PATH | O_DIRECTORY);
	if (mkdirat(r.fd, "a", 0700) || symlinkat(here, r.fd, "b"))
		return say(-1);
	pthread_create(&thread, NULL, turn, &r);
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (int i = 0; !got && is_time_left(&start); i++) {
		unlink(sock);
		unlink(fifo);
		bind_to(sock, i % 2 ? SOCK_STREAM : SOCK_DGRAM);
		mkfifo(fifo, 0600);
		got |= !access("race-s", F_OK) || !access("race-f", F_OK);
	}
	r.is_over = 1;
	pthread_join(thread, NULL);
	for (const char *name = "a"; name; name = *name == 'a' ? "b" : NULL) {
		char path[80];

		if (!unlinkat(r.fd, name, 0))
			continue; /* the link */
		snprintf(path, sizeof path, "%s/race-s", name);
		unlinkat(r.fd, path, 0);
		snprintf(path, sizeof path, "%s/race-f", name);
		unlinkat(r.fd, path, 0);
		unlinkat(r.fd, name, AT_REMOVEDIR);
	}
	rmdir(dir);
	errno = EACCES;
	return say_any(got);
}

static int
act_shm(const char *key)
{
	return say(shmget((key_t)strtol(key, NULL, 0), 1, 0));
}

static int
act_queue(const char *name)
{
	return say(mq_open(name, O_RDONLY));
}

static int
act_pidfd(const char *pid)
{
	return say(syscall(SYS_pidfd_open, atoi(pid), 0));
}

static int
act_core(const char *unused)
{
	pid_t pid = fork();
	int status;

	(void)unused;
	if (!pid)
		abort();
	waitpid(pid, &status, 0);
	errno = EPERM;
	return say_any(WCOREDUMP(status));
}

static int
act_env(const char *key)
{
	errno = ENODATA;
	return say_any(getenv(key) != NULL);
}

/* More in memory of /tmp than a sandbox should have of it, in a hole: only the size is asked. */
static int
act_scratch(const char *bytes)
{
	int fd = open("/tmp/attempt-big", O_RDWR | O_CREAT, 0600);
	int r = fd < 0 ? -1 : posix_fallocate(fd, 0, strtoll(bytes, NULL, 0));

	unlink("/tmp/attempt-big");
	errno = r;
	return say(r ? -1 : 0);
}

static int
act_forks(const char *count)
{
	int n = 0, want = atoi(count), ends[2];

	if (pipe(ends))
		return say(-1);
	for (pid_t pid; n < want; n++) {
		pid = fork();
		if (pid < 0)
			break;
		if (!pid) {
			char byte;

			close(ends[1]);
			_exit((int)read(ends[0], &byte, 1));
		}
	}
	return say_any(n == want);
}

static const struct {
	const char *name;
	int (*run)(const char *arg);
} acts[] = {
	{ "read", act_read },
	{ "write", act_write },
	{ "open-write", act_open_write },
	{ "remount", act_remount },
	{ "submounts", act_submounts },
	{ "descriptors", act_descriptors },
	{ "handle", act_handle },
	{ "chmod", act_chmod },
	{ "setid-otherwise", act_setid_otherwise },
	{ "file-caps", act_file_caps },
	{ "trusted-xattr", act_trusted_xattr },
	{ "device", act_device },
	{ "fifo", act_fifo },
	{ "bind", act_bind },
	{ "node-by-mount", act_node_by_mount },
	{ "hook", act_hook },
	{ "hook-by-rename", act_hook_by_rename },
	{ "hook-by-replacement", act_hook_by_replacement },
	{ "hook-by-link", act_hook_by_link },
	{ "hook-by-mount", act_hook_by_mount },
	{ "write-any", act_write_any },
	{ "addresses", act_addresses },
	{ "contains", act_contains },
	{ "kill", act_kill },
	{ "environ", act_environ },
	{ "init", act_init },
	{ "init-nested", act_init_nested },
	{ "exists-any", act_exists_any },
	{ "nested", act_nested },
	{ "clone3-nested", act_clone3_nested },
	{ "mount-calls", act_mount_calls },
	{ "setns", act_setns },
	{ "unknown-calls", act_unknown_calls },
	{ "caps", act_caps },
	{ "syscall", act_syscall },
	{ "key", act_key },
	{ "listener", act_listener },
	{ "personality", act_personality },
	{ "socket", act_socket },
	{ "type", act_type },
	{ "tcp", act_tcp },
	{ "abstract", act_abstract },
	{ "host-socket", act_host_socket },
	{ "datagram", act_datagram },
	{ "race-connect", act_race_connect },
	{ "race-bind", act_race_bind },
	{ "shm", act_shm },
	{ "queue", act_queue },
	{ "pidfd", act_pidfd },
	{ "core", act_core },
	{ "env", act_env },
	{ "scratch", act_scratch },
	{ "forks", act_forks },
#if defined(__x86_64__)
	{ "i386", act_i386 },
#endif
};

/* Whether nothing that is done to mounts here can reach the machine's. */
static int
is_apart(void)
{
	if (unshare(CLONE_NEWNS))
		return 1; /* who may not do this, may not mount either */
	return !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

int
main(int argc, char **argv)
{
	if (!is_apart()) {
		fputs("attempt: mounts cannot be kept apart from the machine's\n", stderr);
		return 2;
	}
	for (size_t i = 0; argc > 1 && i < sizeof acts / sizeof *acts; i++)
		if (!strcmp(argv[1], acts[i].name))
			return acts[i].run(argc > 2 ? argv[2] : "");
	fputs("attempt: no such act\n", stderr);
	return 2;
}
