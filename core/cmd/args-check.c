#include "cmd/args-parts.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/key.h"

static const int64_t duration_max_ms = 366LL * 24 * 3600 * 1000;

int
args_bad_value(const struct command *c, const struct arg_spec *s, const char *text, const char *why,
	struct err *e)
{
	AUTO(buf) struct buf shown = { 0 };
	char label[ARG_LABEL_BYTES];

	args_name(c, s, label);
	args_add_shown(&shown, text);
	return err_set(e, -EINVAL, "%s: \"%s\" %s", label, shown.data ? shown.data : "", why);
}

static int
check_session_target(
	const struct command *c, const struct arg_spec *s, const char *text, struct err *e)
{
	const char *slash = strchr(text, '/');
	char desktop[PATH_MAX];

	if (!slash || strchr(slash + 1, '/'))
		return args_bad_value(c, s, text,
			"does not name a session; give DESKTOP/SESSION, as in shop/api", e);
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
		return args_bad_value(
			c, s, text, "names a session; give a Desktop, without \"/\"", e);
	return name_check(
		is_target || str_has_prefix(c->name, "desktop") ? "Desktop name" : "session name",
		text, e);
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
		return args_bad_value(c, s, text, "is not an absolute path", e);
	if (strlen(text) >= PATH_MAX)
		return args_bad_value(
			c, s, text, "is too long for a path; give at most 4095 bytes", e);
	return 0;
}

static int
check_regex(const struct command *c, const struct arg_spec *s, const char *text, struct err *e)
{
	return *text ? 0
		     : args_bad_value(
			       c, s, text, "is met by every screen; give the text to wait for", e);
}

static int
check_key(const struct command *c, const struct arg_spec *s, const char *text, struct err *e)
{
	struct key key;
	char label[ARG_LABEL_BYTES];

	args_name(c, s, label);
	return key_parse(text, &key, e) < 0 ? err_wrap(e, "%s", label) : 0;
}

/* "24x80", each number without a sign and in its range. */
int
args_size(const char *text, struct size *ret)
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

	if (args_size(text, &size) < 0)
		return args_bad_value(c, s, text,
			"is no size; give ROWSxCOLS, from 1x2 to 2000x5000, as in 24x80", e);
	return 0;
}

bool
args_is_env_name(const char *text, size_t len)
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
	if (!args_is_env_name(name, strlen(name)))
		return args_bad_value(c, s, name,
			"is no name of a variable; use A-Z a-z 0-9 _, as in NAME=VALUE", e);
	if (!equals)
		return args_bad_value(c, s, name, "has no value; give NAME=VALUE", e);
	return 0;
}

static int
check_number(const struct command *c, const struct arg_spec *s, const char *text, struct err *e)
{
	int64_t n;

	if (str_to_int(text, 0, INT64_MAX, &n) < 0)
		return args_bad_value(c, s, text, "is no whole number; give digits only", e);
	return 0;
}

static arg_check_fn *const check_fns[ARG_TYPE_COUNT] = {
	[ARG_NAME] = check_name,
	[ARG_TEXT] = check_text,
	[ARG_PATH] = check_path,
	[ARG_REGEX] = check_regex,
	[ARG_KEY] = check_key,
	[ARG_NUMBER] = check_number,
	[ARG_SIZE] = check_size,
	[ARG_ENV] = check_env,
	[ARG_ARGV] = check_text,
};

int
args_check_text(const struct command *c, const struct arg_spec *s, const char *text, struct err *e)
{
	return check_fns[s->type](c, s, text, e);
}

void
args_key(const struct arg_spec *s, char to[ARG_KEY_BYTES])
{
	size_t i;

	for (i = 0; s->name[i]; i++)
		to[i] = s->name[i] == '-' ? '_' : s->name[i];
	to[i] = 0;
}

/* ---- what must be there, for words and for JSON ---- */

