/* term.h - the terminal core: bytes that a program prints become a screen, history, replies and
 * events.
 * Contract:  pure: no descriptor, no clock, no callback. The bytes are hostile: nothing in them
 *            makes the core allocate by a size that they chose, read or write outside its grid, or
 *            grow beyond its caps. Cutting the input anywhere gives the same grid. Unknown
 *            sequences leave no trace.
 * Caps:      32 parameters, 4 KiB of OSC text (1 MiB for the clipboard), 64 KiB of replies (more are
 *            dropped), 32 events (the oldest is dropped), history by bytes and by lines; clusters and rare styles in bounded
 *            tables (cluster.h).
 * Units:     rows and columns of cells from 0; a line id counts the lines that ever entered
 *            history, from 0. The visible row r of the main screen is the line term_next_line() +
 *            r.
 * Source:    ECMA-48; the DEC parser as drawn by Paul Williams (vt100.net/emu/dec_ansi_parser);
 *            xterm's ctlseqs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandesk/cell.h"
#include "sandesk/types.h"

struct buf;
struct term;

enum {
	TERM_HISTORY_BYTES = 10 << 20,
	TERM_HISTORY_LINES = 1000000,
	TERM_EVENT_TEXT = 512,
	TERM_EVENT_ID = 132,
	TERM_REPLY_BYTES = 64 << 10,
	TERM_CLIPBOARD_BYTES = 1 << 20, /* of base64 */
};

struct term_config {
	struct size size;	/* brought into the allowed range */
	size_t history_bytes;	/* 0: no history */
	uint32_t history_lines; /* 0: no history */
	bool keeps_history;	/* CSI 3 J does not erase it */
};

struct term *term_new(const struct term_config *config); /* returns owned */
void term_free(struct term *t);
void term_feed(struct term *t, const void *bytes, size_t len);
void term_resize(struct term *t, struct size size);

/* Full reset, as ESC c. Keeps history. */
void term_reset(struct term *t);

/* What the outside knows and a program may ask for. Pixels of one cell; 0 is refused. Dark: the
 * colour scheme; a program that asked for it (?2031) is told. */
void term_set_cell_pixels(struct term *t, unsigned width, unsigned height);
void term_set_dark(struct term *t, bool is_dark);

struct size term_size(const struct term *t);
/* UTF-8 without control characters; "" before a program set one */
const char *term_title(const struct term *t);
/* the path of the last OSC 7, unescaped and stripped; "" without one */
const char *term_cwd(const struct term *t);

/* What the program must be answered. The owner writes it to the pty and cuts what was written. */
struct buf *term_replies(struct term *t);

/* Grows whenever something that a client could see changed. */
uint64_t term_version(const struct term *t);

enum term_event_kind {
	TERM_EVENT_TITLE, /* text: the new title */
	TERM_EVENT_BELL,
	TERM_EVENT_CWD,		 /* text: the directory */
	TERM_EVENT_PROMPT,	 /* 133;A */
	TERM_EVENT_COMMAND,	 /* 133;B: the prompt ends, the command line begins */
	TERM_EVENT_OUTPUT,	 /* 133;C: the command runs */
	TERM_EVENT_COMMAND_DONE, /* 133;D: value is its exit status, -1 when not said */
	/* value: per cent 0-100; -1 none, -2 unknown extent, -3 error, -4 paused */
	TERM_EVENT_PROGRESS,
	TERM_EVENT_NOTIFY, /* text: what to tell the user */
	/* the program wrote the clipboard; value: bytes, which term_clipboard() has; id: which
	 * selections it named. Whether it may is the owner's policy. Reading is never answered. */
	TERM_EVENT_CLIPBOARD,
	/* OSC 7501; value: enum term_status; text: what it says, or its title */
	TERM_EVENT_STATUS,
};

enum term_status {
	TERM_STATUS_IDLE,
	TERM_STATUS_WORKING,
	TERM_STATUS_BLOCKED,
	TERM_STATUS_DONE,
	TERM_STATUS_ERROR,
	TERM_STATUS_CLEAR, /* the record of that id and those below it are to be forgotten */
};

/* What a blocked program waits for. */
enum term_blocked {
	TERM_BLOCKED_UNSAID,
	TERM_BLOCKED_PERMISSION,
	TERM_BLOCKED_QUESTION,
	TERM_BLOCKED_AUTH
};

struct term_event {
	enum term_event_kind kind;
	int32_t value;
	uint64_t line; /* the cursor's line id when it happened */
	char text[TERM_EVENT_TEXT];
	/* TERM_EVENT_STATUS: */
	enum term_blocked blocked;
	int progress; /* per cent; -1 when not said */
	char app[33]; /* letters, digits, _ . + - */
	char id[TERM_EVENT_ID]; /* the same and '/'; "" is the session itself */
};

