#include "sandesk/help.h"

#include <errno.h>
#include <string.h>

#include "sandesk/args.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/commands.h"

#include "cmd/nouns.h"

/* The three scripts do the same: the first word, the second word behind a noun, options, then the
 * names of Desktops or sessions as `sandesk ls` prints them (first column, below a line of titles),
 * and behind `--` a command. */

/* ---- what the scripts take from the table ---- */

/* Words that may come first: nouns, commands of one word, short forms. */
static void
add_first_words(struct buf *to)
{
	for (size_t i = 0; i < NOUN_COUNT; i++)
		if (noun_at(i)->word[0])
			buf_addf(to, "%s ", noun_at(i)->word);
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_at((enum command_id)i);

		if (!strchr(c->name, ' '))
			buf_addf(to, "%s ", c->name);
		if (c->short_name[0])
			buf_addf(to, "%s ", c->short_name);
	}
	to->data[--to->len] = 0;
}

static void
add_verbs(struct buf *to, const struct noun *noun)
{
	const char *between = "";

	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_at((enum command_id)i);

		if (!noun_has(noun, c))
			continue;
		buf_addf(to, "%s%s", between, c->name + strlen(noun->word) + 1);
		between = " ";
	}
}

static void
add_options(struct buf *to, const struct command *c)
{
	struct arg_spec specs[ARGS_MAX];
	size_t n = command_args(c, specs);

	for (size_t i = 0; i < n; i++)
		if (specs[i].is_option)
			buf_addf(to, "--%s ", specs[i].name);
	buf_add_str(to, "--help");
}

static const char *
target_word(const struct command *c)
{
	if (c->target == TARGET_SESSION)
		return "session";
	return c->target == TARGET_NONE ? "none" : "desktop";
}

/* Options of all commands whose value is of a type, "--dir|--path". */
static void
add_options_of(struct buf *to, bool is_path, const char *between)
{
	AUTO(buf) struct buf seen = { 0 };

	buf_add_char(&seen, ' ');
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		struct arg_spec specs[ARGS_MAX];
		size_t n = command_args(command_at((enum command_id)i), specs);

		for (size_t k = 0; k < n; k++) {
			AUTO(mem) char *word = str_format(" --%s ", specs[k].name);

			if (!specs[k].is_option || specs[k].type == ARG_FLAG ||
				(specs[k].type == ARG_PATH) != is_path || strstr(seen.data, word))
				continue;
			buf_addf(to, "%s--%s", seen.len > 1 ? between : "", specs[k].name);
			buf_add_str(&seen, word + 1);
		}
	}
}

/* ---- bash and zsh: a `case` over the command ---- */

static void
add_cases(struct buf *to)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_at((enum command_id)i);

		buf_addf(to, "\t'%s'", c->name);
		if (c->short_name[0])
			buf_addf(to, "|%s", c->short_name);
		buf_addf(to, ") target=%s options='", target_word(c));
		add_options(to, c);
		buf_add_str(to, "' ;;\n");
	}
}

static void
add_noun_cases(struct buf *to, const char *first_index, const char *words)
{
	for (size_t i = 0; i < NOUN_COUNT; i++) {
		if (!noun_at(i)->word[0])
			continue;
		buf_addf(to, "\t%s) verbs='", noun_at(i)->word);
		add_verbs(to, noun_at(i));
		buf_addf(to, "' first=%s command=\"%s\" ;;\n", first_index, words);
	}
}

static const char names_function[] = "# First column of a listing, without its line of titles.\n"
				     "_sandesk_names()\n"
				     "{\n"
				     "\tlocal name rest\n"
				     "\tsandesk \"$1\" list 2>/dev/null | {\n"
				     "\t\tread -r rest\n"
				     "\t\twhile read -r name rest; do\n"
				     "\t\t\tprintf '%s\\n' \"$name\"\n"
				     "\t\tdone\n"
				     "\t}\n"
				     "}\n\n";

