#include "../../lib/check.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/doctor.h"
#include "keeper/keeper.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/mem.h"
#include "sandesk/conn.h"
#include "sandesk/key.h"
#include "sandesk/loop.h"
#include "sandesk/mirror.h"

/* A keeper in this process, with a real sandbox, and one or two clients on socket pairs. */
struct client {
	struct conn *conn;
	struct mirror *mirror;
	unsigned frames, states, dones, errors;
	bool acks, is_closed;
	uint64_t seq, status, exit_code, clients, outcome, waited;
	uint64_t rows, cols;
	char reason[200], text[4096], title[300];
	unsigned notices, copies;
	uint64_t dropped, told;
	char notice[600], copy[64], which[16];
	size_t copy_len;
};

struct desk {
	char root[64];
	struct loop *loop;
	struct keeper *keeper;
	struct client a, b;
};

static void
keep_text(struct client *c, struct span text)
{
	size_t n = text.len < sizeof c->text - 1 ? text.len : sizeof c->text - 1;

	memcpy(c->text, text.data, n);
	c->text[n] = 0;
}

static void
on_message(struct conn *conn, const struct msg *m, void *arg)
{
	struct client *c = arg;

	switch (m->type) {
	case MSG_state:
		c->states++;
		c->status = m->state.status;
		c->exit_code = m->state.exit_code;
		c->clients = m->state.clients;
		c->rows = m->state.rows;
		c->cols = m->state.cols;
		snprintf(c->reason, sizeof c->reason, "%s", m->state.reason);
		snprintf(c->title, sizeof c->title, "%s", m->state.title);
		c->told = m->state.notices;
		break;
	case MSG_notice:
		c->notices++;
		c->dropped += m->notice.dropped;
		snprintf(c->notice, sizeof c->notice, "%s", m->notice.text);
		break;
	case MSG_clipboard:
		c->copies++;
		c->copy_len = m->clipboard.bytes.len;
		snprintf(c->copy, sizeof c->copy, "%.*s", (int)(c->copy_len < 60 ? c->copy_len : 60),
			(const char *)m->clipboard.bytes.data);
		snprintf(c->which, sizeof c->which, "%s", m->clipboard.which);
		break;
	case MSG_frame:
		c->frames++;
		assert_int_equal(
			mirror_apply(c->mirror, m->frame.body.data, m->frame.body.len, NULL), 0);
		c->seq = m->frame.seq;
		if (c->acks)
			conn_send(conn, &(struct msg){ .type = MSG_ack, .ack.seq = m->frame.seq });
		break;
	case MSG_done:
		c->dones++;
		break;
	case MSG_error:
		c->errors++;
		snprintf(c->reason, sizeof c->reason, "%s", m->error.text);
		break;
	case MSG_captured:
		keep_text(c, m->captured.text);
		break;
	case MSG_waited:
		c->waited = m->waited.request;
		c->outcome = m->waited.outcome;
		break;
	default:
		break;
	}
}

static void
on_closed(struct conn *conn, const char *why, void *arg)
{
	struct client *c = arg;

	(void)conn;
	(void)why;
	c->is_closed = true;
}

static const struct conn_ops client_ops = { .message = on_message, .closed = on_closed };

static void
connect_client(struct desk *d, struct client *c)
{
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	c->mirror = mirror_new();
	c->acks = true;
	c->conn = conn_new(d->loop, ends[0], &client_ops, c);
	keeper_add_viewer(d->keeper, ends[1]);
}

static void
make_dir(const struct desk *d, const char *name, char to[128])
{
	snprintf(to, 128, "%s/%s", d->root, name);
	assert_int_equal(mkdir(to, 0700), 0);
}

static void
desk_open(struct desk *d)
{
	char dir[128];

	*d = (struct desk){ .root = "/tmp/sandesk-keeper-test.XXXXXX" };
	assert_non_null(mkdtemp(d->root));
	make_dir(d, "run", dir);
	setenv("XDG_RUNTIME_DIR", dir, 1);
	setenv("HOME", d->root, 1);
	unsetenv("XDG_STATE_HOME");
	d->loop = loop_new();
}

