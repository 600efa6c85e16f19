#include "jail/walls.h"

#define X(id, name, what) { name, what },
static const struct {
	const char *name, *what;
} walls[] = { JAIL_WALLS(X) };
#undef X

const char *
jail_wall_name(enum jail_wall wall)
{
	return walls[wall].name;
}

const char *
jail_wall_what(enum jail_wall wall)
{
	return walls[wall].what;
}
