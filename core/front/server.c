#include "front/server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "front/jsonrpc.h"
#include "front/peer.h"
#include "model/daemon.h"
#include "model/object.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/log.h"
#include "sandesk/base/mem.h"
#include "sandesk/conn.h"
#include "sandesk/loop.h"
#include "sandesk/paths.h"

enum {
	ACCEPTS_PER_TURN = 64,
	PAUSE_MS = 200,	    /* without descriptors: how long until accepting is tried again */
	HANDOVER_MS = 5000, /* how long a daemon that is stopping may hold the lock */
	NAP_NS = 5000000,
};

struct server {
	struct daemon *daemon;
	int lock_fd, listen_fd;
	char path[PATH_MAX + 16];
	struct loop_fd *watch;
	struct loop_timer *pause;
	struct loop_task *tell;
	struct peer *peers;
};

/* ---- one daemon only ---- */

static bool
somebody_answers(const char *path)
{
	int fd = socket_connect(path, NULL);

	fd_close(fd);
	return fd >= 0;
}

/* A daemon that holds the lock and does not answer is just beginning or just ending: the lock
 * decides which. */
static int
take_lock(struct server *s, struct err *e)
{
	char path[PATH_MAX + 16];
	int64_t deadline = clock_ms() + HANDOVER_MS;

	snprintf(path, sizeof path, "%s/daemon.lock", s->daemon->paths->runtime);
	s->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (s->lock_fd < 0)
		return err_errno(e, -errno, "lock %s", path);
	while (flock(s->lock_fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return err_errno(e, -errno, "lock %s", path);
		if (somebody_answers(s->path))
			return err_set(e, -EALREADY, "the daemon: runs already");
		if (clock_ms() > deadline)
			return err_set(e, -EBUSY,
				"lock %s: is held by a daemon that does not answer; see daemon.log",
				path);
		nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
	}
	return 0;
}

/* ---- connections ---- */

static void
on_connect(int fd, int events, void *arg)
{
	struct server *s = arg;
	struct err e = { 0 };

	(void)events;
	for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
		int peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (peer < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
					errno == ENOBUFS)) {
			log_warn(
				s->daemon->log, "no descriptor left for a client; waiting for one");
			loop_fd_set(s->watch, 0); /* else the loop would spin */
			loop_timer_start(s->pause, PAUSE_MS);
		}
		if (peer < 0)
			return;
		if (peer_check(peer, &e) == 0) {
			peer_new(&s->peers, s->daemon, peer);
			continue;
		}
		log_warn(s->daemon->log, "a client was turned away: %s", e.msg);
		fd_close(peer);
	}
}

static void
on_pause_over(void *arg)
{
	struct server *s = arg;

	if (s->watch)
		loop_fd_set(s->watch, LOOP_READ);
}

/* ---- events ---- */

static bool
has_subscriber(const struct server *s)
{
	for (const struct peer *p = s->peers; p; p = p->next)
		if (p->is_subscribed)
			return true;
	return false;
}

static void
broadcast(struct server *s, const char *method, json_t *params)
{
	AUTO(mem) char *text = jsonrpc_notification(method, params);

	for (struct peer *p = s->peers; p; p = p->next)
		if (p->is_subscribed)
			peer_send_text(p, text);
}

static void
tell_all(struct server *s, const struct registry *r)
{
	for (size_t i = 0; i < r->nremovals; i++)
		broadcast(s, r->removals[i].is_desktop ? "desktop.removed" : "session.removed",
			object_removal(&r->removals[i]));
	for (size_t i = 0; i < r->ndesktops; i++)
		if (r->desktops[i]->is_changed)
			broadcast(s, "desktop.changed", object_desktop(r, r->desktops[i]));
	for (size_t i = 0; i < r->nsessions; i++)
		if (r->sessions[i]->is_changed)
			broadcast(s, "session.changed", object_session(r->sessions[i]));
}

static void
on_tell(void *arg)
{
	struct server *s = arg;

	if (has_subscriber(s))
		tell_all(s, &s->daemon->registry);
	registry_clean(&s->daemon->registry);
}

static void
on_changed(void *arg)
{
	struct server *s = arg;

	loop_task_queue(s->tell);
}

/* ---- life ---- */

static int
listen_here(struct server *s, struct err *e)
{
	int fd;

	if (unlink(s->path) < 0 && errno != ENOENT)
		return err_errno(e, -errno, "socket %s: an old one cannot be removed", s->path);
	fd = socket_listen(s->path, e);
	if (fd < 0)
		return fd;
	s->listen_fd = fd;
	fd_set_nonblock(fd, true);
	s->watch = loop_fd_new(s->daemon->loop, fd, LOOP_READ, on_connect, s);
	return 0;
}

int
server_new(struct server **ret, struct daemon *d, struct err *e)
{
	struct server *s = mem_new(struct server);
	int rc;

	s->daemon = d;
	s->lock_fd = s->listen_fd = -1;
	snprintf(s->path, sizeof s->path, "%s/daemon.sock", d->paths->runtime);
	s->pause = loop_timer_new(d->loop, on_pause_over, s);
	s->tell = loop_task_new(d->loop, on_tell, s);
	d->registry.changed = on_changed;
	d->registry.changed_arg = s;
	rc = take_lock(s, e);
	if (!rc)
		rc = listen_here(s, e);
	if (rc < 0) {
		d->registry.changed = NULL;
		server_free(s);
		return rc;
	}
	*ret = s;
	return 0;
}

void
server_close(struct server *s)
{
	if (s->listen_fd >= 0)
		unlink(s->path);
	loop_fd_free(s->watch);
	s->watch = NULL;
	fd_drop(&s->listen_fd);
	fd_drop(&s->lock_fd);
}

void
server_free(struct server *s)
{
	if (!s)
		return;
	server_close(s);
	while (s->peers)
		peer_free(s->peers);
	loop_timer_free(s->pause);
	loop_task_free(s->tell);
	mem_free(s);
}
