#include "model/daemon.h"

#include <errno.h>
#include <sys/socket.h>

#include "model/spawn.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/log.h"
#include "sandesk/loop.h"

static pid_t
spare_spawn(struct daemon *d, int *ret_fd, struct err *e)
{
	AUTO(fd) int ours = -1;
	AUTO(fd) int theirs = -1;
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return err_errno(e, -errno, "keeper: no socket for it");
	ours = ends[0];
	theirs = ends[1];
	pid = spawn_program(d, "sandesk-keeper", &theirs, 1, e);
	if (pid > 0)
		*ret_fd = fd_take(&ours);
	return pid;
}

static void
on_soon(void *arg)
{
	struct daemon *d = arg;
	struct err e = { 0 };
	pid_t pid;

	if (d->spare.pid || d->is_stopping)
		return;
	pid = spare_spawn(d, &d->spare.fd, &e);
	if (pid > 0)
		d->spare.pid = pid;
	else
		log_warn(d->log, "spare %s", e.msg); /* the next session says so itself */
}

void
spare_init(struct daemon *d)
{
	d->spare = (struct spare){ .fd = -1, .soon = loop_timer_new(d->loop, on_soon, d) };
}

void
spare_fini(struct daemon *d)
{
	loop_timer_free(d->spare.soon);
	fd_drop(&d->spare.fd); /* it ends by that */
	d->spare = (struct spare){ .fd = -1 };
}

void
spare_want(struct daemon *d)
{
	if (!d->spare.pid && d->spare.soon)
		loop_timer_start(d->spare.soon, SPARE_MS);
}

pid_t
spare_take(struct daemon *d, int *ret_fd, struct err *e)
{
	pid_t pid = d->spare.pid;

	if (!pid)
		return spare_spawn(d, ret_fd, e);
	*ret_fd = fd_take(&d->spare.fd);
	d->spare.pid = 0;
	return pid;
}

bool
spare_reaped(struct daemon *d, pid_t pid)
{
	if (!pid || pid != d->spare.pid)
		return false;
	d->spare.pid = 0;
	fd_drop(&d->spare.fd);
	return true;
}
