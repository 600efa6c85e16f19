#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cli/cast.h"
#include "cli/cli.h"
#include "cli/out.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/str.h"
#include "sandesk/client.h"
#include "sandesk/messages.h"
#include "sandesk/paths.h"
#include "sandesk/types.h"

enum { READ_BYTES = 256 << 10, RECORD_REQUEST = 1 };

struct recording {
	struct cast_writer cast;
	struct buf in, out;
	char title[2 * NAME_BYTES + 1];
	int keeper, file, signals;
	int64_t deadline; /* 0: none */
	bool is_over;
};

/* The session that is recorded: its id, and the name that the recording is given. */
static int
find_session(struct cli_call *call, const struct paths *p, char id[ID_BYTES], char *name,
	size_t size, struct err *e)
{
	struct client *client = NULL;
	json_t *session = NULL;
	const char *status;
	enum status s = STATUS_WORKING;
	int rc = client_open(&client, p, CLIENT_START, e);

	if (rc == 0)
		rc = client_call(client, "session.show", cli_params(call), &session, e);
	client_free(client);
	if (rc < 0)
		return rc;
	snprintf(name, size, "%s/%s", json_string_value(json_object_get(session, "desktop")),
		json_string_value(json_object_get(session, "name")));
	status = json_string_value(json_object_get(session, "status"));
	str_copy(id, ID_BYTES, json_string_value(json_object_get(session, "id")));
	if (str_equal(json_string_value(json_object_get(session, "kind")), "exec"))
		rc = err_set(e, -ENOTTY,
			"session record: %s: was started by exec and has no terminal", name);
	else if (status && status_parse(status, &s) == 0 && status_is_over(s))
		rc = err_set(e, -ESRCH, "session record: %s: has ended; there is nothing to record",
			name);
	json_decref(session);
	return rc;
}

static int
ask_keeper(struct recording *r)
{
	AUTO(buf) struct buf out = { 0 };

	msg_encode(&out, &(struct msg){ .type = MSG_hello,
				 .hello = { .version = PROTOCOL_VERSION,
					 .program = "sandesk",
					 .pid = (uint64_t)getpid() } });
	msg_encode(&out,
		&(struct msg){ .type = MSG_record, .record.request = RECORD_REQUEST });
	return fd_write_all(r->keeper, out.data, out.len);
}

static void
take_output(struct recording *r, const struct msg_output *m)
{
	struct size size = size_clamp((unsigned)m->rows, (unsigned)m->cols);
	char lost[64];

	if (m->lost) {
		snprintf(lost, sizeof lost, "%llu bytes were too fast to record",
			(unsigned long long)m->lost);
		cast_marker(&r->cast, m->time_us, lost, &r->out);
	}
	if (!r->cast.has_header)
		cast_header(&r->cast, size, m->time_us, r->title, &r->out);
	else if (m->rows)
		cast_resize(&r->cast, m->time_us, size, &r->out);
	if (m->bytes.len)
		cast_output(&r->cast, m->time_us, m->bytes.data, m->bytes.len, &r->out);
}

static int
take_messages(struct recording *r, struct err *e)
{
	struct msg m;
	size_t at = 0;
	ssize_t n = 0;

	while (!r->is_over && (n = msg_decode(r->in.data + at, r->in.len - at, &m, e)) > 0) {
		at += (size_t)n;
		if (m.type == MSG_output)
			take_output(r, &m.output);
		else if (m.type == MSG_state && r->cast.has_header)
			r->is_over = m.state.status < STATUS_COUNT &&
				     status_is_over((enum status)m.state.status);
		else if (m.type == MSG_error)
			return err_set(e, -(int)(m.error.code & 4095), "%s", m.error.text);
	}
	buf_cut(&r->in, at);
	if (n < 0)
		return err_wrap(e, "the session's keeper");
	n = fd_write_all(r->file, r->out.data ? r->out.data : "", r->out.len);
	buf_reset(&r->out);
	return n < 0 ? err_errno(e, (int)n, "write the recording") : 0;
}

static int
read_keeper(struct recording *r, struct err *e)
{
	ssize_t n;

	if (buf_reserve(&r->in, READ_BYTES) < 0)
		return err_set(e, -ENOBUFS, "the session's keeper: its message is too large");
	n = read(r->keeper, r->in.data + r->in.len, READ_BYTES);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (n <= 0) {
		r->is_over = true; /* a keeper that is gone ends the recording, and what there is stays */
		return 0;
	}
	r->in.len += (size_t)n;
	return take_messages(r, e);
}

static int
record(struct recording *r, struct err *e)
{
	struct pollfd fds[] = { { .fd = r->keeper, .events = POLLIN },
		{ .fd = r->signals, .events = POLLIN } };
	int rc = ask_keeper(r);

	if (rc < 0)
		return err_errno(e, rc, "the session's keeper");
	while (!r->is_over && rc == 0) {
		int64_t left = r->deadline ? r->deadline - clock_ms() : -1;

		if (r->deadline && left <= 0)
			break;
		if (poll(fds, ARRAY_LEN(fds), left > INT32_MAX ? INT32_MAX : (int)left) < 0)
			continue;
		if (fds[1].revents)
			break;
		if (fds[0].revents)
			rc = read_keeper(r, e);
	}
	return rc;
}

/* Ctrl-C ends the recording as any other end does: the file is whole. */
static int
watch_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

static int
prepare(struct cli_call *call, struct recording *r, struct err *e)
{
	const char *path = json_string_value(json_object_get(call->args, "file"));
	json_int_t ms = json_integer_value(json_object_get(call->args, "for"));
	char id[ID_BYTES];
	struct paths paths;
	int rc = paths_init(&paths, e);

	if (rc == 0)
		rc = find_session(call, &paths, id, r->title, sizeof r->title, e);
	if (rc < 0)
		return rc;
	r->keeper = client_dial(&paths, id, e);
	if (r->keeper < 0)
		return r->keeper;
	r->file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (r->file < 0 && errno == EEXIST)
		return err_set(e, -EEXIST,
			"session record: %s: exists already; choose another name", path);
	if (r->file < 0)
		return err_errno(e, -errno, "session record: %s", path);
	if (json_object_get(call->args, "for"))
		r->deadline = clock_ms() + (ms > 0 ? ms : 1);
	r->signals = watch_signals();
	return 0;
}

int
cli_session_record(struct cli_call *call)
{
	struct recording r = { .keeper = -1, .file = -1, .signals = -1 };
	struct err e = { 0 };
	int rc = prepare(call, &r, &e);

	r.in.limit = FRAME_BYTES + 2 * READ_BYTES;
	if (rc == 0 && isatty(STDERR_FILENO))
		out_error("recording; Ctrl-C ends it");
	if (rc == 0)
		rc = record(&r, &e);
	if (rc == 0 && !r.cast.has_header)
		rc = err_set(&e, -EPIPE, "session record: %s: its keeper said nothing; try again",
			r.title);
	fd_close(r.keeper);
	fd_close(r.signals);
	if (r.file >= 0 && close(r.file) < 0 && rc == 0)
		rc = err_errno(&e, -errno, "session record: write the recording");
	buf_fini(&r.in);
	buf_fini(&r.out);
	if (rc < 0)
		out_error(e.msg);
	return rc < 0 ? EXIT_FAILED : 0;
}
