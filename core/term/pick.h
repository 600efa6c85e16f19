/* pick.h - what a person marks in copy mode: lines by id and cells, and the text between two places.
 * Contract:  a place is a line's id (term.h) and a cell of it as it left the screen: it stays good
 *            while output goes on, as long as the line is kept. A range goes from a cell up to and
 *            with another; with PICK_BLOCK the columns between the two of each line. A character
 *            that lies partly in the range is taken whole. Lines that ran on are joined, blanks at
 *            the end of a line are left out.
 * Places:    term_places() tells where the cells of a view's rows come from, as
 *            var row, var first cell of the row, var line, var first cell of the line
 *            for each piece; a row that shows cells of two lines (after a resize) has two pieces.
 */
#pragma once

#include <stdint.h>

struct buf;
struct frame_view;
struct term;

enum pick_flag { PICK_BLOCK = 1 };

struct pick {
	uint64_t from_line, to_line;
	unsigned from_cell, to_cell;
	unsigned flags;
};

void term_pick(struct term *t, const struct pick *p, struct buf *to);
void term_places(const struct frame_view *v, const struct term *t, struct buf *to);
