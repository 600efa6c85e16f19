#include "keeper/status.h"

#include <stdio.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/str.h"
#include "sandesk/base/utf8.h"

enum { PROGRESS_NONE = -1, PROGRESS_UNKNOWN = -2, PROGRESS_ERROR = -3, PROGRESS_PAUSED = -4 };

void
status_init(struct status_facts *f)
{
	*f = (struct status_facts){ .progress = PROGRESS_NONE, .last_exit = -1 };
}

/* ---- events become facts ---- */
static void
drop_record(struct status_facts *f, unsigned i)
{
	memmove(&f->records[i], &f->records[i + 1], (--f->records_n - i) * sizeof f->records[0]);
}

static bool
is_below(const char *id, const char *root)
{
	size_t len = strlen(root);

	return !len || (strncmp(id, root, len) == 0 && (!id[len] || id[len] == '/'));
}

static void
take_report(struct status_facts *f, const struct term_event *e)
{
	for (unsigned i = f->records_n; i-- > 0;)
		if (strcmp(f->records[i].id, e->id) == 0 ||
			(e->value == TERM_STATUS_CLEAR && is_below(f->records[i].id, e->id)))
			drop_record(f, i);
	if (e->value == TERM_STATUS_CLEAR)
		return;
	if (f->records_n == STATUS_RECORDS)
		f->records_n--;
	memmove(&f->records[1], &f->records[0], f->records_n++ * sizeof f->records[0]);
	f->records[0] = (struct status_record){ .state = (enum term_status)e->value,
		.blocked = e->blocked,
		.progress = e->progress };
	str_copy(f->records[0].id, sizeof f->records[0].id, e->id);
	snprintf(f->records[0].text, sizeof f->records[0].text, "%.*s",
		(int)utf8_cut(e->text, sizeof f->records[0].text - 1), e->text);
}

/* A prompt: the program that reported is not in the foreground any more. */
static void
take_prompt(struct status_facts *f)
{
	for (unsigned i = f->records_n; i-- > 0;)
		if (f->records[i].state != TERM_STATUS_DONE &&
			f->records[i].state != TERM_STATUS_ERROR)
			drop_record(f, i);
	f->has_command = true;
	f->is_running = false;
	f->progress = PROGRESS_NONE;
}

void
status_event(struct status_facts *f, const struct term_event *e, uint64_t now_us)
{
	switch (e->kind) {
	case TERM_EVENT_STATUS:
		take_report(f, e);
		break;
	case TERM_EVENT_PROMPT:
		take_prompt(f);
		break;
	case TERM_EVENT_OUTPUT:
		f->has_command = f->is_running = true;
		f->began_us = now_us;
		break;
	case TERM_EVENT_COMMAND_DONE:
		f->is_last_seen = !f->is_running;
		f->last_us = now_us - f->began_us;
		f->is_running = false;
		f->last_exit = e->value;
		break;
	case TERM_EVENT_PROGRESS:
		f->progress = e->value;
		break;
	case TERM_EVENT_TITLE:
		f->is_title_seen = false;
		snprintf(f->title, sizeof f->title, "%.*s",
			(int)utf8_cut(e->text, sizeof f->title - 1), e->text);
		break;
	case TERM_EVENT_BELL:
		f->has_bell = true;
		break;
	default:
		break;
	}
}

void
status_typed(struct status_facts *f)
{
	for (unsigned i = 0; i < f->records_n; i++)
		f->records[i].is_seen = true;
	f->has_bell = false;
	f->is_title_seen = f->is_last_seen = true;
}

/* ---- facts decide ---- */
static bool
say(struct status_verdict *v, enum status status, enum need need, const char *text, const char *more)
{
	v->status = status;
	v->need = need;
	snprintf(v->why, sizeof v->why, "%s%s%s", text, *more ? ": " : "", more);
	return true;
}

static bool
from_end(const struct status_facts *f, struct status_verdict *v)
{
	if (f->is_over)
		return say(v, f->ended, f->ended == STATUS_FAILED ? NEED_DONE : NEED_NOTHING,
			"has ended", "");
	if (f->is_paused)
		return say(v, STATUS_PAUSED, NEED_NOTHING, "was paused", "");
	return f->is_starting && say(v, STATUS_STARTING, NEED_NOTHING, "is being started", "");
}

static const struct {
	enum term_status state;
	enum status status;
	enum need need;
	const char *words;
} reports[] = {
	/* the most urgent first */
	{ TERM_STATUS_BLOCKED, STATUS_WAITING, NEED_ASKS, "waits for an answer" },
	{ TERM_STATUS_ERROR, STATUS_WAITING, NEED_ASKS, "reports an error" },
	{ TERM_STATUS_WORKING, STATUS_WORKING, NEED_NOTHING, "works" },
	{ TERM_STATUS_DONE, STATUS_WAITING, NEED_DONE, "has done what it was asked" },
	{ TERM_STATUS_IDLE, STATUS_WAITING, NEED_NOTHING, "is idle" },
};

static const char *const blocked_words[] = {
	[TERM_BLOCKED_UNSAID] = "waits for an answer",
	[TERM_BLOCKED_PERMISSION] = "asks for permission",
	[TERM_BLOCKED_QUESTION] = "asks a question",
	[TERM_BLOCKED_AUTH] = "asks to log in",
};

