#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/paths.h"

/* The address of a socket through an open directory: sun_path holds 108 bytes, a path may have 4096
 * (unix(7)). */
static int
socket_address(const char *path, int *ret_dir, struct sockaddr_un *ret, struct err *e)
{
	const char *name = strrchr(path, '/');
	char dir[PATH_MAX];

	if (!name || name - path >= PATH_MAX)
		return err_set(e, -EINVAL, "socket %s: is not an absolute path", path);
	snprintf(dir, sizeof dir, "%.*s", (int)(name - path), path);
	*ret_dir = open(dir[0] ? dir : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (*ret_dir < 0)
		return err_errno(e, -errno, "socket %s", path);
	*ret = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (snprintf(ret->sun_path, sizeof ret->sun_path, "/proc/self/fd/%d%s", *ret_dir, name) >=
		(int)sizeof ret->sun_path)
		return err_set(e, -ENAMETOOLONG, "socket %s: the name is too long", path);
	return 0;
}

typedef int socket_fn(int fd, const struct sockaddr *address, socklen_t len);

static int
socket_open(const char *path, socket_fn *use, struct err *e)
{
	AUTO(fd) int dir = -1;
	AUTO(fd) int fd = -1;
	struct sockaddr_un address;
	int r = socket_address(path, &dir, &address, e);

	if (r < 0)
		return r;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return err_errno(e, -errno, "socket %s", path);
	if (use(fd, (struct sockaddr *)&address, sizeof address) < 0)
		return err_errno(e, -errno, "socket %s", path);
	return fd_take(&fd);
}

int
socket_listen(const char *path, struct err *e)
{
	int fd = socket_open(path, bind, e), r;

	if (fd < 0)
		return fd;
	if (listen(fd, SOMAXCONN) < 0) {
		r = err_errno(e, -errno, "socket %s", path);
		fd_close(fd);
		return r;
	}
	return fd;
}

enum { CONNECT_S = 2 };

/* connect(2) waits while the listener's queue is full, and a listener that hangs never empties it. The limit holds for this
 * call alone: what is sent later may take its time. */
static int
connect_soon(int fd, const struct sockaddr *address, socklen_t len)
{
	struct timeval limit = { .tv_sec = CONNECT_S }, none = { 0 };
	int r, why;

	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
	r = connect(fd, address, len);
	why = errno == EAGAIN ? ETIMEDOUT : errno;
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof none);
	errno = why;
	return r;
}

int
socket_connect(const char *path, struct err *e)
{
	return socket_open(path, connect_soon, e);
}
