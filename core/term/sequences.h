/* sequences.h - what CSI, DCS and OSC sequences do, for the tables that choose among them.
 * Contract:  each takes the terminal and the parser whose parameters it reads. Answers hold our own
 *            numbers and names; of what was asked only numbers, and text of a harmless alphabet, come
 *            back.
 * Source:    xterm's ctlseqs; DEC STD 070; VT420 and VT510 manuals; kitty's keyboard protocol.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct parser;
struct term;

typedef void csi_fn(struct term *t, const struct parser *p);

/* rect.c */
csi_fn rect_fill, rect_erase, rect_erase_selective, rect_copy, rect_change, rect_reverse,
	rect_checksum, rect_extent, rect_checksum_bits, columns_insert, columns_delete,
	columns_scroll_left, columns_scroll_right;
void columns_back(struct term *t);    /* DECBI */
void columns_forward(struct term *t); /* DECFI */

/* report.c */
csi_fn report_attributes, report_attributes2, report_attributes3, report_version, report_parameters,
	report_status, report_status_private, report_window, report_presentation;

/* keyboard.c */
csi_fn keyboard_push, keyboard_pop, keyboard_set, keyboard_query, keyboard_modify,
	keyboard_modify_off, keyboard_modify_query;

/* colour.c: the text of an OSC behind its number; it is cut up. */
void colour_palette(struct term *t, char *text);
void colour_palette_reset(struct term *t, char *text);
void colour_dynamic(struct term *t, unsigned first, char *text);
void colour_dynamic_reset(struct term *t, unsigned which);
/* 0xRRGGBB of one of the 256, or of text (0), background (1) and cursor (2), as a program was told. */
uint32_t colour_now(struct term *t, unsigned i, bool is_dynamic);

/* notify.c */
void notify_plain(struct term *t, char *text);	/* OSC 9 */
void notify_kitty(struct term *t, char *text);	/* OSC 99 */
void notify_rxvt(struct term *t, char *text);	/* OSC 777 */
void notify_status(struct term *t, char *text); /* OSC 7501 */
void notify_reset(struct term *t);		/* a program's reset: its status is void */

/* clipboard.c */
/* Decodes base64, padded or not, in place of `to` (room for 3/4 of len). Bytes, or -1. */
long base64_decode(char *to, const char *text, size_t len);
void clipboard_write(struct term *t, char *text); /* OSC 52 */

/* osc.c: the next field up to `stop`; moves *text behind it. */
char *osc_field(char **text, char stop);
int osc_number(const char *text); /* -1 when it is none */
