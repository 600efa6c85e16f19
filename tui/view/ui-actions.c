#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandesk/args.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/help.h"
#include "sandesk/mirror.h"
#include "view/actions.h"
#include "view/ui-inner.h"

/* ---- calls to the daemon ---- */
static void
on_done(json_t *result, const struct err *error, void *arg)
{
	(void)result;
	if (error)
		ui_error(arg, error->msg);
}

static void
add_locale(json_t *params)
{
	static const char *const names[] = { "LANG", "LC_ALL", "LC_CTYPE", "LC_COLLATE",
		"LC_MESSAGES", "LC_TIME", "LC_NUMERIC", "LC_MONETARY", "TZ" };
	json_t *locale = json_object();

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			json_object_set_new(locale, names[i], json_string(value));
	}
	json_object_set_new(params, "locale", locale);
}

void
ui_call(struct ui *ui, const char *method, json_t *params, rpc_reply_fn *fn)
{
	if (!ui->rpc) {
		json_decref(params);
		ui_error(ui, "the daemon does not answer; reconnecting: try again in a moment");
		return;
	}
	json_object_set_new(params, "cwd", json_string(ui->config.cwd));
	add_locale(params);
	rpc_call(ui->rpc, method, params, fn ? fn : on_done, ui);
}

char *
ui_target_text(const struct ui *ui, const struct session *s)
{
	const struct desktop *d = model_desktop(&ui->model, s->desktop_id);

	return str_format("%s/%s", d ? d->name : "", s->name);
}

static void
call_on(struct ui *ui, const char *method, const struct session *s)
{
	AUTO(mem) char *target = ui_target_text(ui, s);

	ui_call(ui, method, json_pack("{s:s}", "target", target), NULL);
}

static struct session *
need_session(struct ui *ui)
{
	struct session *s = ui_target(ui);

	if (!s)
		ui_error(ui, "there is no session here; make one with the prefix key and c");
	return s;
}

static bool
may_change(struct ui *ui)
{
	if (ui->config.is_read_only)
		ui_error(ui, "this client is read-only");
	return !ui->config.is_read_only;
}

/* ---- asking ---- */
void
ui_ask_field(struct ui *ui, const char *label, const char *value, ui_field_fn *done)
{
	ui_leave_modes(ui);
	str_copy(ui->field_label, sizeof ui->field_label, label);
	field_set(&ui->field, value);
	ui->field_done = done;
	ui->mode = MODE_FIELD;
	ui_mark(ui);
}

void
ui_ask(struct ui *ui, const char *question, ui_answer_fn *done)
{
	ui_leave_modes(ui);
	str_copy(ui->question, sizeof ui->question, question);
	ui->question_done = done;
	ui->mode = MODE_QUESTION;
	ui_mark(ui);
}

static void
call_if_yes(struct ui *ui, bool is_yes)
{
	json_t *params = ui->question_params;

	ui->question_params = NULL;
	if (!is_yes) {
		json_decref(params);
		return;
	}
	json_object_set_new(params, "yes", json_true());
	ui_call(ui, ui->question_method, params, NULL);
}

static void
ask_question(struct ui *ui, const char *method, json_t *params, const char *text)
{
	str_copy(ui->question_method, sizeof ui->question_method, method);
	json_decref(ui->question_params);
	ui->question_params = params;
	ui_ask(ui, text, call_if_yes);
}

void
ui_answer(struct ui *ui, bool is_yes)
{
	ui_leave_modes(ui);
	ui->question_done(ui, is_yes);
}

static void
show_text(struct ui *ui, const char *title, const char *text)
{
	ui_leave_modes(ui);
	textview_set(&ui->text, title, text);
	ui->mode = MODE_TEXT;
	ui_mark(ui);
}

/* ---- panes ---- */
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

static json_t *
start_params(const struct ui *ui, const struct desktop *d)
{
	struct pane *p = ui_pane(ui);
	struct size size = p ? mirror_size(pane_mirror(p)) : (struct size){ 0 };
	char text[24];

	if (!size.rows)
		size = size_clamp((unsigned)ui->main_area.rows, (unsigned)ui->main_area.cols);
	snprintf(text, sizeof text, "%ux%u", size.rows, size.cols);
	return json_pack("{s:s, s:s}", "target", d->name, "size", text);
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

static void
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
	if (!may_change(ui))
		return;
	ui->split_kind = arg[0] == 'd' ? LAYOUT_STACK : LAYOUT_SIDE;
	ui_call(ui, "session.start", start_params(ui, d), on_started_split);
}

static void
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

