/* sandesk-daemon - one per user, started by the first client: catalog, registry of keepers, socket.
 *
 * Descriptor 3, when it is a pipe, belongs to the client that started us: it is closed when we
 * accept connections, and gets the reason in one line when we never will.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "front/server.h"
#include "model/daemon.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/log.h"
#include "sandesk/loop.h"
#include "sandesk/paths.h"

enum { READY_FD = 3 };

struct main {
	struct loop *loop;
	struct daemon *daemon;
	struct server *server;
	int ready_fd; /* -1: nobody waits there */
};

static int
ready_fd(void)
{
	struct stat st;

	if (fstat(READY_FD, &st) < 0 || !S_ISFIFO(st.st_mode))
		return -1;
	fd_set_cloexec(READY_FD, true);
	return READY_FD;
}

/* A thousand sessions are a thousand connections to their keepers. */
static void
raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

static void
on_terminate(void *arg)
{
	struct main *m = arg;

	daemon_stop(m->daemon);
}

static void
on_stopped(void *arg)
{
	struct main *m = arg;

	server_close(m->server);
	loop_stop(m->loop);
}

static void
serve(struct main *m)
{
	struct loop_signal *term = loop_signal_new(m->loop, SIGTERM, on_terminate, m);
	struct loop_signal *interrupt = loop_signal_new(m->loop, SIGINT, on_terminate, m);
	struct err e = { 0 };

	m->daemon->stopped = on_stopped;
	m->daemon->stopped_arg = m;
	if (daemon_prepare(m->daemon, &e) < 0)
		log_warn(m->daemon->log, "%s", e.msg); /* each command will try again and say so */
	fd_drop(&m->ready_fd);
	loop_run(m->loop);
	loop_signal_free(term);
	loop_signal_free(interrupt);
}

static int
run(const struct paths *paths, struct log *log, mode_t mask, int *ready, struct err *e)
{
	struct main m = { .loop = loop_new(), .ready_fd = *ready };
	int rc;

	m.daemon = daemon_new(m.loop, paths, log);
	m.daemon->umask = mask;
	rc = server_new(&m.server, m.daemon, e);
	if (!rc) {
		log_info(log, "version %s, listening in %s", SANDESK_VERSION, paths->runtime);
		serve(&m);
		*ready = m.ready_fd;
	}
	daemon_free(m.daemon); /* answers what is open */
	server_free(m.server); /* delivers it */
	loop_free(m.loop);
	return rc;
}

int
main(void)
{
	struct log log = { .fd = -1 };
	struct paths paths;
	char log_path[PATH_MAX + 16];
	struct err e = { 0 };
	int ready = ready_fd(), rc;
	mode_t mask = umask(077);

	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	raise_descriptors();
	rc = chdir("/") < 0 ? err_errno(&e, -errno, "change to /") : paths_init(&paths, &e);
	if (!rc) {
		snprintf(log_path, sizeof log_path, "%s/daemon.log", paths.state);
		(void)log_open(&log, log_path, "daemon"); /* without a log it still serves */
		rc = run(&paths, &log, mask, &ready, &e);
	}
	if (rc < 0 && rc != -EALREADY) { /* the second of two daemons ends without a word */
		log_warn(&log, "%s", e.msg);
		if (ready >= 0)
			dprintf(ready, "%s\n", e.msg);
	}
	log_close(&log);
	fd_close(ready);
	return rc < 0 && rc != -EALREADY ? 1 : 0;
}
