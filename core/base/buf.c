#include "sandesk/base/buf.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sandesk/base/mem.h"

void
buf_init(struct buf *b, size_t limit)
{
	*b = (struct buf){ .limit = limit };
}

void
buf_fini(struct buf *b)
{
	mem_free(b->data);
	*b = (struct buf){ .limit = b->limit };
}

void
buf_drop(struct buf *b)
{
	buf_fini(b);
}

void
buf_reset(struct buf *b)
{
	b->len = 0;
	b->is_full = false;
	if (b->data)
		b->data[0] = 0;
}

int
buf_reserve(struct buf *b, size_t more)
{
	size_t limit = b->limit ? b->limit : BUF_LIMIT, room;

	if (more > limit || b->len > limit - more) {
		b->is_full = true;
		return -ENOBUFS;
	}
	if (b->len + more < b->room)
		return 0;
	room = b->room ? b->room : 64;
	while (room <= b->len + more)
		room *= 2;
	b->data = mem_grow(b->data, room, 1);
	b->room = room;
	return 0;
}

int
buf_add(struct buf *b, const void *bytes, size_t len)
{
	int r = buf_reserve(b, len);

	if (r < 0)
		return r;
	if (len)
		memcpy(b->data + b->len, bytes, len);
	b->len += len;
	b->data[b->len] = 0;
	return 0;
}

int
buf_add_str(struct buf *b, const char *text)
{
	return buf_add(b, text, strlen(text));
}

int
buf_add_char(struct buf *b, char c)
{
	return buf_add(b, &c, 1);
}

int
buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n, r;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	r = buf_reserve(b, (size_t)n);
	if (r < 0)
		return r;
	va_start(ap, fmt);
	vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)n;
	return 0;
}

int
buf_add_u16(struct buf *b, uint16_t v)
{
	return buf_add(b, (uint8_t[]){ (uint8_t)v, (uint8_t)(v >> 8) }, 2);
}

int
buf_add_u32(struct buf *b, uint32_t v)
{
	uint8_t bytes[4];

	for (int i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(v >> (8 * i));
	return buf_add(b, bytes, sizeof bytes);
}

void
buf_cut(struct buf *b, size_t n)
{
	assert(n <= b->len);
	if (!n)
		return;
	memmove(b->data, b->data + n, b->len - n);
	b->len -= n;
	b->data[b->len] = 0;
}

char *
buf_take(struct buf *b)
{
	char *text = b->data ? b->data : mem_zero(1, 1);

	b->data = NULL;
	b->len = b->room = 0;
	return text;
}
