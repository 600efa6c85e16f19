/* From a text, typed or bound to a key, to the action or command that it means. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandesk/args.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/help.h"
#include "view/ui-acts.h"

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
		ui_show_text(ui, ui->listed->name, text.data);
	else
		ui_message(ui, "done");
}

void
ui_on_explained(json_t *result, const struct err *error, void *arg)
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
	ui_show_text(ui, "Why this status", text.data);
}

static void
show_command_help(struct ui *ui, const struct command *c)
{
	AUTO(buf) struct buf text = { 0 };

	help_command(c, &text);
	ui_show_text(ui, c->name, text.len ? text.data : "");
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
		ui_show_text(ui, "Commands", text.len ? text.data : "");
	} else if (c->id == COMMAND_session_attach && target) {
		ui_call(ui, "session.show", json_pack("{s:s}", "target", target), ui_on_started);
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
	} else if ((c->flags & COMMAND_MUTATES) && !ui_may_change(ui)) {
		json_decref(args);
	} else if ((c->flags & COMMAND_ASKS) && !json_is_true(json_object_get(args, "yes"))) {
		AUTO(mem)
		char *text = str_format("Really %s %s?", c->name,
			json_string_value(json_object_get(args, "target")));

		ui_ask_call(ui, method, args, text);
	} else {
		ui->listed = c;
		rpc_reply_fn *fn = c->id == COMMAND_session_start    ? ui_on_started
				   : c->id == COMMAND_desktop_create ? ui_on_desktop
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
	ui_show_text(ui, "Keys, actions and commands", text.data);
}
