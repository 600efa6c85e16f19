/* line.h - lines by id, joined where they were wrapped and cut anew for the width of now.
 * Contract:  history keeps each line as it left the screen, at the width of then. Whoever looks
 *            joins the lines that ran on into a chain and cuts it into rows of the present width:
 *            a resize touches no history. A chain of more than CHAIN_LINES lines or CHAIN_CELLS
 *            cells is cut there, so that no line makes a look expensive. Blanks at the end of a
 *            chain that only carry a background make no row of their own.
 * Ids:       the row r of the screen is the line history.next + r, as everywhere (term.h). A row
 *            cut from a chain has the id of the line that its first cell stood in.
 * Lifetime:  a zeroed struct chain is an empty one; chain_fini(). Cells are borrowed until the next
 *            read.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sandesk/cell.h"

struct history;
struct term;

enum { CHAIN_LINES = 1024, CHAIN_CELLS = 1 << 16 };

struct chain {
	uint64_t first, end; /* the lines [first, end); empty: nothing was read */
	struct cell *cells;  /* owned */
	unsigned count, room;
	unsigned solid;	  /* cells up to the last that is no mere background */
	unsigned *starts; /* owned: where each line begins */
	unsigned starts_room;
	bool runs_on; /* the line behind it continues it */
};

void chain_fini(struct chain *c);

/* The first line of the chain that a line of history belongs to. */
uint64_t chain_head(const struct history *h, uint64_t id);

/* Reads the chain from line `first` of history on, up to the line `stop` at most. Nothing is done
 * when it is there already. */
void chain_read(struct chain *c, const struct history *h, uint64_t first, uint64_t stop);

/* Where the row that begins at cell `from` ends; it is the last one when chain_has_row() is false
 * of its end. */
unsigned chain_row_end(const struct chain *c, unsigned from, unsigned cols);

static inline bool
chain_has_row(const struct chain *c, unsigned from)
{
	return from < c->solid;
}

/* Where the row begins that shows the cell. */
unsigned chain_row_of(const struct chain *c, unsigned cell, unsigned cols);

/* The line that a cell stood in. */
uint64_t chain_line(const struct chain *c, unsigned cell);

/* ---- all rows of a range of lines, history and screen ---- */

struct row_shown {
	const struct cell *cells; /* borrowed until the next row */
	unsigned used;
	uint64_t line;
	bool is_wrapped; /* the next row continues it */
};

struct row_walk {
	struct term *t;
	uint64_t next, stop; /* lines */
	unsigned stop_col;   /* of the last line only so many cells; 0: all. May be set after init */
	struct chain chain;
	unsigned from; /* next cell of the chain */
};

/* Lines [from, stop), as far as they can be read. */
void row_walk_init(struct row_walk *w, struct term *t, uint64_t from, uint64_t stop);
bool row_walk_next(struct row_walk *w, struct row_shown *ret);
void row_walk_fini(struct row_walk *w);

/* Does the newest line of history run on into the first row of the screen? */
bool line_enters_screen(const struct term *t);
