#include "sandesk/args.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/base/utf8.h"
#include "sandesk/key.h"
#include "sandesk/types.h"

enum {
	NEAR_BYTES = 40,        /* longer words have no near neighbour in the table */
	NEAR_NAMES = 3,         /* names offered at most */
	NEAR_EDITS = 3,         /* more than that is another word */
	SHOWN_BYTES = 60,       /* of a wrong word, in a message */
	SPLIT_BYTES = 1 << 20,  /* a line is typed by a person or stands in a configuration file */
	LABEL_BYTES = 40,
};

static const int64_t duration_max_ms = 366LL * 24 * 3600 * 1000;

/* ---- arguments that depend on each other ---- */

static const struct arg_group {
	enum command_id id;
	bool is_needed; /* exactly one of the names; else at most one */
	const char *names[4];
} arg_groups[] = {
	{ COMMAND_session_wait, true, { "text", "exit", "quiet" } },
	{ COMMAND_session_keys, true, { "keys" } },
	{ COMMAND_help, false, { "words", "man", "completion" } },
};

static const struct arg_group *
group_of(const struct command *c, const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(arg_groups); i++)
		for (size_t k = 0; arg_groups[i].id == c->id && k < ARRAY_LEN(arg_groups[i].names); k++)
			if (str_equal(arg_groups[i].names[k], name))
				return &arg_groups[i];
	return NULL;
}

/* ---- how an argument is written ---- */

static void
add_upper(struct buf *to, const char *text)
{
	for (; *text; text++)
		buf_add_char(to, (char)toupper((unsigned char)*text));
}

/* What stands for a value in a usage line. */
static const char *
placeholder(enum arg_type type)
{
	switch (type) {
	case ARG_SIZE:
		return "ROWSxCOLS";
	case ARG_DURATION:
		return "SECONDS";
	case ARG_ENV:
		return "NAME=VALUE";
	case ARG_NAME:
		return "NAME";
	case ARG_PATH:
		return "PATH";
	case ARG_REGEX:
		return "REGEX";
	case ARG_KEY:
		return "KEY";
	default:
		return "TEXT";
	}
}

/* How a message calls an argument: "--size", "DESKTOP", "TEXT". */
static void
add_label(struct buf *to, const struct command *c, const struct arg_spec *s)
{
	if (s->is_option)
		buf_addf(to, "--%s", s->name);
	else if (str_equal(s->name, "target"))
		buf_add_str(to, c->target == TARGET_SESSION ? "DESKTOP/SESSION" : "DESKTOP");
	else
		add_upper(to, s->name);
}

static void
label_of(const struct command *c, const struct arg_spec *s, char to[LABEL_BYTES])
{
	AUTO(buf) struct buf b = { 0 };

	add_label(&b, c, s);
	str_copy(to, LABEL_BYTES, b.data);
}

void
args_label(const struct command *c, const struct arg_spec *s, struct buf *to)
{
	if (s->type == ARG_ARGV)
		buf_add_str(to, "-- ");
	add_label(to, c, s);
	if (s->is_option && s->type != ARG_FLAG)
		buf_addf(to, " %s", placeholder(s->type));
	if (s->type == ARG_ARGV)
		buf_add_str(to, " ...");
}

static void
usage_group(struct buf *to, const struct command *c, const struct arg_group *g, const struct arg_spec *specs,
	size_t n)
{
	const char *between = "";

	buf_add_str(to, g->names[1] ? " (" : " ");
	for (size_t i = 0; i < n; i++) {
		if (group_of(c, specs[i].name) != g)
			continue;
		buf_add_str(to, between);
		args_label(c, &specs[i], to);
		if (specs[i].is_repeated)
			buf_add_str(to, "...");
		between = " | ";
	}
	buf_add_str(to, g->names[1] ? ")" : "");
}

static void
usage_one(struct buf *to, const struct command *c, const struct arg_spec *s)
{
	const char *dots = s->is_repeated ? "..." : "";

	buf_add_str(to, s->is_required ? " " : " [");
	args_label(c, s, to);
	buf_addf(to, "%s%s", s->is_required ? "" : "]", dots);
}

void
args_usage(const struct command *c, struct buf *to)
{
	struct arg_spec specs[ARGS_MAX];
	size_t n = command_args(c, specs);
	const struct arg_group *done = NULL;

	buf_add_str(to, c->name);
	for (size_t i = 0; i < n; i++) {
		const struct arg_group *g = group_of(c, specs[i].name);

		if (!g || !g->is_needed)
			usage_one(to, c, &specs[i]);
		else if (g != done)
			usage_group(to, c, g, specs, n);
		done = g;
	}
}

