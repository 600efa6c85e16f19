#include "model/spawn.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "model/daemon.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/log.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/spawn.h"
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

static pid_t
spawn_with(const char *path, const char *program, int log, const int *up, size_t n)
{
	AUTO(mem) char **env = small_environment();
	struct spawn s;

	spawn_init(&s);
	posix_spawn_file_actions_adddup2(&s.files, log, 1);
	posix_spawn_file_actions_adddup2(&s.files, 1, 2);
	for (size_t i = 0; i < n; i++)
		posix_spawn_file_actions_adddup2(&s.files, up[i], FIRST_FD + (int)i);
	return spawn_run(&s, FIRST_FD + (int)n, path, program, env);
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
