/* palette.h - what a line that is being typed behind ':' could become.
 * Contract:  pure. Candidates are actions, commands and, behind a command that takes one, Desktops
 *            or DESKTOP/SESSION; the best first: those that begin with what was typed, that contain
 *            it, that have its letters in order. Taking a candidate gives the whole line anew.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct model;

enum { PALETTE_MAX = 64, PALETTE_TEXT = 160 };

struct candidate {
	char line[PALETTE_TEXT]; /* what the line becomes */
	char help[PALETTE_TEXT];
	int rank;
	bool wants_more; /* an argument must follow */
};

struct palette {
	struct candidate at[PALETTE_MAX];
	size_t n;
};

void palette_fill(struct palette *p, const struct model *m, const char *typed);

/* How well a pattern fits a text: 0 best; -1: not at all. Case does not count. */
int palette_fit(const char *pattern, const char *text);
