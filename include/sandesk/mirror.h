/* mirror.h - a client's copy of one session's screen, kept up by frames.
 * Contract:  mirror_apply() trusts nothing: a body that is cut, too long or senseless is refused as
 *            a whole and the mirror stays as it was. Every row has size.cols cells that may be
 *            read; wide characters are always paired.
 *
 *   body:  u8 version (1), u8 flags (1 full, 2 title), u16 rows, u16 cols,
 *          u16 cursor row, u16 cursor col, u8 shape, u32 enum mirror_mode,
 *          var up, var history lines, [title: var bytes, UTF-8], var links, each: u32 id, var bytes, URI;
 *          then row operations until `rows` rows are described:
 *            var (n << 2 | 0)           n rows are as they were (not when full)
 *            var (n << 2 | 1), var src  n rows are what the rows src... were before (not when full)
 *            var (n << 2 | 2)           n blank rows
 *            3, u8 row flags, runs      one row: flags 1 = wrapped into the next
 *   run:   0 end of the row, the rest is blank
 *          1 style: u8 mask, [u32 fg] [u32 bg] [u16 attr] [u32 underline colour] [u32 link]
 *          2 text: var n, n UTF-8 characters of one cell
 *          3 wide: var n, n UTF-8 characters of two cells
 *          4 blanks: var n
 *          5 cluster: u8 cells, var bytes, UTF-8
 *          A row begins in the default style. var: LEB128.
 *
 * Ownership: rows and text are borrowed until the next mirror_apply().
 * Errors:    -EBADMSG with the reason.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandesk/cell.h"
#include "sandesk/types.h"

struct err;
struct mirror;

enum mirror_mode {
	MIRROR_MOUSE = 1 << 0,	   /* the program wants the mouse */
	MIRROR_ALTERNATE = 1 << 1, /* the alternate screen is shown */
	MIRROR_BRACKETED_PASTE = 1 << 2,
	MIRROR_FOCUS_EVENTS = 1 << 3,
	MIRROR_APP_CURSOR = 1 << 4,
	MIRROR_REVERSE = 1 << 5, /* the whole screen is in reverse video */
	MIRROR_CURSOR_VISIBLE = 1 << 6,
	MIRROR_CURSOR_BLINK = 1 << 7,
	MIRROR_MOUSE_MOTION = 1 << 8, /* ... and moves without a button */
};

enum mirror_shape { MIRROR_SHAPE_BLOCK, MIRROR_SHAPE_UNDERLINE, MIRROR_SHAPE_BAR };

struct mirror_cursor {
	uint16_t row, col;
	bool is_visible; /* false too while the view is scrolled and the cursor is off it */
	bool is_blinking;
	enum mirror_shape shape;
};

struct mirror *mirror_new(void); /* returns owned; 0 rows until the first body */
void mirror_free(struct mirror *m);
int mirror_apply(struct mirror *m, const void *body, size_t len, struct err *e);

struct size mirror_size(const struct mirror *m);
/* size.cols cells; NULL when there is no such row */
const struct cell *mirror_row(const struct mirror *m, unsigned row);
bool mirror_row_is_wrapped(const struct mirror *m, unsigned row);

/* Did the row change since mirror_clean()? */
bool mirror_row_is_dirty(const struct mirror *m, unsigned row);
void mirror_clean(struct mirror *m);

/* UTF-8 of a cell's `ch`, at most `size` bytes, not terminated. Returns their number; 0: a
 * blank. */
enum { MIRROR_CLUSTER_BYTES = 64 };
size_t mirror_cluster(const struct mirror *m, uint32_t ch, char *to, size_t size);

struct cell_ext mirror_ext(const struct mirror *m, uint16_t ext);
/* URI, printable; NULL when unknown */
const char *mirror_link(const struct mirror *m, uint32_t link);

struct mirror_cursor mirror_cursor(const struct mirror *m);
uint32_t mirror_modes(const struct mirror *m);	  /* enum mirror_mode */
const char *mirror_title(const struct mirror *m); /* without control characters */
/* lines above the newest screen; 0: following */
uint64_t mirror_scroll(const struct mirror *m);
uint64_t mirror_history_lines(const struct mirror *m);
