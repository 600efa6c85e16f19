#include "draw/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <ucontext.h>
#include <unistd.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/loop.h"

enum { READ_BYTES = 16384, STOP_MS = 1000, CRASH_STACK_BYTES = 64 << 10 };

struct tty {
	struct loop *loop;
	const struct tty_ops *ops;
	void *arg;
	int in, out;
	struct loop_fd *reader, *writer;
	struct loop_signal *winch;
	struct buf queue;
	struct termios saved;
	struct crash *crash;
	bool is_started;
};

/* What the crash handler needs. A handler gets no argument of ours, but it gets a stack of ours,
 * and is told where that is: so this stands just below the stack. */
struct crash {
	int fd;
	const char *bytes;
	size_t len;
	struct termios saved;
	stack_t old;
	_Alignas(16) char stack[CRASH_STACK_BYTES];
};

static const int crash_signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

static void
give_back_and_die(int number, siginfo_t *info, void *context)
{
	const ucontext_t *u = context;
	struct crash *c =
		(struct crash *)((char *)u->uc_stack.ss_sp - offsetof(struct crash, stack));

	(void)info;
	(void)!write(c->fd, c->bytes, c->len);
	tcsetattr(c->fd, TCSANOW, &c->saved);
	raise(number); /* SA_RESETHAND: this time it is the end */
}

