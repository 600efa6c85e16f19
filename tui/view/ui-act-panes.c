/* What can be done to panes. */
#include "sandesk/base/err.h"
#include "sandesk/base/str.h"
#include "sandesk/mirror.h"
#include "view/ui-acts.h"

static const char *const way_names[] = { "left", "down", "up", "right" };

static void
on_started_split(json_t *result, const struct err *error, void *arg)
{
	struct ui *ui = arg;
	const char *id = json_string_value(json_object_get(result, "id"));
	struct err e = { 0 };

	if (error) {
		ui_error(ui, error->msg);
		return;
	}
	if (!id || ui_is_shown(ui, id))
		return;
	model_notify(&ui->model, "session.changed", result);
	if (ui_split(ui, ui->split_kind, id, &e) < 0)
		ui_error(ui, e.msg);
}
static const struct session *
hidden_session(const struct ui *ui)
{
	const struct session *s;

	for (size_t n = 0; (s = model_nth(&ui->model, ui->desktop_id, n)); n++)
		if (!ui_is_shown(ui, s->id) && !status_is_over(s->status))
			return s;
	return NULL;
}

void
act_pane_split(struct ui *ui, const char *arg)
{
	const struct desktop *d = model_desktop(&ui->model, ui->desktop_id);
	const struct session *s = hidden_session(ui);
	struct err e = { 0 };

	if (!d || ui->config.attach_id) {
		ui_error(ui, d ? "attached to one session: there are no panes to split"
			       : "make a Desktop first: prefix N");
		return;
	}
	if (s) {
		if (ui_split(ui, arg[0] == 'd' ? LAYOUT_STACK : LAYOUT_SIDE, s->id, &e) < 0)
			ui_error(ui, e.msg);
		return;
	}
	if (!ui_may_change(ui))
		return;
	ui->split_kind = arg[0] == 'd' ? LAYOUT_STACK : LAYOUT_SIDE;
	ui_call(ui, "session.start", ui_start_params(ui, d), on_started_split);
}

void
act_pane_focus(struct ui *ui, const char *arg)
{
	int to = -1;

	if (ui->is_zoomed) {
		ui->is_zoomed = false;
		ui_place(ui);
	}
	if (str_equal(arg, "next") || str_equal(arg, "previous"))
		to = layout_next(&ui->spots, ui->focus, str_equal(arg, "next") ? 1 : -1);
	for (size_t i = 0; i < ARRAY_LEN(way_names); i++)
		if (str_equal(arg, way_names[i]))
			to = layout_towards(&ui->spots, ui->focus, (enum layout_way)i);
	if (ui->is_tree_focused && ui->focus >= 0) {
		ui_set_focus(ui, ui->focus);
		return;
	}
	if (to >= 0)
		ui_set_focus(ui, to);
	else if (str_equal(arg, "left") && ui->tree_area.cols)
		ui->is_tree_focused = true;
	ui_place(ui);
}

void
act_pane_zoom(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->focus >= 0 && layout_count(&ui->layout) > 1)
		ui->is_zoomed = !ui->is_zoomed;
	ui_place(ui);
}

void
act_pane_close(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->config.attach_id) {
		ui->wants_quit = true;
		return;
	}
	if (ui->focus < 0)
		return;
	ui->is_emptied = layout_count(&ui->layout) == 1;
	ui_close_pane(ui, ui->focus);
}

void
act_pane_scroll(struct ui *ui, const char *arg)
{
	struct pane *p = ui_pane(ui);

	(void)arg;
	if (!p)
		return;
	ui_copy_begin(ui, mirror_size(pane_mirror(p)).rows - 1);
}

void
act_pane_copy(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui_pane(ui))
		ui_copy_begin(ui, 0);
}

static void
turn_pane(struct ui *ui, int step)
{
	const struct session *s, *now = ui_session(ui);
	size_t n = 0, at = 0;

	for (; (s = model_nth(&ui->model, ui->desktop_id, n)); n++)
		if (s == now)
			at = n;
	if (!n)
		return;
	for (size_t i = 1; i <= n; i++) {
		s = model_nth(&ui->model, ui->desktop_id, (at + n + (step > 0 ? i : n - i)) % n);
		if (!ui_is_shown(ui, s->id)) {
			ui_put_in_pane(ui, s->id);
			return;
		}
	}
	ui_message(ui, "every session of this Desktop is shown already");
}

void
act_pane_next(struct ui *ui, const char *arg)
{
	(void)arg;
	turn_pane(ui, 1);
}

void
act_pane_previous(struct ui *ui, const char *arg)
{
	(void)arg;
	turn_pane(ui, -1);
}
