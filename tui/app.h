/* app.h - the TUI as a whole: one call that returns when the person has detached.
 * Contract:  the outer terminal is given back as it was found in every case: detach, error,
 *            SIGTERM, SIGHUP and crash. Nothing is written when standard input or output is no
 *            terminal, or when TERM is unset, dumb or unknown.
 * Errors:    exit status; when it is not 0, `e` holds one line for a person, which the caller
 *            prints.
 */
#pragma once

#include <stdbool.h>

struct err;
struct paths;

struct app_options {
	const struct paths *paths;
	/* "DESKTOP/SESSION": that session full screen; NULL: the tree and panes */
	const char *attach_target;
	bool is_read_only;
};

int app_main(const struct app_options *o, struct err *e);
