/* buf.h - a growing run of bytes with a cap.
 * Contract:  `data[len]` is always readable and NUL once anything was added, so text can be used as
 *            a C string. Nothing is added beyond `limit`: the addition fails as a whole, `is_full`
 *            stays set, and what was there is kept.
 * Lifetime:  buf_init(), then buf_reset() to use again, buf_fini() (or AUTO(buf)) at the end. A
 *            zeroed struct is an empty buffer with the limit BUF_LIMIT.
 * Errors:    -ENOBUFS at the limit.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandesk/base/auto.h"

enum { BUF_LIMIT = 64 << 20 };

struct buf {
	char *data;
	size_t len;
	size_t room;  /* allocated bytes */
	size_t limit; /* 0 means BUF_LIMIT */
	bool is_full;
};

void buf_init(struct buf *b, size_t limit);
void buf_fini(struct buf *b);
void buf_drop(struct buf *b);  /* for AUTO(buf); the same as buf_fini() */
void buf_reset(struct buf *b); /* empty; keeps the memory */
int buf_reserve(struct buf *b, size_t more);
int buf_add(struct buf *b, const void *bytes, size_t len);
int buf_add_str(struct buf *b, const char *text);
int buf_add_char(struct buf *b, char c);
int buf_addf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
int buf_add_u16(struct buf *b, uint16_t v); /* little endian, as all our formats */
int buf_add_u32(struct buf *b, uint32_t v);
void buf_cut(struct buf *b, size_t n); /* removes n bytes at the front; n <= len */
/* returns owned, NUL-terminated text; the buffer is empty then */
char *buf_take(struct buf *b);
