/* commands.h - the one command table. CLI, help, man page, completion, palette, key bindings,
 * JSON-RPC and audit read it.
 * Contract:  a row is id, name (`noun verb`), short form ("" for none), arguments, target, flags,
 *            help. Adding a command is one row, one function cmd_ID() (core/cmd for those the
 *            daemon runs, tui/cli for COMMAND_LOCAL) and one test. The JSON-RPC method is the name
 *            with a dot: `desktop.create`. Its params are the arguments by name, without dashes and
 *            with `_` for `-`; the target is `target`.
 * Arguments: blank-separated tokens, in order:
 *                word:type     a positional that must be given          --word:type   an option with a value
 *                word:type?    a positional that may be given           --word:type*  the same, may be repeated
 *                word:type*    all further positionals                  --word        a flag
 *                word:argv     the words behind `--` (argv?: may be left out)
 *            Types: enum arg_type. COMMAND_LISTS adds --json, COMMAND_ASKS adds --yes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* clang-format off */
#define ARG_TYPES(X)                                                                                  \
	X(NAME, name, "1-64 of A-Z a-z 0-9 . _ -, not starting with - or .")                          \
	X(TEXT, text, "any text without NUL bytes")                                                   \
	X(PATH, path, "a path; relative ones start at the current directory")                         \
	X(REGEX, regex, "a regular expression (PCRE2)")                                               \
	X(KEY, key, "a key: a, C-a, M-x, S-Up, Enter, Escape, F5")                                    \
	X(NUMBER, number, "a whole number, not negative")                                             \
	X(SIZE, size, "ROWSxCOLS, from 1x2 to 2000x5000")                                             \
	X(DURATION, duration, "seconds, or a number with ms, s, m or h")                              \
	X(ENV, env, "NAME=VALUE, or NAME to take the value from the caller's environment")            \
	X(ARGV, argv, "a command and its arguments")
/* clang-format on */

enum command_target {
	TARGET_NONE,
	TARGET_DESKTOP,		 /* DESKTOP, or a unique prefix */
	TARGET_OPTIONAL_DESKTOP, /* [DESKTOP] */
	TARGET_SESSION,		 /* DESKTOP/SESSION, or unique prefixes */
};

enum command_flag {
	COMMAND_MUTATES = 1 << 0, /* changes something: audited, refused for read-only callers */
	COMMAND_SLOW = 1 << 1,	  /* may take longer than a person wants to watch nothing */
	COMMAND_ASKS = 1 << 2,	  /* wants a yes: --yes, or the question answered at a terminal */
	COMMAND_LISTS = 1 << 3,	  /* prints a table, or JSON with --json */
	COMMAND_LOCAL = 1 << 4,	  /* runs in the client, not in the daemon */
};

