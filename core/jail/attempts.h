/* attempts.h - what a sandbox forbids, tried from the inside: doctor's proof.
 * Contract:  attempts_main() runs in a sandbox that doctor made for it, or, in tests, outside of one:
 *            there the same attempts must be found to work. Each is harmless where it works, and
 *            takes back what it made. One line for each to standard output:
 *                NAME <tab> held | open <tab> DETAIL
 * Units:     the limits that are run against are doctor's own, small ones.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
	ATTEMPT_PROCESSES = 48,		 /* doctor's limit; attempts start twice as many */
	ATTEMPT_SCRATCH_BYTES = 4 << 20, /* and try to fill twice that */
	ATTEMPT_DETAIL_BYTES = 120,
};

/* Of the host, to be looked for inside; handed over in the environment by these names. */
#define ATTEMPT_FACTS(X)                                                                           \
	X(SECRET, "DOCTOR_SECRET")	   /* a file beside the Desktop's directory */             \
	X(HOME, "DOCTOR_HOME")		   /* the caller's home: its "device:inode:path" */        \
	X(PID, "DOCTOR_PID")		   /* a process */                                         \
	X(PORT, "DOCTOR_PORT")		   /* a server on 127.0.0.1 */                             \
	X(ABSTRACT, "DOCTOR_ABSTRACT")	   /* an abstract socket */                                \
	X(NAMESPACES, "DOCTOR_NAMESPACES") /* "user:[1] mnt:[2] ..." */

#define X(id, name) FACT_##id,
enum attempt_fact { ATTEMPT_FACTS(X) FACT_COUNT };
#undef X

const char *attempt_fact_name(enum attempt_fact fact);

struct attempt {
	const char *name;
	const char *what; /* what is forbidden */
	bool is_strict;	  /* a wall of the strict profile alone */
	/* True when it was held up; `detail` says by what, or what was reached. */
	bool (*run)(const char *const facts[FACT_COUNT], char detail[ATTEMPT_DETAIL_BYTES]);
};

const struct attempt *attempt_at(size_t i); /* NULL behind the last */

/* Tries all, or the one that is named; 0, or 2 when there is none of that name. */
int attempts_main(const char *name);
