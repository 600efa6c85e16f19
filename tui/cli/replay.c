#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "cli/cast.h"
#include "cli/cli.h"
#include "cli/out.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/replay.h"

enum { FRAME_MS = 16 }; /* drawn at most this often */

struct player {
	struct cast_reader reader;
	struct replay *replay;
	double speed;
	bool has_screen, has_keys; /* standard output and input are terminals */
	struct termios keys_before;
	int signals;
	int64_t start;
	bool is_stopped;
};

static struct size
outer_size(void)
{
	struct winsize ws;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) < 0 || !ws.ws_row || !ws.ws_col)
		return size_clamp(24, 80);
	return size_clamp(ws.ws_row, ws.ws_col);
}

static int
draw(struct player *p, struct err *e)
{
	AUTO(buf) struct buf out = { 0 };
	int rc;

	if (!p->has_screen)
		return 0;
	replay_draw(p->replay, outer_size(), &out);
	rc = fd_write_all(STDOUT_FILENO, out.data, out.len);
	return rc < 0 ? err_errno(e, rc, "standard output") : 0;
}

/* Waits until a moment of the recording, or until a person has seen enough. */
static void
wait_until(struct player *p, int64_t when)
{
	struct pollfd fds[] = { { .fd = p->signals, .events = POLLIN },
		{ .fd = p->has_keys ? STDIN_FILENO : -1, .events = POLLIN } };
	int64_t left;
	char key;

	while (!p->is_stopped && (left = when - clock_ms()) > 0) {
		if (poll(fds, ARRAY_LEN(fds), left > 3600000 ? 3600000 : (int)left) <= 0)
			continue;
		if (fds[0].revents)
			p->is_stopped = true;
		if (fds[1].revents && (read(STDIN_FILENO, &key, 1) < 1 || key == 'q'))
			p->is_stopped = true;
	}
}

static int
play(struct player *p, struct err *e)
{
	struct cast_event event = { 0 };
	int64_t drawn = 0;
	int rc = 1;

	p->start = clock_ms();
	while (!p->is_stopped && (rc = cast_read(&p->reader, &event, e)) > 0) {
		double ms = event.seconds * 1000 / p->speed;
		int64_t when = p->start + (int64_t)(ms > 0 && ms < 1e12 ? ms : 0);

		if (p->has_screen && when > clock_ms() + FRAME_MS) {
			rc = draw(p, e);
			if (rc < 0)
				break;
			drawn = clock_ms();
			wait_until(p, when);
		}
		if (event.kind == CAST_OUTPUT)
			replay_feed(p->replay, event.text.data ? event.text.data : "",
				event.text.len);
		else if (event.kind == CAST_RESIZE)
			replay_resize(p->replay, event.size);
		if (clock_ms() - drawn < FRAME_MS)
			continue;
		rc = draw(p, e);
		if (rc < 0)
			break;
		drawn = clock_ms();
	}
	buf_fini(&event.text);
	return rc < 0 ? rc : draw(p, e);
}

static void
screen_begin(struct player *p)
{
	static const char enter[] = "\033[?1049h\033[?7l";
	struct termios raw;
	sigset_t set;

	if (!p->has_screen)
		return;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	p->signals = signalfd(-1, &set, SFD_CLOEXEC);
	p->has_keys = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &p->keys_before) == 0;
	if (p->has_keys) {
		raw = p->keys_before;
		raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO); /* Ctrl-C stays a signal */
		tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	}
	fd_write_all(STDOUT_FILENO, enter, sizeof enter - 1);
}

/* A terminal gets back what it was; a file or a pipe gets the last screen as text. */
static int
screen_end(struct player *p)
{
	static const char leave[] = "\033[m\033[?7h\033[?25h\033[?1049l";
	AUTO(buf) struct buf text = { 0 };

	if (!p->has_screen) {
		replay_text(p->replay, &text);
		return out_write(&text);
	}
	if (p->has_keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &p->keys_before);
	fd_close(p->signals);
	return fd_write_all(STDOUT_FILENO, leave, sizeof leave - 1) < 0 ? EXIT_FAILED : 0;
}

static int
speed_of(const json_t *args, double *ret, struct err *e)
{
	const char *text = json_string_value(json_object_get(args, "speed"));
	char *end;

	*ret = text ? strtod(text, &end) : 1;
	if (text && (*end || end == text || !(*ret >= 0.01 && *ret <= 1000)))
		return err_set(e, -EINVAL,
			"session replay: --speed: \"%.20s\" is no speed; give a number from 0.01 "
			"to 1000",
			text);
	return 0;
}

int
cli_session_replay(struct cli_call *call)
{
	const char *path = json_string_value(json_object_get(call->args, "file"));
	struct player p = { .has_screen = isatty(STDOUT_FILENO), .signals = -1 };
	AUTO(fd) int fd = -1;
	struct size size;
	struct err e = { 0 };
	int rc = speed_of(call->args, &p.speed, &e), status;

	if (rc < 0) {
		out_error(e.msg);
		return EXIT_USAGE;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	p.reader.fd = fd;
	rc = fd < 0 ? err_errno(&e, -errno, "open it") : cast_read_header(&p.reader, &size, &e);
	if (rc == 0) {
		p.replay = replay_new(size);
		screen_begin(&p);
		rc = play(&p, &e);
		status = screen_end(&p);
		rc = rc == 0 && status ? -EIO : rc;
	}
	replay_free(p.replay);
	cast_reader_fini(&p.reader);
	if (rc < 0 && e.msg[0]) {
		err_wrap(&e, "session replay: %.200s", path);
		out_error(e.msg);
	}
	return rc < 0 ? EXIT_FAILED : 0;
}
