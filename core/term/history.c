#include "term/history.h"

#include <string.h>

#include "sandesk/base/mem.h"

enum { RECORD_HEAD = 6, RUN_HEAD = 16 };

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
	uint32_t room = need > HISTORY_BLOCK ? need : HISTORY_BLOCK - (uint32_t)sizeof(struct history_block);
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

/* Bytes that were reserved and not used are given back by the caller: block->used is moved on when the record is done. */
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

static bool
same_style(const struct cell *a, const struct cell *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attr == b->attr && a->ext == b->ext;
}

/* One run of cells in one style, one byte each while they are ASCII. */
static unsigned
run_pack(uint8_t **to, const struct cell *cells, unsigned n)
{
	const struct cell first = cells[0];
	uint16_t width = first.ch < 0x80 ? 1 : 4, count;
	uint8_t *p = *to;
	unsigned i = 0;

	for (; i < n && same_style(&cells[i], &first) && (cells[i].ch < 0x80) == (width == 1); i++) {
		if (width == 1)
			p[RUN_HEAD + i] = (uint8_t)cells[i].ch;
		else
			memcpy(p + RUN_HEAD + 4 * i, &cells[i].ch, 4);
	}
	count = (uint16_t)i;
	memcpy(p, &count, 2);
	memcpy(p + 2, &first.attr, 2);
	memcpy(p + 4, &first.fg, 4);
	memcpy(p + 8, &first.bg, 4);
	memcpy(p + 12, &first.ext, 2);
	memcpy(p + 14, &width, 2);
	*to = p + RUN_HEAD + (size_t)i * width;
	return i;
}

void
history_push(struct history *h, const struct cell *cells, unsigned used, bool is_wrapped, bool is_plain)
{
	uint16_t flags = is_wrapped ? RECORD_WRAPPED : 0;
	uint8_t *start, *p;

	if (!h->max_bytes || !h->max_lines)
		return;
	if (is_plain) {
		p = record_begin(h, RECORD_HEAD + used) + RECORD_HEAD;
		for (unsigned i = 0; i < used; i++)
			p[i] = (uint8_t)cells[i].ch;
		record_end(h, RECORD_HEAD + used, flags | RECORD_PLAIN);
		return;
	}
	uint32_t most = RECORD_HEAD;

	for (unsigned i = 0; i < used; i++)
		most += i && same_style(&cells[i], &cells[i - 1]) && (cells[i].ch < 0x80) == (cells[i - 1].ch < 0x80) ?
			(cells[i].ch < 0x80 ? 1u : 4u) : RUN_HEAD + 4u;
	start = p = record_begin(h, most);
	p += RECORD_HEAD;
	for (unsigned i = 0; i < used;)
		i += run_pack(&p, cells + i, used - i);
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

static unsigned
run_unpack(const uint8_t **from, struct cell *to, unsigned room)
{
	const uint8_t *p = *from;
	unsigned count = get_u16(p), width = get_u16(p + 14);
	struct cell cell = { 0, get_u32(p + 4), get_u32(p + 8), get_u16(p + 2), get_u16(p + 12) };

	for (unsigned i = 0; i < count && i < room; i++) {
		cell.ch = width == 1 ? p[RUN_HEAD + i] : get_u32(p + RUN_HEAD + 4 * (size_t)i);
		to[i] = cell;
	}
	*from = p + RUN_HEAD + (size_t)count * width;
	return count;
}

int
history_read(const struct history *h, uint64_t id, struct cell *to, unsigned room, bool *ret_is_wrapped)
{
	const uint8_t *record = record_of(h, id), *p, *end;
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
		at += run_unpack(&p, at < room ? to + at : to, at < room ? room - at : 0);
	return (int)at;
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