static void
completion_bash(struct buf *to)
{
	buf_addf(to,
		"# bash completion of sandesk, made by \"sandesk help --completion bash\"\n\n%s"
		"_sandesk()\n"
		"{\n"
		"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
		"\tlocal verbs='' first=2 command=${COMP_WORDS[1]} target=none options='' i\n\n"
		"\tCOMPREPLY=()\n"
		"\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
		"\t\tCOMPREPLY=($(compgen -W '",
		names_function);
	add_first_words(to);
	buf_add_str(to, "' -- \"$cur\"))\n"
			"\t\treturn\n"
			"\tfi\n"
			"\tcase $command in\n");
	add_noun_cases(to, "3", "${COMP_WORDS[1]} ${COMP_WORDS[2]}");
	buf_add_str(to, "\tesac\n"
			"\tif [ -n \"$verbs\" ] && [ \"$COMP_CWORD\" -eq 2 ]; then\n"
			"\t\tCOMPREPLY=($(compgen -W \"$verbs\" -- \"$cur\"))\n"
			"\t\treturn\n"
			"\tfi\n"
			"\tcase $command in\n");
	add_cases(to);
	buf_add_str(to, "\tesac\n"
			"\tfor ((i = first; i < COMP_CWORD; i++)); do\n"
			"\t\tif [ \"${COMP_WORDS[i]}\" = -- ]; then\n"
			"\t\t\tif [ $((i + 1)) -eq \"$COMP_CWORD\" ]; then\n"
			"\t\t\t\tCOMPREPLY=($(compgen -c -- \"$cur\"))\n"
			"\t\t\tfi\n"
			"\t\t\treturn\n"
			"\t\tfi\n"
			"\tdone\n"
			"\tcase $prev in\n\t");
	add_options_of(to, true, "|");
	buf_add_str(to, ") COMPREPLY=($(compgen -d -- \"$cur\")); return ;;\n\t--completion) "
			"COMPREPLY=($(compgen -W "
			"'bash zsh fish' -- \"$cur\")); return ;;\n\t");
	add_options_of(to, false, "|");
	buf_add_str(to,
		") return ;;\n"
		"\tesac\n"
		"\tif [ \"${cur:0:1}\" = - ]; then\n"
		"\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
		"\telif [ \"$target\" != none ] && [ \"$COMP_CWORD\" -eq \"$first\" ]; then\n"
		"\t\tCOMPREPLY=($(compgen -W \"$(_sandesk_names \"$target\")\" -- \"$cur\"))\n"
		"\tfi\n"
		"}\n\n"
		"complete -o default -F _sandesk sandesk\n");
}

static void
completion_zsh(struct buf *to)
{
	buf_addf(to,
		"#compdef sandesk\n"
		"# zsh completion of sandesk, made by \"sandesk help --completion zsh\"\n\n%s"
		"_sandesk()\n"
		"{\n"
		"\tlocal cur=${words[CURRENT]} prev=${words[CURRENT-1]}\n"
		"\tlocal verbs='' first=3 command=${words[2]} target=none options='' behind\n\n"
		"\tif (( CURRENT == 2 )); then\n"
		"\t\tcompadd -- ",
		names_function);
	add_first_words(to);
	buf_add_str(to, "\n"
			"\t\treturn\n"
			"\tfi\n"
			"\tcase $command in\n");
	add_noun_cases(to, "4", "${words[2]} ${words[3]}");
	buf_add_str(to, "\tesac\n"
			"\tif [[ -n $verbs ]] && (( CURRENT == 3 )); then\n"
			"\t\tcompadd -- ${=verbs}\n"
			"\t\treturn\n"
			"\tfi\n"
			"\tcase $command in\n");
	add_cases(to);
	buf_add_str(to, "\tesac\n"
			"\tbehind=${words[(i)--]}\n"
			"\tif (( behind < CURRENT )); then\n"
			"\t\tshift $behind words\n"
			"\t\t(( CURRENT -= behind ))\n"
			"\t\t_normal\n"
			"\t\treturn\n"
			"\tfi\n"
			"\tcase $prev in\n\t");
	add_options_of(to, true, "|");
	buf_add_str(to,
		") _files -/; return ;;\n\t--completion) compadd -- bash zsh fish; return ;;\n\t");
	add_options_of(to, false, "|");
	buf_add_str(to, ") return ;;\n"
			"\tesac\n"
			"\tif [[ $cur == -* ]]; then\n"
			"\t\tcompadd -- ${=options}\n"
			"\telif [[ $target != none ]] && (( CURRENT == first )); then\n"
			"\t\tcompadd -- ${(f)\"$(_sandesk_names $target)\"}\n"
			"\tfi\n"
			"}\n\n"
			"if [ \"$funcstack[1]\" = _sandesk ]; then\n"
			"\t_sandesk \"$@\"\n"
			"else\n"
			"\tcompdef _sandesk sandesk\n"
			"fi\n");
}

/* ---- fish: one `complete` line per word and option ---- */

