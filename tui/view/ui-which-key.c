/* The pop-up of what can follow the prefix key. */
#include <stdio.h>
#include <string.h>

#include "sandesk/base/str.h"
#include "sandesk/base/utf8.h"
#include "view/ui-inner.h"

enum { WHICH_KEY_COLS = 5 }; /* the least room for the name of a key */

static struct style
look(const struct ui *ui, enum theme_role role)
{
	return ui->config.theme->role[role];
}

/* Groups stand side by side, a short one below another; what is too wide starts again below. */
struct which_key {
	struct area at[GROUP_COUNT];
	int rows;
};

static bool
is_in_group(const struct binding *b, int group)
{
	return (int)b->group == group && !b->is_hidden && b->command[0];
}

static int
key_cols(const struct binding *b)
{
	char name[KEY_NAME_BYTES];

	key_name(b->key, name);
	return strlen(name) > WHICH_KEY_COLS ? (int)strlen(name) : WHICH_KEY_COLS;
}

static void
measure_group(const struct keymap *k, int group, struct area *ret)
{
	const char *title = key_group_name((enum key_group)group);

	*ret = (struct area){ .rows = 1, .cols = 2 + (int)strlen(title) };
	for (size_t i = 0; i < k->n; i++) {
		const struct binding *b = &k->rows[i];
		int cols = 3 + key_cols(b) + (int)utf8_text_width(b->hint, strlen(b->hint));

		if (!is_in_group(b, group))
			continue;
		ret->rows++;
		ret->cols = cols > ret->cols ? cols : ret->cols;
	}
}

static void
place_groups(const struct keymap *k, int cols, struct which_key *w)
{
	int tallest = 0, top = 0, left = 0, row = 0, width = 0;

	for (int g = 0; g < GROUP_COUNT; g++) {
		measure_group(k, g, &w->at[g]);
		if (w->at[g].rows == 1)
			w->at[g] = (struct area){ 0 }; /* nothing of it */
		tallest = w->at[g].rows > tallest ? w->at[g].rows : tallest;
	}
	w->rows = 0;
	for (int g = 0; g < GROUP_COUNT; g++) {
		struct area *a = &w->at[g];

		if (!a->rows)
			continue;
		if (row && row + a->rows > tallest) {
			left += width;
			row = width = 0;
		}
		if (left && left + a->cols > cols) {
			top = w->rows + 1;
			left = row = width = 0;
		}
		a->row = top + row;
		a->col = left;
		row += a->rows + 1;
		width = a->cols > width ? a->cols : width;
		w->rows = top + row - 1 > w->rows ? top + row - 1 : w->rows;
	}
}

static void
draw_binding(
	const struct ui *ui, struct surface *s, struct area a, int row, const struct binding *b)
{
	char name[KEY_NAME_BYTES];

	key_name(b->key, name);
	surface_text(s, a, row, a.col + 1, look(ui, ROLE_POPUP_KEY), name);
	surface_text(s, a, row, a.col + 2 + key_cols(b), look(ui, ROLE_POPUP), b->hint);
}

static void
draw_group(const struct ui *ui, struct surface *s, const struct keymap *k, struct area a, int group)
{
	int row = a.row;

	surface_text(s, a, row++, a.col + 1, look(ui, ROLE_POPUP_TITLE),
		key_group_name((enum key_group)group));
	for (size_t i = 0; i < k->n; i++)
		if (is_in_group(&k->rows[i], group))
			draw_binding(ui, s, a, row++, &k->rows[i]);
}

/* What a low screen leaves out is one key away, which its last row says. */
static void
draw_where_the_rest_is(const struct ui *ui, struct surface *s, struct area a)
{
	const struct keymap *k = ui->config.keymap;
	struct binding all;

	for (size_t i = 0; i < k->n; i++)
		if (strcmp(k->rows[i].command, "keys") == 0) {
			all = k->rows[i];
			str_copy(all.hint, sizeof all.hint, "all keys");
			a = (struct area){ a.row + a.rows - 1, a.col, 1, a.cols };
			surface_fill(s, a, look(ui, ROLE_POPUP));
			draw_binding(ui, s, a, a.row, &all);
			return;
		}
}

/* Attached to one session there are no panes, no tree and no other session. */
static void
leave_out_what_means_nothing(const struct ui *ui, struct keymap *k)
{
	static const char *const of_all[] = { "pane split", "pane focus", "pane zoom", "pane next",
		"pane previous", "pane close", "tree ", "session new", "session need",
		"desktop new" };

	for (size_t i = 0; i < k->n && ui->config.attach_id; i++)
		for (size_t w = 0; w < ARRAY_LEN(of_all); w++)
			if (str_has_prefix(k->rows[i].command, of_all[w]))
				k->rows[i].is_hidden = true;
}

void
ui_draw_which_key(const struct ui *ui, struct surface *s)
{
	int bottom = ui->size.rows - !ui->config.attach_id;
	struct keymap k = *ui->config.keymap;
	struct which_key w;
	struct area a;

	leave_out_what_means_nothing(ui, &k);
	place_groups(&k, ui->size.cols, &w);
	a.rows = w.rows < bottom ? w.rows : bottom;
	a = (struct area){ bottom - a.rows, 0, a.rows, ui->size.cols };
	surface_fill(s, a, look(ui, ROLE_POPUP));
	for (int g = 0; g < GROUP_COUNT; g++) {
		w.at[g].row += a.row;
		if (w.at[g].rows && w.at[g].row < a.row + a.rows)
			draw_group(ui, s, &k, area_clip(w.at[g], a), g);
	}
	if (w.rows > a.rows)
		draw_where_the_rest_is(ui, s, a);
}
