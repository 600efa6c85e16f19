/* notify.c - what programs want a person to know: OSC 9, 99, 777 and 7501. All of it becomes events;
 * text is stripped and capped, names are of a harmless alphabet. How often a person is told is the
 * owner's affair: it has the clock. */
#include "term/screen.h"
#include "term/sequences.h"

#include <stdio.h>

static void
progress(struct term *t, char *text)
{
	int state = osc_number(osc_field(&text, ';')), value = osc_number(osc_field(&text, ';'));
	static const int32_t special[] = { -1, 0, -3, -2, -4 };

	if (state < 0 || state > 4)
		return;
	value = value < 0 ? 0 : value > 100 ? 100 : value;
	term_event(t, TERM_EVENT_PROGRESS, state == 1 ? value : special[state], NULL, 0);
}

/* ConEmu has more numbers here; they are not text to be shown. */
void
notify_plain(struct term *t, char *text)
{
	size_t digits = strspn(text, "0123456789");

	if (strncmp(text, "4;", 2) == 0)
		progress(t, text + 2);
	else if (*text && !(digits && digits <= 2 && (text[digits] == ';' || !text[digits])))
		term_event(t, TERM_EVENT_NOTIFY, 0, text, strlen(text));
}

static void
notify_titled(struct term *t, const char *title, const char *body)
{
	char line[2 * TERM_EVENT_TEXT];

	snprintf(line, sizeof line, "%s%s%s", title, *title && *body ? ": " : "", body);
	if (*line)
		term_event(t, TERM_EVENT_NOTIFY, 0, line, strlen(line));
}

void
notify_rxvt(struct term *t, char *text)
{
	const char *title;

	if (strcmp(osc_field(&text, ';'), "notify") != 0)
		return;
	title = osc_field(&text, ';');
	notify_titled(t, title, text);
}

/* Letters, digits and what names are joined by; false for anything else. */
static bool
name_copy(char *to, size_t size, const char *from, bool has_slash)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "_.+-/";
	size_t len = strspn(from, safe);

	if (from[len] || len >= size || (!has_slash && strchr(from, '/')))
		return false;
	memcpy(to, from, len + 1);
	return true;
}

struct kitty_notice {
	char id[TERM_EVENT_ID];
	const char *part; /* p= */
	bool is_last, is_base64;
};

static void
kitty_read(struct kitty_notice *k, char *fields)
{
	*k = (struct kitty_notice){ .part = "title", .is_last = true };
	while (*fields) {
		const char *one = osc_field(&fields, ':');

		if (strncmp(one, "i=", 2) == 0 && !name_copy(k->id, sizeof k->id, one + 2, false))
			k->id[0] = 0;
		else if (strncmp(one, "p=", 2) == 0)
			k->part = one + 2;
		else if (strcmp(one, "d=0") == 0)
			k->is_last = false;
		else if (strcmp(one, "e=1") == 0)
			k->is_base64 = true;
	}
}

static void
text_append(char *to, size_t size, const char *from, size_t n)
{
	size_t len = strlen(to);

	text_strip(to + len, size - len, from, n);
}

/* A title and a body, each perhaps in pieces: t->notice keeps them until the last one came. */
void
notify_kitty(struct term *t, char *text)
{
	struct term_event *n = &t->notice;
	struct kitty_notice k;
	char plain[OSC_BYTES];
	long len;

	kitty_read(&k, osc_field(&text, ';'));
	if (strcmp(k.part, "?") == 0) {
		term_reply(t, "\033]99;i=%s:p=?;p=title,body\033\\", k.id[0] ? k.id : "0");
		return;
	}
	len = k.is_base64 ? base64_decode(plain, text, strlen(text)) : (long)strlen(text);
	if (len < 0)
		return;
	if (strcmp(k.id, n->id) != 0)
		*n = (struct term_event){ 0 };
	memcpy(n->id, k.id, sizeof n->id);
	/* The title is kept in `text`, the body in t->notice_body. */
	if (strcmp(k.part, "title") == 0)
		text_append(n->text, sizeof n->text, k.is_base64 ? plain : text, (size_t)len);
	else if (strcmp(k.part, "body") == 0)
		text_append(t->notice_body, sizeof t->notice_body, k.is_base64 ? plain : text,
			(size_t)len);
	else
		return;
	if (k.is_last) {
		notify_titled(t, n->text, t->notice_body);
		*n = (struct term_event){ 0 };
		t->notice_body[0] = 0;
	}
}

/* -- OSC 7501: Program Status Protocol 0.3 -- */

