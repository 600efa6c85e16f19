#include "term/term.h"

#include <stdarg.h>
#include <stdio.h>

#include "sandesk/base/mem.h"
#include "term/screen.h"

struct term *
term_new(const struct term_config *config)
{
	struct term *t = mem_new(struct term);

	t->size = size_clamp(config->size.rows, config->size.cols);
	t->history.max_bytes = config->history_bytes;
	t->history.max_lines = config->history_lines;
	t->keeps_history = config->keeps_history;
	t->replies.limit = TERM_REPLY_BYTES;
	t->cell_width = CELL_WIDTH;
	t->cell_height = CELL_HEIGHT;
	t->is_dark = true;
	t->epoch = t->version = 1;
	t->tabs = mem_zero(t->size.cols, 1);
	t->on = &t->main;
	screen_make(t, t->on);
	term_reset(t);
	t->is_changed = false;
	return t;
}

void
term_free(struct term *t)
{
	if (!t)
		return;
	screen_free(t, &t->main);
	screen_free(t, &t->alt);
	while (t->title_depth)
		mem_free(t->title_stack[--t->title_depth]);
	history_fini(&t->history);
	marks_fini(&t->marks);
	cluster_fini(&t->table);
	buf_fini(&t->replies);
	buf_fini(&t->parser.string);
	buf_fini(&t->clipboard);
	mem_free(t->palette);
	mem_free(t->events);
	mem_free(t->tabs);
	mem_free(t);
}

void
term_set_cell_pixels(struct term *t, unsigned width, unsigned height)
{
	if (!width || !height || width > 1000 || height > 1000)
		return;
	if (width == t->cell_width && height == t->cell_height)
		return;
	t->cell_width = (uint16_t)width;
	t->cell_height = (uint16_t)height;
	report_size(t);
}

void
term_cell_pixels(const struct term *t, unsigned *ret_width, unsigned *ret_height)
{
	*ret_width = t->cell_width;
	*ret_height = t->cell_height;
}

void
term_set_dark(struct term *t, bool is_dark)
{
	if (t->is_dark == is_dark)
		return;
	t->is_dark = is_dark;
	if (t->modes.colour_reports)
		term_reply(t, "\033[?997;%un", is_dark ? 1 : 2);
}

const void *
term_clipboard(const struct term *t, size_t *ret_len)
{
	*ret_len = t->clipboard.len;
	return t->clipboard.data;
}

struct size
term_size(const struct term *t)
{
	return t->size;
}

const char *
term_title(const struct term *t)
{
	return t->title;
}

const char *
term_cwd(const struct term *t)
{
	return t->cwd;
}

struct buf *
term_replies(struct term *t)
{
	return &t->replies;
}

uint64_t
term_version(const struct term *t)
{
	return t->version;
}

const struct term_modes *
term_modes(const struct term *t)
{
	return &t->modes;
}

void
term_cursor(const struct term *t, unsigned *ret_row, unsigned *ret_col)
{
	*ret_row = t->row;
	*ret_col = t->col;
}

const struct cell *
term_row(const struct term *t, unsigned row, unsigned *ret_used)
{
	unsigned at = t->on->top + row;
	const struct row *r;

	assert(row < t->size.rows);
	r = t->on->rows[at < t->size.rows ? at : at - t->size.rows];
	*ret_used = r->used;
	return r->cells;
}

size_t
term_cluster(const struct term *t, uint32_t ch, char *to, size_t size)
{
	return cluster_text(&t->table, ch, to, size);
}

struct cell_ext
term_ext(const struct term *t, uint16_t ext)
{
	return cluster_ext_of(&t->table, ext);
}

const char *
term_link(const struct term *t, uint32_t link)
{
	return cluster_link_uri(&t->table, link);
}

uint64_t
term_history_lines(const struct term *t)
{
	return t->history.next - t->history.first;
}

size_t
term_history_bytes(const struct term *t)
{
	return t->history.bytes;
}

uint64_t
term_first_line(const struct term *t)
{
	return t->history.first;
}

uint64_t
term_next_line(const struct term *t)
{
	return t->history.next;
}

/* A flood of the same event is one event: bells and titles must not push out the rest. */
static bool
event_repeats(const struct term *t, enum term_event_kind kind)
{
	unsigned newest = (t->event_head + t->event_count + EVENTS - 1) % EVENTS;

	return t->event_count && t->events[newest].kind == kind &&
	       (kind == TERM_EVENT_BELL || kind == TERM_EVENT_TITLE || kind == TERM_EVENT_CWD ||
		       kind == TERM_EVENT_PROGRESS);
}

void
term_event(struct term *t, enum term_event_kind kind, int32_t value, const char *text, size_t len)
{
	struct term_event *e;

	if (!t->events)
		t->events = mem_zero(EVENTS, sizeof t->events[0]);
	if (event_repeats(t, kind)) {
		t->event_count--;
	} else if (t->event_count == EVENTS) {
		t->event_head = (t->event_head + 1) % EVENTS;
		t->event_count--;
	}
	e = &t->events[(t->event_head + t->event_count++) % EVENTS];
	*e = (struct term_event){ .kind = kind, .value = value, .progress = -1 };
	e->line = t->history.next + t->row;
	text_strip(e->text, sizeof e->text, text ? text : "", text ? len : 0);
}

struct term_event *
term_newest_event(struct term *t)
{
	return &t->events[(t->event_head + t->event_count + EVENTS - 1) % EVENTS];
}

bool
term_next_event(struct term *t, struct term_event *ret)
{
	if (!t->event_count)
		return false;
	*ret = t->events[t->event_head];
	t->event_head = (t->event_head + 1) % EVENTS;
	t->event_count--;
	return true;
}

void
term_set_title(struct term *t, const char *text, size_t len)
{
	char clean[TITLE_BYTES];

	text_strip(clean, sizeof clean, text, len);
	if (strcmp(clean, t->title) == 0)
		return;
	memcpy(t->title, clean, sizeof clean);
	t->is_changed = true;
	term_event(t, TERM_EVENT_TITLE, 0, t->title, strlen(t->title));
}

void
title_push(struct term *t)
{
	if (t->title_depth < TITLE_STACK)
		t->title_stack[t->title_depth++] = mem_dup(t->title, strlen(t->title) + 1);
}

void
title_pop(struct term *t)
{
	AUTO(mem) char *title = NULL;

	if (!t->title_depth)
		return;
	title = t->title_stack[--t->title_depth];
	term_set_title(t, title, strlen(title));
}

void
term_reply(struct term *t, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (n > 0 && (size_t)n < sizeof text)
		buf_add(&t->replies, text,
			(size_t)n); /* a program that never reads its answers loses them */
}
