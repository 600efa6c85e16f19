/* plan.h - a policy resolved for one session: the ordered list of steps that build its sandbox.
 * Contract:  making a plan reads the file system (what is there to show) and changes nothing. A
 * plan is complete: jail_start() decides nothing any more. Steps stand in the order in which they
 * are taken; each has its reason.
 *
 *            phase   ids      mounts                                      pivot  limits caps nnp
 * landlock seccomp exec steps   ids net  root dir link text copy bind device pts ... pivot  limit
 * caps nnp scope    filter  exec
 *
 * Ownership: a plan owns its strings and borrows nothing; plan_fini() accepts a half-built one.
 * Errors:    -EINVAL what the policy says is wrong; -ENOENT, -ENOTDIR, -EACCES the Desktop or the
 * home directory is.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "jail/policy.h"
#include "sandesk/base/auto.h"

struct buf;

/* Phases in their order; the order is the security argument (jail/steps.c). */
#define PLAN_PHASES(X)                                                                             \
	X(IDS, ids)                                                                                \
	X(NETWORK, network)                                                                        \
	X(MOUNTS, mounts)                                                                          \
	X(PIVOT, pivot)                                                                            \
	X(LIMITS, limits)                                                                          \
	X(CAPS, caps)                                                                              \
	X(NNP, nnp)                                                                                \
	X(LANDLOCK, landlock)                                                                      \
	X(SECCOMP, seccomp)                                                                        \
	X(EXEC, exec)

#define X(upper, lower) PHASE_##upper,
enum plan_phase { PLAN_PHASES(X) PHASE_COUNT };
#undef X

/* op, word in the printed plan, phase */
#define PLAN_OPS(X)                                                                                \
	X(IDS, "ids", IDS)                                                                         \
	X(DIE, "die-with", IDS)                                                                    \
	X(HOSTNAME, "hostname", NETWORK)                                                           \
	X(LOOPBACK, "loopback", NETWORK)                                                           \
	X(ROOT, "root", MOUNTS)                                                                    \
	X(DIR, "dir", MOUNTS)                                                                      \
	X(LINK, "link", MOUNTS)                                                                    \
	X(TEXT, "text", MOUNTS)                                                                    \
	X(COPY, "copy", MOUNTS)                                                                    \
	X(BIND_RO, "bind-ro", MOUNTS)                                                              \
	X(BIND_RW, "bind-rw", MOUNTS)                                                              \
	X(DEVICE, "device", MOUNTS)                                                                \
	X(SCRATCH, "scratch", MOUNTS)                                                              \
	X(PTS, "devpts", MOUNTS)                                                                   \
	X(CONSOLE, "console", MOUNTS)                                                              \
	X(PROC, "proc", MOUNTS)                                                                    \
	X(NO_NESTING, "no-nesting", MOUNTS)                                                        \
	X(MASK, "mask", MOUNTS)                                                                    \
	X(FREEZE, "read-only", MOUNTS)                                                             \
	X(PIN, "pin", MOUNTS)                                                                      \
	X(PROTECT, "protect", MOUNTS)                                                              \
	X(WATCH, "watch", MOUNTS)                                                                  \
	X(PIVOT, "pivot", PIVOT)                                                                   \
	X(LIMIT, "limit", LIMITS)                                                                  \
	X(CAPS, "caps", CAPS)                                                                      \
	X(NNP, "no-new-privs", NNP)                                                                \
	X(SCOPE, "landlock", LANDLOCK)                                                             \
	X(FILTER, "seccomp", SECCOMP)                                                              \
	X(EXEC, "exec", EXEC)

#define X(op, word, phase) PLAN_##op,
enum plan_op { PLAN_OPS(X) PLAN_OP_COUNT };
#undef X

struct plan_step {
	enum plan_op op;
	char *from;	 /* host path, text or link target; NULL where there is none */
	char *to;	 /* path inside, without the leading slash; NULL where there is none */
	uint64_t number; /* mode of a dir, device number, bytes of the root, ptys, value of a limit
			  */
	uint64_t id; /* RLIMIT_* of a limit, inodes of the root, index into trees[] of a read-write
			bind */
	const char *why; /* static */
};

/* A directory that is shared read-write: what was there when the plan was made must be what gets
 * mounted. */
struct plan_tree {
	char *path;
	dev_t dev;
	ino_t ino;
	uid_t uid; /* owner: where root calls, the mount is idmapped so that new files stay this
		      owner's */
	gid_t gid;
};

enum { PLAN_TREE_DESKTOP, PLAN_TREE_HOME, PLAN_TREES };

struct plan {
	struct plan_step *steps;
	size_t nsteps;
	size_t room;
	struct plan_tree trees[PLAN_TREES];
	uid_t inner_uid, outer_uid;
	gid_t inner_gid, outer_gid;
	bool is_root; /* the caller is root: trees are idmapped, ids come from the reserved range */
	bool has_pty;
	bool is_strict;	 /* no inner sandboxes: all Landlock has, and a filter without namespaces */
	uint32_t require; /* bits of enum jail_wall */
	bool asks_init;	 /* init keeps sockets and FIFOs out of what is shared (notify.h) */
	char **notes;	 /* what the policy asks for and is not given, one sentence each */
	size_t nnotes;	 /* (init does not get them) */
	char *hostname;
	char *home; /* path inside */
	char *workdir;
	char **argv;
	char **env;
};

/* The ids of the sandboxes of a caller, which are known before anything else of a plan. */
void plan_choose_ids(struct plan *p, uid_t uid, gid_t gid);

/* 0 or negative errno and a sentence; `ret` is untouched on failure. */
int plan_make(const struct jail_policy *policy, struct plan *ret, struct err *e);
void plan_fini(struct plan *p);
void plan_drop(struct plan *p); /* for AUTO(plan) */

/* Appends one line per step: phase, what, reason. Values of the environment are not printed: they
 * may be secrets. */
void plan_print(const struct plan *p, struct buf *to);

const char *plan_phase_name(enum plan_phase phase);
enum plan_phase plan_op_phase(enum plan_op op);