static bool
from_report(const struct status_facts *f, struct status_verdict *v)
{
	for (size_t k = 0; k < ARRAY_LEN(reports); k++)
		for (unsigned i = 0; i < f->records_n; i++) {
			const struct status_record *r = &f->records[i];
			bool is_blocked = r->state == TERM_STATUS_BLOCKED;

			if (r->state != reports[k].state)
				continue;
			/* what is blocked stays so until the program says otherwise */
			return say(v, reports[k].status,
				r->is_seen && !is_blocked ? NEED_NOTHING : reports[k].need,
				is_blocked ? blocked_words[r->blocked] : reports[k].words, r->text);
		}
	return false;
}

static bool
from_marks(const struct status_facts *f, struct status_verdict *v)
{
	char exit[32] = "";

	if (!f->has_command || f->is_running)
		return false; /* what runs may say more of itself, further down */
	if (f->last_exit > 0)
		snprintf(exit, sizeof exit, "the last command: %d", f->last_exit);
	return say(v, STATUS_WAITING,
		f->is_last_seen || f->last_us < STATUS_LONG_US ? NEED_NOTHING : NEED_DONE,
		"the shell stands at its prompt", exit);
}

static bool
from_progress(const struct status_facts *f, struct status_verdict *v)
{
	char percent[16] = "";

	if (f->progress == PROGRESS_ERROR)
		return say(v, STATUS_WAITING, NEED_ASKS, "its progress stands at an error", "");
	if (f->progress == PROGRESS_PAUSED)
		return say(v, STATUS_WAITING, NEED_DONE, "its progress is paused", "");
	if (f->progress >= 0)
		snprintf(percent, sizeof percent, "%d%%", f->progress);
	return f->progress != PROGRESS_NONE &&
	       say(v, STATUS_WORKING, NEED_NOTHING, "shows progress", percent);
}

/* How agents begin their titles. */
static const struct {
	const char *start;
	enum status status;
	enum need need;
	const char *words;
} titles[] = {
	{ "[ ! ] Action Required", STATUS_WAITING, NEED_ASKS, "asks" },
	{ "\xe2\x9c\x8b", STATUS_WAITING, NEED_ASKS, "asks" },		 /* raised hand */
	{ "\xe2\x9c\xb3", STATUS_WAITING, NEED_DONE, "waits" },	 /* eight-spoked asterisk */
	{ "\xe2\x97\x87", STATUS_WAITING, NEED_NOTHING, "is ready" }, /* white diamond */
	{ "\xe2\x9c\xa6", STATUS_WORKING, NEED_NOTHING, "works" },	 /* four-pointed star */
	{ "\xe2\x97\x90", STATUS_WORKING, NEED_NOTHING, "works" },	 /* half circle */
};

static bool
is_spinner(const char *title)
{
	uint32_t cp = 0;

	return utf8_decode(title, strlen(title), &cp) && cp > 0x2800 && cp <= 0x28ff; /* braille */
}

static bool
from_title(const struct status_facts *f, struct status_verdict *v)
{
	if (is_spinner(f->title))
		return say(v, STATUS_WORKING, NEED_NOTHING, "its title spins", f->title);
	for (size_t i = 0; i < ARRAY_LEN(titles); i++)
		if (str_has_prefix(f->title, titles[i].start))
			return say(v, titles[i].status,
				f->is_title_seen ? NEED_NOTHING : titles[i].need, titles[i].words,
				f->title);
	return false;
}

static bool
from_bell(const struct status_facts *f, struct status_verdict *v)
{
	return f->has_bell &&
	       say(v, STATUS_WAITING, NEED_ASKS, "rang the bell and nobody typed since", "");
}

static bool
from_running(const struct status_facts *f, struct status_verdict *v)
{
	return say(v, STATUS_WORKING, NEED_NOTHING,
		f->is_running ? "the shell's command runs" : "runs", "");
}

static const struct {
	const char *name;
	bool (*ask)(const struct status_facts *f, struct status_verdict *v);
} status_rows[] = {
	{ "life", from_end },
	{ "report (OSC 7501)", from_report },
	{ "shell (OSC 133)", from_marks },
	{ "progress (OSC 9;4)", from_progress },
	{ "title", from_title },
	{ "bell", from_bell },
	{ "process", from_running },
};

void
status_decide(const struct status_facts *f, struct status_verdict *ret)
{
	struct status_verdict v;

	for (size_t i = 0; i < ARRAY_LEN(status_rows); i++)
		if (status_rows[i].ask(f, &v)) {
			*ret = v;
			ret->why[0] = 0;
			snprintf(ret->why, sizeof ret->why, "%s: %.120s", status_rows[i].name,
				v.why);
			ret->why[utf8_cut(ret->why, strlen(ret->why))] = 0;
			return;
		}
}

static const char *const need_names[] = { "", "done", "asks" };

const char *
need_name(enum need n)
{
	return (unsigned)n < ARRAY_LEN(need_names) ? need_names[n] : "";
}

void
status_explain(const struct status_facts *f, struct buf *to)
{
	bool is_decided = false;

	buf_add_char(to, '[');
	for (size_t i = 0; i < ARRAY_LEN(status_rows); i++) {
		struct status_verdict v = { .why = "" };
		bool knows = status_rows[i].ask(f, &v);

		v.why[utf8_cut(v.why, strlen(v.why))] = 0;
		buf_addf(to, "%s{\"fact\":\"%s\",\"says\":\"", i ? "," : "", status_rows[i].name);
		str_add_json(to, v.why, strlen(v.why));
		buf_addf(to, "\",\"status\":\"%s\",\"need\":\"%s\",\"decides\":\"%s\"}",
			knows ? status_name(v.status) : "", knows ? need_name(v.need) : "",
			knows && !is_decided ? "yes" : "");
		is_decided |= knows;
	}
	buf_add_char(to, ']');
}
