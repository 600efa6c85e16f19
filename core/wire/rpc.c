#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/client.h"
#include "sandesk/conn.h"
#include "sandesk/messages.h"
#include "wire/request.h"

struct pending {
	struct pending *next;
	json_int_t id;
	rpc_reply_fn *fn;
	void *arg;
};

struct rpc {
	struct conn *conn;
	const struct rpc_ops *ops;
	void *arg;
	json_int_t next_id;
	struct pending *pending;
};

static void
answer(struct rpc *r, json_t *reply)
{
	json_int_t id = json_integer_value(json_object_get(reply, "id"));
	json_t *error = json_object_get(reply, "error");
	struct err e = { 0 };

	for (struct pending **at = &r->pending; *at; at = &(*at)->next) {
		struct pending *p = *at;

		if (p->id != id)
			continue;
		*at = p->next;
		if (error)
			request_error(error, &e);
		if (p->fn)
			p->fn(error ? NULL : json_object_get(reply, "result"), error ? &e : NULL,
				p->arg);
		mem_free(p);
		return;
	}
}

static void
on_message(struct conn *c, const struct msg *m, void *arg)
{
	struct rpc *r = arg;
	const char *method;
	json_t *body;

	(void)c;
	if (m->type != MSG_rpc)
		return;
	body = json_loadb(m->rpc.body.data, m->rpc.body.len, 0, NULL);
	method = json_string_value(json_object_get(body, "method"));
	if (method && r->ops->notified)
		r->ops->notified(method, json_object_get(body, "params"), r->arg);
	else if (!method)
		answer(r, body);
	json_decref(body);
}

static void
fail_pending(struct rpc *r, const char *why)
{
	struct err e = { 0 };

	err_set(&e, -EPIPE, "the daemon: %s; try again", why);
	while (r->pending) {
		struct pending *p = r->pending;

		r->pending = p->next;
		if (p->fn)
			p->fn(NULL, &e, p->arg);
		mem_free(p);
	}
}

static void
on_closed(struct conn *c, const char *why, void *arg)
{
	struct rpc *r = arg;

	(void)c;
	fail_pending(r, why);
	if (r->ops->closed)
		r->ops->closed(why, r->arg);
}

static const struct conn_ops rpc_conn_ops = { .message = on_message, .closed = on_closed };

struct rpc *
rpc_new(struct loop *l, int fd, const struct rpc_ops *ops, void *arg)
{
	struct rpc *r = mem_new(struct rpc);
	struct msg hello = { .type = MSG_hello,
		.hello = { .version = PROTOCOL_VERSION,
			.program = "sandesk",
			.pid = (uint64_t)getpid() } };

	r->ops = ops;
	r->arg = arg;
	r->conn = conn_new(l, fd, &rpc_conn_ops, r);
	conn_send(r->conn, &hello);
	return r;
}

void
rpc_free(struct rpc *r)
{
	if (!r)
		return;
	conn_free(r->conn);
	while (r->pending) {
		struct pending *p = r->pending;

		r->pending = p->next;
		mem_free(p);
	}
	mem_free(r);
}

void
rpc_call(struct rpc *r, const char *method, json_t *params, rpc_reply_fn *fn, void *arg)
{
	struct pending *p = mem_new(struct pending);
	struct msg m = { .type = MSG_rpc };
	struct err e = { 0 };
	char *body = request_encode(++r->next_id, method, params);

	if (!body || !conn_is_open(r->conn)) {
		err_set(&e, body ? -EPIPE : -EINVAL, "%s: %s", method,
			body ? "the daemon is not connected; try again"
			     : "the arguments are not valid UTF-8");
		mem_free(body);
		mem_free(p);
		if (fn)
			fn(NULL, &e, arg);
		return;
	}
	*p = (struct pending){ .next = r->pending, .id = r->next_id, .fn = fn, .arg = arg };
	r->pending = p;
	m.rpc.body = (struct span){ body, strlen(body) };
	conn_send(r->conn, &m);
	mem_free(body);
}
