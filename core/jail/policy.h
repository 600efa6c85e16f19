/* policy.h - what one sandbox may see and do, as plain data.
 * Contract:  jail_policy_init() gives a policy that needs only the strings filled in.
 *            jail_policy_check() says in one sentence what is wrong with it; whatever passed the
 *            check can be planned (plan.h). Nothing here touches the system.
 * Ownership: every pointer is borrowed from the caller and must live as long as the plans made from
 *            it are being made.
 * Units:     bytes, counts. Ids are those of the caller, outside.
 * Errors:    -EINVAL with a sentence.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sandesk/base/err.h"

enum {
	JAIL_ARGS_MAX = 4096,	    /* entries of argv, and of env */
	JAIL_ARG_BYTES = 128 << 10, /* one entry; the kernel's own MAX_ARG_STRLEN */
	JAIL_USER_BYTES = 32,	    /* inner user name, without NUL: useradd(8) */
	JAIL_HOSTNAME_BYTES = 64,   /* hostname(7) */
	JAIL_ID_BASE = 1900000000,  /* root's sandboxes own JAIL_ID_BASE + pid of the keeper: no uid
				     * allocator of a  distribution, of systemd or of subuid(5) hands
				     * out 1879048192..2147352575  (systemd, doc/UIDS-GIDS) */
	JAIL_ROOT_INNER_ID = 1000,  /* and see themselves as this */
};

enum jail_profile {
	JAIL_DEFAULT, /* an agent's own sandbox works inside */
	JAIL_STRICT,  /* no namespaces inside, /proc masked, all that Landlock has */
};

enum jail_over { JAIL_OVER_PAUSE, JAIL_OVER_STOP, JAIL_OVER_KILL }; /* what using a budget up does */

struct jail_limits {
	uint32_t processes;	/* RLIMIT_NPROC inside the user namespace: threads count */
	uint32_t files;		/* RLIMIT_NOFILE, lowered to what the caller may give */
	uint64_t file_bytes;	/* RLIMIT_FSIZE; 0: no limit */
	uint64_t scratch_bytes; /* /tmp, /run, /dev/shm and the root itself together */
	uint32_t scratch_inodes;
	uint32_t ptys; /* in the sandbox's own devpts */
	/* Budgets of the whole sandbox; 0: none. */
	uint64_t memory_bytes; /* of all processes together */
	uint64_t data_bytes;   /* RLIMIT_DATA, of each: what holds without a control group */
	uint64_t disk_bytes;   /* written to disks */
	uint32_t run_seconds;
	uint32_t idle_seconds; /* without output or input */
	enum jail_over over;
	uint32_t cpu_weight;  /* 1 to 10000, 100 is usual; 0: not set */
	uint32_t cpu_percent; /* of one CPU; 0: not limited */
};

struct jail_policy {
	const char *desktop_dir; /* absolute, canonical; read-write inside, at the same path */
	const char *home_dir; /* absolute, canonical: the private home on the host; the caller made
				 it */
	const char *user;     /* name of the user inside */
	const char *hostname;
	const char *workdir; /* absolute, as seen inside; NULL: desktop_dir */
	const char *shell;   /* $SHELL inside; NULL: /bin/bash where there is one, else /bin/sh */
	const char *lang;    /* $LANG inside; NULL: C.UTF-8 */
	char *const *argv; /* NULL-terminated; argv[0] is looked for in PATH when it has no slash */
	char *const *env;  /* NULL-terminated KEY=VALUE, on top of the fixed set; NULL: none */
	uid_t uid;	   /* of the caller */
	gid_t gid;
	enum jail_profile profile;
	/* Kept as they are, by paths relative to desktop_dir; NULL-terminated, NULL: none. */
	char *const *protect;
	uint32_t require;	   /* bits of enum jail_wall: without these the command is not run */
	bool allows_special_files; /* sockets and FIFOs in the Desktop's directory and the home */
	struct jail_limits limits;
	bool has_pty; /* 0, 1, 2 will be a terminal */
};

/* Zeroes it, then sets the limits' defaults and the effective ids of this process. */
void jail_policy_init(struct jail_policy *p);

/* 0, or -EINVAL and a sentence. Looks at the data alone, not at the file system. */
int jail_policy_check(const struct jail_policy *p, struct err *e);
