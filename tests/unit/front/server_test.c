/* The daemon in this process, on a socket of its own; no keeper is ever started. */
#include "../../lib/check.h"

#include <errno.h>
#include <ftw.h>
#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "front/peer.h"
#include "front/server.h"
#include "model/daemon.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/log.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/loop.h"
#include "sandesk/messages.h"
#include "sandesk/paths.h"

enum { DEADLINE_MS = 5000 };

struct world {
	char root[64];
	struct paths paths;
	struct log log;
	struct loop *loop;
	struct daemon *daemon;
	struct server *server;
	bool has_stopped;
};

struct client {
	int fd;
	struct buf in;
};

static void
make_dir(const char *path)
{
	assert_int_equal(mkdir(path, 0700), 0);
}

static void
on_stopped(void *arg)
{
	struct world *w = arg;

	w->has_stopped = true;
}

static void
start(struct world *w)
{
	w->loop = loop_new();
	w->daemon = daemon_new(w->loop, &w->paths, &w->log);
	w->daemon->stopped = on_stopped;
	w->daemon->stopped_arg = w;
	assert_int_equal(server_new(&w->server, w->daemon, NULL), 0);
}

static void
end(struct world *w)
{
	daemon_free(w->daemon);
	server_free(w->server);
	loop_free(w->loop);
}