static void
act_pane_zoom(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->focus >= 0 && layout_count(&ui->layout) > 1)
		ui->is_zoomed = !ui->is_zoomed;
	ui_place(ui);
}

static void
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

static void
act_pane_scroll(struct ui *ui, const char *arg)
{
	struct pane *p = ui_pane(ui);

	(void)arg;
	if (!p)
		return;
	ui_copy_begin(ui, mirror_size(pane_mirror(p)).rows - 1);
}

static void
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

static void
act_pane_next(struct ui *ui, const char *arg)
{
	(void)arg;
	turn_pane(ui, 1);
}

static void
act_pane_previous(struct ui *ui, const char *arg)
{
	(void)arg;
	turn_pane(ui, -1);
}

/* ---- sessions ---- */
static void
on_started(json_t *result, const struct err *error, void *arg)
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
	on_started(result, error, arg);
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
	params = start_params(ui, d);
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

static const struct desktop *
target_desktop(const struct ui *ui)
{
	struct tree_row r;

	if (ui->is_tree_focused && tree_selected(&ui->tree, &ui->model, &r))
		return r.desktop;
	return model_desktop(&ui->model, ui->desktop_id);
}

/* The next one behind the focused session that needs as much as the neediest does. */
static void
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

static void on_explained(json_t *result, const struct err *error, void *arg);

static void
act_session_explain(struct ui *ui, const char *arg)
{
	const struct session *s = need_session(ui);
	AUTO(mem) char *target = s ? ui_target_text(ui, s) : NULL;

	(void)arg;
	if (s)
		ui_call(ui, "session.explain", json_pack("{s:s}", "target", target), on_explained);
}

static void
act_session_new(struct ui *ui, const char *arg)
{
	const struct desktop *d = target_desktop(ui);
	char label[UI_TEXT_BYTES];

	(void)arg;
	if (!may_change(ui))
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

static void
act_rename(struct ui *ui, const char *arg)
{
	const struct session *s = ui_target(ui);
	const struct desktop *d = target_desktop(ui);
	char label[UI_TEXT_BYTES];

	(void)arg;
	if (!may_change(ui) || (!s && !d))
		return;
	str_copy(ui->kept_id, sizeof ui->kept_id, s ? s->id : d->id);
	snprintf(label, sizeof label, "New name of %s %s", s ? "session" : "Desktop",
		s ? s->name : d->name);
	ui_ask_field(ui, label, s ? s->name : d->name, do_rename);
}

static void
act_stop(struct ui *ui, const char *arg)
{
	const struct session *s = may_change(ui) ? need_session(ui) : NULL;

	(void)arg;
	if (s)
		call_on(ui, "session.stop", s);
}

static void
act_restart(struct ui *ui, const char *arg)
{
	const struct session *s = may_change(ui) ? need_session(ui) : NULL;

	(void)arg;
	if (s)
		call_on(ui, "session.restart", s);
}

static void
act_kill(struct ui *ui, const char *arg)
{
	const struct session *s = may_change(ui) ? need_session(ui) : NULL;
	AUTO(mem) char *target = s ? ui_target_text(ui, s) : NULL, *text = NULL;

	(void)arg;
	if (!s)
		return;
	text = str_format("Kill session %s at once?", target);
	ask_question(ui, "session.kill", json_pack("{s:s}", "target", target), text);
}

/* ---- Desktops ---- */
static void create_desktop(struct ui *ui, const char *dir);

static void
on_desktop(json_t *result, const struct err *error, void *arg)
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
		on_desktop);
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

static void
act_desktop_new(struct ui *ui, const char *arg)
{
	(void)arg;
	if (may_change(ui))
		ui_new_desktop(ui);
}

/* ---- the rest ---- */
static void
act_tree_toggle(struct ui *ui, const char *arg)
{
	(void)arg;
	/* there it stands instead of the panes, so what toggles is who has the focus */
	if (ui->size.cols < TREE_MIN_WIDTH && ui->focus >= 0) {
		ui->is_tree_focused = !ui->is_tree_focused && !ui->config.attach_id;
		ui_place(ui);
		return;
	}
	ui->is_tree_wanted = !ui->is_tree_wanted && !ui->config.attach_id;
	if (!ui->is_tree_wanted && ui->focus >= 0)
		ui->is_tree_focused = false;
	ui_place(ui);
}

static void
act_tree_focus(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->config.attach_id)
		return;
	ui->is_tree_wanted = ui->is_tree_focused = true;
	ui_place(ui);
}

static void
act_detach(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->wants_quit = true;
}

static void
run_typed(struct ui *ui, const char *text)
{
	if (*text)
		ui_run(ui, text);
}

