/* cli.h - sandesk with words: one command of the table, then the end.
 * Contract:  does nothing before it is needed: no configuration, no terminal set-up, no connection
 *            for what runs here. Results go to standard output, everything else is one line on
 *            standard error.
 * Errors:    exit status 0; 1 when it failed; 2 for wrong usage; `session exec` that of its
 *            command.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "sandesk/commands.h"

struct err;

enum { EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_NO_SANDBOX = 125, EXIT_SIGNAL = 128 };

struct cli_call {
	const struct command *command;
	json_t *args;	 /* checked; owned by the caller of the function */
	const char *cwd; /* NULL when the current directory is gone */
};

/* Runs `sandesk words...`; returns the exit status. */
int cli_main(const char *const *words, size_t n);

/* Opens the TUI, or one session of it full screen (NULL: the whole). Refuses inside a session. */
int cli_open_tui(const char *attach_target, bool is_read_only);

/* The arguments with what the daemon wants to know of every caller: the directory and the locale.
 * Returns owned. */
json_t *cli_params(const struct cli_call *call);

/* One function for each COMMAND_LOCAL row; returns the exit status. */
typedef int cli_fn(struct cli_call *call);
#define X(id, ...) cli_fn cli_##id;
COMMANDS(X)
#undef X
