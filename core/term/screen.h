/* screen.h - the grid of the terminal core, for the files of this folder.
 * Contract:  the cursor is always inside; a wide character is always in two cells, the second one a
 *            spacer; cells at and beyond `used` of a row are blank in default colours whatever
 *            memory they have (clearing a row is O(1)). A row that is changed is marked: its
 *            version becomes the terminal's epoch, which frames move on.
 * Layout:    the rows of a screen are a ring of pointers: scrolling all of it moves `top` and
 *            recycles one row.
 */
#pragma once

#include <assert.h>
#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/cell.h"
#include "term/cluster.h"
#include "term/history.h"
#include "term/marks.h"
#include "term/term.h"

enum {
	PARAMS_MAX = 32,
	PARAM_LIMIT = 65535,
	OSC_BYTES = 4096,
	APC_BYTES = 256,
	CELL_WIDTH = 8, /* pixels, as long as nobody says */
	CELL_HEIGHT = 16,
	KITTY_STACK = 8,
	TITLE_BYTES = 256,
	CWD_BYTES = 1024,
	EVENTS = 32,
	TITLE_STACK = 8,
};

enum row_flags {
	ROW_WRAPPED = 1 << 0, /* the next row continues it */
	ROW_STYLED = 1 << 1,  /* has a cell that is not ASCII in the default style */
	ROW_WIDE = 1 << 2,    /* has, or had, a wide character */
};

struct row {
	uint64_t uid; /* never used twice */
	uint64_t version;
	uint16_t used;
	uint16_t flags; /* enum row_flags */
	uint32_t room;	/* cells allocated */
	struct cell cells[];
};

struct pen {
	struct cell cell; /* ch is 0 */
	uint32_t underline_colour;
	uint32_t link;
};

enum charset { CHARSET_ASCII, CHARSET_GRAPHICS, CHARSET_UK, CHARSET_LATIN1 };

/* G0 to G3, which of them is in use, and which for one character only (0: none). */
struct charsets {
	uint8_t g[4]; /* enum charset */
	uint8_t gl;
	uint8_t single;
};

struct saved_cursor {
	uint16_t row, col;
	bool wrap_pending, origin;
	struct charsets charsets;
	struct pen pen;
};

/* The kitty keyboard protocol's flags: those in force are flags[depth]. */
struct kitty {
	uint8_t flags[KITTY_STACK + 1];
	uint8_t depth;
};

struct screen {
	struct row **rows; /* NULL until the screen is first shown */
	unsigned top;
	struct saved_cursor saved;
};

struct palette {
	uint32_t colours[256];
	uint32_t dynamic[3]; /* text, background, cursor */
};

enum parser_state {
	STATE_GROUND,
	STATE_ESC,
	STATE_ESC_INTER,
	STATE_CSI_ENTRY,
	STATE_CSI_PARAM,
	STATE_CSI_INTER,
	STATE_CSI_IGNORE,
	STATE_DCS_ENTRY,
	STATE_DCS_PARAM,
	STATE_DCS_INTER,
	STATE_DCS_PASS,
	STATE_DCS_IGNORE,
	STATE_OSC,
	STATE_STRING,
	STATE_COUNT
};

struct parser {
	enum parser_state state;
	uint8_t string_esc;   /* an ESC was seen inside a string */
	uint8_t string_kind;  /* what began it: one of ] P X ^ _ */
	uint8_t private_mark; /* one of <=>? or 0 */
	uint8_t inter[2];
	uint8_t inter_count;
	uint8_t count;	/* parameters; at least 1 once a sequence is complete */
	bool overflow;	/* more than PARAMS_MAX: the rest is ignored */
	uint32_t subs;	/* bit i: parameter i was joined to the one before it by ':' */
	uint32_t given; /* bit i: parameter i has a digit */
	uint16_t params[PARAMS_MAX];
	uint8_t utf8_left;	    /* continuation bytes still expected */
	uint8_t utf8_min, utf8_max; /* range of the next one */
	uint32_t utf8_cp;
	size_t string_len; /* bytes of the string seen, also those that were not kept */
	struct buf string; /* OSC or DCS text, capped */
};

