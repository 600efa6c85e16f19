/* help.h - what the command table says to a person and to a shell: help texts, the manual page,
 * completions.
 * Contract:  pure: appends text, and the same text every time, so that man/sandesk.1 and
 *            completions/ can be checked in and compared. What a row of the table does not say
 *            (prose) stands in core/cmd/help.c.
 * Errors:    -EINVAL and one line for words that name no command and for an unknown shell.
 */
#pragma once

#include <stddef.h>

struct buf;
struct command;
struct err;

/* All commands, one line each. */
void help_overview(struct buf *to);

/* One command: usage, what it does, its arguments. Answers --help. */
void help_command(const struct command *c, struct buf *to);

/* By words as a person types them: none gives the overview, a noun its commands, else one
 * command. */
int help_words(const char *const *words, size_t n, struct buf *to, struct err *e);

/* One line about one argument ("name" without dashes) of a command; NULL when it has no such
 * argument. */
const char *help_argument(const struct command *c, const char *name);

/* man/sandesk.1, as man(7) source. */
void help_man(struct buf *to);

/* "bash", "zsh" or "fish". */
int help_completion(const char *shell, struct buf *to, struct err *e);
