#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keeper/harden.h"
#include "jail/walls.h"
#include "keeper/keeper.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/conn.h"
#include "sandesk/loop.h"

/* Descriptors that come with `start` when there is no terminal: standard input, output, error, and
 * the caller's connection. */
enum { EXEC_FDS = 3, EXEC_CALLER = EXEC_FDS, START_FDS };

static uint64_t
now_us(void)
{
	return (uint64_t)(clock_wall() * 1e6);
}

/* Ends the session's life in the books: status, reason, whoever waits. */
static void
finish(struct keeper *k, enum status status)
{
	k->status = status;
	k->ended_us = now_us();
	k->is_paused = false;
	log_info(&k->log, "session %s/%s (%s): %s%s%s", k->desktop, k->name, k->session,
		status_name(status), k->reason[0] ? ": " : "", k->reason);
	waiter_finish(k);
	while (k->stops) {
		struct pending_stop *s = k->stops;
		struct msg m = { .type = MSG_done, .done.request = s->request };

		k->stops = s->next;
		conn_send(s->viewer->conn, &m);
		mem_free(s);
	}
	keeper_tell_state(k);
	if (!k->has_pty || k->is_quitting) {
		for (struct viewer *v = k->viewers; v; v = v->next)
			keeper_send_state(k, v);
		keeper_leave(k);
	}
}

static void
fail(struct keeper *k, int code, const char *why)
{
	jail_fini(&k->jail);
	k->exit_code = code;
	str_copy(k->reason, sizeof k->reason, why);
	k->is_quitting = true; /* there is no screen to keep */
	finish(k, STATUS_FAILED);
}

static void
read_status(struct keeper *k)
{
	int status = 0;

	if (jail_exit(&k->jail, &status) < 0)
		status = SIGKILL; /* gone without a word: killed from outside */
	if (jail_appeared(&k->jail))
		log_warn(&k->log, "session %s: /%s was made in it: host tools run or obey it",
			k->session, jail_appeared(&k->jail));
	k->exit_code = jail_status_code(status);
	if (WIFSIGNALED(status))
		k->exit_signal = WTERMSIG(status);
	if (k->limits.reason[0]) {
		str_copy(k->reason, sizeof k->reason, k->limits.reason);
	} else if (k->exit_code && !k->is_stopping && cgroup_oom_kills(&k->group)) {
		snprintf(k->reason, sizeof k->reason,
			"%s %d; the kernel killed processes that went over its memory limit",
			WIFSIGNALED(status) ? "signal" : "exit status",
			WIFSIGNALED(status) ? k->exit_signal : k->exit_code);
	} else if (WIFSIGNALED(status)) {
		snprintf(k->reason, sizeof k->reason, "killed by signal %d (%s)", k->exit_signal,
			sigabbrev_np(k->exit_signal) ? sigabbrev_np(k->exit_signal) : "?");
	} else if (k->exit_code) {
		snprintf(k->reason, sizeof k->reason, "exit status %d", k->exit_code);
	}
}

/* All but what it used, which is told for as long as the keeper lives. */
static void
jail_forget(struct keeper *k)
{
	struct jail_usage used = k->jail.usage;

	jail_fini(&k->jail);
	k->jail.usage = used;
}

/* The last process of the sandbox is gone: nothing writes to the terminal any more. */
static void
on_end(int fd, int events, void *arg)
{
	struct keeper *k = arg;

	(void)fd;
	(void)events;
	loop_fd_free(k->end_watch);
	k->end_watch = NULL;
	loop_timer_free(k->grace);
	k->grace = NULL;
	read_status(k);
	limits_end(k);
	stream_close(k);
	jail_forget(k);
	finish(k, k->is_stopping ? STATUS_STOPPED : k->exit_code ? STATUS_FAILED : STATUS_DONE);
}

