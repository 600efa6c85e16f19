#include "sandesk/conn.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/loop.h"
#include "sandesk/messages.h"

enum { READ_BYTES = 64 << 10, READS_PER_TURN = 4, SHRINK_BYTES = 256 << 10 };

struct conn {
	struct loop *loop;
	int fd;
	struct loop_fd *watch;
	struct loop_task *flush;
	const struct conn_ops *ops;
	void *arg;
	struct buf in, out;
	size_t out_pos; /* what of `out` is written already */
	int fds[FD_PASS_MAX];
	size_t nfds;
	unsigned depth; /* callbacks running */
	bool is_open, is_freed, waits_to_write;
	char why[128]; /* set when the task has to report the end */
};

static void
conn_destroy(struct conn *c)
{
	for (size_t i = 0; i < c->nfds; i++)
		fd_close(c->fds[i]);
	loop_task_free(c->flush);
	loop_fd_free(c->watch);
	fd_close(c->fd);
	buf_fini(&c->in);
	buf_fini(&c->out);
	mem_free(c);
}

/* Everything that calls out stands between enter and leave; a conn that was freed meanwhile goes
 * away at the last leave. */
static void
enter(struct conn *c)
{
	c->depth++;
}

static bool
leave(struct conn *c)
{
	if (--c->depth == 0 && c->is_freed) {
		conn_destroy(c);
		return false;
	}
	return !c->is_freed;
}

static void
shut(struct conn *c)
{
	c->is_open = false;
	loop_fd_free(c->watch);
	c->watch = NULL;
}

static void
report_end(struct conn *c, const char *why)
{
	if (!c->is_open || c->is_freed)
		return;
	shut(c);
	c->ops->closed(c, why, c->arg);
}

