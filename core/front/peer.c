#include "front/peer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cmd/call.h"
#include "front/jsonrpc.h"
#include "model/daemon.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/log.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/conn.h"
#include "sandesk/messages.h"

/* One call without its answer yet. */
struct peer_call {
	struct peer_call *next;
	struct peer *peer;
	struct cmd_call *call;
	json_t *id;
};

static void
peer_call_free(struct peer_call *pc)
{
	json_decref(pc->id);
	mem_free(pc);
}

void
peer_send_text(struct peer *p, const char *text)
{
	if (text)
		conn_send(p->conn, &(struct msg){ .type = MSG_rpc,
					   .rpc.body = { .data = text, .len = strlen(text) } });
}

void
peer_free(struct peer *p)
{
	struct peer **at = p->list;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	while (p->calls) {
		struct peer_call *pc = p->calls;

		p->calls = pc->next;
		call_abandon(pc->call);
		peer_call_free(pc);
	}
	conn_free(p->conn);
	mem_free(p);
}

static void
refuse(struct peer *p, json_t *id, int code, const struct err *e)
{
	AUTO(mem) char *text = jsonrpc_error(id, code, e, 1);

	peer_send_text(p, text);
}

static void
on_reply(struct cmd_call *c, json_t *result, const struct err *e, void *arg)
{
	struct peer_call *pc = arg, **at;
	struct peer *p = pc->peer;
	AUTO(mem)
	char *text = e ? jsonrpc_error(pc->id, JSONRPC_OURS, e, c->exit_status)
		       : jsonrpc_result(pc->id, result);

	for (at = &p->calls; *at != pc;)
		at = &(*at)->next;
	*at = pc->next;
	p->ncalls--;
	p->is_subscribed |= c->wants_events;
	peer_send_text(p, text);
	peer_call_free(pc);
}

static void
start_call(struct peer *p, const struct jsonrpc_request *r)
{
	int fds[FD_PASS_MAX];
	size_t nfds = conn_take_fds(p->conn, fds, FD_PASS_MAX);
	json_t *params = r->params ? json_incref(r->params) : json_object();
	struct cmd_call *c = call_new(p->daemon, r->method, params, fds, nfds);
	struct peer_call *pc;
	struct err e = { 0 };

	if (!c->run) {
		err_set(&e, -ENOSYS, "method %.80s: is not known; see sandesk help", r->method);
		call_fail(c, &e);
		refuse(p, r->id, JSONRPC_METHOD, &e);
		return;
	}
	pc = mem_new(struct peer_call);
	*pc = (struct peer_call){
		.next = p->calls, .peer = p, .call = c, .id = json_incref(r->id)
	};
	p->calls = pc;
	p->ncalls++;
	call_run(c, on_reply, pc);
}

static void
on_request(struct peer *p, const struct msg_rpc *m)
{
	struct jsonrpc_request r;
	struct err e = { 0 };
	int code = jsonrpc_parse(m->body.data, m->body.len, &r, &e);

	if (!code && p->ncalls >= PEER_CALLS_MAX) {
		err_set(&e, -EBUSY,
			"%s: %d calls of this connection wait for their answer already; wait for "
			"some",
			r.method, PEER_CALLS_MAX);
		code = JSONRPC_OURS;
	}
	if (code)
		refuse(p, r.id, code, &e);
	else
		start_call(p, &r);
	jsonrpc_free(&r);
}

static void
on_message(struct conn *c, const struct msg *m, void *arg)
{
	struct peer *p = arg;

	(void)c;
	if (m->type == MSG_hello && m->hello.version >= 1) {
		p->said_hello = true;
		return;
	}
	if (!p->said_hello) {
		log_warn(p->daemon->log,
			"a client of another protocol was turned away (message %u)",
			(unsigned)m->type);
		peer_free(p);
		return;
	}
	if (m->type == MSG_rpc)
		on_request(p, &m->rpc);
}

static void
on_closed(struct conn *c, const char *why, void *arg)
{
	(void)c;
	(void)why;
	peer_free(arg);
}

static const struct conn_ops peer_ops = { .message = on_message, .closed = on_closed };

void
peer_new(struct peer **list, struct daemon *d, int fd)
{
	struct peer *p = mem_new(struct peer);

	*p = (struct peer){ .list = list, .next = *list, .daemon = d };
	*list = p;
	p->conn = conn_new(d->loop, fd, &peer_ops, p);
	conn_send(p->conn, &(struct msg){ .type = MSG_hello,
				   .hello = { .version = PROTOCOL_VERSION,
					   .program = "sandesk-daemon",
					   .pid = (uint64_t)getpid() } });
}
