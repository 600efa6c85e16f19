/* resize.c - another size: the main screen flows, the alternate screen is cropped.
 *
 *   history (its newest line, when it runs on into the screen)  --.
 *   rows of the main screen, up to the last one in use          --+--> logical lines --> new rows
 *
 *   too many rows: the first ones become history; too few: history comes back, or blank rows.
 */
#include "term/screen.h"

#include "sandesk/base/mem.h"

enum { PULL_ROWS = 512 }; /* a line longer than that is not gone after in history */

/* Where the rows of before begin now: row `row` of the flow, for lines from `lowest` on. */
struct landing {
	struct mark_place *at; /* line: the row of the flow, until flow_settle() */
	size_t count, room;
	uint64_t lowest;
};

struct flow {
	struct term *t;
	unsigned cols;
	struct row **rows; /* owned */
	unsigned count, room;
	unsigned col; /* where the next cell goes in the last row */
	bool is_open; /* the last row belongs to a line that is not finished */
	bool has_cursor, cursor_pending;
	unsigned cursor_row, cursor_col;
	struct landing landing;
};

static void
landing_reserve(struct landing *l, size_t more)
{
	while (l->room < l->count + more) {
		l->room = l->room ? l->room * 2 : 64;
		l->at = mem_grow(l->at, l->room, sizeof l->at[0]);
	}
}

static struct row *
flow_row(struct flow *f)
{
	if (f->count == f->room) {
		f->room = f->room ? f->room * 2 : 64;
		f->rows = mem_grow(f->rows, f->room, sizeof f->rows[0]);
	}
	f->rows[f->count] = row_new(f->t, f->cols);
	f->col = 0;
	f->is_open = true;
	return f->rows[f->count++];
}

static void
flow_cell(struct flow *f, const struct cell *c, unsigned width)
{
	struct row *r = f->rows[f->count - 1];

	if (f->col + width > f->cols) {
		r->flags |= ROW_WRAPPED;
		r = flow_row(f);
	}
	row_reach(r, f->col + width);
	r->cells[f->col] = c[0];
	if (width == 2) {
		r->cells[f->col + 1] = c[1];
		r->flags |= ROW_WIDE;
	}
	if (c->ch >= 0x80 || c->fg || c->bg || c->attr || c->ext)
		r->flags |= ROW_STYLED;
	f->col += width;
}

static void
flow_cursor(struct flow *f, unsigned beyond)
{
	f->has_cursor = true;
	f->cursor_row = f->count - 1;
	f->cursor_col = f->col + beyond;
	f->cursor_pending = f->cursor_col == f->cols && !beyond;
	if (f->cursor_col >= f->cols)
		f->cursor_col = f->cols - 1;
}

/* Blanks at the end that only carry a background do not make new rows. */
static unsigned
flow_length(const struct flow *f, const struct cell *cells, unsigned used, bool is_wrapped)
{
	unsigned n = used;

	if (is_wrapped || used <= f->cols)
		return used;
	while (n > f->cols && !cells[n - 1].ch && !(cells[n - 1].attr & ATTR_SPACER))
		n--;
	return n;
}

/* Adds one row of the old width. cursor: its column in this row, -1 when it is elsewhere. */
static void
flow_add(struct flow *f, const struct cell *cells, unsigned used, bool is_wrapped, int cursor)
{
	unsigned n = flow_length(f, cells, used, is_wrapped);

	if (!f->is_open)
		flow_row(f);
	landing_reserve(&f->landing, 1);
	f->landing.at[f->landing.count++] = (struct mark_place){ f->count - 1, f->col };
	for (unsigned i = 0; i < n; i++) {
		bool is_wide = cells[i].attr & ATTR_WIDE && i + 1 < used;

		if (cells[i].attr & ATTR_SPACER)
			continue;
		flow_cell(f, &cells[i], is_wide ? 2 : 1);
		if (cursor == (int)i || (is_wide && cursor == (int)i + 1)) {
			f->col -= is_wide ? 2 : 1;
			flow_cursor(f, (unsigned)cursor - i);
			f->col += is_wide ? 2 : 1;
		}
	}
	if (cursor >= (int)n)
		flow_cursor(f, (unsigned)cursor - n);
	if (!is_wrapped)
		f->is_open = false;
}

