/* daemon.h - what the daemon is made of, passed to everything that acts.
 * Contract:  nothing lives here alone that is not in the catalog or in a keeper: after SIGKILL a
 *            new daemon finds it all again. Until daemon_is_ready() the keepers of an earlier
 *            daemon are still being found; requests wait for it.
 * Ownership: daemon_new() borrows loop, paths and log.
 * Errors:    a catalog that cannot be opened (disk full, read-only, a newer file) does not end the
 *            daemon: every request tries again and gets the reason.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/groups.h"
#include "model/registry.h"
#include "model/spare.h"
#include "model/wait.h"
#include "sandesk/base/buf.h"

struct db;
struct err;
struct keeper_link;
struct log;
struct loop;
struct loop_signal;
struct loop_task;
struct loop_timer;
struct paths;
struct worker;

enum {
	DESKTOP_SESSIONS_MAX = 1024, /* alive at once in one Desktop */
	/* keepers that build their sandbox at once; further starts queue */
	STARTING_MAX = 8,
	LINGERING_MAX = 64, /* ended terminals whose keepers stay with the screen */
	/* records of ended exec sessions per Desktop; the oldest are forgotten */
	ENDED_EXEC_MAX = 200,
	ADOPT_MS = 3000, /* how long requests wait for a keeper that does not answer */
	/* to the first instruction of a command, on a machine at its limit */
	START_MS = 60000,
	SAVE_MS = 100,	 /* records that nobody waits for are written together */
	GRACE_MS = 5000, /* between TERM and KILL unless said otherwise */
	HUNG_MS = 5000,	 /* a keeper that was asked to end and did not is killed */
};

struct daemon {
	struct loop *loop;
	const struct paths *paths;
	struct log *log;
	mode_t umask; /* of whoever started us: for the directories of people */
	double started;

	struct db *db; /* NULL until it could be opened */
	struct buf notices;
	struct registry registry;

	struct keeper_link *keepers; /* a list through keeper->next */
	size_t adopting;	/* found, and not heard of yet */
	bool is_ready;
	struct waiting *ready;
	struct loop_timer *adopt_deadline;

	struct session **queue; /* sessions whose start waits, oldest first */
	size_t nqueue;
	size_t starting;
	struct loop_task *pump;

	struct loop_task *save; /* at the end of this turn */
	struct loop_timer *save_soon;

	struct worker *workers;
	struct spare spare;
	struct groups groups;
	struct loop_signal *child;
	bool is_stopping;
	void (*stopped)(void *arg); /* set by main: leave the loop */
	void *stopped_arg;
};

struct daemon *daemon_new(struct loop *l, const struct paths *p, struct log *log);
void daemon_free(struct daemon *d); /* closes everything; sessions go on */

/* Opens the catalog and begins to adopt keepers, unless that was done. 0 or why the catalog cannot
 * be had. */
int daemon_prepare(struct daemon *d, struct err *e);

/* Calls back when every keeper that was found has been adopted, or given up: at once when that is
 * so already. */
void daemon_when_ready(struct daemon *d, wait_fn *fn, void *arg);

/* Ends the daemon: closes the catalog, then calls `stopped`. Sessions go on. */
void daemon_stop(struct daemon *d);
