/* check-rows.c - the table itself, without what fills it: the daemon has no use for whole sandboxes. */
#include "jail/checkup.h"
#include "sandesk/base/str.h"

struct check_row *
checkup_add(struct checkup *c, const char *name, enum check_state state, const char *what)
{
	struct check_row *r = &c->rows[c->n < CHECK_ROWS - 1 ? c->n++ : CHECK_ROWS - 1];

	*r = (struct check_row){ .state = state, .is_wall = true, .what = what };
	str_copy(r->name, sizeof r->name, name);
	return r;
}

const char *
check_state_name(enum check_state state)
{
	static const char *const names[] = { "holds", "missing", "weaker", "not asked for" };

	return names[state];
}

bool
checkup_is_whole(const struct checkup *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->rows[i].is_wall &&
			(c->rows[i].state == CHECK_MISSING || c->rows[i].state == CHECK_WEAKER))
			return false;
	return c->n > 0;
}
