/* usage.h - fresh figures of what sessions use, from their keepers.
 * Contract:  calls back once, when every keeper asked has said what it counts, or after USAGE_MS
 *            without those that do not answer: the session has the figures of an earlier count then.
 *            Never from inside the call.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/wait.h"

struct daemon;
struct desktop;
struct session;

enum { USAGE_MS = 1500 };

struct session_usage {
	uint64_t cpu_us, memory, memory_peak, processes, written;
	bool is_known;
};

/* Of one session, or of all of a Desktop, or of everything. */
void usage_refresh(
	struct daemon *d, struct session *s, const struct desktop *desktop, wait_fn *fn, void *arg);
