/* frame.h - what one client has, and the message that brings it up to date.
 * Contract:  frame_encode() appends one message body (the format stands in sandesk/mirror.h): the
 *            difference between what the client has and what is true now, whatever happened in
 *            between. Bodies must be applied in order. A row that only moved costs a few bytes.
 * Lifetime:  frame_view_init(), frame_view_fini(). The view holds no pointer into the terminal.
 * Scrolling: a view is either following the screen or anchored to an absolute line id; new output
 *            never moves an anchored view, unless its lines fell out of history. A line of history is
 *            joined with those that continue it and shown in as many rows as they need (line.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandesk/types.h"
#include "term/line.h"

struct buf;
struct term;

struct frame_row {
	uint64_t uid; /* 0: the client has nothing here */
	uint64_t version;
};

struct frame_view {
	struct frame_row *rows; /* owned; size.rows of them */
	struct size size;
	uint64_t term_version; /* of the last frame; 0: none was sent */
	uint64_t title_hash;
	uint64_t anchor;      /* line id of the first row while is_anchored */
	unsigned anchor_from; /* first cell shown of that line, when it is longer than a row */
	bool is_anchored;
	bool is_scrolled; /* scrolled since the last frame */
	bool is_held;	  /* stays where it is, on the screen's first line too */
};

void frame_view_init(struct frame_view *v);
void frame_view_fini(struct frame_view *v);
void frame_view_reset(struct frame_view *v); /* the next frame is full; keeps the scroll position */

/* Moves the view by lines, positive towards the past; at the newest line it follows again. 0:
 * follow. */
void frame_view_scroll(struct frame_view *v, const struct term *t, int64_t lines);

/* Moves the view so that a line of history is in it, a few rows below the top; a line of the screen
 * makes it follow. */
void frame_view_show(struct frame_view *v, const struct term *t, uint64_t line);

/* A held view stands still whatever is printed; one that is let go follows when it is at the newest
 * line. */
void frame_view_hold(struct frame_view *v, const struct term *t, bool on);

/* Where each row of a view comes from: a row of history is the cells [from, end) of the chain that
 * begins with `line`; from the terminal's next line id on `line` is a row of the screen. */
struct frame_walk {
	const struct term *t;
	struct chain chain;
	uint64_t line;
	unsigned from, end;
	bool is_begun;
};

void frame_walk_init(struct frame_walk *w, const struct frame_view *v, const struct term *t);
void frame_walk_next(struct frame_walk *w);
void frame_walk_fini(struct frame_walk *w);

/* Is there anything to tell this client? */
bool frame_pending(const struct frame_view *v, const struct term *t);

/* 0, or -ENOBUFS when `to` is at its limit: then `to` and the view are as before. */
int frame_encode(struct frame_view *v, struct term *t, struct buf *to);
