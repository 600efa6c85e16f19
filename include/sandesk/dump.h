/* dump.h - a screen as text, for people, tests and golden files.
 * Contract:  feeds the bytes to a fresh terminal of that size and appends what it shows:
 *
 *   size ROWS COLUMNS
 *   |text of row 0, blanks at the end cut      one line per row; a wide character stands once
 *   attr ROW FIRST-LAST fg=F bg=B flags=A|B    runs of cells that differ from the default; F and B are
 *                                              a name, a number of 256, or #rrggbb; flags=- for none
 *
 * Errors:    -ENOBUFS when `to` is at its limit.
 */
#pragma once

#include <stddef.h>

#include "sandesk/types.h"

struct buf;
struct term;

int term_dump(const void *bytes, size_t len, struct size size, struct buf *to);
int term_dump_screen(struct term *t, struct buf *to); /* of a terminal that is there */
