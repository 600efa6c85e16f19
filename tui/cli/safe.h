/* safe.h - what a sandbox prints, made safe for the terminal of the person who runs it.
 * Contract:  passes text (valid UTF-8), \n \r \t \b and colours (SGR: ESC [ digits ; : m); drops
 *            every other control character and sequence whole; a byte that is no UTF-8 becomes
 *            U+FFFD. Any split of the bytes gives the same. A sequence that never ends is dropped
 *            with all that follows it, up to what ends it on a terminal.
 *
 *            GROUND --ESC--> ESCAPE --[--> CSI ----final----> GROUND     (kept when it is SGR and short)
 *                              | ] P X ^ _ -> STRING --BEL, ST, CAN, SUB--> GROUND
 *                              | others ----> GROUND (ESC SP..'/' stay in ESCAPE until the final byte)
 * Source:    ECMA-48 sections 5.3-5.6 (forms of sequences), 8.3.117 (SGR).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct buf;

enum { SAFE_SGR_BYTES = 96 };

struct safe { /* zeroed at first */
	enum { SAFE_GROUND, SAFE_ESCAPE, SAFE_CSI, SAFE_STRING } state;
	char sequence[SAFE_SGR_BYTES]; /* parameters of a CSI, while they may be those of SGR */
	size_t sequence_len;
	char character[4]; /* of a UTF-8 character that is not complete */
	uint8_t character_len;
};

void safe_feed(struct safe *s, const char *bytes, size_t len, struct buf *to);

/* The end of the output: what is not complete is dropped or replaced. */
void safe_end(struct safe *s, struct buf *to);
