#include "jail/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/outside.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/str.h"

/* The number in a file of /proc/sys, or `otherwise` when there is no such file. */
static long
sysctl(const char *name, long otherwise)
{
	char path[128], text[32];
	AUTO(fd) int fd = -1;
	ssize_t n;

	snprintf(path, sizeof path, "/proc/sys/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : fd_read_all(fd, text, sizeof text - 1);
	if (n <= 0)
		return otherwise;
	text[n] = 0;
	return strtol(text, NULL, 10);
}

/* Whether a seccomp filter already sits on us: then a container's list is what refuses, not the
 * kernel. */
static bool
is_filtered(void)
{
	char text[4096];
	AUTO(fd) int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : fd_read_all(fd, text, sizeof text - 1);

	text[n > 0 ? n : 0] = 0;
	return strstr(text, "\nSeccomp:\t2") != NULL;
}

static bool
is_container(void)
{
	return !access("/.dockerenv", F_OK) || !access("/run/.containerenv", F_OK) ||
	       getenv("container");
}

/* Namespaces have a limit each; the one that is 0, or else all of them. */
static int
explain_limit(int code, struct err *e)
{
	static const char *const kinds[] = { "user", "mnt", "pid", "net", "ipc", "uts", "cgroup" };
	char name[64];

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		snprintf(name, sizeof name, "user/max_%s_namespaces", kinds[i]);
		if (sysctl(name, -1) == 0)
			return err_set(e, code,
				"user namespaces: user.max_%s_namespaces is 0; set it: sysctl -w "
				"user.max_%s_namespaces=15000",
				kinds[i], kinds[i]);
	}
	return err_set(e, code,
		"user namespaces: this user's share is used up (user.max_user_namespaces is %ld, "
		"and each namespace has such a limit); "
		"end sessions or raise it with sysctl -w",
		sysctl("user/max_user_namespaces", -1));
}

static bool
has_apparmor(void)
{
	return sysctl("kernel/apparmor_restrict_unprivileged_userns", 0) == 1;
}

static int
explain_apparmor(int code, struct err *e)
{
	char self[256];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = 0;
	return err_set(e, code,
		"user namespaces: AppArmor restricts them "
		"(kernel.apparmor_restrict_unprivileged_userns is 1); load a profile: "
		"`abi <abi/4.0>, profile sandesk %s flags=(unconfined) { userns, }` in "
		"/etc/apparmor.d/sandesk, then "
		"apparmor_parser -r /etc/apparmor.d/sandesk",
		self);
}

int
jail_explain(int code, struct err *e)
{
	if (code == -ENOSPC)
		return explain_limit(code, e);
	if (code == -EPERM && sysctl("kernel/unprivileged_userns_clone", 1) == 0)
		return err_set(e, code,
			"user namespaces: kernel.unprivileged_userns_clone is 0; set it: sysctl -w "
			"kernel.unprivileged_userns_clone=1");
	if ((code == -EPERM || code == -EACCES) && has_apparmor())
		return explain_apparmor(code, e);
	if ((code == -EPERM || code == -ENOSYS) && is_filtered())
		return err_set(e, code,
			"user namespaces: a seccomp filter around us refuses them%s; start the "
			"container with --security-opt "
			"seccomp=unconfined or with a profile that allows clone and unshare",
			is_container() ? " (this is a container)" : "");
	if (code == -EACCES && !access("/sys/fs/selinux/enforce", F_OK))
		return err_set(e, code,
			"user namespaces: refused, by SELinux as it seems; ausearch -m avc -ts "
			"recent | grep user_namespace shows the rule");
	if (code == -EINVAL || code == -ENOSYS)
		return err_set(e, code,
			"namespaces: this kernel lacks one of user, mnt, pid, net, ipc, uts, "
			"cgroup; it needs CONFIG_USER_NS and the others");
	if (code == -EPERM)
		return err_set(e, code,
			"user namespaces: refused; a process in a chroot may make none (clone(2)): "
			"run sandesk outside of it");
	if (code == -EAGAIN || code == -ENOMEM)
		return err_errno(e, code,
			"start a process (limit of processes or memory: ulimit -u, pids cgroup)");
	return err_errno(e, code, "make the namespaces");
}

/* What a stripped user namespace refuses: ids were mapped, yet nothing may be done in it. Exit
 * status: errno, high bit: which. */
enum { PROBE_MOUNT = 0, PROBE_LOOPBACK = 128 };

static void
probe_inside(int go)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	char byte;
	int s;

	if (fd_read_all(go, &byte, 1) != 1)
		_exit(0);
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		_exit(PROBE_MOUNT | (errno & 127));
	s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (s < 0 || ioctl(s, SIOCSIFFLAGS, &lo))
		_exit(PROBE_LOOPBACK | (errno & 127));
	_exit(0);
}

static int
explain_stripped(int status, struct err *e)
{
	int code = WIFEXITED(status) ? -(WEXITSTATUS(status) & 127) : -ECANCELED;
	const char *what = WIFEXITED(status) && WEXITSTATUS(status) & PROBE_LOOPBACK
				   ? "bring loopback up"
				   : "change mounts";

	if (has_apparmor())
		return explain_apparmor(code, e);
	return err_set(e, code, "user namespaces: can be made, but inside one may not %s: %s; %s",
		what, strerror(-code),
		is_container() ? "in LXC set nesting=1, in Docker use an AppArmor profile that "
				 "allows mount"
			       : "look for a security module in the kernel's log");
}

int
jail_probe(struct err *e)
{
	bool is_root = geteuid() == 0;
	struct outside_map map = { 1000, is_root ? JAIL_ID_BASE : geteuid(), 1000,
		is_root ? JAIL_ID_BASE : getegid(), is_root };
	AUTO(fd) int pidfd = -1;
	AUTO(fd) int go = -1;
	int ends[2], status, r;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return err_errno(e, -errno, "make a pipe");
	pid = outside_clone(&pidfd);
	if (!pid) {
		close(ends[1]);
		probe_inside(ends[0]);
	}
	close(ends[0]);
	go = ends[1];
	if (pid < 0)
		return jail_explain(pid, e);
	r = outside_write_maps(pid, &map, e);
	if (r && has_apparmor())
		explain_apparmor(r, e);
	if (!r)
		r = fd_write_all(go, "", 1);
	fd_drop(&go);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return r ? r : status ? explain_stripped(status, e) : 0;
}
