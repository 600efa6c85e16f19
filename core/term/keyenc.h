/* keyenc.h - what a person does becomes the bytes that the program asked for.
 * Contract:  appends to `to`; nothing is appended for what the program's modes do not ask for (a
 *            mouse without a mouse mode, focus without ?1004). Mouse positions outside the screen
 *            are dropped. The kitty protocol, where its flags are set, goes before
 *            modifyOtherKeys, and that before the old forms. Pixels (?1016) are those of the
 *            middle of the cell. A wheel on the alternate screen of a program without a mouse is
 *            arrow keys (?1007).
 * Source:    xterm's ctlseqs, "PC-Style Function Keys", "Mouse Tracking", "Bracketed Paste Mode",
 *            "modified-keys"; kitty, "Comprehensive keyboard handling in terminals".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "sandesk/key.h"

struct buf;
struct term;

void term_encode_key(const struct term *t, struct key key, struct buf *to);
void term_encode_mouse(const struct term *t, struct mouse mouse, struct buf *to);
void term_encode_focus(const struct term *t, bool has_focus, struct buf *to);

/* Text that was pasted, made safe: control bytes but tab and newline are dropped, so it can neither
 * end its own brackets nor press a key; newlines become CR. */
void term_encode_paste(const struct term *t, const void *text, size_t len, struct buf *to);
