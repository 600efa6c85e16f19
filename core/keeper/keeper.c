#include "keeper/keeper.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "keeper/find.h"
#include "keeper/recorder.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/conn.h"
#include "sandesk/loop.h"
#include "term/pick.h"

static struct msg
state_msg(const struct keeper *k)
{
	uint64_t attached = 0;

	for (const struct viewer *v = k->viewers; v; v = v->next)
		attached += v->is_attached;
	return (struct msg){ .type = MSG_state,
		.state = {
			.session = k->session,
			.desktop = k->desktop,
			.desktop_id = k->desktop_id,
			.name = k->name,
			.dir = k->dir,
			.cwd = k->cwd,
			.status = k->verdict.status,
			.need = k->verdict.need,
			.why = k->verdict.why,
			.pid = (uint64_t)k->jail.pid,
			.keeper_pid = (uint64_t)getpid(),
			.exit_code = (uint64_t)k->exit_code,
			.exit_signal = (uint64_t)k->exit_signal,
			.reason = k->reason,
			.started_us = k->started_us,
			.ended_us = k->ended_us,
			.output_us = k->output_us,
			.bells = k->bells,
			.rows = k->size.rows,
			.cols = k->size.cols,
			.argv = span_of(&k->argv),
			.env_names = span_of(&k->env_names),
			.has_pty = k->has_pty,
			.title = k->term ? term_title(k->term) : "",
			.notices = k->tell.notices,
			.notice = k->tell.notices ? k->tell.told : "",
			.clients = attached,
			.cpu_us = k->jail.usage.cpu_us,
			.memory = status_is_over(k->status) ? 0 : k->jail.usage.memory,
			.memory_peak = k->jail.usage.memory_peak,
			.processes = status_is_over(k->status) ? 0 : k->jail.usage.processes,
			.written = k->jail.usage.written,
			.limits = k->limits.text,
			.walls_missing = k->walls_missing,
		} };
}

static void
decide(struct keeper *k, struct status_verdict *ret)
{
	k->facts.is_over = status_is_over(k->status);
	k->facts.ended = k->status;
	k->facts.is_starting = k->status == STATUS_STARTING;
	k->facts.is_paused = k->is_paused && !k->facts.is_over;
	status_decide(&k->facts, ret);
}

void
keeper_decide(struct keeper *k)
{
	struct status_verdict v;

	decide(k, &v);
	if (v.status != k->verdict.status || v.need != k->verdict.need ||
		strcmp(v.why, k->verdict.why) != 0)
		keeper_touch_state(k);
}

void
keeper_send_state(struct keeper *k, struct viewer *v)
{
	struct msg m;

	decide(k, &k->verdict);
	m = state_msg(k);
	conn_send(v->conn, &m);
}

static void
send_state_to_all(struct keeper *k)
{
	struct msg m;

	decide(k, &k->verdict);
	m = state_msg(k);
	k->state_is_dirty = false;
	loop_timer_stop(k->state_timer);
	for (struct viewer *v = k->viewers; v; v = v->next)
		conn_send(v->conn, &m);
}

void
keeper_tell_state(struct keeper *k)
{
	k->state_is_dirty = true;
}

static void
on_state_timer(void *arg)
{
	keeper_tell_state(arg);
}

void
keeper_touch_state(struct keeper *k)
{
	if (!loop_timer_is_running(k->state_timer))
		loop_timer_start(k->state_timer, KEEPER_STATE_MS);
}

void
keeper_set_size(struct keeper *k, struct size size)
{
	if (!k->term || size_equal(size, k->size))
		return;
	k->size = size;
	term_resize(k->term, size);
	recorder_resized(k);
	if (k->pty.fd >= 0)
		pty_resize(&k->pty, size);
	keeper_tell_state(k);
}

static void
on_leave_timer(void *arg)
{
	struct keeper *k = arg;

	loop_stop(k->loop);
}

