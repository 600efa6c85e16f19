#include <errno.h>
#include <string.h>

#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "view/ui-inner.h"

enum { TREE_COLS = 26 };

static void
pane_changed(struct pane *p, void *arg)
{
	struct ui *ui = arg;

	if (p == ui_pane(ui)) {
		ui->is_echo_due = true;
		ui_copy_changed(ui);
	}
	ui->is_dirty = true;
	if (pane_is_changed(p))
		ui->is_whole_due = true;
}

static bool
should_live(const struct ui *ui, const struct pane *p)
{
	const struct session *s = model_session(&ui->model, pane_session(p));

	return s && !status_is_over(s->status);
}

static void
pane_lost(struct pane *p, void *arg)
{
	struct ui *ui = arg;

	ui->redials = 0;
	if (p == ui_pane(ui))
		ui_copy_forget(ui);
	if (should_live(ui, p))
		loop_timer_start(ui->redial, UI_REDIAL_MS);
	ui_mark(ui);
}

/* A keeper that hung up may have made room for a new one (restart), or its end has not been told
 * yet. */
static void
on_redial(void *arg)
{
	struct ui *ui = arg;
	bool is_missing = false;

	for (int i = 0; i < LAYOUT_PANES; i++)
		if (ui->panes[i] && !pane_is_live(ui->panes[i]) && should_live(ui, ui->panes[i]) &&
			!pane_dial(ui->panes[i]))
			is_missing = true;
	if (is_missing && ++ui->redials < UI_REDIALS_MAX)
		loop_timer_start(ui->redial, UI_REDIAL_MS);
	ui_mark(ui);
}

static void
on_which_key(void *arg)
{
	struct ui *ui = arg;

	ui->is_which_key_shown = true;
	ui_mark(ui);
}

struct ui *
ui_new(const struct ui_config *c)
{
	struct ui *ui = mem_new(struct ui);

	ui->config = *c;
	ui->focus = ui->drag_pane = -1;
	ui->is_tree_wanted = !c->attach_id;
	ui->has_outer_focus = true;
	ui->is_dirty = ui->is_whole_due = true;
	layout_init(&ui->layout);
	ui->pane_env = (struct pane_env){ .loop = c->loop,
		.paths = c->paths,
		.is_read_only = c->is_read_only,
		.changed = pane_changed,
		.lost = pane_lost,
		.noticed = ui_noticed,
		.copies = ui_copies,
		.placed = ui_copy_placed,
		.answered = ui_copy_answered,
		.arg = ui };
	ui->redial = loop_timer_new(c->loop, on_redial, ui);
	ui->which_key = loop_timer_new(c->loop, on_which_key, ui);
	return ui;
}

static void
drop_panes(struct ui *ui)
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

void
ui_free(struct ui *ui)
{
	if (!ui)
		return;
	drop_panes(ui);
	ui_copy_fini(ui);
	ui_palette_fini(ui);
	model_fini(&ui->model);
	textview_fini(&ui->text);
	buf_fini(&ui->paste);
	buf_fini(&ui->copy);
	json_decref(ui->question_params);
	loop_timer_free(ui->redial);
	loop_timer_free(ui->which_key);
	mem_free(ui);
}

/* ---- small questions ---- */
void
ui_mark(struct ui *ui)
{
	ui->is_dirty = true;
	ui->is_whole_due = true;
}

bool
ui_is_dirty(const struct ui *ui)
{
	return ui->is_dirty;
}

bool
ui_is_urgent(const struct ui *ui, int64_t now)
{
	return ui->is_echo_due && ui->echoes_left > 0 && now - ui->key_ms < UI_ECHO_MS;
}

void
ui_expect_echo(struct ui *ui)
{
	ui->key_ms = loop_now(ui->config.loop);
	ui->echoes_left = UI_ECHOES;
}

bool
ui_wants_quit(const struct ui *ui)
{
	return ui->wants_quit;
}

