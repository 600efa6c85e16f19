/* command-words.h - the short words of the flag column of the command table.
 * Contract:  for the files that expand COMMANDS() only: the words are too short to be met anywhere
 *            else. */
#pragma once

#include "sandesk/commands.h"

enum {
	MUTATES = COMMAND_MUTATES,
	SLOW = COMMAND_SLOW,
	ASKS = COMMAND_ASKS,
	LISTS = COMMAND_LISTS,
	LOCAL = COMMAND_LOCAL,
};

/* The column may be empty. */
#define FLAGS(...) (0 __VA_OPT__(| (__VA_ARGS__)))
