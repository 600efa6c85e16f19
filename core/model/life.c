#include "model/life.h"

#include <assert.h>
#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/cgroup.h"
#include "model/adopt.h"
#include "model/budget.h"
#include "model/daemon.h"
#include "model/dirs.h"
#include "model/keeper.h"
#include "model/registry.h"
#include "model/save.h"
#include "model/shell.h"
#include "model/settings.h"
#include "model/target.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/log.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/loop.h"
#include "sandesk/messages.h"
#include "sandesk/paths.h"
#include "store/catalog.h"
#include "store/db.h"

enum { EXIT_NOT_BUILT = 125, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

/* A start that has not been answered, or whose keeper has not said yet that it works. */
struct launch {
	struct buf locale;
	int fds[START_FDS];
	session_started_fn *fn; /* NULL: answered */
	void *arg;
	bool is_restart; /* the session stays when it fails */
	bool is_counted; /* in daemon->starting */
	bool works;	 /* said by the keeper; the record is not on disk yet */
};

void
launch_free(struct session *s)
{
	struct launch *l = s->launch;

	if (!l)
		return;
	s->launch = NULL;
	for (size_t i = 0; i < START_FDS; i++)
		fd_close(l->fds[i]);
	buf_fini(&l->locale);
	mem_free(l);
}

static void
uncount(struct daemon *d, struct launch *l)
{
	if (!l->is_counted)
		return;
	l->is_counted = false;
	d->starting--;
	loop_task_queue(d->pump);
	spare_want(d);
}

static void
launch_answer(struct session *s, const struct err *e, int exit_status)
{
	struct launch *l = s->launch;
	session_started_fn *fn = l->fn;

	l->fn = NULL;
	if (fn)
		fn(e ? NULL : s, e, exit_status, l->arg);
}

static void
set_text(char **to, const char *text)
{
	mem_free(*to);
	*to = text && text[0] ? str_dup(text) : NULL;
}

static bool
queue_take(struct daemon *d, const struct session *s)
{
	for (size_t i = 0; i < d->nqueue; i++) {
		if (d->queue[i] != s)
			continue;
		memmove(&d->queue[i], &d->queue[i + 1], (d->nqueue - i - 1) * sizeof d->queue[0]);
		d->nqueue--;
		return true;
	}
	return false;
}

/* The keeper goes on alone: it ends itself by `quit`, and nothing here belongs to it any more. */
static void
let_keeper_go(struct session *s)
{
	struct keeper_link *k = s->keeper;

	s->keeper = NULL;
	if (!k)
		return;
	k->session = NULL;
	keeper_send(k, &(struct msg){ .type = MSG_quit });
	keeper_set_deadline(k, HUNG_MS);
}

static void
end_session(struct daemon *d, struct session *s, enum status status, const char *reason)
{
	s->status = status;
	set_text(&s->reason, reason);
	s->pid = 0;
	if (s->ended <= 0)
		s->ended = clock_wall();
	registry_touch_session(&d->registry, s);
	registry_touch_desktop(&d->registry, s->desktop);
	save_mark(d, s, s->over); /* written before an answer to whoever waits goes out */
	wait_fire(&s->over);
}

/* The command never ran. A new terminal session leaves nothing behind (false); exec and restart
 * leave a failed one. */
static bool
fail_start(struct daemon *d, struct session *s, const struct err *e, int exit_status)
{
	bool stays = s->launch->is_restart || !s->has_pty;

	uncount(d, s->launch);
	launch_answer(s, e, exit_status);
	launch_free(s);
	s->exit_code = exit_status;
	if (stays) {
		end_session(d, s, STATUS_FAILED, e->msg);
		return true;
	}
	let_keeper_go(s);
	wait_fire(&s->over);
	wait_fire(&s->gone);
	registry_remove_session(&d->registry, s);
	return false;
}

/* ---- beginning ---- */

static int
check_room(struct daemon *d, const struct desktop *desktop, struct err *e)
{
	if (d->is_stopping)
		return err_set(e, -ESHUTDOWN, "the daemon: is stopping; try again");
	if (desktop->is_removing)
		return err_set(e, -ESHUTDOWN, "Desktop %s: is being removed; choose another",
			desktop->name);
	if (registry_count_sessions(&d->registry, desktop, true) >= DESKTOP_SESSIONS_MAX)
		return err_set(e, -EAGAIN,
			"Desktop %s: has %d sessions running, which is the limit; stop some",
			desktop->name, DESKTOP_SESSIONS_MAX);
	return dirs_check(desktop, e);
}

static int
check_name(struct daemon *d, const struct start_request *r, struct err *e)
{
	struct session *s;

	if (!r->name)
		return 0;
	if (name_check("session name", r->name, e) < 0)
		return -EINVAL;
	s = registry_session_by_name(&d->registry, r->desktop, r->name);
	if (!s)
		return 0;
	return err_set(e, -EEXIST,
		"session %s/%s: exists already (%s); give another name, or run: sandesk session %s "
		"%s/%s",
		r->desktop->name, r->name, status_name(s->status),
		status_is_over(s->status) ? "remove" : "stop", r->desktop->name, r->name);
}

static void
request_drop(struct start_request *r)
{
	for (size_t i = 0; i < START_FDS; i++)
		fd_close(r->fds[i]);
	buf_fini(&r->argv);
	buf_fini(&r->env);
	buf_fini(&r->env_names);
	buf_fini(&r->locale);
	buf_fini(&r->limits);
}

static struct buf
buf_move(struct buf *b)
{
	struct buf moved = *b;

	*b = (struct buf){ 0 };
	return moved;
}

static void
enqueue(struct daemon *d, struct session *s)
{
	d->queue = mem_grow(d->queue, d->nqueue + 1, sizeof d->queue[0]);
	d->queue[d->nqueue++] = s;
	loop_task_queue(d->pump);
}

static struct session *
make_session(struct daemon *d, struct start_request *r)
{
	char name[NAME_BYTES];
	struct session *s;

	if (r->name)
		str_copy(name, sizeof name, r->name);
	else
		name_for_session(&d->registry, r->desktop, r->argv.data, name);
	s = registry_add_session(&d->registry, NULL, r->desktop, name);
	s->has_pty = r->has_pty;
	s->command = buf_move(&r->argv);
	s->env = buf_move(&r->env);
	s->env_names = buf_move(&r->env_names);
	s->budgets = buf_move(&r->limits);
	s->cwd = str_dup(r->cwd);
	s->size = r->size;
	s->started = clock_wall();
	return s;
}

int
session_start(struct daemon *d, struct start_request *r, struct err *e)
{
	struct session *s;
	int rc = check_room(d, r->desktop, e);

	if (!rc)
		rc = check_name(d, r, e);
	if (rc < 0) {
		request_drop(r);
		return rc;
	}
	s = make_session(d, r);
	s->launch = mem_new(struct launch);
	*s->launch =
		(struct launch){ .locale = buf_move(&r->locale), .fn = r->started, .arg = r->arg };
	memcpy(s->launch->fds, r->fds, sizeof r->fds);
	enqueue(d, s);
	return 0;
}

static void
restart_again(struct session *s)
{
	s->status = STATUS_STARTING;
	set_text(&s->reason, NULL);
	set_text(&s->title, NULL);
	set_text(&s->notice, NULL);
	set_text(&s->limits, NULL);
	s->usage = (struct session_usage){ 0 };
	s->notices = 0;
	s->exit_code = s->exit_signal = 0;
	s->ended = s->last_output = 0;
	s->started = clock_wall();
}

int
session_may_restart(struct daemon *d, const struct session *s, struct err *e)
{
	int rc = check_room(d, s->desktop, e);

	if (rc < 0)
		return rc;
	if (!s->has_pty)
		return err_set(e, -ENOTTY,
			"session %s/%s: was run by exec, whose input and output are gone; run it "
			"anew",
			s->desktop->name, s->name);
	if (s->launch)
		return err_set(e, -EBUSY, "session %s/%s: is being started; wait for it",
			s->desktop->name, s->name);
	if (s->env_names.len && !s->env.len)
		return err_set(e, -ENODATA,
			"session %s/%s: the values of its --env variables are kept in memory only "
			"and went "
			"with an earlier daemon; remove it and run it anew",
			s->desktop->name, s->name);
	return 0;
}

int
session_restart(struct daemon *d, struct session *s, struct buf *locale, session_started_fn *fn,
	void *arg, struct err *e)
{
	int rc = session_may_restart(d, s, e);

	assert(!s->keeper);
	if (rc < 0)
		return rc;
	restart_again(s);
	s->launch = mem_new(struct launch);
	*s->launch = (struct launch){ .locale = buf_move(locale),
		.fn = fn,
		.arg = arg,
		.is_restart = true,
		.fds = { -1, -1, -1, -1 } };
	registry_touch_session(&d->registry, s);
	registry_touch_desktop(&d->registry, s->desktop);
	enqueue(d, s);
	return 0;
}

/* The language of the caller, for the sandbox's own defaults. */
static const char *
lang_of(const struct buf *locale)
{
	size_t pos = 0;

	for (const char *v; (v = list_next(span_of(locale), &pos));)
		if (str_has_prefix(v, "LANG="))
			return v + strlen("LANG=");
	return "";
}

/* The file's, then the session's own. Groups are looked for when there is something to hold. */
static void
add_limits(struct daemon *d, const struct jail_limits *l, struct msg_start *to)
{
	to->memory = l->memory_bytes;
	to->disk = l->disk_bytes;
	to->run_seconds = l->run_seconds;
	to->idle_seconds = l->idle_seconds;
	to->over = l->over;
	to->cpu_weight = l->cpu_weight;
	to->cpu_percent = l->cpu_percent;
	to->processes = l->processes;
	to->files = l->files;
	to->file_bytes = l->file_bytes;
	to->groups = cgroup_is_wanted(l) ? groups_text(d) : "";
}

static int
send_start(struct daemon *d, struct session *s, const char *home, struct err *e)
{
	AUTO(buf) struct buf env = { 0 };
	struct passwd *user = getpwuid(geteuid());
	struct msg m = { .type = MSG_start };
	AUTO(settings) struct settings settings = { 0 };
	const struct policy *policy = &settings.policy;
	int rc;

	if (settings_for(&settings, d->paths->config, s->desktop, span_of(&s->budgets), e) < 0)
		return e->code;
	buf_reset(&s->policy);
	policy_list(policy, &s->policy);
	buf_add(&env, s->launch->locale.data, s->launch->locale.len);
	buf_add(&env, s->env.data, s->env.len); /* last: what was asked for wins */
	m.start = (struct msg_start){
		.session = s->id,
		.desktop = s->desktop->name,
		.desktop_id = s->desktop->id,
		.name = s->name,
		.dir = s->desktop->dir,
		.home = home,
		.cwd = s->cwd,
		.argv = span_of(&s->command),
		.env = span_of(&env),
		.rows = s->size.rows,
		.cols = s->size.cols,
		.has_pty = s->has_pty,
		.log = d->log->path,
		.user = user ? user->pw_name : "",
		.lang = lang_of(&s->launch->locale),
		.shell = shell_choose(getenv("SHELL"), user ? user->pw_shell : NULL),
		.keep_history = !settings.erases_history,
		.profile = policy->profile,
		.special_files = policy->allows_special_files,
		.has_protect = policy->has_protect,
		.protect = span_of(&policy->protect),
		.require = policy->require,
	};
	add_limits(d, &policy->limits, &m.start);
	rc = keeper_send_fds(s->keeper, &m, s->launch->fds, s->has_pty ? 0 : START_FDS);
	if (env.data)
		explicit_bzero(env.data, env.len);
	return rc < 0 ? err_errno(e, rc, "keeper: cannot be told what to run") : 0;
}

/* The session's own process, told what to run. */
static int
give_keeper(struct daemon *d, struct session *s, struct err *e)
{
	char home[PATH_MAX];
	pid_t pid;
	int fd, rc = dirs_home(d->paths, s->desktop->id, home, e);

	if (rc < 0)
		return rc;
	keeper_unlink_socket(d, s->id); /* of the keeper before a restart, if that was killed */
	pid = spare_take(d, &fd, e);
	if (pid < 0)
		return pid;
	keeper_new(d, fd, s->id, s);
	s->keeper->pid = s->keeper_pid = pid;
	s->keeper->is_child = true;
	keeper_set_deadline(s->keeper, START_MS);
	rc = send_start(d, s, home, e);
	if (rc < 0)
		keeper_kill(s->keeper);
	return rc;
}

static void
launch_session(struct daemon *d, struct session *s)
{
	struct err e = { 0 };

	s->launch->is_counted = true;
	d->starting++;
	if (give_keeper(d, s, &e) < 0) {
		err_wrap(&e, "session %s/%s", s->desktop->name, s->name);
		fail_start(d, s, &e, EXIT_NOT_BUILT);
		return;
	}
	registry_touch_session(&d->registry, s);
	if (s->has_pty)
		return;
	for (size_t i = 0; i < START_FDS; i++)
		fd_drop(&s->launch->fds[i]);
	launch_answer(s, NULL, 0); /* the caller hears the rest from the keeper itself */
}

void
life_pump(void *daemon)
{
	struct daemon *d = daemon;

	while (d->nqueue && d->starting < STARTING_MAX) {
		struct session *s = d->queue[0];

		queue_take(d, s);
		launch_session(d, s);
	}
}

/* ---- what the keeper says ---- */

static double
seconds(uint64_t us)
{
	return (double)us / 1e6;
}

static void
take_state(struct session *s, const struct msg_state *st)
{
	s->status = st->status < STATUS_COUNT ? (enum status)st->status : STATUS_WORKING;
	s->pid = status_is_over(s->status) ? 0 : (pid_t)st->pid;
	s->keeper_pid = (pid_t)st->keeper_pid;
	s->exit_code = (int)(st->exit_code & 0xff);
	s->exit_signal = (int)(st->exit_signal & 0x7f);
	set_text(&s->reason, st->reason);
	set_text(&s->title, st->title);
	set_text(&s->notice, st->notice);
	set_text(&s->why, st->why);
	s->need = (unsigned)st->need;
	s->notices = st->notices;
	if (st->started_us)
		s->started = seconds(st->started_us);
	s->ended = seconds(st->ended_us);
	s->last_output = seconds(st->output_us);
	s->size = size_clamp((unsigned)st->rows, (unsigned)st->cols);
	s->clients = (unsigned)st->clients;
	set_text(&s->limits, st->limits);
	set_text(&s->walls_missing, st->walls_missing);
	s->usage = (struct session_usage){ st->cpu_us, st->memory, st->memory_peak, st->processes,
		st->written, st->memory_peak > 0 };
}

/* An ended command says "exit status 127" itself; that the sandbox or the command could not be
 * started reads otherwise. */
static bool
is_failed_start(const struct msg_state *st)
{
	return st->status == STATUS_FAILED && !st->pid && !st->exit_signal &&
	       st->exit_code >= EXIT_NOT_BUILT && st->exit_code <= EXIT_NOT_FOUND &&
	       !str_has_prefix(st->reason, "exit status ");
}

static int
errno_of(uint64_t exit_code)
{
	return exit_code == EXIT_NOT_FOUND	  ? -ENOENT
	       : exit_code == EXIT_NOT_EXECUTABLE ? -EACCES
						  : -EPERM;
}

/* False when the session is gone by that. */
static bool
advance_launch(struct daemon *d, struct session *s, const struct msg_state *st)
{
	struct err e = { 0 };

	if (!s->launch || s->launch->works || s->status == STATUS_STARTING)
		return true;
	if (s->keeper->deadline && !s->is_finishing)
		loop_timer_stop(s->keeper->deadline);
	if (is_failed_start(st)) {
		err_set(&e, errno_of(st->exit_code), "session %s/%s: %s", s->desktop->name, s->name,
			st->reason);
		if (!fail_start(d, s, &e, (int)st->exit_code))
			return false;
		set_text(&s->reason, st->reason);
		return true;
	}
	uncount(d, s->launch);
	s->launch->works = true;
	registry_touch_desktop(&d->registry, s->desktop);
	save_mark(d, s, s->has_pty);
	return true;
}

/* Screens of ended sessions are kept for as long as there are not too many. */
static void
limit_lingering(struct daemon *d)
{
	struct session *oldest = NULL;
	size_t n = 0;

	for (size_t i = 0; i < d->registry.nsessions; i++) {
		struct session *s = d->registry.sessions[i];

		if (!s->keeper || s->is_finishing || !s->has_pty || !status_is_over(s->status))
			continue;
		n++;
		if (!oldest || (s->clients > 0) < (oldest->clients > 0) ||
			((s->clients > 0) == (oldest->clients > 0) && s->ended < oldest->ended))
			oldest = s;
	}
	if (n <= LINGERING_MAX)
		return;
	oldest->is_finishing = true;
	keeper_send(oldest->keeper, &(struct msg){ .type = MSG_quit });
	keeper_set_deadline(oldest->keeper, HUNG_MS);
}

/* An earlier daemon may have died between the record of a new name and telling the keeper. */
static void
tell_names(struct keeper_link *k, const struct msg_state *st)
{
	struct session *s = k->session;

	if (str_equal(st->name, s->name) && str_equal(st->desktop, s->desktop->name))
		return;
	keeper_send(k, &(struct msg){ .type = MSG_rename,
			       .rename = { .name = s->name, .desktop = s->desktop->name } });
}

void
life_state(struct keeper_link *k, const struct msg_state *st)
{
	struct daemon *d = k->daemon;
	struct session *s;
	enum status before;

	if (!k->session && k->is_adopting && adopt_session(k, st) < 0)
		log_warn(d->log, "keeper %s: makes no sense; left alone", k->id);
	s = k->session;
	if (s && str_equal(st->session, s->id)) {
		if (k->is_adopting)
			tell_names(k, st);
		before = s->status;
		take_state(s, st);
		registry_touch_session(&d->registry, s);
		if (advance_launch(d, s, st) && s->status != before) {
			registry_touch_desktop(&d->registry, s->desktop);
			if (!s->launch)
				save_mark(d, s, s->over);
			if (status_is_over(s->status)) {
				groups_clean(d);
				wait_fire(&s->over);
				limit_lingering(d);
			}
		}
	}
	adopt_heard(k);
}

/* ---- ending ---- */

static void
gone_reason(const struct keeper_link *k, char *to, size_t size)
{
	if (k->is_reaped && WIFSIGNALED(k->wait_status))
		snprintf(to, size, "keeper killed by signal %d", WTERMSIG(k->wait_status));
	else if (k->is_reaped && WEXITSTATUS(k->wait_status))
		snprintf(to, size, "keeper ended with status %d; see daemon.log",
			WEXITSTATUS(k->wait_status));
	else
		str_copy(to, size, "keeper died");
}

static void
limit_ended_exec(struct daemon *d, const struct desktop *desktop)
{
	struct session *oldest = NULL;
	size_t n = 0;

	for (size_t i = 0; i < d->registry.nsessions; i++) {
		struct session *s = d->registry.sessions[i];

		if (s->desktop != desktop || s->has_pty || s->keeper || s->launch || s->gone ||
			!status_is_over(s->status))
			continue;
		n++;
		oldest = oldest ? oldest : s;
	}
	if (n > ENDED_EXEC_MAX)
		(void)session_forget(d, oldest,
			NULL); /* a record that stays for now is tried again at the next end */
}

void
life_keeper_gone(struct keeper_link *k)
{
	struct daemon *d = k->daemon;
	struct session *s = k->session;
	struct err e = { 0 };
	char reason[80];

	if (!s)
		return;
	gone_reason(k, reason, sizeof reason);
	k->session = NULL;
	s->keeper = NULL;
	s->keeper_pid = 0;
	s->is_finishing = false;
	registry_touch_session(&d->registry, s);
	if (s->launch && !s->launch->works) {
		err_set(&e, -EPIPE, "session %s/%s: %s", s->desktop->name, s->name, reason);
		if (!fail_start(d, s, &e, EXIT_NOT_BUILT))
			return;
	}
	if (!status_is_over(s->status)) {
		s->exit_signal =
			SIGKILL; /* what the kernel did to the sandbox without its keeper */
		end_session(d, s, STATUS_FAILED, reason);
	}
	if (!s->has_pty)
		limit_ended_exec(d, s->desktop);
	wait_fire(&s->gone); /* last: who waits may forget the session */
}

static void
on_stopped(const struct msg *m, const struct err *e, void *arg)
{
	struct keeper_link *k = arg;

	(void)m;
	if (e)
		return; /* it is gone */
	keeper_send(k, &(struct msg){ .type = MSG_quit });
	keeper_set_deadline(k, HUNG_MS);
}

void
session_finish(struct daemon *d, struct session *s, int64_t grace_ms, wait_fn *fn, void *arg)
{
	struct err e = { 0 };
	struct msg stop = { .type = MSG_stop };

	if (s->launch && !s->keeper && queue_take(d, s)) {
		err_set(&e, -ECANCELED, "session %s/%s: was stopped before it started",
			s->desktop->name, s->name);
		launch_answer(s, &e, EXIT_NOT_BUILT);
		launch_free(s);
		s->exit_code = EXIT_NOT_BUILT;
		end_session(d, s, STATUS_STOPPED, "stopped before it started");
	}
	if (!s->keeper) {
		fn(arg);
		return;
	}
	wait_add(&s->gone, fn, arg);
	if (s->is_finishing)
		return;
	s->is_finishing = true;
	keeper_set_deadline(s->keeper, grace_ms + HUNG_MS);
	if (status_is_over(s->status)) {
		keeper_send(s->keeper, &(struct msg){ .type = MSG_quit });
		return;
	}
	stop.stop.grace_ms = (uint64_t)grace_ms;
	stop.stop.request = keeper_expect(s->keeper, on_stopped, s->keeper);
	keeper_send(s->keeper, &stop);
}

int
session_forget(struct daemon *d, struct session *s, struct err *e)
{
	int rc = 0;

	if (d->is_stopping)
		return err_set(e, -ESHUTDOWN, "the daemon: is stopping; try again");
	if (s->is_stored)
		rc = catalog_remove_session(d->db, s->id, e);
	if (rc < 0)
		return rc;
	life_abandon(d, s);
	registry_remove_session(&d->registry, s);
	return 0;
}

void
life_saved(struct daemon *d, struct session *s, const struct err *e)
{
	struct launch *l = s->launch;
	struct err told = { 0 };

	if (!l || !l->works)
		return;
	if (!e || !l->fn || l->is_restart) {
		launch_answer(s, NULL, 0);
		launch_free(s);
		return;
	}
	told = *e; /* what cannot be recorded must not run: it was never said to exist */
	err_wrap(&told, "session %s/%s", s->desktop->name, s->name);
	fail_start(d, s, &told, 1);
}

void
life_abandon(struct daemon *d, struct session *s)
{
	struct err e = { 0 };

	(void)queue_take(d, s);
	err_set(&e, -ECANCELED,
		"session %s/%s: was stopped or removed while it started; list the sessions",
		s->desktop->name, s->name);
	if (s->launch)
		launch_answer(s, &e, 1);
	if (s->launch)
		uncount(d, s->launch);
	launch_free(s);
	wait_fire(&s->over);
}
