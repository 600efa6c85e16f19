/* args.h - words to a checked command: argv of the CLI, text of the palette and of key bindings.
 * Contract:  one parser for all. The result is a command and a JSON object of its arguments: flags
 *            as true, durations in milliseconds, sizes as "ROWSxCOLS", argv and repeated ones as
 *            arrays of texts, paths made absolute against `cwd`.
 * Errors:    -EINVAL and one line: what is wrong and what would be right. Wrong usage is exit
 *            status 2.
 */
#pragma once

#include <jansson.h>

#include "sandesk/commands.h"

struct buf;
struct err;

/* Parses words[0..n): `noun verb ...` or a short form. `*ret_args` is owned by the caller. `--help`
 * anywhere before `--` gives the command with *ret_args NULL. */
int args_parse(const char *const *words, size_t n, const char *cwd, const struct command **ret,
	json_t **ret_args, struct err *e);

/* Splits a line as a shell does: blanks, '...', "...", backslash. A NULL-terminated array, one
 * mem_free(). */
int args_split(const char *line, char ***ret, size_t *ret_n, struct err *e);

/* Checks arguments that came as JSON (RPC) against the table, by the same rules. */
int args_check(const struct command *c, json_t *args, struct err *e);

/* "session start DESKTOP [--name NAME] [-- CMD ...]" */
void args_usage(const struct command *c, struct buf *to);

/* One argument as a usage line writes it, without brackets: "--name NAME", "TEXT", "-- CMD ...". */
void args_label(const struct command *c, const struct arg_spec *s, struct buf *to);
