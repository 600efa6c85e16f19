#include "model/adopt.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/daemon.h"
#include "model/keeper.h"
#include "model/registry.h"
#include "model/save.h"
#include "model/target.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/err.h"
#include "sandesk/base/log.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/conn.h"
#include "sandesk/loop.h"
#include "sandesk/messages.h"
#include "sandesk/paths.h"
#include "store/catalog.h"

/* Sessions that ought to run and whose keeper nobody found. */
static void
mark_lost(struct daemon *d)
{
	for (size_t i = 0; i < d->registry.nsessions; i++) {
		struct session *s = d->registry.sessions[i];

		if (status_is_over(s->status) || s->keeper || s->launch)
			continue;
		s->status = STATUS_FAILED;
		s->exit_signal =
			SIGKILL; /* what the kernel did to the sandbox without its keeper */
		mem_free(s->reason);
		s->reason = str_dup("keeper died while no daemon ran");
		s->ended = clock_wall();
		save_mark(d, s, true);
	}
}

static void
adopt_end(void *arg)
{
	struct daemon *d = arg;

	if (d->is_ready)
		return;
	if (d->adopting)
		log_warn(d->log, "%zu keepers do not answer; going on without them", d->adopting);
	d->is_ready = true;
	loop_timer_free(d->adopt_deadline);
	d->adopt_deadline = NULL;
	mark_lost(d);
	groups_clean(d);
	wait_fire(&d->ready);
}

void
adopt_heard(struct keeper_link *k)
{
	struct daemon *d = k->daemon;

	if (!k->is_adopting)
		return;
	k->is_adopting = false;
	if (!--d->adopting)
		adopt_end(d);
}

static void
adopt_socket(struct daemon *d, const char *file)
{
	char id[ID_BYTES], path[PATH_MAX + 64];
	struct err e = { 0 };
	struct keeper_link *k;
	int fd;

	if (strlen(file) != ID_BYTES - 1 + 5 || !str_equal(file + ID_BYTES - 1, ".sock"))
		return;
	(void)str_copy(id, sizeof id, file); /* cut at the dot */
	if (!id_is_valid(id))
		return;
	snprintf(path, sizeof path, "%s/keepers/%.*s.sock", d->paths->runtime, ID_BYTES - 1, id);
	fd = socket_connect(path, &e);
	if (fd == -ECONNREFUSED)
		unlink(path); /* its keeper was killed */
	if (fd < 0) {
		log_warn(d->log, "keeper %s: %s", id, e.msg);
		return;
	}
	k = keeper_new(d, fd, id, registry_session_by_id(&d->registry, id));
	k->pid = conn_peer_pid(k->conn);
	k->is_adopting = true;
	d->adopting++;
}

void
adopt_begin(struct daemon *d)
{
	char path[PATH_MAX + 16];
	struct dirent *file;
	DIR *dir;

	snprintf(path, sizeof path, "%s/keepers", d->paths->runtime);
	dir = opendir(path);
	while (dir && (file = readdir(dir)))
		adopt_socket(d, file->d_name);
	if (dir)
		closedir(dir);
	if (!d->adopting) {
		adopt_end(d);
		return;
	}
	d->adopt_deadline = loop_timer_new(d->loop, adopt_end, d);
	loop_timer_start(d->adopt_deadline, ADOPT_MS);
}

/* The Desktop that a keeper names: by id, else the one that has its directory, else a new one. */
static struct desktop *
adopt_desktop(struct daemon *d, const struct msg_state *st)
{
	struct desktop *desktop = registry_desktop_by_id(&d->registry, st->desktop_id);
	struct err e = { 0 };
	char name[NAME_BYTES];
	struct catalog_desktop row;

	if (!desktop)
		desktop = registry_desktop_by_dir(&d->registry, st->dir);
	if (desktop)
		return desktop;
	if (!id_is_valid(st->desktop_id) || st->dir[0] != '/' ||
		name_check("Desktop name", st->desktop, &e) < 0)
		return NULL;
	if (registry_desktop_by_name(&d->registry, st->desktop))
		name_for_desktop(&d->registry, st->desktop, name);
	else
		str_copy(name, sizeof name, st->desktop);
	desktop = registry_add_desktop(&d->registry, st->desktop_id, name, st->dir);
	row = (struct catalog_desktop){ .id = desktop->id,
		.name = desktop->name,
		.dir = desktop->dir,
		.created = desktop->created };
	if (d->db && catalog_add_desktop(d->db, &row, &e) < 0)
		log_warn(d->log, "adopt Desktop %s: %s", name, e.msg);
	log_info(d->log, "Desktop %s: came back from its keeper", name);
	return desktop;
}

/* What --env named; the locale comes along with every session. */
static void
adopt_env_names(struct session *s, struct span names)
{
	size_t pos = 0;

	for (const char *n; (n = list_next(names, &pos));)
		if (!str_has_prefix(n, "LC_") && !str_equal(n, "LANG") &&
			!str_equal(n, "LANGUAGE") && !str_equal(n, "TZ"))
			list_add(&s->env_names, n);
}

int
adopt_session(struct keeper_link *k, const struct msg_state *st)
{
	struct daemon *d = k->daemon;
	struct desktop *desktop;
	struct session *s;
	char name[NAME_BYTES];

	if (!str_equal(st->session, k->id))
		return -EINVAL;
	desktop = adopt_desktop(d, st);
	if (!desktop)
		return -EINVAL;
	if (name_check("session name", st->name, NULL) < 0 ||
		registry_session_by_name(&d->registry, desktop, st->name))
		name_for_session(&d->registry, desktop, st->name, name);
	else
		str_copy(name, sizeof name, st->name);
	s = registry_add_session(&d->registry, k->id, desktop, name);
	s->has_pty = st->has_pty != 0;
	buf_add(&s->command, st->argv.data, st->argv.len);
	adopt_env_names(s, st->env_names);
	s->cwd = str_dup(st->cwd);
	s->keeper = k;
	k->session = s;
	save_mark(d, s, true); /* from now on people act on it, and its keeper may go */
	log_info(d->log, "session %s/%s: came back from its keeper", desktop->name, name);
	return 0;
}