static int
setup(void **state)
{
	struct world *w = mem_new(struct world);
	AUTO(mem) char *keepers = NULL, *work = NULL;

	str_copy(w->root, sizeof w->root, "/tmp/sandesk-server-XXXXXX");
	assert_non_null(mkdtemp(w->root));
	w->log.fd = -1;
	snprintf(w->paths.runtime, sizeof w->paths.runtime, "%s/run", w->root);
	snprintf(w->paths.state, sizeof w->paths.state, "%s/state", w->root);
	snprintf(w->paths.libexec, sizeof w->paths.libexec, "%s/nowhere", w->root);
	keepers = str_format("%s/keepers", w->paths.runtime);
	work = str_format("%s/work", w->root);
	make_dir(w->paths.runtime);
	make_dir(w->paths.state);
	make_dir(keepers);
	make_dir(work);
	start(w);
	*state = w;
	return 0;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static int
teardown(void **state)
{
	struct world *w = *state;

	end(w);
	assert_int_equal(nftw(w->root, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
	mem_free(w);
	return 0;
}

/* ---- a client ---- */

static struct client
dial(const struct world *w)
{
	AUTO(mem) char *path = str_format("%s/daemon.sock", w->paths.runtime);
	struct client c = { .fd = socket_connect(path, NULL) };

	assert_true(c.fd >= 0);
	return c;
}

static void
hang_up(struct client *c)
{
	fd_drop(&c->fd);
	buf_fini(&c->in);
}

static void
send_msg(struct client *c, const struct msg *m)
{
	AUTO(buf) struct buf out = { 0 };

	assert_int_equal(msg_encode(&out, m), 0);
	assert_int_equal(fd_write_all(c->fd, out.data, out.len), 0);
}

static void
send_text(struct client *c, const char *text)
{
	send_msg(c, &(struct msg){ .type = MSG_rpc, .rpc.body = { text, strlen(text) } });
}

static void
send_hello(struct client *c)
{
	send_msg(c, &(struct msg){ .type = MSG_hello,
			    .hello = { .version = PROTOCOL_VERSION, .program = "test" } });
}

/* Turns the loop until the client has a whole JSON-RPC object: owned. NULL when the daemon hung
 * up. */
static json_t *
receive(const struct world *w, struct client *c)
{
	int64_t deadline = clock_ms() + DEADLINE_MS;

	while (clock_ms() < deadline) {
		struct msg m;
		ssize_t used = msg_decode(c->in.data, c->in.len, &m, NULL), n;

		if (used > 0) {
			json_t *o = m.type == MSG_rpc
					    ? json_loadb(m.rpc.body.data, m.rpc.body.len, 0, NULL)
					    : NULL;

			buf_cut(&c->in, (size_t)used);
			if (o)
				return o;
			continue;
		}
		loop_turn(w->loop);
		buf_reserve(&c->in, 65536);
		n = recv(c->fd, c->in.data + c->in.len, 65536, MSG_DONTWAIT);
		if (n == 0 || (n < 0 && errno == ECONNRESET))
			return NULL;
		c->in.len += n > 0 ? (size_t)n : 0;
	}
	fail_msg("no answer within %d ms", DEADLINE_MS);
	return NULL;
}

/* One call and its answer: {"result":...} or {"error":...}; owned. */
static json_t *
call(const struct world *w, struct client *c, const char *method, const char *params)
{
	AUTO(mem)
	char *text = str_format(
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method, params);

	send_text(c, text);
	return receive(w, c);
}

static const char *
message_of(const json_t *reply)
{
	const char *text =
		json_string_value(json_object_get(json_object_get(reply, "error"), "message"));

	return text ? text : "";
}

static json_int_t
number_of(const json_t *reply, const char *name)
{
	return json_integer_value(
		json_object_get(json_object_get(json_object_get(reply, "error"), "data"), name));
}

static struct client
dial_and_greet(const struct world *w)
{
	struct client c = dial(w);

	send_hello(&c);
	return c;
}

static void
make_desktop(const struct world *w, struct client *c, const char *name)
{
	AUTO(mem)
	char *params = str_format("{\"name\":\"%s\",\"dir\":\"%s/work/%s\"}", name, w->root, name);
	json_t *reply = call(w, c, "desktop.create", params);

	assert_non_null(json_object_get(reply, "result"));
	json_decref(reply);
}

/* ---- tests ---- */

static void
commands_are_answered(void **state)
{
	static const struct {
		const char *method, *params;
		const char *says; /* part of the error; NULL: a result */
		int error, exit_status;
	} rows[] = {
		{ "hello", "{}", NULL, 0, 0 },
		{ "desktop.list", "{}", NULL, 0, 0 },
		{ "session.list", "{}", NULL, 0, 0 },
		{ "session.list", "{\"target\":\"a\"}", NULL, 0, 0 },
		{ "daemon.status", "{}", NULL, 0, 0 },
		{ "layout.set", "{\"target\":\"a\",\"layout\":{\"x\":[1]}}", NULL, 0, 0 },
		{ "desktop.create", "{\"name\":\"a\",\"dir\":\"/nowhere\"}", "exists already",
			EEXIST, 1 },
		{ "desktop.create", "{\"name\":\"b\",\"dir\":\"/\"}", "cannot be a Desktop", EPERM,
			1 },
		{ "desktop.create", "{\"name\":\"b\"}", "--dir", EINVAL, 1 },
		{ "desktop.create", "{}", "missing", EINVAL, 2 },
		{ "desktop.create", "{\"name\":\"a/b\",\"dir\":\"/x\"}", "not allowed", EINVAL, 2 },
		{ "desktop.show", "{\"target\":\"zzz\"}", "there is: a", ENOENT, 1 },
		{ "desktop.remove", "{\"target\":\"a\"}", "--yes", EINVAL, 2 },
		{ "desktop.rename", "{\"target\":\"zzz\",\"to\":\"y\"}", "there is: a", ENOENT, 1 },
		{ "session.rename", "{\"target\":\"a/x\",\"to\":\"y\"}", "does not exist", ENOENT,
			1 },
		{ "session.send", "{\"target\":\"a/x\",\"text\":\"y\"}", "does not exist", ENOENT,
			1 },
		{ "session.wait", "{\"target\":\"a/x\",\"exit\":true}", "does not exist", ENOENT,
			1 },
		{ "session.resize", "{\"target\":\"a/x\",\"size\":\"1x2\"}", "does not exist",
			ENOENT, 1 },
		{ "session.restart", "{\"target\":\"a/x\"}", "does not exist", ENOENT, 1 },
		{ "session.start", "{\"target\":\"a\"}", "run make", ENOENT, 125 },
		{ "session.start", "{\"target\":\"a\",\"env\":[\"NOVALUE\"]}", "NOVALUE", EINVAL,
			2 },
		{ "session.exec", "{\"target\":\"a\",\"cmd\":[\"ls\"]}", "descriptors", EBADF,
			125 },
		{ "session.attach", "{\"target\":\"a/x\"}", "not known", ENOSYS, 1 },
		{ "nothing.like_it", "{}", "not known", ENOSYS, 1 },
	};
	struct world *w = *state;
	struct client c = dial_and_greet(w);

	make_desktop(w, &c, "a");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		AUTO(mem) char *name = str_format("%s %s", rows[i].method, rows[i].params);
		json_t *reply = call(w, &c, rows[i].method, rows[i].params);

		assert_row(name, !json_object_get(reply, "result") == (rows[i].says != NULL));
		if (rows[i].says && !strstr(message_of(reply), rows[i].says))
			fail_msg("%s: says \"%s\"", name, message_of(reply));
		assert_row(name, number_of(reply, "errno") == rows[i].error);
		assert_row(name, number_of(reply, "exit_status") == rows[i].exit_status);
		json_decref(reply);
	}
	hang_up(&c);
}

static void
without_hello_nobody_is_served(void **state)
{
	struct world *w = *state;
	struct client c = dial(w);

	send_text(&c, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"desktop.list\"}");
	assert_null(receive(w, &c));
	hang_up(&c);
}

static void
a_second_daemon_gives_way(void **state)
{
	struct world *w = *state;
	struct daemon *other = daemon_new(w->loop, &w->paths, &w->log);
	struct server *server = NULL;
	struct err e = { 0 };

	assert_int_equal(server_new(&server, other, &e), -EALREADY);
	assert_null(server);
	daemon_free(other);
}

static void
a_stale_socket_is_replaced(void **state)
{
	struct world *w = *state;
	AUTO(mem) char *path = str_format("%s/daemon.sock", w->paths.runtime);
	AUTO(mem) char *keeper = str_format("%s/keepers/0123456789abcdef.sock", w->paths.runtime);
	struct client c;
	json_t *reply;

	end(w);
	/* as a daemon and a keeper that were killed leave them */
	fd_close(socket_listen(path, NULL));
	fd_close(socket_listen(keeper, NULL));
	start(w);
	c = dial_and_greet(w);
	reply = call(w, &c, "session.list", "{}");
	assert_non_null(json_object_get(reply, "result"));
	assert_int_equal(access(keeper, F_OK), -1);
	json_decref(reply);
	hang_up(&c);
}

static void
what_was_said_to_exist_survives(void **state)
{
	struct world *w = *state;
	struct client c = dial_and_greet(w);
	json_t *reply;

	make_desktop(w, &c, "a");
	make_desktop(w, &c, "b");
	reply = call(w, &c, "layout.set", "{\"target\":\"a\",\"layout\":[1,2]}");
	json_decref(reply);
	reply = call(w, &c, "desktop.remove", "{\"target\":\"b\",\"yes\":true}");
	json_decref(reply);
	hang_up(&c);
	end(w);
	start(w);
	c = dial_and_greet(w);
	reply = call(w, &c, "desktop.list", "{}");
	assert_int_equal(json_array_size(json_object_get(reply, "result")), 1);
	json_decref(reply);
	reply = call(w, &c, "layout.get", "{\"target\":\"a\"}");
	assert_int_equal(
		json_array_size(json_object_get(json_object_get(reply, "result"), "layout")), 2);
	json_decref(reply);
	hang_up(&c);
}

static void
subscribers_hear_of_changes(void **state)
{
	static const struct {
		const char *method, *params, *event;
	} rows[] = {
		{ "desktop.rename", "{\"target\":\"a\",\"to\":\"b\"}", "desktop.changed" },
		{ "desktop.remove", "{\"target\":\"b\",\"yes\":true}", "desktop.removed" },
	};
	struct world *w = *state;
	struct client actor = dial_and_greet(w), listener = dial_and_greet(w);
	json_t *reply;

	make_desktop(w, &actor, "a");
	reply = call(w, &listener, "subscribe", "{}");
	assert_int_equal(
		json_array_size(json_object_get(json_object_get(reply, "result"), "desktops")), 1);
	json_decref(reply);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		reply = call(w, &actor, rows[i].method, rows[i].params);
		assert_row(rows[i].method, json_object_get(reply, "result"));
		json_decref(reply);
		reply = receive(w, &listener);
		assert_row(rows[i].method,
			str_equal(json_string_value(json_object_get(reply, "method")),
				rows[i].event));
		assert_row(rows[i].method,
			str_equal(json_string_value(json_object_get(
					  json_object_get(reply, "params"), "name")),
				"b"));
		json_decref(reply);
	}
	hang_up(&actor);
	hang_up(&listener);
}

static void
a_catalog_of_a_newer_sandesk_is_left_alone(void **state)
{
	struct world *w = *state;
	AUTO(mem) char *path = str_format("%s/catalog.db", w->paths.state);
	static const char *const methods[] = { "desktop.list", "session.list" };
	struct client c;
	sqlite3 *raw;

	end(w);
	assert_int_equal(sqlite3_open(path, &raw), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(raw, "PRAGMA user_version = 9999", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(raw);
	start(w);
	c = dial_and_greet(w);
	for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
		json_t *reply = call(w, &c, methods[i], "{}");

		assert_row(methods[i], strstr(message_of(reply), "has version 9999"));
		json_decref(reply);
	}
	hang_up(&c);
}

static void
a_damaged_catalog_is_told_of_once(void **state)
{
	struct world *w = *state;
	AUTO(mem) char *path = str_format("%s/catalog.db", w->paths.state);
	AUTO(mem) char *junk = mem_zero(8192, 1);
	struct client c;
	FILE *f;

	end(w);
	f = fopen(path, "w");
	memset(junk, 0x55, 8192);
	assert_int_equal(fwrite(junk, 8192, 1, f), 1);
	fclose(f);
	start(w);
	c = dial_and_greet(w);
	for (size_t want = 1; want <= 1; want--) {
		json_t *reply = call(w, &c, "hello", "{}");

		assert_int_equal(json_array_size(json_object_get(
					 json_object_get(reply, "result"), "notices")),
			want);
		json_decref(reply);
	}
	hang_up(&c);
}

static void
stopping_answers_first(void **state)
{
	struct world *w = *state;
	AUTO(mem) char *path = str_format("%s/daemon.sock", w->paths.runtime);
	struct client c = dial_and_greet(w);
	json_t *reply = call(w, &c, "daemon.stop", "{}");

	assert_non_null(json_object_get(reply, "result"));
	assert_true(w->has_stopped);
	json_decref(reply);
	reply = call(w, &c, "desktop.list", "{}");
	assert_non_null(strstr(message_of(reply), "is stopping"));
	json_decref(reply);
	server_close(w->server);
	assert_int_equal(access(path, F_OK), -1);
	hang_up(&c);
}

static void
nobody_may_pile_up_calls(void **state)
{
	struct world *w = *state;
	struct client c = dial_and_greet(w);
	json_t *reply;

	/* With the daemon never ready, every call waits: the state that a keeper which does not
	 * answer gives. */
	make_desktop(w, &c, "a");
	w->daemon->is_ready = false;
	for (int i = 0; i < PEER_CALLS_MAX; i++) {
		send_text(&c, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"desktop.list\"}");
		loop_turn(w->loop);
	}
	reply = call(w, &c, "desktop.list", "{}");
	assert_non_null(strstr(message_of(reply), "wait for their answer"));
	json_decref(reply);
	w->daemon->is_ready = true;
	wait_fire(&w->daemon->ready);
	reply = receive(w, &c);
	assert_non_null(json_object_get(reply, "result"));
	json_decref(reply);
	hang_up(&c);
	loop_turn(w->loop);
}

static void
a_client_that_hangs_up_costs_nothing(void **state)
{
	struct world *w = *state;
	struct client c = dial_and_greet(w), other = dial_and_greet(w);
	json_t *reply;

	make_desktop(w, &c, "a");
	w->daemon->is_ready = false;
	send_text(&c, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"desktop.rename\",\"params\":{"
		      "\"target\":\"a\",\"to\":\"b\"}}");
	loop_turn(w->loop);
	hang_up(&c);
	loop_turn(w->loop);
	w->daemon->is_ready = true;
	wait_fire(&w->daemon->ready);
	/* nothing had been begun for it */
	reply = call(w, &other, "desktop.show", "{\"target\":\"a\"}");
	assert_non_null(json_object_get(reply, "result"));
	json_decref(reply);
	hang_up(&other);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(commands_are_answered, setup, teardown),
		cmocka_unit_test_setup_teardown(without_hello_nobody_is_served, setup, teardown),
		cmocka_unit_test_setup_teardown(a_second_daemon_gives_way, setup, teardown),
		cmocka_unit_test_setup_teardown(a_stale_socket_is_replaced, setup, teardown),
		cmocka_unit_test_setup_teardown(what_was_said_to_exist_survives, setup, teardown),
		cmocka_unit_test_setup_teardown(subscribers_hear_of_changes, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_catalog_of_a_newer_sandesk_is_left_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(a_damaged_catalog_is_told_of_once, setup, teardown),
		cmocka_unit_test_setup_teardown(stopping_answers_first, setup, teardown),
		cmocka_unit_test_setup_teardown(nobody_may_pile_up_calls, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_client_that_hangs_up_costs_nothing, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
