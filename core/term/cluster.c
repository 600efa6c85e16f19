#include "term/cluster.h"

#include <string.h>

#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/base/utf8.h"

enum { HEADS = 1024 };

void
cluster_fini(struct cluster_table *c)
{
	for (uint32_t i = 0; i < c->link_count; i++) {
		mem_free(c->links[i].uri);
		mem_free(c->links[i].id);
	}
	mem_free(c->clusters);
	mem_free(c->heads);
	mem_free(c->exts);
	mem_free(c->ext_heads);
	mem_free(c->link_heads);
	mem_free(c->links);
	*c = (struct cluster_table){ 0 };
}

/* The caps of the tables bound what this allocates. */
static void *
table_room(void *old, uint32_t count, uint32_t *room, size_t size)
{
	if (count < *room)
		return old;
	*room = *room ? *room * 2 : 16;
	return mem_grow(old, *room, size);
}

static const struct cluster *
cluster_at(const struct cluster_table *c, uint32_t ch)
{
	uint32_t number = ch & ~(uint32_t)CELL_CLUSTER;

	return ch & CELL_CLUSTER && number < c->count ? &c->clusters[number] : NULL;
}

uint32_t
cluster_last(const struct cluster_table *c, uint32_t ch)
{
	const struct cluster *at = cluster_at(c, ch);

	return at ? at->last : ch;
}

uint32_t
cluster_first(const struct cluster_table *c, uint32_t ch)
{
	for (const struct cluster *at = cluster_at(c, ch); at; at = cluster_at(c, ch))
		ch = at->before;
	return ch;
}

unsigned
cluster_points(const struct cluster_table *c, uint32_t ch)
{
	const struct cluster *at = cluster_at(c, ch);

	return at ? at->points : 1;
}

uint32_t
cluster_join(struct cluster_table *c, uint32_t before, uint32_t cp)
{
	uint32_t hash = ((before * 2654435761u) ^ (cp * 2246822519u)) >> 7 & (HEADS - 1);
	unsigned points = cluster_points(c, before) + 1;

	if (points > CLUSTER_POINTS)
		return before;
	if (!c->heads)
		c->heads = mem_zero(HEADS, sizeof c->heads[0]);
	for (uint32_t i = c->heads[hash]; i; i = c->clusters[i - 1].next)
		if (c->clusters[i - 1].before == before && c->clusters[i - 1].last == cp)
			return CELL_CLUSTER | (i - 1);
	if (c->count == CLUSTER_MAX)
		return before;
	c->clusters = table_room(c->clusters, c->count, &c->room, sizeof c->clusters[0]);
	c->clusters[c->count] = (struct cluster){ before, cp, c->heads[hash], (uint8_t)points };
	c->heads[hash] = ++c->count;
	return CELL_CLUSTER | (c->count - 1);
}

size_t
cluster_text(const struct cluster_table *c, uint32_t ch, char *to, size_t size)
{
	uint32_t points[CLUSTER_POINTS];
	unsigned n = 0;
	size_t len = 0;

	if (!ch)
		return 0;
	for (const struct cluster *at = cluster_at(c, ch); at && n < CLUSTER_POINTS - 1;
		at = cluster_at(c, ch)) {
		points[n++] = at->last;
		ch = at->before;
	}
	points[n++] = ch;
	while (n) {
		char utf8[4];
		size_t bytes = utf8_encode(points[--n], utf8);

		if (len + bytes > size)
			break;
		memcpy(to + len, utf8, bytes);
		len += bytes;
	}
	return len;
}

uint16_t
cluster_ext(struct cluster_table *c, struct cell_ext ext)
{
	uint32_t hash =
		(ext.underline_colour * 2654435761u ^ ext.link * 2246822519u) >> 9 & (HEADS - 1);

	if (!ext.underline_colour && !ext.link)
		return 0;
	if (!c->ext_heads) {
		c->ext_heads = mem_zero(HEADS, sizeof c->ext_heads[0]);
		c->exts = table_room(c->exts, 0, &c->ext_room, sizeof c->exts[0]);
		c->exts[c->ext_count++] = (struct ext_slot){ 0 };
	}
	for (uint32_t i = c->ext_heads[hash]; i; i = c->exts[i].next)
		if (c->exts[i].ext.underline_colour == ext.underline_colour &&
			c->exts[i].ext.link == ext.link)
			return (uint16_t)i;
	if (c->ext_count == EXT_MAX)
		return 0;
	c->exts = table_room(c->exts, c->ext_count, &c->ext_room, sizeof c->exts[0]);
	c->exts[c->ext_count] = (struct ext_slot){ ext, c->ext_heads[hash] };
	c->ext_heads[hash] = c->ext_count;
	return (uint16_t)c->ext_count++;
}

struct cell_ext
cluster_ext_of(const struct cluster_table *c, uint16_t ext)
{
	return ext < c->ext_count ? c->exts[ext].ext : (struct cell_ext){ 0 };
}

static uint32_t
link_hash(const char *uri, const char *id)
{
	uint32_t h = 2166136261u;

	for (; *uri; uri++)
		h = (h ^ (uint8_t)*uri) * 16777619u;
	for (; *id; id++)
		h = (h ^ (uint8_t)*id) * 16777619u;
	return (h ^ h >> 15) & (HEADS - 1);
}

uint32_t
cluster_link(struct cluster_table *c, const char *uri, const char *id)
{
	uint32_t hash = link_hash(uri, id);

	if (strlen(uri) > LINK_BYTES || strlen(id) > LINK_BYTES)
		return 0;
	if (!c->link_heads)
		c->link_heads = mem_zero(HEADS, sizeof c->link_heads[0]);
	for (uint32_t i = c->link_heads[hash]; i; i = c->links[i - 1].next)
		if (str_equal(c->links[i - 1].id, id) && str_equal(c->links[i - 1].uri, uri))
			return i;
	if (c->link_count == LINK_MAX)
		return 0;
	c->links = table_room(c->links, c->link_count, &c->link_room, sizeof c->links[0]);
	c->links[c->link_count] = (struct link){ str_dup(uri), str_dup(id), c->link_heads[hash] };
	c->link_heads[hash] = ++c->link_count;
	return c->link_count;
}

const char *
cluster_link_uri(const struct cluster_table *c, uint32_t link)
{
	return link && link <= c->link_count ? c->links[link - 1].uri : NULL;
}