static struct jail_policy
policy_of(const struct msg_start *s, char *const *argv, char *const *env, char *const *protect)
{
	struct jail_policy p;

	jail_policy_init(&p);
	p.desktop_dir = s->dir;
	p.home_dir = s->home;
	p.workdir = s->cwd[0] ? s->cwd : NULL;
	p.user = s->user[0] && !str_equal(s->user, "root") ? s->user : "user";
	p.hostname = s->desktop;
	p.shell = s->shell[0] ? s->shell : NULL;
	p.lang = s->lang[0] ? s->lang : NULL;
	p.argv = argv;
	p.env = env;
	p.has_pty = s->has_pty;
	p.profile = s->profile == JAIL_STRICT ? JAIL_STRICT : JAIL_DEFAULT;
	p.allows_special_files = s->special_files;
	p.require = (uint32_t)s->require;
	if (s->has_protect)
		p.protect = protect;
	return p;
}

static void
take_limits(const struct msg_start *s, struct jail_limits *to)
{
	to->memory_bytes = s->memory;
	to->disk_bytes = s->disk;
	to->run_seconds = (uint32_t)s->run_seconds;
	to->idle_seconds = (uint32_t)s->idle_seconds;
	to->over = s->over <= JAIL_OVER_KILL ? (enum jail_over)s->over : JAIL_OVER_PAUSE;
	to->cpu_weight = (uint32_t)s->cpu_weight;
	to->cpu_percent = (uint32_t)s->cpu_percent;
	if (s->processes)
		to->processes = (uint32_t)s->processes;
	if (s->files)
		to->files = (uint32_t)s->files;
	if (s->file_bytes)
		to->file_bytes = s->file_bytes;
}

/* Into the session's own group while the sandbox's first process waits for its plan. What the machine
 * does not give is a missing wall, whose bit is returned; each process's own limit is what then holds
 * its memory. */
static uint32_t
enter_group(struct keeper *k, const struct msg_start *s, struct jail_limits *l)
{
	AUTO(mem) struct cgroups *g = mem_alloc(sizeof *g);
	struct err e = { 0 };
	bool has_group;

	if (!cgroup_is_wanted(l))
		return 0;
	cgroups_parse(s->groups, g);
	has_group = cgroup_make(g, k->desktop_id, k->session, l, k->jail.pid, &k->group, &e) == 0;
	if (e.code)
		log_warn(&k->log, "session %s: %s", k->session, e.msg);
	if (has_group && !cgroup_missing(g, l))
		return 0;
	if (!has_group || k->group.events < 0)
		l->data_bytes = l->memory_bytes;
	return 1U << WALL_CGROUP;
}

static void
name_missing(struct keeper *k)
{
	size_t at = 0;

	for (unsigned w = 0; w < WALL_COUNT && at < sizeof k->walls_missing; w++)
		if (k->jail.missing & 1U << w)
			at += (size_t)snprintf(k->walls_missing + at, sizeof k->walls_missing - at,
				"%s%s", at ? " " : "", jail_wall_name(w));
}

static int
open_io(struct keeper *k, const int *fds, struct jail_io *io, struct err *e)
{
	*io = (struct jail_io){ .pty = -1, .fds = { -1, -1, -1 } };
	if (!k->has_pty) {
		memcpy(io->fds, fds, sizeof io->fds);
		return fds[0] >= 0 ? 0
				   : err_set(e, JAIL_NOT_BUILT,
					     "standard input and output: did not come");
	}
	if (pty_open(&k->pty, k->size, e) < 0)
		return JAIL_NOT_BUILT;
	io->pty = pty_slave(&k->pty, e);
	return io->pty < 0 ? JAIL_NOT_BUILT : 0;
}

/* What the policy asks for and is not given; it stands in the log, whoever looks. */
static void
tell_missing(struct keeper *k, const struct plan *plan)
{
	for (size_t i = 0; i < plan->nnotes; i++)
		log_warn(&k->log, "session %s: %s", k->session, plan->notes[i]);
	for (int i = 0; i < WALL_COUNT; i++)
		if (k->jail.missing & 1u << i)
			log_warn(&k->log, "session %s: missing wall %s: %s", k->session,
				jail_wall_name((enum jail_wall)i),
				jail_wall_what((enum jail_wall)i));
}

