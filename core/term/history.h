/* history.h - lines that left the screen, packed, with ids that never change.
 * Contract:  capped in bytes and in lines; beyond a cap the oldest go. Ids grow by one for each
 *            line that is added and are never used twice, but for history_pop(), which takes the
 *            newest away again (a resize does).
 * Memory:    blocks of HISTORY_BLOCK bytes, made as they are needed; a plain ASCII line costs its
 *            length and 6 bytes.
 *
 *   record:  u32 bytes (with this header), u16 flags | then
 *     plain:   (RECORD_PLAIN) one byte per cell, 0: blank
 *     styled:  runs: u16 characters, u8 bytes of each (1, 4), u8 has_style,
 *              [u32 fg, u32 bg, u16 attr, u16 ext], characters: ASCII, or u32 with RECORD_WIDE set for
 *              one of two cells. A record begins in the default style.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandesk/cell.h"

struct buf;
struct cluster_table;

enum { HISTORY_BLOCK = 32 << 10, HISTORY_MAX_CELLS = 5000 };

enum record_flags {
	RECORD_PLAIN = 1 << 0,	 /* ASCII in the default style */
	RECORD_WRAPPED = 1 << 1, /* the next line continues it */
};

enum { RECORD_WIDE = 1 << 30 }; /* in a character */

struct history_block {
	uint64_t first; /* id of its first record */
	uint32_t count;
	uint32_t used, room;
	/* a record found before: where, and which, so that reading on is cheap */
	uint32_t seen_at;
	uint32_t seen;
	uint8_t bytes[];
};

struct history {
	struct history_block **blocks; /* oldest first, from `head` */
	uint32_t head, count, room;
	uint64_t first, next; /* ids: first readable, next to be given */
	size_t bytes;	      /* allocated for blocks */
	size_t max_bytes;
	uint32_t max_lines;
};

void history_fini(struct history *h);
void history_clear(struct history *h);

/* Adds a line of `used` cells. is_plain promises ASCII in the default style. */
void history_push(
	struct history *h, const struct cell *cells, unsigned used, bool is_wrapped, bool is_plain);

/* Unpacks a line into at most `room` cells. Returns how many it has (it may be more than room), -1
 * when there is no such line. */
int history_read(
	const struct history *h, uint64_t id, struct cell *to, unsigned room, bool *ret_is_wrapped);

/* Appends a line's text: UTF-8, every blank cell a space; bytes and cells are as many only where
 * all is ASCII. Returns 0, -ENOENT when there is no such line, -ENOBUFS at the limit of `to`. */
int history_text(const struct history *h, uint64_t id, const struct cluster_table *table,
	struct buf *to, bool *ret_is_wrapped);

/* Takes the newest line away again. */
void history_pop(struct history *h);
