#include "term/history.h"

#include <errno.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/mem.h"
#include "term/cluster.h"

enum { RECORD_HEAD = 6, RUN_HEAD = 4, STYLE_BYTES = 12 };

static uint16_t
get_u16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static uint32_t
get_u32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

void
history_clear(struct history *h)
{
	for (uint32_t i = 0; i < h->count; i++)
		mem_free(h->blocks[h->head + i]);
	h->head = h->count = 0;
	h->bytes = 0;
	h->first = h->next;
}

void
history_fini(struct history *h)
{
	history_clear(h);
	mem_free(h->blocks);
	h->blocks = NULL;
	h->room = 0;
}

static void
block_drop_oldest(struct history *h)
{
	struct history_block *b = h->blocks[h->head];

	h->bytes -= b->room + sizeof *b;
	mem_free(b);
	h->head++;
	h->count--;
	h->first = h->count ? h->blocks[h->head]->first : h->next;
}

static struct history_block *
block_add(struct history *h, uint32_t need)
{
	uint32_t room = need > HISTORY_BLOCK
				? need
				: HISTORY_BLOCK - (uint32_t)sizeof(struct history_block);
	struct history_block *b = NULL;

	/* A flood recycles the oldest block: no trip to the allocator. */
	while (h->count && h->bytes + room + sizeof *b > h->max_bytes) {
		if (!b && h->blocks[h->head]->room == room) {
			b = h->blocks[h->head];
			h->blocks[h->head] = NULL;
			h->bytes -= room + sizeof *b;
			h->head++;
			h->count--;
			h->first = h->count ? h->blocks[h->head]->first : h->next;
		} else {
			block_drop_oldest(h);
		}
	}
	if (h->head + h->count == h->room) {
		if (h->head > h->room / 2) {
			memmove(h->blocks, h->blocks + h->head, h->count * sizeof h->blocks[0]);
			h->head = 0;
		} else {
			h->room = h->room ? h->room * 2 : 8;
			h->blocks = mem_grow(h->blocks, h->room, sizeof h->blocks[0]);
		}
	}
	if (!b)
		b = mem_alloc(sizeof *b + room);
	*b = (struct history_block){ .first = h->next, .room = room };
	h->blocks[h->head + h->count++] = b;
	h->bytes += room + sizeof *b;
	return b;
}

static struct history_block *
block_newest(const struct history *h)
{
	return h->count ? h->blocks[h->head + h->count - 1] : NULL;
}

/* Bytes that were reserved and not used are given back by the caller: block->used is moved on when
 * the record is done. */
static uint8_t *
record_begin(struct history *h, uint32_t most)
{
	struct history_block *b = block_newest(h);

	if (!b || b->room - b->used < most)
		b = block_add(h, most);
	return b->bytes + b->used;
}

static void
record_end(struct history *h, uint32_t bytes, uint16_t flags)
{
	struct history_block *b = block_newest(h);

	memcpy(b->bytes + b->used, &bytes, sizeof bytes);
	memcpy(b->bytes + b->used + 4, &flags, sizeof flags);
	b->used += bytes;
	b->count++;
	h->next++;
	if (h->next - h->first <= h->max_lines)
		return;
	h->first++;
	b = h->blocks[h->head];
	if (h->count > 1 && h->first >= b->first + b->count)
		block_drop_oldest(h);
}

enum { CELL_SHAPE = ATTR_WIDE | ATTR_SPACER };

/* Everything of a cell but its character and shape, as two numbers: compared by two loads. */
struct style {
	uint32_t fg;
	uint64_t rest; /* bg, attr, ext */
};

static inline struct style
style_of(const struct cell *c)
{
	struct cell plain = *c;
	struct style s = { .fg = c->fg };

	plain.attr &= (uint16_t)~CELL_SHAPE;
	memcpy(&s.rest, &plain.bg, sizeof s.rest);
	return s;
}

/* The bits of `rest` that are shape, wherever the machine's byte order has them. */
static inline uint64_t
style_shape(void)
{
	struct cell c = { .attr = CELL_SHAPE };
	uint64_t v;

	memcpy(&v, &c.bg, sizeof v);
	return v;
}

static inline bool
style_is(const struct cell *c, const struct style *s)
{
	uint64_t rest;

	memcpy(&rest, &c->bg, sizeof rest);
	return c->fg == s->fg && (rest & ~style_shape()) == s->rest;
}

