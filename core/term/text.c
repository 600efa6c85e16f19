/* text.c - the screen and history as plain text. */
#include "term/screen.h"

#include "term/line.h"

struct text {
	struct term *t;
	struct buf *to;
	enum term_text_flags flags;
};

static unsigned
text_length(const struct text *x, const struct cell *cells, unsigned used, bool is_joined)
{
	bool keep = is_joined || x->flags & TERM_TEXT_BLANKS;

	while (used && (!cells[used - 1].ch || (cells[used - 1].ch == ' ' && !keep)) &&
		!(cells[used - 1].attr & ATTR_SPACER))
		used--;
	return used;
}

static int
text_row(const struct text *x, const struct cell *cells, unsigned used, bool is_wrapped)
{
	bool is_joined = is_wrapped && x->flags & TERM_TEXT_JOIN;
	unsigned n = text_length(x, cells, used, is_joined);
	char part[1024];
	size_t len = 0;

	for (unsigned i = 0; i < n; i++) {
		if (len + TERM_CLUSTER_BYTES > sizeof part) {
			if (buf_add(x->to, part, len) < 0)
				return -1;
			len = 0;
		}
		if (!cells[i].ch && !(cells[i].attr & ATTR_SPACER))
			part[len++] = ' ';
		else
			len += cluster_text(
				&x->t->table, cells[i].ch, part + len, TERM_CLUSTER_BYTES);
	}
	if (!is_joined)
		part[len++] = '\n';
	return buf_add(x->to, part, len);
}

static bool
row_has_text(const struct row *r)
{
	for (unsigned i = 0; i < r->used; i++)
		if (r->cells[i].ch)
			return true;
	return false;
}

void
term_text(struct term *t, struct buf *to, enum term_text_flags flags)
{
	term_text_since(t, flags & TERM_TEXT_HISTORY ? 0 : term_next_line(t), to, flags);
}

void
text_range(struct term *t, uint64_t from, uint64_t stop, unsigned stop_col, struct buf *to,
	enum term_text_flags flags)
{
	struct text x = { t, to, flags };
	struct row_walk walk;
	struct row_shown row;

	row_walk_init(&walk, t, from, stop);
	walk.stop_col = stop_col;
	while (row_walk_next(&walk, &row))
		if (text_row(&x, row.cells, row.used, row.is_wrapped) < 0)
			break;
	row_walk_fini(&walk);
}

void
term_text_since(struct term *t, uint64_t line, struct buf *to, enum term_text_flags flags)
{
	unsigned rows = t->size.rows, least = flags & TERM_TEXT_BLANKS ? t->row + 1 : 0;

	while (rows > least && !row_has_text(screen_row(t, rows - 1)))
		rows--;
	if (t->on != &t->main && line < term_next_line(t))
		line = term_next_line(t); /* the alternate screen has no history */
	text_range(t, line, term_next_line(t) + rows, 0, to, flags);
}
