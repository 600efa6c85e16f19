/* width.h - what a code point is to a grid of cells: its width, and whether it joins the character
 * before it.
 * Contract:  one policy for the whole product. Width as glibc's wcwidth() has it, so that programs
 *            inside agree: East Asian Wide and Fullwidth take 2, marks and format characters 0, all
 *            else 1. On top of it, for clusters (one cell, or two, whatever their length):
 *            - what has no width (a mark, a joiner, a variation selector, a tag, a Hangul vowel or
 *              final) joins whatever stands before it, and is not shown where nothing does;
 *            - VS16 makes a narrow emoji wide (digits too: keycaps); VS15 changes no width;
 *            - a pictographic character joins behind a ZWJ if the cluster begins with one;
 *            - two regional indicators are one wide flag, one alone is wide too;
 *            - a skin tone joins an emoji;
 *            - a Hangul initial or syllable joins an initial;
 *            - an Indic consonant joins behind a linker (virama) of a cluster that begins with a
 *              consonant; a vowel sign of one cell joins whatever stands before it. Such a
 *              cluster is wide, as its two characters are for wcwidth(), and never wider.
 *            Not done: what is to be prepended (GB9b) stands by itself.
 * Source:    Unicode 15.0 (the tables are made by core/base/gen-width.py), UAX 11, UAX 29 (GB9c of
 *            15.1, with InCB as derived there from the syllabic category), UTS 51.
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
	/* may join the character before it by a rule of its script: width_script() */
	WIDTH_SCRIPT = 1 << 7,
};

/* What the rules for Hangul and Indic scripts need to know. */
enum width_script {
	SCRIPT_NONE,
	SCRIPT_HANGUL_INITIAL,
	SCRIPT_HANGUL_SYLLABLE,
	SCRIPT_CONSONANT,
	SCRIPT_LINKER,
	SCRIPT_SPACING_MARK /* a vowel sign of one cell */
};

enum width_script width_script(uint32_t cp);

extern const uint8_t width_stage1[0x1100];
extern const uint8_t width_stage2[][256];

/* A set of enum width_class; 0 for what is no code point. */
static inline uint8_t
width_class(uint32_t cp)
{
	return cp < 0x110000 ? width_stage2[width_stage1[cp >> 8]][cp & 0xff] : 0;
}
