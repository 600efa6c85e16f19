/* theme-check.h - what is wrong in a theme file, line by line.
 * Contract:  says lines that are no `role = style`, roles that are unknown, given twice or missing,
 *            and text of which the contrast with its background is below 4.5 : 1 (WCAG 2.2, 1.4.3).
 *            Contrast is told where both colours are known: `default` is the terminal's.
 * Errors:    the number of complaints, or a negative errno when the file cannot be read.
 */
#pragma once

struct buf;
struct err;

int theme_check(const char *path, struct buf *to, struct err *e);