/* Takes the newest logical line out of history and into the flow. */
static void
flow_pull(struct flow *f)
{
	struct history *h = &f->t->history;
	AUTO(mem) struct cell *cells = mem_alloc(HISTORY_MAX_CELLS * sizeof cells[0]);
	uint64_t first = h->next - 1, stop = h->next;
	bool is_wrapped;

	while (first > h->first && stop - first < PULL_ROWS &&
		history_read(h, first - 1, cells, 1, &is_wrapped) >= 0 && is_wrapped)
		first--;
	for (uint64_t id = first; id < stop; id++) {
		int n = history_read(h, id, cells, HISTORY_MAX_CELLS, &is_wrapped);

		flow_add(f, cells, n < 0 ? 0 : (unsigned)n, is_wrapped, -1);
	}
	while (h->next > first)
		history_pop(h);
	f->landing.lowest = first;
}

static bool
history_runs_on(const struct history *h)
{
	struct cell one;
	bool is_wrapped = false;

	return h->next > h->first && history_read(h, h->next - 1, &one, 1, &is_wrapped) >= 0 &&
	       is_wrapped;
}

/* Takes over what landed in the rows that now stand in front. */
static void
landing_prepend(struct landing *l, struct landing *above, unsigned rows)
{
	landing_reserve(above, l->count);
	for (size_t i = 0; i < l->count; i++)
		above->at[above->count++] =
			(struct mark_place){ l->at[i].line + rows, l->at[i].col };
	mem_free(l->at);
	*l = *above;
}

/* Puts history in front until the screen is full again. */
static void
flow_refill(struct flow *f, unsigned rows)
{
	while (f->count < rows && f->t->history.next > f->t->history.first) {
		struct flow above = { .t = f->t, .cols = f->cols };

		flow_pull(&above);
		if (above.is_open) /* it runs on into what is there already */
			above.rows[above.count - 1]->flags |= ROW_WRAPPED;
		while (f->room < f->count + above.count) {
			f->room = f->room ? f->room * 2 : 64;
			f->rows = mem_grow(f->rows, f->room, sizeof f->rows[0]);
		}
		memmove(f->rows + above.count, f->rows, f->count * sizeof f->rows[0]);
		memcpy(f->rows, above.rows, above.count * sizeof f->rows[0]);
		f->count += above.count;
		f->cursor_row += above.count;
		mem_free(above.rows);
		landing_prepend(&f->landing, &above.landing, above.count);
	}
}

/* Tells the marks where their lines are, once the first row of the flow has an id. */
static void
flow_settle(struct flow *f, uint64_t first_line)
{
	struct landing *l = &f->landing;

	for (size_t i = 0; i < l->count; i++)
		l->at[i].line += first_line;
	marks_move(&f->t->marks, l->lowest, l->at, l->count, f->cols);
	mem_free(l->at);
}

/* The rows that stay visible, as the rows of a screen of the new height; those above become
 * history. */
static struct row **
flow_take(struct flow *f, unsigned rows, unsigned *ret_first)
{
	struct row **to = mem_zero(rows, sizeof to[0]);
	unsigned first = f->count > rows ? f->count - rows : 0;

	if (first > f->cursor_row)
		first = f->cursor_row;
	for (unsigned i = 0; i < f->count; i++) {
		struct row *r = f->rows[i];

		if (i >= first && i - first < rows) {
			to[i - first] = r;
			continue;
		}
		if (i < first)
			history_push(&f->t->history, r->cells, r->used, r->flags & ROW_WRAPPED,
				!(r->flags & ROW_STYLED));
		mem_free(r);
	}
	for (unsigned i = 0; i < rows; i++)
		if (!to[i])
			to[i] = row_new(f->t, f->cols);
	mem_free(f->rows);
	*ret_first = first;
	return to;
}

