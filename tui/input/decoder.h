/* decoder.h - bytes of the outer terminal to keys, mouse, paste, focus and replies.
 * Contract:  stateful: any split of the bytes gives the same events, but for a lone ESC, which may
 *            begin a sequence: when decoder_waits() says so, the owner calls decoder_expire() after
 *            DECODER_ESCAPE_MS without a byte, and it becomes the Escape key (Alt with a bracket
 *            when the sequence had got no further than that). Replies that nobody asked for are
 *            dropped, as is everything that makes no sense. Pastes over PASTE_BYTES are cut there
 *            and say so.
 *
 *      ground --ESC--> escape --[--> csi --final--> ground      ESC [ M: three bytes of an X10 mouse event
 *         |               |---O--> ss3 --any--> ground          ESC [ [: one more, linux console
 *         |               |---] P _ ^ X--> string --ST, BEL--> ground      (only while replies are expected)
 *         |               '---any--> Alt and that key           CSI 200~ --> paste --CSI 201~--> ground
 *         '--text, control--> key
 *
 * Ownership: what an event points to is borrowed until the callback returns.
 * Source:    xterm ctlseqs, "Mouse Tracking", "PC-Style Function Keys"; kitty keyboard protocol;
 *            console_codes(4)
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandesk/base/buf.h"
#include "sandesk/key.h"

enum { DECODER_ESCAPE_MS = 25, DECODER_PASTE_MS = 5000, PASTE_BYTES = 12 << 20 };

enum event_kind { EVENT_KEY, EVENT_MOUSE, EVENT_PASTE, EVENT_FOCUS, EVENT_REPLY, EVENT_STRING };

struct reply {
	char prefix;	   /* '?', '>', or 0 */
	char intermediate; /* '$', or 0 */
	char final;
	uint16_t params[8];
	unsigned n;
};

struct event {
	enum event_kind kind;
	union {
		struct key key;
		struct mouse mouse;
		struct {
			const char *data;
			size_t len;
			bool is_cut;
		} paste;
		bool has_focus;
		struct reply reply;
		struct {
			char introducer; /* ']' OSC, 'P' DCS, '_' APC, '^' PM, 'X' SOS */
			const char *text; /* NUL-terminated */
			size_t len;
		} string;
	};
};

typedef void decoder_fn(const struct event *e, void *arg);

struct decoder;

struct decoder *decoder_new(decoder_fn *fn, void *arg);
void decoder_free(struct decoder *d);
void decoder_feed(struct decoder *d, const void *bytes, size_t len);

/* Milliseconds of silence after which decoder_expire() is to be called; 0: nothing is pending. */
int decoder_waits(const struct decoder *d);
void decoder_expire(struct decoder *d);

/* Strings (OSC, DCS) are read as replies only while some are expected; else Alt-] is a key. */
void decoder_expect_strings(struct decoder *d, bool on);
