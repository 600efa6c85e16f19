#include "term/screen.h"

#include "sandesk/base/mem.h"

struct row *
row_new(struct term *t, unsigned cols)
{
	/* The cells are not touched: pages of a huge screen cost nothing until they are written. */
	struct row *r = mem_alloc(sizeof *r + cols * sizeof r->cells[0]);

	*r = (struct row){ .uid = ++t->next_uid, .version = t->epoch, .room = cols };
	return r;
}

void
row_blank(struct term *t, struct row *r)
{
	r->uid = ++t->next_uid;
	r->used = 0;
	r->flags = 0;
	row_touch(t, r);
}

void
row_cut_halves(struct row *r, unsigned from, unsigned to)
{
	if (from && r->cells[from].attr & ATTR_SPACER) {
		cell_half(&r->cells[from - 1]);
		cell_half(&r->cells[from]);
	}
	if (to && to < r->used && r->cells[to].attr & ATTR_SPACER) {
		cell_half(&r->cells[to - 1]);
		cell_half(&r->cells[to]);
	}
}

bool
screen_make(struct term *t, struct screen *s)
{
	if (s->rows)
		return false;
	s->rows = mem_zero(t->size.rows, sizeof s->rows[0]);
	s->top = 0;
	for (unsigned i = 0; i < t->size.rows; i++)
		s->rows[i] = row_new(t, t->size.cols);
	return true;
}

void
screen_free(struct term *t, struct screen *s)
{
	for (unsigned i = 0; s->rows && i < t->size.rows; i++)
		mem_free(s->rows[i]);
	mem_free(s->rows);
	s->rows = NULL;
}

/* Fills [from, to) with blanks in the pen's background; ends the row there when that is the
 * default. */
static void
row_erase(struct term *t, struct row *r, unsigned from, unsigned to)
{
	struct cell blank = { .bg = t->pen.cell.bg };

	row_cut_wide(r, from, to);
	if (!blank.bg && to >= r->used) {
		if (r->used > from)
			r->used = (uint16_t)from;
	} else {
		if (blank.bg)
			row_reach(r, to);
		if (from < r->used)
			cells_clear(r->cells + from, (to < r->used ? to : r->used) - from, blank);
		if (blank.bg)
			r->flags |= ROW_STYLED;
	}
	if (from == 0 && r->used == 0)
		r->flags = 0;
	row_touch(t, r);
}

void
screen_erase(struct term *t, unsigned row, unsigned from, unsigned to, bool keep_protected)
{
	struct row *r = screen_row(t, row);

	if (to == t->size.cols)
		r->flags &= (uint16_t)~ROW_WRAPPED;
	if (!keep_protected) {
		row_erase(t, r, from, to);
		return;
	}
	for (unsigned i = from; i < to && i < r->used; i++) {
		struct cell *c = &r->cells[i];

		if (c->attr & ATTR_PROTECTED)
			continue;
		row_cut_wide(r, i, i + 1);
		*c = (struct cell){ .bg = t->pen.cell.bg };
	}
	if (t->pen.cell.bg)
		r->flags |= ROW_STYLED;
	row_touch(t, r);
}

static void
history_take(struct term *t, const struct row *r)
{
	history_push(
		&t->history, r->cells, r->used, r->flags & ROW_WRAPPED, !(r->flags & ROW_STYLED));
}

static void
row_recycle(struct term *t, struct row *r)
{
	row_blank(t, r);
	if (t->pen.cell.bg)
		row_erase(t, r, 0, t->size.cols);
}

/* All of the screen by one line: the common case of every flood. */
static void
scroll_ring(struct term *t, bool keep)
{
	struct row *r = t->on->rows[t->on->top];

	if (keep)
		history_take(t, r);
	if (++t->on->top == t->size.rows)
		t->on->top = 0;
	row_recycle(t, r);
}

/* Between left and right margins there are no whole rows to move. */
static void
scroll_cells(struct term *t, unsigned to, unsigned from)
{
	struct row *dst = screen_row(t, to), *src = screen_row(t, from);
	unsigned end = t->right + 1;

	row_cut_wide(src, t->left, end);
	row_cut_wide(dst, t->left, end);
	row_reach(src, end);
	row_reach(dst, end);
	memcpy(dst->cells + t->left, src->cells + t->left, (end - t->left) * sizeof dst->cells[0]);
	dst->flags |= src->flags & (ROW_STYLED | ROW_WIDE);
	row_touch(t, dst);
	row_touch(t, src);
}

static bool
is_partial(const struct term *t)
{
	return t->left > 0 || t->right + 1u < t->size.cols;
}

static void
scroll_up_partial(struct term *t, unsigned top, unsigned bottom, unsigned n)
{
	for (unsigned i = top; i + n <= bottom; i++)
		scroll_cells(t, i, i + n);
	for (unsigned i = bottom + 1 - n; i <= bottom; i++)
		row_erase(t, screen_row(t, i), t->left, t->right + 1);
}

/* Moves rows top..bottom up by n, those that fall out come in again below. */
static void
rows_rotate(struct term *t, unsigned top, unsigned bottom, unsigned n)
{
	unsigned height = bottom - top + 1;
	AUTO(mem) struct row **out = mem_alloc(height * sizeof out[0]);

	for (unsigned i = 0; i < height; i++)
		out[i] = screen_row(t, top + (i + n) % height);
	for (unsigned i = 0; i < height; i++)
		*screen_slot(t, top + i) = out[i];
	t->is_changed = true;
}

