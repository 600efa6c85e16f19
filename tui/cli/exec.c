/* `session exec`: the command's own stdin, stdout, stderr and exit status, through a sandbox.
 *
 *      our stdin ---> pipe ---> [ sandbox ] ---> pipe ---> our stdout, stderr
 *                                   ^  |
 *             signals ---> control -'  '-> state: over, exit status
 *
 * The sandbox never gets a descriptor of the caller's: it could open a file again by /proc/self/fd
 * with other rights, walk from a directory, or type into a terminal. Nor a pipe: by the same way it
 * would write into the one it is to read, and a script that a shell reads from there (`curl | sh`)
 * would go on with the sandbox's words. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/out.h"
#include "cli/relay.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/client.h"
#include "sandesk/messages.h"
#include "sandesk/paths.h"
#include "sandesk/types.h"

enum { STREAMS = 3, FDS = 4, READ_BYTES = 16 << 10, CONTROL = 3 };

enum { POLL_DAEMON, POLL_CONTROL, POLL_SIGNAL, POLL_RELAY, POLL_COUNT = POLL_RELAY + STREAMS };

/* One connection without a loop: what has arrived of it. */
struct line {
	int fd; /* -1: closed */
	struct buf in;
};

struct exec {
	struct line daemon;  /* until it has answered */
	struct line control; /* the keeper */
	int signal_fd;
	struct relay relays[STREAMS];
	bool is_answered; /* the daemon has started a keeper */
	bool has_worked;  /* the command was seen running */
	bool is_over;
	bool is_cut; /* told to leave while the last output was written */
	int status;  /* our own exit status */
};

/* ---- the pipes ---- */

/* Gives stream `fd` its descriptor for the sandbox, and its relay when it needs one. */
static int
open_stream(
	struct exec *x, int fd, int fds[FDS], bool is_shared[FDS], struct stat *st, struct err *e)
{
	bool is_input = fd == STDIN_FILENO;
	int ends[2];

	if (fstat(fd, &st[fd]) < 0)
		return err_errno(e, -errno, "session exec: descriptor %d", fd);
	/* two streams in one place stay in one pipe, so that what is written first is seen first */
	if (fd == STDERR_FILENO && st[1].st_dev == st[2].st_dev && st[1].st_ino == st[2].st_ino) {
		fds[fd] = fds[STDOUT_FILENO];
		is_shared[fd] = true;
		return 0;
	}
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_errno(e, -errno, "session exec: pipe");
	fds[fd] = is_input ? ends[0] : ends[1];
	if (is_input)
		x->relays[fd] = (struct relay){ .from = fd, .to = ends[1] };
	else
		x->relays[fd] = (struct relay){ .from = ends[0], .to = fd };
	return 0;
}

/* After the request is on its way: what can wait until then. */
static void
start_relays(struct exec *x)
{
	for (int i = 0; i < STREAMS; i++) {
		struct relay *r = &x->relays[i];

		if (r->from < 0)
			continue;
		relay_init(r, r->from, r->to);
		fd_set_nonblock(i == STDIN_FILENO ? r->to : r->from, true);
	}
}

static void
close_given(const int fds[FDS], const bool is_shared[FDS])
{
	for (int i = 0; i < FDS; i++)
		if (!is_shared[i])
			fd_close(fds[i]);
}

/* ---- the request ---- */

static void
add_hello(struct buf *to)
{
	struct msg m = { .type = MSG_hello,
		.hello = { .version = PROTOCOL_VERSION,
			.program = "sandesk",
			.pid = (uint64_t)getpid() } };

	msg_encode(to, &m);
}

/* hello and the call in one packet, with the descriptors. */
static int
send_request(struct exec *x, const struct cli_call *call, const int fds[FDS], struct err *e)
{
	AUTO(buf) struct buf out = { 0 };
	struct msg m = { .type = MSG_rpc };
	json_t *request = json_pack("{s:s, s:i, s:s, s:o}", "jsonrpc", "2.0", "id", 1, "method",
		"session.exec", "params", cli_params(call));
	char *body = request ? json_dumps(request, JSON_COMPACT) : NULL;
	ssize_t n;
	int rc;

	json_decref(request);
	if (!body)
		return err_set(e, -EINVAL, "session exec: the arguments are not valid UTF-8");
	m.rpc.body = (struct span){ body, strlen(body) };
	add_hello(&out);
	rc = msg_encode(&out, &m);
	free(body);
	if (rc < 0)
		return err_set(
			e, -E2BIG, "session exec: the arguments are too large; put them in a file");
	n = fd_send(x->daemon.fd, out.data, out.len, fds, FDS);
	if (n >= 0 && (size_t)n < out.len)
		n = fd_write_all(x->daemon.fd, out.data + n, out.len - (size_t)n);
	return n < 0 ? err_errno(e, (int)n, "session exec: the daemon") : 0;
}