static const char fish_functions[] =
	"# fish completion of sandesk, made by \"sandesk help --completion fish\"\n\n"
	"# First column of a listing, without its line of titles.\n"
	"function __sandesk_names\n"
	"\tsandesk $argv[1] list 2>/dev/null | string replace -r ' .*' '' | tail -n +2\n"
	"end\n\n"
	"# Is the line at its n-th word?\n"
	"function __sandesk_at\n"
	"\ttest (count (commandline -opc)) -eq $argv[1]\n"
	"end\n\n"
	"function __sandesk_noun\n"
	"\tset -l words (commandline -opc)\n"
	"\ttest (count $words) -eq 2 -a \"$words[2]\" = $argv[1]\n"
	"end\n\n"
	"# Is the line of this command, by its name or its short form, and not behind --?\n"
	"function __sandesk_in\n"
	"\tset -l words (commandline -opc)\n"
	"\tcontains -- -- $words; and return 1\n"
	"\ttest (count $words) -ge 2 -a \"$words[2]\" = \"$argv[2]\"; and return 0\n"
	"\ttest \"$words[2] $words[3]\" = \"$argv[1]\" -o \"$words[2]\" = \"$argv[1]\"\n"
	"end\n\n"
	"# Is the line at the first word behind the command?\n"
	"function __sandesk_target\n"
	"\t__sandesk_in $argv; or return 1\n"
	"\tset -l words (commandline -opc)\n"
	"\tif test \"$words[2]\" = \"$argv[2]\"\n"
	"\t\ttest (count $words) -eq 2\n"
	"\telse\n"
	"\t\ttest (count $words) -eq 3\n"
	"\tend\n"
	"end\n\n"
	"# The command behind --, completed as if it stood alone.\n"
	"function __sandesk_command\n"
	"\tset -l words (commandline -opc)\n"
	"\tset -e words[1..(contains -i -- -- $words)]\n"
	"\tcomplete -C (string join ' ' -- (string escape -- $words) (commandline -ct))\n"
	"end\n\n"
	"complete -c sandesk -f\n";

/* Text within '...' of fish. */
static void
fish_text(struct buf *to, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			buf_add_char(to, '\\');
		buf_add_char(to, *text);
	}
}

static void
fish_word(struct buf *to, const char *condition, const char *argument, const char *word,
	const char *text)
{
	buf_addf(to, "complete -c sandesk -n '%s %s' -a '%s' -d '", condition, argument, word);
	fish_text(to, text);
	buf_add_str(to, "'\n");
}

/* What may stand behind an option. */
static const char *
fish_values(const struct arg_spec *s)
{
	if (s->type == ARG_FLAG)
		return "";
	if (s->type == ARG_PATH)
		return " -r -a '(__fish_complete_directories)'";
	return str_equal(s->name, "completion") ? " -x -a 'bash zsh fish'" : " -x";
}

static void
fish_command(struct buf *to, const struct command *c)
{
	struct arg_spec specs[ARGS_MAX];
	size_t n = command_args(c, specs);

	for (size_t i = 0; i < n; i++) {
		if (!specs[i].is_option)
			continue;
		buf_addf(to, "complete -c sandesk -n '__sandesk_in \"%s\" \"%s\"' -l %s%s -d '",
			c->name, c->short_name, specs[i].name, fish_values(&specs[i]));
		fish_text(to, help_argument(c, specs[i].name));
		buf_add_str(to, "'\n");
	}
	if (c->target != TARGET_NONE)
		buf_addf(to,
			"complete -c sandesk -n '__sandesk_target \"%s\" \"%s\"' -a "
			"'(__sandesk_names %s)'\n",
			c->name, c->short_name, target_word(c));
}

static void
completion_fish(struct buf *to)
{
	buf_add_str(to, fish_functions);
	for (size_t i = 0; i < NOUN_COUNT; i++)
		if (noun_at(i)->word[0])
			fish_word(to, "__sandesk_at", "1", noun_at(i)->word, noun_at(i)->title);
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_at((enum command_id)i);
		size_t noun_len = strcspn(c->name, " ");
		AUTO(mem) char *noun = str_format("%.*s", (int)noun_len, c->name);

		if (c->name[noun_len])
			fish_word(to, "__sandesk_noun", noun, c->name + noun_len + 1, c->help);
		else
			fish_word(to, "__sandesk_at", "1", c->name, c->help);
		if (c->short_name[0])
			fish_word(to, "__sandesk_at", "1", c->short_name, c->help);
		fish_command(to, c);
	}
	buf_add_str(to, "complete -c sandesk -n 'contains -- -- (commandline -opc)' -a "
			"'(__sandesk_command)'\n");
}

static const struct {
	const char *name;
	void (*add)(struct buf *to);
} shells[] = { { "bash", completion_bash }, { "zsh", completion_zsh },
	{ "fish", completion_fish } };

int
help_completion(const char *shell, struct buf *to, struct err *e)
{
	AUTO(buf) struct buf shown = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(shells); i++)
		if (str_equal(shells[i].name, shell)) {
			shells[i].add(to);
			return 0;
		}
	str_escape(&shown, shell, strnlen(shell, 40));
	return err_set(e, -EINVAL,
		"--completion: \"%s\" is no shell that is known; give bash, zsh or fish",
		shown.len ? shown.data : "");
}