struct term {
	struct size size;
	struct screen main, alt;
	struct screen *on; /* the one shown */
	unsigned row, col;
	bool wrap_pending;
	struct pen pen;
	unsigned region_top, region_bottom; /* inclusive */
	unsigned left, right;		    /* inclusive; whole width unless modes.margins */
	struct charsets charsets;
	/* nothing hinders the fast path: no insert, no margins, no other character set */
	bool is_plain;
	bool is_pen_default;
	struct term_modes modes;
	uint32_t last_ch; /* for REP; 0: none */
	uint8_t last_width;
	bool can_join; /* the cell before the cursor is what was printed last */
	unsigned join_row, join_col;
	uint8_t *tabs; /* one byte per column */
	struct parser parser;
	struct history history;
	bool keeps_history;
	struct cluster_table table;
	struct buf replies;
	char title[TITLE_BYTES];
	char cwd[CWD_BYTES];
	struct marks marks;
	struct kitty kitty[2]; /* of the main and the alternate screen */
	uint64_t saved_modes;  /* XTSAVE: a bit for each of mode.c's flags */
	uint32_t inert_modes;  /* those that are remembered and do nothing */
	uint8_t level;	       /* DECSCL: 61 and on */
	uint8_t extent;	       /* DECSACE */
	uint8_t checksum;      /* XTCHECKSUM's bits */
	bool is_dark;
	uint16_t cell_width, cell_height; /* pixels */
	struct palette *palette;	  /* NULL until a program changes a colour */
	struct buf clipboard;
	struct term_event notice; /* OSC 99 in pieces: id and title */
	char notice_body[TERM_EVENT_TEXT];
	bool has_status; /* OSC 7501 said something */
	uint32_t sweep_patience; /* see sweep.c */
	char *title_stack[TITLE_STACK];
	unsigned title_depth;
	uint32_t title_version;
	struct term_event *events; /* ring of EVENTS; allocated with the first event */
	unsigned event_head, event_count;
	uint64_t epoch; /* moves on with each frame */
	uint64_t fed;	/* bytes, since the start */
	uint64_t version;
	uint64_t next_uid;
	bool is_changed; /* a row changed since `version` was last moved on */
};

/* -- rows -- */

static inline struct row **
screen_slot(struct term *t, unsigned row)
{
	unsigned at = t->on->top + row;

	return &t->on->rows[at < t->size.rows ? at : at - t->size.rows];
}

static inline struct row *
screen_row(struct term *t, unsigned row)
{
	return *screen_slot(t, row);
}

static inline void
row_touch(struct term *t, struct row *r)
{
	r->version = t->epoch;
	t->is_changed = true;
}

struct row *row_new(struct term *t, unsigned cols); /* returns owned, blank */
void row_blank(struct term *t, struct row *r);	    /* as new: it gets a new uid */

/* Makes the cells up to `to` part of the row, blank where they were not. */
static inline void
row_reach(struct row *r, unsigned to)
{
	if (r->used >= to)
		return;
	memset(r->cells + r->used, 0, (to - r->used) * sizeof r->cells[0]);
	r->used = (uint16_t)to;
}

/* A cell in one store, out of a register: a struct whose `ch` was just written would be read back as a whole, which has to wait
 * for that store to get through. */
struct ink {
	uint32_t part __attribute__((vector_size(sizeof(struct cell))));
};

_Static_assert(offsetof(struct cell, ch) == 0, "ch is the first part of an ink");

static inline struct ink
ink_of(const struct cell *pen)
{
	struct ink k;

	memcpy(&k, pen, sizeof k);
	k.part[0] = 0;
	return k;
}

static inline void
cell_put(struct cell *to, uint32_t ch, struct ink k)
{
	k.part |= (struct ink){ { ch } }.part;
	memcpy(to, &k, sizeof k);
}

/* n cells without a character, in the colours of `pen`. */
static inline void
cells_clear(struct cell *to, size_t n, struct cell pen)
{
	struct ink k = ink_of(&pen);

	for (struct cell *end = to + n; to < end; to++)
		memcpy(to, &k, sizeof k);
}

/* Half of a wide character that lost its other half. */
static inline void
cell_half(struct cell *c)
{
	c->ch = 0;
	c->attr &= (uint16_t) ~(ATTR_WIDE | ATTR_SPACER);
}

/* Takes the wide characters apart that stand across the edges of [from, to): their other half
 * becomes a blank. */
void row_cut_halves(struct row *r, unsigned from, unsigned to);

static inline void
row_cut_wide(struct row *r, unsigned from, unsigned to)
{
	if (r->flags & ROW_WIDE && from < r->used)
		row_cut_halves(r, from, to);
}

/* -- screens -- */

bool screen_make(struct term *t, struct screen *s); /* allocates rows when there are none */
void screen_free(struct term *t, struct screen *s);

/* Scrolls rows top..bottom (inclusive) within the margins by n > 0 lines up or down; blank rows
 * take the pen's background. */
void screen_scroll_up(struct term *t, unsigned top, unsigned bottom, unsigned n);
/* as up, never into history */
void screen_delete_lines(struct term *t, unsigned top, unsigned bottom, unsigned n);
void screen_scroll_down(struct term *t, unsigned top, unsigned bottom, unsigned n);

/* Blanks the cells [from, to) of a row in the pen's background. `keep_protected`: DECSEL,
 * DECSED. */
void screen_erase(struct term *t, unsigned row, unsigned from, unsigned to, bool keep_protected);
void screen_insert_cells(struct term *t, unsigned n);
void screen_delete_cells(struct term *t, unsigned n);

