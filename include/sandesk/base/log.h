/* log.h - one line per event into a file, for the person who asks "what happened".
 * Contract:  a line is "2026-11-30T12:00:00.123Z LEVEL text"; hostile text is escaped by the caller
 *            with str_escape(). Lines go out with one write each, so several processes may share
 *            the file. Logging never fails the caller. What it holds is moved to NAME.1 when it has
 *            grown over LOG_BYTES, so it cannot fill a disk; a process that may no longer do so
 *            leaves it to the next one that may.
 * Security:  never log environment values, typed text or screen contents.
 */
#pragma once

#include "sandesk/base/auto.h"

enum { LOG_BYTES = 4 << 20 };

struct log {
	int fd; /* -1: nowhere */
	char path[256];
	char who[32];
};

/* 0 or negative errno; `l` is usable in any case */
int log_open(struct log *l, const char *path, const char *who);
void log_close(struct log *l);
void log_info(struct log *l, const char *fmt, ...) PRINTF_LIKE(2, 3);
void log_warn(struct log *l, const char *fmt, ...) PRINTF_LIKE(2, 3);
