#include "model/target.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/registry.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

enum { SHOWN_MAX = 6, SHOWN_BYTES = 80, BASE_BYTES = NAME_BYTES - 8 /* leaves room for -NNNNNN */ };

/* What a search over names found. `shown` lists them for a message. */
struct match {
	void *exact, *by_id, *by_prefix;
	size_t prefixes, all;
	struct buf shown, shown_all;
};

static void
match_fini(struct match *m)
{
	buf_fini(&m->shown);
	buf_fini(&m->shown_all);
}

static void
show(struct buf *to, size_t n, const char *name)
{
	if (n < SHOWN_MAX)
		buf_addf(to, "%s%s", n ? ", " : "", name);
	else if (n == SHOWN_MAX)
		buf_add_str(to, ", ...");
}

static void
match_try(struct match *m, const char *text, const char *name, const char *id, void *object)
{
	if (str_equal(text, name))
		m->exact = object;
	if (str_equal(text, id))
		m->by_id = object;
	show(&m->shown_all, m->all++, name);
	if (!text[0] || !str_has_prefix(name, text))
		return;
	m->by_prefix = object;
	show(&m->shown, m->prefixes++, name);
}

static void *
match_best(const struct match *m)
{
	if (m->exact)
		return m->exact;
	if (m->by_id)
		return m->by_id;
	return m->prefixes == 1 ? m->by_prefix : NULL;
}

/* Why match_best() gave nothing. */
static int
match_fail(const struct match *m, const char *what, const char *where, const char *text,
	const char *how_to_make, struct err *e)
{
	AUTO(buf) struct buf safe = { 0 };
	size_t len = strlen(text);

	str_escape(&safe, text, len < SHOWN_BYTES ? len : SHOWN_BYTES);
	if (m->prefixes > 1)
		return err_set(e, -ENOTUNIQ, "%s \"%s%s\": matches %s; write more of the name",
			what, where, safe.data, m->shown.data);
	if (!m->all)
		return err_set(e, -ENOENT,
			"%s \"%s%s\": does not exist, nor any other; make one: %s", what, where,
			safe.data ? safe.data : "", how_to_make);
	return err_set(e, -ENOENT, "%s \"%s%s\": does not exist; there is: %s", what, where,
		safe.data ? safe.data : "", m->shown_all.data);
}

int
target_desktop(const struct registry *r, const char *text, struct desktop **ret, struct err *e)
{
	struct match m = { 0 };
	struct desktop *found;
	int rc = 0;

	if (strchr(text, '/'))
		return err_set(e, -EINVAL,
			"target: a Desktop is wanted, not DESKTOP/SESSION; leave out the / and "
			"what follows");
	for (size_t i = 0; i < r->ndesktops; i++)
		match_try(&m, text, r->desktops[i]->name, r->desktops[i]->id, r->desktops[i]);
	found = match_best(&m);
	if (found)
		*ret = found;
	else
		rc = match_fail(&m, "Desktop", "", text, "sandesk new NAME", e);
	match_fini(&m);
	return rc;
}

static void
match_sessions(
	const struct registry *r, const struct desktop *d, const char *text, struct match *ret)
{
	for (size_t i = 0; i < r->nsessions; i++) {
		struct session *s = r->sessions[i];

		if (s->desktop == d && (session_is_listed(s) || str_equal(s->name, text) ||
					       str_equal(s->id, text)))
			match_try(ret, text, s->name, s->id, s);
	}
}

static int
no_session_named(const struct registry *r, const char *text, struct err *e)
{
	struct match m = { 0 };
	struct desktop *d;
	int rc = target_desktop(r, text, &d, e);

	if (rc < 0)
		return rc;
	match_sessions(r, d, "", &m);
	rc = err_set(e, -EINVAL,
		"target \"%s\": is a Desktop; give DESKTOP/SESSION; its sessions: %s", d->name,
		m.all ? m.shown_all.data : "none");
	match_fini(&m);
	return rc;
}