/* What the last clipboard event carried; borrowed until the next term_feed(). */
const void *term_clipboard(const struct term *t, size_t *ret_len);

bool term_next_event(struct term *t, struct term_event *ret);

/* - 9 1000 1002 1003 */
enum term_mouse {
	TERM_MOUSE_NONE,
	TERM_MOUSE_X10,
	TERM_MOUSE_CLICK,
	TERM_MOUSE_DRAG,
	TERM_MOUSE_ALL
};
enum term_cursor_shape { TERM_CURSOR_BLOCK, TERM_CURSOR_UNDERLINE, TERM_CURSOR_BAR };

struct term_modes {
	bool app_cursor;      /* DECCKM ?1 */
	bool app_keypad;      /* DECKPAM, ?66 */
	bool autowrap;	      /* DECAWM ?7 */
	bool origin;	      /* DECOM ?6 */
	bool insert;	      /* IRM 4 */
	bool newline;	      /* LNM 20 */
	bool reverse_screen;  /* DECSCNM ?5 */
	bool reverse_wrap;    /* ?45 */
	bool margins;	      /* DECLRMM ?69 */
	bool cursor_visible;  /* DECTCEM ?25 */
	bool cursor_blink;    /* ?12, DECSCUSR */
	bool alternate;	      /* ?47 ?1047 ?1049 */
	bool bracketed_paste; /* ?2004 */
	bool focus_events;    /* ?1004 */
	bool mouse_sgr;	      /* ?1006 */
	/* ?2026: the owner may hold frames back for a moment (it has the clock) */
	bool synchronized;
	enum term_mouse mouse;
	enum term_cursor_shape cursor_shape;
	bool mouse_pixels;	 /* ?1016 */
	bool alternate_scroll;	 /* ?1007: the wheel is arrows on the alternate screen */
	bool colour_reports;	 /* ?2031 */
	bool resize_reports;	 /* ?2048 */
	bool allows_columns;	 /* ?40: without it ?3 does nothing */
	bool columns;		 /* DECCOLM ?3: remembered, the width stays */
	bool columns_keep;	 /* DECNCSM ?95: ?3 does not clear */
	bool backspace_is_bs;	 /* DECBKM ?67 */
	uint8_t kitty;		 /* flags of the kitty keyboard protocol in force, enum term_kitty */
	uint8_t modify_other;	 /* modifyOtherKeys 0-2 */
};

enum term_kitty {
	TERM_KITTY_DISAMBIGUATE = 1,
	TERM_KITTY_EVENTS = 2,
	TERM_KITTY_ALTERNATES = 4,
	TERM_KITTY_ALL = 8, /* text too comes as sequences */
	TERM_KITTY_TEXT = 16,
	TERM_KITTY_MASK = 31
};

/* Pixels of one cell, as the owner said or as is supposed. */
void term_cell_pixels(const struct term *t, unsigned *ret_width, unsigned *ret_height);

const struct term_modes *term_modes(const struct term *t);
void term_cursor(const struct term *t, unsigned *ret_row, unsigned *ret_col);

/* Cells of a visible row; at least *ret_used of them may be read, the rest of the row is blank. */
const struct cell *term_row(const struct term *t, unsigned row, unsigned *ret_used);

/* UTF-8 of a cell's character or cluster, at most `size` bytes, not terminated. Returns the number
 * of bytes; 0: blank. */
enum { TERM_CLUSTER_BYTES = 64 };
size_t term_cluster(const struct term *t, uint32_t ch, char *to, size_t size);

/* What a cell's `ext` stands for; unknown indexes give "nothing". */
struct cell_ext term_ext(const struct term *t, uint16_t ext);
const char *term_link(const struct term *t, uint32_t link); /* the URI; NULL when unknown */

/* History: lines from term_first_line() to term_next_line() - 1 can be read. */
uint64_t term_history_lines(const struct term *t);
size_t term_history_bytes(const struct term *t);
uint64_t term_first_line(const struct term *t);
uint64_t term_next_line(const struct term *t);

enum term_text_flags {
	TERM_TEXT_SCREEN = 0,
	TERM_TEXT_HISTORY = 1 << 0, /* history first, then the screen */
	TERM_TEXT_JOIN = 1 << 1,    /* lines that were wrapped become one */
	TERM_TEXT_BLANKS = 1 << 2,  /* keep blanks at the end of a row that a program wrote */
};

/* Appends the text of the screen, each row ended by a newline, up to the last used row (or the
 * cursor's, if lower and TERM_TEXT_BLANKS is given). At `to`'s limit the text is cut and
 * to->is_full is set. */
void term_text(struct term *t, struct buf *to, enum term_text_flags flags);

/* The same from a line id on: what left the screen since then, and the screen. TERM_TEXT_HISTORY
 * has no meaning here. */
void term_text_since(struct term *t, uint64_t line, struct buf *to, enum term_text_flags flags);
