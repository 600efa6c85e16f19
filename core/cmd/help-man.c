#include "sandesk/help.h"

#include <assert.h>
#include <string.h>

#include "sandesk/args.h"
#include "sandesk/base/buf.h"
#include "sandesk/commands.h"

#include "cmd/nouns.h"

enum { LINE_BYTES = 78 };

/* A line of the manual page: text that is escaped, or roff as it stands. */
struct man_line {
	bool is_roff;
	const char *text;
};

static const struct man_line man_description[] = {
	{ false, "keeps named Desktops in the terminal. A Desktop is one working directory plus "
		 "several sessions that run at "
		 "the same time, each in its own sandbox, all sharing that directory. Without "
		 "words it opens the TUI: a tree "
		 "of Desktops and sessions, and panes with live terminals." },
	{ true, ".PP" },
	{ false, "A session outlives everything but its own command. The terminal may close, the "
		 "daemon may be killed or "
		 "upgraded: sessions go on, and the next command finds them with screen and "
		 "scrollback." },
	{ true, ".PP" },
	{ false, "The daemon is started by the first command that needs it. Inside a session "
		 "sandesk does not open: it "
		 "says where it is instead." },
};

static const struct man_line man_targets[] = {
	{ false, "A Desktop is named by its name, a session by DESKTOP/SESSION. A unique prefix of "
		 "either is enough, as in "
		 "\"sh/ap\" for \"shop/api\"; when several match they are listed and nothing is "
		 "done. Options stand before "
		 "or behind other words, as \"--size 24x80\" or \"--size=24x80\". Behind \"--\" "
		 "nothing is an option." },
};

static const struct man_line man_exit[] = {
	{ true, ".TP" },
	{ true, "0" },
	{ false, "It is done." },
	{ true, ".TP" },
	{ true, "1" },
	{ false, "It could not be done; one line on standard error says what failed, why, and what "
		 "to do." },
	{ true, ".TP" },
	{ true, "2" },
	{ false, "Wrong usage." },
	{ true, ".PP" },
	{ false, "\"session exec\" ends with the exit status of its command, or with 128 and the "
		 "number of the signal that "
		 "ended it; with 125 when the sandbox could not be built, 126 when the command is "
		 "not executable, 127 when "
		 "it does not exist. \"session start\" uses 125, 126 and 127 in the same way." },
};

static const struct man_line man_environment[] = {
	{ true, ".TP" },
	{ true, ".B XDG_RUNTIME_DIR" },
	{ false, "Sockets are in sandesk/ below it, else in /tmp/sandesk-UID." },
	{ true, ".TP" },
	{ true, ".BR XDG_STATE_HOME ,\\~ XDG_CONFIG_HOME" },
	{ false, "Where the state and the configuration are kept; without them ~/.local/state and "
		 "~/.config." },
	{ true, ".TP" },
	{ true, ".B TERM" },
	{ false, "The terminal that the TUI draws for. Inside a session it is xterm-256color." },
	{ true, ".TP" },
	{ true, ".B NO_COLOR" },
	{ false, "When set, the TUI uses no colours." },
	{ true, ".TP" },
	{ true, ".B SANDESK_SESSION" },
	{ false, "Set inside a session to DESKTOP/SESSION." },
};

static const struct man_line man_files[] = {
	{ true, ".TP" },
	{ true, ".I ~/.config/sandesk/sandesk.ini" },
	{ false, "Configuration, as \"prefix = C-Space\" in the section [keys]. \"erase_history = yes\" "
		 "in the section [terminal] lets programs erase the scrollback (CSI 3 J, as clear "
		 "does); without it they cannot. \"clipboard = ask\" there says what becomes of text "
		 "that a program wants in the clipboard: ask (a line says so and the prefix key and y "
		 "copy it), yes or no." },
	{ true, ".TP" },
	{ true, ".I ~/.local/state/sandesk/catalog.db" },
	{ false, "Desktops, sessions, layouts." },
	{ true, ".TP" },
	{ true, ".I ~/.local/state/sandesk/daemon.log" },
	{ false, "What happened." },
	{ true, ".TP" },
	{ true, ".I ~/.local/state/sandesk/homes/" },
	{ false, "The private home directory of each Desktop." },
};

static const struct man_line man_examples[] = {
	{ false, "A Desktop with a server and a shell, a command in it, and its end:" },
	{ true, ".PP\n.RS 4\n.nf" },
	{ false, "sandesk new shop --dir ~/src/shop" },
	{ false, "sandesk run shop --name api -- python3 -m http.server 8000" },
	{ false, "sandesk run shop --name sh" },
	{ false, "sandesk send shop/sh 'make test' --enter" },
	{ false, "sandesk wait shop/sh --quiet 5 --timeout 10m && sandesk capture shop/sh" },
	{ false, "sandesk exec shop -- sh -c 'cat notes.txt; exit 7'" },
	{ false, "sandesk attach shop/sh" },
	{ false, "sandesk desktop remove shop --yes" },
	{ true, ".fi\n.RE" },
};

