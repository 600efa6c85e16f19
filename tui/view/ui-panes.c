/* Panes: where they stand, which has the focus, how they come and go. */
#include <errno.h>
#include <string.h>

#include "sandesk/base/err.h"
#include "view/ui-inner.h"

enum { TREE_COLS = 26 };

void
ui_drop_panes(struct ui *ui)
{
	ui_copy_forget(ui);
	for (int i = 0; i < LAYOUT_PANES; i++) {
		pane_free(ui->panes[i]);
		ui->panes[i] = NULL;
	}
	layout_init(&ui->layout);
	ui->focus = ui->drag_pane = -1;
	ui->is_zoomed = ui->is_emptied = false;
}

int
ui_pane_showing(const struct ui *ui, const char *session_id)
{
	for (int i = 0; i < LAYOUT_PANES; i++)
		if (ui->panes[i] && strcmp(pane_session(ui->panes[i]), session_id) == 0)
			return i;
	return -1;
}

bool
ui_is_shown(const struct ui *ui, const char *session_id)
{
	return ui_pane_showing(ui, session_id) >= 0;
}

bool
ui_has_titles(const struct ui *ui)
{
	return !ui->config.attach_id && layout_count(&ui->layout) > 1;
}

struct area
ui_content(const struct ui *ui, struct area spot)
{
	if (!ui_has_titles(ui) || spot.rows < 1)
		return spot;
	return (struct area){ spot.row + 1, spot.col, spot.rows - 1, spot.cols };
}

/* ---- places ---- */
static void
place_tree(struct ui *ui, struct area all)
{
	int cols = all.cols < TREE_MIN_WIDTH ? all.cols : TREE_COLS;
	bool is_shown = ui->model.desktops_n &&
			(all.cols < TREE_MIN_WIDTH ? ui->is_tree_focused : ui->is_tree_wanted);

	ui->tree_area = ui->main_area = all;
	ui->tree_area.cols = is_shown ? cols : 0;
	if (is_shown && cols < all.cols) {
		ui->main_area.col += cols + 1;
		ui->main_area.cols -= cols + 1;
	}
}

static void
mark_seen(struct ui *ui)
{
	for (size_t i = 0; i < ui->model.sessions_n; i++) {
		struct session *s = &ui->model.sessions[i];

		if (ui_is_shown(ui, s->id))
			s->notices_seen = s->notices;
	}
}

void
ui_place(struct ui *ui)
{
	bool has_bar = !ui->config.attach_id;
	struct area all = { 0, 0, ui->size.rows - has_bar, ui->size.cols };

	if (ui->size.rows < UI_MIN_ROWS || ui->size.cols < UI_MIN_COLS)
		return;
	ui->bar_area = (struct area){ ui->size.rows - 1, 0, 1, ui->size.cols };
	place_tree(ui, all);
	if (ui->is_zoomed && ui->focus >= 0)
		ui->spots = (struct layout_spots){ .at = { { ui->focus, ui->main_area } }, .n = 1 };
	else
		layout_place(&ui->layout, ui->main_area, &ui->spots);
	for (size_t i = 0; i < ui->spots.n; i++) {
		struct area a = ui_content(ui, ui->spots.at[i].area);

		if (a.rows > 0 && a.cols > 0 && ui->panes[ui->spots.at[i].pane])
			pane_set_size(ui->panes[ui->spots.at[i].pane],
				(struct size){ (uint16_t)a.rows, (uint16_t)a.cols });
	}
	mark_seen(ui);
	ui_mark(ui);
}

void
ui_resize(struct ui *ui, struct size size)
{
	ui->size = size;
	ui_place(ui);
	ui_mark(ui);
}

/* ---- panes ---- */
int
ui_make_pane(struct ui *ui, const char *session_id)
{
	for (int i = 0; i < LAYOUT_PANES; i++) {
		if (ui->panes[i])
			continue;
		ui->panes[i] = pane_new(&ui->pane_env, session_id);
		if (!pane_dial(ui->panes[i]) && ui_should_live(ui, ui->panes[i]))
			loop_timer_start(ui->redial, UI_REDIAL_MS);
		return i;
	}
	return -1;
}

void
ui_drop_pane(struct ui *ui, int pane)
{
	if (pane == ui->focus)
		ui_copy_forget(ui);
	pane_free(ui->panes[pane]);
	ui->panes[pane] = NULL;
}

void
ui_set_focus(struct ui *ui, int pane)
{
	struct pane *old = ui_pane(ui);

	ui->is_tree_focused = false;
	if (pane != ui->focus) {
		if (ui->mode == MODE_SCROLL)
			ui_leave_modes(ui);
		if (old && ui->has_outer_focus)
			pane_focus(old, false);
		ui->focus = pane;
		if (ui_pane(ui) && ui->has_outer_focus)
			pane_focus(ui_pane(ui), true);
	}
	if (ui_pane(ui))
		tree_select(&ui->tree, pane_session(ui_pane(ui)));
	ui_place(ui);
}

void
ui_add_first(struct ui *ui, const char *session_id)
{
	int pane = ui_make_pane(ui, session_id);

	if (pane < 0)
		return;
	layout_add_first(&ui->layout, pane);
	ui_set_focus(ui, pane);
}

void
ui_put_in_pane(struct ui *ui, const char *session_id)
{
	int pane = ui->focus;

	if (layout_is_empty(&ui->layout)) {
		ui_add_first(ui, session_id);
	} else if (pane >= 0 && strcmp(pane_session(ui->panes[pane]), session_id) != 0) {
		ui_drop_pane(ui, pane);
		ui->focus = -1;
		ui->panes[pane] = pane_new(&ui->pane_env, session_id);
		if (!pane_dial(ui->panes[pane]) && ui_should_live(ui, ui->panes[pane]))
			loop_timer_start(ui->redial, UI_REDIAL_MS);
		ui_set_focus(ui, pane);
	}
	ui_save_layout(ui);
}

int
ui_split(struct ui *ui, enum layout_kind kind, const char *session_id, struct err *e)
{
	int pane, r;

	if (ui->focus < 0) {
		ui_add_first(ui, session_id);
		ui_save_layout(ui);
		return 0;
	}
	pane = ui_make_pane(ui, session_id);
	if (pane < 0)
		return err_set(
			e, -ENOSPC, "split: there are %d panes already; close one", LAYOUT_PANES);
	ui->is_zoomed = false;
	r = layout_split(&ui->layout, ui->focus, kind, pane, ui->main_area, e);
	if (r < 0) {
		ui_drop_pane(ui, pane);
		return r;
	}
	ui_set_focus(ui, pane);
	ui_save_layout(ui);
	return 0;
}

void
ui_close_pane(struct ui *ui, int pane)
{
	int heir = layout_close(&ui->layout, pane);

	ui_drop_pane(ui, pane);
	if (ui->drag_pane == pane)
		ui->drag_pane = -1;
	if (pane == ui->focus) {
		ui->focus = -1;
		ui->is_zoomed = false;
		ui_set_focus(ui, heir);
	}
	if (heir < 0)
		ui->is_tree_focused = !ui->config.attach_id;
	ui_place(ui);
	ui_save_layout(ui);
}
