#include "sandesk/base/spawn.h"

#include <fcntl.h>
#include <signal.h>

void
spawn_init(struct spawn *s)
{
	sigset_t signals;

	posix_spawn_file_actions_init(&s->files);
	posix_spawn_file_actions_addopen(&s->files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawnattr_init(&s->attr);
	posix_spawnattr_setflags(
		&s->attr, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	sigfillset(&signals);
	posix_spawnattr_setsigdefault(&s->attr, &signals);
	sigemptyset(&signals);
	posix_spawnattr_setsigmask(&s->attr, &signals);
}

pid_t
spawn_run(struct spawn *s, int first_closed, const char *path, const char *name, char **env)
{
	char *argv[] = { (char *)name, NULL }; /* exec wants char *; nobody writes there */
	pid_t pid;
	int rc = posix_spawn_file_actions_addclosefrom_np(&s->files, first_closed);

	if (!rc)
		rc = posix_spawn(&pid, path, &s->files, &s->attr, argv, env);
	posix_spawn_file_actions_destroy(&s->files);
	posix_spawnattr_destroy(&s->attr);
	return rc ? -rc : pid;
}
