#include "sandesk/command-words.h"

#include <assert.h>
#include <string.h>

#include "sandesk/base/auto.h"
#include "sandesk/base/str.h"

#define X(id_, name_, short_, args_, target_, flags_, help_)                                       \
	[COMMAND_##id_] = { .id = COMMAND_##id_,                                                   \
		.name = name_,                                                                     \
		.short_name = short_,                                                              \
		.args = args_,                                                                     \
		.target = TARGET_##target_,                                                        \
		.flags = FLAGS(flags_),                                                            \
		.help = help_ },
static const struct command commands[] = { COMMANDS(X) };
#undef X

static const struct {
	const char *name;
	enum arg_type type;
} arg_types[] = {
#define X(upper, lower, help) { #lower, ARG_##upper },
	ARG_TYPES(X)
#undef X
};

const struct command *
command_at(enum command_id id)
{
	assert(id >= 0 && id < COMMAND_COUNT);
	return &commands[id];
}

void
command_method(const struct command *c, char *to, size_t size)
{
	char *space;

	str_copy(to, size, c->name);
	space = strchr(to, ' ');
	if (space)
		*space = '.';
}

const struct command *
command_by_method(const char *method)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		char own[64];

		command_method(&commands[i], own, sizeof own);
		if (str_equal(own, method))
			return &commands[i];
	}
	return NULL;
}

static enum arg_type
type_by_name(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(arg_types); i++)
		if (strlen(arg_types[i].name) == len && memcmp(arg_types[i].name, name, len) == 0)
			return arg_types[i].type;
	assert(!"a row of the command table names a type that is none");
	return ARG_TEXT;
}

/* Reads one token, "--env:env*" or "cmd:argv?", of `len` bytes. */
static struct arg_spec
spec_parse(const char *token, size_t len)
{
	struct arg_spec s = { .is_option = len > 2 && token[0] == '-' && token[1] == '-' };
	size_t skip = s.is_option ? 2 : 0, name_len;
	const char *colon = memchr(token, ':', len);
	char last = token[len - 1];

	name_len = colon ? (size_t)(colon - token) - skip : len - skip;
	assert(name_len > 0 && name_len < sizeof s.name);
	memcpy(s.name, token + skip, name_len);
	if (!colon) {
		assert(s.is_option);
		s.type = ARG_FLAG;
		return s;
	}
	s.is_repeated = last == '*';
	s.is_required = !s.is_option && last != '*' && last != '?';
	if (last == '*' || last == '?')
		len--;
	s.type = type_by_name(colon + 1, len - (size_t)(colon + 1 - token));
	return s;
}

static void
spec_add(struct arg_spec *to, size_t *n, struct arg_spec s)
{
	assert(*n < ARGS_MAX);
	to[(*n)++] = s;
}

size_t
command_args(const struct command *c, struct arg_spec to[ARGS_MAX])
{
	size_t n = 0;

	if (c->target != TARGET_NONE)
		spec_add(to, &n,
			(struct arg_spec){ .name = "target",
				.type = c->target == TARGET_SESSION ? ARG_TEXT : ARG_NAME,
				.is_required = c->target != TARGET_OPTIONAL_DESKTOP });
	for (const char *p = c->args; *p;) {
		size_t len = strcspn(p, " ");

		spec_add(to, &n, spec_parse(p, len));
		p += len;
		p += strspn(p, " ");
	}
	if (c->flags & COMMAND_LISTS)
		spec_add(to, &n,
			(struct arg_spec){ .name = "json", .type = ARG_FLAG, .is_option = true });
	if (c->flags & COMMAND_ASKS)
		spec_add(to, &n,
			(struct arg_spec){ .name = "yes", .type = ARG_FLAG, .is_option = true });
	return n;
}
