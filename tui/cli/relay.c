#include "cli/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandesk/base/fd.h"

enum { CARRY_BYTES = 1 << 20 };

static bool
is_fifo(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

static void
close_own(int *fd)
{
	if (*fd > STDERR_FILENO)
		fd_close(*fd);
	*fd = -1;
}

void
relay_init(struct relay *r, int from, int to)
{
	struct stat st;

	*r = (struct relay){ .from = from, .to = to };
	r->is_safe = from > STDERR_FILENO && isatty(to);
	r->is_pipe = is_fifo(from) && is_fifo(to);
	/* poll(2) promises room for PIPE_BUF bytes in a pipe; of files and of our own non-blocking
	 * pipe nothing is feared */
	r->is_portioned = to <= STDERR_FILENO && fstat(to, &st) == 0 && !S_ISREG(st.st_mode);
}

void
relay_fini(struct relay *r)
{
	close_own(&r->from);
	close_own(&r->to);
	buf_fini(&r->pending);
}

struct pollfd
relay_poll(const struct relay *r)
{
	if (r->pending.len || r->lacks_room)
		return (struct pollfd){ .fd = r->to, .events = POLLOUT };
	return (struct pollfd){ .fd = r->from, .events = POLLIN };
}

bool
relay_is_done(const struct relay *r)
{
	return r->from < 0 && !r->pending.len;
}

/* From pipe to pipe. Never blocks, whatever the mode of either: splice(2). */
static void
carry_once(struct relay *r)
{
	ssize_t n = splice(r->from, NULL, r->to, NULL, CARRY_BYTES, SPLICE_F_NONBLOCK);

	r->lacks_room = n < 0 && errno == EAGAIN;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0 && errno != EPIPE)
		r->error = -errno;
	if (n <= 0)
		close_own(&r->from);
}

static void
read_once(struct relay *r)
{
	char bytes[RELAY_BYTES];
	ssize_t n = read(r->from, bytes, sizeof bytes);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n > 0 && r->is_safe)
		safe_feed(&r->safe, bytes, (size_t)n, &r->pending);
	else if (n > 0)
		buf_add(&r->pending, bytes, (size_t)n);
	if (n > 0)
		return;
	if (r->is_safe)
		safe_end(&r->safe, &r->pending);
	close_own(&r->from);
}

static void
write_once(struct relay *r)
{
	size_t len = r->pending.len;
	ssize_t n;

	if (r->is_portioned && len > RELAY_PIPE_BYTES)
		len = RELAY_PIPE_BYTES;
	n = write(r->to, r->pending.data, len);
	if (n >= 0) {
		buf_cut(&r->pending, (size_t)n);
		return;
	}
	if (errno == EINTR || errno == EAGAIN)
		return;
	if (errno != EPIPE)
		r->error = -errno;
	buf_reset(&r->pending);
	close_own(&r->from);
}

void
relay_turn(struct relay *r)
{
	if (r->pending.len)
		write_once(r);
	else if (r->lacks_room)
		r->lacks_room = false;
	else if (r->is_pipe && r->from >= 0)
		carry_once(r);
	else if (r->from >= 0)
		read_once(r);
	if (relay_is_done(r))
		close_own(&r->to);
}
