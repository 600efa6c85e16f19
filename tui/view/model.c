#include "view/model.h"

#include <stdlib.h>
#include <string.h>

#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

static void
session_fini(struct session *s)
{
	mem_free(s->reason);
	mem_free(s->title);
	mem_free(s->notice);
	mem_free(s->limits);
	mem_free(s->why);
}

static void
clear_sessions(struct model *m)
{
	for (size_t i = 0; i < m->sessions_n; i++)
		session_fini(&m->sessions[i]);
	m->sessions_n = 0;
}

void
model_fini(struct model *m)
{
	clear_sessions(m);
	for (size_t i = 0; i < m->desktops_n; i++)
		mem_free(m->desktops[i].dir);
	mem_free(m->sessions);
	mem_free(m->desktops);
	*m = (struct model){ 0 };
}

struct desktop *
model_desktop(const struct model *m, const char *id)
{
	for (size_t i = 0; i < m->desktops_n; i++)
		if (strcmp(m->desktops[i].id, id) == 0)
			return &m->desktops[i];
	return NULL;
}

struct session *
model_session(const struct model *m, const char *id)
{
	for (size_t i = 0; i < m->sessions_n; i++)
		if (strcmp(m->sessions[i].id, id) == 0)
			return &m->sessions[i];
	return NULL;
}

struct session *
model_nth(const struct model *m, const char *desktop_id, size_t n)
{
	for (size_t i = 0; i < m->sessions_n; i++)
		if (!m->sessions[i].is_exec && strcmp(m->sessions[i].desktop_id, desktop_id) == 0 &&
			n-- == 0)
			return &m->sessions[i];
	return NULL;
}

static const char *
text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static int
desktop_order(const void *a, const void *b)
{
	return strcmp(((const struct desktop *)a)->name, ((const struct desktop *)b)->name);
}

static int
session_order(const void *a, const void *b)
{
	return strcmp(((const struct session *)a)->id,
		((const struct session *)b)->id); /* ids begin with the time */
}

static void
put_desktop(struct model *m, const json_t *from)
{
	const char *id = text_of(from, "id");
	struct desktop *d = model_desktop(m, id);

	if (!id_is_valid(id))
		return;
	if (!d) {
		m->desktops = mem_grow(m->desktops, m->desktops_n + 1, sizeof *m->desktops);
		d = &m->desktops[m->desktops_n++];
		*d = (struct desktop){ 0 };
		str_copy(d->id, sizeof d->id, id);
	}
	str_copy(d->name, sizeof d->name, text_of(from, "name"));
	mem_free(d->dir);
	d->dir = str_dup(text_of(from, "dir"));
	qsort(m->desktops, m->desktops_n, sizeof *m->desktops, desktop_order);
}

static struct session *
add_session(struct model *m, const char *id)
{
	struct session *s;

	m->sessions = mem_grow(m->sessions, m->sessions_n + 1, sizeof *m->sessions);
	s = &m->sessions[m->sessions_n++];
	*s = (struct session){ 0 };
	str_copy(s->id, sizeof s->id, id);
	return s;
}

static void
put_session(struct model *m, const json_t *from)
{
	const char *id = text_of(from, "id");
	struct session *s = model_session(m, id);
	const json_t *exit_status = json_object_get(from, "exit_status");
	bool is_new = !s;

	if (!id_is_valid(id))
		return;
	if (!s)
		s = add_session(m, id);
	session_fini(s);
	str_copy(s->name, sizeof s->name, text_of(from, "name"));
	str_copy(s->desktop_id, sizeof s->desktop_id, text_of(from, "desktop_id"));
	status_parse(text_of(from, "status"), &s->status);
	s->is_exec = str_equal(text_of(from, "kind"), "exec");
	s->exit_status = json_is_integer(exit_status) ? (int)json_integer_value(exit_status) : -1;
	s->started = json_number_value(json_object_get(from, "started"));
	s->clients = (unsigned)json_integer_value(json_object_get(from, "clients"));
	s->reason = json_is_string(json_object_get(from, "reason"))
			    ? str_dup(text_of(from, "reason"))
			    : NULL;
	s->title = str_dup(text_of(from, "title"));
	s->why = str_dup(json_string_value(json_object_get(from, "why")));
	s->need = str_equal(text_of(from, "need"), "asks")	  ? NEEDS_ANSWER
		  : str_equal(text_of(from, "need"), "done") ? NEEDS_LOOK
								: NEEDS_NOTHING;
	s->notice = str_dup(json_string_value(json_object_get(from, "notice")));
	s->limits = str_dup(json_string_value(json_object_get(from, "limits")));
	s->walls_missing = json_array_size(json_object_get(from, "walls_missing"));
	s->notices = (uint64_t)json_integer_value(json_object_get(from, "notices"));
	if (is_new || s->notices < s->notices_seen)
		s->notices_seen = s->notices;
	if (is_new)
		qsort(m->sessions, m->sessions_n, sizeof *m->sessions, session_order);
}

static void
remove_session(struct model *m, const char *id)
{
	struct session *s = model_session(m, id);
	size_t at = (size_t)(s - m->sessions);

	if (!s)
		return;
	session_fini(s);
	memmove(s, s + 1, (--m->sessions_n - at) * sizeof *s);
}

static void
remove_desktop(struct model *m, const char *id)
{
	struct desktop *d = model_desktop(m, id);
	size_t at = (size_t)(d - m->desktops);

	if (!d)
		return;
	for (size_t i = m->sessions_n; i-- > 0;)
		if (strcmp(m->sessions[i].desktop_id, id) == 0)
			remove_session(m, m->sessions[i].id);
	mem_free(d->dir);
	memmove(d, d + 1, (--m->desktops_n - at) * sizeof *d);
}

static bool
is_listed(const json_t *list, const char *id)
{
	const json_t *o;
	size_t i;

	json_array_foreach (list, i, o)
		if (strcmp(text_of(o, "id"), id) == 0)
			return true;
	return false;
}

/* What is still there keeps what only we know of it: which Desktops are folded. */
void
model_replace(struct model *m, const json_t *everything)
{
	const json_t *desktops = json_object_get(everything, "desktops"),
		     *sessions = json_object_get(everything, "sessions"), *o;
	size_t i;

	for (i = m->desktops_n; i-- > 0;)
		if (!is_listed(desktops, m->desktops[i].id))
			remove_desktop(m, m->desktops[i].id);
	clear_sessions(m);
	json_array_foreach (desktops, i, o)
		put_desktop(m, o);
	json_array_foreach (sessions, i, o)
		put_session(m, o);
	m->is_known = true;
}

void
model_notify(struct model *m, const char *method, const json_t *params)
{
	if (strcmp(method, "desktop.changed") == 0)
		put_desktop(m, params);
	else if (strcmp(method, "session.changed") == 0)
		put_session(m, params);
	else if (strcmp(method, "desktop.removed") == 0)
		remove_desktop(m, text_of(params, "id"));
	else if (strcmp(method, "session.removed") == 0)
		remove_session(m, text_of(params, "id"));
}
