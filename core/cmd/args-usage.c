#include "cmd/args-parts.h"

#include <ctype.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/str.h"

static const struct arg_group arg_groups[] = {
	{ COMMAND_session_wait, true, { "text", "exit", "quiet" } },
	{ COMMAND_session_keys, true, { "keys" } },
	{ COMMAND_session_capture, false, { "ansi", "html", "svg", "json" } },
	{ COMMAND_session_capture, false, { "history", "last-output", "from" } },
	{ COMMAND_help, false, { "words", "man", "completion" } },
};

const struct arg_group *
args_group_of(const struct command *c, const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(arg_groups); i++)
		for (size_t k = 0; arg_groups[i].id == c->id && k < ARRAY_LEN(arg_groups[i].names);
			k++)
			if (str_equal(arg_groups[i].names[k], name))
				return &arg_groups[i];
	return NULL;
}

const struct arg_group *
args_next_group(const struct command *c, const struct arg_group *after)
{
	for (const struct arg_group *g = after ? after + 1 : arg_groups;
		g < arg_groups + ARRAY_LEN(arg_groups); g++)
		if (g->id == c->id)
			return g;
	return NULL;
}

static void
add_upper(struct buf *to, const char *text)
{
	for (; *text; text++)
		buf_add_char(to, (char)toupper((unsigned char)*text));
}

/* What stands for a value in a usage line. */
const char *
args_placeholder(enum arg_type type)
{
	switch (type) {
	case ARG_SIZE:
		return "ROWSxCOLS";
	case ARG_NUMBER:
		return "NUMBER";
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
void
args_add_name(struct buf *to, const struct command *c, const struct arg_spec *s)
{
	if (s->is_option)
		buf_addf(to, "--%s", s->name);
	else if (str_equal(s->name, "target"))
		buf_add_str(to, c->target == TARGET_SESSION ? "DESKTOP/SESSION" : "DESKTOP");
	else
		add_upper(to, s->name);
}

void
args_name(const struct command *c, const struct arg_spec *s, char to[ARG_LABEL_BYTES])
{
	AUTO(buf) struct buf b = { 0 };

	args_add_name(&b, c, s);
	str_copy(to, ARG_LABEL_BYTES, b.data);
}

void
args_label(const struct command *c, const struct arg_spec *s, struct buf *to)
{
	if (s->type == ARG_ARGV)
		buf_add_str(to, "-- ");
	args_add_name(to, c, s);
	if (s->is_option && s->type != ARG_FLAG)
		buf_addf(to, " %s", args_placeholder(s->type));
	if (s->type == ARG_ARGV)
		buf_add_str(to, " ...");
}

static void
usage_group(struct buf *to, const struct command *c, const struct arg_group *g,
	const struct arg_spec *specs, size_t n)
{
	const char *between = "";

	buf_add_str(to, g->names[1] ? " (" : " ");
	for (size_t i = 0; i < n; i++) {
		if (args_group_of(c, specs[i].name) != g)
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
		const struct arg_group *g = args_group_of(c, specs[i].name);

		if (!g || !g->is_needed)
			usage_one(to, c, &specs[i]);
		else if (g != done)
			usage_group(to, c, g, specs, n);
		done = g;
	}
}
