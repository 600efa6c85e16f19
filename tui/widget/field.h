/* field.h - one line of text that a person edits.
 * Contract:  holds valid UTF-8 without control characters, at most FIELD_BYTES - 1 bytes; more is
 *            not taken. Keys: Left, Right, Home, End, C-a, C-e, C-b, C-f, Backspace, Delete, C-d,
 *            C-h, C-w (word), C-u (to the start), C-k (to the end).
 * Units:     `at` is a byte offset at the start of a character.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "draw/surface.h"
#include "sandesk/key.h"

enum { FIELD_BYTES = 1024 };

struct field {
	char text[FIELD_BYTES];
	size_t len, at;
};

void field_set(struct field *f, const char *text);
bool field_key(struct field *f, struct key k); /* false: the key means nothing here */
void field_insert(struct field *f, const char *text, size_t len);

/* Draws the part around the cursor into one row and puts the cursor there. */
void field_draw(const struct field *f, struct surface *s, struct area a, struct style style);
