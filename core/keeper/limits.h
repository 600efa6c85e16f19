/* limits.h - what a session may use, what it uses, and what happens in between.
 * Contract:  usage is counted when somebody asks, and, while a budget that needs it is in force, a few
 *            times a second as long as the session does something or is near the budget; a session
 *            that does nothing wakes nobody. At LIMIT_WARN_PERCENT of a budget `state` says so, once
 *            for each crossing; at the whole of it the session is paused, stopped or killed, as the
 *            policy says. A resume after that grants the budget once more.
 *            What this cannot see is a process that takes memory after a silence without printing or
 *            being typed to: the control group, where there is one, and RLIMIT_DATA of each process
 *            hold that.
 * Units:     bytes and seconds.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "jail/policy.h"

struct keeper;
struct loop_timer;
struct usage_asker;
struct viewer;

enum { LIMIT_WARN_PERCENT = 80, LIMIT_TEXT_BYTES = 200 };

enum limit_kind { LIMIT_MEMORY, LIMIT_DISK, LIMIT_RUN, LIMIT_IDLE, LIMIT_KINDS };

struct limit {
	uint64_t budget, granted; /* 0: none; granted grows by each resume */
	uint64_t used;
	bool is_near, is_over; /* told */
};

struct limits {
	struct limit of[LIMIT_KINDS];
	enum jail_over over;
	struct loop_timer *look;  /* the next count, while the session is busy */
	struct loop_timer *clock; /* the next moment at which run or idle time matters */
	struct loop_timer *patience; /* of those who asked */
	struct usage_asker *askers;
	struct loop_fd *watch; /* what init says */
	uint64_t cpu_us, output_us, memory; /* of the last count */
	int64_t active_ms;	    /* loop time of the last output or input */
	int64_t begun_ms;
	unsigned answers; /* heard of so far */
	bool is_asking, is_far;
	char text[LIMIT_TEXT_BYTES]; /* "memory 83% of 512M"; empty: no budget is near */
	char reason[LIMIT_TEXT_BYTES]; /* why it was ended; empty: not by a limit */
};

void limits_init(struct keeper *k);
void limits_fini(struct keeper *k);
void limits_start(struct keeper *k, const struct jail_limits *of); /* its command runs */
void limits_end(struct keeper *k);				      /* it is over */
void limits_hear(struct keeper *k);				      /* init may have said something */
void limits_active(struct keeper *k);  /* the session printed, or was typed to */
void limits_resumed(struct keeper *k); /* what is over its budget gets it once more */

/* Counts, sends `state` to everybody, then `done` to who asked. */
void limits_ask(struct viewer *v, uint64_t request);
void limits_forget_viewer(struct keeper *k, const struct viewer *v);