static void
act_clipboard_copy(struct ui *ui, const char *arg)
{
	(void)arg;
	ui_copy(ui);
}

static void
act_prompt(struct ui *ui, const char *arg)
{
	(void)arg;
	ui_ask_field(ui, ":", "", run_typed);
	ui_palette_open(ui);
}

static void
act_reload(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->config.reload)
		ui->config.reload(ui->config.arg);
}

static void
act_keys(struct ui *ui, const char *arg)
{
	(void)arg;
	ui_show_help(ui);
}

static void
act_prefix(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui_pane(ui))
		pane_key(ui_pane(ui), ui->config.keymap->prefix);
}

/* ---- the executor ---- */
static const struct action {
	const char *words, *choices, *help;
	void (*run)(struct ui *ui, const char *arg);
} actions[] = {
#define X(id, words, choices, help) { words, choices, help, act_##id },
	TUI_ACTIONS(X)
#undef X
};

static bool
is_choice(const char *choices, const char *arg)
{
	size_t len = strlen(arg);

	for (const char *p = choices; p && *p; p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL)
		if (len && strncmp(p, arg, len) == 0 && (p[len] == '|' || !p[len]))
			return true;
	return false;
}

/* The action that a line is, and its argument; NULL when it is none. */
static const struct action *
find_action(char *const *words, size_t n, const char **ret_arg)
{
	for (size_t i = 0; i < ARRAY_LEN(actions); i++) {
		char text[64] = "";
		size_t used = 0;

		for (; used < n && strcmp(text, actions[i].words) != 0; used++) {
			size_t len = strlen(text);

			snprintf(
				text + len, sizeof text - len, "%s%s", len ? " " : "", words[used]);
		}
		if (strcmp(text, actions[i].words) != 0)
			continue;
		*ret_arg = used < n ? words[used] : "";
		if (actions[i].choices[0]
				? used + 1 == n && is_choice(actions[i].choices, words[used])
				: used == n)
			return &actions[i];
	}
	return NULL;
}

static void
listing(struct buf *to, const json_t *value, int depth)
{
	const json_t *item;
	const char *key;
	size_t i;

	if (json_is_array(value)) {
		json_array_foreach (value, i, item) {
			listing(to, item, depth + 1);
			if (json_is_object(item))
				buf_add_char(to, '\n');
		}
		return;
	}
	if (!json_is_object(value)) {
		char *text = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY);

		if (text)
			buf_add_str(to, text);
		else
			str_escape(to, json_string_value(value), json_string_length(value));
		free(text);
		return;
	}
	json_object_foreach ((json_t *)value, key, item) {
		if (json_is_null(item))
			continue;
		buf_addf(to, "%-14s ", key);
		if (json_is_array(item)) {
			json_t *part;

			json_array_foreach (item, i, part) {
				listing(to, part, depth + 1);
				buf_add_char(to, ' ');
			}
		} else {
			listing(to, item, depth + 1);
		}
		buf_add_char(to, '\n');
	}
}

static void
on_listing(json_t *result, const struct err *error, void *arg)
{
	AUTO(buf) struct buf text = { 0 };
	const char *capture = json_string_value(json_object_get(result, "text"));
	struct ui *ui = arg;

	if (error) {
		ui_error(ui, error->msg);
		return;
	}
	if (capture)
		buf_add_str(&text, capture);
	else if (ui->config.list)
		ui->config.list(&text, ui->listed, result, ui->config.arg);
	else
		listing(&text, result, 0);
	if (text.len)
		show_text(ui, ui->listed->name, text.data);
	else
		ui_message(ui, "done");
}

static void
on_explained(json_t *result, const struct err *error, void *arg)
{
	AUTO(buf) struct buf text = { 0 };
	struct ui *ui = arg;
	const json_t *row;
	size_t i;

	if (error) {
		ui_error(ui, error->msg);
		return;
	}
	buf_add_str(&text, "The first fact that knows something decides.\n\n");
	json_array_foreach (result, i, row) {
		const char *says = json_string_value(json_object_get(row, "says"));
		const char *decides = json_string_value(json_object_get(row, "decides"));

		buf_addf(&text, "%s %-20s %-9s ", decides && *decides ? ">" : " ",
			json_string_value(json_object_get(row, "fact")),
			json_string_value(json_object_get(row, "status")));
		str_escape(&text, says ? says : "", says ? strlen(says) : 0);
		buf_add_char(&text, '\n');
	}
	show_text(ui, "Why this status", text.data);
}

static void
show_command_help(struct ui *ui, const struct command *c)
{
	AUTO(buf) struct buf text = { 0 };

	help_command(c, &text);
	show_text(ui, c->name, text.len ? text.data : "");
}