/* ---- near names ---- */

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Edits (insert, delete, replace, swap of neighbours) between two short words. */
static unsigned
distance(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);
	unsigned d[NEAR_BYTES + 1][NEAR_BYTES + 1];

	if (na > NEAR_BYTES || nb > NEAR_BYTES)
		return NEAR_BYTES;
	for (size_t i = 0; i <= na; i++)
		d[i][0] = (unsigned)i;
	for (size_t j = 0; j <= nb; j++)
		d[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++)
		for (size_t j = 1; j <= nb; j++) {
			unsigned same = a[i - 1] == b[j - 1] ? 0 : 1;

			d[i][j] = least(least(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + same);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[na][nb];
}

struct near {
	const char *names[NEAR_NAMES];
	unsigned distance; /* of each of them */
	size_t n;
};

/* Keeps the names that are nearest, all equally near; what is too far to be meant is left out. */
static void
near_try(struct near *near, const char *typed, const char *name)
{
	unsigned far = least((unsigned)(strlen(typed) + 3) / 4, NEAR_EDITS), d = distance(typed, name);

	if (!*name || !*typed)
		return;
	if (str_has_prefix(name, typed))
		d = 1;
	if (d > far || (near->n && d > near->distance))
		return;
	if (d < near->distance)
		near->n = 0;
	near->distance = d;
	if (near->n < NEAR_NAMES)
		near->names[near->n++] = name;
}

static void
near_add(const struct near *near, const char *prefix, struct buf *to)
{
	for (size_t i = 0; i < near->n; i++)
		buf_addf(to, "%s%s%s", i ? ", " : "", prefix, near->names[i]);
}

static void
add_shown(struct buf *to, const char *text)
{
	size_t len = strlen(text);

	str_escape(to, text, len < SHOWN_BYTES ? len : SHOWN_BYTES);
	if (len > SHOWN_BYTES)
		buf_add_str(to, "...");
}

/* ---- which command ---- */

static bool
is_noun(const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; len && i < COMMAND_COUNT; i++) {
		const char *name = command_at((enum command_id)i)->name;

		if (str_has_prefix(name, word) && name[len] == ' ')
			return true;
	}
	return false;
}

static void
add_verbs(struct buf *to, const char *noun)
{
	size_t len = strlen(noun);
	const char *between = "";

	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const char *name = command_at((enum command_id)i)->name;

		if (!str_has_prefix(name, noun) || name[len] != ' ')
			continue;
		buf_addf(to, "%s%s", between, name + len + 1);
		between = ", ";
	}
}

static int
unknown_command(const char *const *words, size_t n, struct err *e)
{
	AUTO(buf) struct buf shown = { 0 }, offer = { 0 };
	AUTO(mem) char *two = n > 1 ? str_format("%.60s %.60s", words[0], words[1]) : str_dup(words[0]);
	struct near near = { 0 };

	if (is_noun(words[0]) && n < 2) {
		add_verbs(&offer, words[0]);
		return err_set(e, -EINVAL, "%s: a word is missing behind it; give one of %s", words[0], offer.data);
	}
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_at((enum command_id)i);

		near_try(&near, strchr(c->name, ' ') ? two : words[0], c->name);
		near_try(&near, words[0], c->short_name);
	}
	add_shown(&shown, is_noun(words[0]) ? two : words[0]);
	if (near.n)
		near_add(&near, "", &offer);
	if (near.n)
		return err_set(e, -EINVAL, "%s: no such command; nearest: %s", shown.data, offer.data);
	if (is_noun(words[0])) {
		add_verbs(&offer, words[0]);
		return err_set(e, -EINVAL, "%s: no such command; behind %s stands one of %s", shown.data, words[0],
			offer.data);
	}
	return err_set(e, -EINVAL, "%s: no such command; \"sandesk help\" lists them all",
		shown.data ? shown.data : "(empty word)");
}

/* How many of the words name this command: 0 when they do not. */
static size_t
words_naming(const struct command *c, const char *const *words, size_t n)
{
	size_t len = strlen(words[0]);

	if (str_equal(c->name, words[0]) || (c->short_name[0] && str_equal(c->short_name, words[0])))
		return 1;
	if (n < 2 || !str_has_prefix(c->name, words[0]) || c->name[len] != ' ')
		return 0;
	return str_equal(c->name + len + 1, words[1]) ? 2 : 0;
}

