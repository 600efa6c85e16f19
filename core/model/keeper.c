#include "model/keeper.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "model/adopt.h"
#include "model/daemon.h"
#include "model/life.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/log.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/conn.h"
#include "sandesk/loop.h"
#include "sandesk/messages.h"
#include "sandesk/paths.h"

enum { REAP_MS = 2000 };

struct keeper_request {
	struct keeper_request *next;
	uint64_t number;
	keeper_reply_fn *fn;
	void *arg;
};

uint64_t
keeper_expect(struct keeper_link *k, keeper_reply_fn *fn, void *arg)
{
	struct keeper_request *r = mem_new(struct keeper_request);

	*r = (struct keeper_request){
		.next = k->requests, .number = ++k->last_request, .fn = fn, .arg = arg
	};
	k->requests = r;
	return r->number;
}

static struct keeper_request *
request_take(struct keeper_link *k, uint64_t number)
{
	for (struct keeper_request **at = &k->requests; *at; at = &(*at)->next) {
		struct keeper_request *r = *at;

		if (r->number != number)
			continue;
		*at = r->next;
		return r;
	}
	return NULL;
}

void
keeper_cancel(struct keeper_link *k, void *arg)
{
	for (struct keeper_request **at = &k->requests; *at; at = &(*at)->next) {
		struct keeper_request *r = *at;

		if (r->arg != arg)
			continue;
		*at = r->next;
		keeper_send(k, &(struct msg){ .type = MSG_cancel, .cancel.request = r->number });
		mem_free(r);
		return;
	}
}

static void
answer(struct keeper_link *k, uint64_t number, const struct msg *m, const struct err *e)
{
	struct keeper_request *r = request_take(k, number);

	if (!r)
		return;
	r->fn(m, e, r->arg);
	mem_free(r);
}

static void
fail_requests(struct keeper_link *k, const struct err *e)
{
	while (k->requests)
		answer(k, k->requests->number, NULL, e);
}

void
keeper_send(struct keeper_link *k, const struct msg *m)
{
	if (k->conn)
		conn_send(k->conn, m);
}

int
keeper_send_fds(struct keeper_link *k, const struct msg *m, const int *fds, size_t nfds)
{
	return k->conn ? conn_send_fds(k->conn, m, fds, nfds) : -EPIPE;
}

static void
answer_error(struct keeper_link *k, const struct msg_error *m)
{
	struct err e = { 0 };

	err_set(&e, m->code > 0 && m->code < 4096 ? -(int)m->code : -EIO, "%s", m->text);
	answer(k, m->request, NULL, &e);
}

static void
on_message(struct conn *c, const struct msg *m, void *arg)
{
	struct keeper_link *k = arg;

	(void)c;
	switch ((int)m->type) {
	case MSG_hello:
		if (m->hello.version != PROTOCOL_VERSION)
			log_info(k->daemon->log, "keeper %s: speaks protocol %u", k->id,
				(unsigned)m->hello.version);
		return;
	case MSG_state:
		life_state(k, &m->state);
		return;
	case MSG_done:
		answer(k, m->done.request, m, NULL);
		return;
	case MSG_captured:
		answer(k, m->captured.request, m, NULL);
		return;
	case MSG_waited:
		answer(k, m->waited.request, m, NULL);
		return;
	case MSG_error:
		answer_error(k, &m->error);
		return;
	default: /* of a newer keeper */
		return;
	}
}

static void
keeper_unlink(struct keeper_link *k)
{
	struct keeper_link **at = &k->daemon->keepers;

	while (*at != k)
		at = &(*at)->next;
	*at = k->next;
}

void
keeper_free(struct keeper_link *k)
{
	struct err e = { 0 };

	err_set(&e, -EPIPE, "the session's keeper is gone; see daemon.log");
	fail_requests(k, &e);
	keeper_unlink(k);
	conn_free(k->conn);
	loop_timer_free(k->deadline);
	mem_free(k);
}

