#include "model/settings.h"

#include <ini.h>
#include <strings.h>

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
	return 1; /* the rest is for others */
}

void
settings_load(struct settings *s, const char *path)
{
	*s = (struct settings){ 0 };
	(void)ini_parse(path, take_line, s); /* none there: what holds without it */
}