static int
open_control(struct exec *x, int *ret_keepers_end, struct err *e)
{
	AUTO(buf) struct buf out = { 0 };
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return err_errno(e, -errno, "session exec: socket");
	x->control.fd = ends[0];
	*ret_keepers_end = ends[1];
	add_hello(&out);
	fd_send(ends[0], out.data, out.len, NULL, 0); /* a fresh socket has room for it */
	return 0;
}

/* From now on signals are for the command. They wait until the loop looks. */
static int
take_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGQUIT);
	return sigprocmask(SIG_BLOCK, set, NULL);
}

static int
start(struct exec *x, const struct cli_call *call, struct err *e)
{
	int fds[FDS] = { -1, -1, -1, -1 };
	bool is_shared[FDS] = { false };
	struct stat st[STREAMS];
	struct client *client;
	struct paths paths;
	sigset_t signals;
	int rc = paths_init(&paths, e);

	if (rc == 0)
		rc = client_open(&client, &paths, CLIENT_START, e);
	if (rc < 0)
		return rc;
	x->daemon.fd = client_take_fd(client);
	client_free(client);
	for (int i = 0; rc == 0 && i < STREAMS; i++)
		rc = open_stream(x, i, fds, is_shared, st, e);
	if (rc == 0)
		rc = open_control(x, &fds[CONTROL], e);
	if (rc == 0) {
		take_signals(&signals);
		rc = send_request(x, call, fds, e);
	}
	close_given(fds, is_shared);
	if (rc < 0)
		return rc;
	x->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	signal(SIGPIPE, SIG_IGN);
	start_relays(x);
	return 0;
}

/* ---- what comes back ---- */

static void
end_with(struct exec *x, int status, const char *why)
{
	if (why)
		out_error(why);
	x->status = status;
	x->is_over = true;
}

static void
close_line(struct line *l)
{
	fd_close(l->fd);
	l->fd = -1;
}

/* Reads what is there; false at the end of the connection. */
static bool
read_line(struct line *l)
{
	ssize_t n;

	if (buf_reserve(&l->in, READ_BYTES) < 0)
		return false;
	n = recv(l->fd, l->in.data + l->in.len, READ_BYTES, MSG_DONTWAIT);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	l->in.len += (size_t)n;
	return n > 0;
}

static void
on_reply(struct exec *x, const struct msg *m)
{
	json_t *reply =
		m->type == MSG_rpc ? json_loadb(m->rpc.body.data, m->rpc.body.len, 0, NULL) : NULL;
	json_t *error = json_object_get(reply, "error");
	const char *text = json_string_value(json_object_get(error, "message"));
	json_int_t status =
		json_integer_value(json_object_get(json_object_get(error, "data"), "exit_status"));

	if (reply && json_integer_value(json_object_get(reply, "id")) == 1) {
		x->is_answered = true;
		if (error)
			end_with(x, status > 0 && status < 256 ? (int)status : EXIT_NO_SANDBOX,
				text ? text : "session exec: the daemon refused");
	}
	json_decref(reply);
}

static void
on_state(struct exec *x, const struct msg *m)
{
	const struct msg_state *s = &m->state;

	if (m->type != MSG_state || x->is_over)
		return;
	x->is_answered = true;
	x->has_worked |= s->status == STATUS_WORKING;
	if (!status_is_over((enum status)s->status))
		return;
	/* a command that did not start gives the reason; one that failed has said its own */
	end_with(x, s->exit_signal ? EXIT_SIGNAL + (int)s->exit_signal : (int)s->exit_code,
		s->status == STATUS_FAILED && !x->has_worked && s->reason[0] ? s->reason : NULL);
}

typedef void on_msg_fn(struct exec *x, const struct msg *m);

static void
on_line(struct exec *x, struct line *l, on_msg_fn *on_msg)
{
	bool is_open = read_line(l);
	struct msg m;
	ssize_t n;

	while ((n = msg_decode(l->in.data, l->in.len, &m, NULL)) > 0) {
		on_msg(x, &m);
		buf_cut(&l->in, (size_t)n);
	}
	if (!is_open || n < 0)
		close_line(l);
}