/* `keep`: lines that leave the top of the main screen become history. */
static void
scroll_up(struct term *t, unsigned top, unsigned bottom, unsigned n, bool keep)
{
	unsigned height = bottom - top + 1;

	keep = keep && !top && t->on == &t->main;
	if (n > height)
		n = height;
	t->can_join = false;
	if (is_partial(t)) {
		scroll_up_partial(t, top, bottom, n);
		return;
	}
	if (height == t->size.rows) {
		while (n--)
			scroll_ring(t, keep);
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		if (keep)
			history_take(t, screen_row(t, i));
		row_recycle(t, screen_row(t, top + i));
	}
	rows_rotate(t, top, bottom, n);
}

void
screen_scroll_up(struct term *t, unsigned top, unsigned bottom, unsigned n)
{
	scroll_up(t, top, bottom, n, true);
}

void
screen_delete_lines(struct term *t, unsigned top, unsigned bottom, unsigned n)
{
	scroll_up(t, top, bottom, n, false);
}

static void
scroll_down_partial(struct term *t, unsigned top, unsigned bottom, unsigned n)
{
	for (unsigned i = bottom; i >= top + n; i--)
		scroll_cells(t, i, i - n);
	for (unsigned i = top; i < top + n; i++)
		row_erase(t, screen_row(t, i), t->left, t->right + 1);
}

void
screen_scroll_down(struct term *t, unsigned top, unsigned bottom, unsigned n)
{
	unsigned height = bottom - top + 1;

	if (n > height)
		n = height;
	t->can_join = false;
	if (is_partial(t)) {
		scroll_down_partial(t, top, bottom, n);
		return;
	}
	if (top)
		screen_row(t, top - 1)->flags &= (uint16_t)~ROW_WRAPPED;
	for (unsigned i = 0; i < n; i++)
		row_recycle(t, screen_row(t, bottom - i));
	rows_rotate(t, top, bottom, height - n);
}

void
screen_insert_cells(struct term *t, unsigned n)
{
	struct row *r = screen_row(t, t->row);
	unsigned end = t->right + 1, from = t->col;

	if (from >= end || from < t->left)
		return;
	if (n > end - from)
		n = end - from;
	row_cut_wide(r, from, end);
	row_cut_wide(r, end - n, end);
	if (from < r->used) {
		row_reach(r, r->used + n < end ? r->used + n : r->used > end ? r->used : end);
		unsigned stop = r->used < end ? r->used : end;

		memmove(r->cells + from + n, r->cells + from,
			(stop - from - n) * sizeof r->cells[0]);
	}
	for (unsigned i = from; i < from + n && i < r->used; i++)
		r->cells[i] = (struct cell){ 0 };
	row_erase(t, r, from, from + n);
}

void
screen_delete_cells(struct term *t, unsigned n)
{
	struct row *r = screen_row(t, t->row);
	unsigned end = t->right + 1, from = t->col;

	if (from >= end || from < t->left)
		return;
	if (n > end - from)
		n = end - from;
	row_cut_wide(r, from, end);
	row_cut_wide(r, from, from + n);
	if (r->used > from) {
		bool is_tail = end == t->size.cols && !t->pen.cell.bg;
		unsigned stop;

		if (!is_tail)
			row_reach(r, end);
		stop = r->used < end ? r->used : end;
		if (from + n < stop)
			memmove(r->cells + from, r->cells + from + n,
				(stop - from - n) * sizeof r->cells[0]);
		if (is_tail)
			r->used = (uint16_t)(from + n < stop ? stop - n : from);
		/* what was moved away must not be taken for halves of what stands there now */
		for (unsigned i = end - n; i < end && i < r->used; i++)
			r->cells[i] = (struct cell){ 0 };
	}
	row_erase(t, r, end - n, end);
	r->flags &= (uint16_t)~ROW_WRAPPED;
}

void
cursor_goto(struct term *t, unsigned row, unsigned col)
{
	t->row = row < t->size.rows ? row : t->size.rows - 1u;
	t->col = col < t->size.cols ? col : t->size.cols - 1u;
	t->wrap_pending = false;
	t->can_join = false;
}

void
cursor_index(struct term *t)
{
	t->wrap_pending = false;
	t->can_join = false;
	if (t->row == t->region_bottom) {
		if (t->col >= t->left && t->col <= t->right)
			screen_scroll_up(t, t->region_top, t->region_bottom, 1);
	} else if (t->row + 1u < t->size.rows) {
		t->row++;
	}
}

void
cursor_reverse_index(struct term *t)
{
	t->wrap_pending = false;
	t->can_join = false;
	if (t->row == t->region_top) {
		if (t->col >= t->left && t->col <= t->right)
			screen_scroll_down(t, t->region_top, t->region_bottom, 1);
	} else if (t->row) {
		t->row--;
	}
}

void
cursor_save(struct term *t)
{
	t->on->saved = (struct saved_cursor){
		.row = (uint16_t)t->row,
		.col = (uint16_t)t->col,
		.wrap_pending = t->wrap_pending,
		.origin = t->modes.origin,
		.charsets = t->charsets,
		.pen = t->pen,
	};
}

void
cursor_restore(struct term *t)
{
	const struct saved_cursor *s = &t->on->saved;

	cursor_goto(t, s->row, s->col);
	t->wrap_pending = s->wrap_pending && t->col + 1u == t->size.cols;
	t->modes.origin = s->origin;
	t->charsets = s->charsets;
	t->pen = s->pen;
	pen_update(t);
	print_update(t);
}
