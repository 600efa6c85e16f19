/* floor.c - the least that a sandbox of our kind can cost: what sandesk is measured against.
 * Contract:  usage: floor DIR COMMAND [ARG ...]. All seven namespaces in one clone3, one id mapped,
 *            the host read-only by one recursive clone of /, fresh proc, tmpfs on /tmp, null
 *            device, DIR read-write, loopback up, pivot_root, no capability, no_new_privs, a
 *            seccomp filter of six instructions, exec. No allow-list, no private home, no init, no
 *            error text: exit status 125 when something fails. Prints the start on stderr:
 *            CLOCK_MONOTONIC in nanoseconds, taken in main; the command should be stamp (stamp.c).
 *            Build: cc -static -O2. Compare in one run, alternating, medians of at least 20:
 *            stamp's number minus the start's, for floor, for `sandesk exec`, for bwrap
 *            --unshare-all.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void
need(int ok)
{
	if (!ok)
		_exit(125);
}

static void
write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	need(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

/* The child maps its own id; a parent that does it costs two switches more. */
static void
map_ids(unsigned uid, unsigned gid)
{
	char line[48];

	write_file("/proc/self/setgroups", "deny");
	snprintf(line, sizeof line, "%u %u 1", uid, uid);
	write_file("/proc/self/uid_map", line);
	snprintf(line, sizeof line, "%u %u 1", gid, gid);
	write_file("/proc/self/gid_map", line);
}

static void
mounts(const char *dir)
{
	struct mount_attr ro = { .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID };
	struct mount_attr rw = { .attr_set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV };
	int root, shared;

	need(!mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	shared = open_tree(AT_FDCWD, dir, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
	root = open_tree(AT_FDCWD, "/", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
	need(shared >= 0 && root >= 0);
	need(!mount_setattr(root, "", AT_EMPTY_PATH | AT_RECURSIVE, &ro, sizeof ro));
	need(!mount_setattr(shared, "", AT_EMPTY_PATH | AT_RECURSIVE, &rw, sizeof rw));
	need(!move_mount(root, "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH));
	need(!fchdir(root));
	need(!mount("proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL));
	need(!mount("tmpfs", "mnt", "tmpfs", MS_NOSUID | MS_NODEV, "size=64m,nr_inodes=4096"));
	need(!mount("/dev/null", "dev/null", NULL, MS_BIND, NULL));
	need(!move_mount(shared, "", AT_FDCWD, dir + 1, MOVE_MOUNT_F_EMPTY_PATH));
	need(!syscall(SYS_pivot_root, ".", "."));
	need(!umount2(".", MNT_DETACH));
	need(!chdir("/"));
}

static void
loopback(void)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	need(s >= 0 && !ioctl(s, SIOCSIFFLAGS, &lo));
	close(s);
}

static void
drop_rights(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { { 0, 0, 0 } };
	static struct sock_filter ops[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 2),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 425 /* io_uring_setup */, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = sizeof ops / sizeof *ops, .filter = ops };

	for (int cap = 0; cap <= CAP_LAST_CAP; cap++)
		prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
	need(!syscall(SYS_capset, &head, none));
	need(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	need(!syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}

int
main(int argc, char **argv)
{
	struct clone_args args = { .flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID |
					    CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
					    CLONE_NEWCGROUP,
		.exit_signal = SIGCHLD };
	unsigned uid = geteuid(), gid = getegid();
	struct timespec start;
	int status;
	long pid;

	clock_gettime(CLOCK_MONOTONIC, &start);
	if (argc < 3 || argv[1][0] != '/')
		return 2;
	pid = syscall(SYS_clone3, &args, sizeof args);
	need(pid >= 0);
	if (!pid) {
		map_ids(uid, gid);
		mounts(argv[1]);
		loopback();
		need(!sethostname("floor", 5));
		drop_rights();
		execv(argv[2], argv + 2);
		_exit(127);
	}
	fprintf(stderr, "%llu\n",
		(unsigned long long)start.tv_sec * 1000000000ULL +
			(unsigned long long)start.tv_nsec);
	need(waitpid((pid_t)pid, &status, 0) == (pid_t)pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
