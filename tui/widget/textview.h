/* textview.h - lines of text that may be longer than the screen: help, listings.
 * Ownership: textview_set() copies. Lines that begin with '#' are headings.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "draw/surface.h"
#include "draw/theme.h"
#include "sandesk/key.h"

struct textview {
	char *title;
	char *text;
	int lines, top, page;
};

void textview_set(struct textview *v, const char *title, const char *text);
void textview_fini(struct textview *v);
bool textview_key(struct textview *v, struct key k); /* false: the view is to be closed */
void textview_draw(struct textview *v, struct surface *s, struct area a, const struct theme *t);
