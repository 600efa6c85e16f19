#include "term/cluster.h"

#include <string.h>

#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/base/utf8.h"
#include "sandesk/base/width.h"

enum { HEADS = 1024 };

void
cluster_fini(struct cluster_table *c)
{
	for (uint32_t i = 0; i < c->link_count; i++) { /* a free one has NULLs */
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

/* The number of a place for one more: one that was freed, or a new one; -1 at the cap. */
static int64_t
place_take(struct cluster_table *c, uint32_t *free_first, const uint32_t *next, uint32_t count,
	uint32_t max)
{
	int64_t at = (int64_t)*free_first - 1;

	if (at >= 0) {
		*free_first = *next;
		return at;
	}
	if (count < max)
		return count;
	c->misses++;
	return -1;
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

bool
cluster_is_linked(const struct cluster_table *c, uint32_t ch)
{
	for (const struct cluster *at = cluster_at(c, ch); at; at = cluster_at(c, ch)) {
		if (width_script(at->last) == SCRIPT_LINKER)
			return true;
		if (!(width_class(at->last) & WIDTH_EXTEND) || at->last == 0x200c)
			return false;
		ch = at->before;
	}
	return false;
}

unsigned
cluster_points(const struct cluster_table *c, uint32_t ch)
{
	const struct cluster *at = cluster_at(c, ch);

	return at ? at->points : 1;
}

static uint32_t
cluster_hash(uint32_t before, uint32_t last)
{
	return ((before * 2654435761u) ^ (last * 2246822519u)) >> 7 & (HEADS - 1);
}

uint32_t
cluster_join(struct cluster_table *c, uint32_t before, uint32_t cp)
{
	uint32_t hash = cluster_hash(before, cp);
	int64_t at;
	unsigned points = cluster_points(c, before) + 1;

	if (points > CLUSTER_POINTS)
		return before;
	if (!c->heads)
		c->heads = mem_zero(HEADS, sizeof c->heads[0]);
	for (uint32_t i = c->heads[hash]; i; i = c->clusters[i - 1].next)
		if (c->clusters[i - 1].before == before && c->clusters[i - 1].last == cp)
			return CELL_CLUSTER | (i - 1);
	at = place_take(c, &c->free_cluster,
		c->free_cluster ? &c->clusters[c->free_cluster - 1].next : NULL, c->count,
		CLUSTER_MAX);
	if (at < 0)
		return before;
	if (at == c->count) {
		c->clusters = table_room(c->clusters, c->count, &c->room, sizeof c->clusters[0]);
		c->count++;
	}
	c->clusters[at] = (struct cluster){ before, cp, c->heads[hash], (uint8_t)points };
	c->heads[hash] = (uint32_t)at + 1;
	return CELL_CLUSTER | (uint32_t)at;
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

static uint32_t
ext_hash(struct cell_ext ext)
{
	return (ext.underline_colour * 2654435761u ^ ext.link * 2246822519u) >> 9 & (HEADS - 1);
}

uint16_t
cluster_ext(struct cluster_table *c, struct cell_ext ext)
{
	uint32_t hash = ext_hash(ext);
	int64_t at;

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
	at = place_take(c, &c->free_ext, c->free_ext ? &c->exts[c->free_ext - 1].next : NULL,
		c->ext_count, EXT_MAX);
	if (at < 0)
		return 0;
	if (at == c->ext_count) {
		c->exts = table_room(c->exts, c->ext_count, &c->ext_room, sizeof c->exts[0]);
		c->ext_count++;
	}
	c->exts[at] = (struct ext_slot){ .ext = ext, .next = c->ext_heads[hash] };
	c->ext_heads[hash] = (uint32_t)at;
	return (uint16_t)at;
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

/* Numbers of the places, then those of the places used a second time, and so on. */
static uint32_t
link_number(const struct cluster_table *c, uint32_t at)
{
	return c->links[at].turn * LINK_MAX + at + 1;
}

static const struct link *
link_at(const struct cluster_table *c, uint32_t link)
{
	uint32_t at = (link - 1) % LINK_MAX;

	if (!link || at >= c->link_count || !c->links[at].uri || link_number(c, at) != link)
		return NULL;
	return &c->links[at];
}

uint32_t
cluster_link(struct cluster_table *c, const char *uri, const char *id)
{
	uint32_t hash = link_hash(uri, id), turn = 0;
	int64_t at;

	if (strlen(uri) > LINK_BYTES || strlen(id) > LINK_BYTES)
		return 0;
	if (!c->link_heads)
		c->link_heads = mem_zero(HEADS, sizeof c->link_heads[0]);
	for (uint32_t i = c->link_heads[hash]; i; i = c->links[i - 1].next)
		if (str_equal(c->links[i - 1].id, id) && str_equal(c->links[i - 1].uri, uri))
			return link_number(c, i - 1);
	at = place_take(c, &c->free_link, c->free_link ? &c->links[c->free_link - 1].next : NULL,
		c->link_count, LINK_MAX);
	if (at < 0)
		return 0;
	if (at == c->link_count) {
		c->links = table_room(c->links, c->link_count, &c->link_room, sizeof c->links[0]);
		c->link_count++;
	} else {
		turn = c->links[at].turn;
	}
	c->links[at] = (struct link){ str_dup(uri), str_dup(id), c->link_heads[hash], turn };
	c->link_heads[hash] = (uint32_t)at + 1;
	return link_number(c, (uint32_t)at);
}

const char *
cluster_link_uri(const struct cluster_table *c, uint32_t link)
{
	const struct link *at = link_at(c, link);

	return at ? at->uri : NULL;
}

/* -- sweeping -- */

void
cluster_mark_link(const struct cluster_table *c, struct cluster_marks *m, uint32_t link)
{
	if (link_at(c, link))
		m->links[(link - 1) % LINK_MAX] = 1;
}

void
cluster_mark(const struct cluster_table *c, struct cluster_marks *m, uint32_t ch, uint16_t ext)
{
	if (ext && ext < c->ext_count && !m->exts[ext]) {
		m->exts[ext] = 1;
		cluster_mark_link(c, m, c->exts[ext].ext.link);
	}
	for (const struct cluster *at = cluster_at(c, ch); at; at = cluster_at(c, ch)) {
		uint8_t *mark = &m->clusters[at - c->clusters];

		if (*mark)
			return;
		*mark = 1;
		ch = at->before;
	}
}

static uint32_t
sweep_clusters(struct cluster_table *c, const struct cluster_marks *m)
{
	uint32_t kept = 0;

	if (c->heads)
		memset(c->heads, 0, HEADS * sizeof c->heads[0]);
	c->free_cluster = 0;
	for (uint32_t i = c->count; i-- > 0;) {
		struct cluster *at = &c->clusters[i];
		uint32_t *chain = &c->free_cluster;

		if (at->points && m->clusters[i]) {
			chain = &c->heads[cluster_hash(at->before, at->last)];
			kept++;
		} else {
			*at = (struct cluster){ 0 };
		}
		at->next = *chain;
		*chain = i + 1;
	}
	return kept;
}

static uint32_t
sweep_exts(struct cluster_table *c, const struct cluster_marks *m)
{
	uint32_t kept = 0;

	if (c->ext_heads)
		memset(c->ext_heads, 0, HEADS * sizeof c->ext_heads[0]);
	c->free_ext = 0;
	for (uint32_t i = c->ext_count; i-- > 1;) {
		struct ext_slot *at = &c->exts[i];

		if (!at->is_free && m->exts[i]) {
			at->next = c->ext_heads[ext_hash(at->ext)];
			c->ext_heads[ext_hash(at->ext)] = i;
			kept++;
		} else {
			*at = (struct ext_slot){ .next = c->free_ext, .is_free = true };
			c->free_ext = i + 1;
		}
	}
	return kept;
}

static uint32_t
sweep_links(struct cluster_table *c, const struct cluster_marks *m)
{
	uint32_t kept = 0;

	if (c->link_heads)
		memset(c->link_heads, 0, HEADS * sizeof c->link_heads[0]);
	c->free_link = 0;
	for (uint32_t i = c->link_count; i-- > 0;) {
		struct link *at = &c->links[i];
		uint32_t *chain = &c->free_link;

		if (at->uri && m->links[i]) {
			chain = &c->link_heads[link_hash(at->uri, at->id)];
			kept++;
		} else {
			uint32_t turn = at->turn + (at->uri ? 1 : 0);

			mem_free(at->uri);
			mem_free(at->id);
			*at = (struct link){ .turn = turn };
		}
		at->next = *chain;
		*chain = i + 1;
	}
	return kept;
}

bool
cluster_sweep(struct cluster_table *c, const struct cluster_marks *m)
{
	uint32_t clusters = sweep_clusters(c, m), exts = sweep_exts(c, m),
		 links = sweep_links(c, m);

	c->misses = 0;
	return clusters <= CLUSTER_MAX / 2 && exts <= EXT_MAX / 2 && links <= LINK_MAX / 2;
}
