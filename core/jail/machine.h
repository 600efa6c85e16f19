/* machine.h - the settings of a machine that decide which walls can be had.
 * Contract:  reads only, and starts nothing. Below `root`, so that other machines can be tried in
 *            tests: "" is this one.
 * Source:    sandbox.md section 7; user_namespaces(7), cgroups(7), loginctl(1).
 */
#pragma once

#include <sys/types.h>

#include "jail/checkup.h"

struct machine {
	const char *root; /* "" or a directory that stands for / */
	const char *self; /* path of the program, for the profile that names it */
	const char *user; /* name of the caller; NULL when it has none */
	uid_t uid;
};

/* One row for each setting that this machine has: those in the way, with what mends it. */
void machine_check(const struct machine *m, enum jail_profile profile, struct checkup *to);
