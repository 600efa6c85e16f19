#include "cmd/nouns.h"

#include <assert.h>
#include <string.h>

#include "sandesk/base/str.h"
#include "sandesk/commands.h"

static const struct noun nouns[NOUN_COUNT] = {
	{ "desktop", "Desktops" },
	{ "session", "Sessions" },
	{ "policy", "Policies" },
	{ "theme", "Themes" },
	{ "daemon", "The daemon" },
	{ "debug", "For tests" },
	{ "", "Other" },
};

const struct noun *
noun_at(size_t i)
{
	assert(i < NOUN_COUNT);
	return &nouns[i];
}

bool
noun_has(const struct noun *n, const struct command *c)
{
	size_t len = strlen(n->word);

	if (!len)
		return !strchr(c->name, ' ');
	return str_has_prefix(c->name, n->word) && c->name[len] == ' ';
}
