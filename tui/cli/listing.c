#include "cli/listing.h"

#include <stdlib.h>
#include <string.h>

#include "cli/safe.h"
#include "cli/table.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/str.h"
#include "sandesk/commands.h"

enum { COLUMNS_MAX = 28 };

/* One row per command that prints something: the columns of its objects, or the one text that is
 * its result. */
static const struct listing {
	enum command_id id;
	struct column columns[COLUMNS_MAX];
	const char *empty;  /* said when the list is empty */
	const char *text;   /* print this member as it is */
	const char *before; /* print one line: this text, then both columns */
	bool is_target;	    /* print the target, to be used in the next command */
} listings[] = {
	{ .id = COMMAND_desktop_list,
		.empty = "no Desktop yet; make one: sandesk new NAME --dir PATH",
		.columns = { { "DESKTOP", "name", COLUMN_TEXT },
			{ "RUNNING", "running", COLUMN_NUMBER },
			{ "SESSIONS", "sessions", COLUMN_NUMBER },
			{ "CREATED", "created", COLUMN_AGE },
			{ "DIRECTORY", "dir", COLUMN_TEXT }, } },
	{ .id = COMMAND_session_list,
		.empty = "no session; start one: sandesk run DESKTOP",
		.columns = { { "SESSION", "name", COLUMN_TARGET },
			{ "STATUS", "status", COLUMN_TEXT },
			{ "EXIT", "exit_status", COLUMN_NUMBER },
			{ "CLIENTS", "clients", COLUMN_NUMBER },
			{ "CPU", "usage.cpu_seconds", COLUMN_SPAN },
			{ "MEMORY", "usage.memory", COLUMN_BYTES },
			{ "STARTED", "started", COLUMN_AGE },
			{ "COMMAND", "command", COLUMN_WORDS }, } },
	{ .id = COMMAND_desktop_show,
		.columns = { { "Desktop", "name", COLUMN_TEXT },
			{ "Id", "id", COLUMN_TEXT },
			{ "Directory", "dir", COLUMN_TEXT },
			{ "Created", "created", COLUMN_AGE },
			{ "Sessions", "sessions", COLUMN_NUMBER },
			{ "Running", "running", COLUMN_NUMBER }, } },
	{ .id = COMMAND_session_show,
		.columns = { { "Session", "name", COLUMN_TARGET },
			{ "Id", "id", COLUMN_TEXT },
			{ "Kind", "kind", COLUMN_TEXT },
			{ "Status", "status", COLUMN_TEXT },
			{ "Need", "need", COLUMN_TEXT },
			{ "Why", "why", COLUMN_TEXT },
			{ "Reason", "reason", COLUMN_TEXT },
			{ "Exit status", "exit_status", COLUMN_NUMBER },
			{ "Command", "command", COLUMN_WORDS },
			{ "Directory", "dir", COLUMN_TEXT },
			{ "Environment", "env", COLUMN_WORDS },
			{ "Title", "title", COLUMN_TEXT },
			{ "Size", "rows", COLUMN_SIZE },
			{ "Clients", "clients", COLUMN_NUMBER },
			{ "Pid", "pid", COLUMN_NUMBER },
			{ "Keeper pid", "keeper_pid", COLUMN_NUMBER },
			{ "Started", "started", COLUMN_AGE },
			{ "Ended", "ended", COLUMN_AGE },
			{ "Last output", "last_output", COLUMN_AGE },
			{ "CPU", "usage.cpu_seconds", COLUMN_SPAN },
			{ "Memory", "usage.memory", COLUMN_BYTES },
			{ "Memory peak", "usage.memory_peak", COLUMN_BYTES },
			{ "Processes", "usage.processes", COLUMN_NUMBER },
			{ "Written", "usage.written", COLUMN_BYTES },
			{ "Limits", "limits", COLUMN_TEXT },
			{ "Missing", "walls_missing", COLUMN_WORDS }, } },
	{ .id = COMMAND_daemon_status,
		.columns = { { "State", "state", COLUMN_TEXT },
			{ "Pid", "pid", COLUMN_NUMBER },
			{ "Version", "version", COLUMN_TEXT },
			{ "Running for", "uptime", COLUMN_SPAN },
			{ "Runtime", "runtime", COLUMN_TEXT },
			{ "Catalog", "catalog", COLUMN_TEXT },
			{ "Log", "log", COLUMN_TEXT },
			{ "Desktops", "desktops", COLUMN_NUMBER },
			{ "Sessions", "sessions", COLUMN_NUMBER }, } },
	{ .id = COMMAND_desktop_create,
		.before = "Desktop ",
		.columns = { { "", "name", COLUMN_TEXT }, { "", "dir", COLUMN_TEXT }, } },
	{ .id = COMMAND_session_start, .is_target = true },
	{ .id = COMMAND_session_restart, .is_target = true },
	{ .id = COMMAND_session_commands,
		.empty = "no command was marked; the shell must print OSC 133 around its commands",
		.columns = { { "NUMBER", "number", COLUMN_NUMBER },
			{ "STATUS", "status", COLUMN_NUMBER },
			{ "TOOK", "seconds", COLUMN_SPAN },
			{ "STARTED", "started", COLUMN_AGE },
			{ "LINES", "output_from", COLUMN_NUMBER },
			{ "TO", "output_to", COLUMN_NUMBER },
			{ "DIRECTORY", "cwd", COLUMN_TEXT },
			{ "COMMAND", "command", COLUMN_TEXT }, } },
	{ .id = COMMAND_session_explain,
		.columns = { { "FACT", "fact", COLUMN_TEXT },
			{ "DECIDES", "decides", COLUMN_TEXT },
			{ "STATUS", "status", COLUMN_TEXT },
			{ "NEED", "need", COLUMN_TEXT },
			{ "SAYS", "says", COLUMN_TEXT }, } },
	{ .id = COMMAND_session_search,
		.empty = "nothing found",
		.columns = { { "LINE", "line", COLUMN_NUMBER },
			{ "COL", "col", COLUMN_NUMBER },
			{ "CELLS", "cells", COLUMN_NUMBER },
			{ "TEXT", "text", COLUMN_TEXT }, } },
	{ .id = COMMAND_session_capture, .text = "text" },
	{ .id = COMMAND_policy_show, .text = "text" },
	{ .id = COMMAND_policy_set, .text = "text" },
	{ .id = COMMAND_policy_check,
		.columns = { { "WHAT", "what", COLUMN_TEXT },
			{ "STATE", "state", COLUMN_TEXT },
			{ "WHY", "why", COLUMN_TEXT },
			{ "WHAT MENDS IT", "mend", COLUMN_TEXT }, } },
};

