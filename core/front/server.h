/* server.h - the daemon's socket and everybody connected to it.
 * Contract:  one daemon per runtime directory: daemon.lock is held (flock) from before the socket
 *            is made until after the catalog is closed. A socket left by a killed daemon is
 *            replaced only with the lock in hand. Subscribers hear of each changed object once per
 *            turn.
 * Ownership: borrows the daemon, which may be freed first: its last answers are still delivered by
 *            server_free().
 * Errors:    server_new(): -EALREADY when another daemon runs and answers.
 */
#pragma once

struct daemon;
struct err;
struct server;

int server_new(struct server **ret, struct daemon *d, struct err *e);
/* takes no new connection, removes the socket, lets the lock go */
void server_close(struct server *s);
void server_free(struct server *s); /* accepts NULL */
