/* marks.h - which commands ran in a terminal, where their output stands, how they ended.
 * Contract:  made from the shell's own marks: OSC 133 A (a prompt begins), B (it ends, the command
 *            line begins), C (the command runs), D (it ended, with its exit status); OSC 7 gives the
 *            directory. At most MARKS_MAX; the oldest go. Marks on the alternate screen are
 *            ignored. A command whose lines were overwritten (the screen was cleared) stays in the
 *            list, and is_lost says that its output cannot be had.
 * Time:      the owner's: term_set_time() before bytes are fed. Microseconds since the epoch.
 * Ownership: a mark is borrowed until the terminal is fed or resized. Texts are UTF-8 without
 *            control characters.
 * Source:    "Semantic prompts" (FinalTerm, later iTerm2, kitty and others).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "term/term.h"

enum { MARKS_MAX = 512, MARK_TEXT_BYTES = 1024 };

enum mark_state { MARK_PROMPT, MARK_COMMAND, MARK_RUNNING, MARK_DONE };

struct mark_place {
	uint64_t line;
	uint32_t col;
};

struct mark {
	uint64_t number; /* from 1; never used twice */
	enum mark_state state;
	struct mark_place prompt, command, output, end;
	uint64_t started_us, ended_us;
	int status; /* -1: the shell did not say */
	bool is_lost;
	char *text; /* the command line; "" when the shell did not mark it */
	char *cwd;
};

struct marks {
	struct mark *ring; /* MARKS_MAX, made with the first mark */
	unsigned head, count;
	uint64_t last_number;
	uint64_t now_us;
};

void term_set_time(struct term *t, uint64_t now_us);

/* Commands that ran or run, the oldest first. */
size_t term_commands(const struct term *t);
const struct mark *term_command(const struct term *t, size_t i);

/* The lines [from, stop) of what a command printed, or has printed yet. -ENOENT when they are gone. */
int term_command_lines(
	struct term *t, const struct mark *m, uint64_t *ret_from, uint64_t *ret_stop);

/* Appends what a command printed, rows as term_text() makes them. -ENOENT when its lines are
 * gone. */
int term_command_output(
	struct term *t, const struct mark *m, struct buf *to, enum term_text_flags flags);

/* ---- for the core ---- */

void marks_event(struct term *t, enum term_event_kind kind, int status);
void marks_fini(struct marks *m);

/* Lines from `lowest` on have moved: line lowest + i is at[i] now. */
void marks_move(
	struct marks *m, uint64_t lowest, const struct mark_place *at, size_t count, unsigned cols);
