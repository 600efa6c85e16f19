/* copy.h - copy mode: where the cursor stands in a held view, what is marked, what was found.
 * Contract:  pure; knows the rows that a mirror shows and where they come from (copy_places()), and
 *            says what it wants of the outside (enum copy_want). Places are lines by id and cells
 *            of them, so marks and hits stay on their text while output goes on. A view without
 *            places (a keeper of an older version) can be scrolled and nothing else.
 *
 *      key -> copy_key() -> wants: scroll by n | show a line | copy | search | prompt | end
 *      places, frame     -> the cursor goes to where it was to go
 *
 * Lifetime:  a zeroed struct is closed; copy_begin(), copy_fini(). `text` holds cells of one row.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandesk/key.h"
#include "sandesk/types.h"

struct mirror;

struct copy_place {
	uint64_t line;
	unsigned cell;
};

struct copy_hit {
	struct copy_place at, end; /* end: behind the last cell */
};

/* One piece of a row: cells from `at` on come from `place`. */
struct copy_piece {
	unsigned row, at;
	struct copy_place place;
};

enum copy_marking { MARK_NONE, MARK_CELLS, MARK_LINES, MARK_BLOCK };

enum copy_want {
	COPY_NOTHING,
	COPY_SCROLL, /* by `lines`, up is positive */
	COPY_SHOW,   /* `goal` */
	COPY_TAKE,   /* what is marked, or the line */
	COPY_TYPE,   /* a pattern is to be typed: is_backwards */
	COPY_AGAIN,  /* the next hit: is_backwards */
	COPY_PROMPT, /* the prompt before (is_backwards) or behind the cursor */
	COPY_OUTPUT, /* mark the output of the command at the cursor */
	COPY_END
};

struct copy {
	const struct mirror *mirror;
	struct copy_piece *pieces;
	size_t pieces_n;
	uint64_t first, next; /* lines of history */
	unsigned row, col;    /* cursor, in the view */
	unsigned wish_col;    /* where up and down want to be */
	enum copy_marking marking;
	struct copy_place mark; /* where the marked part begins */
	/* where the cursor goes with the next places: a place, or the end of its row */
	struct copy_place goal;
	bool has_goal, goal_is_end, has_other_mark;
	struct copy_place other_mark; /* that the mark goes to with it */
	struct copy_hit *hits;
	size_t hits_n;
	bool was_backwards, is_backwards;
	int lines;
};

void copy_begin(struct copy *c, const struct mirror *m);
void copy_fini(struct copy *c);

/* The body of a `places` message. False: senseless; nothing was taken. */
bool copy_places(struct copy *c, const void *bytes, size_t len, uint64_t first, uint64_t next);
/* After the frame that goes with them. */
void copy_settle(struct copy *c);

enum copy_want copy_key(struct copy *c, struct key k);

/* Marks from a cell of the view on, for the mouse: cells, the word there, the line. */
void copy_mark(struct copy *c, enum copy_marking how, unsigned row, unsigned col);
void copy_mark_word(struct copy *c, unsigned row, unsigned col);
void copy_drag(struct copy *c, unsigned row, unsigned col);
void copy_go(struct copy *c, struct copy_place to); /* when the view shows it, or with the next places */

/* Hits are taken; owned by the copy mode then. */
void copy_set_hits(struct copy *c, struct copy_hit *hits, size_t n);

/* Where a cell of the view comes from. False: not known. */
bool copy_place_at(const struct copy *c, unsigned row, unsigned col, struct copy_place *ret);
bool copy_find(const struct copy *c, struct copy_place p, unsigned *ret_row, unsigned *ret_col);
struct copy_place copy_cursor(const struct copy *c);

/* The marked range, in order; the cursor's line when nothing is marked. For a block `from` holds
 * the left column and `to` the right one. */
void copy_range(const struct copy *c, struct copy_place *ret_from, struct copy_place *ret_to);
bool copy_is_marked(const struct copy *c, unsigned row, unsigned col);
/* 0: no hit; 1: one; 2: the one that the cursor stands on */
int copy_hit_at(const struct copy *c, unsigned row, unsigned col);