/* Writes what the peer takes now. 0, or a negative errno when the peer is gone. */
static int
write_some(struct conn *c)
{
	while (c->out_pos < c->out.len) {
		ssize_t n = send(c->fd, c->out.data + c->out_pos, c->out.len - c->out_pos,
			MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		c->out_pos += (size_t)n;
	}
	c->out_pos = 0;
	buf_reset(&c->out);
	if (c->out.room > SHRINK_BYTES)
		buf_fini(&c->out);
	return 0;
}

static void
watch_for(struct conn *c)
{
	bool wants = c->out.len > 0;

	if (!c->is_open || wants == c->waits_to_write)
		return;
	c->waits_to_write = wants;
	loop_fd_set(c->watch, wants ? LOOP_READ | LOOP_WRITE : LOOP_READ);
}

static void
flush(struct conn *c)
{
	bool had = c->out.len > 0;
	int r = write_some(c);

	if (r < 0) {
		report_end(c, strerror(-r));
		return;
	}
	watch_for(c);
	if (had && !c->out.len && c->ops->drained)
		c->ops->drained(c, c->arg);
}

static void
on_flush(void *arg)
{
	struct conn *c = arg;

	enter(c);
	if (c->why[0])
		report_end(c, c->why);
	else if (c->is_open)
		flush(c);
	leave(c);
}

static void
drop_fds(struct conn *c)
{
	for (size_t i = 0; i < c->nfds; i++)
		fd_close(c->fds[i]);
	c->nfds = 0;
}

/* Hands out every complete message of `in`. False when the connection ended. */
static bool
dispatch(struct conn *c)
{
	struct err e = { 0 };
	size_t pos = 0;
	struct msg m;
	ssize_t n = 0;

	while (c->is_open && !c->is_freed) {
		n = msg_decode(c->in.data + pos, c->in.len - pos, &m, &e);
		if (n <= 0)
			break;
		pos += (size_t)n;
		c->ops->message(c, &m, c->arg);
	}
	if (c->is_freed)
		return false;
	buf_cut(&c->in, pos);
	if (!c->in.len && c->in.room > SHRINK_BYTES)
		buf_fini(&c->in);
	if (n < 0)
		report_end(c, e.msg);
	return c->is_open && !c->is_freed;
}

static bool
read_once(struct conn *c, bool *ret_more)
{
	int fds[FD_PASS_MAX];
	size_t nfds = FD_PASS_MAX;
	ssize_t n;

	*ret_more = false;
	if (buf_reserve(&c->in, READ_BYTES) < 0) {
		report_end(c, "sent more than fits");
		return false;
	}
	n = fd_recv(c->fd, c->in.data + c->in.len, READ_BYTES, fds, &nfds);
	if (n == -EAGAIN)
		return true;
	if (n <= 0) {
		report_end(c, n < 0 ? strerror((int)-n) : "closed by the other side");
		return false;
	}
	for (size_t i = 0; i < nfds; i++) {
		if (c->nfds < FD_PASS_MAX)
			c->fds[c->nfds++] = fds[i];
		else
			fd_close(fds[i]);
	}
	c->in.len += (size_t)n;
	*ret_more = n == READ_BYTES;
	return dispatch(c);
}

static void
on_ready(int fd, int events, void *arg)
{
	struct conn *c = arg;
	bool more = true, alive = true;

	(void)fd;
	enter(c);
	if (events & LOOP_WRITE)
		flush(c);
	if (events & (LOOP_READ | LOOP_HANGUP))
		for (int i = 0; i < READS_PER_TURN && more && alive && c->is_open && !c->is_freed;
			i++)
			alive = read_once(c, &more);
	if (!c->in.len) /* else they may belong to the message that has begun */
		drop_fds(c);
	leave(c);
}

struct conn *
conn_new(struct loop *l, int fd, const struct conn_ops *ops, void *arg)
{
	struct conn *c = mem_new(struct conn);

	*c = (struct conn){ .loop = l, .fd = fd, .ops = ops, .arg = arg, .is_open = true };
	c->in.limit = FRAME_BYTES + 2 * READ_BYTES;
	c->out.limit = CONN_QUEUE_BYTES;
	fd_set_nonblock(fd, true);
	c->flush = loop_task_new(l, on_flush, c);
	c->watch = loop_fd_new(l, fd, LOOP_READ, on_ready, c);
	return c;
}

void
conn_free(struct conn *c)
{
	if (!c || c->is_freed)
		return;
	c->is_freed = true;
	if (c->is_open)
		(void)write_some(
			c); /* last words; nobody is left to be told when they cannot be said */
	shut(c);
	if (!c->depth)
		conn_destroy(c);
}

void
conn_send(struct conn *c, const struct msg *m)
{
	if (!c->is_open || c->is_freed || c->why[0])
		return;
	if (msg_encode(&c->out, m) < 0)
		str_copy(c->why, sizeof c->why, "does not read what it is sent");
	loop_task_queue(c->flush);
}

int
conn_send_fds(struct conn *c, const struct msg *m, const int *fds, size_t nfds)
{
	size_t before = c->out.len;
	ssize_t n;
	int r;

	if (!conn_is_open(c) || c->why[0])
		return -EPIPE;
	r = msg_encode(&c->out, m);
	if (r < 0)
		return r;
	n = fd_send(c->fd, c->out.data + c->out_pos, c->out.len - c->out_pos, fds, nfds);
	if (n < 0) {
		c->out.len = before;
		return (int)n;
	}
	c->out_pos += (size_t)n;
	loop_task_queue(c->flush);
	return 0;
}

size_t
conn_queued(const struct conn *c)
{
	return c->out.len - c->out_pos;
}

bool
conn_is_open(const struct conn *c)
{
	return c->is_open && !c->is_freed;
}

pid_t
conn_peer_pid(const struct conn *c)
{
	struct ucred peer;
	socklen_t len = sizeof peer;

	return getsockopt(c->fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) < 0 ? 0 : peer.pid;
}

size_t
conn_take_fds(struct conn *c, int *to, size_t max)
{
	size_t n = c->nfds < max ? c->nfds : max;

	memcpy(to, c->fds, n * sizeof *to);
	memmove(c->fds, c->fds + n, (c->nfds - n) * sizeof *to);
	c->nfds -= n;
	return n;
}
