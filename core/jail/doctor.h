/* doctor.h - can this machine give a sandbox, and if not, what would mend it.
 * Contract:  tries it: makes the namespaces in a throw-away child, then looks for the cause of what
 * failed. Never guesses from a sysctl alone: each cause is named only when it is there. Errors:
 * negative errno of the call that was refused; the message ends with the one thing to do.
 */
#pragma once

#include "sandesk/base/err.h"

/* 0 when user namespaces with ids, mounts and a network of their own can be had. */
int jail_probe(struct err *e);

/* Explains why making the namespaces failed with `code` (negative errno): sets `e` and returns
 * code. */
int jail_explain(int code, struct err *e);
