/* args-parts.h - what the files of the argument parser share: args.c (words), args-check.c (rules),
 * args-find.c (which command), args-near.c (what was meant), args-usage.c (how it is written),
 * args-split.c (a line).
 * Contract:  messages name an argument as a person writes it, and show at most a short, escaped
 *            piece of what was given.
 * Errors:    -EINVAL with the reason, without the command's name, which args_wrong() puts in front.
 */
#pragma once

#include "sandesk/args.h"
#include "sandesk/types.h"

enum { ARG_LABEL_BYTES = 40 };

/* ---- args-usage.c ---- */

/* Arguments of one command of which exactly one (is_needed) or at most one may be given. */
struct arg_group {
	enum command_id id;
	bool is_needed;
	const char *names[4];
};

const struct arg_group *args_group_of(const struct command *c, const char *name);
/* NULL: from the first */
const struct arg_group *args_next_group(const struct command *c, const struct arg_group *after);

/* "--size", "DESKTOP", "TEXT" */
void args_add_name(struct buf *to, const struct command *c, const struct arg_spec *s);
void args_name(const struct command *c, const struct arg_spec *s, char to[ARG_LABEL_BYTES]);

/* What stands for a value of a type: "ROWSxCOLS" */
const char *args_placeholder(enum arg_type type);

/* ---- args-near.c ---- */

enum { NEAR_NAMES = 3 };

struct near { /* zeroed at first */
	const char *names[NEAR_NAMES];
	unsigned distance; /* edits to each of them */
	size_t n;
};

/* Keeps the names that are nearest to what was typed, all equally near; what is too far to be meant
 * is left out. */
void near_try(struct near *near, const char *typed, const char *name);

/* The same, where only a word of the name can have been meant: "stop" of "session stop". */
void near_try_word(struct near *near, const char *typed, const char *word, const char *name);

/* "--name, --size" */
void near_add(const struct near *near, const char *prefix, struct buf *to);

/* ---- args-find.c ---- */

/* The command that the first words name, and how many they are. */
int args_find_command(const char *const *words, size_t n, const struct command **ret,
	size_t *ret_used, struct err *e);
bool args_is_noun(const char *word);

/* A piece of a word for a message. */
void args_add_shown(struct buf *to, const char *text);

/* ---- args-check.c ---- */

typedef int arg_check_fn(
	const struct command *c, const struct arg_spec *s, const char *text, struct err *e);

/* Checks a text by its type. Not for flags and durations. */
arg_check_fn args_check_text;

int args_bad_value(const struct command *c, const struct arg_spec *s, const char *text,
	const char *why, struct err *e);
int args_size(const char *text, struct size *ret);
bool args_is_env_name(const char *text, size_t len);

/* The member of the JSON object: `_` for `-`. */
enum { ARG_KEY_BYTES = sizeof((struct arg_spec *)0)->name };
void args_key(const struct arg_spec *s, char to[ARG_KEY_BYTES]);

/* What is required is there, and of a group no more than allowed. */
int args_check_present(const struct command *c, const struct arg_spec *specs, size_t n,
	const json_t *args, struct err *e);

/* Puts the command's name in front of what is wrong. Returns -EINVAL. */
int args_wrong(const struct command *c, struct err *e);
