/* utf8.h - UTF-8 and the width of characters.
 * Contract:  strict: overlong forms, surrogates and values over U+10FFFF are invalid (Unicode 15,
 *            table 3-7).
 * Units:     widths are terminal cells.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes one code point. Returns its length in bytes, 0 when the text is empty, invalid or cut
 * off. */
size_t utf8_decode(const char *text, size_t len, uint32_t *ret_cp);

/* Encodes one code point into at most 4 bytes; returns their number. Not a code point gives U+FFFD.
 * The symbol has a name of its own because libjansson.a, which is linked statically, exports one of
 * this name. */
size_t utf8_encode(uint32_t cp, char to[4]) __asm__("sandesk_utf8_encode");

/* The longest part of at most `most` bytes from the start that ends with a whole character. */
size_t utf8_cut(const char *text, size_t most);

bool utf8_is_valid(const char *text, size_t len);

/* Cells that a code point takes by itself: 0 (combining, format), 1, or 2 (East Asian wide, emoji).
 * Control characters give 0. Ambiguous characters are narrow. */
unsigned utf8_width(uint32_t cp);

/* Cells that a run of text takes; every invalid byte counts as one. */
size_t utf8_text_width(const char *text, size_t len);
