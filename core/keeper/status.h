/* status.h - what a session is doing, decided from what is known of it: one table, no guesses.
 * Contract:  pure. The rows of status_rows[] are asked in order and the first that knows decides;
 *            status_explain() says what each of them says. What a program itself reports (OSC 7501)
 *            comes before what its shell marks (OSC 133), progress (OSC 9;4), the title, the bell,
 *            and at last that it runs. A session that has ended is what its end made of it.
 * Need:      NEED_ASKS: a person is to answer; NEED_DONE: something is finished or has stopped, and
 *            may be looked at; NEED_NOTHING. Both end when a person types into the session.
 * Source:    Program Status Protocol 0.3 (OSC 7501): urgency blocked, error, working, done, idle; a new
 *            prompt (133;A) drops what is not done or error.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandesk/types.h"
#include "term/term.h"

enum { STATUS_RECORDS = 16, STATUS_WHY_BYTES = 160, STATUS_LONG_US = 10 * 1000000 };

enum need { NEED_NOTHING, NEED_DONE, NEED_ASKS };

/* What one program in the session said of itself. */
struct status_record {
	char id[TERM_EVENT_ID];
	enum term_status state;
	enum term_blocked blocked;
	int progress;
	char text[96];
	bool is_seen; /* a person typed since */
};

struct status_facts {
	bool is_over, is_starting, is_paused;
	enum status ended;
	struct status_record records[STATUS_RECORDS]; /* newest first */
	unsigned records_n;
	bool has_command, is_running; /* the shell marks its commands; one runs */
	int last_exit;		      /* of the command that ended last; -1: not said */
	uint64_t began_us, last_us;   /* when it began, how long it ran */
	bool is_last_seen;
	int progress; /* as TERM_EVENT_PROGRESS */
	char title[96];
	bool is_title_seen, has_bell;
};

struct status_verdict {
	enum status status;
	enum need need;
	char why[STATUS_WHY_BYTES]; /* the fact and what it says */
};

void status_init(struct status_facts *f);
void status_event(struct status_facts *f, const struct term_event *e, uint64_t now_us);
void status_typed(struct status_facts *f); /* a person acted: what asked for one is answered */
void status_decide(const struct status_facts *f, struct status_verdict *ret);

struct buf;
/* [{"fact", "says", "status", "need", "decides"}], in the order in which they are asked. */
void status_explain(const struct status_facts *f, struct buf *to);
const char *need_name(enum need n);