/* clang-format off */
#define COMMANDS(X)                                                                                                    \
	X(desktop_create, "desktop create", "new", "name:name --dir:path --force", NONE, MUTATES,                      \
		"Make a Desktop: a name for a directory that sessions share; the directory is made when it is missing") \
	X(desktop_list, "desktop list", "ls", "", NONE, LISTS, "List the Desktops")                                    \
	X(desktop_show, "desktop show", "", "", DESKTOP, LISTS, "Show one Desktop")                                    \
	X(desktop_rename, "desktop rename", "", "to:name", DESKTOP, MUTATES, "Give a Desktop another name")            \
	X(desktop_remove, "desktop remove", "", "", DESKTOP, MUTATES | SLOW | ASKS,                                    \
		"Stop a Desktop's sessions and forget it; its directory is never touched")                             \
	X(session_start, "session start", "run",                                                                       \
		"--name:name --size:size --dir:path --env:env* --limit:text* --policy:text* cmd:argv?", DESKTOP, MUTATES,                            \
		"Start a sandboxed session; without a command the user's shell")                                       \
	X(session_list, "session list", "", "--all", OPTIONAL_DESKTOP, LISTS, "List sessions")                         \
	X(session_show, "session show", "", "", SESSION, LISTS, "Show one session")                                    \
	X(session_attach, "session attach", "attach", "--read-only", SESSION, LOCAL,                                   \
		"Open one session full screen; the prefix key and d detach")                                           \
	X(session_stop, "session stop", "", "--grace:duration", SESSION, MUTATES,                                      \
		"End a session: TERM, then KILL after the grace time (5 s)")                                           \
	X(session_kill, "session kill", "kill", "", SESSION, MUTATES | ASKS, "End a session at once")                  \
	X(session_pause, "session pause", "pause", "", SESSION, MUTATES,                                               \
		"Stop every process of a session where it is, until it is resumed")                                    \
	X(session_resume, "session resume", "resume", "", SESSION, MUTATES,                                            \
		"Let a paused session go on; a budget that it used up is granted once more")                           \
	X(session_restart, "session restart", "", "", SESSION, MUTATES,                                                \
		"Run the command of a session that has ended, or of one that is stopped for it, again")                \
	X(session_rename, "session rename", "", "to:name", SESSION, MUTATES, "Give a session another name")            \
	X(session_remove, "session remove", "", "", SESSION, MUTATES | ASKS,                                           \
		"Stop a session and forget it with its screen and scrollback")                                         \
	X(session_send, "session send", "send", "text:text --enter", SESSION, MUTATES, "Type text into a session")     \
	X(session_keys, "session keys", "", "keys:key*", SESSION, MUTATES, "Press keys in a session, by name")         \
	X(session_capture, "session capture", "capture",                                                               \
		"--history --last-output --from:number --to:number --ansi --html --svg --json", SESSION, ,              \
		"Print the screen of a session, its scrollback, or what its last command printed")                     \
	X(session_commands, "session commands", "", "", SESSION, LISTS,                                                \
		"List what ran in a session's shell, how long and with what status (where the shell marks it: "        \
		"OSC 133)")                                                                                            \
	X(session_explain, "session explain", "", "", SESSION, LISTS,                                                  \
		"Tell what each fact says of a session's status, and which one decides")                               \
	X(session_record, "session record", "", "file:path --for:duration", SESSION, LOCAL,                            \
		"Record what a session prints to an asciicast file, until Ctrl-C or its end")                          \
	X(session_replay, "session replay", "", "file:path --speed:text", NONE, LOCAL,                                 \
		"Play an asciicast file; q ends it")                                                                   \
	X(session_search, "session search", "search", "pattern:text --regex --limit:number", SESSION, LISTS,           \
		"Find text in the screen and scrollback of a session")                                                 \
	X(session_wait, "session wait", "wait",                                                                        \
		"--text:regex --exit --quiet:duration --timeout:duration", SESSION, ,                                   \
		"Wait until a session shows a text, ends, or has printed nothing for a time")                          \
	X(session_resize, "session resize", "", "size:size", SESSION, MUTATES, "Change the size of a session")         \
	X(session_exec, "session exec", "exec", "--dir:path --env:env* --limit:text* --policy:text* cmd:argv", DESKTOP, MUTATES | LOCAL,            \
		"Run a command in a sandbox to its end; output and exit status are its own")                           \
	X(policy_show, "policy show", "", "--session:name", DESKTOP, LISTS,                                            \
		"Show what a Desktop's sessions may see and do, where each rule comes from, and the steps that build a sandbox") \
	X(policy_set, "policy set", "", "pairs:text* --unset:text*", DESKTOP, MUTATES,                                 \
		"Change the policy of a Desktop: KEY=VALUE ...; sessions that run keep theirs until they are restarted")  \
	X(policy_check, "policy check", "", "", DESKTOP, LISTS, "Say what this machine gives of a Desktop's policy")    \
	X(daemon_start, "daemon start", "", "", NONE, LOCAL, "Start the daemon (every command does so by itself)")     \
	X(daemon_stop, "daemon stop", "", "--sessions", NONE, MUTATES,                                                 \
		"Stop the daemon; sessions go on unless --sessions is given")                                          \
	X(daemon_status, "daemon status", "", "", NONE, LISTS, "Show the daemon and where it logs")                    \
	X(debug_screen, "debug screen", "", "--size:size", NONE, LOCAL,                                                \
		"Feed the bytes of standard input to the terminal core and print the screen")                          \
	X(demo, "demo", "", "--keep", NONE, LOCAL,                                                                     \
		"Show a Desktop with a build, tests and two agents, in a directory of its own; --keep leaves it there") \
	X(theme_list, "theme list", "", "", NONE, LOCAL | LISTS, "List the themes and where they are")                 \
	X(theme_check, "theme check", "", "file:path", NONE, LOCAL,                                                    \
		"Tell what is wrong in a theme file: unknown roles, and contrast below 4.5 : 1")                       \
	X(doctor, "doctor", "", "--strict", NONE, LOCAL | LISTS,                                                       \
		"Try every wall of a sandbox on this machine, and tell what mends those that are missing")             \
	X(version, "version", "", "", NONE, LOCAL, "Print the version")                                                \
	X(help, "help", "", "words:text* --man --completion:text", NONE, LOCAL,                                        \
		"Explain the commands, or one of them; --man prints the manual page, --completion bash|zsh|fish")
/* clang-format on */

#define X(id, ...) COMMAND_##id,
enum command_id { COMMANDS(X) COMMAND_COUNT };
#undef X

#define X(upper, lower, help) ARG_##upper,
enum arg_type { ARG_TYPES(X) ARG_FLAG, ARG_TYPE_COUNT };
#undef X

struct command {
	enum command_id id;
	const char *name;
	const char *short_name;
	const char *args;
	enum command_target target;
	unsigned flags; /* enum command_flag */
	const char *help;
};

/* The table itself, COMMAND_COUNT rows in the order of enum command_id. */
const struct command *command_at(enum command_id id);

/* Finds a command by its JSON-RPC method ("session.start"); NULL when there is none. */
const struct command *command_by_method(const char *method);

/* Writes the JSON-RPC method of a command ("session.start"). */
void command_method(const struct command *c, char *to, size_t size);

/* One parsed token of command.args (the target and the options that flags add come as tokens
 * too). */
struct arg_spec {
	char name[24];
	enum arg_type type;
	bool is_option; /* --word */
	bool is_required;
	bool is_repeated;
};

enum { ARGS_MAX = 12 };

/* All arguments of a command in order; returns their number, at most ARGS_MAX. */
size_t command_args(const struct command *c, struct arg_spec to[ARGS_MAX]);
