/* print.c - characters onto the grid: the hot path. */
#include "term/screen.h"

#include <string.h>

#include "sandesk/base/width.h"

void
print_update(struct term *t)
{
	t->is_plain = !t->modes.insert && t->charsets.g[t->charsets.gl] == CHARSET_ASCII &&
		      !t->charsets.single && t->modes.autowrap && t->left == 0 &&
		      t->right + 1u == t->size.cols;
}

void
pen_update(struct term *t)
{
	struct cell_ext ext = { t->pen.underline_colour, t->pen.link };

	t->pen.cell.ext = 0;
	if (ext.link || ext.underline_colour) {
		t->pen.cell.ext = cluster_ext(&t->table, ext);
		if (!t->pen.cell.ext) {
			sweep_tables(t);
			t->pen.cell.ext = cluster_ext(&t->table, ext);
		}
	}
	t->pen.cell.ch = 0;
	t->is_pen_default =
		!t->pen.cell.fg && !t->pen.cell.bg && !t->pen.cell.attr && !t->pen.cell.ext;
}

/* The first column a character may not stand in: the right margin counts only for a cursor that is
 * not beyond it. */
static unsigned
line_end(const struct term *t)
{
	return t->col <= t->right ? t->right + 1u : t->size.cols;
}

static void
print_wrap(struct term *t)
{
	struct row *r = screen_row(t, t->row);
	bool is_whole = line_end(t) == t->size.cols;

	if (is_whole)
		r->flags |= ROW_WRAPPED;
	t->col = t->col >= t->left && t->col <= t->right ? t->left : 0;
	cursor_index(t);
}

static void
print_advance(struct term *t, unsigned cells)
{
	unsigned end = line_end(t);

	t->join_row = t->row;
	t->join_col = t->col;
	t->can_join = true;
	if (t->col + cells < end) {
		t->col += cells;
	} else {
		t->col = end - 1;
		t->wrap_pending = true;
	}
}

static inline void
cells_fill(struct cell *to, const uint8_t *text, size_t n, const struct cell *pen)
{
	struct ink k = ink_of(pen);

	for (size_t i = 0; i < n; i++)
		cell_put(&to[i], text[i], k);
}

void
print_ascii(struct term *t, const uint8_t *text, size_t len)
{
	if (!t->is_plain) {
		while (len--)
			print_char(t, *text++);
		return;
	}
	if (!len)
		return;
	while (len) {
		struct row *r;
		unsigned n;

		if (t->wrap_pending)
			print_wrap(t);
		r = screen_row(t, t->row);
		n = t->size.cols - t->col;
		if (n > len)
			n = (unsigned)len;
		if (r->flags & ROW_WIDE)
			row_cut_wide(r, t->col, t->col + n);
		if (r->used < t->col + n) {
			if (r->used < t->col)
				row_reach(r, t->col);
			r->used = (uint16_t)(t->col + n);
		}
		cells_fill(r->cells + t->col, text, n, &t->pen.cell);
		if (!t->is_pen_default)
			r->flags |= ROW_STYLED;
		row_touch(t, r);
		text += n;
		len -= n;
		t->join_row = t->row;
		t->col += n;
		t->join_col = t->col - 1;
		if (t->col == t->size.cols) {
			t->col--;
			t->wrap_pending = true;
		}
	}
	t->can_join = true;
	t->last_ch = text[-1];
	t->last_width = 1;
}

/* A wide character that does not fit ends the line before it; the cell it leaves is not part of the
 * text. */
static void
print_wide_wrap(struct term *t)
{
	struct row *r = screen_row(t, t->row);
	unsigned end = line_end(t);

	row_cut_wide(r, t->col, end);
	if (end == t->size.cols && r->used > t->col)
		r->used = (uint16_t)t->col;
	row_touch(t, r);
	print_wrap(t);
}