/* Characters of one byte from cell i on; returns where they end. */
static unsigned
run_narrow(uint8_t **p, const struct cell *cells, unsigned i, unsigned n, const struct style *style)
{
	uint8_t *to = *p;

	while (i < n && cells[i].ch < 0x80 && style_is(&cells[i], style))
		*to++ = (uint8_t)cells[i++].ch;
	*p = to;
	return i;
}

/* Characters of four bytes; one ASCII character between two others goes with them, for a run of its
 * own would cost more. */
static unsigned
run_broad(uint8_t **p, const struct cell *cells, unsigned i, unsigned n, const struct style *style)
{
	uint8_t *to = *p;

	while (i < n && style_is(&cells[i], style)) {
		uint32_t ch = cells[i].ch;

		if (ch < 0x80 && (i + 1 == n || cells[i + 1].ch < 0x80))
			break;
		if (cells[i].attr & ATTR_WIDE) {
			ch |= RECORD_WIDE;
			i++;
		}
		i++;
		memcpy(to, &ch, 4);
		to += 4;
	}
	*p = to;
	return i;
}

/* One run; returns the cell behind it. `style` is that of the run before. */
static unsigned
run_pack(uint8_t **p, const struct cell *cells, unsigned i, unsigned n, struct style *style)
{
	uint8_t *head = *p, *start;
	bool has_style = !style_is(&cells[i], style);
	uint8_t bytes = cells[i].ch < 0x80 ? 1 : 4;
	uint16_t count;

	*p += RUN_HEAD;
	if (has_style) {
		*style = style_of(&cells[i]);
		memcpy(*p, &style->fg, 4);
		memcpy(*p + 4, &style->rest, 8);
		*p += STYLE_BYTES;
	}
	start = *p;
	i = bytes == 1 ? run_narrow(p, cells, i, n, style) : run_broad(p, cells, i, n, style);
	count = (uint16_t)((*p - start) / bytes);
	memcpy(head, &count, 2);
	head[2] = bytes;
	head[3] = has_style;
	return i;
}

static void
push_plain(struct history *h, const struct cell *cells, unsigned used, uint16_t flags)
{
	uint8_t *p = record_begin(h, RECORD_HEAD + used) + RECORD_HEAD;

	for (unsigned i = 0; i < used; i++)
		p[i] = (uint8_t)cells[i].ch;
	record_end(h, RECORD_HEAD + used, flags | RECORD_PLAIN);
}

/* What a record can need at most, without looking closely: exact enough not to waste the end of a
 * block. */
static uint32_t
record_most(const struct cell *cells, unsigned used)
{
	struct style style = { 0 };
	uint32_t most = RECORD_HEAD + RUN_HEAD;

	for (unsigned i = 0; i < used; i++) {
		bool is_same = style_is(&cells[i], &style);

		most += !is_same	     ? RUN_HEAD + STYLE_BYTES + 4u
			: cells[i].ch < 0x80 ? 1u + RUN_HEAD
					     : 4u + RUN_HEAD;
		if (!is_same)
			style = style_of(&cells[i]);
	}
	return most;
}

void
history_push(
	struct history *h, const struct cell *cells, unsigned used, bool is_wrapped, bool is_plain)
{
	uint16_t flags = is_wrapped ? RECORD_WRAPPED : 0;
	uint32_t most = RECORD_HEAD + used * (RUN_HEAD + STYLE_BYTES + 4u);
	struct style style = { 0 };
	struct history_block *b;
	uint8_t *start, *p;

	if (!h->max_bytes || !h->max_lines)
		return;
	if (is_plain) {
		push_plain(h, cells, used, flags);
		return;
	}
	b = block_newest(h);
	if (!b || b->room - b->used < most)
		most = record_most(cells, used);
	start = p = record_begin(h, most);
	p += RECORD_HEAD;
	for (unsigned i = 0; i < used;)
		i = run_pack(&p, cells, i, used, &style);
	record_end(h, (uint32_t)(p - start), flags);
}

static struct history_block *
block_of(const struct history *h, uint64_t id)
{
	uint32_t low = h->head, high = h->head + h->count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (h->blocks[middle]->first <= id)
			low = middle;
		else
			high = middle;
	}
	return h->blocks[low];
}

