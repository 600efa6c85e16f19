/* export.h - lines of history and the screen as a document.
 * Contract:  text comes out as text and nothing else: what a program printed is escaped by the rules
 *            of the format, its links only lead to http, https and mailto. Rows are cut for the
 *            present width (line.h). The same terminal gives the same bytes.
 *
 *              text   rows as term_text() has them
 *              ansi   rows with SGR, the style reset at the end of each
 *              html   one self-contained page
 *              svg    one picture, with the cursor when it is in it
 *              json   {"rows", "cols", "title", "alternate", "first_line", "next_line",
 *                      "cursor": {"line", "row", "col", "visible"},
 *                      "lines": [{"line", "wrapped", "runs": [{"col", "cells", "text", "fg", "bg",
 *                                 "attributes", "underline_colour", "link"}]}]}
 *                     A colour is a number of the 256, or "#rrggbb"; what is default is left out.
 *
 * Errors:    -ENOBUFS when `to` came to its limit.
 */
#pragma once

#include <stdint.h>

struct buf;
struct term;

#define EXPORT_FORMATS(X) X(TEXT, text) X(ANSI, ansi) X(HTML, html) X(SVG, svg) X(JSON, json)

#define X(upper, lower) EXPORT_##upper,
enum export_format { EXPORT_FORMATS(X) EXPORT_FORMAT_COUNT };
#undef X

/* Lines [from, stop), as far as they can be read; term_next_line() on are rows of the screen. */
int term_export(
	struct term *t, enum export_format format, uint64_t from, uint64_t stop, struct buf *to);
