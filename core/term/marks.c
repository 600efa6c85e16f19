#include "term/marks.h"

#include <errno.h>

#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "term/line.h"
#include "term/screen.h"

void
term_set_time(struct term *t, uint64_t now_us)
{
	t->marks.now_us = now_us;
}

static struct mark *
mark_at(const struct marks *m, unsigned i)
{
	return &m->ring[(m->head + i) % MARKS_MAX];
}

static void
mark_clear(struct mark *m)
{
	mem_free(m->text);
	mem_free(m->cwd);
	*m = (struct mark){ .status = -1 };
}

void
marks_fini(struct marks *m)
{
	for (unsigned i = 0; i < m->count; i++)
		mark_clear(mark_at(m, i));
	mem_free(m->ring);
	*m = (struct marks){ 0 };
}

static struct mark *
mark_newest(const struct marks *m)
{
	return m->count ? mark_at(m, m->count - 1) : NULL;
}

static struct mark_place
place_here(const struct term *t)
{
	return (struct mark_place){ t->history.next + t->row, t->col };
}

/* A mark that begins here, the newest. */
static struct mark *
mark_add(struct term *t)
{
	struct marks *m = &t->marks;
	struct mark *new;

	if (!m->ring)
		m->ring = mem_zero(MARKS_MAX, sizeof m->ring[0]);
	if (m->count == MARKS_MAX) {
		mark_clear(mark_at(m, 0));
		m->head = (m->head + 1) % MARKS_MAX;
		m->count--;
	}
	new = mark_at(m, m->count++);
	mark_clear(new);
	new->number = ++m->last_number;
	new->prompt = new->command = new->output = new->end = place_here(t);
	return new;
}

/* What is printed from here on overwrites the lines of earlier commands that stood below. */
static void
marks_overwrite(struct term *t)
{
	uint64_t here = place_here(t).line;

	for (unsigned i = 0; i + 1 < t->marks.count; i++) {
		struct mark *m = mark_at(&t->marks, i);

		m->is_lost |= m->end.line > here;
	}
}

/* The text between two places of the main screen, blanks for line ends. */
static char *
text_between(struct term *t, struct mark_place from, struct mark_place to)
{
	AUTO(buf) struct buf text = { .limit = MARK_TEXT_BYTES };
	char clean[MARK_TEXT_BYTES + 1], part[TERM_CLUSTER_BYTES];
	struct row_walk walk;
	struct row_shown row;
	size_t len;

	row_walk_init(&walk, t, from.line, to.line + (to.col > 0));
	walk.stop_col = to.col;
	for (unsigned col = from.col; row_walk_next(&walk, &row) && !text.is_full; col = 0) {
		for (; col < row.used && !text.is_full; col++) {
			if (row.cells[col].ch)
				buf_add(&text, part,
					cluster_text(&t->table, row.cells[col].ch, part,
						sizeof part));
			else if (!(row.cells[col].attr & ATTR_SPACER))
				buf_add_char(&text, ' ');
		}
		if (!row.is_wrapped)
			buf_add_char(&text, ' ');
	}
	row_walk_fini(&walk);
	text_strip(clean, sizeof clean, text.data ? text.data : "", text.len);
	for (len = strlen(clean); len && clean[len - 1] == ' ';)
		clean[--len] = 0;
	return str_dup(clean + strspn(clean, " "));
}

static void
mark_end(struct term *t, struct mark *m, int status)
{
	m->state = MARK_DONE;
	m->status = status;
	m->end = place_here(t);
	m->ended_us = t->marks.now_us;
}

static void
mark_prompt(struct term *t)
{
	struct mark *m = mark_newest(&t->marks);

	if (m && m->state == MARK_RUNNING)
		mark_end(t, m, -1); /* the shell did not say that it ended, but it has */
	if (m && m->state < MARK_RUNNING) /* a prompt at which nothing was run, drawn again */
		m->prompt = m->command = m->output = m->end = place_here(t);
	else
		m = mark_add(t);
	m->state = MARK_PROMPT;
	marks_overwrite(t);
}

static void
mark_output(struct term *t)
{
	struct mark *m = mark_newest(&t->marks);
	bool has_command = m && m->state == MARK_COMMAND;

	if (m && m->state == MARK_RUNNING)
		mark_end(t, m, -1);
	if (!m || m->state >= MARK_RUNNING)
		m = mark_add(t);
	m->text = has_command ? text_between(t, m->command, place_here(t)) : str_dup("");
	m->cwd = str_dup(t->cwd);
	m->output = m->end = place_here(t);
	m->started_us = t->marks.now_us;
	m->state = MARK_RUNNING;
	marks_overwrite(t);
}

void
marks_event(struct term *t, enum term_event_kind kind, int status)
{
	struct mark *m = mark_newest(&t->marks);

	if (t->on != &t->main)
		return;
	if (kind == TERM_EVENT_PROMPT)
		mark_prompt(t);
	else if (kind == TERM_EVENT_OUTPUT)
		mark_output(t);
	else if (kind == TERM_EVENT_COMMAND_DONE && m && m->state == MARK_RUNNING)
		mark_end(t, m, status);
	if (kind != TERM_EVENT_COMMAND || (m && m->state == MARK_RUNNING))
		return;
	if (!m || m->state == MARK_DONE)
		m = mark_add(t);
	m->command = place_here(t);
	m->state = MARK_COMMAND;
}

size_t
term_commands(const struct term *t)
{
	const struct mark *newest = mark_newest(&t->marks);

	return newest && newest->state < MARK_RUNNING ? t->marks.count - 1 : t->marks.count;
}

const struct mark *
term_command(const struct term *t, size_t i)
{
	return i < term_commands(t) ? mark_at(&t->marks, (unsigned)i) : NULL;
}

static struct mark_place
output_end(const struct term *t, const struct mark *m)
{
	return m->state == MARK_DONE ? m->end : place_here(t);
}

int
term_command_lines(struct term *t, const struct mark *m, uint64_t *ret_from, uint64_t *ret_stop)
{
	struct mark_place end = output_end(t, m);
	uint64_t stop = end.line + (end.col > 0);

	if (m->is_lost || t->on != &t->main ||
		(stop <= t->history.first && stop > m->output.line))
		return -ENOENT;
	*ret_from = m->output.line > t->history.first ? m->output.line : t->history.first;
	*ret_stop = stop > *ret_from ? stop : *ret_from;
	return 0;
}

int
term_command_output(
	struct term *t, const struct mark *m, struct buf *to, enum term_text_flags flags)
{
	uint64_t from, stop;
	int r = term_command_lines(t, m, &from, &stop);

	if (!r)
		text_range(t, from, stop, output_end(t, m).col, to, flags);
	return r;
}

static void
place_move(struct mark_place *p, uint64_t lowest, const struct mark_place *at, size_t count,
	unsigned cols)
{
	uint64_t col;

	if (p->line < lowest || !count)
		return;
	if (p->line - lowest >= count) {
		*p = at[count - 1];
		return;
	}
	col = at[p->line - lowest].col + p->col;
	*p = (struct mark_place){ at[p->line - lowest].line + col / cols, (uint32_t)(col % cols) };
}

void
marks_move(
	struct marks *m, uint64_t lowest, const struct mark_place *at, size_t count, unsigned cols)
{
	for (unsigned i = 0; i < m->count; i++) {
		struct mark *one = mark_at(m, i);

		place_move(&one->prompt, lowest, at, count, cols);
		place_move(&one->command, lowest, at, count, cols);
		place_move(&one->output, lowest, at, count, cols);
		place_move(&one->end, lowest, at, count, cols);
	}
}
