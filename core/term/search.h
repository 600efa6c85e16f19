/* search.h - finding text in history and on the screen, over wrapped lines.
 * Contract:  lines that ran on are one text; a line of more than SEARCH_LINES lines is searched in
 *            pieces of so many. Hits do not overlap and are never empty. One call looks at no more
 *            than `most_lines` lines (SEARCH_LINES more at a time), so that an owner with other
 *            things to do can go on later: `from` says where. Ids stay good while history grows;
 *            after a resize begin again.
 * Case:      any_case folds ASCII; a matcher has its own idea.
 * Purity:    regular expressions are the owner's: `match` looks for one in a text.
 * Errors:    what the matcher returned; -EINVAL for an empty or overlong text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct term;

enum { SEARCH_TEXT_BYTES = 1024, SEARCH_LINES = 4096 };

struct search_place {
	uint64_t line;
	uint32_t col;
};

struct search_hit {
	struct search_place at, end; /* end: behind the last cell */
	uint32_t cells;
};

/* Looks for the first match that begins at byte `from` of the text or behind it: 1 and its bytes,
 * 0, or a negative errno. */
typedef int search_match_fn(const char *text, size_t len, size_t from, size_t *ret_start,
	size_t *ret_end, void *arg);

struct search {
	const char *text; /* borrowed; without a matcher */
	size_t len;
	bool any_case;
	search_match_fn *match;
	void *arg;
	bool is_backwards;
	/* forwards: hits that begin here or behind it; backwards: hits that begin before it, the
	 * last first. Moved on by each call, behind or before the last hit given. */
	struct search_place from;
	uint64_t most_lines; /* 0: all */
	bool is_done;	     /* there is nothing more */
};

/* Case is ignored unless the text has a capital letter (ASCII). is_regex: letters behind a
 * backslash do not count. */
bool search_any_case(const char *text, size_t len, bool is_regex);

/* Behind the last line: where a search backwards begins. */
struct search_place search_end(const struct term *t);

/* Up to `room` hits. Returns their number or a negative errno. */
int term_search(struct term *t, struct search *s, struct search_hit *to, size_t room);

/* Appends the whole line that a place stands in, joined, without blanks at its end. */
void search_line(struct term *t, uint64_t line, struct buf *to);