static void
run_local(struct ui *ui, const struct command *c, json_t *args)
{
	AUTO(buf) struct buf text = { 0 };
	const char *target = json_string_value(json_object_get(args, "target"));

	if (c->id == COMMAND_version) {
		ui_message(ui, "sandesk " SANDESK_VERSION);
	} else if (c->id == COMMAND_help) {
		help_overview(&text);
		show_text(ui, "Commands", text.len ? text.data : "");
	} else if (c->id == COMMAND_session_attach && target) {
		ui_call(ui, "session.show", json_pack("{s:s}", "target", target), on_started);
	} else {
		buf_addf(&text, "%s: needs a shell of its own; run: sandesk %s", c->name, c->name);
		ui_error(ui, text.data);
	}
}

static void
run_command(struct ui *ui, char *const *words, size_t n)
{
	const struct command *c = NULL;
	json_t *args = NULL;
	struct err e = { 0 };
	char method[64];

	if (args_parse((const char *const *)words, n, ui->config.cwd, &c, &args, &e) < 0) {
		ui_error(ui, e.msg);
		return;
	}
	if (!args) {
		show_command_help(ui, c);
		return;
	}
	command_method(c, method, sizeof method);
	if (c->flags & COMMAND_LOCAL) {
		run_local(ui, c, args);
		json_decref(args);
	} else if ((c->flags & COMMAND_MUTATES) && !may_change(ui)) {
		json_decref(args);
	} else if ((c->flags & COMMAND_ASKS) && !json_is_true(json_object_get(args, "yes"))) {
		AUTO(mem)
		char *text = str_format("Really %s %s?", c->name,
			json_string_value(json_object_get(args, "target")));

		ask_question(ui, method, args, text);
	} else {
		ui->listed = c;
		rpc_reply_fn *fn = c->id == COMMAND_session_start    ? on_started
				   : c->id == COMMAND_desktop_create ? on_desktop
				   : c->flags & COMMAND_MUTATES	     ? NULL
								     : on_listing;

		ui_call(ui, method, args, fn);
	}
}

void
ui_run(struct ui *ui, const char *command_text)
{
	AUTO(mem) char **words = NULL;
	const struct action *a;
	const char *arg = "";
	struct err e = { 0 };
	size_t n = 0;

	if (args_split(command_text, &words, &n, &e) < 0) {
		ui_error(ui, e.msg);
		return;
	}
	if (!n)
		return;
	a = find_action(words, n, &arg);
	if (a)
		a->run(ui, arg);
	else
		run_command(ui, words, n);
	ui_mark(ui);
}

void
ui_show_help(struct ui *ui)
{
	const struct keymap *k = ui->config.keymap;
	AUTO(buf) struct buf text = { 0 };
	char name[KEY_NAME_BYTES], prefix[KEY_NAME_BYTES];

	key_name(k->prefix, prefix);
	for (int g = 0; g < GROUP_COUNT; g++) {
		buf_addf(&text, "#%s: %s and then\n", key_group_name((enum key_group)g), prefix);
		for (size_t i = 0; i < k->n; i++) {
			if (k->rows[i].group != (enum key_group)g || !k->rows[i].command[0])
				continue;
			key_name(k->rows[i].key, name);
			buf_addf(&text, "  %-10s %s\n", name, k->rows[i].command);
		}
		buf_add_char(&text, '\n');
	}
	buf_add_str(&text, "#In the tree\n  arrows, j, k move; Left, Right, Space fold; Enter "
			   "opens; Escape leaves\n\n"
			   "#Copy mode (looking back)\n"
			   "  h j k l, arrows    move; C-u C-d half a page, C-b C-f a page\n"
			   "  w e b              words; 0 ^ $ in the line; g G oldest, newest\n"
			   "  v V C-v            mark characters, lines, a block; o other end\n"
			   "  y, Enter           copy what is marked, or the line\n"
			   "  / ?  n N           search (regular expression); next, previous\n"
			   "  [ ]                prompt before, behind (OSC 133)\n"
			   "  O                  mark the output of the command\n"
			   "  q, Escape          end\n"
			   "  mouse              drag, double click (word), triple click (line)\n\n"
			   "#Actions (prefix : and the words)\n");
	for (size_t i = 0; i < ARRAY_LEN(actions); i++)
		buf_addf(&text, "  %s%s%s\n      %s\n", actions[i].words,
			actions[i].choices[0] ? " " : "", actions[i].choices, actions[i].help);
	buf_add_str(&text, "\n#Commands\n");
	help_overview(&text);
	show_text(ui, "Keys, actions and commands", text.data);
}