struct pane *
ui_pane(const struct ui *ui)
{
	return ui->focus < 0 ? NULL : ui->panes[ui->focus];
}

struct session *
ui_session(const struct ui *ui)
{
	struct pane *p = ui_pane(ui);

	return p ? model_session(&ui->model, pane_session(p)) : NULL;
}

struct session *
ui_target(const struct ui *ui)
{
	struct tree_row r;

	if (ui->is_tree_focused)
		return tree_selected(&ui->tree, &ui->model, &r) ? r.session : NULL;
	return ui_session(ui);
}

static int
pane_showing(const struct ui *ui, const char *session_id)
{
	for (int i = 0; i < LAYOUT_PANES; i++)
		if (ui->panes[i] && strcmp(pane_session(ui->panes[i]), session_id) == 0)
			return i;
	return -1;
}

bool
ui_is_shown(const struct ui *ui, const char *session_id)
{
	return pane_showing(ui, session_id) >= 0;
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
static int
make_pane(struct ui *ui, const char *session_id)
{
	for (int i = 0; i < LAYOUT_PANES; i++) {
		if (ui->panes[i])
			continue;
		ui->panes[i] = pane_new(&ui->pane_env, session_id);
		if (!pane_dial(ui->panes[i]) && should_live(ui, ui->panes[i]))
			loop_timer_start(ui->redial, UI_REDIAL_MS);
		return i;
	}
	return -1;
}

static void
drop_pane(struct ui *ui, int pane)
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

static void
add_first(struct ui *ui, const char *session_id)
{
	int pane = make_pane(ui, session_id);

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
		add_first(ui, session_id);
	} else if (pane >= 0 && strcmp(pane_session(ui->panes[pane]), session_id) != 0) {
		drop_pane(ui, pane);
		ui->focus = -1;
		ui->panes[pane] = pane_new(&ui->pane_env, session_id);
		if (!pane_dial(ui->panes[pane]) && should_live(ui, ui->panes[pane]))
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
		add_first(ui, session_id);
		ui_save_layout(ui);
		return 0;
	}
	pane = make_pane(ui, session_id);
	if (pane < 0)
		return err_set(
			e, -ENOSPC, "split: there are %d panes already; close one", LAYOUT_PANES);
	ui->is_zoomed = false;
	r = layout_split(&ui->layout, ui->focus, kind, pane, ui->main_area, e);
	if (r < 0) {
		drop_pane(ui, pane);
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

	drop_pane(ui, pane);
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

/* ---- layouts of Desktops ---- */
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
	return make_pane(ui, s->id);
}

static void
show_something(struct ui *ui)
{
	const struct session *s = NULL, *best = NULL;

	for (size_t n = 0; (s = model_nth(&ui->model, ui->desktop_id, n)); n++)
		if (!best || (status_is_over(best->status) && !status_is_over(s->status)))
			best = s;
	if (best)
		add_first(ui, best->id);
	else
		ui_place(ui);
}

static void
show_wanted(struct ui *ui)
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
			drop_pane(ui, i);
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
	drop_panes(ui);
	layout_from_json(&ui->layout, json_object_get(layout, "root"), pane_of_session, ui);
	drop_strays(ui);
	layout_place(&ui->layout, ui->main_area, &ui->spots);
	pane = focus ? pane_showing(ui, focus) : -1;
	if (layout_is_empty(&ui->layout))
		show_something(ui);
	else
		ui_set_focus(ui, pane >= 0 ? pane : layout_next(&ui->spots, -1, 1));
	show_wanted(ui);
	ui_mark(ui);
}

void
ui_show_desktop(struct ui *ui, const char *id)
{
	const struct desktop *d = model_desktop(&ui->model, id);

	if (!d || strcmp(ui->desktop_id, id) == 0)
		return;
	drop_panes(ui);
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
		show_something(ui);
	ui_place(ui);
}

