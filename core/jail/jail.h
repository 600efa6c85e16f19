/* jail.h - starts, signals and ends one sandbox.
 * Contract:  jail_start() returns when the command has been exec'ed in its sandbox, or says why not
 *            and leaves nothing behind. The caller is single-threaded; when it dies, at any instant
 *            and however, the whole sandbox dies with it.
 *
 *            caller --clone3--> init (pid 1 inside, never exec'ed, not dumpable) --vfork--> command
 *               \____ seqpacket socket: go, started or failed, signals, exit status ____/
 *
 *            The first half, which is most of the time and knows nothing of the command, may be done
 *            ahead: jail_prepare() makes processes and namespaces, jail_run() the rest.
 *
 *            When the command ends, init sends its exact status and leaves; the kernel then kills
 *            what is left. `status_fd` becomes readable at the first, `pidfd` when nothing is left
 *            any more.
 * Ownership: jail_start() borrows the plan and the fds; jail_fini() kills the sandbox when it still
 *            runs, and reaps init.
 * Errors:    exactly three, see below: what a shell would answer comes from jail_exit_code().
 * Effect:    the calling process gets the user's common empty session keyring, so that no sandbox
 *            inherits host keys.
 */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>

#include "jail/plan.h"
#include "jail/usage.h"
#include "sandesk/base/auto.h"
#include "sandesk/base/err.h"

enum {
	JAIL_NOT_FOUND = -ENOENT,      /* the command does not exist inside: 127 */
	JAIL_NOT_EXECUTABLE = -EACCES, /* it exists but cannot be executed: 126 */
	JAIL_NOT_BUILT = -ECANCELED,   /* the sandbox could not be built: 125 */
};

struct jail_io {
	int pty;    /* slave side; becomes 0, 1, 2 and the controlling terminal; -1: use fds */
	int fds[3]; /* used when pty is -1; each >= 0 */
};

struct jail {
	int own_map;   /* as root, until it runs: id map of files that the caller owns */
	pid_t pid;     /* init, as seen from outside; 0: none */
	int pidfd;     /* readable when the whole sandbox is gone */
	int status_fd; /* readable when there is a status: jail_exit() */
	uint32_t missing; /* bits of enum jail_wall: asked for by the plan, and not had */
	char **watched; /* paths that PLAN_WATCH steps name; owned */
	size_t nwatched;
	int appeared; /* once has_status: which of them is there now, counted from 1; 0: none */
	struct jail_usage usage; /* of the last answer */
	unsigned answers;	 /* to jail_ask_usage() so far */
	int status;    /* wait status of the command once has_status */
	bool has_status;
};

/* Namespaces, ids and loopback, waiting for a plan. 0, or JAIL_NOT_BUILT and a sentence. */
int jail_prepare(struct jail *ret, struct err *e);

/* Makes a prepared sandbox run a plan. On failure it is gone, and *j empty. */
int jail_run(struct jail *j, const struct plan *plan, const struct jail_io *io, struct err *e);

/* Both in one. 0, or one of the three codes and a sentence that names what failed, why, and what to do. */
int jail_start(const struct plan *plan, const struct jail_io *io, struct jail *ret, struct err *e);

/* Asks init to send `sig` to the command's foreground group (its terminal's when it has one, else
 * its own group). 0, -ESRCH when the sandbox is over, -EINVAL. */
int jail_signal(struct jail *j, int sig);

/* As jail_signal(), to every process of the sandbox: SIGTERM for a polite stop, SIGSTOP and SIGCONT
 * for a pause. */
int jail_signal_all(struct jail *j, int sig);

/* Polite stop: SIGTERM and SIGCONT to every process, SIGHUP 150 ms later to what is left, because
 * interactive shells heed no other. Call jail_kill() after the grace time. */
int jail_stop(struct jail *j);

/* Kills the whole tree by killing pid 1. 0 or -ESRCH. Does not wait: pidfd tells when it is gone.
 */
int jail_kill(struct jail *j);

/* The exact wait status of the command (waitpid(2) macros): 0 and *ret_status, or -EAGAIN while it
 * runs. A sandbox that was killed from outside reports SIGKILL. */
int jail_exit(struct jail *j, int *ret_status);

/* Asks init what the sandbox uses: status_fd becomes readable with the answer, usage.h. 0 or -ESRCH. */
int jail_ask_usage(struct jail *j);

/* Reads what init says, without waiting: `usage`, `answers` and the status follow. False when nothing
 * will come any more. */
bool jail_hear(struct jail *j);

/* A protected path that was not there when the session began and is at its end, from / on but without
 * the slash; NULL: none, or the sandbox was killed and nobody looked. Borrowed. */
const char *jail_appeared(const struct jail *j);

/* Kills what still runs, reaps init, closes the fds. Accepts a zeroed struct. Waits until the tree
 * is gone (milliseconds). */
void jail_fini(struct jail *j);
void jail_drop(struct jail *j); /* for AUTO(jail) */

/* 127, 126 or 125 for what jail_start() returned; 128+n or the exit code for a wait status. */
int jail_exit_code(int error);
int jail_status_code(int status);
