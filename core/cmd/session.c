#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/call.h"
#include "model/shell.h"
#include "model/budget.h"
#include "model/daemon.h"
#include "model/keeper.h"
#include "model/life.h"
#include "model/object.h"
#include "model/save.h"
#include "model/settings.h"
#include "model/target.h"
#include "model/usage.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/str.h"
#include "sandesk/messages.h"
#include "sandesk/paths.h"
#include "store/catalog.h"

enum { DEFAULT_ROWS = 24, DEFAULT_COLS = 80, ARGV_BYTES = 1 << 20, EXIT_NOT_BUILT = 125 };

/* ---- targets ---- */

/* The session that the call's target names; NULL when the call has been answered with the
 * reason. */
static struct session *
session_of(struct cmd_call *c)
{
	const char *target = call_text(c, "target");
	struct session *s = NULL;
	struct err e = { 0 };

	if (!target)
		err_set(&e, -EINVAL, "target: is missing; give DESKTOP/SESSION");
	else if (target_session(&c->daemon->registry, target, &s, &e) == 0) {
		str_copy(c->session_id, sizeof c->session_id, s->id);
		return s;
	}
	call_fail(c, &e);
	return NULL;
}

/* The session of a call that waited; NULL when it was forgotten meanwhile. */
static struct session *
same_session(const struct cmd_call *c)
{
	return registry_session_by_id(&c->daemon->registry, c->session_id);
}

static void
answer_session(void *arg)
{
	struct cmd_call *c = arg;
	const struct session *s = same_session(c);

	call_done(c, s ? object_session(s) : NULL);
}

/* The session, with a keeper to talk to; NULL when the call has been answered. */
static struct session *
connected_session(struct cmd_call *c)
{
	struct session *s = session_of(c);
	struct err e = { 0 };

	if (!s || s->keeper)
		return s;
	if (status_is_over(s->status))
		err_set(&e, -ESRCH,
			"session %s/%s: has ended (%s) and its screen is gone; run: sandesk "
			"session restart %s/%s",
			s->desktop->name, s->name, status_name(s->status), s->desktop->name,
			s->name);
	else
		err_set(&e, -EAGAIN, "session %s/%s: is being started; try again", s->desktop->name,
			s->name);
	call_fail(c, &e);
	return NULL;
}

/* ---- arguments ---- */

static void
add_texts(struct buf *to, const json_t *array)
{
	for (size_t i = 0; i < json_array_size(array); i++)
		list_add(to, json_string_value(json_array_get(array, i)));
}

/* NAME=VALUE for the session, and the names for everybody. */
static int
add_env(struct start_request *r, const json_t *array, struct err *e)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *pair = json_string_value(json_array_get(array, i)),
			   *equals = pair ? strchr(pair, '=') : NULL;

		if (!equals || equals == pair)
			return err_set(
				e, -EINVAL, "env: entry %zu has no value; give NAME=VALUE", i + 1);
		list_add(&r->env, pair);
		buf_add(&r->env_names, pair, (size_t)(equals - pair));
		buf_add_char(&r->env_names, 0);
	}
	return 0;
}

/* The caller's language and time zone; nothing else of its environment comes along unasked. */
static void
add_locale(struct buf *to, json_t *locale)
{
	const char *name;
	json_t *value;

	json_object_foreach (locale, name, value) {
		const char *text = json_string_value(value);

		if (!text || strchr(name, '='))
			continue;
		if (!str_equal(name, "LANG") && !str_equal(name, "LANGUAGE") &&
			!str_equal(name, "TZ") && !str_has_prefix(name, "LC_"))
			continue;
		buf_addf(to, "%s=%s", name, text);
		buf_add_char(to, 0);
	}
}

static struct size
size_arg(const struct cmd_call *c)
{
	const char *text = call_text(c, "size");
	unsigned rows = DEFAULT_ROWS, cols = DEFAULT_COLS;

	if (text && sscanf(text, "%4ux%4u", &rows, &cols) != 2)
		rows = DEFAULT_ROWS;
	return size_clamp(rows, cols);
}

static void
add_command(struct buf *to, const json_t *argv)
{
	const struct passwd *user;

	if (json_array_size(argv)) {
		add_texts(to, argv);
		return;
	}
	user = getpwuid(geteuid());
	list_add(to, shell_choose(getenv("SHELL"), user ? user->pw_shell : NULL));
}

