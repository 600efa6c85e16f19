/* cluster.h - what does not fit into a cell: characters of several code points, rare styles, links.
 * Contract:  bounded: at most CLUSTER_MAX prefixes of at most CLUSTER_POINTS code points, EXT_MAX
 *            rare styles, LINK_MAX links of LINK_BYTES. At a cap nothing is added and the caller
 *            shows the base character, or no link, and `misses` counts. Numbers stay valid until
 *            cluster_sweep() is told that nothing uses them; the number of a link is never used
 *            twice. Nothing is allocated before the first use.
 *
 *   A cluster is its last code point and what stands before it: another cluster or one code point,
 *   as in cluster 2 = (cluster 1 = (U+1F468, ZWJ), U+1F469): a prefix is shared by all that begin
 *   with it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandesk/cell.h"

enum {
	CLUSTER_MAX = 1 << 15,
	CLUSTER_POINTS = 16,
	EXT_MAX = 4096,
	LINK_MAX = 4096,
	LINK_BYTES = 2048
};

struct cluster {
	uint32_t before; /* a code point, or CELL_CLUSTER and a number */
	uint32_t last;
	uint32_t next;	/* in the hash chain, or of the free ones; 0 ends it, else number + 1 */
	uint8_t points; /* 0: free */
};

struct ext_slot {
	struct cell_ext ext;
	uint32_t next; /* in the hash chain, as in struct cluster */
	bool is_free;
};

struct link {
	char *uri; /* NULL: free */
	char *id;  /* "" when the program gave none */
	uint32_t next;
	uint32_t turn; /* how often the place was used before; a part of the link's number */
};

struct cluster_table {
	struct cluster *clusters;
	/* hash chains: a hostile program fills the tables, and looking up must stay cheap */
	uint32_t *heads;
	uint32_t count, room;
	struct ext_slot *exts; /* exts[0] is "nothing" */
	uint32_t *ext_heads;
	uint32_t ext_count, ext_room;
	struct link *links; /* link n is links[n - 1] */
	uint32_t *link_heads;
	uint32_t link_count, link_room;
	uint32_t free_cluster, free_ext, free_link; /* number + 1 of the first free place */
	uint32_t misses;			    /* what was not added, since the last sweep */
};

/* What is still used: a byte for each number. */
struct cluster_marks {
	uint8_t clusters[CLUSTER_MAX];
	uint8_t exts[EXT_MAX];
	uint8_t links[LINK_MAX];
};

void cluster_fini(struct cluster_table *c);

/* The `ch` of `before` with `cp` behind it; `before` itself at a cap. */
uint32_t cluster_join(struct cluster_table *c, uint32_t before, uint32_t cp);

uint32_t cluster_last(const struct cluster_table *c, uint32_t ch);  /* its last code point */
uint32_t cluster_first(const struct cluster_table *c, uint32_t ch); /* its first code point */
/* Ends it in a linker, with only marks behind it? (InCB: Linker Extend*) */
bool cluster_is_linked(const struct cluster_table *c, uint32_t ch);
unsigned cluster_points(const struct cluster_table *c, uint32_t ch);

/* UTF-8 into `to`: as many whole code points as fit. Returns bytes. */
size_t cluster_text(const struct cluster_table *c, uint32_t ch, char *to, size_t size);

/* 0 for nothing, and at the cap */
uint16_t cluster_ext(struct cluster_table *c, struct cell_ext ext);
struct cell_ext cluster_ext_of(const struct cluster_table *c, uint16_t ext);

/* Marks what a cell uses, and a link; then frees what has no mark. Returns true when each table has
 * at least half of its places free. */
void cluster_mark(
	const struct cluster_table *c, struct cluster_marks *m, uint32_t ch, uint16_t ext);
void cluster_mark_link(const struct cluster_table *c, struct cluster_marks *m, uint32_t link);
bool cluster_sweep(struct cluster_table *c, const struct cluster_marks *m);

/* The link with that URI and id ("" for none). 0 at a cap. */
uint32_t cluster_link(struct cluster_table *c, const char *uri, const char *id);
const char *cluster_link_uri(const struct cluster_table *c, uint32_t link);
