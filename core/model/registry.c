#include "model/registry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sandesk/base/clock.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

enum {
	REMOVALS_MAX = 65536
}; /* of one turn; a subscriber is told by `removed` or finds out by listing */

static void
desktop_free(struct desktop *d)
{
	mem_free(d->dir);
	buf_fini(&d->policy);
	mem_free(d);
}

static void
session_free(struct session *s)
{
	assert(!s->keeper && !s->launch && !s->over && !s->gone);
	if (s->env.data)
		explicit_bzero(s->env.data, s->env.room); /* values may be secrets */
	buf_fini(&s->env);
	buf_fini(&s->budgets);
	buf_fini(&s->policy);
	buf_fini(&s->command);
	buf_fini(&s->env_names);
	mem_free(s->cwd);
	mem_free(s->reason);
	mem_free(s->title);
	mem_free(s->notice);
	mem_free(s->why);
	mem_free(s->limits);
	mem_free(s->walls_missing);
	mem_free(s);
}

void
registry_fini(struct registry *r)
{
	for (size_t i = 0; i < r->nsessions; i++)
		session_free(r->sessions[i]);
	for (size_t i = 0; i < r->ndesktops; i++)
		desktop_free(r->desktops[i]);
	mem_free(r->sessions);
	mem_free(r->desktops);
	mem_free(r->removals);
	*r = (struct registry){ .changed = r->changed, .changed_arg = r->changed_arg };
}

static void
set_changed(struct registry *r)
{
	if (r->is_changed)
		return;
	r->is_changed = true;
	if (r->changed)
		r->changed(r->changed_arg);
}

void
registry_touch_desktop(struct registry *r, struct desktop *d)
{
	d->is_changed = true;
	set_changed(r);
}

void
registry_touch_session(struct registry *r, struct session *s)
{
	s->is_changed = true;
	set_changed(r);
}

void
registry_clean(struct registry *r)
{
	for (size_t i = 0; i < r->ndesktops; i++)
		r->desktops[i]->is_changed = false;
	for (size_t i = 0; i < r->nsessions; i++)
		r->sessions[i]->is_changed = false;
	r->nremovals = 0;
	r->is_changed = false;
}

static int
by_name(const void *a, const void *b)
{
	const struct desktop *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static void
sort_desktops(struct registry *r)
{
	qsort(r->desktops, r->ndesktops, sizeof r->desktops[0], by_name);
}

/* Two objects of one millisecond may draw the same id: one in 65,536. */
static void
fresh_id(const struct registry *r, char ret[ID_BYTES])
{
	do
		id_new(ret);
	while (registry_session_by_id(r, ret) || registry_desktop_by_id(r, ret));
}

struct desktop *
registry_add_desktop(struct registry *r, const char *id, const char *name, const char *dir)
{
	struct desktop *d = mem_new(struct desktop);

	if (id)
		str_copy(d->id, sizeof d->id, id);
	else
		fresh_id(r, d->id);
	str_copy(d->name, sizeof d->name, name);
	d->dir = str_dup(dir);
	d->created = clock_wall();
	r->desktops = mem_grow(r->desktops, r->ndesktops + 1, sizeof r->desktops[0]);
	r->desktops[r->ndesktops++] = d;
	sort_desktops(r);
	registry_touch_desktop(r, d);
	return d;
}

struct session *
registry_add_session(struct registry *r, const char *id, struct desktop *d, const char *name)
{
	struct session *s = mem_new(struct session);

	if (id)
		str_copy(s->id, sizeof s->id, id);
	else
		fresh_id(r, s->id);
	str_copy(s->name, sizeof s->name, name);
	s->desktop = d;
	r->sessions = mem_grow(r->sessions, r->nsessions + 1, sizeof r->sessions[0]);
	r->sessions[r->nsessions++] = s;
	registry_touch_session(r, s);
	registry_touch_desktop(r, d);
	return s;
}

static void
add_removal(struct registry *r, const struct removal *gone)
{
	set_changed(r);
	if (r->nremovals >= REMOVALS_MAX)
		return;
	r->removals = mem_grow(r->removals, r->nremovals + 1, sizeof r->removals[0]);
	r->removals[r->nremovals++] = *gone;
}

void
registry_remove_desktop(struct registry *r, struct desktop *d)
{
	struct removal gone = { .is_desktop = true };
	size_t i = 0;

	str_copy(gone.id, sizeof gone.id, d->id);
	str_copy(gone.name, sizeof gone.name, d->name);
	add_removal(r, &gone);
	while (r->desktops[i] != d)
		i++;
	memmove(&r->desktops[i], &r->desktops[i + 1],
		(r->ndesktops - i - 1) * sizeof r->desktops[0]);
	r->ndesktops--;
	desktop_free(d);
}

void
registry_remove_session(struct registry *r, struct session *s)
{
	struct removal gone = { .is_desktop = false };
	size_t i = 0;

	str_copy(gone.id, sizeof gone.id, s->id);
	str_copy(gone.name, sizeof gone.name, s->name);
	str_copy(gone.desktop, sizeof gone.desktop, s->desktop->name);
	add_removal(r, &gone);
	registry_touch_desktop(r, s->desktop);
	while (r->sessions[i] != s)
		i++;
	memmove(&r->sessions[i], &r->sessions[i + 1],
		(r->nsessions - i - 1) * sizeof r->sessions[0]);
	r->nsessions--;
	session_free(s);
}

void
registry_rename_desktop(struct registry *r, struct desktop *d, const char *name)
{
	str_copy(d->name, sizeof d->name, name);
	sort_desktops(r);
	registry_touch_desktop(r, d);
	for (size_t i = 0; i < r->nsessions; i++)
		if (r->sessions[i]->desktop == d)
			registry_touch_session(r, r->sessions[i]);
}

struct desktop *
registry_desktop_by_id(const struct registry *r, const char *id)
{
	for (size_t i = 0; i < r->ndesktops; i++)
		if (str_equal(r->desktops[i]->id, id))
			return r->desktops[i];
	return NULL;
}

struct desktop *
registry_desktop_by_name(const struct registry *r, const char *name)
{
	for (size_t i = 0; i < r->ndesktops; i++)
		if (str_equal(r->desktops[i]->name, name))
			return r->desktops[i];
	return NULL;
}

struct desktop *
registry_desktop_by_dir(const struct registry *r, const char *dir)
{
	for (size_t i = 0; i < r->ndesktops; i++)
		if (str_equal(r->desktops[i]->dir, dir))
			return r->desktops[i];
	return NULL;
}

struct session *
registry_session_by_id(const struct registry *r, const char *id)
{
	for (size_t i = r->nsessions; i-- > 0;) /* the newest are asked for most */
		if (str_equal(r->sessions[i]->id, id))
			return r->sessions[i];
	return NULL;
}

struct session *
registry_session_by_name(const struct registry *r, const struct desktop *d, const char *name)
{
	for (size_t i = 0; i < r->nsessions; i++)
		if (r->sessions[i]->desktop == d && str_equal(r->sessions[i]->name, name))
			return r->sessions[i];
	return NULL;
}

bool
session_is_listed(const struct session *s)
{
	return s->has_pty || !status_is_over(s->status);
}

size_t
registry_count_sessions(const struct registry *r, const struct desktop *d, bool only_running)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nsessions; i++) {
		const struct session *s = r->sessions[i];

		if (s->desktop == d &&
			(only_running ? !status_is_over(s->status) : session_is_listed(s)))
			n++;
	}
	return n;
}

int
session_exit_status(const struct session *s)
{
	return s->exit_signal ? 128 + s->exit_signal : s->exit_code;
}
