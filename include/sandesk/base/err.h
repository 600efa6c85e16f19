/* err.h - one error as a person reads it and as a program tests it.
 * Contract:  reporting a failure never allocates. A message reads from the outside in: "start
 *            web/api: open ptmx: Permission denied". The edge prints it once, as `sandesk: what:
 *            why; what to do`.
 * Errors:    every function returns the code, so that a caller can write `return err_set(e,
 *            -EINVAL, ...)`. A NULL struct err is allowed everywhere.
 */
#pragma once

#include "sandesk/base/auto.h"

enum { ERR_MSG_BYTES = 400 };

struct err {
	int code; /* negative errno; 0 while nothing has failed */
	char msg[ERR_MSG_BYTES];
};

/* Names the object that failed. Does not add the text of the errno: say in words what is wrong and
 * what to do. */
int err_set(struct err *e, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* As err_set(), and appends ": " and the text of the errno. */
int err_errno(struct err *e, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Adds the caller's context and ": " in front of what the callee said. */
int err_wrap(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);