/* From the start message to a running command; 0, or a code for jail_exit_code() and the reason. The
 * slave side of a terminal stays open here: a program that closes and reopens it then gives no end
 * of file in between. */
static int
build(struct keeper *k, const struct msg_start *s, const int *fds, struct jail_limits *ret_limits,
	struct err *e)
{
	AUTO(plan) struct plan plan = { 0 };
	AUTO(mem) char **argv = list_to_argv(s->argv);
	AUTO(mem) char **env = list_to_argv(s->env);
	AUTO(mem) char **protect = list_to_argv(s->protect);
	struct jail_policy policy = policy_of(s, argv, env, protect);
	struct jail_io io;
	uint32_t missing;
	int r;

	take_limits(s, &policy.limits);
	if (keeper_listen(k, e) < 0 || (!k->jail.pid && jail_prepare(&k->jail, e) < 0))
		return JAIL_NOT_BUILT;
	missing = enter_group(k, s, &policy.limits);
	if (missing & policy.require)
		return err_set(e, JAIL_NOT_BUILT,
			"wall %s: the policy requires it and this machine does not give it; `sandesk doctor` says what "
			"mends it",
			jail_wall_name(WALL_CGROUP));
	if (plan_make(&policy, &plan, e) < 0)
		return JAIL_NOT_BUILT;
	r = open_io(k, fds, &io, e);
	k->slave_fd = io.pty;
	r = r ? r : jail_run(&k->jail, &plan, &io, e);
	*ret_limits = policy.limits;
	k->jail.missing |= missing;
	name_missing(k);
	if (!r)
		tell_missing(k, &plan);
	if (!r && k->has_walls && harden_process(k->home.by_fd, e) < 0)
		r = JAIL_NOT_BUILT;
	return r;
}

/* Keeps the names of the caller's variables, never the values. */
static void
keep_env_names(struct keeper *k, struct span env)
{
	const char *entry;
	size_t pos = 0;

	while ((entry = list_next(env, &pos))) {
		buf_add(&k->env_names, entry, strcspn(entry, "="));
		buf_add_char(&k->env_names, 0);
	}
}

static void
remember(struct keeper *k, const struct msg_start *s)
{
	k->session = str_dup(s->session);
	k->desktop = str_dup(s->desktop);
	k->desktop_id = str_dup(s->desktop_id);
	k->name = str_dup(s->name);
	k->dir = str_dup(s->dir);
	k->cwd = str_dup(s->cwd[0] ? s->cwd : s->dir);
	buf_add(&k->argv, s->argv.data, s->argv.len);
	keep_env_names(k, s->env);
	k->has_pty = s->has_pty;
	k->size =
		size_clamp((unsigned)(s->rows ? s->rows : 24), (unsigned)(s->cols ? s->cols : 80));
	log_open(&k->log, s->log, "keeper");
}

void
run_prepare(struct keeper *k)
{
	(void)jail_prepare(&k->jail, NULL); /* run_start() tries again and says why */
}

/* The caller of an exec hears of it on a connection of its own, and ends it by hanging up. */
static void
take_caller(struct keeper *k, int *fds)
{
	if (fds[EXEC_CALLER] >= 0)
		keeper_add_viewer(k, fd_take(&fds[EXEC_CALLER]))->is_owner = true;
}