static int
find_command(const char *const *words, size_t n, const struct command **ret, size_t *ret_used, struct err *e)
{
	if (!n)
		return err_set(e, -EINVAL, "command: is missing; \"sandesk help\" lists them all");
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_at((enum command_id)i);
		size_t used = words_naming(c, words, n);

		if (!used)
			continue;
		*ret = c;
		*ret_used = used;
		return 0;
	}
	return unknown_command(words, n, e);
}

/* ---- values ---- */

static int
bad_value(const struct command *c, const struct arg_spec *s, const char *text, const char *why, struct err *e)
{
	AUTO(buf) struct buf shown = { 0 };
	char label[LABEL_BYTES];

	label_of(c, s, label);
	add_shown(&shown, text);
	return err_set(e, -EINVAL, "%s: \"%s\" %s", label, shown.data ? shown.data : "", why);
}

static int
check_session_target(const struct command *c, const struct arg_spec *s, const char *text, struct err *e)
{
	const char *slash = strchr(text, '/');
	char desktop[PATH_MAX];

	if (!slash || strchr(slash + 1, '/'))
		return bad_value(c, s, text, "does not name a session; give DESKTOP/SESSION, as in shop/api", e);
	snprintf(desktop, sizeof desktop, "%.*s", (int)(slash - text), text);
	if (name_check("Desktop name", desktop, e) < 0)
		return -EINVAL;
	return name_check("session name", slash + 1, e);
}

static int
check_name(const struct command *c, const struct arg_spec *s, const char *text, struct err *e)
{
	bool is_target = str_equal(s->name, "target");

	if (is_target && strchr(text, '/'))
		return bad_value(c, s, text, "names a session; give a Desktop, without \"/\"", e);
	return name_check(is_target || str_has_prefix(c->name, "desktop") ? "Desktop name" : "session name", text, e);
}

static int
check_text(const struct command *c, const struct arg_spec *s, const char *text, struct err *e)
{
	if (str_equal(s->name, "target"))
		return check_session_target(c, s, text, e);
	return 0;
}

static int
check_path(const struct command *c, const struct arg_spec *s, const char *text, struct err *e)
{
	if (text[0] != '/')
		return bad_value(c, s, text, "is not an absolute path", e);
	if (strlen(text) >= PATH_MAX)
		return bad_value(c, s, text, "is too long for a path; give at most 4095 bytes", e);
	return 0;
}

static int
check_regex(const struct command *c, const struct arg_spec *s, const char *text, struct err *e)
{
	return *text ? 0 : bad_value(c, s, text, "is met by every screen; give the text to wait for", e);
}

static int
check_key(const struct command *c, const struct arg_spec *s, const char *text, struct err *e)
{
	struct key key;
	char label[LABEL_BYTES];

	label_of(c, s, label);
	return key_parse(text, &key, e) < 0 ? err_wrap(e, "%s", label) : 0;
}

/* "24x80", each number without a sign and in its range. */
static int
size_parse(const char *text, struct size *ret)
{
	const char *x = strchr(text, 'x');
	char rows[8];
	int64_t r, c;

	if (!x || x - text >= (ptrdiff_t)sizeof rows)
		return -EINVAL;
	memcpy(rows, text, (size_t)(x - text));
	rows[x - text] = 0;
	if (str_to_int(rows, SIZE_MIN_ROWS, SIZE_MAX_ROWS, &r) < 0 ||
		str_to_int(x + 1, SIZE_MIN_COLS, SIZE_MAX_COLS, &c) < 0)
		return -EINVAL;
	*ret = (struct size){ .rows = (uint16_t)r, .cols = (uint16_t)c };
	return 0;
}

static int
check_size(const struct command *c, const struct arg_spec *s, const char *text, struct err *e)
{
	struct size size;

	if (size_parse(text, &size) < 0)
		return bad_value(c, s, text, "is no size; give ROWSxCOLS, from 1x2 to 2000x5000, as in 24x80", e);
	return 0;
}

static bool
is_env_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	return len && !isdigit((unsigned char)text[0]);
}