static void
print_cell(struct term *t, uint32_t ch, unsigned width)
{
	unsigned end = line_end(t);
	struct row *r;

	if (t->wrap_pending) {
		if (t->modes.autowrap)
			print_wrap(t);
		t->wrap_pending = false;
		end = line_end(t);
	}
	if (t->col + width > end) {
		if (t->modes.autowrap)
			print_wide_wrap(t);
		else
			t->col = end - width;
		end = line_end(t);
	}
	if (t->modes.insert)
		screen_insert_cells(t, width);
	r = screen_row(t, t->row);
	row_cut_wide(r, t->col, t->col + width);
	row_reach(r, t->col + width);
	r->cells[t->col] = t->pen.cell;
	r->cells[t->col].ch = ch;
	r->flags |= !t->is_pen_default || ch >= 0x80 ? ROW_STYLED : 0;
	if (width == 2) {
		r->cells[t->col].attr |= ATTR_WIDE;
		r->cells[t->col + 1] = t->pen.cell;
		r->cells[t->col + 1].attr |= ATTR_SPACER;
		r->flags |= ROW_WIDE;
	}
	row_touch(t, r);
	t->last_ch = ch;
	t->last_width = (uint8_t)width;
	print_advance(t, width);
}

/* Where the last printed character stands; NULL when the cursor was moved since. */
static struct cell *
join_cell(struct term *t)
{
	struct row *r;
	struct cell *c;

	if (!t->can_join)
		return NULL;
	r = screen_row(t, t->join_row);
	if (t->join_col >= r->used)
		return NULL;
	c = &r->cells[t->join_col];
	return c->ch ? c : NULL;
}

/* VS16 asks for the wide form, and a conjunct for the room of two: there must be a cell for it. */
static void
join_widen(struct term *t, struct cell *c)
{
	struct row *r = screen_row(t, t->join_row);
	unsigned end = line_end(t);

	if (c->attr & ATTR_WIDE || t->join_col + 2 > end || t->wrap_pending ||
		t->col != t->join_col + 1)
		return;
	row_cut_wide(r, t->join_col + 1, t->join_col + 2);
	row_reach(r, t->join_col + 2);
	c->attr |= ATTR_WIDE;
	c[1] = *c;
	c[1].ch = 0;
	c[1].attr = (uint16_t)((c->attr & ~ATTR_WIDE) | ATTR_SPACER);
	r->flags |= ROW_WIDE;
	t->col = t->join_col;
	print_advance(t, 2);
}

/* Hangul: an initial before; Indic: a linker before, and a consonant at the beginning. */
static bool
joins_script(const struct term *t, const struct cell *c, uint32_t cp)
{
	uint32_t last = cluster_last(&t->table, c->ch);

	switch (width_script(cp)) {
	case SCRIPT_SPACING_MARK:
		return true;
	case SCRIPT_HANGUL_INITIAL:
	case SCRIPT_HANGUL_SYLLABLE:
		return width_script(last) == SCRIPT_HANGUL_INITIAL;
	case SCRIPT_CONSONANT:
		return width_script(cluster_first(&t->table, c->ch)) == SCRIPT_CONSONANT &&
		       cluster_is_linked(&t->table, c->ch);
	default:
		return false;
	}
}

static bool
joins(const struct term *t, const struct cell *c, uint32_t cp, uint8_t class)
{
	uint32_t last = cluster_last(&t->table, c->ch);
	uint8_t before = width_class(last);

	if (class & WIDTH_EXTEND)
		return true;
	if (class & WIDTH_SCRIPT)
		return joins_script(t, c, cp);
	if (class & WIDTH_MODIFIER)
		return before & (WIDTH_PICTOGRAPHIC | WIDTH_EMOJI) && !(before & WIDTH_MODIFIER) &&
		       last > 0x39;
	if (class & WIDTH_REGIONAL)
		return before & WIDTH_REGIONAL && cluster_points(&t->table, c->ch) == 1;
	return last == 0x200d && class & WIDTH_PICTOGRAPHIC && cp > 0x7f &&
	       width_class(cluster_first(&t->table, c->ch)) & WIDTH_PICTOGRAPHIC;
}

