#include "model/settings.h"

#include <ini.h>
#include <strings.h>

#include "model/budget.h"

static bool
is_yes(const char *value)
{
	return strcasecmp(value, "yes") == 0 || strcasecmp(value, "true") == 0 ||
	       strcasecmp(value, "on") == 0;
}

static int
take_line(void *arg, const char *section, const char *name, const char *value)
{
	struct settings *s = arg;

	if (strcasecmp(section, "terminal") == 0 && strcasecmp(name, "erase_history") == 0)
		s->erases_history = is_yes(value);
	if (strcasecmp(section, "limits") == 0 && !s->limits_error.code &&
		budget_set(&s->limits, name, value, &s->limits_error) < 0)
		return 0; /* ini_parse() remembers the line */
	return 1; /* the rest is for others */
}

int
settings_load(struct settings *s, const char *path, struct err *e)
{
	int line;

	*s = (struct settings){ 0 };
	line = ini_parse(path, take_line, s); /* none there: what holds without it */
	return s->limits_error.code ? err_set(e, s->limits_error.code, "%s line %d: %s", path, line,
					      s->limits_error.msg)
				    : 0;
}
