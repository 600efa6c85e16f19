/* find.h - `search` requests: text in history and on the screen, a portion of lines each turn.
 * Contract:  a search never holds the session up for longer than FIND_LINES lines take. Answered
 *            once, by `captured` with JSON (messages.h) or by `error`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct keeper;
struct msg_search;
struct viewer;

enum { FIND_LINES = 20000, FIND_HITS = 1000, FIND_HITS_MAX = 100000, FIND_LINE_BYTES = 1024 };

void find_begin(struct viewer *v, const struct msg_search *m);
void find_cancel(struct viewer *v, uint64_t request);
void find_forget_viewer(struct viewer *v);