/* What to run, from the call. The Desktop is found, the lists are owned by `ret`. */
static int
make_request(struct cmd_call *c, struct start_request *ret, struct err *e)
{
	const char *target = call_text(c, "target");
	struct jail_limits limits = { 0 }; /* checked here, so that nothing is made for a bad one */
	AUTO(settings) struct settings settings = { 0 };
	int rc;

	*ret = (struct start_request){ .fds = { -1, -1, -1, -1 },
		.name = call_text(c, "name"),
		.cwd = call_text(c, "dir"),
		.size = size_arg(c),
		.arg = c };
	if (!target)
		return err_set(e, -EINVAL, "target: is missing; name a Desktop");
	rc = target_desktop(&c->daemon->registry, target, &ret->desktop, e);
	if (rc < 0)
		return rc;
	if (!ret->cwd)
		ret->cwd = ret->desktop->dir;
	add_command(&ret->argv, json_object_get(c->args, "cmd"));
	add_locale(&ret->locale, json_object_get(c->args, "locale"));
	add_texts(&ret->limits, json_object_get(c->args, "limit"));
	if (budget_set_all(&limits, span_of(&ret->limits), e) < 0)
		return e->code;
	add_texts(&ret->limits, json_object_get(c->args, "policy"));
	if (settings_for(&settings, c->daemon->paths->config, ret->desktop, span_of(&ret->limits), e) < 0)
		return e->code;
	if (ret->argv.len > ARGV_BYTES)
		return err_set(e, -E2BIG, "command: is longer than %d bytes; put it into a file",
			ARGV_BYTES);
	return add_env(ret, json_object_get(c->args, "env"), e);
}

static void
drop_request(struct start_request *r)
{
	buf_fini(&r->argv);
	buf_fini(&r->env);
	buf_fini(&r->env_names);
	buf_fini(&r->limits);
	buf_fini(&r->locale);
}

/* ---- start, exec, restart ---- */

static void
on_started(struct session *s, const struct err *e, int exit_status, void *arg)
{
	struct cmd_call *c = arg;

	if (e)
		call_fail_status(c, e, exit_status);
	else
		call_done(c, object_session(s));
}

void
cmd_session_start(struct cmd_call *c)
{
	struct start_request r;
	struct err e = { 0 };

	if (make_request(c, &r, &e) < 0) {
		drop_request(&r);
		call_fail(c, &e);
		return;
	}
	r.has_pty = true;
	r.started = on_started;
	if (session_start(c->daemon, &r, &e) < 0)
		call_fail(c, &e);
}

static void
on_exec_spawned(struct session *s, const struct err *e, int exit_status, void *arg)
{
	struct cmd_call *c = arg;

	if (e)
		call_fail_status(c, e, exit_status);
	else
		call_done(c, json_pack("{s:s, s:s}", "id", s->id, "name", s->name));
}

void
cmd_session_exec(struct cmd_call *c)
{
	struct start_request r;
	struct err e = { 0 };
	int rc = make_request(c, &r, &e);

	if (!rc && c->nfds != START_FDS)
		rc = err_set(&e, -EBADF,
			"exec: %zu descriptors came along; send stdin, stdout, stderr and a "
			"control socket",
			c->nfds);
	if (rc < 0) {
		drop_request(&r);
		call_fail_status(c, &e, EXIT_NOT_BUILT);
		return;
	}
	call_take_fds(c, r.fds, START_FDS);
	r.started = on_exec_spawned;
	if (session_start(c->daemon, &r, &e) < 0)
		call_fail_status(c, &e, EXIT_NOT_BUILT);
}

static void
restart_gone(void *arg)
{
	struct cmd_call *c = arg;
	struct session *s = same_session(c);
	AUTO(buf) struct buf locale = { 0 };
	struct err e = { 0 };

	if (!s)
		err_set(&e, -ENOENT, "session: was removed before it could start again");
	else
		add_locale(&locale, json_object_get(c->args, "locale"));
	if (!s || session_restart(c->daemon, s, &locale, on_started, c, &e) < 0)
		call_fail(c, &e);
}

void
cmd_session_restart(struct cmd_call *c)
{
	struct session *s = session_of(c);
	struct err e = { 0 };

	if (!s)
		return;
	if (session_may_restart(c->daemon, s, &e) < 0)
		call_fail(c, &e);
	else
		session_finish(c->daemon, s, GRACE_MS, restart_gone, c);
}

/* ---- looking ---- */

/* Its Desktop may be gone meanwhile. */
static void
answer_list(void *arg)
{
	struct cmd_call *c = arg;
	const char *target = call_text(c, "target");
	struct desktop *d = NULL;
	struct err e = { 0 };

	if (target && target_desktop(&c->daemon->registry, target, &d, &e) < 0)
		call_fail(c, &e);
	else
		call_done(c, object_sessions(&c->daemon->registry, d, call_flag(c, "all")));
}

