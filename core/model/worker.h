/* worker.h - slow work in a process of its own.
 * Contract:  the callback comes once: the worker's result, or that it died.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct daemon;
struct err;
struct worker;

typedef void worker_fn(const struct err *e, void *arg); /* e: NULL when the job is done; borrowed */

/* Starts sandesk-worker with one job. */
int worker_start(struct daemon *d, const char *kind, const char *path, worker_fn *fn, void *arg,
	struct err *e);

/* What waitpid() said of a child. True when it was a worker. */
bool worker_reaped(struct daemon *d, pid_t pid);

/* tells each callback that the daemon stopped; the jobs go on */
void worker_free_all(struct daemon *d);
