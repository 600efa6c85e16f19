/* rect.c - rectangles and columns of the screen (VT420). */
#include "term/screen.h"
#include "term/sequences.h"

#include "sandesk/base/mem.h"

struct rect {
	unsigned top, left, bottom, right; /* from 0; bottom and right are not part of it */
};

/* Parameters i to i + 3: top, left, bottom, right. False when there is nothing inside. */
static bool
rect_read(const struct term *t, const struct parser *p, unsigned i, struct rect *ret)
{
	bool origin = t->modes.origin;
	unsigned rows = origin ? t->region_bottom + 1 : t->size.rows;
	unsigned cols = origin ? t->right + 1 : t->size.cols;
	unsigned down = origin ? t->region_top : 0, across = origin ? t->left : 0;
	struct rect r = { param(p, i, 1) - 1 + down, param(p, i + 1, 1) - 1 + across,
		param(p, i + 2, PARAM_LIMIT) + down, param(p, i + 3, PARAM_LIMIT) + across };

	r.bottom = r.bottom < rows ? r.bottom : rows;
	r.right = r.right < cols ? r.right : cols;
	*ret = r;
	return r.top < r.bottom && r.left < r.right;
}

static void
row_fill(struct term *t, unsigned row, const struct rect *r, struct cell cell)
{
	struct row *at = screen_row(t, row);

	row_cut_wide(at, r->left, r->right);
	row_reach(at, r->right);
	for (unsigned col = r->left; col < r->right; col++)
		at->cells[col] = cell;
	at->flags |= ROW_STYLED;
	row_touch(t, at);
}

void
rect_fill(struct term *t, const struct parser *p)
{
	struct cell cell = t->pen.cell;
	struct rect r;

	cell.ch = param(p, 0, 0);
	if (cell.ch < 0x20 || cell.ch > 0xff || (cell.ch > 0x7e && cell.ch < 0xa0) ||
		!rect_read(t, p, 1, &r))
		return;
	for (unsigned row = r.top; row < r.bottom; row++)
		row_fill(t, row, &r, cell);
}

static void
erase(struct term *t, const struct parser *p, bool keep_protected)
{
	struct rect r;

	if (!rect_read(t, p, 0, &r))
		return;
	for (unsigned row = r.top; row < r.bottom; row++)
		screen_erase(t, row, r.left, r.right, keep_protected);
}

void
rect_erase(struct term *t, const struct parser *p)
{
	erase(t, p, false);
}

void
rect_erase_selective(struct term *t, const struct parser *p)
{
	erase(t, p, true);
}

static void
cell_blank(struct cell *c)
{
	c->ch = 0;
	c->attr &= (uint16_t) ~(ATTR_WIDE | ATTR_SPACER);
}

/* A half of a wide character is copied as a blank; where it came from it stays whole. */
static void
row_copy(struct term *t, unsigned to, unsigned to_col, unsigned from, unsigned from_col, unsigned n)
{
	struct row *dst = screen_row(t, to), *src = screen_row(t, from);
	AUTO(mem) struct cell *cells = mem_zero(n, sizeof cells[0]);

	if (from_col < src->used)
		memcpy(cells, src->cells + from_col,
			(n < src->used - from_col ? n : src->used - from_col) * sizeof cells[0]);
	if (cells[0].attr & ATTR_SPACER)
		cell_blank(&cells[0]);
	if (cells[n - 1].attr & ATTR_WIDE)
		cell_blank(&cells[n - 1]);
	row_cut_wide(dst, to_col, to_col + n);
	row_reach(dst, to_col + n);
	memcpy(dst->cells + to_col, cells, n * sizeof cells[0]);
	dst->flags |= src->flags & (ROW_STYLED | ROW_WIDE);
	row_touch(t, dst);
}

/* The pages are one and the same here. */
void
rect_copy(struct term *t, const struct parser *p)
{
	bool origin = t->modes.origin;
	unsigned row = param(p, 5, 1) - 1 + (origin ? t->region_top : 0);
	unsigned col = param(p, 6, 1) - 1 + (origin ? t->left : 0);
	unsigned height, width;
	struct rect r;

	if (!rect_read(t, p, 0, &r) || row >= t->size.rows || col >= t->size.cols)
		return;
	height = r.bottom - r.top < t->size.rows - row ? r.bottom - r.top : t->size.rows - row;
	width = r.right - r.left < t->size.cols - col ? r.right - r.left : t->size.cols - col;
	for (unsigned i = 0; i < height; i++) {
		/* whichever end is not overwritten before it is read */
		unsigned at = row > r.top ? height - 1 - i : i;

		row_copy(t, row + at, col, r.top + at, r.left, width);
	}
}

