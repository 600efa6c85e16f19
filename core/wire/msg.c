#include "sandesk/messages.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "sandesk/base/auto.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"

enum { FIELD_HEADER_BYTES = 5, NUMBER_BYTES = 8 };

struct field {
	uint8_t tag; /* 0 ends the list */
	char kind;   /* u, i, s, b, l */
	uint16_t size;
};

/* The tables of messages.h as data. A message's members stand in the order of its fields and all
 * are multiples of eight bytes, so the offset of a member is the sum of the sizes before it; the
 * assertions below hold the compiler to that. */
#define FIELD(tag_, kind_, name_)                                                                  \
	{ .tag = tag_, .kind = #kind_[0], .size = sizeof(FIELD_TYPE_##kind_) },
#define SIZE(tag_, kind_, name_) +sizeof(FIELD_TYPE_##kind_)
#define X(number, name)                                                                            \
	static const struct field fields_##name[] = { FIELDS_##name(FIELD){ 0 } };                 \
	_Static_assert(sizeof(struct msg_##name) == (0 FIELDS_##name(SIZE)), "no padding");
MESSAGES(X)
#undef X
#undef FIELD
#undef SIZE

static const struct {
	const char *name;
	const struct field *fields;
} messages[MSG_TYPE_END] = {
#define X(number, name_) [number] = { #name_, fields_##name_ },
	MESSAGES(X)
#undef X
};

static const struct field *
fields_of(unsigned type)
{
	static const struct field none[] = { { 0 } };

	return type < MSG_TYPE_END && messages[type].fields ? messages[type].fields : none;
}

const char *
msg_name(enum msg_type type)
{
	return type < MSG_TYPE_END && messages[type].name ? messages[type].name : "unknown";
}

static void
put_header(struct buf *to, uint8_t tag, size_t len)
{
	buf_add(to, &tag, 1);
	buf_add_u32(to, (uint32_t)len);
}

static void
put_number(struct buf *to, uint8_t tag, uint64_t n)
{
	uint8_t bytes[NUMBER_BYTES];
	size_t len = 0;

	for (; n; n >>= 8)
		bytes[len++] = (uint8_t)n;
	if (!len)
		return; /* what is left out reads as 0 */
	put_header(to, tag, len);
	buf_add(to, bytes, len);
}

static void
put_bytes(struct buf *to, uint8_t tag, const void *data, size_t len)
{
	if (!len)
		return;
	put_header(to, tag, len);
	buf_add(to, data, len);
}

static void
put_field(struct buf *to, const struct field *f, const char *member)
{
	struct span span;
	const char *text;
	int64_t i;
	uint64_t u;

	switch (f->kind) {
	case 'u':
		memcpy(&u, member, sizeof u);
		put_number(to, f->tag, u);
		return;
	case 'i':
		memcpy(&i, member, sizeof i);
		put_number(to, f->tag, (uint64_t)i << 1 ^ (uint64_t)(i >> 63));
		return;
	case 's':
		memcpy(&text, member, sizeof text);
		put_bytes(to, f->tag, text, text && text[0] ? strlen(text) + 1 : 0);
		return;
	default:
		memcpy(&span, member, sizeof span);
		put_bytes(to, f->tag, span.data, span.len);
	}
}

int
msg_encode(struct buf *to, const struct msg *m)
{
	const char *member = (const char *)&m->hello; /* every member of the union starts there */
	size_t start = to->len, len;

	buf_add_u32(to, 0);
	buf_add_u16(to, (uint16_t)m->type);
	buf_add_u16(to, 0);
	for (const struct field *f = fields_of(m->type); f->tag; member += f->size, f++)
		put_field(to, f, member);
	len = to->len - start - FRAME_HEADER_BYTES;
	if (to->is_full || len > FRAME_BYTES) {
		to->len = start;
		to->is_full = false;
		return -ENOBUFS;
	}
	for (int i = 0; i < 4; i++)
		to->data[start + (size_t)i] = (char)(len >> (8 * i));
	return 0;
}

static uint64_t
get_number(const uint8_t *p, size_t len)
{
	uint64_t n = 0;

	while (len--)
		n = n << 8 | p[len];
	return n;
}

static int
get_field(const struct field *f, const uint8_t *p, size_t len, char *member)
{
	struct span span = { p, len };
	uint64_t u;
	int64_t i;

	switch (f->kind) {
	case 'u':
	case 'i':
		if (len > NUMBER_BYTES)
			return -EPROTO;
		u = get_number(p, len);
		i = (int64_t)(u >> 1) ^ -(int64_t)(u & 1);
		memcpy(member, f->kind == 'u' ? (void *)&u : (void *)&i, sizeof u);
		return 0;
	case 's':
		if (!len || memchr(p, 0, len) != p + len - 1)
			return -EPROTO;
		memcpy(member, &p, sizeof p);
		return 0;
	case 'l':
		if (len && p[len - 1])
			return -EPROTO;
		break;
	}
	memcpy(member, &span, sizeof span);
	return 0;
}

/* Texts that were left out read as "", so nobody has to ask for NULL. */
static void
set_defaults(const struct field *fields, char *member)
{
	static const char *const nothing = "";

	for (const struct field *f = fields; f->tag; member += f->size, f++)
		if (f->kind == 's')
			memcpy(member, &nothing, sizeof nothing);
}

static int
get_tagged(const struct field *fields, char *member, uint8_t tag, const uint8_t *p, size_t len)
{
	for (const struct field *f = fields; f->tag; member += f->size, f++)
		if (f->tag == tag)
			return get_field(f, p, len, member);
	return 0; /* a newer writer: skipped */
}

ssize_t
msg_decode(const void *bytes, size_t len, struct msg *ret, struct err *e)
{
	const uint8_t *p = bytes, *end;
	const struct field *fields;
	size_t body;

	if (len < FRAME_HEADER_BYTES)
		return 0;
	body = get_number(p, 4);
	if (body > FRAME_BYTES)
		return err_set(e, -EPROTO, "a frame of %zu bytes: is over the limit", body);
	if (len - FRAME_HEADER_BYTES < body)
		return 0;
	memset(ret, 0, sizeof *ret);
	ret->type = (enum msg_type)get_number(p + 4, 2);
	fields = fields_of(ret->type);
	set_defaults(fields, (char *)&ret->hello);
	p += FRAME_HEADER_BYTES;
	for (end = p + body; p < end;) {
		size_t size = end - p < FIELD_HEADER_BYTES ? SIZE_MAX : get_number(p + 1, 4);
		uint8_t tag = p[0];

		if (size == SIZE_MAX || size > (size_t)(end - p) - FIELD_HEADER_BYTES)
			return err_set(e, -EPROTO, "message %s: is cut off", msg_name(ret->type));
		p += FIELD_HEADER_BYTES;
		if (get_tagged(fields, (char *)&ret->hello, tag, p, size) < 0)
			return err_set(e, -EPROTO, "message %s: field %u is malformed",
				msg_name(ret->type), tag);
		p += size;
	}
	return (ssize_t)(FRAME_HEADER_BYTES + body);
}

const char *
list_next(struct span list, size_t *pos)
{
	const char *text = (const char *)list.data + *pos;

	if (*pos >= list.len)
		return NULL;
	*pos += strlen(text) + 1;
	return text;
}

size_t
list_count(struct span list)
{
	size_t n = 0, pos = 0;

	while (list_next(list, &pos))
		n++;
	return n;
}

void
list_add(struct buf *to, const char *text)
{
	buf_add(to, text, strlen(text) + 1);
}

struct span
span_of(const struct buf *b)
{
	return (struct span){ b->data, b->len };
}

char **
list_to_argv(struct span list)
{
	size_t n = list_count(list), pos = 0;
	char **argv = mem_zero(n + 1, sizeof *argv);

	for (size_t i = 0; i < n; i++)
		argv[i] =
			(char *)list_next(list, &pos); /* exec wants char *; nobody writes there */
	return argv;
}
