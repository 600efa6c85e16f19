#include "cli/safe.h"

#include <stdbool.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/utf8.h"

enum { ESC = 0x1b, BEL = 0x07, CAN = 0x18, SUB = 0x1a, DEL = 0x7f, OVERFULL = SAFE_SGR_BYTES };

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* Bytes that a UTF-8 character beginning with `first` has; 0 when none begins so (Unicode 15, table
 * 3-7). */
static unsigned
utf8_len(unsigned char first)
{
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef)
		return 3;
	return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

static bool
is_continuation(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* C1 controls as UTF-8: some terminals obey them. */
static void
c1(struct safe *s, uint32_t cp)
{
	s->sequence_len = 0;
	if (cp == 0x9b) {
		s->state = SAFE_CSI;
		s->sequence_len = OVERFULL; /* a colour is let through in its common form only */
	} else if (cp == 0x90 || cp == 0x98 || (cp >= 0x9d && cp <= 0x9f)) {
		s->state = SAFE_STRING;
	} else {
		s->state = SAFE_GROUND;
	}
}

/* Characters that make a terminal show text in another order than it stands in (Unicode, UAX 9). */
static bool
turns_text(uint32_t cp)
{
	return cp == 0x61c || cp == 0x200e || cp == 0x200f || (cp >= 0x202a && cp <= 0x202e) ||
	       (cp >= 0x2066 && cp <= 0x2069);
}

/* A whole character, or what turned out to be none. */
static void
character_done(struct safe *s, struct buf *to)
{
	uint32_t cp;

	if (utf8_decode(s->character, s->character_len, &cp) != s->character_len) {
		if (s->state == SAFE_GROUND)
			buf_add_str(to, replacement);
	} else if (cp < 0xa0) {
		/* in a string U+009C ends it; the others begin something new, as after CAN */
		c1(s, cp);
	} else if (s->state == SAFE_GROUND && turns_text(cp)) {
		buf_add_str(to, replacement);
	} else if (s->state == SAFE_GROUND) {
		buf_add(to, s->character, s->character_len);
	} else if (s->state != SAFE_STRING) {
		s->state = SAFE_GROUND;
	}
	s->character_len = 0;
}

static void
ground(struct safe *s, unsigned char c, struct buf *to)
{
	if (c == ESC) {
		s->state = SAFE_ESCAPE;
		s->sequence_len = 0;
	} else if (c == '\n' || c == '\r' || c == '\t' || c == '\b' || (c >= ' ' && c < DEL)) {
		buf_add_char(to, (char)c);
	}
}

static void
escape(struct safe *s, unsigned char c)
{
	if (c == '[')
		s->state = SAFE_CSI;
	else if (c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_')
		s->state = SAFE_STRING;
	else if (c >= '0' && c < DEL)
		s->state = SAFE_GROUND;
}

static void
csi(struct safe *s, unsigned char c, struct buf *to)
{
	if (c < '@') {
		bool is_sgr = (c >= '0' && c <= ';') && s->sequence_len < SAFE_SGR_BYTES;

		if (is_sgr)
			s->sequence[s->sequence_len++] = (char)c;
		else
			s->sequence_len = OVERFULL;
		return;
	}
	if (c == 'm' && s->sequence_len < OVERFULL) {
		buf_add_str(to, "\033[");
		buf_add(to, s->sequence, s->sequence_len);
		buf_add_char(to, 'm');
	}
	s->state = SAFE_GROUND;
}

/* One byte below 0x80. */
static void
ascii(struct safe *s, unsigned char c, struct buf *to)
{
	if (c == CAN || c == SUB) {
		s->state = SAFE_GROUND;
	} else if (c == ESC) {
		/* also the first half of ST: what follows a string is then the end of an escape
		 * sequence */
		s->state = SAFE_ESCAPE;
		s->sequence_len = 0;
	} else if (s->state == SAFE_STRING) {
		if (c == BEL)
			s->state = SAFE_GROUND;
	} else if (s->state == SAFE_GROUND || c < ' ') {
		ground(s, c, to); /* a terminal obeys C0 within a sequence */
	} else if (s->state == SAFE_ESCAPE) {
		escape(s, c);
	} else {
		csi(s, c, to);
	}
}

static void
feed_byte(struct safe *s, unsigned char c, struct buf *to)
{
	if (s->character_len) {
		if (is_continuation(c)) {
			s->character[s->character_len++] = (char)c;
			if (s->character_len == utf8_len((unsigned char)s->character[0]))
				character_done(s, to);
			return;
		}
		character_done(s, to);
	}
	if (c < 0x80) {
		ascii(s, c, to);
		return;
	}
	s->character[0] = (char)c;
	s->character_len = 1;
	if (!utf8_len(c))
		character_done(s, to);
}

void
safe_feed(struct safe *s, const char *bytes, size_t len, struct buf *to)
{
	size_t at = 0;

	while (at < len) {
		size_t run = at;

		/* most output is plain text: one addition for a run of it */
		while (s->state == SAFE_GROUND && !s->character_len && run < len &&
			bytes[run] >= ' ' && bytes[run] < DEL)
			run++;
		buf_add(to, bytes + at, run - at);
		at = run;
		if (at < len)
			feed_byte(s, (unsigned char)bytes[at++], to);
	}
}

void
safe_end(struct safe *s, struct buf *to)
{
	if (s->character_len)
		character_done(s, to);
	*s = (struct safe){ 0 };
}
