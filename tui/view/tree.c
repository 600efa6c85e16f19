#include "view/tree.h"

#include <stdio.h>
#include <string.h>

#include "sandesk/base/str.h"
#include "sandesk/base/utf8.h"

/* Row number n of what is unfolded; false behind the last. */
static bool
row_at(const struct model *m, int n, struct tree_row *ret)
{
	for (size_t d = 0; n >= 0 && d < m->desktops_n; d++) {
		struct session *s;

		if (n-- == 0) {
			*ret = (struct tree_row){ &m->desktops[d], NULL };
			return true;
		}
		for (size_t i = 0;
			!m->desktops[d].is_folded && (s = model_nth(m, m->desktops[d].id, i)); i++)
			if (n-- == 0) {
				*ret = (struct tree_row){ &m->desktops[d], s };
				return true;
			}
	}
	return false;
}

static const char *
row_id(const struct tree_row *r)
{
	return r->session ? r->session->id : r->desktop->id;
}

/* Number of the selected row; the first when what was selected is gone. */
static int
selected_at(const struct tree *t, const struct model *m, int *ret_rows)
{
	struct tree_row r;
	int n = 0, at = 0;

	for (; row_at(m, n, &r); n++)
		if (strcmp(row_id(&r), t->selected) == 0)
			at = n;
	if (ret_rows)
		*ret_rows = n;
	return at;
}

bool
tree_selected(const struct tree *t, const struct model *m, struct tree_row *ret)
{
	return row_at(m, selected_at(t, m, NULL), ret);
}

void
tree_select(struct tree *t, const char *id)
{
	str_copy(t->selected, sizeof t->selected, id);
}

static enum tree_wish
move_to(struct tree *t, const struct model *m, int n)
{
	struct tree_row r;
	int rows;

	selected_at(t, m, &rows);
	n = n >= rows ? rows - 1 : n < 0 ? 0 : n;
	if (row_at(m, n, &r))
		tree_select(t, row_id(&r));
	return TREE_MOVED;
}

static enum tree_wish
fold(struct tree *t, const struct tree_row *r, bool is_folded)
{
	if (r->session && !is_folded)
		return TREE_NOTHING;
	r->desktop->is_folded = is_folded && !r->session;
	tree_select(t, r->desktop->id);
	return TREE_MOVED;
}

enum tree_wish
tree_key(struct tree *t, const struct model *m, struct key k)
{
	int rows, at = selected_at(t, m, &rows), page = t->page > 1 ? t->page - 1 : 1;
	struct tree_row r;

	if (k.code == KEY_ESCAPE || k.code == 'q' || k.code == KEY_TAB)
		return TREE_LEAVE;
	if (k.mods || !row_at(m, at, &r))
		return TREE_UNKNOWN;
	switch (k.code) {
	case KEY_UP:
	case 'k':
		return move_to(t, m, at - 1);
	case KEY_DOWN:
	case 'j':
		return move_to(t, m, at + 1);
	case KEY_PAGE_UP:
		return move_to(t, m, at - page);
	case KEY_PAGE_DOWN:
		return move_to(t, m, at + page);
	case KEY_HOME:
		return move_to(t, m, 0);
	case KEY_END:
		return move_to(t, m, rows - 1);
	case KEY_LEFT:
	case 'h':
		return fold(t, &r, true);
	case KEY_RIGHT:
	case 'l':
		return fold(t, &r, false);
	case ' ':
		return fold(t, &r, !r.desktop->is_folded);
	case KEY_ENTER:
	case KEY_KP_ENTER:
		return TREE_OPEN;
	}
	return TREE_UNKNOWN;
}

enum tree_wish
tree_click(struct tree *t, const struct model *m, int row)
{
	struct tree_row r;
	bool was_selected;

	if (!row_at(m, t->top + row, &r))
		return TREE_NOTHING;
	was_selected = strcmp(row_id(&r), t->selected) == 0;
	tree_select(t, row_id(&r));
	if (!r.session && was_selected)
		r.desktop->is_folded = !r.desktop->is_folded;
	return TREE_OPEN;
}

