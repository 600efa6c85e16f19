/* relay.h - carries bytes from one descriptor to another, one bounded portion at a time.
 * Contract:  never blocks on a terminal, a pipe or a socket that has no room: waits by
 *            relay_poll(). At most RELAY_BYTES are held. When the reader is gone the source is
 *            closed, so that the writer learns it as in any pipeline.
 * Ownership: relay_init() takes both descriptors but standard ones (0-2), which stay open.
 */
#pragma once

#include <poll.h>
#include <stdbool.h>

#include "cli/safe.h"
#include "sandesk/base/buf.h"

enum { RELAY_BYTES = 32 << 10, RELAY_PIPE_BYTES = 4096 };

struct relay {
	int from, to;	   /* -1: closed */
	bool is_safe;	   /* `to` is a terminal: by safe.h */
	bool is_pipe;	   /* both ends: the kernel carries, nothing is copied */
	bool lacks_room;   /* then */
	bool is_portioned; /* `to` may block on more than RELAY_PIPE_BYTES at once */
	int error;	   /* negative errno of the first write that failed, but -EPIPE */
	struct safe safe;
	struct buf pending;
};

void relay_init(struct relay *r, int from, int to);
void relay_fini(struct relay *r);

/* What to wait for; -1 as descriptor when nothing. */
struct pollfd relay_poll(const struct relay *r);

/* Reads or writes once. */
void relay_turn(struct relay *r);

bool relay_is_done(const struct relay *r);
