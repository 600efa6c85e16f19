/* width.h - what a code point is to a grid of cells: its width, and whether it joins the character
 * before it.
 * Contract:  one policy for the whole product. Width as glibc's wcwidth() has it, so that programs
 *            inside agree: East Asian Wide and Fullwidth take 2, marks and format characters 0, all
 *            else 1. On top of it, for clusters: a mark, a joiner or a variation selector joins
 *            what stands before it; VS16 makes a narrow emoji wide; what follows a ZWJ joins if it
 *            is pictographic; two regional indicators are one wide flag; a skin tone joins an
 *            emoji.
 * Source:    Unicode 15.0 (the tables are made by core/base/gen-width.py), UAX 11, UAX 29, UTS 51.
 */
#pragma once

#include <stdint.h>

enum width_class {
	WIDTH_CELLS = 3, /* mask: 0, 1 or 2 */
	WIDTH_PICTOGRAPHIC = 1 << 2,
	WIDTH_EMOJI = 1 << 3, /* VS16 makes it wide */
	WIDTH_REGIONAL = 1 << 4,
	WIDTH_MODIFIER = 1 << 5, /* a skin tone */
	/* of no width, and joins the character before it; else it is not shown at all */
	WIDTH_EXTEND = 1 << 6,
};

extern const uint8_t width_stage1[0x1100];
extern const uint8_t width_stage2[][256];

/* A set of enum width_class; 0 for what is no code point. */
static inline uint8_t
width_class(uint32_t cp)
{
	return cp < 0x110000 ? width_stage2[width_stage1[cp >> 8]][cp & 0xff] : 0;
}
