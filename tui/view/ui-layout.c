/* What a Desktop shows: its layout is kept by the daemon and comes back with the next client. */
#include <string.h>

#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "view/ui-inner.h"

static const char *
session_of_pane(int pane, void *arg)
{
	const struct ui *ui = arg;

	return ui->panes[pane] ? pane_session(ui->panes[pane]) : NULL;
}

void
ui_save_layout(struct ui *ui)
{
	const struct desktop *d = model_desktop(&ui->model, ui->desktop_id);
	json_t *layout;

	if (ui->config.attach_id || ui->config.is_read_only || ui->is_loading || !ui->rpc || !d)
		return;
	layout = json_pack("{s:i, s:o, s:s}", "version", 1, "root",
		layout_to_json(&ui->layout, session_of_pane, ui), "focus",
		ui_pane(ui) ? pane_session(ui_pane(ui)) : "");
	ui_call(ui, "layout.set", json_pack("{s:s, s:o}", "target", d->name, "layout", layout),
		NULL);
}

static int
pane_of_session(const char *session, void *arg)
{
	struct ui *ui = arg;
	const struct session *s = model_session(&ui->model, session);

	if (!s || strcmp(s->desktop_id, ui->desktop_id) != 0)
		return -1;
	return ui_make_pane(ui, s->id);
}

void
ui_show_something(struct ui *ui)
{
	const struct session *s = NULL, *best = NULL;

	for (size_t n = 0; (s = model_nth(&ui->model, ui->desktop_id, n)); n++)
		if (!best || (status_is_over(best->status) && !status_is_over(s->status)))
			best = s;
	if (best)
		ui_add_first(ui, best->id);
	else
		ui_place(ui);
}

void
ui_show_wanted(struct ui *ui)
{
	char id[ID_BYTES];

	if (!ui->wanted_session[0] || ui->is_loading ||
		!model_session(&ui->model, ui->wanted_session))
		return;
	memcpy(id, ui->wanted_session, sizeof id);
	ui->wanted_session[0] = 0;
	ui_show_session(ui, id);
}

/* Panes that the layout did not take: their node did not fit or stood there twice. */
static void
drop_strays(struct ui *ui)
{
	for (int i = 0; i < LAYOUT_PANES; i++)
		if (ui->panes[i] && !layout_has(&ui->layout, i))
			ui_drop_pane(ui, i);
}

static void
on_layout(json_t *result, const struct err *error, void *arg)
{
	struct ui *ui = arg;
	const json_t *layout = json_object_get(result, "layout");
	const char *focus = json_string_value(json_object_get(layout, "focus"));
	int pane;

	(void)error; /* a layout that is lost costs nothing but itself */
	if (ui->layouts_asked > 0)
		ui->layouts_asked--;
	if (ui->layouts_asked > 0 || !ui->is_loading)
		return; /* answers come in order: only the last one is about the Desktop that is shown */
	ui->is_loading = false;
	ui_drop_panes(ui);
	layout_from_json(&ui->layout, json_object_get(layout, "root"), pane_of_session, ui);
	drop_strays(ui);
	layout_place(&ui->layout, ui->main_area, &ui->spots);
	pane = focus ? ui_pane_showing(ui, focus) : -1;
	if (layout_is_empty(&ui->layout))
		ui_show_something(ui);
	else
		ui_set_focus(ui, pane >= 0 ? pane : layout_next(&ui->spots, -1, 1));
	ui_show_wanted(ui);
	ui_mark(ui);
}

void
ui_show_desktop(struct ui *ui, const char *id)
{
	const struct desktop *d = model_desktop(&ui->model, id);

	if (!d || strcmp(ui->desktop_id, id) == 0)
		return;
	ui_drop_panes(ui);
	str_copy(ui->desktop_id, sizeof ui->desktop_id, id);
	ui->is_loading = ui->rpc != NULL;
	if (ui->rpc) {
		ui->layouts_asked++;
		rpc_call(ui->rpc, "layout.get", json_pack("{s:s}", "target", d->name), on_layout,
			ui);
	}
	if (!ui->tree.selected[0])
		tree_select(&ui->tree, id);
	if (!ui->is_loading)
		ui_show_something(ui);
	ui_place(ui);
}

/* The Desktop that a person who stands in `cwd` means: the one with the closest directory above it;
 * else the first. */
void
ui_show_session(struct ui *ui, const char *id)
{
	const struct session *s = model_session(&ui->model, id);
	int pane = ui_pane_showing(ui, id);

	if (pane >= 0) {
		ui_set_focus(ui, pane);
	} else if (!s || strcmp(s->desktop_id, ui->desktop_id) != 0 || ui->is_loading) {
		memmove(ui->wanted_session, id, strlen(id) + 1);
		if (s)
			ui_show_desktop(ui, s->desktop_id);
	} else {
		ui_put_in_pane(ui, id);
	}
}
