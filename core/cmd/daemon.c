#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "cmd/call.h"
#include "model/daemon.h"
#include "model/life.h"
#include "model/object.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/messages.h"
#include "sandesk/paths.h"

void
cmd_hello(struct cmd_call *c)
{
	struct daemon *d = c->daemon;
	json_t *notices = json_array();

	(void)daemon_prepare(d, NULL); /* why it cannot be had is the answer to the next command */
	if (d->notices.len)
		json_array_append_new(notices, object_text(d->notices.data));
	buf_reset(&d->notices); /* told once */
	call_done(c, json_pack("{s:s, s:i, s:i, s:o}", "version", SANDESK_VERSION, "protocol",
			     PROTOCOL_VERSION, "pid", (int)getpid(), "notices", notices));
}

void
cmd_subscribe(struct cmd_call *c)
{
	json_t *result = json_object();

	json_object_set_new(result, "desktops", object_desktops(&c->daemon->registry));
	json_object_set_new(result, "sessions", object_sessions(&c->daemon->registry, NULL, false));
	c->wants_events = true;
	call_done(c, result);
}

static size_t
count_running(const struct registry *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->ndesktops; i++)
		n += registry_count_sessions(r, r->desktops[i], true);
	return n;
}

static void
answer_status(void *arg)
{
	struct cmd_call *c = arg;
	struct daemon *d = c->daemon;
	AUTO(mem) char *catalog = str_format("%s/catalog.db", d->paths->state);
	AUTO(mem) char *log = str_format("%s/daemon.log", d->paths->state);
	json_t *o = json_object();

	json_object_set_new(o, "pid", json_integer(getpid()));
	json_object_set_new(o, "version", json_string(SANDESK_VERSION));
	json_object_set_new(o, "uptime", json_real(clock_wall() - d->started));
	json_object_set_new(o, "runtime", object_text(d->paths->runtime));
	json_object_set_new(o, "state", object_text(d->paths->state));
	json_object_set_new(o, "log", object_text(log));
	json_object_set_new(o, "catalog", object_text(catalog));
	json_object_set_new(o, "desktops", json_integer((json_int_t)d->registry.ndesktops));
	json_object_set_new(o, "sessions", json_integer((json_int_t)count_running(&d->registry)));
	call_done(c, o);
}

void
cmd_daemon_status(struct cmd_call *c)
{
	struct err e = { 0 };

	if (daemon_prepare(c->daemon, &e) < 0)
		answer_status(
			c); /* of a daemon without its catalog: it says so at every other command */
	else
		daemon_when_ready(c->daemon, answer_status, c);
}

/* The catalog is closed and the lock let go before the answer: whoever gets it may start the next
 * daemon at once. */
static void
on_session_gone(void *arg)
{
	struct cmd_call *c = arg;

	if (--c->left)
		return;
	daemon_stop(c->daemon);
	call_done(c, NULL);
}

static void
stop_sessions(void *arg)
{
	struct cmd_call *c = arg;
	struct registry *r = &c->daemon->registry;

	c->left = 1;
	for (size_t i = 0; i < r->nsessions; i++) {
		c->left++;
		session_finish(c->daemon, r->sessions[i], GRACE_MS, on_session_gone, c);
	}
	on_session_gone(c);
}

void
cmd_daemon_stop(struct cmd_call *c)
{
	struct err e = { 0 };

	if (!call_flag(c, "sessions")) {
		c->left = 1;
		on_session_gone(c);
	} else if (daemon_prepare(c->daemon, &e) < 0) {
		call_fail(c, &e);
	} else {
		daemon_when_ready(c->daemon, stop_sessions, c);
	}
}
