#include "cmd/args-parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

struct parse {
	const struct command *c;
	struct arg_spec specs[ARGS_MAX];
	size_t nspecs;
	const char *const *words;
	size_t n, pos;
	const char *cwd;
	json_t *args;
	size_t positionals; /* words that were taken as such */
	struct err *e;
};

static void
json_drop(json_t **j)
{
	json_decref(*j);
}

/* The forms that only a person writes: a relative path, a variable without its value. */
static int
complete_text(struct parse *p, const struct arg_spec *s, const char *text, char **ret)
{
	const char *value;

	if (s->type == ARG_PATH && !*text)
		return args_bad_value(p->c, s, text, "is empty; give a path", p->e);
	if (s->type == ARG_PATH && *text != '/') {
		if (!p->cwd)
			return args_bad_value(p->c, s, text,
				"is relative and the current directory is gone; give an absolute "
				"path",
				p->e);
		*ret = str_equal(text, ".") ? str_dup(p->cwd)
					    : str_format("%s%s%s", p->cwd,
						      str_equal(p->cwd, "/") ? "" : "/", text);
		return 0;
	}
	if (s->type == ARG_ENV && args_is_env_name(text, strlen(text))) {
		value = getenv(text);
		if (!value)
			return args_bad_value(p->c, s, text,
				"is not set in the environment; set it or give NAME=VALUE", p->e);
		*ret = str_format("%s=%s", text, value);
		return 0;
	}
	*ret = str_dup(text);
	return 0;
}

static int
value_duration(struct parse *p, const struct arg_spec *s, const char *text, json_t **ret)
{
	int64_t ms;
	int rc = str_to_ms(text, &ms);

	if (rc == -ERANGE)
		return args_bad_value(p->c, s, text, "is longer than a year; give less", p->e);
	if (rc < 0)
		return args_bad_value(p->c, s, text,
			"is no time; give seconds, or a number with ms, s, m or h", p->e);
	*ret = json_integer(ms);
	return 0;
}

static int
value_of(struct parse *p, const struct arg_spec *s, const char *text, json_t **ret)
{
	AUTO(mem) char *whole = NULL;
	struct size size;

	if (s->type == ARG_DURATION)
		return value_duration(p, s, text, ret);
	if (complete_text(p, s, text, &whole) < 0)
		return -EINVAL;
	if (args_check_text(p->c, s, whole, p->e) < 0)
		return -EINVAL;
	if (s->type == ARG_SIZE && args_size(whole, &size) == 0)
		*ret = json_sprintf("%ux%u", size.rows, size.cols);
	else
		*ret = json_string(whole);
	/* jansson takes UTF-8 only, and so does everything that shows the value later */
	if (!*ret)
		return args_bad_value(p->c, s, s->type == ARG_ENV ? "(value)" : whole,
			"is not valid UTF-8", p->e);
	return 0;
}

static int
store(struct parse *p, const struct arg_spec *s, const char *text)
{
	AUTO(json) json_t *value = NULL;
	char key[ARG_KEY_BYTES], label[ARG_LABEL_BYTES];
	json_t *list;

	args_key(s, key);
	if (s->type == ARG_FLAG)
		return json_object_set_new(p->args, key, json_true());
	list = json_object_get(p->args, key);
	if (list && !s->is_repeated && s->type != ARG_ARGV) {
		args_name(p->c, s, label);
		return err_set(p->e, -EINVAL, "%s: is given twice; give it once", label);
	}
	if (value_of(p, s, text, &value) < 0)
		return -EINVAL;
	if (!s->is_repeated && s->type != ARG_ARGV)
		return json_object_set(p->args, key, value);
	if (!list) {
		list = json_array();
		json_object_set_new(p->args, key, list);
	}
	return json_array_append(list, value);
}

static int
unknown_option(struct parse *p, const char *word, size_t len)
{
	AUTO(buf) struct buf shown = { 0 }, offer = { 0 };
	AUTO(mem) char *name = mem_zero(len + 1, 1);
	struct near near = { 0 };
	const char *between = "";

	memcpy(name, word, len);
	args_add_shown(&shown, name);
	for (size_t i = 0; i < p->nspecs; i++)
		if (p->specs[i].is_option)
			near_try(&near, name + strspn(name, "-"), p->specs[i].name);
	near_add(&near, "--", &offer);
	if (near.n)
		return err_set(
			p->e, -EINVAL, "%s: no such option; nearest: %s", shown.data, offer.data);
	for (size_t i = 0; i < p->nspecs; i++)
		if (p->specs[i].is_option) {
			buf_addf(&offer, "%s--%s", between, p->specs[i].name);
			between = ", ";
		}
	return err_set(p->e, -EINVAL,
		"%s: no such option; %s%s; write -- before text that begins with \"-\"", shown.data,
		offer.len ? "there are " : "this command has none", offer.len ? offer.data : "");
}

