#include "model/spawn.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "model/daemon.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/log.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/paths.h"

extern char **environ;

enum { FIRST_FD = 3, FDS_MAX = 5, SPARE_FD = FIRST_FD + FDS_MAX };

/* Where a program of ours looks for its directories (paths.h), and what a sanitizer build listens
 * to. */
static char **
small_environment(void)
{
	static const char *const kept[] = { "XDG_",
		"HOME=", "ASAN_OPTIONS=", "UBSAN_OPTIONS=", "LSAN_OPTIONS=" };
	size_t all = 0, n = 0;
	char **small;

	while (environ[all])
		all++;
	small = mem_zero(all + 1, sizeof *small);
	for (size_t i = 0; i < all; i++)
		for (size_t k = 0; k < ARRAY_LEN(kept); k++)
			if (str_has_prefix(environ[i], kept[k]))
				small[n++] = environ[i];
	return small;
}

/* dup2() in the child must not overwrite what a later dup2() reads: everything is first moved above
 * the targets. */
static int
move_up(const int *fds, size_t n, int *up)
{
	for (size_t i = 0; i < n; i++) {
		up[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, SPARE_FD);
		if (up[i] < 0)
			return -errno;
	}
	return 0;
}

static void
set_attributes(posix_spawnattr_t *attr)
{
	sigset_t signals;

	posix_spawnattr_init(attr);
	posix_spawnattr_setflags(
		attr, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	sigfillset(&signals);
	posix_spawnattr_setsigdefault(attr, &signals);
	sigemptyset(&signals);
	posix_spawnattr_setsigmask(attr, &signals);
}

static pid_t
spawn_with(const char *path, const char *program, int log, const int *up, size_t n)
{
	AUTO(mem) char **env = small_environment();
	char *argv[] = { (char *)program, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	pid_t pid;
	int rc;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, log, 1);
	posix_spawn_file_actions_adddup2(&files, 1, 2);
	for (size_t i = 0; i < n; i++)
		posix_spawn_file_actions_adddup2(&files, up[i], FIRST_FD + (int)i);
	set_attributes(&attr);
	rc = posix_spawn(&pid, path, &files, &attr, argv, env);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return rc ? -rc : pid;
}

static int
log_fd(const struct daemon *d)
{
	return d->log->fd >= 0 ? d->log->fd : STDERR_FILENO;
}

pid_t
spawn_program(struct daemon *d, const char *program, const int *fds, size_t nfds, struct err *e)
{
	char path[PATH_MAX];
	int up[FDS_MAX] = { -1, -1, -1, -1, -1 };
	pid_t pid;
	int rc = paths_program(d->paths, program, path, sizeof path, e);

	assert(nfds <= FDS_MAX);
	if (rc < 0)
		return rc;
	rc = move_up(fds, nfds, up);
	pid = rc < 0 ? rc : spawn_with(path, program, log_fd(d), up, nfds);
	for (size_t i = 0; i < nfds; i++)
		fd_close(up[i]);
	return pid < 0 ? err_errno(e, pid, "%s: cannot be started", path) : pid;
}
