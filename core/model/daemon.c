#include "model/daemon.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/adopt.h"
#include "model/keeper.h"
#include "model/life.h"
#include "model/save.h"
#include "model/worker.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/err.h"
#include "sandesk/base/log.h"
#include "sandesk/base/mem.h"
#include "sandesk/loop.h"
#include "sandesk/paths.h"
#include "store/db.h"

static void
on_child(void *arg)
{
	struct daemon *d = arg;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (!keeper_reaped(d, pid, status) && !spare_reaped(d, pid))
			(void)worker_reaped(d, pid);
}

struct daemon *
daemon_new(struct loop *l, const struct paths *p, struct log *log)
{
	struct daemon *d = mem_new(struct daemon);

	d->loop = l;
	d->paths = p;
	d->log = log;
	d->umask = 022;
	d->started = clock_wall();
	d->pump = loop_task_new(l, life_pump, d);
	d->save = loop_task_new(l, save_run, d);
	d->save_soon = loop_timer_new(l, save_run, d);
	d->child = loop_signal_new(l, SIGCHLD, on_child, d);
	groups_init(d);
	spare_init(d);
	return d;
}

/* Whoever waits gets an answer first, as long as everything it may look at is still there. */
static void
fail_all(struct daemon *d)
{
	wait_fire(&d->ready);
	for (size_t i = 0; i < d->registry.nsessions; i++)
		life_abandon(d, d->registry.sessions[i]);
	worker_free_all(d);
	while (d->keepers) {
		if (d->keepers->session)
			d->keepers->session->keeper = NULL;
		keeper_free(d->keepers);
	}
	for (size_t i = 0; i < d->registry.nsessions; i++)
		wait_fire(&d->registry.sessions[i]->gone);
}

void
daemon_free(struct daemon *d)
{
	if (!d)
		return;
	d->is_stopping = true;
	fail_all(d);
	registry_fini(&d->registry);
	db_close(d->db);
	loop_timer_free(d->adopt_deadline);
	loop_task_free(d->pump);
	loop_task_free(d->save);
	loop_timer_free(d->save_soon);
	spare_fini(d);
	groups_fini(d);
	loop_signal_free(d->child);
	buf_fini(&d->notices);
	mem_free(d->queue);
	mem_free(d);
}

/* The registry as the catalog has it; empty again when that fails. */
static int
load_catalog(struct daemon *d, const char *path, struct err *e)
{
	int rc = db_open(&d->db, path, e);

	if (rc < 0)
		return rc;
	rc = save_load(d, e);
	if (rc < 0) {
		db_drop(&d->db);
		registry_fini(&d->registry);
	}
	return rc;
}

int
daemon_prepare(struct daemon *d, struct err *e)
{
	char path[PATH_MAX + 16];
	int rc;

	if (d->is_stopping)
		return err_set(e, -ESHUTDOWN, "the daemon: is stopping; try again");
	if (d->db)
		return 0;
	snprintf(path, sizeof path, "%s/catalog.db", d->paths->state);
	rc = load_catalog(d, path, e);
	if (rc == -EUCLEAN) {
		rc = db_set_aside(path, &d->notices, e);
		if (!rc)
			rc = load_catalog(d, path, e);
	}
	if (rc < 0)
		return rc;
	if (d->notices.len)
		log_warn(d->log, "%s", d->notices.data);
	log_info(d->log, "catalog %s: %zu Desktops, %zu sessions", path, d->registry.ndesktops,
		d->registry.nsessions);
	registry_clean(&d->registry);
	adopt_begin(d);
	spare_want(d);
	return 0;
}

void
daemon_when_ready(struct daemon *d, wait_fn *fn, void *arg)
{
	if (d->is_ready || d->is_stopping)
		fn(arg);
	else
		wait_add(&d->ready, fn, arg);
}

void
daemon_stop(struct daemon *d)
{
	if (d->is_stopping)
		return;
	log_info(d->log, "stopping");
	save_run(d);
	d->is_stopping = true;
	db_drop(&d->db); /* before the lock is let go: the next daemon opens the file at once */
	if (d->stopped)
		d->stopped(d->stopped_arg);
}
