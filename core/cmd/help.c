#include "sandesk/help.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandesk/args.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/str.h"
#include "sandesk/commands.h"

#include "cmd/nouns.h"

enum { HELP_COLS = 80, NAME_COLS = 18, SHORT_COLS = 9, ARG_COLS = 26 };

/* ---- prose: what the command table leaves to say ---- */

/* One line about each argument; id COMMAND_COUNT: for every command that has it. */
static const struct {
	enum command_id id;
	const char *name;
	const char *text;
} notes[] = {
	{ COMMAND_desktop_create, "name", "the Desktop's name: 1-64 of A-Z a-z 0-9 . _ -" },
	{ COMMAND_desktop_create, "dir",
		"its directory, made when missing; without it the current one" },
	{ COMMAND_desktop_create, "force", "allow the home directory itself, or one above it" },
	{ COMMAND_desktop_rename, "to", "the new name" },
	{ COMMAND_session_start, "name", "the session's name; without it the command's own name" },
	{ COMMAND_session_start, "size", "rows and columns before the first client is attached" },
	{ COMMAND_session_start, "cmd",
		"the command and its arguments; without them the user's shell" },
	{ COMMAND_session_list, "all", "also those run by exec that have ended" },
	{ COMMAND_session_attach, "read-only", "watch; keys and mouse do not reach the session" },
	{ COMMAND_session_stop, "grace", "how long to wait between TERM and KILL" },
	{ COMMAND_session_rename, "to", "the new name" },
	{ COMMAND_session_send, "text", "what to type; put -- before text that begins with \"-\"" },
	{ COMMAND_session_send, "enter", "press Enter behind it" },
	{ COMMAND_session_keys, "keys", "names of keys: a, C-c, M-x, S-Up, Enter, Escape, F5" },
	{ COMMAND_session_capture, "history", "the scrollback too" },
	{ COMMAND_session_capture, "last-output",
		"what the last command printed; the shell must mark its commands (OSC 133)" },
	{ COMMAND_session_capture, "from", "from this line on; search and --json tell the lines" },
	{ COMMAND_session_capture, "to", "up to this line, which is not printed itself" },
	{ COMMAND_session_capture, "ansi", "with colours and styles, as a terminal shows them" },
	{ COMMAND_session_capture, "html", "a page that needs no other file" },
	{ COMMAND_session_capture, "svg", "a picture" },
	{ COMMAND_session_capture, "json", "rows as runs of text with colours and attributes" },
	{ COMMAND_session_record, "file", "the file to make; it must not exist" },
	{ COMMAND_session_record, "for", "stop after this time" },
	{ COMMAND_session_replay, "file", "a recording: asciicast, version 2" },
	{ COMMAND_session_replay, "speed", "how many times as fast, as in 2 or 0.5" },
	{ COMMAND_session_search, "pattern",
		"what to find; its case counts only when it has a capital letter" },
	{ COMMAND_session_search, "regex", "the pattern is a regular expression (PCRE2)" },
	{ COMMAND_session_search, "limit", "at most so many hits, the newest; without it 1000" },
	{ COMMAND_session_wait, "text",
		"until the screen shows what this expression (PCRE2) matches" },
	{ COMMAND_session_wait, "exit", "until the session is over" },
	{ COMMAND_session_wait, "quiet", "until nothing has been printed for so long" },
	{ COMMAND_session_wait, "timeout", "give up after this time, with exit status 1" },
	{ COMMAND_session_resize, "size", "rows and columns, as in 24x80" },
	{ COMMAND_session_exec, "cmd", "the command and its arguments" },
	{ COMMAND_daemon_stop, "sessions", "stop all sessions too" },
	{ COMMAND_debug_screen, "size", "rows and columns of the screen; without it 24x80" },
	{ COMMAND_help, "words", "the words of a command" },
	{ COMMAND_help, "man", "print the manual page" },
	{ COMMAND_help, "completion", "print the completions of a shell: bash, zsh or fish" },
	{ COMMAND_session_start, "limit",
		"KEY=VALUE: memory, disk, file_size, run_time, idle_time, processes, files, "
		"cpu_weight, cpu_percent; over=pause|stop|kill says what using one up does" },
	{ COMMAND_session_exec, "limit", "KEY=VALUE, as for session start" },
	{ COMMAND_session_start, "policy",
		"KEY=VALUE: profile=default|strict, require, or a limit; `policy show` lists all" },
	{ COMMAND_session_exec, "policy", "KEY=VALUE, as for session start" },
	{ COMMAND_policy_show, "session", "a session: what it was started with" },
	{ COMMAND_policy_set, "pairs", "KEY=VALUE; `policy show` lists the keys" },
	{ COMMAND_policy_set, "unset", "a key that is to be as if it never had been set" },
	{ COMMAND_demo, "keep", "open no TUI: print the Desktop's name and leave it there" },
	{ COMMAND_theme_check, "file", "the theme file" },
	{ COMMAND_COUNT, "dir", "the working directory; without it the Desktop's directory" },
	{ COMMAND_COUNT, "env", "a variable for the command; NAME alone takes the caller's value" },
	{ COMMAND_doctor, "strict", "try the walls of the strict profile instead of the default one's" },
	{ COMMAND_COUNT, "json", "print JSON: a list of objects, or one object" },
	{ COMMAND_COUNT, "yes", "do not ask" },
};