static const char *const states[] = {
	[TERM_STATUS_IDLE] = "idle",
	[TERM_STATUS_WORKING] = "working",
	[TERM_STATUS_BLOCKED] = "blocked",
	[TERM_STATUS_DONE] = "done",
	[TERM_STATUS_ERROR] = "error",
	[TERM_STATUS_CLEAR] = "clear",
};

static const char *const kinds[] = {
	[TERM_BLOCKED_PERMISSION] = "permission",
	[TERM_BLOCKED_QUESTION] = "question",
	[TERM_BLOCKED_AUTH] = "auth",
};

/* The number of a name; -1: unknown. */
static int
named(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (names[i] && strcmp(names[i], name) == 0)
			return (int)i;
	return -1;
}

enum { STATUS_TITLE = 192, STATUS_MSG = 2048 };

/* Base64 of UTF-8 without control characters; anything else spoils the whole report. */
static bool
status_text(char *to, size_t size, const char *from, size_t most)
{
	char plain[OSC_BYTES];
	long n = base64_decode(plain, from, strlen(from));

	if (n < 0 || (size_t)n > most)
		return false;
	for (long i = 0; i < n; i++)
		if ((unsigned char)plain[i] < 0x20 || plain[i] == 0x7f)
			return false;
	text_strip(to, size, plain, (size_t)n);
	return true;
}

/* At most eight segments of at most 32 characters, none of them empty. */
static bool
status_id(char *to, size_t size, const char *from)
{
	unsigned segments = 1, length = 0;

	for (const char *s = from; *s; s++) {
		if (*s == '/' && (!length || !s[1]))
			return false;
		segments += *s == '/';
		length = *s == '/' ? 0 : length + 1;
		if (length > 32 || segments > 8)
			return false;
	}
	return strlen(from) <= 128 && name_copy(to, size, from, true);
}

struct status_report {
	struct term_event event;
	char title[TERM_EVENT_TEXT];
	bool has_state;
};

/* Takes one key=value; false spoils the report. Unknown keys are for later versions. */
static bool
status_field(struct status_report *s, char *field)
{
	const char *key = osc_field(&field, '='), *value = field;
	struct term_event *e = &s->event;

	if (strcmp(key, "state") == 0) {
		e->value = named(states, ARRAY_LEN(states), value);
		s->has_state = e->value >= 0;
		return s->has_state;
	}
	if (strcmp(key, "kind") == 0) {
		int kind = named(kinds, ARRAY_LEN(kinds), value);

		e->blocked = kind < 0 ? TERM_BLOCKED_UNSAID : (enum term_blocked)kind;
	} else if (strcmp(key, "progress") == 0) {
		e->progress = osc_number(value);
		if (e->progress > 100)
			e->progress = -1;
	} else if (strcmp(key, "app") == 0) {
		return name_copy(e->app, sizeof e->app, value, false);
	} else if (strcmp(key, "id") == 0) {
		return status_id(e->id, sizeof e->id, value);
	} else if (strcmp(key, "title") == 0) {
		return status_text(s->title, sizeof s->title, value, STATUS_TITLE);
	} else if (strcmp(key, "msg") == 0) {
		return status_text(e->text, sizeof e->text, value, STATUS_MSG);
	}
	return true;
}

void
notify_status(struct term *t, char *text)
{
	struct status_report s = { .event = { .progress = -1 } };
	struct term_event *e;
	const char *say;

	if (strcmp(text, "?") == 0) {
		term_reply(t, "\033]7501;?\033\\");
		return;
	}
	while (*text)
		if (!status_field(&s, osc_field(&text, ':')))
			return;
	if (!s.has_state)
		return;
	t->has_status = true;
	say = *s.event.text ? s.event.text : s.title;
	term_event(t, TERM_EVENT_STATUS, s.event.value, say, strlen(say));
	e = term_newest_event(t);
	e->blocked = s.event.value == TERM_STATUS_BLOCKED ? s.event.blocked : TERM_BLOCKED_UNSAID;
	e->progress = s.event.value == TERM_STATUS_WORKING || s.event.value == TERM_STATUS_BLOCKED
			      ? s.event.progress
			      : -1;
	memcpy(e->app, s.event.app, sizeof e->app);
	memcpy(e->id, s.event.id, sizeof e->id);
}

void
notify_reset(struct term *t)
{
	t->notice = (struct term_event){ 0 };
	t->notice_body[0] = 0;
	if (t->has_status)
		term_event(t, TERM_EVENT_STATUS, TERM_STATUS_CLEAR, NULL, 0);
	t->has_status = false;
}