static int
check_env(const struct command *c, const struct arg_spec *s, const char *text, struct err *e)
{
	const char *equals = strchr(text, '=');
	AUTO(mem) char *name = equals ? mem_zero((size_t)(equals - text) + 1, 1) : str_dup(text);

	/* the value may be a secret: a message shows the name only */
	if (equals)
		memcpy(name, text, (size_t)(equals - text));
	if (!is_env_name(name, strlen(name)))
		return bad_value(c, s, name, "is no name of a variable; use A-Z a-z 0-9 _, as in NAME=VALUE", e);
	if (!equals)
		return bad_value(c, s, name, "has no value; give NAME=VALUE", e);
	return 0;
}

typedef int check_fn(const struct command *c, const struct arg_spec *s, const char *text, struct err *e);

static check_fn *const check_fns[ARG_TYPE_COUNT] = {
	[ARG_NAME] = check_name,
	[ARG_TEXT] = check_text,
	[ARG_PATH] = check_path,
	[ARG_REGEX] = check_regex,
	[ARG_KEY] = check_key,
	[ARG_SIZE] = check_size,
	[ARG_ENV] = check_env,
	[ARG_ARGV] = check_text,
};

/* ---- words to JSON ---- */

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

/* The member of the JSON object: `_` for `-`. */
static void
key_of(const struct arg_spec *s, char to[sizeof s->name])
{
	size_t i;

	for (i = 0; s->name[i]; i++)
		to[i] = s->name[i] == '-' ? '_' : s->name[i];
	to[i] = 0;
}

