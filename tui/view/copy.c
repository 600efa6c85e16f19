#include "view/copy.h"

#include <limits.h>

#include "sandesk/base/mem.h"
#include "sandesk/cell.h"
#include "sandesk/mirror.h"

enum { PIECES_MAX = 1 << 16 };

static const unsigned LINE_END = UINT_MAX - 1;

void
copy_begin(struct copy *c, const struct mirror *m)
{
	struct mirror_cursor at = mirror_cursor(m);
	struct size size = mirror_size(m);

	*c = (struct copy){ .mirror = m };
	c->row = at.row < size.rows ? at.row : 0;
	c->col = c->wish_col = at.col < size.cols ? at.col : 0;
}

void
copy_fini(struct copy *c)
{
	mem_free(c->pieces);
	mem_free(c->hits);
	*c = (struct copy){ 0 };
}

/* ---- places ---- */
static bool
read_var(const uint8_t **p, const uint8_t *end, uint64_t *ret)
{
	*ret = 0;
	for (unsigned shift = 0; *p < end && shift < 64; shift += 7) {
		uint8_t byte = *(*p)++;

		*ret |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

static bool
read_piece(const uint8_t **p, const uint8_t *end, struct copy_piece *ret)
{
	uint64_t row, at, line, cell;

	if (!read_var(p, end, &row) || !read_var(p, end, &at) || !read_var(p, end, &line) ||
		!read_var(p, end, &cell) || row > UINT16_MAX || at > UINT16_MAX || cell > INT_MAX)
		return false;
	*ret = (struct copy_piece){ (unsigned)row, (unsigned)at, { line, (unsigned)cell } };
	return true;
}

bool
copy_places(struct copy *c, const void *bytes, size_t len, uint64_t first, uint64_t next)
{
	const uint8_t *p = bytes, *end = p + len;
	struct copy_piece *pieces = NULL, piece;
	size_t n = 0, room = 0;

	while (p < end && n < PIECES_MAX) {
		if (!read_piece(&p, end, &piece)) {
			mem_free(pieces);
			return false;
		}
		if (n == room) {
			room = room ? room * 2 : 64;
			pieces = mem_grow(pieces, room, sizeof *pieces);
		}
		pieces[n++] = piece;
	}
	mem_free(c->pieces);
	c->pieces = pieces;
	c->pieces_n = n;
	c->first = first;
	c->next = next;
	return true;
}

bool
copy_place_at(const struct copy *c, unsigned row, unsigned col, struct copy_place *ret)
{
	const struct copy_piece *best = NULL;

	for (size_t i = 0; i < c->pieces_n; i++)
		if (c->pieces[i].row == row && c->pieces[i].at <= col)
			best = &c->pieces[i];
	if (best)
		*ret = (struct copy_place){ best->place.line, best->place.cell + col - best->at };
	return best != NULL;
}

bool
copy_find(const struct copy *c, struct copy_place p, unsigned *ret_row, unsigned *ret_col)
{
	const struct copy_piece *best = NULL;

	for (size_t i = 0; i < c->pieces_n; i++)
		if (c->pieces[i].place.line == p.line && c->pieces[i].place.cell <= p.cell)
			best = &c->pieces[i];
	if (!best || best->row >= mirror_size(c->mirror).rows)
		return false;
	*ret_row = best->row;
	*ret_col = best->at + p.cell - best->place.cell;
	return *ret_col < mirror_size(c->mirror).cols;
}

static int
compare(struct copy_place a, struct copy_place b)
{
	if (a.line != b.line)
		return a.line < b.line ? -1 : 1;
	return a.cell < b.cell ? -1 : a.cell > b.cell;
}

struct copy_place
copy_cursor(const struct copy *c)
{
	struct copy_place p = { 0 };

	copy_place_at(c, c->row, c->col, &p);
	return p;
}

/* ---- rows ---- */
static const struct cell *
cells_of(const struct copy *c, unsigned row)
{
	return mirror_row(c->mirror, row);
}

static bool
is_blank(const struct cell *cell)
{
	return (!cell->ch || cell->ch == ' ') && !(cell->attr & ATTR_SPACER);
}

/* The last cell with something in it; 0 of an empty row. */
static unsigned
row_end(const struct copy *c, unsigned row)
{
	const struct cell *cells = cells_of(c, row);
	unsigned n = mirror_size(c->mirror).cols;

	while (cells && n > 1 && is_blank(&cells[n - 1]))
		n--;
	return cells && n ? n - 1 : 0;
}

/* The first cell of the character there. */
static unsigned
whole(const struct copy *c, unsigned row, unsigned col)
{
	const struct cell *cells = cells_of(c, row);

	return cells && col && cells[col].attr & ATTR_SPACER ? col - 1 : col;
}

static void
put_cursor(struct copy *c, unsigned row, unsigned col)
{
	struct size size = mirror_size(c->mirror);

	if (!size.rows || !size.cols)
		return;
	c->row = row < size.rows ? row : size.rows - 1u;
	c->col = whole(c, c->row, col < size.cols ? col : size.cols - 1u);
}

void
copy_go(struct copy *c, struct copy_place to)
{
	c->goal = to;
	c->has_goal = true;
}

void
copy_settle(struct copy *c)
{
	unsigned row, col;

	if (c->goal_is_end) {
		put_cursor(c, c->row, row_end(c, c->row));
		c->goal_is_end = false;
	} else if (c->has_goal && copy_find(c, c->goal, &row, &col)) {
		put_cursor(c, row, col);
		c->wish_col = c->col;
		c->has_goal = false;
	} else {
		put_cursor(c, c->row, c->col); /* the size may be another */
	}
	if (c->has_other_mark && !c->has_goal) {
		c->mark = c->other_mark;
		c->has_other_mark = false;
	}
}

/* ---- going ---- */
static enum copy_want
scroll(struct copy *c, int lines)
{
	c->lines = lines;
	return lines ? COPY_SCROLL : COPY_NOTHING;
}

static enum copy_want
go_rows(struct copy *c, int rows)
{
	int to = (int)c->row + rows, last = mirror_size(c->mirror).rows - 1, over = 0;

	over = to < 0 ? to : to > last ? to - last : 0;
	put_cursor(c, (unsigned)(to - over), c->wish_col);
	return scroll(c, -over);
}

static enum copy_want
go_left(struct copy *c)
{
	if (c->col) {
		put_cursor(c, c->row, c->col - 1);
		c->wish_col = c->col;
		return COPY_NOTHING;
	}
	return COPY_NOTHING;
}

static enum copy_want
go_right(struct copy *c)
{
	const struct cell *cells = cells_of(c, c->row);
	unsigned step = cells && cells[c->col].attr & ATTR_WIDE ? 2 : 1;

	put_cursor(c, c->row, c->col + step);
	c->wish_col = c->col;
	return COPY_NOTHING;
}

enum kind { KIND_BLANK, KIND_WORD, KIND_OTHER };

static enum kind
kind_at(const struct copy *c, unsigned row, unsigned col)
{
	const struct cell *cells = cells_of(c, row);
	uint32_t ch;

	if (!cells)
		return KIND_BLANK;
	col = whole(c, row, col);
	ch = cells[col].ch;
	if (is_blank(&cells[col]))
		return KIND_BLANK;
	if (ch > 0x7f || (ch >= '0' && ch <= '9') || ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'z') ||
		ch == '_')
		return KIND_WORD;
	return KIND_OTHER;
}

/* Does a row go on in the next one? Then a word may, too. */
static bool
runs_on(const struct copy *c, unsigned row)
{
	return mirror_row_is_wrapped(c->mirror, row);
}

static bool
step_on(const struct copy *c, unsigned *row, unsigned *col)
{
	struct size size = mirror_size(c->mirror);

	if (*col + 1u < size.cols && *col < row_end(c, *row)) {
		++*col;
		return true;
	}
	if (*row + 1u >= size.rows)
		return false;
	++*row;
	*col = 0;
	return true;
}

static bool
step_back(const struct copy *c, unsigned *row, unsigned *col)
{
	if (*col) {
		--*col;
		return true;
	}
	if (!*row)
		return false;
	--*row;
	*col = row_end(c, *row);
	return true;
}

/* From the last row of the view on, the view goes on by one. */
static enum copy_want
go_below(struct copy *c)
{
	c->wish_col = c->col = 0;
	return scroll(c, -1);
}

static enum copy_want
go_above(struct copy *c)
{
	c->goal_is_end = true;
	return scroll(c, 1);
}

static enum copy_want
go_word(struct copy *c)
{
	unsigned row = c->row, col = c->col, at = row;
	enum kind kind = kind_at(c, row, col);
	bool is_left = kind == KIND_BLANK;

	while (step_on(c, &row, &col)) {
		enum kind now = kind_at(c, row, col);

		is_left |= row != at && !runs_on(c, at);
		is_left |= now != kind;
		at = row;
		if (is_left && now != KIND_BLANK) {
			put_cursor(c, row, col);
			c->wish_col = c->col;
			return COPY_NOTHING;
		}
	}
	return go_below(c);
}

static enum copy_want
go_word_end(struct copy *c)
{
	unsigned row = c->row, col = c->col;

	while (step_on(c, &row, &col)) {
		unsigned r = row, n = col;

		if (kind_at(c, row, col) == KIND_BLANK)
			continue;
		if (!step_on(c, &r, &n) || kind_at(c, r, n) != kind_at(c, row, col) ||
			(r != row && !runs_on(c, row))) {
			put_cursor(c, row, col);
			c->wish_col = c->col;
			return COPY_NOTHING;
		}
	}
	return go_below(c);
}

static enum copy_want
go_word_back(struct copy *c)
{
	unsigned row = c->row, col = c->col;

	while (step_back(c, &row, &col)) {
		unsigned r = row, n = col;

		if (kind_at(c, row, col) == KIND_BLANK)
			continue;
		if (!step_back(c, &r, &n) || kind_at(c, r, n) != kind_at(c, row, col) ||
			(r != row && !runs_on(c, r))) {
			put_cursor(c, row, col);
			c->wish_col = c->col;
			return COPY_NOTHING;
		}
	}
	return go_above(c);
}

static enum copy_want
go_col(struct copy *c, unsigned col)
{
	put_cursor(c, c->row, col);
	c->wish_col = col == LINE_END ? LINE_END : c->col;
	return COPY_NOTHING;
}

static unsigned
first_filled(const struct copy *c)
{
	const struct cell *cells = cells_of(c, c->row);
	unsigned i = 0, end = row_end(c, c->row);

	while (cells && i < end && is_blank(&cells[i]))
		i++;
	return i;
}

static enum copy_want
go_page(struct copy *c, bool is_up, bool is_half)
{
	int rows = mirror_size(c->mirror).rows, n = is_half ? rows / 2 : rows - 1;

	n = n > 0 ? n : 1;
	return scroll(c, is_up ? n : -n);
}

static enum copy_want
go_far(struct copy *c, bool is_up)
{
	put_cursor(c, is_up ? 0 : mirror_size(c->mirror).rows - 1u, 0);
	c->wish_col = 0;
	return scroll(c, is_up ? INT_MAX : -INT_MAX);
}

/* ---- marking ---- */
static enum copy_want
toggle_mark(struct copy *c, enum copy_marking how)
{
	if (c->marking == MARK_NONE)
		c->mark = copy_cursor(c);
	c->marking = c->marking == how ? MARK_NONE : how;
	return COPY_NOTHING;
}

static enum copy_want
swap_ends(struct copy *c)
{
	struct copy_place here = copy_cursor(c), there = c->mark;
	unsigned row, col;

	if (c->marking == MARK_NONE)
		return COPY_NOTHING;
	c->mark = here;
	if (copy_find(c, there, &row, &col)) {
		put_cursor(c, row, col);
		c->wish_col = c->col;
		return COPY_NOTHING;
	}
	copy_go(c, there);
	return COPY_SHOW;
}

void
copy_mark(struct copy *c, enum copy_marking how, unsigned row, unsigned col)
{
	put_cursor(c, row, col);
	c->mark = copy_cursor(c);
	c->marking = how;
}

void
copy_mark_word(struct copy *c, unsigned row, unsigned col)
{
	unsigned from = col, to = col, end = row_end(c, row);
	enum kind kind = kind_at(c, row, col);

	while (from && kind_at(c, row, from - 1) == kind)
		from--;
	while (to < end && kind_at(c, row, to + 1) == kind)
		to++;
	copy_mark(c, MARK_CELLS, row, from);
	put_cursor(c, row, to);
}

void
copy_drag(struct copy *c, unsigned row, unsigned col)
{
	put_cursor(c, row, col);
	c->wish_col = c->col;
}

void
copy_range(const struct copy *c, struct copy_place *ret_from, struct copy_place *ret_to)
{
	struct copy_place a = c->marking ? c->mark : copy_cursor(c), b = copy_cursor(c), swap = a;

	if (compare(a, b) > 0) {
		a = b;
		b = swap;
	}
	if (c->marking == MARK_NONE || c->marking == MARK_LINES) {
		a.cell = 0;
		b.cell = LINE_END;
	} else if (c->marking == MARK_BLOCK && a.cell > b.cell) {
		unsigned left = b.cell;

		b.cell = a.cell;
		a.cell = left;
	}
	*ret_from = a;
	*ret_to = b;
}

bool
copy_is_marked(const struct copy *c, unsigned row, unsigned col)
{
	struct copy_place from, to, p;

	if (c->marking == MARK_NONE || !copy_place_at(c, row, whole(c, row, col), &p))
		return false;
	copy_range(c, &from, &to);
	if (c->marking == MARK_BLOCK)
		return p.line >= from.line && p.line <= to.line && p.cell >= from.cell &&
		       p.cell <= to.cell;
	return compare(p, from) >= 0 && compare(p, to) <= 0;
}

/* ---- hits ---- */
void
copy_set_hits(struct copy *c, struct copy_hit *hits, size_t n)
{
	mem_free(c->hits);
	c->hits = hits;
	c->hits_n = n;
}

int
copy_hit_at(const struct copy *c, unsigned row, unsigned col)
{
	struct copy_place p, cursor = copy_cursor(c);

	if (!c->hits_n || !copy_place_at(c, row, col, &p))
		return 0;
	for (size_t i = 0; i < c->hits_n; i++) {
		const struct copy_hit *h = &c->hits[i];

		if (compare(p, h->at) >= 0 && compare(p, h->end) < 0)
			return compare(cursor, h->at) >= 0 && compare(cursor, h->end) < 0 ? 2 : 1;
	}
	return 0;
}

/* ---- keys ---- */
static enum copy_want
want(struct copy *c, enum copy_want what, bool is_backwards)
{
	c->is_backwards = is_backwards;
	return what;
}

static enum copy_want
escape(struct copy *c)
{
	if (c->marking == MARK_NONE)
		return COPY_END;
	c->marking = MARK_NONE;
	return COPY_NOTHING;
}

static enum copy_want
key_with_ctrl(struct copy *c, uint32_t code)
{
	switch (code) {
	case 'd':
	case 'u':
		return go_page(c, code == 'u', true);
	case 'f':
	case 'b':
		return go_page(c, code == 'b', false);
	case 'e':
		return scroll(c, -1);
	case 'y':
		return scroll(c, 1);
	case 'v':
		return toggle_mark(c, MARK_BLOCK);
	case 'c':
	case 'g':
		return COPY_END;
	default:
		return COPY_NOTHING;
	}
}

static enum copy_want
key_going(struct copy *c, uint32_t code)
{
	switch (code) {
	case 'h':
	case KEY_LEFT:
		return go_left(c);
	case 'l':
	case KEY_RIGHT:
		return go_right(c);
	case 'j':
	case KEY_DOWN:
		return go_rows(c, 1);
	case 'k':
	case KEY_UP:
		return go_rows(c, -1);
	case 'w':
		return go_word(c);
	case 'e':
		return go_word_end(c);
	case 'b':
		return go_word_back(c);
	case '0':
	case KEY_HOME:
		return go_col(c, 0);
	case '^':
		return go_col(c, first_filled(c));
	case '$':
	case KEY_END:
		return go_col(c, row_end(c, c->row));
	case 'H':
	case 'M':
	case 'L':
		put_cursor(c,
			code == 'H'   ? 0
			: code == 'M' ? mirror_size(c->mirror).rows / 2
				      : mirror_size(c->mirror).rows - 1u,
			0);
		return COPY_NOTHING;
	case 'g':
	case 'G':
		return go_far(c, code == 'g');
	case KEY_PAGE_UP:
	case KEY_PAGE_DOWN:
	case ' ':
		return go_page(c, code == KEY_PAGE_UP, false);
	default:
		return COPY_NOTHING;
	}
}

enum copy_want
copy_key(struct copy *c, struct key k)
{
	if (k.mods & MOD_CTRL)
		return key_with_ctrl(c, k.code);
	switch (k.code) {
	case 'v':
		return toggle_mark(c, MARK_CELLS);
	case 'V':
		return toggle_mark(c, MARK_LINES);
	case 'o':
		return swap_ends(c);
	case 'y':
	case KEY_ENTER:
	case KEY_KP_ENTER:
		return COPY_TAKE;
	case '/':
	case '?':
		c->was_backwards = k.code == '?';
		return want(c, COPY_TYPE, c->was_backwards);
	case 'n':
	case 'N':
		return want(c, COPY_AGAIN, c->was_backwards ^ (k.code == 'N'));
	case '[':
	case '{':
		return want(c, COPY_PROMPT, true);
	case ']':
	case '}':
		return want(c, COPY_PROMPT, false);
	case 'O':
		return COPY_OUTPUT;
	case 'q':
		return COPY_END;
	case KEY_ESCAPE:
		return escape(c);
	default:
		return key_going(c, k.code);
	}
}
