#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "keeper/keeper.h"
#include "keeper/recorder.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/fd.h"
#include "sandesk/loop.h"
#include "term/marks.h"

/* A pty gives at most 4 KiB per read (drivers/tty/tty_buffer.c, n_tty.c of Linux); the budget of one turn keeps keys and
 * viewers served in between. It is one of time, too: the same bytes cost ten times as much in one text as in another. */
enum {
	READ_BYTES = 16 << 10,
	TURN_BYTES = 256 << 10,
	TURN_US = 1000,
	LAST_US = 1000000,
	OUTPUT_TOLD_US = 1000000
};

static void
watch(struct keeper *k)
{
	bool wants = k->input.len > k->input_pos;

	if (!k->pty_watch || wants == k->wants_write)
		return;
	k->wants_write = wants;
	loop_fd_set(k->pty_watch, wants ? LOOP_READ | LOOP_WRITE : LOOP_READ);
}

static void
flush_input(struct keeper *k)
{
	while (k->pty.fd >= 0 && k->input_pos < k->input.len) {
		ssize_t n =
			write(k->pty.fd, k->input.data + k->input_pos, k->input.len - k->input_pos);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		k->input_pos += (size_t)n;
	}
	if (k->input_pos == k->input.len) {
		k->input_pos = 0;
		if (k->input.room > READ_BYTES)
			buf_fini(&k->input);
		else
			buf_reset(&k->input);
	}
	watch(k);
}

int
stream_type(struct keeper *k, const struct buf *bytes)
{
	int r;

	if (k->pty.fd < 0)
		return -ESRCH;
	r = buf_add(&k->input, bytes->data, bytes->len);
	if (r < 0) {
		k->input.is_full = false;
		return r;
	}
	k->typed_ms = loop_now(k->loop);
	limits_active(k);
	flush_input(k); /* at once: a turn of reading may lie between here and its end */
	return 0;
}

static void
note_output(struct keeper *k)
{
	uint64_t now = (uint64_t)(clock_wall() * 1e6);

	k->typed_ms = 0;
	if (now - k->output_us > OUTPUT_TOLD_US)
		keeper_touch_state(k);
	k->output_us = now;
	limits_active(k);
}

/* Feeds what the program wrote, at most `budget` bytes and about `most_us`. */
static void
read_output(struct keeper *k, size_t budget, int64_t most_us)
{
	int64_t end = clock_us() + most_us;
	char bytes[READ_BYTES];
	size_t total = 0;
	ssize_t n;
	uint64_t now = (uint64_t)(clock_wall() * 1e6);

	term_set_time(k->term, now);
	while (total < budget) {
		n = read(k->pty.fd, bytes, sizeof bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		recorder_output(k, bytes, (size_t)n, now);
		term_feed(k->term, bytes, (size_t)n);
		total += (size_t)n;
		if (clock_us() > end)
			break;
	}
	if (total)
		note_output(k);
}

static void
on_pty(int fd, int events, void *arg)
{
	struct keeper *k = arg;

	(void)fd;
	if (events & LOOP_WRITE)
		flush_input(k);
	if (events & (LOOP_READ | LOOP_HANGUP))
		read_output(k, TURN_BYTES, TURN_US);
}

void
stream_open(struct keeper *k)
{
	fd_set_nonblock(k->pty.fd, true);
	k->pty_watch = loop_fd_new(k->loop, k->pty.fd, LOOP_READ, on_pty, k);
}

void
stream_close(struct keeper *k)
{
	if (k->pty.fd < 0)
		return;
	loop_fd_free(k->pty_watch);
	k->pty_watch = NULL;
	if (k->term)
		/* the kernel held less (tty_buffer.c); somebody whom it was passed to may write on */
		read_output(k, TURN_BYTES, LAST_US);
	fd_drop(&k->slave_fd);
	pty_close(&k->pty);
	k->pty.fd = -1;
	buf_fini(&k->input);
	k->input_pos = 0;
}

static void
take_event(struct keeper *k, const struct term_event *event)
{
	status_event(&k->facts, event, (uint64_t)(clock_wall() * 1e6));
	switch (event->kind) {
	case TERM_EVENT_TITLE:
		keeper_touch_state(k);
		break;
	case TERM_EVENT_BELL:
		k->bells++;
		keeper_touch_state(k);
		break;
	case TERM_EVENT_NOTIFY:
	case TERM_EVENT_CLIPBOARD:
		tell_event(k, event);
		break;
	default:
		break; /* nobody is told of the others */
	}
}

void
stream_turn(struct keeper *k)
{
	struct buf *replies = term_replies(k->term);
	struct term_event event;
	int64_t typed = k->typed_ms;

	while (term_next_event(k->term, &event))
		take_event(k, &event);
	if (!replies->len)
		return;
	stream_type(k, replies);
	k->typed_ms = typed; /* nobody typed: the terminal answered */
	buf_reset(replies);
}
