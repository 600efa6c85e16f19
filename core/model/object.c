#include "model/object.h"

#include <string.h>

#include "sandesk/base/str.h"
#include "sandesk/messages.h"

json_t *
object_text(const char *text)
{
	AUTO(buf) struct buf safe = { 0 };
	json_t *v;

	if (!text)
		return json_null();
	v = json_string(text);
	if (v)
		return v;
	str_escape(&safe, text, strlen(text));
	return json_string(safe.data);
}

static json_t *
texts(const struct buf *list)
{
	json_t *array = json_array();
	size_t pos = 0;

	for (const char *text; (text = list_next(span_of(list), &pos));)
		json_array_append_new(array, object_text(text));
	return array;
}

static json_t *
words(const char *text)
{
	json_t *array = json_array();

	for (size_t n; text && *text; text += n + (text[n] == ' ')) {
		n = strcspn(text, " ");
		json_array_append_new(array, json_stringn(text, n));
	}
	return array;
}

static json_t *
number_or_null(bool is_known, json_int_t n)
{
	return is_known ? json_integer(n) : json_null();
}

static json_t *
time_or_null(double t)
{
	return t > 0 ? json_real(t) : json_null();
}

json_t *
object_desktop(const struct registry *r, const struct desktop *d)
{
	json_t *o = json_object();

	json_object_set_new(o, "id", json_string(d->id));
	json_object_set_new(o, "name", json_string(d->name));
	json_object_set_new(o, "dir", object_text(d->dir));
	json_object_set_new(o, "created", json_real(d->created));
	json_object_set_new(
		o, "sessions", json_integer((json_int_t)registry_count_sessions(r, d, false)));
	json_object_set_new(
		o, "running", json_integer((json_int_t)registry_count_sessions(r, d, true)));
	return o;
}

static json_t *
usage(const struct session_usage *u, bool is_over)
{
	json_t *o;

	if (!u->is_known)
		return json_null();
	o = json_object();
	json_object_set_new(o, "cpu_seconds", json_real((double)u->cpu_us / 1e6));
	json_object_set_new(o, "memory", number_or_null(!is_over, (json_int_t)u->memory));
	json_object_set_new(o, "memory_peak", json_integer((json_int_t)u->memory_peak));
	json_object_set_new(o, "processes", number_or_null(!is_over, (json_int_t)u->processes));
	json_object_set_new(o, "written", json_integer((json_int_t)u->written));
	return o;
}

static json_t *
need_or_null(const struct session *s)
{
	static const char *const names[] = { NULL, "done", "asks" };
	const char *name = s->need < ARRAY_LEN(names) ? names[s->need] : NULL;

	return name ? json_string(name) : json_null();
}

json_t *
object_session(const struct session *s)
{
	json_t *o = json_object();
	bool is_over = status_is_over(s->status);

	json_object_set_new(o, "id", json_string(s->id));
	json_object_set_new(o, "name", json_string(s->name));
	json_object_set_new(o, "desktop", json_string(s->desktop->name));
	json_object_set_new(o, "desktop_id", json_string(s->desktop->id));
	json_object_set_new(o, "status", json_string(status_name(s->status)));
	json_object_set_new(o, "need", need_or_null(s));
	json_object_set_new(o, "why", object_text(s->why));
	json_object_set_new(o, "reason", object_text(s->reason));
	json_object_set_new(o, "kind", json_string(s->has_pty ? "terminal" : "exec"));
	json_object_set_new(o, "command", texts(&s->command));
	json_object_set_new(o, "dir", object_text(s->cwd));
	json_object_set_new(o, "env", texts(&s->env_names));
	json_object_set_new(o, "pid", number_or_null(s->pid > 0, s->pid));
	json_object_set_new(o, "keeper_pid", number_or_null(s->keeper_pid > 0, s->keeper_pid));
	json_object_set_new(o, "exit_status", number_or_null(is_over, session_exit_status(s)));
	json_object_set_new(o, "started", time_or_null(s->started));
	json_object_set_new(o, "ended", is_over ? time_or_null(s->ended) : json_null());
	json_object_set_new(o, "rows", json_integer(s->size.rows));
	json_object_set_new(o, "cols", json_integer(s->size.cols));
	json_object_set_new(o, "title", object_text(s->title));
	json_object_set_new(o, "notices", json_integer((json_int_t)s->notices));
	json_object_set_new(o, "notice", object_text(s->notice));
	json_object_set_new(o, "clients", json_integer(s->clients));
	json_object_set_new(o, "last_output", time_or_null(s->last_output));
	json_object_set_new(o, "usage", usage(&s->usage, is_over));
	json_object_set_new(o, "limits", object_text(s->limits));
	json_object_set_new(o, "walls_missing", words(s->walls_missing));
	return o;
}

json_t *
object_removal(const struct removal *r)
{
	json_t *o = json_object();

	json_object_set_new(o, "id", json_string(r->id));
	if (!r->is_desktop)
		json_object_set_new(o, "desktop", json_string(r->desktop));
	json_object_set_new(o, "name", json_string(r->name));
	return o;
}

json_t *
object_desktops(const struct registry *r)
{
	json_t *array = json_array();

	for (size_t i = 0; i < r->ndesktops; i++)
		json_array_append_new(array, object_desktop(r, r->desktops[i]));
	return array;
}

json_t *
object_sessions(const struct registry *r, const struct desktop *d, bool all)
{
	json_t *array = json_array();

	for (size_t k = 0; k < r->ndesktops; k++) {
		if (d && r->desktops[k] != d)
			continue;
		for (size_t i = 0; i < r->nsessions; i++)
			if (r->sessions[i]->desktop == r->desktops[k] &&
				(all || session_is_listed(r->sessions[i])))
				json_array_append_new(array, object_session(r->sessions[i]));
	}
	return array;
}
