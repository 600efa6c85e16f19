/* str.h - C strings.
 * Contract:  nothing here trusts its input; what a sandbox named is made printable by str_escape()
 *            before a person sees it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandesk/base/auto.h"

struct buf;

bool str_equal(const char *a, const char *b);
bool str_has_prefix(const char *text, const char *prefix);
char *str_dup(const char *text);			  /* owned; NULL gives NULL */
char *str_format(const char *fmt, ...) PRINTF_LIKE(1, 2); /* owned */

/* Copies into a fixed array of `size` bytes, always terminated. False when it had to be cut. */
bool str_copy(char *to, size_t size, const char *from);

/* Parses a whole decimal number with min <= n <= max. 0, -EINVAL (not a number) or -ERANGE. */
int str_to_int(const char *text, int64_t min, int64_t max, int64_t *ret);

/* Parses seconds with an optional fraction or a unit (ms, s, m, h) into milliseconds. 0, -EINVAL or
 * -ERANGE. */
int str_to_ms(const char *text, int64_t *ret_ms);

/* Appends text so that it is safe on a terminal and in one line: control bytes, DEL, C1,
 * bidirectional overrides and invalid UTF-8 become \xNN or \u{NNNN}; a backslash is doubled. */
void str_escape(struct buf *to, const char *text, size_t len);

/* Appends text as the inside of a JSON string, quotes not included: quotes, backslashes, control
 * characters, DEL, C1 and bidirectional overrides escaped, each invalid byte as U+FFFD. */
void str_add_json(struct buf *to, const char *text, size_t len);