/* A word or two as far as there is room beside the status. Returns the column behind it. */
static int
draw_note(const char *text, struct surface *s, struct area a, int col, int kept, struct style style)
{
	if (!text[0] || col + (int)strlen(text) > a.col + a.cols - kept)
		return col - 1;
	return surface_text(s, a, a.row, col, style, text);
}

/* What a person should know of it beside its status: the first budget that is near ("memory 83%"), else a wall that is missing. */
static void
note_of(const struct session *s, char *to, size_t size)
{
	const char *of = s->limits ? strstr(s->limits, " of ") : NULL;

	to[0] = 0;
	if (of)
		snprintf(to, size, "%.*s", (int)(of - s->limits), s->limits);
	else if (s->walls_missing)
		snprintf(
			to, size, "-%zu wall%s", s->walls_missing, s->walls_missing > 1 ? "s" : "");
}

static void
draw_row(const struct tree_row *r, struct surface *s, struct area a, const struct tree_look *look,
	struct style style)
{
	const struct theme *t = look->theme;
	struct style sign = style;
	char text[NAME_BYTES + 8], note[40];
	int end;

	if (!r->session) {
		bool is_current = strcmp(r->desktop->id, look->current_desktop) == 0;

		if (!style.bg && !(style.attr & ATTR_REVERSE))
			style.attr |= t->role[ROLE_DESKTOP].attr;
		surface_hline(
			s, a, a.row, a.col, 1, style, r->desktop->is_folded ? 0x25b8 : 0x25be);
		snprintf(text, sizeof text, "%s%s", r->desktop->name, is_current ? " <" : "");
		surface_text(s, a, a.row, a.col + 2, style, text);
		return;
	}
	if (!style.bg && !(style.attr & ATTR_REVERSE))
		sign = t->role[theme_status_role(r->session->status)];
	snprintf(text, sizeof text, "%c", theme_status_sign(r->session->status));
	surface_text(s, a, a.row, a.col + 2, sign, text);
	if (r->session->walls_missing) /* seen also where there is no room for words; `session show` names them */
		surface_text(s, a, a.row, a.col + 3, sign, "-");
	end = surface_text(s, a, a.row, a.col + 4, style, r->session->name);
	if (strcmp(r->session->id, look->current_session) == 0)
		end = surface_text(s, a, a.row, end, style, " <");
	if (r->session->need)
		end = surface_text(
			s, a, a.row, end, sign, r->session->need == NEEDS_ANSWER ? " ??" : " ?");
	if (r->session->notices > r->session->notices_seen)
		end = surface_text(s, a, a.row, end, style, " !");
	snprintf(text, sizeof text, "%s", status_name(r->session->status));
	note_of(r->session, note, sizeof note);
	end = draw_note(note, s, a, end + 1, (int)strlen(text) + 2, sign);
	if (end + 1 + (int)strlen(text) < a.col + a.cols)
		surface_text(s, a, a.row, a.col + a.cols - 1 - (int)strlen(text), sign, text);
}

void
tree_draw(struct tree *t, const struct model *m, struct surface *s, struct area a,
	const struct tree_look *look)
{
	int rows, at = selected_at(t, m, &rows);
	struct tree_row r;

	t->page = a.rows;
	if (at < t->top)
		t->top = at;
	if (at >= t->top + a.rows)
		t->top = at - a.rows + 1;
	if (t->top > 0 && t->top + a.rows > rows)
		t->top = rows > a.rows ? rows - a.rows : 0;
	surface_fill(s, a, look->theme->role[ROLE_TEXT]);
	for (int i = 0; i < a.rows && row_at(m, t->top + i, &r); i++) {
		struct area line = { a.row + i, a.col, 1, a.cols };
		bool is_selected = t->top + i == at && (look->has_focus || t->selected[0]);
		struct style style = look->theme->role[!is_selected	 ? ROLE_TEXT
						       : look->has_focus ? ROLE_SELECTED_FOCUS
									 : ROLE_SELECTED];

		surface_fill(s, line, style);
		draw_row(&r, s, line, look, style);
		if (is_selected && look->has_focus)
			s->cursor = (struct surface_cursor){ .is_visible = true,
				.row = (uint16_t)line.row,
				.col = (uint16_t)a.col };
	}
}
