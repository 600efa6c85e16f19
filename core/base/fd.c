#include "sandesk/base/fd.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void
fd_close(int fd)
{
	int saved = errno;

	if (fd >= 0)
		close(fd);
	errno = saved;
}

void
fd_drop(int *fd)
{
	fd_close(*fd);
	*fd = -1;
}

int
fd_take(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

static int
fd_flag(int fd, int get, int set, int flag, bool on)
{
	int now = fcntl(fd, get), want = on ? now | flag : now & ~flag;

	if (now < 0)
		return -errno;
	return want != now && fcntl(fd, set, want) < 0 ? -errno : 0;
}

int
fd_set_nonblock(int fd, bool on)
{
	return fd_flag(fd, F_GETFL, F_SETFL, O_NONBLOCK, on);
}

int
fd_set_cloexec(int fd, bool on)
{
	return fd_flag(fd, F_GETFD, F_SETFD, FD_CLOEXEC, on);
}

int
fd_write_all(int fd, const void *bytes, size_t len)
{
	const char *p = bytes;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

ssize_t
fd_read_all(int fd, void *to, size_t len)
{
	size_t have = 0;

	while (have < len) {
		ssize_t n = read(fd, (char *)to + have, len - have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		have += (size_t)n;
	}
	return (ssize_t)have;
}

union fd_control { /* aligned as cmsg(3) asks */
	struct cmsghdr header;
	char space[CMSG_SPACE(sizeof(int) * FD_PASS_MAX)];
};

ssize_t
fd_send(int socket, const void *bytes, size_t len, const int *fds, size_t nfds)
{
	union fd_control control = { 0 };
	struct iovec part = { .iov_base = (void *)bytes, .iov_len = len };
	struct msghdr msg = { .msg_iov = &part, .msg_iovlen = 1 };
	ssize_t n;

	assert(nfds <= FD_PASS_MAX);
	if (nfds) {
		msg.msg_control = &control;
		msg.msg_controllen = CMSG_SPACE(sizeof(int) * nfds);
		control.header = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int) * nfds),
			.cmsg_level = SOL_SOCKET,
			.cmsg_type = SCM_RIGHTS };
		memcpy(CMSG_DATA(&control.header), fds, sizeof(int) * nfds);
	}
	do
		n = sendmsg(socket, &msg, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static void
fd_collect(struct msghdr *msg, int *fds, size_t *nfds)
{
	size_t room = *nfds, have = 0;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		size_t count;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < count; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
			if (have < room)
				fds[have++] = fd;
			else
				fd_close(fd);
		}
	}
	*nfds = have;
}

ssize_t
fd_recv(int socket, void *to, size_t len, int *fds, size_t *nfds)
{
	union fd_control control;
	struct iovec part = { .iov_base = to, .iov_len = len };
	struct msghdr msg = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof control };
	ssize_t n;

	do
		n = recvmsg(socket, &msg, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < 0) {
		*nfds = 0;
		return -errno;
	}
	fd_collect(&msg, fds, nfds);
	return n;
}
