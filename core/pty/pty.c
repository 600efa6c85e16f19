#include "pty/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sandesk/base/fd.h"

int
pty_open(struct pty *p, struct size size, struct err *e)
{
	struct winsize ws = { .ws_row = size.rows, .ws_col = size.cols };
	AUTO(fd) int ptm = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (ptm < 0)
		return err_errno(e, -errno, "open /dev/ptmx (the limit is kernel.pty.max)");
	if (unlockpt(ptm) < 0)
		return err_errno(e, -errno, "unlock the new terminal");
	if (ioctl(ptm, TIOCSWINSZ, &ws) < 0)
		return err_errno(
			e, -errno, "set the terminal's size to %ux%u", size.cols, size.rows);
	p->fd = fd_take(&ptm);
	return 0;
}

void
pty_close(struct pty *p)
{
	fd_drop(&p->fd);
}

void
pty_drop(struct pty *p)
{
	pty_close(p);
}

int
pty_slave(const struct pty *p, struct err *e)
{
	int fd = ioctl(p->fd, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);

	return fd < 0 ? err_errno(e, -errno, "open the new terminal's other side") : fd;
}

int
pty_resize(const struct pty *p, struct size size)
{
	struct winsize ws = { .ws_row = size.rows, .ws_col = size.cols };

	return ioctl(p->fd, TIOCSWINSZ, &ws) < 0 ? -errno : 0;
}

pid_t
pty_foreground(const struct pty *p)
{
	pid_t group;

	return ioctl(p->fd, TIOCGPGRP, &group) < 0 ? -errno : group;
}