/* The forms that only a person writes: a relative path, a variable without its value. */
static int
complete_text(struct parse *p, const struct arg_spec *s, const char *text, char **ret)
{
	const char *value;

	if (s->type == ARG_PATH && !*text)
		return bad_value(p->c, s, text, "is empty; give a path", p->e);
	if (s->type == ARG_PATH && *text != '/') {
		if (!p->cwd)
			return bad_value(p->c, s, text,
				"is relative and the current directory is gone; give an absolute path", p->e);
		*ret = str_equal(text, ".") ? str_dup(p->cwd) :
		       str_format("%s%s%s", p->cwd, str_equal(p->cwd, "/") ? "" : "/", text);
		return 0;
	}
	if (s->type == ARG_ENV && is_env_name(text, strlen(text))) {
		value = getenv(text);
		if (!value)
			return bad_value(p->c, s, text, "is not set in the environment; set it or give NAME=VALUE",
				p->e);
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
		return bad_value(p->c, s, text, "is longer than a year; give less", p->e);
	if (rc < 0)
		return bad_value(p->c, s, text, "is no time; give seconds, or a number with ms, s, m or h", p->e);
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
	if (check_fns[s->type](p->c, s, whole, p->e) < 0)
		return -EINVAL;
	if (s->type == ARG_SIZE && size_parse(whole, &size) == 0)
		*ret = json_sprintf("%ux%u", size.rows, size.cols);
	else
		*ret = json_string(whole);
	/* jansson takes UTF-8 only, and so does everything that shows the value later */
	if (!*ret)
		return bad_value(p->c, s, s->type == ARG_ENV ? "(value)" : whole, "is not valid UTF-8", p->e);
	return 0;
}

static int
store(struct parse *p, const struct arg_spec *s, const char *text)
{
	AUTO(json) json_t *value = NULL;
	char key[sizeof s->name], label[LABEL_BYTES];
	json_t *list;

	key_of(s, key);
	if (s->type == ARG_FLAG)
		return json_object_set_new(p->args, key, json_true());
	list = json_object_get(p->args, key);
	if (list && !s->is_repeated && s->type != ARG_ARGV) {
		label_of(p->c, s, label);
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
	add_shown(&shown, name);
	for (size_t i = 0; i < p->nspecs; i++)
		if (p->specs[i].is_option)
			near_try(&near, name + strspn(name, "-"), p->specs[i].name);
	near_add(&near, "--", &offer);
	if (near.n)
		return err_set(p->e, -EINVAL, "%s: no such option; nearest: %s", shown.data, offer.data);
	for (size_t i = 0; i < p->nspecs; i++)
		if (p->specs[i].is_option) {
			buf_addf(&offer, "%s--%s", between, p->specs[i].name);
			between = ", ";
		}
	return err_set(p->e, -EINVAL, "%s: no such option; %s%s; write -- before text that begins with \"-\"",
		shown.data, offer.len ? "there are " : "this command has none", offer.len ? offer.data : "");
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
			str_has_prefix(word, "--") && memcmp(p->specs[i].name, word + 2, len - 2) == 0)
			s = &p->specs[i];
	if (!s)
		return unknown_option(p, word, len);
	if (s->type == ARG_FLAG)
		return equals ? err_set(p->e, -EINVAL, "--%s: takes no value; leave \"=...\" out", s->name) :
		                store(p, s, NULL);
	if (equals)
		return store(p, s, equals + 1);
	if (p->pos == p->n || str_has_prefix(p->words[p->pos], "--"))
		return err_set(p->e, -EINVAL, "--%s: its value is missing; give --%s %s", s->name, s->name,
			placeholder(s->type));
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
	add_shown(&shown, word);
	return err_set(p->e, -EINVAL, "\"%s\" is one word too many; %s", shown.data ? shown.data : "",
		argv_spec(p) ? "a command and its arguments stand behind --" :
			       "quote words that belong together");
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

/* ---- what must be there, for words and for JSON ---- */

static const json_t *
member(const json_t *args, const struct arg_spec *s)
{
	char key[sizeof s->name];
	const json_t *v;

	key_of(s, key);
	v = json_object_get(args, key);
	return !v || json_is_null(v) || json_is_false(v) ? NULL : v;
}

static int
check_group(const struct command *c, const struct arg_group *g, const struct arg_spec *specs, size_t n,
	const json_t *args, struct err *e)
{
	AUTO(buf) struct buf names = { 0 };
	size_t given = 0;

	for (size_t i = 0; i < n; i++) {
		if (group_of(c, specs[i].name) != g)
			continue;
		given += member(args, &specs[i]) ? 1 : 0;
		buf_add_str(&names, names.len ? " " : "");
		add_label(&names, c, &specs[i]);
	}
	if (given == 1 || (!given && !g->is_needed))
		return 0;
	if (!g->names[1])
		return err_set(e, -EINVAL, "%s is missing; give at least one", names.data);
	return err_set(e, -EINVAL, "give %s one of %s", g->is_needed ? "exactly" : "at most", names.data);
}

static int
check_present(const struct command *c, const struct arg_spec *specs, size_t n, const json_t *args, struct err *e)
{
	AUTO(buf) struct buf usage = { 0 };
	char label[LABEL_BYTES];

	for (size_t i = 0; i < n; i++) {
		if (!specs[i].is_required || member(args, &specs[i]))
			continue;
		label_of(c, &specs[i], label);
		args_usage(c, &usage);
		return err_set(e, -EINVAL, "%s is missing; usage: sandesk %s", label, usage.data);
	}
	for (size_t i = 0; i < ARRAY_LEN(arg_groups); i++)
		if (arg_groups[i].id == c->id && check_group(c, &arg_groups[i], specs, n, args, e) < 0)
			return -EINVAL;
	return 0;
}

/* Puts the command's name in front of what is wrong. */
static int
wrong(const struct command *c, struct err *e)
{
	err_wrap(e, "%s", c->name);
	return -EINVAL;
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
	if (n == 2 && is_noun(words[0]) && wants_help(words, n)) {
		*ret_args = json_pack("{s:[s]}", "words", words[0]);
		return command_at(COMMAND_help);
	}
	return NULL;
}

int
args_parse(const char *const *words, size_t n, const char *cwd, const struct command **ret, json_t **ret_args,
	struct err *e)
{
	struct parse p = { .words = words, .n = n, .cwd = cwd, .e = e };
	AUTO(json) json_t *args = NULL;
	const struct command *c = first_tries(words, n, ret_args);

	if (c) {
		*ret = c;
		return 0;
	}
	if (find_command(words, n, &p.c, &p.pos, e) < 0)
		return -EINVAL;
	if (wants_help(words + p.pos, n - p.pos)) {
		*ret = p.c;
		*ret_args = NULL;
		return 0;
	}
	p.nspecs = command_args(p.c, p.specs);
	p.args = args = json_object();
	if (parse_words(&p) < 0 || check_present(p.c, p.specs, p.nspecs, args, e) < 0)
		return wrong(p.c, e);
	*ret = p.c;
	*ret_args = args;
	args = NULL;
	return 0;
}

/* ---- JSON ---- */

static int
check_string(const struct command *c, const struct arg_spec *s, const json_t *v, struct err *e)
{
	char label[LABEL_BYTES];

	label_of(c, s, label);
	if (!json_is_string(v))
		return err_set(e, -EINVAL, "%s: is not a text; give a string", label);
	if (strlen(json_string_value(v)) != json_string_length(v))
		return err_set(e, -EINVAL, "%s: has a NUL byte; leave it out", label);
	return check_fns[s->type](c, s, json_string_value(v), e);
}

static int
check_list(const struct command *c, const struct arg_spec *s, const json_t *v, struct err *e)
{
	char label[LABEL_BYTES];

	label_of(c, s, label);
	if (!json_is_array(v))
		return err_set(e, -EINVAL, "%s: is not a list; give an array of strings", label);
	for (size_t i = 0; i < json_array_size(v); i++)
		if (check_string(c, s, json_array_get(v, i), e) < 0)
			return -EINVAL;
	if (s->type == ARG_ARGV && s->is_required && !json_array_size(v))
		return err_set(e, -EINVAL, "%s: is empty; name a command", label);
	if (s->type == ARG_ARGV && json_array_size(v) && !json_string_length(json_array_get(v, 0)))
		return err_set(e, -EINVAL, "%s: its first text is empty; name a command", label);
	return 0;
}

static int
check_value(const struct command *c, const struct arg_spec *s, const json_t *v, struct err *e)
{
	char label[LABEL_BYTES];

	label_of(c, s, label);
	if (s->type == ARG_FLAG)
		return json_is_true(v) ? 0 : err_set(e, -EINVAL, "%s: is neither true nor false", label);
	if (s->is_repeated || s->type == ARG_ARGV)
		return check_list(c, s, v, e);
	if (s->type != ARG_DURATION)
		return check_string(c, s, v, e);
	if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > duration_max_ms)
		return err_set(e, -EINVAL, "%s: is no time; give a whole number of milliseconds, at most a year",
			label);
	return 0;
}

int
args_check(const struct command *c, json_t *args, struct err *e)
{
	struct arg_spec specs[ARGS_MAX];
	size_t n = command_args(c, specs);

	if (!json_is_object(args))
		return err_set(e, -EINVAL, "%s: its arguments are not an object; give them by name", c->name);
	for (size_t i = 0; i < n; i++) {
		const json_t *v = member(args, &specs[i]);

		if (v && check_value(c, &specs[i], v, e) < 0)
			return wrong(c, e);
	}
	return check_present(c, specs, n, args, e) < 0 ? wrong(c, e) : 0;
}

/* ---- a line to words ---- */

/*
 *             blank          other, quote, backslash
 *   between --------> between   --------------------> in a word --blank--> between
 *   in a word: '...' takes all as it is; "..." takes a backslash before " \ $ ` only; a backslash takes the next byte.
 */
struct split {
	const char *line;
	char *to; /* never longer than the line */
	struct err *e;
};

static int
split_quoted(struct split *s, char quote)
{
	const char *start = s->line++;

	while (*s->line && *s->line != quote) {
		if (quote == '"' && *s->line == '\\' && s->line[1] && strchr("\"\\$`", s->line[1]))
			s->line++;
		*s->to++ = *s->line++;
	}
	if (!*s->line)
		return err_set(s->e, -EINVAL, "quote: %.20s has no closing %c; add it", start, quote);
	s->line++;
	return 0;
}

static int
split_word(struct split *s)
{
	while (*s->line && !strchr(" \t\n\r", *s->line)) {
		if (*s->line == '\'' || *s->line == '"') {
			if (split_quoted(s, *s->line) < 0)
				return -EINVAL;
			continue;
		}
		if (*s->line == '\\' && !*++s->line)
			return err_set(s->e, -EINVAL, "backslash: nothing follows it; write \\\\ for a backslash itself");
		*s->to++ = *s->line++;
	}
	*s->to++ = 0;
	return 0;
}

int
args_split(const char *line, char ***ret, size_t *ret_n, struct err *e)
{
	size_t len = strlen(line), room = len / 2 + 2, n = 0;
	AUTO(mem) char **words = NULL;
	struct split s = { .line = line, .e = e };

	if (len > SPLIT_BYTES)
		return err_set(e, -EINVAL, "line: has %zu bytes; give at most %d", len, SPLIT_BYTES);
	words = mem_zero(room * sizeof *words + len + 2, 1);
	s.to = (char *)(words + room);
	for (;;) {
		s.line += strspn(s.line, " \t\n\r");
		if (!*s.line)
			break;
		assert(n + 1 < room);
		words[n++] = s.to;
		if (split_word(&s) < 0)
			return -EINVAL;
	}
	*ret = mem_take(words);
	*ret_n = n;
	return 0;
}