void
keeper_unlink_socket(const struct daemon *d, const char *id)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof path, "%s/keepers/%s.sock", d->paths->runtime, id);
	(void)unlink(path);
}

/* A keeper behind its walls cannot remove its socket's name itself. One that only left us still
 * answers there. */
static void
unlink_dead_socket(const struct daemon *d, const char *id)
{
	char path[PATH_MAX + 64];
	int fd;

	snprintf(path, sizeof path, "%s/keepers/%s.sock", d->paths->runtime, id);
	fd = socket_connect(path, NULL);
	if (fd == -ECONNREFUSED)
		(void)unlink(path);
	fd_close(fd);
}

/* Everything that it said was read, and how it ended is known as far as it can be. */
static void
keeper_end(struct keeper_link *k)
{
	if (k->is_told)
		return;
	k->is_told = true;
	if (k->is_reaped)
		keeper_unlink_socket(k->daemon, k->id);
	else
		unlink_dead_socket(k->daemon, k->id);
	life_keeper_gone(k);
	adopt_heard(k);
	groups_clean(k->daemon);
	keeper_free(k);
}

static void
on_closed(struct conn *c, const char *why, void *arg)
{
	struct keeper_link *k = arg;

	(void)c;
	if (k->session && !status_is_over(k->session->status))
		log_warn(k->daemon->log, "keeper %s[%d]: connection ended: %s", k->id, (int)k->pid,
			why);
	conn_free(k->conn);
	k->conn = NULL;
	if (k->is_child && !k->is_reaped)
		keeper_set_deadline(k, REAP_MS); /* SIGCHLD says more */
	else
		keeper_end(k);
}

static const struct conn_ops keeper_conn_ops = { .message = on_message, .closed = on_closed };

struct keeper_link *
keeper_new(struct daemon *d, int fd, const char *id, struct session *s)
{
	struct keeper_link *k = mem_new(struct keeper_link);

	*k = (struct keeper_link){ .next = d->keepers, .daemon = d, .session = s };
	d->keepers = k;
	str_copy(k->id, sizeof k->id, id);
	if (s)
		s->keeper = k;
	k->conn = conn_new(d->loop, fd, &keeper_conn_ops, k);
	keeper_send(k, &(struct msg){ .type = MSG_hello,
			       .hello = { .version = PROTOCOL_VERSION,
				       .program = "sandesk-daemon",
				       .pid = (uint64_t)getpid() } });
	return k;
}

void
keeper_kill(struct keeper_link *k)
{
	if (k->pid > 0 && !k->is_reaped)
		kill(k->pid, SIGKILL);
}

static void
on_deadline(void *arg)
{
	struct keeper_link *k = arg;

	if (k->is_reaped || (!k->is_child && !k->conn)) {
		keeper_end(k);
		return;
	}
	log_warn(k->daemon->log, "keeper %s[%d]: did not end in time; killed", k->id, (int)k->pid);
	keeper_kill(k);
}

void
keeper_set_deadline(struct keeper_link *k, int64_t ms)
{
	if (!k->deadline)
		k->deadline = loop_timer_new(k->daemon->loop, on_deadline, k);
	loop_timer_start(k->deadline, ms);
}

void
keeper_clear_deadline(struct keeper_link *k)
{
	if (k->deadline && k->conn)
		loop_timer_stop(k->deadline);
}

bool
keeper_reaped(struct daemon *d, pid_t pid, int wait_status)
{
	struct keeper_link *k = d->keepers;

	while (k && !(k->is_child && !k->is_reaped && k->pid == pid))
		k = k->next;
	if (!k)
		return false;
	k->is_reaped = true;
	k->wait_status = wait_status;
	if (k->conn)
		keeper_set_deadline(k, REAP_MS); /* its last words may still stand in the socket */
	else
		keeper_end(k);
	return true;
}
