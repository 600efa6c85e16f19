#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/conn.h"

/* Newer than Debian 12's headers; the same on x86-64 and arm64 (asm-generic/socket.h). */
enum { PEER_PIDFD = 77, USER_NAMESPACE = _IO(0xff, 9) };

/* The raw call: libc's fstat() is newfstatat, which a keeper's filter refuses because it takes names. */
static int
name_of_fd(int fd, struct stat *ret)
{
	return syscall(SYS_fstat, fd, ret) < 0 ? -errno : 0;
}

/* -ENOTTY or -ENOPROTOOPT when the kernel is older. */
static int
namespace_by_fd(int socket, struct stat *ret)
{
	int process = -1;
	socklen_t len = sizeof process;
	AUTO(fd) int pidfd = -1;
	AUTO(fd) int space = -1;

	if (getsockopt(socket, SOL_SOCKET, PEER_PIDFD, &process, &len) < 0)
		return -errno;
	pidfd = process;
	space = ioctl(pidfd, USER_NAMESPACE, 0);
	return space < 0 ? -errno : name_of_fd(space, ret);
}

static int
namespace_by_name(pid_t pid, struct stat *ret)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/ns/user", (int)pid);
	return stat(path, ret) < 0 ? -errno : 0;
}

/* Tries it on ourselves. */
static bool
kernel_shows_fds(void)
{
	struct stat st;
	int ends[2];
	bool does;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return false;
	does = namespace_by_fd(ends[0], &st) == 0;
	fd_close(ends[0]);
	fd_close(ends[1]);
	return does;
}

int
peer_home(struct peer_home *ret)
{
	struct stat st;
	int r = namespace_by_name(getpid(), &st);

	if (r < 0)
		return r;
	*ret = (struct peer_home){
		.device = st.st_dev, .inode = st.st_ino, .by_fd = kernel_shows_fds()
	};
	return 0;
}

int
peer_check_at(int socket, const struct peer_home *home, struct err *e)
{
	struct ucred peer;
	socklen_t len = sizeof peer;
	struct stat theirs;
	int r;

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &len) < 0)
		return err_errno(e, -errno, "peer");
	if (peer.uid != geteuid())
		return err_set(e, -EPERM, "peer: is user %u; only user %u may connect",
			(unsigned)peer.uid, (unsigned)geteuid());
	r = peer.pid <= 0 ? -ESRCH
	    : home->by_fd ? namespace_by_fd(socket, &theirs)
			  : namespace_by_name(peer.pid, &theirs);
	if (r < 0)
		return err_set(e, -EPERM,
			"peer: its namespaces cannot be seen; connect from outside the sandbox");
	if (theirs.st_ino != home->inode || theirs.st_dev != home->device)
		return err_set(e, -EPERM,
			"peer: stands in another user namespace; connect from outside the sandbox");
	return 0;
}

int
peer_check(int socket, struct err *e)
{
	struct peer_home home;
	int r = peer_home(&home);

	return r < 0 ? err_errno(e, r, "our own user namespace") : peer_check_at(socket, &home, e);
}
