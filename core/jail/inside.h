/* inside.h - what runs in the sandbox's first process between clone3 and the command. Private to
 * core/jail.
 * Contract:  inside_main() never returns. Everything it needs was made before the clone; its memory
 *            is a copy of the keeper's. Each step returns 0 or fills the err: the first error ends
 *            the sandbox and travels to the keeper.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "jail/jail.h"
#include "jail/plan.h"
#include "jail/walls.h"
#include "sandesk/base/err.h"

/* One packet on the socket between keeper and init. */
enum message_kind {
	MESSAGE_GO, /* keeper: descriptors are the packed plan, `value` of stdio, and the trees */
	MESSAGE_STARTED, /* init: the command has been exec'ed; `value` is the missing walls */
	MESSAGE_FAILED,	 /* init: err says why */
	MESSAGE_SIGNAL,	 /* keeper: value is the signal */
	MESSAGE_EXIT,	 /* init: value is the command's wait status, target which of the watched
			  * paths is there now, counted from 1; 0: none */
	MESSAGE_USAGE,	 /* keeper: asks; init: a struct usage_message, asked for and before EXIT */
};

enum signal_target { TARGET_FOREGROUND, TARGET_ALL, TARGET_STOP };

struct message {
	int32_t kind;
	int32_t value;
	int32_t target;
	struct err err; /* sent with MESSAGE_FAILED only */
};

enum { MESSAGE_SHORT = offsetof(struct message, err) };

struct usage_message {
	int32_t kind, value, target; /* as above */
	struct jail_usage usage;
};

struct inside {
	struct plan plan;      /* empty until MESSAGE_GO */
	int fds[3];	       /* what becomes 0, 1, 2 */
	int socket;	       /* to the keeper */
	int trees[PLAN_TREES]; /* detached, idmapped; -1 when the caller is not root */
	uint32_t missing;      /* bits of enum jail_wall: asked for by the plan, and not had */
	int listener;	       /* of the filter, once the command's process has it; -1: none */
	struct err *err;
};

int inside_send(int socket, const struct message *m);
void inside_main(struct inside *in) __attribute__((noreturn));

/* Whose turn a step is: init's before it knows the plan, init's, or the command's own process's. */
enum step_turn { TURN_EARLY, TURN_INIT, TURN_COMMAND };

/* steps.c: takes all steps of one turn. */
int steps_run(struct inside *in, enum step_turn turn);

/* mounts.c: the steps of PHASE_MOUNTS, and the switch to the new root. */
int mounts_run(struct inside *in);
int mounts_pivot(struct inside *in);

/* filter.c: restricts the calling process. `asks`: with a listener, where the kernel gives one;
 * *ret_listener is owned, -1 when there is none. */
int filter_install(bool is_strict, bool asks, int *ret_listener, struct err *e);
