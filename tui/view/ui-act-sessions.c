/* What can be done to sessions and Desktops. */
#include <stdio.h>
#include <string.h>

#include "sandesk/args.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/mirror.h"
#include "view/ui-acts.h"

/* ---- sessions ---- */
json_t *
ui_start_params(const struct ui *ui, const struct desktop *d)
{
	struct pane *p = ui_pane(ui);
	struct size size = p ? mirror_size(pane_mirror(p)) : (struct size){ 0 };
	char text[24];

	if (!size.rows)
		size = size_clamp((unsigned)ui->main_area.rows, (unsigned)ui->main_area.cols);
	snprintf(text, sizeof text, "%ux%u", size.rows, size.cols);
	return json_pack("{s:s, s:s}", "target", d->name, "size", text);
}

void
ui_on_started(json_t *result, const struct err *error, void *arg)
{
	struct ui *ui = arg;
	const char *id = json_string_value(json_object_get(result, "id"));

	if (error) {
		ui_error(ui, error->msg);
		return;
	}
	if (!id)
		return;
	model_notify(&ui->model, "session.changed", result);
	ui->is_emptied = false;
	ui_show_session(ui, id);
}

static void got_command(struct ui *ui, const char *text);

/* Asks again with what was typed, unless something else is being asked by now. */
static void
ask_command_again(struct ui *ui)
{
	const struct desktop *d = model_desktop(&ui->model, ui->kept_id);
	AUTO(mem)
	char *label =
		d ? str_format("New session in %s: command (empty: your shell)", d->name) : NULL;

	if (label && ui->mode == MODE_NORMAL)
		ui_ask_field(ui, label, ui->kept, got_command);
}

static void
on_typed_started(json_t *result, const struct err *error, void *arg)
{
	if (error)
		ask_command_again(arg);
	ui_on_started(result, error, arg);
}

static void
start_session(struct ui *ui, const char *name)
{
	const struct desktop *d = model_desktop(&ui->model, ui->kept_id);
	AUTO(mem) char **words = NULL;
	struct err e = { 0 };
	json_t *params;
	size_t n = 0;

	if (!d)
		return;
	if (args_split(ui->kept, &words, &n, &e) < 0) {
		ask_command_again(ui);
		ui_error(ui, e.msg);
		return;
	}
	params = ui_start_params(ui, d);
	if (*name)
		json_object_set_new(params, "name", json_string(name));
	if (n)
		json_object_set_new(params, "cmd", json_array());
	for (size_t i = 0; i < n; i++)
		json_array_append_new(json_object_get(params, "cmd"), json_string(words[i]));
	ui_call(ui, "session.start", params, on_typed_started);
}

static void
got_command(struct ui *ui, const char *text)
{
	str_copy(ui->kept, sizeof ui->kept, text);
	ui_ask_field(ui, "Name of the session (empty: from the command)", "", start_session);
}

const struct desktop *
ui_target_desktop(const struct ui *ui)
{
	struct tree_row r;

	if (ui->is_tree_focused && tree_selected(&ui->tree, &ui->model, &r))
		return r.desktop;
	return model_desktop(&ui->model, ui->desktop_id);
}

/* The next one behind the focused session that needs as much as the neediest does. */
void
act_session_need(struct ui *ui, const char *arg)
{
	const struct session *now = ui_session(ui), *first = NULL, *next = NULL;
	enum session_need most = NEEDS_NOTHING;
	bool is_behind = false;

	(void)arg;
	for (size_t i = 0; i < ui->model.sessions_n; i++) {
		const struct session *s = &ui->model.sessions[i];

		if (s != now && !s->is_exec && s->need > most)
			most = s->need;
	}
	for (size_t i = 0; i < ui->model.sessions_n && most; i++) {
		const struct session *s = &ui->model.sessions[i];

		is_behind |= s == now;
		if (s == now || s->is_exec || s->need != most)
			continue;
		first = first ? first : s;
		next = !next && is_behind ? s : next;
	}
	if (!first) {
		ui_message(ui, "no other session needs you");
		return;
	}
	ui->is_emptied = false;
	ui_show_session(ui, (next ? next : first)->id);
}

void
act_session_explain(struct ui *ui, const char *arg)
{
	const struct session *s = ui_need_session(ui);
	AUTO(mem) char *target = s ? ui_target_text(ui, s) : NULL;

	(void)arg;
	if (s)
		ui_call(ui, "session.explain", json_pack("{s:s}", "target", target), ui_on_explained);
}