/* The Desktop that a person who stands in `cwd` means: the one with the closest directory above it;
 * else the first. */
static const struct desktop *
nearest_desktop(const struct ui *ui)
{
	const struct desktop *best = &ui->model.desktops[0];
	size_t best_len = 0;

	for (size_t i = 0; i < ui->model.desktops_n; i++) {
		const struct desktop *d = &ui->model.desktops[i];
		size_t len = strlen(d->dir);
		bool is_above = str_has_prefix(ui->config.cwd, d->dir) &&
				(!ui->config.cwd[len] || ui->config.cwd[len] == '/');

		if (is_above && len > best_len) {
			best = d;
			best_len = len;
		}
	}
	return best;
}

void
ui_show_session(struct ui *ui, const char *id)
{
	const struct session *s = model_session(&ui->model, id);
	int pane = pane_showing(ui, id);

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

/* ---- the daemon ---- */
static void
check_panes(struct ui *ui)
{
	for (int i = 0; i < LAYOUT_PANES; i++) {
		struct pane *p = ui->panes[i];

		if (p && !model_session(&ui->model, pane_session(p)))
			ui_close_pane(ui, i);
		else if (p && !pane_is_live(p) && should_live(ui, p))
			pane_dial(p);
	}
}

static void
check_attached(struct ui *ui)
{
	const struct session *s = model_session(&ui->model, ui->config.attach_id);

	if (!s) {
		ui->wants_quit = true;
		return;
	}
	if (layout_is_empty(&ui->layout)) {
		str_copy(ui->desktop_id, sizeof ui->desktop_id, s->desktop_id);
		add_first(ui, s->id);
	}
}

/* Brings the screen in line with a model that has changed. */
static void
check(struct ui *ui)
{
	if (!ui->model.is_known)
		return;
	if (ui->config.attach_id) {
		check_attached(ui);
		check_panes(ui);
		ui_mark(ui);
		return;
	}
	check_panes(ui);
	if (!model_desktop(&ui->model, ui->desktop_id)) {
		drop_panes(ui);
		ui->desktop_id[0] = 0;
		ui->is_loading = false;
		if (ui->model.desktops_n)
			ui_show_desktop(ui, nearest_desktop(ui)->id);
	} else if (layout_is_empty(&ui->layout) && !ui->is_loading && !ui->is_emptied &&
		   !ui->wanted_session[0]) {
		show_something(ui);
	}
	show_wanted(ui);
	ui_place(ui);
}

void
ui_connect(struct ui *ui, struct rpc *rpc)
{
	ui->rpc = rpc;
	ui->layouts_asked = 0;
	if (!rpc)
		ui->is_loading = false;
}

void
ui_subscribed(struct ui *ui, const json_t *everything)
{
	model_replace(&ui->model, everything);
	check(ui);
}

void
ui_notified(struct ui *ui, const char *method, const json_t *params)
{
	const char *id = json_string_value(json_object_get(params, "id"));
	const struct session *s = id ? model_session(&ui->model, id) : NULL;
	uint64_t before = s ? s->notices : UINT64_MAX;
	unsigned need = s ? s->need : NEEDS_ANSWER; /* what is new told nothing yet */
	enum status status = s ? s->status : STATUS_STARTING;
	bool was_near = s && s->limits;

	model_notify(&ui->model, method, params);
	check(ui);
	if (id)
		ui_tell_hidden(ui, id, before);
	if (id)
		ui_tell_need(ui, id, need);
	if (id)
		ui_tell_limits(ui, id, was_near, status);
}

void
ui_drawn(struct ui *ui)
{
	for (size_t i = 0; i < ui->spots.n; i++)
		if (ui->panes[ui->spots.at[i].pane])
			pane_drawn(ui->panes[ui->spots.at[i].pane]);
	ui->is_dirty = false;
	ui->is_whole_due = false;
	ui->echoes_left -= ui->is_echo_due;
	ui->is_echo_due = false;
}
