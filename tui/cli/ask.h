/* ask.h - the question before a command that takes something away.
 * Contract:  asks only when standard input is a terminal; else the command wants --yes. Anything
 *            but "y" or "yes" is no.
 */
#pragma once

#include <jansson.h>

struct buf;
struct cli_call;
struct client;
struct command;
struct err;

/* Finds out what would be hit, asks, and puts `yes` and the full target into the arguments.
 * 0, -ECANCELED when the answer was no, else what failed (-EINVAL: no terminal and no --yes). */
int ask_confirm(struct cli_call *call, struct client *client, struct err *e);

/* The question itself: "Remove Desktop shop and stop its 2 sessions? [y/N] ". Pure. */
void ask_question(struct buf *to, const struct command *c, const json_t *object);