static const json_t *
member(const json_t *args, const struct arg_spec *s)
{
	char key[ARG_KEY_BYTES];
	const json_t *v;

	args_key(s, key);
	v = json_object_get(args, key);
	return !v || json_is_null(v) || json_is_false(v) ? NULL : v;
}

static int
check_group(const struct command *c, const struct arg_group *g, const struct arg_spec *specs,
	size_t n, const json_t *args, struct err *e)
{
	AUTO(buf) struct buf names = { 0 };
	size_t given = 0;

	for (size_t i = 0; i < n; i++) {
		if (args_group_of(c, specs[i].name) != g)
			continue;
		given += member(args, &specs[i]) ? 1 : 0;
		buf_add_str(&names, names.len ? " " : "");
		args_add_name(&names, c, &specs[i]);
	}
	if (given == 1 || (!given && !g->is_needed))
		return 0;
	if (!g->names[1])
		return err_set(e, -EINVAL, "%s is missing; give at least one", names.data);
	return err_set(
		e, -EINVAL, "give %s one of %s", g->is_needed ? "exactly" : "at most", names.data);
}

int
args_check_present(const struct command *c, const struct arg_spec *specs, size_t n,
	const json_t *args, struct err *e)
{
	AUTO(buf) struct buf usage = { 0 };
	char label[ARG_LABEL_BYTES];

	for (size_t i = 0; i < n; i++) {
		if (!specs[i].is_required || member(args, &specs[i]))
			continue;
		args_name(c, &specs[i], label);
		args_usage(c, &usage);
		return err_set(e, -EINVAL, "%s is missing; usage: sandesk %s", label, usage.data);
	}
	for (const struct arg_group *g = args_next_group(c, NULL); g; g = args_next_group(c, g))
		if (check_group(c, g, specs, n, args, e) < 0)
			return -EINVAL;
	return 0;
}

int
args_wrong(const struct command *c, struct err *e)
{
	err_wrap(e, "%s", c->name);
	return -EINVAL;
}

/* ---- JSON ---- */

static int
check_string(const struct command *c, const struct arg_spec *s, const json_t *v, struct err *e)
{
	char label[ARG_LABEL_BYTES];

	args_name(c, s, label);
	if (!json_is_string(v))
		return err_set(e, -EINVAL, "%s: is not a text; give a string", label);
	if (strlen(json_string_value(v)) != json_string_length(v))
		return err_set(e, -EINVAL, "%s: has a NUL byte; leave it out", label);
	return args_check_text(c, s, json_string_value(v), e);
}

static int
check_list(const struct command *c, const struct arg_spec *s, const json_t *v, struct err *e)
{
	char label[ARG_LABEL_BYTES];

	args_name(c, s, label);
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
	char label[ARG_LABEL_BYTES];

	args_name(c, s, label);
	if (s->type == ARG_FLAG)
		return json_is_true(v)
			       ? 0
			       : err_set(e, -EINVAL, "%s: is neither true nor false", label);
	if (s->is_repeated || s->type == ARG_ARGV)
		return check_list(c, s, v, e);
	if (s->type != ARG_DURATION)
		return check_string(c, s, v, e);
	if (!json_is_integer(v) || json_integer_value(v) < 0 ||
		json_integer_value(v) > duration_max_ms)
		return err_set(e, -EINVAL,
			"%s: is no time; give a whole number of milliseconds, at most a year",
			label);
	return 0;
}

int
args_check(const struct command *c, json_t *args, struct err *e)
{
	struct arg_spec specs[ARGS_MAX];
	size_t n = command_args(c, specs);

	if (!json_is_object(args))
		return err_set(e, -EINVAL, "%s: its arguments are not an object; give them by name",
			c->name);
	for (size_t i = 0; i < n; i++) {
		const json_t *v = member(args, &specs[i]);

		if (v && check_value(c, &specs[i], v, e) < 0)
			return args_wrong(c, e);
	}
	return args_check_present(c, specs, n, args, e) < 0 ? args_wrong(c, e) : 0;
}
