/* cell.h - one cell of a screen, as the terminal core keeps it and as a client draws it.
 * Contract:  16 bytes. A zeroed cell is a blank in default colours. A wide character stands in its
 *            first cell with ATTR_WIDE; the cell behind it has ATTR_SPACER and no character. `ch`
 *            is a code point, or, with CELL_CLUSTER set, an index into the cluster table of the
 *            screen that owns the cell. `ext` is an index into the owner's table of rare things
 *            (underline colour, link); 0 is none.
 *
 *      0        4        8        12     14     16
 *      +--------+--------+--------+------+------+
 *      |   ch   |   fg   |   bg   | attr | ext  |
 *      +--------+--------+--------+------+------+
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A colour: its kind in the top byte, its value below. 0 is the default colour. */
enum colour_kind {
	COLOUR_DEFAULT = 0,
	COLOUR_NAMED = 1, /* 0-15, by SGR 30-37, 90-97 and their background forms */
	COLOUR_INDEX = 2, /* 0-255, by SGR 38;5 */
	COLOUR_RGB = 3,	  /* 0xRRGGBB, by SGR 38;2 */
};

static inline uint32_t
colour(enum colour_kind kind, uint32_t value)
{
	return (uint32_t)kind << 24 | value;
}

static inline enum colour_kind
colour_kind(uint32_t c)
{
	return (enum colour_kind)(c >> 24);
}

static inline uint32_t
colour_value(uint32_t c)
{
	return c & 0xffffff;
}

enum cell_attr {
	ATTR_BOLD = 1 << 0,
	ATTR_DIM = 1 << 1,
	ATTR_ITALIC = 1 << 2,
	ATTR_BLINK = 1 << 3,
	ATTR_REVERSE = 1 << 4,
	ATTR_HIDDEN = 1 << 5,
	ATTR_STRIKE = 1 << 6,
	ATTR_OVERLINE = 1 << 7,
	ATTR_UNDERLINE_SHIFT = 8, /* three bits: enum underline */
	ATTR_UNDERLINE = 7 << 8,
	ATTR_PROTECTED = 1 << 11, /* DECSCA */
	ATTR_WIDE = 1 << 12,
	ATTR_SPACER = 1 << 13,
	ATTR_STYLE = 0x7ff, /* what SGR sets */
};

enum underline {
	UNDERLINE_NONE,
	UNDERLINE_SINGLE,
	UNDERLINE_DOUBLE,
	UNDERLINE_CURLY,
	UNDERLINE_DOTTED,
	UNDERLINE_DASHED
};

enum { CELL_CLUSTER = 1u << 31 };

struct cell {
	uint32_t ch; /* 0: never written */
	uint32_t fg;
	uint32_t bg;
	uint16_t attr;
	uint16_t ext;
};

_Static_assert(
	sizeof(struct cell) == 16, "a screen's memory and speed are planned for 16-byte cells");

/* What one `ext` index stands for. */
struct cell_ext {
	uint32_t underline_colour;
	uint32_t link; /* 0: none; else an id unique in the session */
};

static inline enum underline
cell_underline(uint16_t attr)
{
	return (enum underline)((attr & ATTR_UNDERLINE) >> ATTR_UNDERLINE_SHIFT);
}