/* A command line of some 100 KiB makes a state that no socket takes at once. */
static void
leave_if_heard(struct keeper *k)
{
	for (const struct viewer *v = k->viewers; v; v = v->next)
		if (conn_is_open(v->conn) && conn_queued(v->conn))
			return;
	loop_stop(k->loop);
}

void
keeper_leave(struct keeper *k)
{
	k->is_leaving = true;
	loop_timer_start(k->leave_timer, KEEPER_LEAVE_MS);
	leave_if_heard(k);
}

static bool
holds_frames(struct keeper *k)
{
	if (!term_modes(k->term)->synchronized) {
		k->sync_is_over = false;
		loop_timer_stop(k->sync_timer);
		return false;
	}
	if (!k->sync_is_over && !loop_timer_is_running(k->sync_timer))
		loop_timer_start(k->sync_timer, KEEPER_SYNC_MS);
	return !k->sync_is_over;
}

static void
on_sync_timer(void *arg)
{
	struct keeper *k = arg;

	k->sync_is_over = true;
}

static void
send_places(struct keeper *k, struct viewer *v)
{
	struct msg m = { .type = MSG_places };

	buf_reset(&k->frame);
	term_places(&v->view, k->term, &k->frame);
	m.places.rows = span_of(&k->frame);
	m.places.first = term_first_line(k->term);
	m.places.next = term_next_line(k->term);
	conn_send(v->conn, &m);
}

static void
send_frame(struct keeper *k, struct viewer *v)
{
	struct msg m = { .type = MSG_frame };

	if (!v->is_attached || v->has_unacked || !frame_pending(&v->view, k->term))
		return;
	if (v->view.is_held)
		send_places(k, v);
	buf_reset(&k->frame);
	if (frame_encode(&v->view, k->term, &k->frame) < 0)
		return;
	m.frame.seq = ++v->seq;
	m.frame.body = span_of(&k->frame);
	v->has_unacked = true;
	conn_send(v->conn, &m);
}

static void
on_turn(void *arg)
{
	struct keeper *k = arg;

	if (k->term) {
		stream_turn(k);
		tell_turn(k);
		keeper_decide(k);
		waiter_turn(k);
		if (!holds_frames(k))
			for (struct viewer *v = k->viewers; v; v = v->next)
				send_frame(k, v);
	}
	if (k->state_is_dirty)
		send_state_to_all(k);
}

struct keeper *
keeper_new(struct loop *l, const struct paths *p)
{
	struct keeper *k = mem_new(struct keeper);

	k->loop = l;
	k->paths = *p;
	k->log.fd = -1;
	k->pty.fd = k->slave_fd = -1;
	k->listen_fd = -1;
	k->group = (struct cgroup){ .freeze = -1, .events = -1 };
	k->input.limit = KEEPER_INPUT_BYTES;
	k->frame.limit = FRAME_BYTES / 2;
	k->turn = loop_hook_new(l, on_turn, k);
	k->state_timer = loop_timer_new(l, on_state_timer, k);
	k->sync_timer = loop_timer_new(l, on_sync_timer, k);
	k->leave_timer = loop_timer_new(l, on_leave_timer, k);
	tell_init(k);
	status_init(&k->facts);
	limits_init(k);
	return k;
}

static void
free_texts(struct keeper *k)
{
	mem_free(k->session);
	mem_free(k->desktop);
	mem_free(k->desktop_id);
	mem_free(k->name);
	mem_free(k->dir);
	mem_free(k->cwd);
	buf_fini(&k->argv);
	buf_fini(&k->env_names);
}