/* Both connections are what we live by. */
static void
check_lines(struct exec *x)
{
	if (x->is_over || x->control.fd >= 0)
		return;
	if (x->is_answered)
		end_with(x, EXIT_NO_SANDBOX,
			"session exec: the keeper died, and the command with it; see the daemon's "
			"log");
	else if (x->daemon.fd < 0)
		end_with(x, EXIT_NO_SANDBOX,
			"session exec: the daemon went away before it answered; try again");
}

static void
on_signal(struct exec *x)
{
	AUTO(buf) struct buf out = { 0 };
	struct signalfd_siginfo info;
	struct msg m = { .type = MSG_signal };

	if (read(x->signal_fd, &info, sizeof info) != sizeof info)
		return;
	if (x->is_over) {
		x->is_cut = true;
		return;
	}
	/* nothing runs yet, and the daemon may never answer: leave, which takes the request back */
	if (!x->is_answered) {
		end_with(x, EXIT_SIGNAL + (int)info.ssi_signo, NULL);
		return;
	}
	m.signal.number = info.ssi_signo;
	msg_encode(&out, &m);
	if (x->control.fd >= 0)
		fd_send(x->control.fd, out.data, out.len, NULL, 0);
}

static bool
has_output(const struct exec *x)
{
	return !relay_is_done(&x->relays[STDOUT_FILENO]) ||
	       !relay_is_done(&x->relays[STDERR_FILENO]);
}

/* One turn. False when nothing came although nothing more can: a stray copy of a pipe is open
 * somewhere. */
static bool
turn(struct exec *x)
{
	struct pollfd p[POLL_COUNT] = { [POLL_DAEMON] = { .fd = x->is_answered ? -1 : x->daemon.fd,
						.events = POLLIN },
		[POLL_CONTROL] = { .fd = x->control.fd, .events = POLLIN },
		[POLL_SIGNAL] = { .fd = x->signal_fd, .events = POLLIN } };
	bool can_wait = !x->is_over || x->control.fd >= 0;

	for (int i = 0; i < STREAMS; i++) {
		struct relay *r = &x->relays[i];

		p[POLL_RELAY + i] = relay_poll(r);
		can_wait |= i != STDIN_FILENO && (r->pending.len > 0 || r->lacks_room);
		if (i == STDIN_FILENO && x->is_over)
			p[POLL_RELAY + i].fd = -1;
	}
	if (poll(p, POLL_COUNT, can_wait ? -1 : 0) == 0)
		return false;
	if (p[POLL_DAEMON].revents)
		on_line(x, &x->daemon, on_reply);
	if (p[POLL_CONTROL].revents)
		on_line(x, &x->control, on_state);
	check_lines(x);
	if (p[POLL_SIGNAL].revents)
		on_signal(x);
	for (int i = 0; i < STREAMS; i++)
		if (p[POLL_RELAY + i].revents)
			relay_turn(&x->relays[i]);
	return true;
}

/* The command's output is all there, or we say that it is not. */
static void
check_output(struct exec *x)
{
	static const char *const names[STREAMS] = { "standard input", "standard output",
		"standard error" };

	for (int i = STDOUT_FILENO; i < STREAMS; i++) {
		struct err e = { 0 };

		if (!x->relays[i].error)
			continue;
		err_set(&e, x->relays[i].error, "%s: %s", names[i], strerror(-x->relays[i].error));
		out_error(e.msg);
		if (!x->status)
			x->status = EXIT_FAILED;
	}
}

int
cli_session_exec(struct cli_call *call)
{
	struct exec x = { .daemon.fd = -1, .control.fd = -1, .signal_fd = -1 };
	struct err e = { 0 };

	for (int i = 0; i < STREAMS; i++)
		x.relays[i] = (struct relay){ .from = -1, .to = -1 };
	if (start(&x, call, &e) < 0) {
		end_with(&x, EXIT_NO_SANDBOX, e.msg);
	} else {
		while (!x.is_over || has_output(&x))
			if (!turn(&x) || x.is_cut)
				break;
		check_output(&x);
	}
	for (int i = 0; i < STREAMS; i++)
		relay_fini(&x.relays[i]);
	close_line(&x.daemon);
	close_line(&x.control);
	fd_close(x.signal_fd);
	buf_fini(&x.daemon.in);
	buf_fini(&x.control.in);
	return x.status;
}
