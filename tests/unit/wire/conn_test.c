#include "../../lib/check.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/conn.h"
#include "sandesk/loop.h"
#include "sandesk/messages.h"

struct side {
	struct conn *conn;
	unsigned messages, ends, drains;
	uint64_t sum;
	int fds[4];
	size_t nfds;
	bool frees_itself;
};

static void
on_message(struct conn *c, const struct msg *m, void *arg)
{
	struct side *s = arg;

	s->messages++;
	if (m->type == MSG_ack)
		s->sum += m->ack.seq;
	s->nfds += conn_take_fds(c, s->fds + s->nfds, ARRAY_LEN(s->fds) - s->nfds);
	if (s->frees_itself) {
		conn_free(c);
		s->conn = NULL;
	}
}

static void
on_closed(struct conn *c, const char *why, void *arg)
{
	struct side *s = arg;

	(void)c;
	assert_true(why[0]);
	s->ends++;
}

static void
on_drained(struct conn *c, void *arg)
{
	struct side *s = arg;

	(void)c;
	s->drains++;
}

static const struct conn_ops ops = {
	.message = on_message, .closed = on_closed, .drained = on_drained
};

struct pair {
	struct loop *loop;
	struct side a, b;
};

static void
pair_open(struct pair *p)
{
	int ends[2];

	*p = (struct pair){ .loop = loop_new() };
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	p->a.conn = conn_new(p->loop, ends[0], &ops, &p->a);
	p->b.conn = conn_new(p->loop, ends[1], &ops, &p->b);
}

static void
pair_close(struct pair *p)
{
	conn_free(p->a.conn);
	conn_free(p->b.conn);
	loop_turn(p->loop);
	loop_free(p->loop);
}

static void
turns(struct pair *p, int n)
{
	while (n--)
		loop_turn(p->loop);
}

static void
messages_arrive_in_order(void **state)
{
	struct pair p;

	(void)state;
	pair_open(&p);
	for (uint64_t i = 1; i <= 1000; i++)
		conn_send(p.a.conn, &(struct msg){ .type = MSG_ack, .ack.seq = i });
	assert_true(conn_queued(p.a.conn) > 0); /* nothing goes out inside of a callback */
	turns(&p, 20);
	assert_int_equal(p.b.messages, 1000);
	assert_int_equal(p.b.sum, 500500);
	assert_int_equal(p.a.drains, 1);
	pair_close(&p);
}

static void
large_messages_are_put_together(void **state)
{
	char *big = mem_zero(1, 5 << 20);
	struct pair p;

	(void)state;
	pair_open(&p);
	conn_send(p.a.conn, &(struct msg){ .type = MSG_paste, .paste.bytes = { big, 5 << 20 } });
	conn_send(p.a.conn, &(struct msg){ .type = MSG_ack, .ack.seq = 9 });
	turns(&p, 200);
	assert_int_equal(p.b.messages, 2);
	assert_int_equal(p.b.sum, 9);
	pair_close(&p);
	mem_free(big);
}

