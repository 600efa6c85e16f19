/* out.h - what the command line writes.
 * Contract:  standard output is written whole or the command fails, with the reason (a full disk, a
 *            closed pipe) on standard error. Errors are one line and safe on a terminal whatever
 *            they quote.
 */
#pragma once

#include "sandesk/base/auto.h"

struct buf;

/* Writes a result. Returns the exit status: 0, or 1 when it could not be written. */
int out_write(const struct buf *text);

/* "sandesk: text", one line. */
void out_error(const char *text);

/* Appends a message for one line: backslashes stay as they are, everything else as str_escape(). */
void out_one_line(struct buf *to, const char *text);