/* -- cursor -- */

void cursor_goto(struct term *t, unsigned row, unsigned col); /* absolute, brought inside */
/* down, scrolling at the bottom margin */
void cursor_index(struct term *t);
void cursor_reverse_index(struct term *t);
void cursor_save(struct term *t);
void cursor_restore(struct term *t);

/* -- printing -- */

/* The character at s when it is of several bytes, well-formed (Unicode 15, table 3-7) and not one of the last three bytes; returns
 * what follows it, or NULL: then the parser takes it byte by byte. */
static inline const uint8_t *
utf8_whole(const uint8_t *s, const uint8_t *end, uint32_t *ret_cp)
{
	uint32_t v;

	if (end - s < 4)
		return NULL;
	memcpy(&v, s, 4);
	v = le32toh(v);
	if ((v & 0xc0c0f0) == 0x8080e0) {
		*ret_cp = (v & 0x0f) << 12 | (v >> 2 & 0xfc0) | (v >> 16 & 0x3f);
		return *ret_cp >= 0x800 && (*ret_cp & 0xf800) != 0xd800 ? s + 3 : NULL;
	}
	if ((v & 0xc0e0) == 0x80c0) {
		*ret_cp = (v & 0x1f) << 6 | (v >> 8 & 0x3f);
		return *ret_cp >= 0x80 ? s + 2 : NULL;
	}
	*ret_cp = (v & 7) << 18 | (v << 4 & 0x3f000) | (v >> 10 & 0xfc0) | (v >> 24 & 0x3f);
	return (v & 0xc0c0c0f8) == 0x808080f0 && *ret_cp >= 0x10000 && *ret_cp < 0x110000 ? s + 4
											   : NULL;
}

void print_char(struct term *t, uint32_t cp);
/* Whether a character is certain to stand by itself; the others need the closer look of print_char(). */
bool print_is_lone(const struct term *t, uint32_t cp);
/* The character at s, which is a lone one, and those behind it as far as they are so and fit into the line; returns where they
 * end. */
const uint8_t *print_run(struct term *t, const uint8_t *s, const uint8_t *end);
void print_again(struct term *t, unsigned n); /* REP */

/* Prints bytes 0x20-0x7e. */
void print_ascii(struct term *t, const uint8_t *text, size_t len);

/* Whatever the fast path relies on may have changed. */
void print_update(struct term *t);

/* -- sequences -- */

/* Parameter i, or what stands for a missing one and for 0. */
static inline unsigned
param(const struct parser *p, unsigned i, unsigned otherwise)
{
	return i < p->count && p->params[i] ? p->params[i] : otherwise;
}

static inline bool
param_is_sub(const struct parser *p, unsigned i)
{
	return i < p->count && p->subs >> i & 1;
}

void esc_dispatch(struct term *t, uint8_t final);
void csi_dispatch(struct term *t, uint8_t final);
void dcs_dispatch(struct term *t, uint8_t final);
void apc_dispatch(struct term *t);
void osc_dispatch(struct term *t);
void control_dispatch(struct term *t, uint8_t c);
void sgr_apply(struct term *t);
void sgr_reset(struct term *t);
void sgr_text(const struct term *t, struct buf *to); /* the pen as the parameters of SGR */
void pen_update(struct term *t);

void mode_set(struct term *t, bool is_private, unsigned mode, bool on);
void mode_report(struct term *t, bool is_private, unsigned mode);
void mode_save(struct term *t, unsigned mode); /* XTSAVE, XTRESTORE: private modes */
void mode_restore(struct term *t, unsigned mode);
void mode_soft_reset(struct term *t);
void mode_alternate(struct term *t, bool on, bool clear);
void tabs_reset(struct term *t, unsigned from);
void keyboard_reset(struct term *t);
void keyboard_follow(struct term *t); /* the other screen is shown, or the flags changed */
void report_size(struct term *t);     /* ?2048 */
void sweep_tables(struct term *t);    /* frees what no cell uses any more, when that is due */
void title_push(struct term *t);
void title_pop(struct term *t);

/* -- out -- */

void term_event(
	struct term *t, enum term_event_kind kind, int32_t value, const char *text, size_t len);
/* the one that term_event() made last */
struct term_event *term_newest_event(struct term *t);
void term_set_title(struct term *t, const char *text, size_t len);
void term_reply(struct term *t, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Lines [from, stop) as term_text() has them, of the last one only `stop_col` cells unless that is
 * 0. */
void text_range(struct term *t, uint64_t from, uint64_t stop, unsigned stop_col, struct buf *to,
	enum term_text_flags flags);

/* Copies text without control characters, bidirectional overrides and invalid UTF-8; terminated;
 * whole characters. */
void text_strip(char *to, size_t size, const char *text, size_t len);
