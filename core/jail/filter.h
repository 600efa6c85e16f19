/* filter.h - the form of a table of system calls, from which a seccomp filter is made at build time.
 * Contract:  a table defines `syscall_sets` and `syscall_args`. What stands in no set is answered
 *            ENOSYS. Refusals by argument go before the sets: the first row that matches decides.
 *            Arguments are compared as 32 bits. What is to be asked (SYSCALL_ASK) stops the call
 *            until a listener has answered, in a program made with FILTER_ASKS; in another it is
 *            allowed.
 * Readers:   core/jail/gen/filter_gen.c, once for each table: jail/syscalls.h (what runs in a
 *            sandbox), keeper/syscalls.h (who watches it).
 */
#pragma once

#include <stdint.h>

enum { SYSCALL_ASK = -1 };

struct syscall_set {
	const char *name;
	const char *why;
	int refuse; /* 0: allowed; errno: refused with it, where ENOSYS would mislead; SYSCALL_ASK */
	const char *calls[128]; /* NULL-terminated; a name that the architecture does not have is
				   skipped */
};

/* A refusal by argument. `when`: the row is looked at only when (argument & mask) != 0, or, with
 * `value`, when it is equal. */
enum arg_test { ARG_ANY_BIT, ARG_IS_ONE_OF, ARG_IS_NONE_OF };

struct syscall_arg {
	const char *call;
	int refuse;
	struct {
		int is_used, arg;
		uint32_t mask, value; /* (argument & mask) == value, or != 0 when value is 0 */
	} when;
	int arg;
	enum arg_test test;
	uint32_t mask;
	uint32_t values[12];
	int nvalues;
	const char *why;
};
