/* replay.h - a recording on a terminal of ours, drawn on a terminal of somebody else.
 * Contract:  the bytes of the recording are hostile: they go through the terminal core, and what
 *            reaches the outer terminal are cells with SGR, cursor moves, and nothing else. A
 *            drawing is the difference to the one before.
 * Ownership: replay_new() returns owned.
 */
#pragma once

#include <stddef.h>

#include "sandesk/types.h"

struct buf;
struct replay;

struct replay *replay_new(struct size size);
void replay_free(struct replay *r);
void replay_feed(struct replay *r, const void *bytes, size_t len);
void replay_resize(struct replay *r, struct size size);

/* Appends what brings an outer terminal of that size up to date: its upper left part of ours. */
void replay_draw(struct replay *r, struct size outer, struct buf *to);

/* Appends the screen as text. */
void replay_text(struct replay *r, struct buf *to);