void
keeper_free(struct keeper *k)
{
	if (!k)
		return;
	loop_fd_free(k->listen_watch);
	if (k->listen_fd >= 0)
		unlink(k->socket_path); /* behind walls the daemon does it, when it hears of the end */
	fd_close(k->listen_fd);
	while (k->viewers)
		keeper_remove_viewer(k->viewers);
	stream_close(k);
	limits_fini(k);
	loop_fd_free(k->end_watch);
	loop_timer_free(k->grace);
	(void)cgroup_freeze(&k->group, false);
	jail_fini(&k->jail);
	cgroup_fini(&k->group);
	loop_timer_free(k->state_timer);
	loop_timer_free(k->sync_timer);
	loop_timer_free(k->leave_timer);
	tell_fini(k);
	loop_hook_free(k->turn);
	term_free(k->term);
	buf_fini(&k->input);
	buf_fini(&k->frame);
	free_texts(k);
	log_close(&k->log);
	mem_free(k);
}

static void
on_message(struct conn *c, const struct msg *m, void *arg)
{
	(void)c;
	act_on(arg, m);
}

static void
on_closed(struct conn *c, const char *why, void *arg)
{
	struct viewer *v = arg;
	struct keeper *k = v->keeper;
	bool is_owner = v->is_owner;

	(void)c;
	(void)why;
	keeper_remove_viewer(v);
	if (is_owner || !k->is_started) /* an exec without its caller, or a start that never came */
		run_quit(k);
	else if (k->is_leaving)
		leave_if_heard(k);
}

static void
on_drained(struct conn *c, void *arg)
{
	struct viewer *v = arg;

	(void)c;
	if (v->keeper->is_leaving)
		leave_if_heard(v->keeper);
}

static const struct conn_ops viewer_ops = {
	.message = on_message, .closed = on_closed, .drained = on_drained
};

struct viewer *
keeper_add_viewer(struct keeper *k, int fd)
{
	struct viewer *v = mem_new(struct viewer);
	struct msg hello = { .type = MSG_hello,
		.hello = { .version = PROTOCOL_VERSION,
			.program = "sandesk-keeper",
			.pid = (uint64_t)getpid() } };

	v->keeper = k;
	frame_view_init(&v->view);
	v->conn = conn_new(k->loop, fd, &viewer_ops, v);
	v->next = k->viewers;
	k->viewers = v;
	k->nviewers++;
	conn_send(v->conn, &hello);
	if (k->is_started)
		keeper_send_state(k, v);
	return v;
}

void
keeper_remove_viewer(struct viewer *v)
{
	struct keeper *k = v->keeper;
	struct viewer **at = &k->viewers;

	while (*at != v)
		at = &(*at)->next;
	*at = v->next;
	k->nviewers--;
	waiter_forget_viewer(v);
	find_forget_viewer(v);
	run_forget_viewer(k, v);
	limits_forget_viewer(k, v);
	frame_view_fini(&v->view);
	conn_free(v->conn);
	if (v->is_attached)
		keeper_tell_state(k);
	mem_free(v);
}

static void
on_connect(int fd, int events, void *arg)
{
	struct keeper *k = arg;
	struct err e = { 0 };
	int peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)events;
	if (peer < 0)
		return;
	if (k->nviewers >= KEEPER_VIEWERS_MAX)
		err_set(&e, -EMFILE, "has %d clients already", KEEPER_VIEWERS_MAX);
	else if (peer_check_at(peer, &k->home, &e) == 0) {
		keeper_add_viewer(k, peer);
		return;
	}
	log_warn(&k->log, "session %s: a client is refused: %s", k->session, e.msg);
	fd_close(peer);
}

int
keeper_listen(struct keeper *k, struct err *e)
{
	int fd = peer_home(&k->home);

	if (fd < 0)
		return err_errno(e, fd, "own user namespace");
	snprintf(k->socket_path, sizeof k->socket_path, "%s/keepers/%s.sock", k->paths.runtime,
		k->session);
	fd = socket_listen(k->socket_path, e);
	if (fd < 0)
		return fd;
	fd_set_nonblock(fd, true);
	k->listen_fd = fd;
	k->listen_watch = loop_fd_new(k->loop, fd, LOOP_READ, on_connect, k);
	return 0;
}
