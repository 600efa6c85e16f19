/* listing.h - how the result of a command is printed.
 * Contract:  pure. With is_json the result as it came: one document, two blanks of indentation,
 *            ASCII.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

struct buf;
struct command;

/* Appends what a person or a program is to read; nothing for commands that succeed silently. */
void listing_add(
	struct buf *to, const struct command *c, const json_t *result, bool is_json, double now);

/* Text with colours and styles (SGR), as `capture --ansi` gives it; other sequences are dropped. */
void listing_add_styled(struct buf *to, const char *text);

/* What to say to a person when there is nothing to list; NULL when that needs no words. */
const char *listing_hint(const struct command *c, const json_t *result);