int
target_session(const struct registry *r, const char *text, struct session **ret, struct err *e)
{
	const char *slash = strchr(text, '/');
	char desktop_name[NAME_BYTES], where[NAME_BYTES + 1], how[NAME_BYTES + 16];
	struct match m = { 0 };
	struct desktop *d;
	struct session *found = slash ? NULL : registry_session_by_id(r, text);
	int rc;

	if (found) {
		*ret = found;
		return 0;
	}
	if (!slash)
		return no_session_named(r, text, e);
	if ((size_t)(slash - text) >= sizeof desktop_name)
		return err_set(e, -ENOENT,
			"target: the Desktop's name is too long; it has at most 64 bytes");
	snprintf(desktop_name, sizeof desktop_name, "%.*s", (int)(slash - text), text);
	rc = target_desktop(r, desktop_name, &d, e);
	if (rc < 0)
		return rc;
	match_sessions(r, d, slash + 1, &m);
	found = match_best(&m);
	snprintf(where, sizeof where, "%s/", d->name);
	snprintf(how, sizeof how, "sandesk run %s", d->name);
	if (found)
		*ret = found;
	else
		rc = match_fail(&m, "session", where, slash + 1, how, e);
	match_fini(&m);
	return rc;
}

/* Keeps of the last part of a path what may stand in a name. */
static void
clean_name(const char *command, char ret[NAME_BYTES])
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	const char *slash = strrchr(command, '/');
	size_t n = 0;

	for (const char *p = slash ? slash + 1 : command; *p && n < BASE_BYTES; p++)
		if (strchr(allowed, *p) && (n || (*p != '-' && *p != '.')))
			ret[n++] = *p;
	ret[n] = 0;
	if (!n)
		str_copy(ret, NAME_BYTES, "session");
}

/* Which of base, base-2, base-3 ... a name is: 1, 2, 3 ...; 0 for another name. */
static size_t
ordinal(const char *name, const char *base)
{
	size_t len = strlen(base);
	int64_t n;

	if (!str_has_prefix(name, base))
		return 0;
	if (!name[len])
		return 1;
	if (name[len] != '-' || name[len + 1] == '0' ||
		str_to_int(name + len + 1, 2, 1 << 20, &n) < 0)
		return 0;
	return (size_t)n;
}

/* With n names there is a free one among the first n + 1: one pass, whatever the names are. */
struct ordinals {
	bool *is_taken;
	size_t room;
};

static void
ordinal_take(struct ordinals *o, size_t n)
{
	if (n && n <= o->room)
		o->is_taken[n - 1] = true;
}

static void
ordinal_name(const struct ordinals *o, const char *base, char ret[NAME_BYTES])
{
	size_t n = 0;

	while (o->is_taken[n])
		n++;
	if (!n)
		str_copy(ret, NAME_BYTES, base);
	else
		snprintf(ret, NAME_BYTES, "%.*s-%u", BASE_BYTES, base, (unsigned)n % 100000 + 1);
}

void
name_for_session(const struct registry *r, const struct desktop *d, const char *command,
	char ret[NAME_BYTES])
{
	AUTO(mem) bool *taken = mem_zero(r->nsessions + 1, sizeof *taken);
	struct ordinals o = { .is_taken = taken, .room = r->nsessions + 1 };
	char base[NAME_BYTES];

	clean_name(command, base);
	for (size_t i = 0; i < r->nsessions; i++)
		if (r->sessions[i]->desktop == d)
			ordinal_take(&o, ordinal(r->sessions[i]->name, base));
	ordinal_name(&o, base, ret);
}

void
name_for_desktop(const struct registry *r, const char *wanted, char ret[NAME_BYTES])
{
	AUTO(mem) bool *taken = mem_zero(r->ndesktops + 1, sizeof *taken);
	struct ordinals o = { .is_taken = taken, .room = r->ndesktops + 1 };
	char base[NAME_BYTES];

	clean_name(wanted, base);
	for (size_t i = 0; i < r->ndesktops; i++)
		ordinal_take(&o, ordinal(r->desktops[i]->name, base));
	ordinal_name(&o, base, ret);
}
