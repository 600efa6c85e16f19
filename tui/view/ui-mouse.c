#include "sandesk/mirror.h"
#include "view/ui-inner.h"

enum { WHEEL_LINES = 3 };

static struct mouse
inside(struct mouse m, struct area a)
{
	int row = m.row - a.row, col = m.col - a.col;

	row = row < 0 ? 0 : row >= a.rows ? a.rows - 1 : row;
	col = col < 0 ? 0 : col >= a.cols ? a.cols - 1 : col;
	m.row = (uint16_t)row;
	m.col = (uint16_t)col;
	return m;
}

static bool
is_wheel(struct mouse m)
{
	return m.kind == MOUSE_WHEEL_UP || m.kind == MOUSE_WHEEL_DOWN;
}

/* The wheel over a program without a mouse: its history; arrow keys where there is none (less,
 * man). */
static void
wheel(struct ui *ui, struct pane *p, bool is_up)
{
	uint32_t modes = mirror_modes(pane_mirror(p));

	if (modes & MIRROR_ALTERNATE) {
		for (int i = 0; i < WHEEL_LINES; i++)
			pane_key(p, (struct key){ .code = is_up ? KEY_UP : KEY_DOWN });
		return;
	}
	if (!is_up && mirror_scroll(pane_mirror(p)) <= WHEEL_LINES)
		pane_scroll(p, 0);
	else
		pane_scroll(p, is_up ? WHEEL_LINES : -WHEEL_LINES);
	ui_expect_echo(ui);
}

static void
mouse_pane(struct ui *ui, int pane, struct mouse m)
{
	const struct layout_spot *spot = layout_spot(&ui->spots, pane);
	struct pane *p = ui->panes[pane];
	struct area a;

	if (!spot || !p)
		return;
	a = ui_content(ui, spot->area);
	if (a.rows < 1 || a.cols < 1)
		return;
	if (m.kind == MOUSE_PRESS) {
		ui_set_focus(ui, pane);
		ui->drag_pane = pane;
		if (!area_holds(a, m.row, m.col))
			return;
	}
	if (mirror_modes(pane_mirror(p)) & MIRROR_MOUSE && !ui->copying.is_on) {
		pane_mouse(p, inside(m, a));
		ui_expect_echo(ui);
	} else if (!ui_copy_mouse(ui, m, a) && is_wheel(m)) {
		wheel(ui, p, m.kind == MOUSE_WHEEL_UP);
	}
}

static void
mouse_tree(struct ui *ui, struct mouse m)
{
	if (m.kind == MOUSE_PRESS && m.button == 1) {
		ui->is_tree_focused = true;
		if (tree_click(&ui->tree, &ui->model, m.row - ui->tree_area.row) == TREE_OPEN) {
			struct tree_row r;

			if (tree_selected(&ui->tree, &ui->model, &r) && r.session)
				ui_open_row(ui);
			else if (tree_selected(&ui->tree, &ui->model, &r))
				ui_show_desktop(ui, r.desktop->id);
		}
	} else if (is_wheel(m)) {
		for (int i = 0; i < WHEEL_LINES; i++)
			tree_key(&ui->tree, &ui->model,
				(struct key){
					.code = m.kind == MOUSE_WHEEL_UP ? KEY_UP : KEY_DOWN });
	}
	ui_place(ui);
}

void
ui_mouse(struct ui *ui, struct mouse m)
{
	int pane = layout_at(&ui->spots, m.row, m.col);

	if (m.kind == MOUSE_PRESS) {
		ui->message[0] = 0;
		ui_mark(ui);
	}
	if (ui->mode == MODE_TEXT && is_wheel(m)) {
		for (int i = 0; i < WHEEL_LINES; i++)
			textview_key(&ui->text,
				(struct key){
					.code = m.kind == MOUSE_WHEEL_UP ? KEY_UP : KEY_DOWN });
		ui_mark(ui);
		return;
	}
	if (ui->mode == MODE_SCROLL && m.kind == MOUSE_PRESS && pane != ui->focus)
		ui_leave_modes(ui);
	if (ui->mode != MODE_NORMAL && ui->mode != MODE_SCROLL)
		return;
	if ((m.kind == MOUSE_DRAG || m.kind == MOUSE_RELEASE) && ui->drag_pane >= 0) {
		mouse_pane(ui, ui->drag_pane, m);
		if (m.kind == MOUSE_RELEASE)
			ui->drag_pane = -1;
	} else if (area_holds(ui->tree_area, m.row, m.col) && ui->tree_area.cols) {
		mouse_tree(ui, m);
	} else if (pane >= 0 && (m.kind != MOUSE_MOVE || pane == ui->focus)) {
		mouse_pane(ui, pane, m);
	}
}
