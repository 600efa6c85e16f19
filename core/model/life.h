/* life.h - how sessions begin and end.
 *
 *     session_start() -> queue -> keeper_spawn() -> STARTING -> WORKING -> saved -> started(s)
 *                                      |               |                     |
 *                                      +---- failed ---+---------------------+--> started(NULL, why), nothing left
 *     session_finish() -> stop -> over -> quit -> keeper gone -> callback
 *
 * Contract:  `started` is called exactly once, never from inside session_start(). A terminal's
 *            start is answered when its record is on disk; that of an exec session as soon as its
 *            keeper was spawned.
 * Ownership: descriptors and lists given in are taken in any case.
 */
#pragma once

#include <stdbool.h>

#include "model/wait.h"
#include "sandesk/base/buf.h"
#include "sandesk/types.h"

struct daemon;
struct desktop;
struct err;
struct keeper_link;
struct msg_state;
struct session;

typedef void session_started_fn(struct session *s, const struct err *e, int exit_status, void *arg);

enum { START_FDS = 4 };

struct start_request {
	struct desktop *desktop;
	const char *name; /* or NULL: from the command */
	bool has_pty;
	struct buf argv, env, env_names, locale, limits; /* lists of texts; taken */
	const char *cwd;
	struct size size;
	int fds[START_FDS]; /* exec: stdin, stdout, stderr, control; taken */
	session_started_fn *started;
	void *arg;
};

int session_start(struct daemon *d, struct start_request *r, struct err *e);

/* Runs the command of a session that is over again, under the same id and name. Ask
 * session_may_restart() before anything is stopped for it. */
int session_may_restart(struct daemon *d, const struct session *s, struct err *e);
int session_restart(struct daemon *d, struct session *s, struct buf *locale, session_started_fn *fn,
	void *arg, struct err *e);

/* Ends a session when it still runs, lets its keeper go, and calls back when that is gone; at once
 * when it is. */
void session_finish(struct daemon *d, struct session *s, int64_t grace_ms, wait_fn *fn, void *arg);

/* Takes it out of registry and catalog. It has no keeper any more. */
int session_forget(struct daemon *d, struct session *s, struct err *e);

/* ---- told by keeper.c ---- */
void life_state(struct keeper_link *k, const struct msg_state *st);
void life_keeper_gone(struct keeper_link *k);

/* ---- told by save.c: the record of the session is on disk, or why not ---- */
void life_saved(struct daemon *d, struct session *s, const struct err *e);

/* Answers whoever waits for its start or end: the session is about to be forgotten, or the daemon
 * to end. */
void life_abandon(struct daemon *d, struct session *s);

/* Starts what the queue holds, up to STARTING_MAX at once. For daemon.c's task. */
void life_pump(void *daemon);

void launch_free(struct session *s);