/* What DECCARA and DECRARA can change. */
static const struct {
	uint8_t number;
	uint16_t bits;
} styles[] = { { 1, ATTR_BOLD }, { 4, UNDERLINE_SINGLE << ATTR_UNDERLINE_SHIFT }, { 5, ATTR_BLINK },
	{ 7, ATTR_REVERSE }, { 8, ATTR_HIDDEN } };

struct change {
	uint16_t clear, set, toggle;
};

static uint16_t
style_bits(unsigned number)
{
	for (size_t i = 0; i < ARRAY_LEN(styles); i++)
		if (styles[i].number == number)
			return styles[i].bits;
	return 0;
}

static uint16_t
style_all(void)
{
	uint16_t all = ATTR_UNDERLINE;

	for (size_t i = 0; i < ARRAY_LEN(styles); i++)
		all |= styles[i].bits;
	return all;
}

static void
change_add(struct change *c, unsigned number)
{
	uint16_t off = number == 0    ? style_all()
		       : number == 22 ? ATTR_BOLD
		       : number == 24 ? ATTR_UNDERLINE
				      : style_bits(number > 20 ? number - 20 : 0);

	if (number == 0 || number > 20) {
		c->clear |= off;
		c->set &= (uint16_t)~off;
	} else if (number == 4) {
		c->clear |= ATTR_UNDERLINE;
		c->set = (uint16_t)((c->set & ~ATTR_UNDERLINE) | style_bits(4));
	} else {
		c->set |= style_bits(number);
	}
}

/* An underline of any kind is toggled as a whole. */
static uint16_t
change_apply(struct change c, uint16_t attr)
{
	attr = (uint16_t)((attr & ~c.clear) | c.set);
	if (c.toggle & ATTR_UNDERLINE) {
		attr = (uint16_t)(attr & ATTR_UNDERLINE ? attr & ~ATTR_UNDERLINE
							: attr | style_bits(4));
		c.toggle &= (uint16_t)~ATTR_UNDERLINE;
	}
	return attr ^ c.toggle;
}

static void
row_change(struct term *t, unsigned row, unsigned from, unsigned to, struct change c)
{
	struct row *at = screen_row(t, row);

	row_reach(at, to);
	/* a wide character looks as its first cell does */
	if (at->cells[from].attr & ATTR_SPACER)
		from++;
	if (to < at->used && at->cells[to].attr & ATTR_SPACER)
		to++;
	for (unsigned col = from; col < to; col++)
		at->cells[col].attr = change_apply(c, at->cells[col].attr);
	at->flags |= ROW_STYLED;
	row_touch(t, at);
}

/* DECSACE: a rectangle, or the run of characters from its first corner to its last. */
static void
rect_apply(struct term *t, const struct rect *r, struct change c)
{
	for (unsigned row = r->top; row < r->bottom; row++) {
		bool is_stream = t->extent != 2;

		row_change(t, row, is_stream && row > r->top ? 0 : r->left,
			is_stream && row + 1 < r->bottom ? t->size.cols : r->right, c);
	}
}

/* In a run the last column may stand left of the first. */
static bool
rect_read_extent(const struct term *t, const struct parser *p, struct rect *ret)
{
	return rect_read(t, p, 0, ret) ||
	       (t->extent != 2 && ret->top + 1 < ret->bottom && ret->left < t->size.cols);
}

void
rect_change(struct term *t, const struct parser *p)
{
	struct change c = { 0 };
	struct rect r;

	if (!rect_read_extent(t, p, &r))
		return;
	for (unsigned i = 4; i < p->count || i == 4; i++)
		change_add(&c, param(p, i, 0));
	rect_apply(t, &r, c);
}

void
rect_reverse(struct term *t, const struct parser *p)
{
	struct change c = { 0 };
	struct rect r;

	if (!rect_read_extent(t, p, &r))
		return;
	for (unsigned i = 4; i < p->count || i == 4; i++) {
		unsigned number = param(p, i, 0);

		c.toggle ^= number == 0	  ? style_all()
			    : number == 4 ? ATTR_UNDERLINE
					  : style_bits(number);
	}
	rect_apply(t, &r, c);
}

void
rect_extent(struct term *t, const struct parser *p)
{
	if (param(p, 0, 0) <= 2)
		t->extent = (uint8_t)param(p, 0, 0);
}

/* XTCHECKSUM's bits: what DEC does and is left out. DEC counts neither the blanks at the end of a row
 * nor cells that were never written; but of a single cell it is always told what stands there, so that
 * a program which reads the screen cell by cell (esctest) sees a blank as a blank. */
enum {
	CHECKSUM_POSITIVE = 1,
	CHECKSUM_NO_STYLE = 2,
	CHECKSUM_BLANKS = 4,
	CHECKSUM_NEVER = 8,
	CHECKSUM_WHOLE = 16
};