void
cmd_session_list(struct cmd_call *c)
{
	const char *target = call_text(c, "target");
	struct desktop *d = NULL;
	struct err e = { 0 };

	if (target && target_desktop(&c->daemon->registry, target, &d, &e) < 0)
		call_fail(c, &e);
	else
		usage_refresh(c->daemon, NULL, d, answer_list, c);
}

void
cmd_session_show(struct cmd_call *c)
{
	struct session *s = session_of(c);

	if (s)
		usage_refresh(c->daemon, s, NULL, answer_session, c);
}

/* ---- stop, kill, remove ---- */

static void
on_over(const struct msg *m, const struct err *e, void *arg)
{
	struct cmd_call *c = arg;
	struct session *s = same_session(c);

	(void)m;
	if (s && s->keeper && !s->is_finishing)
		keeper_clear_deadline(s->keeper);
	if (!s || status_is_over(s->status))
		answer_session(c);
	else if (e)
		call_fail(c, e);
	else
		wait_add(&s->over, answer_session,
			c); /* the keeper says `done` first and its state with the turn */
}

static void
stop_session(struct cmd_call *c, long long grace_ms)
{
	struct session *s = session_of(c);
	struct msg stop = { .type = MSG_stop };

	if (!s)
		return;
	if (!s->keeper || status_is_over(s->status)) {
		if (s->launch && !s->keeper)
			session_finish(c->daemon, s, grace_ms, answer_session, c);
		else
			answer_session(c); /* over already, which is what was wanted */
		return;
	}
	keeper_set_deadline(s->keeper, grace_ms + HUNG_MS);
	stop.stop.grace_ms = (uint64_t)grace_ms;
	stop.stop.request = keeper_expect(s->keeper, on_over, c);
	keeper_send(s->keeper, &stop);
}

void
cmd_session_stop(struct cmd_call *c)
{
	stop_session(c, call_number(c, "grace", GRACE_MS));
}

void
cmd_session_kill(struct cmd_call *c)
{
	stop_session(c, 0);
}

/* ---- pause, resume ---- */

static void
on_paused(const struct msg *m, const struct err *e, void *arg)
{
	struct cmd_call *c = arg;

	(void)m;
	if (e)
		call_fail(c, e);
	else
		usage_refresh(c->daemon, same_session(c), NULL, answer_session,
			c); /* the state comes with the turn, before what is asked now */
}

static void
pause_session(struct cmd_call *c, bool on)
{
	struct session *s = connected_session(c);
	struct msg m = { .type = on ? MSG_pause : MSG_resume };
	struct err e = { 0 };

	if (!s)
		return;
	if (status_is_over(s->status)) {
		err_set(&e, -ESRCH, "session %s/%s: has ended (%s); run: sandesk session restart "
			"%s/%s", s->desktop->name, s->name, status_name(s->status), s->desktop->name,
			s->name);
		call_fail(c, &e);
		return;
	}
	m.pause.request = keeper_expect(s->keeper, on_paused, c);
	if (!on)
		m.resume.request = m.pause.request;
	keeper_send(s->keeper, &m);
}

void
cmd_session_pause(struct cmd_call *c)
{
	pause_session(c, true);
}

void
cmd_session_resume(struct cmd_call *c)
{
	pause_session(c, false);
}

static void
remove_gone(void *arg)
{
	struct cmd_call *c = arg;
	struct session *s = same_session(c);
	struct err e = { 0 };

	if (s && session_forget(c->daemon, s, &e) < 0)
		call_fail(c, &e);
	else
		call_done(c, NULL);
}

void
cmd_session_remove(struct cmd_call *c)
{
	struct session *s = session_of(c);

	if (s)
		session_finish(c->daemon, s, GRACE_MS, remove_gone, c);
}

/* ---- rename ---- */

static int
check_free(struct daemon *d, const struct session *s, const char *to, struct err *e)
{
	if (name_check("session name", to, e) < 0)
		return -EINVAL;
	if (registry_session_by_name(&d->registry, s->desktop, to))
		return err_set(e, -EEXIST, "session %s/%s: exists already; choose another name",
			s->desktop->name, to);
	return 0;
}