static void
desk_start(struct desk *d, const char *script)
{
	AUTO(buf) struct buf argv = { 0 };
	char dir[128], home[128];
	struct err e = { 0 };
	struct paths paths;
	struct msg start = { .type = MSG_start,
		.start = { .session = "0123456789abcdef",
			.desktop = "shop",
			.name = "s",
			.has_pty = 1,
			.rows = 10,
			.cols = 40,
			.user = "tester",
			.log = "/dev/null" } };

	make_dir(d, "work", dir);
	make_dir(d, "home", home);
	assert_int_equal(paths_init(&paths, &e), 0);
	d->keeper = keeper_new(d->loop, &paths);
	connect_client(d, &d->a);
	list_add(&argv, "/bin/sh");
	list_add(&argv, "-c");
	list_add(&argv, script);
	start.start.dir = dir;
	start.start.home = home;
	start.start.argv = span_of(&argv);
	conn_send(d->a.conn, &start);
}

static void
client_close(struct client *c)
{
	conn_free(c->conn);
	if (c->mirror)
		mirror_free(c->mirror);
}

/* Removes the few files that a test made, deepest first; refuses anything outside of its own
 * directory. */
static int
remove_entry(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static void
desk_close(struct desk *d)
{
	client_close(&d->a);
	client_close(&d->b);
	keeper_free(d->keeper);
	loop_turn(d->loop);
	loop_free(d->loop);
	nftw(d->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Turns the loop until something holds; the deadline is for a loaded machine. */
#define UNTIL(d, condition)                                                                        \
	do {                                                                                       \
		int64_t end_ = clock_ms() + 20000;                                                 \
		while (!(condition)) {                                                             \
			if (clock_ms() > end_)                                                     \
				fail_msg("never came true: %s", #condition);                       \
			loop_turn((d)->loop);                                                      \
		}                                                                                  \
	} while (0)

static bool
screen_has(const struct client *c, const char *text)
{
	for (unsigned row = 0; row < mirror_size(c->mirror).rows; row++) {
		char line[512] = { 0 };
		size_t n = 0;

		for (unsigned col = 0; col < mirror_size(c->mirror).cols && n < sizeof line - 80;
			col++) {
			size_t len = mirror_cluster(
				c->mirror, mirror_row(c->mirror, row)[col].ch, line + n, 64);

			if (!len)
				line[n++] = ' ';
			n += len;
		}
		if (strstr(line, text))
			return true;
	}
	return false;
}

static void
type(struct client *c, const char *text)
{
	conn_send(c->conn,
		&(struct msg){ .type = MSG_text,
			.text = { .request = 1, .bytes = { text, strlen(text) }, .enter = 1 } });
}

static void
attach(struct client *c, unsigned rows, unsigned cols, unsigned flags)
{
	conn_send(c->conn, &(struct msg){ .type = MSG_attach,
				   .attach = { .rows = rows, .cols = cols, .flags = flags } });
}

static void
ask_wait(struct client *c, uint64_t request, enum wait_kind kind, const char *pattern, uint64_t ms)
{
	conn_send(c->conn, &(struct msg){ .type = MSG_wait,
				   .wait = { .request = request,
					   .kind = kind,
					   .pattern = pattern,
					   .quiet_ms = 50,
					   .timeout_ms = ms } });
}

#define NEEDS_SANDBOX()                                                                            \
	do {                                                                                       \
		struct err why_ = { 0 };                                                           \
		if (jail_probe(&why_) < 0) {                                                       \
			print_message("skipped: no sandbox here: %s\n", why_.msg);                 \
			skip();                                                                    \
		}                                                                                  \
	} while (0)

static void
frames_show_what_the_program_printed(void **state)
{
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	desk_open(&d);
	desk_start(&d, "echo hello; exec cat");
	UNTIL(&d, d.a.status == STATUS_WORKING);
	attach(&d.a, 0, 0, 0);
	UNTIL(&d, screen_has(&d.a, "hello"));
	type(&d.a, "typed");
	UNTIL(&d, d.a.dones == 1 && screen_has(&d.a, "typed"));
	conn_send(d.a.conn,
		&(struct msg){ .type = MSG_key, .key = { .code = 'c', .mods = MOD_CTRL } });
	UNTIL(&d, status_is_over((enum status)d.a.status));
	assert_int_equal(d.a.exit_code, 130);
	assert_non_null(strstr(d.a.reason, "INT"));
	desk_close(&d);
}

static void
a_viewer_that_does_not_acknowledge_gets_one_frame(void **state)
{
	unsigned before;
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	desk_open(&d);
	desk_start(&d, "while read x; do echo \"$x\"; done");
	UNTIL(&d, d.a.status == STATUS_WORKING);
	connect_client(&d, &d.b);
	d.b.acks = false;
	attach(&d.a, 0, 0, 0);
	attach(&d.b, 0, 0, 0);
	UNTIL(&d, d.b.frames == 1);
	for (int i = 0; i < 20; i++) {
		char text[32];

		snprintf(text, sizeof text, "line-%d", i);
		type(&d.a, text);
		UNTIL(&d, screen_has(&d.a, text));
	}
	before = d.b.frames;
	assert_int_equal(before, 1); /* the flood went by; nothing was queued for it */
	d.b.acks = true;
	conn_send(d.b.conn, &(struct msg){ .type = MSG_ack, .ack.seq = d.b.seq });
	UNTIL(&d, screen_has(&d.b, "line-19"));
	assert_true(d.b.frames - before <= 3);
	desk_close(&d);
}

static void
a_read_only_viewer_cannot_act(void **state)
{
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	desk_open(&d);
	desk_start(&d, "echo up; exec cat");
	UNTIL(&d, d.a.status == STATUS_WORKING);
	connect_client(&d, &d.b);
	attach(&d.a, 0, 0, 0);
	attach(&d.b, 20, 60, ATTACH_READ_ONLY | ATTACH_SETS_SIZE);
	UNTIL(&d, screen_has(&d.b, "up"));
	type(&d.b, "forbidden");
	UNTIL(&d, d.b.errors == 1);
	assert_non_null(strstr(d.b.reason, "read-only"));
	conn_send(d.b.conn, &(struct msg){ .type = MSG_quit });
	conn_send(d.b.conn, &(struct msg){ .type = MSG_stop, .stop.request = 9 });
	type(&d.a, "allowed");
	UNTIL(&d, screen_has(&d.b, "allowed"));
	assert_false(screen_has(&d.b, "forbidden"));
	assert_true(d.a.rows == 10 && d.a.cols == 40);
	desk_close(&d);
}

static void
sizes_follow_whoever_acts(void **state)
{
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	desk_open(&d);
	desk_start(&d, "trap 'stty size' WINCH; echo up; while :; do sleep 1000 & wait; done");
	UNTIL(&d, d.a.status == STATUS_WORKING);
	connect_client(&d, &d.b);
	ask_wait(&d.a, 1, WAIT_TEXT, "up", 0);
	UNTIL(&d, d.a.waited == 1);
	attach(&d.a, 12, 50, ATTACH_SETS_SIZE);
	UNTIL(&d, screen_has(&d.a, "12 50"));
	attach(&d.b, 8, 30, ATTACH_SETS_SIZE);
	UNTIL(&d, screen_has(&d.b, "8 30"));
	conn_send(d.a.conn, &(struct msg){ .type = MSG_key, .key.code = KEY_ENTER });
	UNTIL(&d, d.a.rows == 12 && d.a.cols == 50);
	UNTIL(&d, d.a.clients == 2);
	conn_free(d.b.conn);
	d.b.conn = NULL;
	UNTIL(&d, d.a.clients == 1);
	desk_close(&d);
}

static void
waits_are_answered(void **state)
{
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	desk_open(&d);
	desk_start(&d, "echo first; read x; seq 1 200; echo last; read x; exit 4");
	UNTIL(&d, d.a.status == STATUS_WORKING);
	ask_wait(&d.a, 1, WAIT_TEXT, "^first$", 0);
	UNTIL(&d, d.a.waited == 1 && d.a.outcome == WAIT_MET);
	ask_wait(&d.a, 2, WAIT_TEXT, "never", 30);
	UNTIL(&d, d.a.waited == 2);
	assert_int_equal(d.a.outcome, WAIT_TIMED_OUT);
	ask_wait(&d.a, 3, WAIT_QUIET, "", 0);
	UNTIL(&d, d.a.waited == 3 && d.a.outcome == WAIT_MET);
	ask_wait(&d.a, 4, WAIT_TEXT, "^77$", 0); /* scrolls off the screen within one read */
	type(&d.a, "go");
	UNTIL(&d, d.a.waited == 4 && d.a.outcome == WAIT_MET);
	ask_wait(&d.a, 5, WAIT_TEXT, "(", 0);
	UNTIL(&d, d.a.errors == 1);
	assert_non_null(strstr(d.a.reason, "regular expression"));
	ask_wait(&d.a, 6, WAIT_TEXT, "never", 0);
	type(&d.a, "end");
	UNTIL(&d, d.a.waited == 6);
	assert_int_equal(d.a.outcome, WAIT_ENDED);
	UNTIL(&d, d.a.exit_code == 4);
	ask_wait(&d.a, 7, WAIT_EXIT, "", 0);
	UNTIL(&d, d.a.waited == 7 && d.a.outcome == WAIT_MET);
	desk_close(&d);
}

static void
what_was_on_the_screen_before_typing_is_not_the_answer(void **state)
{
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	desk_open(&d);
	desk_start(
		&d, "stty -echo; while printf 'prompt> '; read x; do echo \"$x\" >> marks; done");
	UNTIL(&d, d.a.status == STATUS_WORKING);
	ask_wait(&d.a, 1, WAIT_TEXT, "prompt> $", 0);
	UNTIL(&d, d.a.waited == 1 && d.a.outcome == WAIT_MET);
	for (uint64_t i = 2; i < 12; i++) {
		char path[128];
		struct stat st;

		type(&d.a, "mark");
		ask_wait(&d.a, i, WAIT_TEXT, "prompt> $", 0);
		UNTIL(&d, d.a.waited == i);
		snprintf(path, sizeof path, "%s/work/marks", d.root);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_size, 5 * (off_t)(i - 1));
	}
	desk_close(&d);
}

static void
stop_kills_after_the_grace_time(void **state)
{
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	desk_open(&d);
	desk_start(&d, "trap '' TERM HUP; echo up; while :; do read x || :; done");
	UNTIL(&d, d.a.status == STATUS_WORKING);
	ask_wait(&d.a, 1, WAIT_TEXT, "up", 0);
	UNTIL(&d, d.a.waited == 1);
	conn_send(d.a.conn,
		&(struct msg){ .type = MSG_stop, .stop = { .request = 5, .grace_ms = 100 } });
	UNTIL(&d, d.a.dones == 1);
	UNTIL(&d, d.a.status == STATUS_STOPPED);
	assert_int_equal(d.a.exit_code, 137);
	conn_send(d.a.conn, &(struct msg){ .type = MSG_stop, .stop.request = 6 });
	UNTIL(&d, d.a.dones == 2); /* over already: answered at once */
	type(&d.a, "x");
	UNTIL(&d, d.a.errors == 1);
	assert_non_null(strstr(d.a.reason, "ended"));
	conn_send(d.a.conn, &(struct msg){ .type = MSG_capture, .capture.request = 7 });
	UNTIL(&d, strstr(d.a.text, "up"));
	desk_close(&d);
}

static void
a_command_that_is_missing_says_so(void **state)
{
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	desk_open(&d);
	desk_start(&d, "exec /no/such/program");
	UNTIL(&d, status_is_over((enum status)d.a.status));
	assert_int_equal(d.a.exit_code, 127);
	desk_close(&d);
}

static void
notifications_reach_everybody_slowly(void **state)
{
	int64_t begin;
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	desk_open(&d);
	desk_start(&d, "read x; printf '\\033]9;fi\\001rst\\007'; read x; "
		       "printf '\\033]777;notify;title;body\\007'; exec cat");
	UNTIL(&d, d.a.status == STATUS_WORKING);
	connect_client(&d, &d.b);
	attach(&d.a, 0, 0, 0);
	attach(&d.b, 0, 0, ATTACH_READ_ONLY);
	UNTIL(&d, d.b.frames);
	begin = clock_ms();
	type(&d.a, "");
	UNTIL(&d, d.a.notices == 1 && d.b.notices == 1);
	assert_string_equal(d.a.notice, "first");
	type(&d.a, "");
	UNTIL(&d, d.a.notices == 2 && d.b.notices == 2);
	assert_true(clock_ms() - begin >= TELL_MS);
	assert_string_equal(d.a.notice, "title: body");
	UNTIL(&d, d.a.told == 2);
	desk_close(&d);
}

static void
the_newest_notification_wins(void **state)
{
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	desk_open(&d);
	desk_start(&d, "read x; for i in 1 2 3 4 5 6 7 8 9; do printf '\\033]9;note %d\\007' $i;"
		       " done; exec cat");
	UNTIL(&d, d.a.status == STATUS_WORKING);
	attach(&d.a, 0, 0, 0);
	UNTIL(&d, d.a.frames);
	type(&d.a, "");
	UNTIL(&d, strcmp(d.a.notice, "note 9") == 0);
	assert_int_equal(d.a.notices + d.a.dropped, 9);
	assert_true(d.a.notices <= 2);
	desk_close(&d);
}

/* The clipboard is written for the client that acted last and may act; reading gets no answer. */
static void
clipboard_goes_to_who_acts(void **state)
{
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	desk_open(&d);
	desk_start(&d, "stty raw -echo; printf '\\033]52;c;?\\007\\033[5n'; "
		       "head -c 4 | tr '\\033' E; head -c 1 >/dev/null; "
		       "printf '\\033]52;c;aGVsbG8=\\007'; exec cat");
	UNTIL(&d, d.a.status == STATUS_WORKING);
	attach(&d.a, 0, 0, 0);
	UNTIL(&d, screen_has(&d.a, "E[0n"));
	connect_client(&d, &d.b);
	attach(&d.b, 0, 0, ATTACH_READ_ONLY);
	UNTIL(&d, d.b.frames);
	conn_send(d.a.conn, &(struct msg){ .type = MSG_key, .key.code = 'x' });
	UNTIL(&d, d.a.copies == 1);
	assert_string_equal(d.a.copy, "hello");
	assert_string_equal(d.a.which, "c");
	type(&d.a, "seen");
	UNTIL(&d, screen_has(&d.b, "seen"));
	assert_int_equal(d.b.copies, 0);
	desk_close(&d);
}

static void
what_the_owner_knows_is_answered(void **state)
{
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	desk_open(&d);
	desk_start(&d, "stty raw -echo; printf '\\033[?996n\\033[?2031h'; "
		       "head -c 9 | tr '\\033' E; printf '\\r\\n'; "
		       "head -c 9 | tr '\\033' E; printf '\\r\\n\\033[?2048h'; "
		       "head -c 19 | tr '\\033' E; printf '\\r\\n'; "
		       "head -c 19 | tr '\\033' E; printf '\\r\\n\\033[?1003h\\033[?1016h.'; "
		       "head -c 11 | tr '\\033' E; exec cat");
	UNTIL(&d, d.a.status == STATUS_WORKING);
	attach(&d.a, 0, 0, 0);
	UNTIL(&d, screen_has(&d.a, "E[?997;1n")); /* dark where nobody says */
	conn_send(d.a.conn,
		&(struct msg){ .type = MSG_outer, .outer = { OUTER_LIGHT, 0, 0 } });
	UNTIL(&d, screen_has(&d.a, "E[?997;2n"));
	UNTIL(&d, screen_has(&d.a, "E[48;10;40;"));
	conn_send(d.a.conn,
		&(struct msg){ .type = MSG_outer, .outer = { OUTER_LIGHT, 12, 24 } });
	UNTIL(&d, screen_has(&d.a, "E[48;10;40;240;480t"));
	UNTIL(&d, screen_has(&d.a, ".")); /* it wants the mouse */
	conn_send(d.a.conn, &(struct msg){ .type = MSG_mouse,
				    .mouse = { .kind = MOUSE_PRESS, .button = 1, .row = 2, .col = 3 } });
	UNTIL(&d, screen_has(&d.a, "E[<0;43;61M")); /* the middle of the cell */
	desk_close(&d);
}

static void
keys_go_by_the_modes_in_force(void **state)
{
	static const char *const wanted[] = { "R|", "E[13;2u|", "E[27;2;13~|" };
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	desk_open(&d);
	desk_start(&d, "stty raw -echo; printf 'up\\r\\n'; head -c 1 | tr '\\r' R; printf '|\\033[>1u\\r\\n2\\r\\n';"
		       " head -c 7 | tr '\\033' E; printf '|\\033[<u\\033[>4;2m\\r\\n3\\r\\n'; "
		       "head -c 10 | tr '\\033' E; printf '|'; exec cat");
	UNTIL(&d, d.a.status == STATUS_WORKING);
	attach(&d.a, 0, 0, 0);
	UNTIL(&d, screen_has(&d.a, "up"));
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		conn_send(d.a.conn, &(struct msg){ .type = MSG_keys,
					    .keys = { .request = i + 1, .names = { "S-Enter", 8 } } });
		UNTIL(&d, screen_has(&d.a, wanted[i]));
	}
	assert_int_equal(d.a.errors, 0);
	desk_close(&d);
}

static void
hostile_titles_are_harmless(void **state)
{
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	desk_open(&d);
	desk_start(&d, "printf '\\033]2;a\\001b\\302\\233c\\342\\200\\256d'; head -c 100000 /dev/zero |"
		       " tr '\\0' x; printf '\\007up'; exec cat");
	UNTIL(&d, d.a.status == STATUS_WORKING);
	attach(&d.a, 0, 0, 0);
	UNTIL(&d, screen_has(&d.a, "up") && d.a.title[0]);
	assert_int_equal(strncmp(d.a.title, "abcdxxx", 7), 0);
	assert_true(strlen(d.a.title) < 299);
	desk_close(&d);
}

static void
a_large_paste_arrives_whole(void **state)
{
	enum { BYTES = 10 << 20 };
	char *text = mem_alloc(BYTES);
	struct desk d;

	(void)state;
	NEEDS_SANDBOX();
	memset(text, 'p', BYTES);
	for (size_t i = 79; i < BYTES; i += 80)
		text[i] = '\n';
	desk_open(&d);
	desk_start(&d, "stty raw -echo; printf up; head -c 10485760 | tr -d p | wc -c; exec cat");
	UNTIL(&d, d.a.status == STATUS_WORKING);
	attach(&d.a, 0, 0, 0);
	UNTIL(&d, screen_has(&d.a, "up"));
	conn_send(d.a.conn,
		&(struct msg){ .type = MSG_paste, .paste.bytes = { text, BYTES } });
	UNTIL(&d, screen_has(&d.a, "131072"));
	mem_free(text);
	desk_close(&d);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_show_what_the_program_printed),
		cmocka_unit_test(a_viewer_that_does_not_acknowledge_gets_one_frame),
		cmocka_unit_test(a_read_only_viewer_cannot_act),
		cmocka_unit_test(sizes_follow_whoever_acts),
		cmocka_unit_test(waits_are_answered),
		cmocka_unit_test(what_was_on_the_screen_before_typing_is_not_the_answer),
		cmocka_unit_test(stop_kills_after_the_grace_time),
		cmocka_unit_test(a_command_that_is_missing_says_so),
		cmocka_unit_test(notifications_reach_everybody_slowly),
		cmocka_unit_test(the_newest_notification_wins),
		cmocka_unit_test(clipboard_goes_to_who_acts),
		cmocka_unit_test(what_the_owner_knows_is_answered),
		cmocka_unit_test(keys_go_by_the_modes_in_force),
		cmocka_unit_test(hostile_titles_are_harmless),
		cmocka_unit_test(a_large_paste_arrives_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
