/* wait.h - callers that wait for one thing to happen.
 * Contract:  every one is called exactly once, in the order of arrival; a callback may add new ones
 *            (they wait for the next time).
 */
#pragma once

struct waiting;

typedef void wait_fn(void *arg);

void wait_add(struct waiting **list, wait_fn *fn, void *arg);
void wait_fire(struct waiting **list);