void
cmd_session_rename(struct cmd_call *c)
{
	struct session *s = session_of(c);
	const char *to = call_text(c, "to");
	struct daemon *d = c->daemon;
	struct err e = { 0 };

	if (!s)
		return;
	if (!str_equal(to, s->name) &&
		(check_free(d, s, to, &e) < 0 ||
			(s->is_stored && catalog_rename_session(d->db, s->id, to, &e) < 0))) {
		call_fail(c, &e);
		return;
	}
	str_copy(s->name, sizeof s->name, to);
	registry_touch_session(&d->registry, s);
	if (s->keeper)
		keeper_send(s->keeper,
			&(struct msg){ .type = MSG_rename,
				.rename = { .name = s->name, .desktop = s->desktop->name } });
	answer_session(c);
}

/* ---- typing, reading, waiting: the keeper does it ---- */

static void
on_done(const struct msg *m, const struct err *e, void *arg)
{
	(void)m;
	if (e)
		call_fail(arg, e);
	else
		call_done(arg, NULL);
}

void
cmd_session_send(struct cmd_call *c)
{
	struct session *s = connected_session(c);
	const char *text = call_text(c, "text");
	struct msg m = { .type = MSG_text };

	if (!s)
		return;
	m.text.bytes = (struct span){ .data = text, .len = strlen(text) };
	m.text.enter = call_flag(c, "enter");
	m.text.request = keeper_expect(s->keeper, on_done, c);
	keeper_send(s->keeper, &m);
}

void
cmd_session_keys(struct cmd_call *c)
{
	struct session *s = connected_session(c);
	AUTO(buf) struct buf names = { 0 };
	struct msg m = { .type = MSG_keys };

	if (!s)
		return;
	add_texts(&names, json_object_get(c->args, "keys"));
	m.keys.names = span_of(&names);
	m.keys.request = keeper_expect(s->keeper, on_done, c);
	keeper_send(s->keeper, &m);
}

void
cmd_session_resize(struct cmd_call *c)
{
	struct session *s = connected_session(c);
	struct size size = size_arg(c);
	struct msg m = { .type = MSG_resize, .resize = { .rows = size.rows, .cols = size.cols } };

	if (!s)
		return;
	m.resize.request = keeper_expect(s->keeper, on_done, c);
	keeper_send(s->keeper, &m);
}

static void
on_captured(const struct msg *m, const struct err *e, void *arg)
{
	struct cmd_call *c = arg;
	AUTO(buf) struct buf text = { 0 };
	json_t *result;

	if (e) {
		call_fail(c, e);
		return;
	}
	if (m->type == MSG_captured)
		buf_add(&text, m->captured.text.data, m->captured.text.len);
	result = json_object();
	json_object_set_new(result, "text", object_text(text.data ? text.data : ""));
	call_done(c, result);
}

static bool
number_arg(const struct cmd_call *c, const char *name, uint64_t *ret)
{
	const char *text = call_text(c, name);
	int64_t n;

	if (!text || str_to_int(text, 0, INT64_MAX, &n) < 0)
		return false;
	*ret = (uint64_t)n;
	return true;
}

/* In the order of enum export_format, which the keeper knows (messages.h). */
static uint64_t
capture_format(const struct cmd_call *c)
{
	static const char *const names[] = { "text", "ansi", "html", "svg", "json" };

	for (size_t i = 1; i < ARRAY_LEN(names); i++)
		if (call_flag(c, names[i]))
			return i;
	return 0;
}

void
cmd_session_capture(struct cmd_call *c)
{
	struct session *s = connected_session(c);
	struct msg m = { .type = MSG_capture };

	if (!s)
		return;
	m.capture.history = call_flag(c, "history");
	m.capture.format = capture_format(c);
	m.capture.to = UINT64_MAX;
	if (number_arg(c, "from", &m.capture.from) | number_arg(c, "to", &m.capture.to))
		m.capture.flags |= CAPTURE_RANGE;
	if (call_flag(c, "last_output"))
		m.capture.flags |= CAPTURE_LAST_OUTPUT;
	m.capture.request = keeper_expect(s->keeper, on_captured, c);
	keeper_send(s->keeper, &m);
}

/* The keeper answers in JSON: what it says is passed on. */
static void
on_document(const struct msg *m, const struct err *e, void *arg)
{
	json_t *document = NULL;
	struct err why = { 0 };

	if (!e && m->type == MSG_captured)
		document = json_loadb(m->captured.text.data, m->captured.text.len, 0, NULL);
	if (!e && !document)
		err_set(&why, -EPROTO,
			"the session's keeper answers in another form; run: sandesk session "
			"restart");
	if (document)
		call_done(arg, document);
	else
		call_fail(arg, e ? e : &why);
}

