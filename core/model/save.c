#include "model/save.h"

#include "model/daemon.h"
#include "model/life.h"
#include "sandesk/base/err.h"
#include "sandesk/base/log.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/loop.h"
#include "store/catalog.h"
#include "store/db.h"

static int
load_desktop(const struct catalog_desktop *row, void *arg)
{
	struct daemon *d = arg;
	struct desktop *desktop = registry_add_desktop(&d->registry, row->id, row->name, row->dir);

	desktop->created = row->created;
	buf_add(&desktop->policy, row->policy.data, row->policy.len);
	return 0;
}

static int
load_session(const struct catalog_session *row, void *arg)
{
	struct daemon *d = arg;
	struct desktop *desktop = registry_desktop_by_id(&d->registry, row->desktop_id);
	struct session *s;

	if (!desktop)
		return 0; /* the schema forbids it; a repaired file may have it */
	s = registry_add_session(&d->registry, row->id, desktop, row->name);
	s->has_pty = row->has_pty;
	buf_add(&s->command, row->command.data, row->command.len);
	buf_add(&s->env_names, row->env_names.data, row->env_names.len);
	buf_add(&s->budgets, row->budgets.data, row->budgets.len);
	buf_add(&s->policy, row->policy.data, row->policy.len);
	s->cwd = str_dup(row->cwd);
	s->status = row->status;
	s->reason = str_dup(row->reason);
	s->exit_code = row->exit_code;
	s->exit_signal = row->exit_signal;
	s->started = row->started;
	s->ended = row->ended;
	s->size = row->size;
	s->usage = (struct session_usage){ .cpu_us = row->cpu_us,
		.memory_peak = row->memory_peak,
		.written = row->written,
		.is_known = row->memory_peak > 0 };
	s->is_stored = true;
	return 0;
}

int
save_load(struct daemon *d, struct err *e)
{
	int rc = catalog_each_desktop(d->db, load_desktop, d, e);

	if (!rc)
		rc = catalog_each_session(d->db, load_session, d, e);
	return rc;
}

void
save_mark(struct daemon *d, struct session *s, bool is_waited_for)
{
	s->is_unsaved = true;
	if (is_waited_for)
		loop_task_queue(d->save);
	else if (!loop_timer_is_running(d->save_soon))
		loop_timer_start(d->save_soon, SAVE_MS);
}

static int
put_session(struct daemon *d, const struct session *s, struct err *e)
{
	struct catalog_session row = {
		.id = s->id,
		.desktop_id = s->desktop->id,
		.name = s->name,
		.has_pty = s->has_pty,
		.command = span_of(&s->command),
		.env_names = span_of(&s->env_names),
		.cwd = s->cwd,
		.status = s->status,
		.reason = s->reason,
		.exit_code = s->exit_code,
		.exit_signal = s->exit_signal,
		.started = s->started,
		.ended = s->ended,
		.size = s->size,
		.cpu_us = s->usage.cpu_us,
		.memory_peak = s->usage.memory_peak,
		.written = s->usage.written,
		.budgets = span_of(&s->budgets),
		.policy = span_of(&s->policy),
	};

	return catalog_put_session(d->db, &row, e);
}

static int
put_marked(struct daemon *d, struct err *e)
{
	int rc = db_begin(d->db, e);

	if (rc < 0)
		return rc;
	for (size_t i = 0; !rc && i < d->registry.nsessions; i++)
		if (d->registry.sessions[i]->is_unsaved)
			rc = put_session(d, d->registry.sessions[i], e);
	if (!rc)
		return db_commit(d->db, e);
	db_rollback(d->db);
	return rc;
}

/* A session that could not be written stays marked: the next change tries again. */
static void
tell_sessions(struct daemon *d, const struct err *e)
{
	for (size_t i = 0; i < d->registry.nsessions;) {
		struct session *s = d->registry.sessions[i];

		if (s->is_unsaved) {
			s->is_unsaved = e != NULL;
			s->is_stored |= !e;
			life_saved(d, s, e);
		}
		if (i < d->registry.nsessions && d->registry.sessions[i] == s)
			i++; /* it may have been forgotten */
	}
}

void
save_run(void *daemon)
{
	struct daemon *d = daemon;
	struct err e = { 0 };
	bool any = false;
	int rc;

	loop_timer_stop(d->save_soon);
	for (size_t i = 0; i < d->registry.nsessions && !any; i++)
		any = d->registry.sessions[i]->is_unsaved;
	if (!any || !d->db)
		return;
	rc = put_marked(d, &e);
	if (rc < 0)
		log_warn(d->log, "sessions are not recorded: %s", e.msg);
	tell_sessions(d, rc < 0 ? &e : NULL);
}
