/* tree.h - Desktops and their sessions on the left.
 * Contract:  the selection is kept by id, so that it stays where it is when rows come and go above
 *            it. Every session shows its status as a sign and, where there is room, as a word.
 *            Keys: Up, Down, j, k, Home, End, PageUp, PageDown move; Left, Right, h, l, Space fold;
 *            Enter opens; Escape leaves.
 */
#pragma once

#include <stdbool.h>

#include "draw/surface.h"
#include "draw/theme.h"
#include "sandesk/key.h"
#include "view/model.h"

struct tree {
	char selected[ID_BYTES]; /* id of a Desktop or a session; "" before the first */
	int top;
	int page; /* rows of the last drawing */
};

struct tree_row {
	struct desktop *desktop;
	struct session *session; /* NULL: the Desktop's own row */
};

enum tree_wish { TREE_NOTHING, TREE_MOVED, TREE_OPEN, TREE_LEAVE, TREE_UNKNOWN };

/* The selected row; false when there are none. */
bool tree_selected(const struct tree *t, const struct model *m, struct tree_row *ret);
void tree_select(struct tree *t, const char *id);

enum tree_wish tree_key(struct tree *t, const struct model *m, struct key k);
/* row of the drawn area */
enum tree_wish tree_click(struct tree *t, const struct model *m, int row);

struct tree_look {
	const struct theme *theme;
	const char *current_desktop, *current_session; /* ids of what the panes show, or "" */
	bool has_focus;
};
void tree_draw(struct tree *t, const struct model *m, struct surface *s, struct area a,
	const struct tree_look *look);
