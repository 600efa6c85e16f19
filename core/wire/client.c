#include "sandesk/client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/spawn.h"
#include "sandesk/messages.h"
#include "sandesk/paths.h"
#include "wire/request.h"

extern char **environ;

enum { START_MS = 10000, READ_BYTES = 64 << 10, NAP_NS = 1000000, TRIES = 5, READY_FD = 3 };

struct client {
	struct paths paths;
	unsigned flags;
	int fd;
	int exit_status;
	bool said_hello;
	bool has_heard; /* anything from this connection's daemon */
	bool is_unread; /* the last request did not reach it */
	json_int_t next_id;
	struct buf in;
};

/* Starts sandesk-daemon. Its descriptor 3 is a pipe that it closes when it accepts connections;
 * what it writes there before is the reason why it could not start. */
static int
spawn_daemon(const struct paths *p, int *ret_ready, pid_t *ret_pid, struct err *e)
{
	char program[PATH_MAX], log[PATH_MAX + 16];
	AUTO(fd) int read_end = -1;
	AUTO(fd) int write_end = -1;
	struct spawn s;
	int ends[2], r = paths_program(p, "sandesk-daemon", program, sizeof program, e);

	if (r < 0)
		return r;
	snprintf(log, sizeof log, "%s/daemon.log", p->state);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_errno(e, -errno, "start the daemon");
	read_end = ends[0];
	write_end = ends[1];
	spawn_init(&s);
	posix_spawn_file_actions_addopen(&s.files, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
	posix_spawn_file_actions_adddup2(&s.files, 1, 2);
	posix_spawn_file_actions_adddup2(&s.files, write_end, READY_FD);
	*ret_pid = spawn_run(&s, READY_FD + 1, program, "sandesk-daemon", environ);
	if (*ret_pid < 0)
		return err_errno(e, *ret_pid, "start the daemon: %s", program);
	*ret_ready = fd_take(&read_end);
	return 0;
}

/* Waits until the daemon accepts, or has said why it does not. */
static int
await_daemon(const struct paths *p, int ready, struct err *e)
{
	char said[ERR_MSG_BYTES];
	struct pollfd wait = { .fd = ready, .events = POLLIN };
	ssize_t n;

	if (poll(&wait, 1, START_MS) == 0)
		return err_set(e, -ETIMEDOUT,
			"the daemon: did not start within %d s; see %s/daemon.log", START_MS / 1000,
			p->state);
	n = fd_read_all(ready, said, sizeof said - 1);
	if (n <= 0)
		return 0;
	said[n] = 0;
	said[strcspn(said, "\n")] = 0;
	return err_set(e, -ECONNREFUSED, "%s", said);
}

static int
connect_or_start(const struct paths *p, unsigned flags, struct err *e)
{
	char path[PATH_MAX + 16];
	int64_t deadline = clock_ms() + START_MS;
	bool is_started = false;

	snprintf(path, sizeof path, "%s/daemon.sock", p->runtime);
	for (;;) {
		AUTO(fd) int ready = -1;
		pid_t pid = 0;
		int fd = socket_connect(path, NULL), r;

		if (fd >= 0 || (fd != -ENOENT && fd != -ECONNREFUSED))
			return fd >= 0 ? fd : err_errno(e, fd, "the daemon at %s", path);
		if (!(flags & CLIENT_START))
			return err_set(
				e, fd, "the daemon: is not running; run: sandesk daemon start");
		if (clock_ms() > deadline)
			return err_set(e, fd,
				"the daemon: does not answer at %s; see %s/daemon.log", path,
				p->state);
		if (is_started) /* another client's daemon holds the lock and is about to listen */
			nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
		if ((r = spawn_daemon(p, &ready, &pid, e)) < 0 ||
			(r = await_daemon(p, ready, e)) < 0)
			return r;
		is_started = true;
		waitpid(pid, NULL, WNOHANG); /* the one that found the lock taken has ended */
	}
}

int
client_open(struct client **ret, const struct paths *p, unsigned flags, struct err *e)
{
	int fd = connect_or_start(p, flags, e);
	struct client *c;

	if (fd < 0)
		return fd;
	c = mem_new(struct client);
	*c = (struct client){ .paths = *p, .flags = flags, .fd = fd, .exit_status = 1 };
	c->in.limit = FRAME_BYTES + 2 * READ_BYTES;
	*ret = c;
	return 0;
}

void
client_free(struct client *c)
{
	if (!c)
		return;
	fd_close(c->fd);
	buf_fini(&c->in);
	mem_free(c);
}

int
client_take_fd(struct client *c)
{
	return fd_take(&c->fd);
}

int
client_exit_status(const struct client *c)
{
	return c->exit_status;
}

static int
encode_call(struct client *c, const char *method, json_t *params, struct buf *to, struct err *e)
{
	struct msg m = { .type = MSG_rpc };
	char *body = request_encode(++c->next_id, method, params);
	int r = 0;

	if (!body)
		return err_set(e, -EINVAL, "%s: the arguments are not valid UTF-8", method);
	m.rpc.body = (struct span){ body, strlen(body) };
	if (msg_encode(to, &m) < 0)
		r = err_set(e, -E2BIG, "%s: the request is too large", method);
	mem_free(body);
	return r;
}

/* Everything of a call in one packet: hello when it is the first, and the request with its
 * descriptors. */
static int
send_call(struct client *c, const struct buf *request, const int *fds, size_t nfds, struct err *e)
{
	AUTO(buf) struct buf out = { 0 };
	struct msg hello = { .type = MSG_hello,
		.hello = { .version = PROTOCOL_VERSION,
			.program = "sandesk",
			.pid = (uint64_t)getpid() } };
	ssize_t n;

	if (!c->said_hello)
		msg_encode(&out, &hello);
	c->said_hello = true;
	buf_add(&out, request->data, request->len);
	n = fd_send(c->fd, out.data, out.len, fds, nfds);
	if (n >= 0 && (size_t)n < out.len)
		n = fd_write_all(c->fd, out.data + n, out.len - (size_t)n);
	c->is_unread = n < 0;
	return n < 0 ? err_errno(e, (int)n, "the daemon") : 0;
}

static int
reply_error(struct client *c, json_t *error, struct err *e)
{
	json_t *data = json_object_get(error, "data");
	json_int_t status = json_integer_value(json_object_get(data, "exit_status"));

	c->exit_status = status > 0 && status < 256 ? (int)status : 1;
	return request_error(error, e);
}

/* Looks at one message; 1 when it was the answer (then *ret_code and *ret are set). */
static int
take_reply(struct client *c, const struct msg *m, json_t **ret, int *ret_code, struct err *e)
{
	json_t *reply, *error, *result;

	if (m->type != MSG_rpc)
		return 0;
	reply = json_loadb(m->rpc.body.data, m->rpc.body.len, 0, NULL);
	if (!reply || json_integer_value(json_object_get(reply, "id")) != c->next_id) {
		json_decref(reply);
		return 0;
	}
	error = json_object_get(reply, "error");
	result = json_object_get(reply, "result");
	*ret_code = error ? reply_error(c, error, e) : 0;
	if (!error && ret)
		*ret = json_incref(result ? result : json_null());
	json_decref(reply);
	return 1;
}

static int
await_reply(struct client *c, json_t **ret, struct err *e)
{
	struct msg m;
	ssize_t n;
	int code;

	for (;;) {
		while ((n = msg_decode(c->in.data, c->in.len, &m, e)) > 0) {
			int done = take_reply(c, &m, ret, &code, e);

			buf_cut(&c->in, (size_t)n);
			if (done)
				return code;
		}
		if (n < 0)
			return err_wrap(e, "the daemon");
		if (buf_reserve(&c->in, READ_BYTES) < 0)
			return err_set(e, -ENOBUFS, "the daemon: its answer is too large");
		do
			n = read(c->fd, c->in.data + c->in.len, READ_BYTES);
		while (n < 0 && errno == EINTR);
		/* closed with our bytes unread (unix(7)) */
		c->is_unread = n < 0 && errno == ECONNRESET;
		if (n <= 0)
			return err_set(e, n < 0 ? -errno : -EPIPE,
				"the daemon: went away before it answered; try again");
		c->in.len += (size_t)n;
		c->has_heard = true;
	}
}

/* A daemon that was just killed, or that stops, still takes connections and bytes into its queues
 * and drops them. Its successor may be asked when nothing can have been begun: it never read the
 * request, or said nothing although it says hello first, or answered ESHUTDOWN. */
static bool
may_ask_successor(const struct client *c, int r)
{
	return r == -ESHUTDOWN || (r < 0 && (c->is_unread || !c->has_heard));
}

static int
connect_again(struct client *c, struct err *e)
{
	fd_drop(&c->fd);
	buf_reset(&c->in);
	c->said_hello = c->has_heard = false;
	c->fd = connect_or_start(&c->paths, c->flags, e);
	return c->fd < 0 ? c->fd : 0;
}

int
client_call_fds(struct client *c, const char *method, json_t *params, const int *fds, size_t nfds,
	json_t **ret, struct err *e)
{
	AUTO(buf) struct buf request = { 0 };
	int r = encode_call(c, method, params, &request, e);

	c->exit_status = 1;
	if (r < 0)
		return r;
	for (int i = 0; i < TRIES; i++) {
		c->is_unread = false;
		r = send_call(c, &request, fds, nfds, e);
		r = r < 0 ? r : await_reply(c, ret, e);
		if (!may_ask_successor(c, r) || connect_again(c, e) < 0)
			break;
	}
	return r;
}

int
client_call(struct client *c, const char *method, json_t *params, json_t **ret, struct err *e)
{
	return client_call_fds(c, method, params, NULL, 0, ret, e);
}

int
client_dial(const struct paths *p, const char *session_id, struct err *e)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof path, "%s/keepers/%s.sock", p->runtime, session_id);
	return socket_connect(path, e);
}