static void
a_peer_that_reads_nothing_is_dropped_at_the_cap(void **state)
{
	char *big = mem_zero(1, 8 << 20);
	struct side silent = { 0 };
	struct loop *loop = loop_new();
	int ends[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	silent.conn = conn_new(loop, ends[0], &ops, &silent);
	for (int i = 0; i < 5; i++)
		conn_send(silent.conn,
			&(struct msg){ .type = MSG_paste, .paste.bytes = { big, 8 << 20 } });
	assert_int_equal(silent.ends, 0); /* not from inside conn_send() */
	loop_turn(loop);
	assert_int_equal(silent.ends, 1);
	assert_false(conn_is_open(silent.conn));
	conn_send(silent.conn, &(struct msg){ .type = MSG_ack }); /* harmless */
	conn_free(silent.conn);
	loop_turn(loop);
	loop_free(loop);
	close(ends[1]);
	mem_free(big);
}

static void
the_end_is_told_once(void **state)
{
	struct pair p;

	(void)state;
	pair_open(&p);
	conn_send(p.a.conn, &(struct msg){ .type = MSG_ack, .ack.seq = 5 });
	conn_free(p.a.conn); /* last words still go out */
	p.a.conn = NULL;
	turns(&p, 5);
	assert_int_equal(p.b.sum, 5);
	assert_int_equal(p.b.ends, 1);
	pair_close(&p);
}

static void
garbage_ends_the_connection(void **state)
{
	struct side s = { 0 };
	struct loop *loop = loop_new();
	int ends[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	s.conn = conn_new(loop, ends[0], &ops, &s);
	assert_int_equal(write(ends[1], "\xff\xff\xff\xff junk", 9), 9);
	loop_turn(loop);
	assert_int_equal(s.ends, 1);
	assert_int_equal(s.messages, 0);
	conn_free(s.conn);
	loop_turn(loop);
	loop_free(loop);
	close(ends[1]);
}

static void
may_be_freed_by_its_own_callback(void **state)
{
	struct pair p;

	(void)state;
	pair_open(&p);
	p.b.frees_itself = true;
	conn_send(p.a.conn, &(struct msg){ .type = MSG_ack, .ack.seq = 1 });
	conn_send(p.a.conn, &(struct msg){ .type = MSG_ack, .ack.seq = 2 });
	turns(&p, 5);
	assert_int_equal(p.b.messages, 1);
	assert_int_equal(p.a.ends, 1);
	pair_close(&p);
}

static void
descriptors_come_with_their_message(void **state)
{
	struct side s = { 0 };
	struct loop *loop = loop_new();
	AUTO(buf) struct buf bytes = { 0 };
	int ends[2], null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	s.conn = conn_new(loop, ends[0], &ops, &s);
	msg_encode(&bytes, &(struct msg){ .type = MSG_ack, .ack.seq = 1 });
	assert_true(fd_send(ends[1], bytes.data, bytes.len, (int[]){ null, null }, 2) > 0);
	loop_turn(loop);
	assert_int_equal(s.nfds, 2);
	assert_true(fcntl(s.fds[0], F_GETFD) & FD_CLOEXEC);
	close(s.fds[0]);
	close(s.fds[1]);
	close(null);
	conn_free(s.conn);
	loop_turn(loop);
	loop_free(loop);
	close(ends[1]);
}

/* Descriptors stand at the first byte of what was sent with them (unix(7)); the end of a large
 * message is read turns later. */
static void
descriptors_wait_for_the_end_of_their_message(void **state)
{
	struct side s = { 0 };
	struct loop *loop = loop_new();
	AUTO(buf) struct buf bytes = { 0 };
	AUTO(mem) char *text = mem_zero(1, 1 << 10);
	int ends[2], null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	s.conn = conn_new(loop, ends[0], &ops, &s);
	msg_encode(&bytes, &(struct msg){ .type = MSG_paste, .paste.bytes = { text, 1 << 10 } });
	assert_int_equal(fd_send(ends[1], bytes.data, 100, &null, 1), 100);
	loop_turn(loop);
	assert_int_equal(s.messages, 0);
	assert_int_equal(fd_write_all(ends[1], bytes.data + 100, bytes.len - 100), 0);
	loop_turn(loop);
	assert_int_equal(s.messages, 1);
	assert_int_equal(s.nfds, 1);
	close(s.fds[0]);
	close(null);
	conn_free(s.conn);
	loop_turn(loop);
	loop_free(loop);
	close(ends[1]);
}

static void
ourselves_pass_the_peer_check(void **state)
{
	struct err e = { 0 };
	int ends[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	assert_int_equal(peer_check(ends[0], &e), 0);
	close(ends[0]);
	close(ends[1]);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_arrive_in_order),
		cmocka_unit_test(large_messages_are_put_together),
		cmocka_unit_test(a_peer_that_reads_nothing_is_dropped_at_the_cap),
		cmocka_unit_test(the_end_is_told_once),
		cmocka_unit_test(garbage_ends_the_connection),
		cmocka_unit_test(may_be_freed_by_its_own_callback),
		cmocka_unit_test(descriptors_come_with_their_message),
		cmocka_unit_test(descriptors_wait_for_the_end_of_their_message),
		cmocka_unit_test(ourselves_pass_the_peer_check),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
