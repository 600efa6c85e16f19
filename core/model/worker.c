#include "model/worker.h"

#include <errno.h>
#include <sys/socket.h>

#include "model/daemon.h"
#include "model/spawn.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/conn.h"
#include "sandesk/messages.h"

struct worker {
	struct worker *next;
	struct daemon *daemon;
	struct conn *conn;
	pid_t pid;     /* 0 when reaped */
	worker_fn *fn; /* NULL when called */
	void *arg;
};

static void
worker_tell(struct worker *w, const struct err *e)
{
	worker_fn *fn = w->fn;

	w->fn = NULL;
	if (fn)
		fn(e, w->arg);
}

static void
worker_free(struct worker *w)
{
	struct worker **at = &w->daemon->workers;

	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
	conn_free(w->conn);
	mem_free(w);
}

static void
on_message(struct conn *c, const struct msg *m, void *arg)
{
	struct worker *w = arg;
	struct err e = { 0 };

	(void)c;
	if (m->type != MSG_result)
		return; /* progress: nobody asked to see it */
	if (m->result.code)
		err_set(&e, -(int)(m->result.code & 0xfff), "%s", m->result.text);
	worker_tell(w, m->result.code ? &e : NULL);
}

static void
on_closed(struct conn *c, const char *why, void *arg)
{
	struct worker *w = arg;
	struct err e = { 0 };

	(void)c;
	err_set(&e, -EPIPE, "worker: ended before its job was done (%s); see daemon.log", why);
	worker_tell(w, &e);
	conn_free(w->conn);
	w->conn = NULL;
	if (!w->pid)
		worker_free(w);
}

static const struct conn_ops worker_conn_ops = { .message = on_message, .closed = on_closed };

int
worker_start(struct daemon *d, const char *kind, const char *path, worker_fn *fn, void *arg,
	struct err *e)
{
	struct worker *w;
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return err_errno(e, -errno, "worker: no socket for it");
	pid = spawn_program(d, "sandesk-worker", &ends[1], 1, e);
	fd_close(ends[1]);
	if (pid < 0) {
		fd_close(ends[0]);
		return pid;
	}
	w = mem_new(struct worker);
	*w = (struct worker){ .next = d->workers, .daemon = d, .pid = pid, .fn = fn, .arg = arg };
	d->workers = w;
	w->conn = conn_new(d->loop, ends[0], &worker_conn_ops, w);
	conn_send(w->conn, &(struct msg){ .type = MSG_job, .job = { .kind = kind, .path = path } });
	return 0;
}

bool
worker_reaped(struct daemon *d, pid_t pid)
{
	for (struct worker *w = d->workers; w; w = w->next) {
		if (w->pid != pid)
			continue;
		w->pid = 0;
		if (!w->conn)
			worker_free(w);
		return true;
	}
	return false;
}

void
worker_free_all(struct daemon *d)
{
	struct err e = { 0 };

	err_set(&e, -ECANCELED, "the daemon stopped");
	while (d->workers) {
		worker_tell(d->workers, &e);
		worker_free(d->workers);
	}
}