void
rect_checksum_bits(struct term *t, const struct parser *p)
{
	t->checksum = param(p, 0, 0) & 31;
}

static unsigned
cell_style(uint16_t attr)
{
	return (attr & ATTR_PROTECTED ? 0x04u : 0) + (attr & ATTR_HIDDEN ? 0x08u : 0) +
	       (attr & ATTR_UNDERLINE ? 0x10u : 0) + (attr & ATTR_REVERSE ? 0x20u : 0) +
	       (attr & ATTR_BLINK ? 0x40u : 0) + (attr & ATTR_BOLD ? 0x80u : 0);
}

static unsigned
cell_sum(const struct term *t, const struct row *r, unsigned col)
{
	struct cell c = col < r->used ? r->cells[col] : (struct cell){ 0 };
	unsigned sum = cluster_first(&t->table, c.ch);

	if (c.attr & ATTR_SPACER)
		return 0;
	if (!c.ch)
		sum = ' ';
	if (!(t->checksum & CHECKSUM_WHOLE))
		sum &= 0xff;
	return sum + (t->checksum & CHECKSUM_NO_STYLE ? 0 : cell_style(c.attr));
}

static bool
cell_is_written(const struct row *r, unsigned col)
{
	return col < r->used && (r->cells[col].ch || r->cells[col].attr & ATTR_SPACER);
}

/* A row of the rectangle; the very first cell counts even when it is blank. */
static unsigned
row_sum(const struct term *t, const struct row *r, const struct rect *at, bool is_first)
{
	bool is_all = t->checksum & CHECKSUM_BLANKS;
	bool counts_never = t->checksum & (CHECKSUM_BLANKS | CHECKSUM_NEVER);
	unsigned sum = 0, blanks = 0;

	for (unsigned col = at->left; col < at->right; col++) {
		unsigned cell = cell_sum(t, r, col);
		bool is_counted = is_all || (is_first && col == at->left);

		if (!counts_never && !cell_is_written(r, col))
			continue;
		if (cell == ' ' && !is_counted) {
			blanks += cell;
		} else {
			sum += blanks + cell;
			blanks = 0;
		}
	}
	return sum;
}

static unsigned
rect_sum(struct term *t, const struct rect *r)
{
	unsigned sum = 0;

	if (r->bottom - r->top == 1 && r->right - r->left == 1)
		return cell_sum(t, screen_row(t, r->top), r->left);
	for (unsigned row = r->top; row < r->bottom; row++)
		sum += row_sum(t, screen_row(t, row), r, row == r->top);
	return sum;
}

void
rect_checksum(struct term *t, const struct parser *p)
{
	unsigned sum = 0;
	struct rect r;

	if (rect_read(t, p, 2, &r))
		sum = rect_sum(t, &r);
	if (!(t->checksum & CHECKSUM_POSITIVE))
		sum = -sum;
	term_reply(t, "\033P%u!~%04X\033\\", param(p, 0, 0), sum & 0xffff);
}

/* -- columns -- */

/* Inserts or deletes n columns at `col` in every row of the region. */
static void
columns_shift(struct term *t, unsigned col, unsigned n, bool is_insert)
{
	unsigned was_row = t->row, was_col = t->col;

	t->col = col;
	for (t->row = t->region_top; t->row <= t->region_bottom; t->row++)
		is_insert ? screen_insert_cells(t, n) : screen_delete_cells(t, n);
	t->row = was_row;
	t->col = was_col;
	t->can_join = false;
}

static bool
in_region(const struct term *t)
{
	return t->row >= t->region_top && t->row <= t->region_bottom && t->col >= t->left &&
	       t->col <= t->right;
}

void
columns_insert(struct term *t, const struct parser *p)
{
	if (in_region(t))
		columns_shift(t, t->col, param(p, 0, 1), true);
}

void
columns_delete(struct term *t, const struct parser *p)
{
	if (in_region(t))
		columns_shift(t, t->col, param(p, 0, 1), false);
}

void
columns_scroll_left(struct term *t, const struct parser *p)
{
	columns_shift(t, t->left, param(p, 0, 1), false);
}

void
columns_scroll_right(struct term *t, const struct parser *p)
{
	columns_shift(t, t->left, param(p, 0, 1), true);
}

void
columns_back(struct term *t)
{
	if (t->col == t->left && in_region(t))
		columns_shift(t, t->left, 1, true);
	else if (t->col)
		cursor_goto(t, t->row, t->col - 1);
}

void
columns_forward(struct term *t)
{
	if (t->col == t->right && in_region(t))
		columns_shift(t, t->left, 1, false);
	else
		cursor_goto(t, t->row, t->col + 1);
}