/* One option at words[pos], with its value there or in the next word. */
static int
parse_option(struct parse *p)
{
	const char *word = p->words[p->pos++], *equals = strchr(word, '=');
	size_t len = equals ? (size_t)(equals - word) : strlen(word);
	const struct arg_spec *s = NULL;

	for (size_t i = 0; i < p->nspecs && !s; i++)
		if (p->specs[i].is_option && len > 2 && strlen(p->specs[i].name) == len - 2 &&
			str_has_prefix(word, "--") &&
			memcmp(p->specs[i].name, word + 2, len - 2) == 0)
			s = &p->specs[i];
	if (!s)
		return unknown_option(p, word, len);
	if (s->type == ARG_FLAG)
		return equals ? err_set(p->e, -EINVAL, "--%s: takes no value; leave \"=...\" out",
					s->name)
			      : store(p, s, NULL);
	if (equals)
		return store(p, s, equals + 1);
	if (p->pos == p->n || str_has_prefix(p->words[p->pos], "--"))
		return err_set(p->e, -EINVAL, "--%s: its value is missing; give --%s %s", s->name,
			s->name, args_placeholder(s->type));
	return store(p, s, p->words[p->pos++]);
}

static const struct arg_spec *
argv_spec(const struct parse *p)
{
	for (size_t i = 0; i < p->nspecs; i++)
		if (p->specs[i].type == ARG_ARGV)
			return &p->specs[i];
	return NULL;
}

static int
parse_positional(struct parse *p)
{
	AUTO(buf) struct buf shown = { 0 };
	const char *word = p->words[p->pos++];
	size_t at = 0;

	for (size_t i = 0; i < p->nspecs; i++) {
		const struct arg_spec *s = &p->specs[i];

		if (s->is_option || s->type == ARG_ARGV)
			continue;
		if (s->is_repeated || at == p->positionals) {
			p->positionals++;
			return store(p, s, word);
		}
		at++;
	}
	args_add_shown(&shown, word);
	return err_set(p->e, -EINVAL, "\"%s\" is one word too many; %s",
		shown.data ? shown.data : "",
		argv_spec(p) ? "a command and its arguments stand behind --"
			     : "quote words that belong together");
}

static int
parse_argv(struct parse *p, const struct arg_spec *s)
{
	if (p->pos < p->n && !*p->words[p->pos])
		return err_set(p->e, -EINVAL, "CMD: is empty; name a command behind --");
	while (p->pos < p->n)
		if (store(p, s, p->words[p->pos++]) < 0)
			return -EINVAL;
	return 0;
}

static int
parse_words(struct parse *p)
{
	bool has_ended = false;

	while (p->pos < p->n) {
		const char *word = p->words[p->pos];
		int rc;

		if (!has_ended && str_equal(word, "--")) {
			p->pos++;
			has_ended = true;
			rc = argv_spec(p) ? parse_argv(p, argv_spec(p)) : 0;
		} else if (!has_ended && word[0] == '-' && word[1]) {
			rc = parse_option(p);
		} else {
			rc = parse_positional(p);
		}
		if (rc < 0)
			return -EINVAL;
	}
	return 0;
}

static bool
wants_help(const char *const *words, size_t n)
{
	for (size_t i = 0; i < n && !str_equal(words[i], "--"); i++)
		if (str_equal(words[i], "--help") || str_equal(words[i], "-h"))
			return true;
	return false;
}

/* `sandesk --help`, `sandesk session --help`, `sandesk --version`: what people try first. */
static const struct command *
first_tries(const char *const *words, size_t n, json_t **ret_args)
{
	if (n == 1 && (str_equal(words[0], "--version") || str_equal(words[0], "-V"))) {
		*ret_args = json_object();
		return command_at(COMMAND_version);
	}
	if (n && wants_help(words, 1)) {
		*ret_args = json_object();
		return command_at(COMMAND_help);
	}
	if (n == 2 && args_is_noun(words[0]) && wants_help(words, n)) {
		*ret_args = json_pack("{s:[s]}", "words", words[0]);
		return command_at(COMMAND_help);
	}
	return NULL;
}

int
args_parse(const char *const *words, size_t n, const char *cwd, const struct command **ret,
	json_t **ret_args, struct err *e)
{
	struct parse p = { .words = words, .n = n, .cwd = cwd, .e = e };
	AUTO(json) json_t *args = NULL;
	const struct command *c = first_tries(words, n, ret_args);

	if (c) {
		*ret = c;
		return 0;
	}
	if (args_find_command(words, n, &p.c, &p.pos, e) < 0)
		return -EINVAL;
	if (wants_help(words + p.pos, n - p.pos)) {
		*ret = p.c;
		*ret_args = NULL;
		return 0;
	}
	p.nspecs = command_args(p.c, p.specs);
	p.args = args = json_object();
	if (parse_words(&p) < 0 || args_check_present(p.c, p.specs, p.nspecs, args, e) < 0)
		return args_wrong(p.c, e);
	*ret = p.c;
	*ret_args = args;
	args = NULL;
	return 0;
}
