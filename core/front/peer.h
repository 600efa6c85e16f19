/* peer.h - one connection to the daemon.
 * Contract:  the first message is hello. At most PEER_CALLS_MAX calls are unanswered at once;
 *            further ones are refused. When the peer hangs up, its calls go on without anybody to
 *            answer.
 * Ownership: peer_new() takes fd; a peer belongs to the list it was put into and frees itself when
 *            its connection ends.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct conn;
struct daemon;
struct peer_call;

enum { PEER_CALLS_MAX = 2048 };

struct peer {
	struct peer **list;
	struct peer *next;
	struct daemon *daemon;
	struct conn *conn;
	struct peer_call *calls;
	size_t ncalls;
	bool said_hello;
	bool is_subscribed;
};

void peer_new(struct peer **list, struct daemon *d, int fd);
void peer_free(struct peer *p);
void peer_send_text(struct peer *p, const char *text); /* one JSON-RPC object */
