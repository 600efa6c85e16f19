#include "sandesk/replay.h"

#include "sandesk/base/mem.h"
#include "term/export-parts.h"

struct drawn {
	uint64_t uid, version; /* 0: not drawn */
};

struct replay {
	struct term *t;
	struct drawn *rows;
	struct size size, outer; /* of the last drawing */
};

struct replay *
replay_new(struct size size)
{
	struct replay *r = mem_new(struct replay);

	r->t = term_new(&(struct term_config){ .size = size });
	return r;
}

void
replay_free(struct replay *r)
{
	if (!r)
		return;
	term_free(r->t);
	mem_free(r->rows);
	mem_free(r);
}

void
replay_feed(struct replay *r, const void *bytes, size_t len)
{
	term_feed(r->t, bytes, len);
	buf_reset(term_replies(r->t)); /* nobody asked */
}

void
replay_resize(struct replay *r, struct size size)
{
	term_resize(r->t, size);
}

static void
draw_row(struct replay *r, unsigned row, struct buf *to)
{
	const struct row *from = screen_row(r->t, row);
	struct export x = { .t = r->t, .to = to };
	struct row_shown shown = { .cells = from->cells, .used = from->used };

	if (shown.used > r->outer.cols) {
		shown.used = r->outer.cols;
		if (from->cells[shown.used].attr & ATTR_SPACER)
			shown.used--; /* half of a wide character is none */
	}
	buf_addf(to, "\033[%u;1H\033[m\033[2K", row + 1);
	export_ansi(&x, &shown);
}

void
replay_draw(struct replay *r, struct size outer, struct buf *to)
{
	struct term *t = r->t;
	unsigned rows = t->size.rows < outer.rows ? t->size.rows : outer.rows;

	if (!size_equal(r->size, t->size) || !size_equal(r->outer, outer)) {
		mem_free(r->rows);
		r->rows = mem_zero(t->size.rows, sizeof r->rows[0]);
		r->size = t->size;
		r->outer = outer;
		buf_add_str(to, "\033[m\033[2J");
	}
	buf_add_str(to, "\033[?25l");
	for (unsigned i = 0; i < rows; i++) {
		const struct row *row = screen_row(t, i);

		if (r->rows[i].uid == row->uid && r->rows[i].version == row->version)
			continue;
		r->rows[i] = (struct drawn){ row->uid, row->version };
		draw_row(r, i, to);
	}
	t->epoch++; /* what changes from now on is another version */
	if (t->modes.cursor_visible && t->row < rows && t->col < outer.cols)
		buf_addf(to, "\033[%u;%uH\033[?25h", t->row + 1, t->col + 1);
}

void
replay_text(struct replay *r, struct buf *to)
{
	term_text(r->t, to, TERM_TEXT_SCREEN);
}
