/* loop.h - the event loop of every process of ours: libuv, plus one hook per turn.
 * Contract:  single-threaded. Callbacks may remove any watch, timer or hook, their own included.
 *            The turn hooks run after all callbacks of a turn and before the loop sleeps: draw and
 *            send there, once. Nothing wakes the loop when nothing happens.
 * Ownership: handles belong to who made them; free them before the loop. File descriptors stay the
 *            caller's.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct loop;
struct loop_fd;
struct loop_timer;
struct loop_signal;
struct loop_hook;
struct loop_task;

enum { LOOP_READ = 1, LOOP_WRITE = 2, LOOP_HANGUP = 4 };

struct loop *loop_new(void);
void loop_free(struct loop *l);
void loop_run(struct loop *l);	/* until loop_stop() */
void loop_turn(struct loop *l); /* one turn without waiting: for tests */
void loop_stop(struct loop *l);
int64_t loop_now(const struct loop *l); /* clock_ms() at the start of this turn */

typedef void loop_fd_fn(int fd, int events, void *arg);
struct loop_fd *loop_fd_new(struct loop *l, int fd, int events, loop_fd_fn *fn, void *arg);
void loop_fd_set(struct loop_fd *w, int events); /* 0: stop watching for now */
/* accepts NULL; before the descriptor is closed */
void loop_fd_free(struct loop_fd *w);

typedef void loop_fn(void *arg);
struct loop_timer *loop_timer_new(struct loop *l, loop_fn *fn, void *arg); /* not running */
/* once; starts anew when it runs */
void loop_timer_start(struct loop_timer *t, int64_t ms);
void loop_timer_stop(struct loop_timer *t);
bool loop_timer_is_running(const struct loop_timer *t);
void loop_timer_free(struct loop_timer *t);

struct loop_signal *loop_signal_new(struct loop *l, int signal, loop_fn *fn, void *arg);
void loop_signal_free(struct loop_signal *s);

/* Something to be done once before the loop sleeps, after the hooks of that turn: queue it any
 * number of times. */
struct loop_task *loop_task_new(struct loop *l, loop_fn *fn, void *arg);
void loop_task_queue(struct loop_task *t);
void loop_task_free(struct loop_task *t);

struct loop_hook *loop_hook_new(struct loop *l, loop_fn *fn, void *arg);
void loop_hook_free(struct loop_hook *h);