static const uint8_t *
record_of(const struct history *h, uint64_t id)
{
	struct history_block *b;
	uint32_t number;

	if (id < h->first || id >= h->next)
		return NULL;
	b = block_of(h, id);
	number = (uint32_t)(id - b->first);
	if (number < b->seen)
		b->seen = b->seen_at = 0;
	for (; b->seen < number; b->seen++)
		b->seen_at += get_u32(b->bytes + b->seen_at);
	return b->bytes + b->seen_at;
}

/* Unpacks one run to cell `at` on, as far as there is room; returns where it ends. */
static unsigned
run_unpack(const uint8_t **from, struct cell *to, unsigned at, unsigned room, struct cell *style)
{
	const uint8_t *p = *from;
	unsigned count = get_u16(p), bytes = p[2];
	bool has_style = p[3];

	p += RUN_HEAD;
	if (has_style) {
		*style = (struct cell){ 0, get_u32(p), get_u32(p + 4), get_u16(p + 8),
			get_u16(p + 10) };
		p += STYLE_BYTES;
	}
	for (; count; count--, p += bytes) {
		struct cell c = *style;
		uint32_t ch = bytes == 1 ? *p : get_u32(p);

		c.ch = ch & ~(uint32_t)RECORD_WIDE;
		c.attr |= ch & RECORD_WIDE ? ATTR_WIDE : 0;
		if (at < room)
			to[at] = c;
		at++;
		if (!(ch & RECORD_WIDE))
			continue;
		c.ch = 0;
		c.attr = (uint16_t)(style->attr | ATTR_SPACER);
		if (at < room)
			to[at] = c;
		at++;
	}
	*from = p;
	return at;
}

int
history_read(
	const struct history *h, uint64_t id, struct cell *to, unsigned room, bool *ret_is_wrapped)
{
	const uint8_t *record = record_of(h, id), *p, *end;
	struct cell style = { 0 };
	unsigned at = 0;

	if (!record)
		return -1;
	*ret_is_wrapped = get_u16(record + 4) & RECORD_WRAPPED;
	p = record + RECORD_HEAD;
	end = record + get_u32(record);
	if (get_u16(record + 4) & RECORD_PLAIN) {
		for (; p + at < end && at < room; at++)
			to[at] = (struct cell){ .ch = p[at] };
		return (int)(end - p);
	}
	while (p < end)
		at = run_unpack(&p, to, at, room, &style);
	return (int)at;
}

/* Bytes as they are, but blanks: a loop that the compiler can make wide. */
static int
text_narrow(struct buf *to, const uint8_t *from, size_t count)
{
	char *at;

	if (buf_reserve(to, count) < 0)
		return -ENOBUFS;
	at = to->data + to->len;
	for (size_t i = 0; i < count; i++)
		at[i] = (char)(from[i] ? from[i] : ' ');
	to->len += count;
	return 0;
}

static int
text_broad(struct buf *to, const uint8_t *from, size_t count, const struct cluster_table *table)
{
	for (size_t i = 0; i < count; i++, from += 4) {
		char part[CLUSTER_POINTS * 4] = " ";
		uint32_t ch = get_u32(from) & ~(uint32_t)RECORD_WIDE;
		size_t len = ch ? cluster_text(table, ch, part, sizeof part) : 1;

		if (buf_add(to, part, len) < 0)
			return -ENOBUFS;
	}
	return 0;
}

int
history_text(const struct history *h, uint64_t id, const struct cluster_table *table,
	struct buf *to, bool *ret_is_wrapped)
{
	const uint8_t *record = record_of(h, id), *p, *end;
	int r = 0;

	if (!record)
		return -ENOENT;
	*ret_is_wrapped = get_u16(record + 4) & RECORD_WRAPPED;
	p = record + RECORD_HEAD;
	end = record + get_u32(record);
	if (get_u16(record + 4) & RECORD_PLAIN)
		return text_narrow(to, p, (size_t)(end - p));
	while (p < end && !r) {
		size_t count = get_u16(p), bytes = p[2];

		p += RUN_HEAD + (p[3] ? STYLE_BYTES : 0);
		r = bytes == 1 ? text_narrow(to, p, count) : text_broad(to, p, count, table);
		p += count * bytes;
	}
	return r;
}

void
history_pop(struct history *h)
{
	struct history_block *b = block_newest(h);

	if (h->first == h->next)
		return;
	b->used = (uint32_t)(record_of(h, h->next - 1) - b->bytes);
	b->count--;
	h->next--;
	b->seen = b->seen_at = 0;
	if (b->count)
		return;
	h->bytes -= b->room + sizeof *b;
	mem_free(b);
	h->count--;
}