void
act_session_new(struct ui *ui, const char *arg)
{
	const struct desktop *d = ui_target_desktop(ui);
	char label[UI_TEXT_BYTES];

	(void)arg;
	if (!ui_may_change(ui))
		return;
	if (!d) {
		ui_new_desktop(ui);
		return;
	}
	str_copy(ui->kept_id, sizeof ui->kept_id, d->id);
	snprintf(label, sizeof label, "New session in %s: command (empty: your shell)", d->name);
	ui_ask_field(ui, label, "", got_command);
}

static void
do_rename(struct ui *ui, const char *text)
{
	const struct session *s = model_session(&ui->model, ui->kept_id);
	const struct desktop *d = model_desktop(&ui->model, ui->kept_id);
	AUTO(mem) char *target = s ? ui_target_text(ui, s) : str_dup(d ? d->name : "");

	if (s || d)
		ui_call(ui, s ? "session.rename" : "desktop.rename",
			json_pack("{s:s, s:s}", "target", target, "to", text), NULL);
}

void
act_rename(struct ui *ui, const char *arg)
{
	const struct session *s = ui_target(ui);
	const struct desktop *d = ui_target_desktop(ui);
	char label[UI_TEXT_BYTES];

	(void)arg;
	if (!ui_may_change(ui) || (!s && !d))
		return;
	str_copy(ui->kept_id, sizeof ui->kept_id, s ? s->id : d->id);
	snprintf(label, sizeof label, "New name of %s %s", s ? "session" : "Desktop",
		s ? s->name : d->name);
	ui_ask_field(ui, label, s ? s->name : d->name, do_rename);
}

void
act_stop(struct ui *ui, const char *arg)
{
	const struct session *s = ui_may_change(ui) ? ui_need_session(ui) : NULL;

	(void)arg;
	if (s)
		ui_call_on(ui, "session.stop", s);
}

void
act_restart(struct ui *ui, const char *arg)
{
	const struct session *s = ui_may_change(ui) ? ui_need_session(ui) : NULL;

	(void)arg;
	if (s)
		ui_call_on(ui, "session.restart", s);
}

void
act_kill(struct ui *ui, const char *arg)
{
	const struct session *s = ui_may_change(ui) ? ui_need_session(ui) : NULL;
	AUTO(mem) char *target = s ? ui_target_text(ui, s) : NULL, *text = NULL;

	(void)arg;
	if (!s)
		return;
	text = str_format("Kill session %s at once?", target);
	ui_ask_call(ui, "session.kill", json_pack("{s:s}", "target", target), text);
}

/* ---- Desktops ---- */
static void create_desktop(struct ui *ui, const char *dir);

void
ui_on_desktop(json_t *result, const struct err *error, void *arg)
{
	struct ui *ui = arg;
	const char *id = json_string_value(json_object_get(result, "id"));

	if (error) {
		if (ui->mode == MODE_NORMAL)
			ui_ask_field(ui, "Its directory", ui->kept_dir, create_desktop);
		ui_error(ui, error->msg);
		return;
	}
	if (!id)
		return;
	model_notify(&ui->model, "desktop.changed", result);
	tree_select(&ui->tree, id);
	ui_show_desktop(ui, id);
	str_copy(ui->kept_id, sizeof ui->kept_id, id);
	ui_ask_field(
		ui, "First session: command (empty: your shell; Escape: none)", "", got_command);
}

static void
create_desktop(struct ui *ui, const char *dir)
{
	str_copy(ui->kept_dir, sizeof ui->kept_dir, dir);
	ui_call(ui, "desktop.create", json_pack("{s:s, s:s}", "name", ui->kept, "dir", dir),
		ui_on_desktop);
}

static void
got_desktop_name(struct ui *ui, const char *text)
{
	struct err e = { 0 };

	if (name_check("Desktop name", text, &e) < 0) {
		ui_ask_field(ui, "Name of the new Desktop", text, got_desktop_name);
		ui_error(ui, e.msg);
		return;
	}
	str_copy(ui->kept, sizeof ui->kept, text);
	ui_ask_field(ui, "Its directory", ui->config.cwd, create_desktop);
}

/* The base name of the current directory, without what a name cannot hold. */
void
ui_new_desktop(struct ui *ui)
{
	const char *base = strrchr(ui->config.cwd, '/');
	char name[NAME_BYTES];
	size_t n = 0;

	for (base = base ? base + 1 : ui->config.cwd; *base && n < sizeof name - 1; base++) {
		bool is_letter =
			strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_",
				*base) != NULL;

		if (is_letter || (n && strchr("-.", *base)))
			name[n++] = *base;
	}
	name[n] = 0;
	ui_ask_field(ui, "Name of the new Desktop", name, got_desktop_name);
}

void
act_desktop_new(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui_may_change(ui))
		ui_new_desktop(ui);
}