static uint32_t
cell_join(struct term *t, uint32_t ch, uint32_t cp)
{
	uint32_t joined = cluster_join(&t->table, ch, cp);

	if (joined == ch && t->table.misses) {
		sweep_tables(t);
		joined = cluster_join(&t->table, ch, cp);
	}
	return joined;
}

/* True when the code point is dealt with: it joined the character before it, or is not to be seen.
 */
static bool
print_join(struct term *t, uint32_t cp, uint8_t class)
{
	struct cell *c = join_cell(t);
	bool is_zero = !(class & WIDTH_CELLS);
	uint32_t joined;

	if (!c || !joins(t, c, cp, class))
		return is_zero;
	joined = cell_join(t, c->ch, cp);
	if (joined == c->ch) /* at a cap a mark is dropped; a character goes on by itself */
		return is_zero;
	c->ch = joined;
	screen_row(t, t->join_row)->flags |= ROW_STYLED;
	row_touch(t, screen_row(t, t->join_row));
	if (cp == 0xfe0f && width_class(cluster_first(&t->table, c->ch)) & WIDTH_EMOJI)
		join_widen(t, c);
	if (class & WIDTH_SCRIPT)
		join_widen(t, c);
	t->last_ch = c->ch;
	t->last_width = c->attr & ATTR_WIDE ? 2 : 1;
	return true;
}

static uint32_t
graphics_char(uint32_t cp)
{
	static const uint16_t chars[] = {
		/* 0x5f-0x7e: VT100's special graphics */
		0x00a0,
		0x25c6,
		0x2592,
		0x2409,
		0x240c,
		0x240d,
		0x240a,
		0x00b0,
		0x00b1,
		0x2424,
		0x240b,
		0x2518,
		0x2510,
		0x250c,
		0x2514,
		0x253c,
		0x23ba,
		0x23bb,
		0x2500,
		0x23bc,
		0x23bd,
		0x251c,
		0x2524,
		0x2534,
		0x252c,
		0x2502,
		0x2264,
		0x2265,
		0x03c0,
		0x2260,
		0x00a3,
		0x00b7,
	};

	return cp >= 0x5f && cp <= 0x7e ? chars[cp - 0x5f] : cp;
}

/* By the set in use; a single shift is used up. */
static uint32_t
charset_char(struct term *t, uint32_t cp)
{
	struct charsets *c = &t->charsets;
	uint8_t set = c->g[c->single ? c->single : c->gl];

	if (c->single) {
		c->single = 0;
		print_update(t);
	}
	if (set == CHARSET_UK && cp == '#')
		return 0xa3;
	if (set == CHARSET_LATIN1 && cp >= 0x20 && cp < 0x7f)
		return cp | 0x80;
	return set == CHARSET_GRAPHICS ? graphics_char(cp) : cp;
}

static inline bool
may_join_hangul(uint32_t last)
{
	return last & CELL_CLUSTER || (last >= 0x1100 && last <= 0x115f) ||
	       (last >= 0xa960 && last <= 0xa97c);
}

void
print_char(struct term *t, uint32_t cp)
{
	uint8_t class;

	if (cp < 0x7f) {
		print_cell(t, t->is_plain ? cp : charset_char(t, cp), 1);
		return;
	}
	class = width_class(cp);
	if (class == (WIDTH_SCRIPT | 2) && !may_join_hangul(t->last_ch))
		class = 2; /* Korean text: most syllables stand by themselves */
	if (class & ~WIDTH_CELLS || !class) {
		if (print_join(t, cp, class))
			return;
		if (class & WIDTH_REGIONAL) {
			print_cell(t, cp, 2);
			return;
		}
	}
	print_cell(t, cp, class & WIDTH_CELLS);
}