static struct crash *
crash_new(int fd, const char *bytes, const struct termios *saved)
{
	struct crash *c = mem_new(struct crash);
	struct sigaction old, sa = { .sa_sigaction = give_back_and_die,
		.sa_flags = SA_RESETHAND | SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
	stack_t mine = { .ss_sp = c->stack, .ss_size = sizeof c->stack };

	c->fd = fd;
	c->bytes = bytes;
	c->len = strlen(bytes);
	c->saved = *saved;
	sigaltstack(&mine, &c->old);
	for (size_t i = 0; i < ARRAY_LEN(crash_signals); i++) {
		/* A sanitizer's own handler for the memory errors is worth more than a tidy
		 * screen. */
		if (sigaction(crash_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(crash_signals[i], &sa, NULL);
	}
	return c;
}

static void
crash_free(struct crash *c)
{
	struct sigaction old, sa = { .sa_handler = SIG_DFL };

	if (!c)
		return;
	for (size_t i = 0; i < ARRAY_LEN(crash_signals); i++)
		if (sigaction(crash_signals[i], NULL, &old) == 0 &&
			old.sa_sigaction == give_back_and_die)
			sigaction(crash_signals[i], &sa, NULL);
	sigaltstack(&c->old, NULL);
	mem_free(c);
}

static void
tty_readable(int fd, int events, void *arg)
{
	struct tty *t = arg;
	char bytes[READ_BYTES];
	ssize_t n = read(fd, bytes, sizeof bytes);

	(void)events;
	if (n > 0) {
		t->ops->input(bytes, (size_t)n, t->arg);
		return;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	loop_fd_set(t->reader, 0);
	t->ops->hangup(t->arg);
}

/* Writes what the terminal takes. False when it went away. */
static bool
push(struct tty *t)
{
	while (t->queue.len) {
		ssize_t n = write(t->out, t->queue.data, t->queue.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN;
		buf_cut(&t->queue, (size_t)n);
	}
	return true;
}

static void
tty_writable(int fd, int events, void *arg)
{
	struct tty *t = arg;

	(void)fd;
	(void)events;
	if (!push(t)) {
		loop_fd_set(t->writer, 0);
		t->ops->hangup(t->arg);
		return;
	}
	if (t->queue.len)
		return;
	loop_fd_set(t->writer, 0);
	t->ops->drained(t->arg);
}

static void
tty_winch(void *arg)
{
	struct tty *t = arg;

	t->ops->resized(tty_size(t), t->arg);
}

static int
reopen(int fd, int flags)
{
	char path[32] = "/proc/self/fd/0";
	int copy;

	path[14] = (char)('0' + fd);
	copy = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (copy >= 0)
		return copy;
	copy = fcntl(fd, F_DUPFD_CLOEXEC,
		3); /* another user's terminal, after su: it cannot be opened by name */
	if (copy >= 0)
		fd_set_nonblock(copy, true);
	return copy;
}

struct tty *
tty_new(struct loop *l, const struct tty_ops *ops, void *arg, struct err *e)
{
	struct tty *t;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		err_set(e, -ENOTTY,
			"standard %s: is not a terminal; use the commands instead (sandesk help)",
			isatty(STDIN_FILENO) ? "output" : "input");
		return NULL;
	}
	t = mem_new(struct tty);
	t->loop = l;
	t->ops = ops;
	t->arg = arg;
	t->in = reopen(STDIN_FILENO, O_RDONLY);
	t->out = reopen(STDOUT_FILENO, O_WRONLY);
	if (t->in < 0 || t->out < 0 || tcgetattr(t->in, &t->saved) < 0) {
		err_errno(e, -errno, "open the terminal");
		tty_free(t);
		return NULL;
	}
	return t;
}

void
tty_free(struct tty *t)
{
	if (!t)
		return;
	tty_stop(t, NULL);
	fd_close(t->in);
	fd_close(t->out);
	buf_fini(&t->queue);
	mem_free(t);
}

int
tty_start(struct tty *t, const char *rescue, struct err *e)
{
	struct termios raw = t->saved;

	cfmakeraw(&raw);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(t->in, TCSANOW, &raw) < 0)
		return err_errno(e, -errno, "put the terminal into raw mode");
	t->crash = crash_new(t->out, rescue, &t->saved);
	t->is_started = true;
	t->reader = loop_fd_new(t->loop, t->in, LOOP_READ, tty_readable, t);
	t->writer = loop_fd_new(t->loop, t->out, 0, tty_writable, t);
	t->winch = loop_signal_new(t->loop, SIGWINCH, tty_winch, t);
	return 0;
}

void
tty_set_rescue(struct tty *t, const char *rescue)
{
	if (!t->crash)
		return;
	t->crash->len = 0; /* a signal in between writes nothing rather than too much */
	t->crash->bytes = rescue;
	t->crash->len = strlen(rescue);
}

void
tty_stop(struct tty *t, const struct buf *last)
{
	int64_t until = clock_ms() + STOP_MS;

	if (!t->is_started)
		return;
	if (last)
		buf_add(&t->queue, last->data, last->len);
	while (push(t) && t->queue.len && clock_ms() < until)
		poll(&(struct pollfd){ .fd = t->out, .events = POLLOUT }, 1, STOP_MS / 10);
	loop_fd_free(t->reader);
	loop_fd_free(t->writer);
	loop_signal_free(t->winch);
	t->is_started = false;
	tcsetattr(t->in, TCSANOW, &t->saved);
	crash_free(t->crash);
	t->crash = NULL;
}

struct size
tty_size(const struct tty *t)
{
	struct winsize ws = { 0 };

	if (ioctl(t->out, TIOCGWINSZ, &ws) < 0 || !ws.ws_row || !ws.ws_col)
		return (struct size){ 24, 80 };
	return size_clamp(ws.ws_row, ws.ws_col);
}

void
tty_cell_pixels(const struct tty *t, unsigned *ret_width, unsigned *ret_height)
{
	struct winsize ws = { 0 };

	*ret_width = *ret_height = 0;
	if (ioctl(t->out, TIOCGWINSZ, &ws) < 0 || !ws.ws_row || !ws.ws_col)
		return;
	*ret_width = ws.ws_xpixel / ws.ws_col;
	*ret_height = ws.ws_ypixel / ws.ws_row;
}

void
tty_write(struct tty *t, const struct buf *bytes)
{
	buf_add(&t->queue, bytes->data, bytes->len);
	if (t->queue.len && push(t) && !t->queue.len)
		return;
	if (t->queue.len)
		loop_fd_set(t->writer, LOOP_WRITE);
}

bool
tty_is_busy(const struct tty *t)
{
	return t->queue.len > 0;
}
