/* nouns.h - the first words of the command table, as titles above their commands.
 * Contract:  every command has exactly one row: that of its noun, or "" when it is one word.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct command;

struct noun {
	const char *word; /* "" for commands of one word */
	const char *title;
};

enum { NOUN_COUNT = 7 };

const struct noun *noun_at(size_t i);
bool noun_has(const struct noun *n, const struct command *c);
