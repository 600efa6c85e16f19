#include "term/pick.h"

#include <stdbool.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/utf8.h"
#include "sandesk/mirror.h"
#include "term/frame.h"
#include "term/line.h"
#include "term/screen.h"

struct picked {
	const struct cell *cells;
	unsigned used;
	bool is_wrapped;
};

static struct picked
read_line(struct term *t, uint64_t line, struct cell *room)
{
	bool is_wrapped = false;
	int n;

	if (line >= t->history.next) {
		const struct row *r = screen_row(t, (unsigned)(line - t->history.next));

		return (struct picked){ r->cells, r->used, r->flags & ROW_WRAPPED };
	}
	n = history_read(&t->history, line, room, HISTORY_MAX_CELLS, &is_wrapped);
	n = n > HISTORY_MAX_CELLS ? HISTORY_MAX_CELLS : n;
	return (struct picked){ room, n < 0 ? 0 : (unsigned)n, is_wrapped };
}

static bool
is_blank(const struct cell *c)
{
	return (!c->ch || c->ch == ' ') && !(c->attr & ATTR_SPACER);
}

/* Cells [from, end) of a line, moved so that no character is cut. */
static void
add_cells(struct term *t, const struct picked *p, unsigned from, unsigned end, struct buf *to)
{
	char text[MIRROR_CLUSTER_BYTES];

	end = end < p->used ? end : p->used;
	while (from && from < p->used && p->cells[from].attr & ATTR_SPACER)
		from--;
	while (!p->is_wrapped && end > from && is_blank(&p->cells[end - 1]))
		end--;
	for (unsigned i = from; i < end; i++) {
		const struct cell *c = &p->cells[i];

		if (c->attr & ATTR_SPACER)
			continue;
		if (c->ch & CELL_CLUSTER)
			buf_add(to, text, cluster_text(&t->table, c->ch, text, sizeof text));
		else
			buf_add(to, text, utf8_encode(c->ch ? c->ch : ' ', text));
	}
}

void
term_pick(struct term *t, const struct pick *p, struct buf *to)
{
	uint64_t line = p->from_line > t->history.first ? p->from_line : t->history.first,
		 last = t->history.next + t->size.rows - 1, stop = p->to_line;
	bool is_block = p->flags & PICK_BLOCK;
	AUTO(mem) struct cell *room = mem_grow(NULL, HISTORY_MAX_CELLS, sizeof *room);

	stop = stop < last ? stop : last;
	for (; line <= stop && !to->is_full; line++) {
		struct picked row = read_line(t, line, room);
		unsigned from = is_block || line == p->from_line ? p->from_cell : 0,
			 end = is_block || line == p->to_line ? p->to_cell + 1 : row.used;

		if (is_block)
			row.is_wrapped = false;
		add_cells(t, &row, from, end, to);
		if (line < stop && !row.is_wrapped)
			buf_add_char(to, '\n');
	}
}

static void
add_var(struct buf *to, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_add_char(to, (char)(v | 0x80));
	buf_add_char(to, (char)v);
}

static void
add_piece(struct buf *to, unsigned row, unsigned at, uint64_t line, unsigned cell)
{
	add_var(to, row);
	add_var(to, at);
	add_var(to, line);
	add_var(to, cell);
}

void
term_places(const struct frame_view *v, const struct term *t, struct buf *to)
{
	struct frame_walk w;

	frame_walk_init(&w, v, t);
	for (unsigned row = 0; row < t->size.rows; row++) {
		uint64_t line, end;
		unsigned cell, n = 0;

		frame_walk_next(&w);
		if (w.line >= t->history.next) {
			add_piece(to, row, 0, w.line, 0);
			continue;
		}
		line = chain_line(&w.chain, w.from);
		end = w.chain.end > w.line ? w.chain.end : w.line + 1;
		cell = w.from - (w.chain.end > w.line ? w.chain.starts[line - w.line] : 0);
		do {
			add_piece(to, row, n, line, cell);
			cell = 0;
			line++;
			n = line < end ? w.chain.starts[line - w.line] - w.from : 0;
		} while (line < end && w.from + n < w.end);
	}
	frame_walk_fini(&w);
}