void
run_start(struct keeper *k, struct conn *from, const struct msg_start *s)
{
	struct term_config config = { .history_bytes = s->history_bytes ? s->history_bytes
									: TERM_HISTORY_BYTES,
		.history_lines = TERM_HISTORY_LINES,
		.keeps_history = s->keep_history };
	int fds[START_FDS] = { -1, -1, -1, -1 };
	struct jail_limits limits;
	struct err e = { 0 };
	int r;

	if (k->is_started || !id_is_valid(s->session))
		return;
	k->is_started = true;
	remember(k, s);
	k->started_us = now_us();
	if (!s->has_pty && conn_take_fds(from, fds, START_FDS) == START_FDS)
		take_caller(k, fds);
	r = build(k, s, fds, &limits, &e);
	for (int i = 0; i < EXEC_FDS; i++)
		fd_close(fds[i]);
	if (r < 0) {
		fail(k, jail_exit_code(r), e.msg);
		return;
	}
	k->status = STATUS_WORKING;
	k->end_watch = loop_fd_new(k->loop, k->jail.pidfd, LOOP_READ, on_end, k);
	limits_start(k, &limits);
	if (k->has_pty) {
		config.size = k->size;
		k->term = term_new(&config);
		stream_open(k);
	}
	keeper_tell_state(k);
}

/* A frozen group of v1 would hold even what was killed. */
static void
kill_all(struct keeper *k)
{
	jail_kill(&k->jail);
	(void)cgroup_freeze(&k->group, false);
}

static void
on_grace_over(void *arg)
{
	kill_all(arg);
}

/* A pause is lifted by it: what stands still cannot end politely. */
void
run_end(struct keeper *k, int64_t grace_ms)
{
	if (!k->end_watch)
		return;
	k->is_stopping = true;
	if (grace_ms <= 0) {
		kill_all(k);
		return;
	}
	jail_stop(&k->jail);
	if (k->is_paused)
		(void)run_pause(k, false);
	if (!k->grace)
		k->grace = loop_timer_new(k->loop, on_grace_over, k);
	if (!loop_timer_is_running(k->grace))
		loop_timer_start(k->grace, grace_ms);
}

enum { COUNT_MS = 50 };

/* Init freezes with the rest: what is asked of it meanwhile gets the figures of this moment. It is ours,
 * and answers in microseconds; a hostile sandbox can only make it late. */
static void
count_before_freezing(struct keeper *k)
{
	struct pollfd init = { .fd = k->jail.status_fd, .events = POLLIN };

	if (jail_ask_usage(&k->jail) == 0 && poll(&init, 1, COUNT_MS) > 0)
		limits_hear(k);
}

int
run_pause(struct keeper *k, bool on)
{
	int r = 0;

	if (!k->end_watch)
		return -ESRCH;
	if (on == k->is_paused)
		return 0;
	if (on && k->group.freeze >= 0)
		count_before_freezing(k);
	if (cgroup_freeze(&k->group, on) < 0)
		r = jail_signal_all(&k->jail, on ? SIGSTOP : SIGCONT);
	if (r < 0)
		return -ESRCH;
	k->is_paused = on;
	if (!on)
		limits_resumed(k);
	keeper_tell_state(k);
	return 0;
}

void
run_stop(struct keeper *k, struct viewer *v, uint64_t request, int64_t grace_ms)
{
	struct msg done = { .type = MSG_done, .done.request = request };
	struct pending_stop *s;

	if (!k->end_watch) { /* over already */
		conn_send(v->conn, &done);
		return;
	}
	s = mem_new(struct pending_stop);
	*s = (struct pending_stop){ .next = k->stops, .viewer = v, .request = request };
	k->stops = s;
	run_end(k, grace_ms);
}

void
run_forget_viewer(struct keeper *k, const struct viewer *v)
{
	for (struct pending_stop **at = &k->stops; *at;) {
		struct pending_stop *s = *at;

		if (s->viewer != v) {
			at = &s->next;
			continue;
		}
		*at = s->next;
		mem_free(s);
	}
}

void
run_quit(struct keeper *k)
{
	k->is_quitting = true;
	if (!k->end_watch) {
		loop_stop(k->loop);
		return;
	}
	k->is_stopping = true;
	kill_all(k); /* on_end() goes on */
}
