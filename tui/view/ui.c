/* Life, small questions, and what the daemon and the keepers say. */
#include <string.h>

#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "view/ui-inner.h"

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

bool
ui_should_live(const struct ui *ui, const struct pane *p)
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
	if (ui_should_live(ui, p))
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
		if (ui->panes[i] && !pane_is_live(ui->panes[i]) && ui_should_live(ui, ui->panes[i]) &&
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

void
ui_free(struct ui *ui)
{
	if (!ui)
		return;
	ui_drop_panes(ui);
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

/* ---- the daemon ---- */
static void
check_panes(struct ui *ui)
{
	for (int i = 0; i < LAYOUT_PANES; i++) {
		struct pane *p = ui->panes[i];

		if (p && !model_session(&ui->model, pane_session(p)))
			ui_close_pane(ui, i);
		else if (p && !pane_is_live(p) && ui_should_live(ui, p))
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
		ui_add_first(ui, s->id);
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
		ui_drop_panes(ui);
		ui->desktop_id[0] = 0;
		ui->is_loading = false;
		if (ui->model.desktops_n)
			ui_show_desktop(ui, nearest_desktop(ui)->id);
	} else if (layout_is_empty(&ui->layout) && !ui->is_loading && !ui->is_emptied &&
		   !ui->wanted_session[0]) {
		ui_show_something(ui);
	}
	ui_show_wanted(ui);
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
