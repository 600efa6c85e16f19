/* surface.h - the compositor's grid: what the outer terminal is to show.
 * Contract:  every write is clipped to the surface and to the area that the caller names; text from
 *            anywhere is made safe (control characters become U+FFFD). No cell holds 0: a blank is
 *            ' '. Wide characters are always paired. Characters of several code points and rare
 *            styles are interned in bounded tables of the surface; they keep their numbers until
 *            surface_begin() finds a table full, empties it and moves `generation` on: what was
 *            drawn before cannot be compared with what comes then. `touched` says of each row
 *            whether anything was written there since surface_settle(): only those need to be
 *            compared with what the terminal shows.
 * Units:     cells, from 0. An area may lie partly or wholly outside.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandesk/cell.h"
#include "sandesk/mirror.h"
#include "sandesk/types.h"

struct area {
	int row, col, rows, cols;
};

struct style {
	uint32_t fg, bg;
	uint16_t attr;
};

enum { CLUSTER_BYTES = 32, CLUSTERS_MAX = 4096, EXTS_MAX = 1024 };

struct cluster {
	uint8_t len;
	char text[CLUSTER_BYTES];
};

struct surface_cursor {
	bool is_visible;
	uint16_t row, col;
	bool is_shaped; /* false: the outer terminal's own shape */
	bool is_blinking;
	enum mirror_shape shape;
};

struct surface {
	struct size size;
	struct cell *cells;
	bool *touched;		  /* by row */
	struct cluster *clusters; /* open addressing, CLUSTERS_MAX * 2 slots; len 0 is free */
	unsigned clusters_used;
	uint32_t exts[EXTS_MAX]; /* underline colours; [0] is none */
	unsigned exts_used;
	uint32_t generation;
	struct surface_cursor cursor;
	bool wants_motion; /* mouse moves without a button are wanted */
};

void surface_init(struct surface *s, struct size size);
void surface_fini(struct surface *s);
void surface_resize(struct surface *s, struct size size);

/* Starts a new picture: blank, cursor hidden. */
void surface_begin(struct surface *s, struct style style);

/* Goes on with the picture that is there, to change a part of it. False when a new one must be
 * begun: a table is full. */
bool surface_resume(struct surface *s);

/* The picture went out. */
void surface_settle(struct surface *s);

struct cell *surface_row(const struct surface *s, unsigned row);
struct area surface_area(const struct surface *s);
struct area area_clip(struct area a, struct area within);
bool area_holds(struct area a, int row, int col);

void surface_fill(struct surface *s, struct area a, struct style style);

/* Writes UTF-8 from (row, col) to the right, clipped to `within`. Returns the column behind it. */
int surface_text(struct surface *s, struct area within, int row, int col, struct style style,
	const char *text);
int surface_textn(struct surface *s, struct area within, int row, int col, struct style style,
	const char *text, size_t len);

/* One code point `n` times to the right or downwards: lines. */
void surface_hline(struct surface *s, struct area within, int row, int col, int n,
	struct style style, uint32_t cp);
void surface_vline(struct surface *s, struct area within, int row, int col, int n,
	struct style style, uint32_t cp);
void surface_box(struct surface *s, struct area a, struct style style);

/* Copies the upper left part of a session's screen into an area; what the screen does not cover is
 * blank. */
void surface_mirror(struct surface *s, struct area a, const struct mirror *m, struct style blank);

/* The same for an area that shows this mirror already: copies the rows that have changed since
 * mirror_clean(). */
void surface_mirror_changes(struct surface *s, struct area a, const struct mirror *m);

/* UTF-8 of a cell, at most CLUSTER_BYTES bytes, not terminated. Returns their number. */
size_t surface_cell_text(const struct surface *s, const struct cell *c, char to[CLUSTER_BYTES]);
uint32_t surface_underline_colour(const struct surface *s, const struct cell *c);
