#include "term/line.h"

#include "sandesk/base/mem.h"
#include "term/screen.h"

void
chain_fini(struct chain *c)
{
	mem_free(c->cells);
	mem_free(c->starts);
	*c = (struct chain){ 0 };
}

uint64_t
chain_head(const struct history *h, uint64_t id)
{
	uint64_t first = id;
	unsigned cells = 0;

	while (first > h->first && id - first < CHAIN_LINES && cells < CHAIN_CELLS) {
		bool is_wrapped = false;
		int n = history_read(h, first - 1, NULL, 0, &is_wrapped);

		if (n < 0 || !is_wrapped)
			break;
		cells += (unsigned)n;
		first--;
	}
	return first;
}

static void
chain_reserve(struct chain *c, unsigned lines)
{
	while (c->room < c->count + HISTORY_MAX_CELLS) {
		c->room = c->room ? c->room * 2 : HISTORY_MAX_CELLS;
		c->cells = mem_grow(c->cells, c->room, sizeof c->cells[0]);
	}
	if (lines == c->starts_room) {
		c->starts_room = c->starts_room ? c->starts_room * 2 : 16;
		c->starts = mem_grow(c->starts, c->starts_room, sizeof c->starts[0]);
	}
}

/* Adds one line; false when the chain ends with it. */
static bool
chain_add(struct chain *c, const struct history *h)
{
	unsigned lines = (unsigned)(c->end - c->first);
	bool is_wrapped = false;
	int n;

	chain_reserve(c, lines);
	n = history_read(h, c->end, c->cells + c->count, HISTORY_MAX_CELLS, &is_wrapped);
	if (n < 0)
		return false;
	c->runs_on = is_wrapped;
	c->starts[lines] = c->count;
	c->count += (unsigned)(n > HISTORY_MAX_CELLS ? HISTORY_MAX_CELLS : n);
	c->end++;
	return c->runs_on && lines + 1 < CHAIN_LINES && c->count < CHAIN_CELLS;
}

void
chain_read(struct chain *c, const struct history *h, uint64_t first, uint64_t stop)
{
	if (c->end > c->first && c->first == first)
		return;
	c->first = c->end = first;
	c->count = 0;
	c->runs_on = false;
	while (c->end < stop && chain_add(c, h))
		;
	for (c->solid = c->count; c->solid; c->solid--) {
		const struct cell *last = &c->cells[c->solid - 1];

		if (last->ch || last->attr & ATTR_SPACER)
			break;
	}
}

unsigned
chain_row_end(const struct chain *c, unsigned from, unsigned cols)
{
	unsigned end = from + cols;

	if (end >= c->count)
		return c->count;
	return c->cells[end].attr & ATTR_SPACER ? end - 1 : end;
}

unsigned
chain_row_of(const struct chain *c, unsigned cell, unsigned cols)
{
	unsigned from = 0;

	for (;;) {
		unsigned end = chain_row_end(c, from, cols);

		if (cell < end || !chain_has_row(c, end))
			return from;
		from = end;
	}
}

uint64_t
chain_line(const struct chain *c, unsigned cell)
{
	unsigned low = 0, high = (unsigned)(c->end - c->first);

	while (high - low > 1) {
		unsigned middle = low + (high - low) / 2;

		if (c->starts[middle] <= cell)
			low = middle;
		else
			high = middle;
	}
	return c->first + low;
}

bool
line_enters_screen(const struct term *t)
{
	bool is_wrapped = false;

	return t->on == &t->main && t->history.next > t->history.first &&
	       history_read(&t->history, t->history.next - 1, NULL, 0, &is_wrapped) >= 0 &&
	       is_wrapped;
}

void
row_walk_init(struct row_walk *w, struct term *t, uint64_t from, uint64_t stop)
{
	uint64_t last = t->history.next + t->size.rows;

	*w = (struct row_walk){ .t = t,
		.next = from > t->history.first ? from : t->history.first,
		.stop = stop < last ? stop : last };
}

void
row_walk_fini(struct row_walk *w)
{
	chain_fini(&w->chain);
}

static bool
walk_screen(struct row_walk *w, struct row_shown *ret)
{
	const struct row *r;

	if (w->next >= w->stop)
		return false;
	r = screen_row(w->t, (unsigned)(w->next - w->t->history.next));
	*ret = (struct row_shown){ r->cells, r->used, w->next++, r->flags & ROW_WRAPPED };
	ret->is_wrapped = ret->is_wrapped && w->next < w->stop;
	if (w->stop_col && w->next == w->stop && ret->used > w->stop_col)
		ret->used = w->stop_col;
	return true;
}

/* Takes away what stands behind the last column that is wanted. */
static void
chain_crop(struct chain *c, unsigned stop_col)
{
	unsigned most = c->starts[c->end - c->first - 1] + stop_col;

	if (c->count > most)
		c->count = most;
	if (c->solid > most)
		c->solid = most;
}

bool
row_walk_next(struct row_walk *w, struct row_shown *ret)
{
	struct chain *c = &w->chain;
	const struct history *h = &w->t->history;
	unsigned from = w->from, end;

	if (!from) {
		if (w->next >= h->next)
			return walk_screen(w, ret);
		if (w->next >= w->stop)
			return false;
		c->end = c->first; /* nothing is there already */
		chain_read(c, h, w->next, w->stop);
		if (c->end == c->first)
			return false;
		w->next = c->end;
		if (w->stop_col && w->next == w->stop)
			chain_crop(c, w->stop_col);
	}
	end = chain_row_end(c, from, w->t->size.cols);
	*ret = (struct row_shown){ c->cells + from, end - from, chain_line(c, from), true };
	w->from = chain_has_row(c, end) ? end : 0;
	if (!w->from)
		ret->is_wrapped = c->runs_on && w->next < w->stop &&
				  (w->next < h->next || w->t->on == &w->t->main);
	return true;
}
