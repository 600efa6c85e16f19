/* sweep.c - the tables of clusters, rare styles and links are bounded. When one is full, what no cell
 * on the screens or in history uses any more is freed, so that a program that filled them on purpose
 * does not spoil the session for those that come after it.
 *
 * Reading all of history costs time. A sweep that leaves little free is followed by the next one only
 * after as many misses as make up for it. */
#include "sandesk/base/mem.h"
#include "term/screen.h"

enum { MISSES_LEAST = 64, LINES_A_MISS = 4 };

static void
mark_pen(struct term *t, struct cluster_marks *m, const struct pen *pen)
{
	cluster_mark(&t->table, m, 0, pen->cell.ext);
	cluster_mark_link(&t->table, m, pen->link);
}

static void
mark_cells(struct term *t, struct cluster_marks *m, const struct cell *cells, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (cells[i].ch & CELL_CLUSTER || cells[i].ext)
			cluster_mark(&t->table, m, cells[i].ch, cells[i].ext);
}

static void
mark_screen(struct term *t, struct cluster_marks *m, const struct screen *s)
{
	mark_pen(t, m, &s->saved.pen);
	for (unsigned i = 0; s->rows && i < t->size.rows; i++)
		mark_cells(t, m, s->rows[i]->cells, s->rows[i]->used);
}

static void
mark_history(struct term *t, struct cluster_marks *m)
{
	AUTO(mem) struct cell *cells = mem_alloc(HISTORY_MAX_CELLS * sizeof cells[0]);
	const struct history *h = &t->history;

	for (uint64_t id = h->first; id < h->next; id++) {
		bool is_wrapped;
		int n = history_read(h, id, cells, HISTORY_MAX_CELLS, &is_wrapped);

		if (n > 0)
			mark_cells(t, m, cells,
				n < HISTORY_MAX_CELLS ? (unsigned)n : HISTORY_MAX_CELLS);
	}
}

void
sweep_tables(struct term *t)
{
	AUTO(mem) struct cluster_marks *m = NULL;

	if (!t->table.misses || t->table.misses < t->sweep_patience)
		return;
	m = mem_new(struct cluster_marks);
	mark_pen(t, m, &t->pen);
	cluster_mark(&t->table, m, t->last_ch, 0);
	mark_screen(t, m, &t->main);
	mark_screen(t, m, &t->alt);
	mark_history(t, m);
	if (cluster_sweep(&t->table, m))
		t->sweep_patience = 0;
	else
		t->sweep_patience = MISSES_LEAST + (uint32_t)(term_history_lines(t) / LINES_A_MISS);
}