static const struct listing *
listing_of(const struct command *c)
{
	for (size_t i = 0; i < ARRAY_LEN(listings); i++)
		if (listings[i].id == c->id)
			return &listings[i];
	return NULL;
}

static size_t
count_columns(const struct listing *l)
{
	size_t n = 0;

	while (n < COLUMNS_MAX && l->columns[n].title)
		n++;
	return n;
}

static void
add_json(struct buf *to, const json_t *result)
{
	/* ASCII: a title or a name that a sandbox chose must not reach the terminal as a control
	 * character */
	char *text = json_dumps(result, JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_ENCODE_ANY);

	if (text)
		buf_addf(to, "%s\n", text);
	free(text);
}

static void
add_member(struct buf *to, const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);

	if (json_is_string(v))
		str_escape(to, json_string_value(v), json_string_length(v));
}

void
listing_add_styled(struct buf *to, const char *text)
{
	struct safe safe = { 0 };

	safe_feed(&safe, text, strlen(text), to);
	safe_end(&safe, to);
}

/* A screen is text made by the keeper: printable characters and line ends. What else is in it is
 * not let through. */
static void
add_screen(struct buf *to, const char *text)
{
	while (text) {
		size_t len = strcspn(text, "\n\\");

		str_escape(to, text, len);
		if (!text[len])
			break;
		buf_add_char(to, text[len]);
		text += len + 1;
	}
	if (to->len && to->data[to->len - 1] != '\n')
		buf_add_char(to, '\n');
}

void
listing_add(struct buf *to, const struct command *c, const json_t *result, bool is_json, double now)
{
	const struct listing *l = listing_of(c);

	if (is_json && (c->flags & COMMAND_LISTS || !l || !l->text)) {
		add_json(to, result);
	} else if (!l) {
		return;
	} else if (l->text) {
		add_screen(to, json_string_value(json_object_get(result, l->text)));
	} else if (l->is_target) {
		add_member(to, result, "desktop");
		buf_add_char(to, '/');
		add_member(to, result, "name");
		buf_add_char(to, '\n');
	} else if (l->before) {
		buf_add_str(to, l->before);
		add_member(to, result, l->columns[0].key);
		buf_add_str(to, ": ");
		add_member(to, result, l->columns[1].key);
		buf_add_char(to, '\n');
	} else if (json_is_array(result)) {
		table_add(to, l->columns, count_columns(l), result, now);
	} else {
		table_add_record(to, l->columns, count_columns(l), result, now);
	}
}

const char *
listing_hint(const struct command *c, const json_t *result)
{
	const struct listing *l = listing_of(c);

	return l && json_is_array(result) && !json_array_size(result) ? l->empty : NULL;
}