/* Text as roff shows it unchanged (groff_char(7): a bare "-" is a hyphen, not the minus that people
 * type). */
static void
roff_text(struct buf *to, const char *text)
{
	if (*text == '.' || *text == '\'')
		buf_add_str(to, "\\&");
	for (; *text; text++) {
		if (*text == '\\')
			buf_add_str(to, "\\e");
		else if (*text == '-')
			buf_add_str(to, "\\-");
		else if (*text == '~')
			buf_add_str(to, "\\(ti");
		else if (*text == '\'')
			buf_add_str(to, "\\(aq");
		else if (*text == '^')
			buf_add_str(to, "\\(ha");
		else
			buf_add_char(to, *text);
	}
}

/* A line of text, broken where roff fills it anyway. */
static void
roff_line(struct buf *to, const char *text)
{
	AUTO(buf) struct buf whole = { 0 };
	size_t at = 0;

	roff_text(&whole, text);
	for (const char *p = whole.data; *p;) {
		size_t len = strcspn(p, " ");

		if (at)
			buf_add_char(to, at + 1 + len > LINE_BYTES ? '\n' : ' ');
		if (at + 1 + len > LINE_BYTES)
			at = 0;
		if (!at && *p == '.')
			buf_add_str(to, "\\&");
		buf_add(to, p, len);
		at += len + 1;
		p += len + strspn(p + len, " ");
	}
	buf_add_char(to, '\n');
}

static void
roff_lines(struct buf *to, const struct man_line *lines, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (lines[i].is_roff)
			buf_addf(to, "%s\n", lines[i].text);
		else
			roff_line(to, lines[i].text);
	}
}

static void
roff_section(struct buf *to, const char *title, const struct man_line *lines, size_t n)
{
	buf_addf(to, ".SH %s\n", title);
	roff_lines(to, lines, n);
}

static void
roff_command(struct buf *to, const struct command *c)
{
	AUTO(buf) struct buf usage = { 0 }, sentence = { 0 };
	struct arg_spec specs[ARGS_MAX];
	size_t n = command_args(c, specs), len = strlen(c->name);

	args_usage(c, &usage);
	buf_addf(to, ".TP\n\\fB%s\\fR", c->name);
	roff_text(to, usage.data + len);
	buf_add_char(to, '\n');
	buf_addf(&sentence, "%s.", c->help);
	roff_line(to, sentence.data);
	if (c->short_name[0])
		buf_addf(to, "Short form:\n.BR %s .\n", c->short_name);
	if (n)
		buf_add_str(to, ".RS 7\n");
	for (size_t i = 0; i < n; i++) {
		AUTO(buf) struct buf label = { 0 };

		args_label(c, &specs[i], &label);
		buf_add_str(to, ".TP\n");
		roff_line(to, label.data);
		assert(help_argument(c, specs[i].name)); /* a row of the table without a word of help */
		roff_line(to, help_argument(c, specs[i].name));
	}
	if (n)
		buf_add_str(to, ".RE\n");
}

static void
roff_types(struct buf *to)
{
	static const struct {
		const char *name, *text;
	} types[] = {
#define X(upper, lower, help) { #upper, help },
		ARG_TYPES(X)
#undef X
	};

	buf_add_str(to, ".SH VALUES\n");
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		buf_addf(to, ".TP\n.I %s\n", types[i].name);
		roff_line(to, types[i].text);
	}
}

void
help_man(struct buf *to)
{
	buf_add_str(to,
		".\\\" Made from the command table by \"sandesk help --man\": change that, not "
		"this.\n"
		".TH SANDESK 1 2026-11-30 \"sandesk " SANDESK_VERSION "\" \"User Commands\"\n"
		".SH NAME\nsandesk \\- Desktops with sandboxed sessions in the terminal\n"
		".SH SYNOPSIS\n.B sandesk\n.RI [ COMMAND\\~ [ WORDS\\~ ...]]\n"
		".SH DESCRIPTION\n.B sandesk\n");
	roff_lines(to, man_description, ARRAY_LEN(man_description));
	roff_section(to, "TARGETS AND OPTIONS", man_targets, ARRAY_LEN(man_targets));
	buf_add_str(to, ".SH COMMANDS\n");
	for (size_t i = 0; i < NOUN_COUNT; i++) {
		buf_addf(to, ".SS %s\n", noun_at(i)->title);
		for (size_t k = 0; k < COMMAND_COUNT; k++)
			if (noun_has(noun_at(i), command_at((enum command_id)k)))
				roff_command(to, command_at((enum command_id)k));
	}
	roff_types(to);
	roff_section(to, "EXIT STATUS", man_exit, ARRAY_LEN(man_exit));
	roff_section(to, "ENVIRONMENT", man_environment, ARRAY_LEN(man_environment));
	roff_section(to, "FILES", man_files, ARRAY_LEN(man_files));
	roff_section(to, "EXAMPLES", man_examples, ARRAY_LEN(man_examples));
}
