#include "model/settings.h"

#include <ini.h>
#include <string.h>
#include <strings.h>

#include "model/budget.h"
#include "model/registry.h"
#include "sandesk/base/str.h"

static bool
is_yes(const char *value)
{
	return strcasecmp(value, "yes") == 0 || strcasecmp(value, "true") == 0 ||
	       strcasecmp(value, "on") == 0;
}

/* 0: the section says nothing about this Desktop's policy. */
static enum policy_source
section_source(const struct settings *s, const char *section)
{
	if (strcasecmp(section, "policy") == 0 || strcasecmp(section, "limits") == 0)
		return POLICY_FILE;
	if (strncasecmp(section, "policy ", strlen("policy ")) == 0 &&
		str_equal(section + strlen("policy "), s->desktop))
		return POLICY_FILE_DESKTOP;
	return POLICY_BUILT_IN;
}

static int
take_policy(struct settings *s, const char *section, const char *name, const char *value)
{
	struct jail_limits limits = { 0 };

	if (strcasecmp(section, "limits") == 0 &&
		budget_set(&limits, name, value, &s->policy_error) < 0)
		return 0;
	return policy_set(&s->policy, name, value, s->pass, &s->policy_error) == 0;
}

/* 0 makes ini_parse() remember the line. */
static int
take_line(void *arg, const char *section, const char *name, const char *value)
{
	struct settings *s = arg;

	if (strcasecmp(section, "terminal") == 0 && strcasecmp(name, "erase_history") == 0)
		s->erases_history = is_yes(value);
	if (section_source(s, section) != s->pass || s->policy_error.code)
		return 1; /* the rest is for others */
	return take_policy(s, section, name, value);
}

int
settings_load(struct settings *s, const char *path, const char *desktop, struct err *e)
{
	int line = 0;

	*s = (struct settings){ .desktop = desktop };
	for (s->pass = POLICY_FILE; s->pass <= POLICY_FILE_DESKTOP && !s->policy_error.code;
		s->pass++)
		line = ini_parse(path, take_line, s); /* none there: what holds without it */
	return s->policy_error.code ? err_set(e, s->policy_error.code, "%s line %d: %s", path, line,
					      s->policy_error.msg)
				    : 0;
}

int
settings_for(struct settings *s, const char *path, const struct desktop *desktop,
	struct span session, struct err *e)
{
	if (settings_load(s, path, desktop->name, e) < 0 ||
		policy_set_all(&s->policy, span_of(&desktop->policy), POLICY_DESKTOP, e) < 0 ||
		policy_set_all(&s->policy, session, POLICY_SESSION, e) < 0)
		return e->code;
	return 0;
}

void
settings_fini(struct settings *s)
{
	policy_fini(&s->policy);
}

void
settings_drop(struct settings *s)
{
	settings_fini(s);
}
