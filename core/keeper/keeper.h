/* keeper.h - one session: its sandbox, its terminal, and everybody who looks at it.
 * Contract:  lives until its session is over and nobody wants the screen any more (`quit`),
 *            whatever happens to the daemon and to clients. Nobody who is connected can slow the
 *            session: output is read in bounded portions and parsed; each viewer gets at most one
 *            frame that it has not acknowledged.
 *
 *            pty readable -> term_feed          |  once per turn: events, replies, waits, one frame per viewer, state
 *            message from a viewer -> act.c     |  then the queues are written (conn.h)
 *
 * Files:     keeper.c (life, state, viewers), run.c (sandbox), stream.c (pty), act.c (messages),
 *            waiter.c (waits), find.c (searches), pattern.c (PCRE2), limits.c (usage, budgets), tell.c (notifications,
 *            clipboard), harden.c (own walls)
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "jail/cgroup.h"
#include "jail/jail.h"
#include "keeper/limits.h"
#include "keeper/status.h"
#include "keeper/tell.h"
#include "pty/pty.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/log.h"
#include "sandesk/conn.h"
#include "sandesk/messages.h"
#include "sandesk/paths.h"
#include "sandesk/types.h"
#include "term/frame.h"
#include "term/term.h"

struct conn;
struct loop;
struct find;
struct keeper;
struct waiter;

enum {
	KEEPER_VIEWERS_MAX = 256,
	KEEPER_INPUT_BYTES = 32 << 20, /* typed but not yet read by the program; more is refused */
	KEEPER_WAITERS_MAX = 256,
	/* what a program can change at will (title, output) is told at most this often */
	KEEPER_STATE_MS = 100,
	KEEPER_GRACE_MS = 5000,
	/* longest pause that a program may ask for by DEC mode 2026 */
	KEEPER_SYNC_MS = 150,
	KEEPER_LEAVE_MS = 2000, /* for clients that do not read the last words */
};

struct viewer {
	struct viewer *next;
	struct keeper *keeper;
	struct conn *conn;
	struct frame_view view;
	struct size size;
	struct msg_outer outer; /* what it said of its terminal */
	uint64_t seq, acted;	/* acted: the number of the last thing it did */
	/* owner: hangs up -> the session is killed */
	bool is_attached, is_read_only, sets_size, has_unacked, is_owner;
	bool is_recording; /* recorder.h */
	uint64_t record_request, record_lost;
};

struct pending_stop {
	struct pending_stop *next;
	struct viewer *viewer;
	uint64_t request;
};

struct keeper {
	struct loop *loop;
	struct paths paths;
	struct log log;
	struct loop_hook *turn;

	/* what runs; texts are owned */
	char *session, *desktop, *desktop_id, *name, *dir, *cwd;
	struct buf argv, env_names;
	bool has_walls; /* this process is the keeper's alone: main says so (harden.h) */
	struct peer_home home;
	bool has_pty, is_started, is_stopping, is_paused, is_quitting, is_leaving;
	enum status status;
	int exit_code, exit_signal;
	char reason[ERR_MSG_BYTES];
	uint64_t started_us, ended_us, output_us, bells;

	struct jail jail;
	struct loop_fd *end_watch;
	struct loop_timer *grace;
	struct pending_stop *stops;
	struct limits limits;
	struct cgroup group;
	char walls_missing[128]; /* names, a blank between */

	struct pty pty;
	int slave_fd;
	struct loop_fd *pty_watch;
	struct buf input;
	size_t input_pos;
	int64_t typed_ms; /* loop time of input that no output followed yet; 0: none */
	bool wants_write;

	struct term *term; /* NULL without a terminal */
	struct size size;
	struct buf frame;
	struct loop_timer *sync_timer;
	bool sync_is_over;
	struct tell tell;
	struct status_facts facts;
	struct status_verdict verdict;
	uint64_t acts; /* things that viewers did so far */

	int listen_fd;
	char socket_path[PATH_MAX + 64];
	struct loop_fd *listen_watch;
	struct viewer *viewers;
	size_t nviewers;
	struct waiter *waiters;
	size_t nwaiters;
	struct find *finds; /* searches under way */
	uint64_t waited_version, waited_line; /* of the last look for those who wait */

	struct loop_timer *state_timer, *leave_timer;
	bool state_is_dirty;
};

/* keeper.c */
struct keeper *keeper_new(struct loop *l, const struct paths *p);
void keeper_free(struct keeper *k);
struct viewer *keeper_add_viewer(struct keeper *k, int fd); /* takes fd */
void keeper_remove_viewer(struct viewer *v);
int keeper_listen(struct keeper *k, struct err *e);
void keeper_tell_state(struct keeper *k);  /* with this turn */
void keeper_touch_state(struct keeper *k); /* soon, at most every KEEPER_STATE_MS */
void keeper_send_state(struct keeper *k, struct viewer *v);
void keeper_set_size(struct keeper *k, struct size size);
void keeper_leave(struct keeper *k); /* ends the loop when all clients have what was said */

/* run.c */
void run_prepare(struct keeper *k); /* the part of a sandbox that needs no start message */
void run_start(struct keeper *k, struct conn *from, const struct msg_start *s);
void run_stop(struct keeper *k, struct viewer *v, uint64_t request, int64_t grace_ms);
/* Stops every process of the session where it is, or lets it go on. 0 or -ESRCH. */
int run_pause(struct keeper *k, bool on);
/* As a stop that nobody waits for; grace_ms 0: KILL at once. */
void run_end(struct keeper *k, int64_t grace_ms);
void run_forget_viewer(struct keeper *k, const struct viewer *v);
void run_quit(struct keeper *k);

/* stream.c */
void stream_open(struct keeper *k);
void stream_close(struct keeper *k); /* reads what is left first */
/* -ENOBUFS when the program reads nothing */
int stream_type(struct keeper *k, const struct buf *bytes);
void stream_turn(struct keeper *k);

/* Decides the status anew and tells when it has become another. */
void keeper_decide(struct keeper *k);

/* act.c */
void act_on(struct viewer *v, const struct msg *m);

/* waiter.c */
void waiter_add(struct viewer *v, const struct msg_wait *w);
void waiter_cancel(struct viewer *v, uint64_t request);
void waiter_forget_viewer(struct viewer *v);
/* looks whether something happened that somebody waits for */
void waiter_turn(struct keeper *k);
void waiter_finish(struct keeper *k); /* the session is over */
