/* keeper.h - the daemon's side of one keeper: process, connection, requests.
 * Contract:  a request is answered once, by the keeper or by an error when it goes away. What a
 *            `state` says is written into the session; life.h hears of what follows from it.
 * Ownership: a keeper belongs to the daemon's list and frees itself after its end was told.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sandesk/types.h"

struct conn;
struct daemon;
struct err;
struct loop_timer;
struct msg;
struct session;

/* `m` is done, captured or waited; NULL when `e` is set. Both borrowed. */
typedef void keeper_reply_fn(const struct msg *m, const struct err *e, void *arg);

/* Not the keeper of core/keeper, which is another process: what the daemon knows of it. */
struct keeper_link {
	struct keeper_link *next;
	struct daemon *daemon;
	struct session *session; /* NULL while it is unknown or forgotten */
	char id[ID_BYTES];
	struct conn *conn; /* NULL after it closed */
	pid_t pid;
	bool is_child; /* SIGCHLD will tell how it ended */
	bool is_reaped;
	bool is_adopting; /* counted in daemon->adopting */
	bool is_told;	  /* its end is being handled */
	int wait_status;
	struct keeper_request *requests;
	uint64_t last_request;
	struct loop_timer *deadline;
};

/* Takes fd. The keeper of `s` when that is known. */
struct keeper_link *keeper_new(struct daemon *d, int fd, const char *id, struct session *s);
void keeper_free(struct keeper_link *k); /* fails what is open; the process is left alone */

void keeper_send(struct keeper_link *k, const struct msg *m);
/* 0 or a negative errno; the descriptors stay the caller's */
int keeper_send_fds(struct keeper_link *k, const struct msg *m, const int *fds, size_t nfds);
/* the number to put into a request */
uint64_t keeper_expect(struct keeper_link *k, keeper_reply_fn *fn, void *arg);
/* drops the request with that arg, unanswered */
void keeper_cancel(struct keeper_link *k, void *arg);

/* Kills the process when it is still there after `ms`. */
void keeper_set_deadline(struct keeper_link *k, int64_t ms);
void keeper_clear_deadline(struct keeper_link *k);
void keeper_kill(struct keeper_link *k);

/* Removes the socket that a killed keeper left; only when there is none any more for that id. */
void keeper_unlink_socket(const struct daemon *d, const char *id);

/* What waitpid() said of a child. True when it was one of our keepers. */
bool keeper_reaped(struct daemon *d, pid_t pid, int wait_status);