/* ---- texts for people ---- */

const char *
help_argument(const struct command *c, const char *name)
{
	if (str_equal(name, "target"))
		return c->target == TARGET_SESSION
			       ? "a session by its Desktop's name and its own, or unique prefixes"
			       : "a Desktop by its name, or a unique prefix";
	for (size_t i = 0; i < ARRAY_LEN(notes); i++)
		if ((notes[i].id == c->id || notes[i].id == COMMAND_COUNT) &&
			str_equal(notes[i].name, name))
			return notes[i].text;
	return NULL;
}

static void
add_blanks(struct buf *to, size_t n)
{
	while (n--)
		buf_add_char(to, ' ');
}

/* Bytes up to the next blank that is not inside brackets: "[--name NAME]..." stays together. */
static size_t
unit_len(const char *text)
{
	size_t i;
	int depth = 0;

	for (i = 0; text[i] && (text[i] != ' ' || depth > 0); i++)
		depth += (text[i] == '[' || text[i] == '(') - (text[i] == ']' || text[i] == ')');
	return i;
}

/* Wraps `text` (ASCII, as all our own texts) at HELP_COLS; lines but the first are indented. The
 * cursor stands at `at`. */
static void
add_wrapped(struct buf *to, const char *text, size_t at, size_t indent)
{
	bool is_first = true;

	while (*text) {
		size_t len = unit_len(text);

		if (!is_first && at + 1 + len > HELP_COLS) {
			buf_add_char(to, '\n');
			add_blanks(to, indent);
			at = indent;
		} else if (!is_first) {
			buf_add_char(to, ' ');
			at++;
		}
		buf_add(to, text, len);
		at += len;
		text += len + strspn(text + len, " ");
		is_first = false;
	}
	buf_add_char(to, '\n');
}

static void
add_row(struct buf *to, const char *left, size_t cols, const char *text)
{
	size_t len = strlen(left);

	buf_addf(to, "  %s", left);
	if (len + 2 > cols) {
		buf_add_char(to, '\n');
		len = 0;
		add_blanks(to, 2);
	}
	add_blanks(to, cols - len);
	add_wrapped(to, text, cols + 2, cols + 2);
}

static void
add_noun(struct buf *to, const struct noun *noun)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_at((enum command_id)i);
		char left[NAME_COLS + SHORT_COLS + 8];

		if (!noun_has(noun, c))
			continue;
		snprintf(left, sizeof left, "%-*s %s", NAME_COLS - 1, c->name, c->short_name);
		add_row(to, left, NAME_COLS + SHORT_COLS, c->help);
	}
}

void
help_overview(struct buf *to)
{
	buf_add_str(to,
		"sandesk - Desktops with sandboxed sessions in the terminal\n\n"
		"usage: sandesk                       open the TUI\n"
		"       sandesk COMMAND [WORDS ...]   run a command by its name or short form\n");
	for (size_t i = 0; i < NOUN_COUNT; i++) {
		buf_addf(to, "\n%s\n", noun_at(i)->title);
		add_noun(to, noun_at(i));
	}
	buf_add_str(to,
		"\n\"sandesk help COMMAND\" or \"sandesk COMMAND --help\" explains one of them.\n");
}

void
help_command(const struct command *c, struct buf *to)
{
	AUTO(buf) struct buf usage = { 0 };
	struct arg_spec specs[ARGS_MAX];
	size_t n = command_args(c, specs);

	args_usage(c, &usage);
	buf_add_str(to, "usage: sandesk ");
	add_wrapped(to, usage.data, strlen("usage: sandesk "), strlen("usage: sandesk "));
	if (c->short_name[0])
		buf_addf(to, "short: sandesk %s ...\n", c->short_name);
	buf_add_char(to, '\n');
	add_wrapped(to, c->help, 0, 0);
	if (n)
		buf_add_char(to, '\n');
	for (size_t i = 0; i < n; i++) {
		AUTO(buf) struct buf label = { 0 };

		args_label(c, &specs[i], &label);
		add_row(to, label.data, ARG_COLS, help_argument(c, specs[i].name));
	}
}

int
help_words(const char *const *words, size_t n, struct buf *to, struct err *e)
{
	const struct command *c = NULL;
	json_t *args = NULL;
	const char *with_help[4] = { 0 };

	if (!n) {
		help_overview(to);
		return 0;
	}
	for (size_t i = 0; n == 1 && i < NOUN_COUNT; i++)
		if (words[0][0] && str_equal(noun_at(i)->word, words[0])) {
			buf_addf(to, "usage: sandesk %s COMMAND [WORDS ...]\n\n", words[0]);
			add_noun(to, noun_at(i));
			return 0;
		}
	if (n > 2)
		return err_set(e, -EINVAL,
			"help: a command has one word or two; \"sandesk help\" lists them all");
	for (size_t i = 0; i < n; i++)
		with_help[i] = words[i];
	with_help[n] = "--help";
	if (args_parse(with_help, n + 1, "/", &c, &args, e) < 0)
		return err_wrap(e, "help");
	json_decref(args);
	help_command(c, to);
	return 0;
}