static unsigned
rows_in_use(struct term *t, unsigned cursor_row)
{
	unsigned last = t->size.rows - 1u;

	while (last > cursor_row && !screen_row(t, last)->used)
		last--;
	return last + 1;
}

/* Moves the main screen to the new size; the cursor given is in it and is moved along. */
static void
resize_main(struct term *t, struct size size, struct saved_cursor *cursor)
{
	struct screen *was_on = t->on;
	struct flow f = { .t = t, .cols = size.cols };
	struct row **rows;
	unsigned used, first;
	uint64_t first_line;
	bool was_full;

	t->on = &t->main;
	used = rows_in_use(t, cursor->row);
	was_full = used == t->size.rows;
	f.landing.lowest = t->history.next;
	if (size.cols != t->size.cols && history_runs_on(&t->history))
		flow_pull(&f);
	for (unsigned i = 0; i < used; i++) {
		struct row *r = screen_row(t, i);

		flow_add(&f, r->cells, r->used, r->flags & ROW_WRAPPED,
			i == cursor->row ? cursor->col + (cursor->wrap_pending ? 1 : 0) : -1);
	}
	if (was_full)
		flow_refill(&f, size.rows);
	first_line = t->history.next;
	rows = flow_take(&f, size.rows, &first);
	flow_settle(&f, first_line);
	screen_free(t, &t->main);
	t->main = (struct screen){ .rows = rows, .saved = t->main.saved };
	cursor->row = (uint16_t)(f.cursor_row - first);
	cursor->col = (uint16_t)f.cursor_col;
	cursor->wrap_pending = f.cursor_pending;
	t->on = was_on;
}

static void
resize_alt(struct term *t, struct size size, struct saved_cursor *cursor)
{
	struct row **rows = mem_zero(size.rows, sizeof rows[0]);
	struct screen *was_on = t->on;
	unsigned skip = cursor->row >= size.rows ? cursor->row - size.rows + 1u : 0;

	t->on = &t->alt;
	for (unsigned i = 0; i < size.rows; i++) {
		struct row *r = rows[i] = row_new(t, size.cols), *old;

		if (i + skip >= t->size.rows)
			continue;
		old = screen_row(t, i + skip);
		row_cut_wide(old, size.cols, old->used);
		r->used = old->used < size.cols ? old->used : size.cols;
		r->flags = old->flags & (uint16_t)~ROW_WRAPPED;
		memcpy(r->cells, old->cells, r->used * sizeof r->cells[0]);
	}
	screen_free(t, &t->alt);
	t->alt.rows = rows;
	t->alt.top = 0;
	cursor->row = (uint16_t)(cursor->row - skip);
	t->on = was_on;
}

static void
tabs_resize(struct term *t, unsigned old)
{
	t->tabs = mem_grow(t->tabs, t->size.cols, 1);
	if (t->size.cols > old)
		tabs_reset(t, old);
}

static void
saved_clamp(struct saved_cursor *s, struct size size)
{
	if (s->row >= size.rows)
		s->row = size.rows - 1;
	if (s->col >= size.cols)
		s->col = size.cols - 1;
}

void
term_resize(struct term *t, struct size size)
{
	struct saved_cursor here = {
		.row = (uint16_t)t->row, .col = (uint16_t)t->col, .wrap_pending = t->wrap_pending
	};
	unsigned old_cols = t->size.cols;

	size = size_clamp(size.rows, size.cols);
	if (size_equal(size, t->size))
		return;
	resize_main(t, size, t->on == &t->main ? &here : &t->main.saved);
	if (t->alt.rows)
		resize_alt(t, size, t->on == &t->alt ? &here : &(struct saved_cursor){ 0 });
	t->size = size;
	saved_clamp(&t->main.saved, size);
	saved_clamp(&t->alt.saved, size);
	tabs_resize(t, old_cols);
	t->region_top = t->left = 0;
	t->region_bottom = size.rows - 1u;
	t->right = size.cols - 1u;
	cursor_goto(t, here.row, here.col);
	t->wrap_pending = here.wrap_pending && t->col + 1u == size.cols;
	print_update(t);
	report_size(t);
	t->version++;
}