void
cmd_session_commands(struct cmd_call *c)
{
	struct session *s = connected_session(c);
	struct msg m = { .type = MSG_commands };

	if (!s)
		return;
	m.commands.request = keeper_expect(s->keeper, on_document, c);
	keeper_send(s->keeper, &m);
}

void
cmd_session_explain(struct cmd_call *c)
{
	struct session *s = connected_session(c);
	struct msg m = { .type = MSG_explain };

	if (!s)
		return;
	m.explain.request = keeper_expect(s->keeper, on_document, c);
	keeper_send(s->keeper, &m);
}

/* The last hits, in the order of the text. */
static void
on_found(const struct msg *m, const struct err *e, void *arg)
{
	struct cmd_call *c = arg;
	json_t *answer, *hits, *list;

	answer = !e && m->type == MSG_captured
			 ? json_loadb(m->captured.text.data, m->captured.text.len, 0, NULL)
			 : NULL;
	hits = json_object_get(answer, "hits");
	if (!hits) {
		json_decref(answer);
		on_document(m, e, arg);
		return;
	}
	list = json_array();
	for (size_t i = json_array_size(hits); i > 0; i--)
		json_array_append(list, json_array_get(hits, i - 1));
	json_decref(answer);
	call_done(c, list);
}

void
cmd_session_search(struct cmd_call *c)
{
	struct session *s = connected_session(c);
	struct msg m = { .type = MSG_search };

	if (!s)
		return;
	number_arg(c, "limit", &m.search.limit);
	m.search.pattern = call_text(c, "pattern");
	m.search.flags = SEARCH_BACKWARDS | (call_flag(c, "regex") ? SEARCH_REGEX : 0);
	m.search.request = keeper_expect(s->keeper, on_found, c);
	keeper_send(s->keeper, &m);
}

static void
answer_outcome(struct cmd_call *c, enum wait_outcome outcome)
{
	static const char *const names[] = {
		[WAIT_MET] = "met", [WAIT_TIMED_OUT] = "timeout", [WAIT_ENDED] = "ended"
	};

	call_done(c, json_pack("{s:s}", "outcome", names[outcome]));
}

/* A keeper that goes away ends the session: that is an outcome, and no failure of the waiting. */
static void
on_waited(const struct msg *m, const struct err *e, void *arg)
{
	struct cmd_call *c = arg;

	if (e && e->code != -EPIPE)
		call_fail(c, e);
	else if (e)
		answer_outcome(c, call_flag(c, "exit") ? WAIT_MET : WAIT_ENDED);
	else
		answer_outcome(c, m->waited.outcome <= WAIT_ENDED
					  ? (enum wait_outcome)m->waited.outcome
					  : WAIT_ENDED);
}

static void
cancel_wait(struct cmd_call *c)
{
	struct session *s = same_session(c);

	if (!s || !s->keeper)
		return; /* its end answers */
	keeper_cancel(s->keeper, c);
	call_done(c, NULL);
}

static struct msg
wait_message(const struct cmd_call *c)
{
	struct msg m = { .type = MSG_wait };
	const char *pattern = call_text(c, "text");

	m.wait.kind = call_flag(c, "exit") ? WAIT_EXIT : pattern ? WAIT_TEXT : WAIT_QUIET;
	m.wait.pattern = pattern ? pattern : "";
	m.wait.quiet_ms = (uint64_t)call_number(c, "quiet", 0);
	m.wait.timeout_ms = (uint64_t)call_number(c, "timeout", 0);
	if (!m.wait.timeout_ms && json_object_get(c->args, "timeout"))
		m.wait.timeout_ms = 1; /* 0 means for ever there, and "do not wait" to a person */
	return m;
}

void
cmd_session_wait(struct cmd_call *c)
{
	struct session *s = session_of(c);
	struct msg m = wait_message(c);

	if (!s)
		return;
	if (status_is_over(s->status) && (m.wait.kind == WAIT_EXIT || !s->keeper)) {
		answer_outcome(c, m.wait.kind == WAIT_EXIT ? WAIT_MET : WAIT_ENDED);
		return;
	}
	if (!s->keeper) {
		struct err e = { 0 };

		err_set(&e, -EAGAIN, "session %s/%s: is being started; try again", s->desktop->name,
			s->name);
		call_fail(c, &e);
		return;
	}
	c->cancel = cancel_wait;
	m.wait.request = keeper_expect(s->keeper, on_waited, c);
	keeper_send(s->keeper, &m);
}
