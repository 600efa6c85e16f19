/* walls.h - the walls that a machine may not have, by name.
 * Contract:  one table: the policy's `require`, doctor and the session's badge read it.
 */
#pragma once

/* id, name, what it holds */
#define JAIL_WALLS(X)                                                                              \
	X(ASK, "special-files", "sockets and FIFOs stay out of what sessions share")               \
	X(LANDLOCK, "landlock", "a second wall for files, signals and abstract sockets")           \
	X(PROTECT, "protect", "protected paths cannot be written, moved or replaced")              \
	X(TIME, "time-namespace", "clocks of its own")                                             \
	X(CGROUP, "cgroup", "limits of memory and CPU hold for all processes together")

#define X(id, name, what) WALL_##id,
enum jail_wall { JAIL_WALLS(X) WALL_COUNT };
#undef X

/* The name, and what it holds; static. */
const char *jail_wall_name(enum jail_wall wall);
const char *jail_wall_what(enum jail_wall wall);
