/* usage.h - what one sandbox uses, counted by its init from /proc of its own pid namespace.
 * Contract:  asked for, never by itself: nothing here wakes up. CPU time and bytes written hold
 *            whatever ran, because a process that ended is counted with its parent, and init has
 *            adopted the rest; a program that ignores SIGCHLD takes what its children used with it.
 * Exact:     cpu_us to 10 ms a process. written: what was made dirty on a disk, counted when written to
 *            the page cache (proc(5), write_bytes); tmpfs is not in it. memory: private pages of all
 *            processes plus what lies in /tmp, /run and /dev/shm; shared anonymous memory that has
 *            no name is missed.
 * Units:     bytes, microseconds.
 */
#pragma once

#include <stdint.h>

struct jail_usage {
	uint64_t cpu_us;
	uint64_t memory, memory_peak; /* the peak is of the moments at which somebody looked, and at
				       * least the biggest single process that ended */
	uint64_t processes;
	uint64_t written;
};

/* Counts all processes below `proc`, a /proc directory, but the first, which is the caller; and what
 * ended as a child of it. */
void usage_count(const char *proc, struct jail_usage *ret);

/* One process, from the text of its stat, statm and io files (io may be empty). 0 or -EINVAL. */
int usage_add(struct jail_usage *to, const char *stat, const char *statm, const char *io);
