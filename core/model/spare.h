/* spare.h - one keeper that was started before it is needed.
 * Contract:  starting a process and setting it up takes half a millisecond that the next session then
 *            does not wait for. A spare knows nothing of any session; it ends when its connection
 *            closes. A new one is made when nothing has been started for SPARE_MS, so that it never
 *            competes with the session that took the last.
 * Ownership: the daemon's; spare_take() gives process and connection to the caller.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct daemon;
struct err;
struct loop_timer;

enum { SPARE_MS = 5 };

struct spare {
	pid_t pid; /* 0: none */
	int fd;
	struct loop_timer *soon;
};

void spare_init(struct daemon *d);
void spare_fini(struct daemon *d);

/* Will see to it that there is one. */
void spare_want(struct daemon *d);

/* A keeper that waits for `start`: the spare, or a new one. Its pid, and its connection in *ret_fd; or
 * a negative errno. */
pid_t spare_take(struct daemon *d, int *ret_fd, struct err *e);

/* What waitpid() said of a child: true when it was the spare. */
bool spare_reaped(struct daemon *d, pid_t pid);