/* 1 or 2: the width of a character that does not join what was printed `last`. 0: print_char() must look at it. */
static inline unsigned
lone_width(uint32_t cp, uint32_t last)
{
	uint8_t class = width_class(cp), rules = class & (uint8_t)~WIDTH_CELLS;

	if (rules == WIDTH_SCRIPT && class == (WIDTH_SCRIPT | 2) && may_join_hangul(last))
		return 0;
	if (rules & (WIDTH_PICTOGRAPHIC | WIDTH_EMOJI) && last & CELL_CLUSTER)
		return 0; /* which may end with a joiner */
	if (rules & (WIDTH_REGIONAL | WIDTH_MODIFIER | WIDTH_EXTEND) || class == (WIDTH_SCRIPT | 1))
		return 0;
	return class & WIDTH_CELLS;
}

bool
print_is_lone(const struct term *t, uint32_t cp)
{
	return t->is_plain && lone_width(cp, t->last_ch);
}

/* The cells of a run; returns the column behind it, and moves *s on. */
static unsigned
run_cells(struct term *t, struct row *r, const uint8_t **s, const uint8_t *end)
{
	struct cell wide = t->pen.cell, spacer = wide, *at = r->cells + t->col;
	const struct cell *stop = r->cells + t->size.cols;
	const uint8_t *from = *s, *next;
	uint32_t last = t->last_ch, cp;
	unsigned width = 0;

	wide.attr |= ATTR_WIDE;
	spacer.attr |= ATTR_SPACER;
	struct ink narrow = ink_of(&t->pen.cell), first = ink_of(&wide), second = ink_of(&spacer);

	while (from < end && *from >= 0x80 && (next = utf8_whole(from, end, &cp))) {
		unsigned w = lone_width(cp, last);

		if (!w || at + w > stop)
			break;
		cell_put(at++, cp, w == 2 ? first : narrow);
		if (w == 2) {
			cell_put(at++, 0, second);
			r->flags |= ROW_WIDE;
		}
		last = cp;
		width = w;
		from = next;
	}
	*s = from;
	if (width) {
		t->last_ch = last;
		t->last_width = (uint8_t)width;
	}
	return (unsigned)(at - r->cells);
}

const uint8_t *
print_run(struct term *t, const uint8_t *s, const uint8_t *end)
{
	const uint8_t *from = s;
	struct row *r;
	unsigned col, first;
	uint32_t cp = 0;

	if (t->wrap_pending)
		print_wrap(t);
	r = screen_row(t, t->row);
	first = t->col;
	row_reach(r, first);
	row_cut_wide(r, first, 0);
	col = run_cells(t, r, &s, end);
	if (s == from) { /* a wide one at the end of the line */
		s = utf8_whole(s, end, &cp);
		print_char(t, cp);
		return s;
	}
	if (col < r->used && r->cells[col].attr & ATTR_SPACER)
		cell_half(&r->cells[col]);
	if (r->used < col)
		r->used = (uint16_t)col;
	r->flags |= ROW_STYLED;
	row_touch(t, r);
	t->join_row = t->row;
	t->join_col = col - t->last_width;
	t->can_join = true;
	t->col = col;
	if (col == t->size.cols) {
		t->col--;
		t->wrap_pending = true;
	}
	return s;
}

/* The last character n times more. In pieces of a line: a program may ask for many. */
void
print_again(struct term *t, unsigned n)
{
	uint8_t line[256];
	uint32_t ch = t->last_ch;
	unsigned width = t->last_width;

	if (!ch)
		return;
	if (ch < 0x7f && t->is_plain) {
		memset(line, (int)ch, sizeof line);
		for (; n > sizeof line; n -= sizeof line)
			print_ascii(t, line, sizeof line);
		print_ascii(t, line, n);
		return;
	}
	while (n--)
		print_cell(t, ch, width);
}
