/* tell.h - what a program wants people to get beside its screen: notifications (OSC 9, 99, 777) and
 * text for the clipboard (OSC 52).
 * Contract:  at most one notification and one clipboard in TELL_MS each, the newest; the others are
 *            counted. Notifications go to everybody attached; the clipboard only to whoever acted
 *            last and may act, and to nobody when nobody is attached. What a clipboard holds is
 *            never told to a program.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sandesk/base/buf.h"
#include "term/term.h"

struct keeper;
struct loop_timer;

enum { TELL_MS = 1000 };

struct tell {
	struct loop_timer *notice_timer, *clipboard_timer; /* run while nothing may be told */
	bool has_notice, has_clipboard;
	char notice[TERM_EVENT_TEXT]; /* the newest */
	char told[TERM_EVENT_TEXT];   /* the last that was told */
	uint64_t notices;	      /* told so far */
	uint64_t dropped;	      /* since the last one that was told */
	struct buf clipboard;
	char which[TERM_EVENT_ID];
};

void tell_init(struct keeper *k);
void tell_fini(struct keeper *k);
void tell_event(struct keeper *k, const struct term_event *event); /* NOTIFY or CLIPBOARD */
void tell_turn(struct keeper *k);
