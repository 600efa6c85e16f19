/* export-parts.h - what the formats of export.h share.
 * Contract:  a format is three functions: before the rows, for each row, behind them. A row is
 *            written run by run: cells that look the same and belong to one link. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "term/line.h"
#include "term/screen.h"

struct export {
	struct term *t;
	struct buf *to;
	uint64_t from, stop;
	unsigned row, rows; /* the one being written; how many there are (svg) */
	unsigned blank_rows; /* held back until something stands below them (ansi) */
	bool is_tail;	     /* a row was written before (json) */
};

struct export_run {
	const struct cell *first; /* how all of them look */
	unsigned col, cells;
	struct cell_ext ext;
	const char *link; /* NULL: none, or none that may be followed */
};

typedef void export_fn(struct export *x);
typedef void export_row_fn(struct export *x, const struct row_shown *row);
typedef void export_text_fn(struct buf *to, const char *text, size_t len);

/* The run that begins at cell `col`; false at the end of the row. */
bool export_run(struct export *x, const struct row_shown *row, unsigned col,
	struct export_run *ret);

/* The row without blanks at its end that nobody would see. */
unsigned export_used(const struct row_shown *row);

/* The characters of a run, escaped by `add`. */
void export_text(struct export *x, const struct export_run *run, export_text_fn *add);

/* As 0xRRGGBB; after reverse video. */
struct export_look {
	uint32_t fg, bg;
	bool has_fg, has_bg; /* they are not the default */
};
struct export_look export_look(struct export *x, const struct cell *c);
uint32_t export_rgb(struct export *x, uint32_t colour);

/* The row with SGR, the style reset at its end. */
void export_ansi(struct export *x, const struct row_shown *row);

/* export-markup.c */
export_fn html_begin, html_end, svg_begin, svg_end;
export_row_fn html_row, svg_row;
