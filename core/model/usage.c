#include "model/usage.h"

#include "model/daemon.h"
#include "model/keeper.h"
#include "model/registry.h"
#include "sandesk/base/mem.h"
#include "sandesk/loop.h"
#include "sandesk/messages.h"

/* Freed when every keeper has answered, which may be after the caller was. */
struct round {
	size_t open;
	struct loop_timer *timer;
	wait_fn *fn; /* NULL: called */
	void *arg;
};

static void
call_back(struct round *r)
{
	wait_fn *fn = r->fn;

	r->fn = NULL;
	loop_timer_stop(r->timer);
	if (fn)
		fn(r->arg);
}

static void
on_time(void *arg)
{
	struct round *r = arg;

	call_back(r);
	if (r->open)
		return;
	loop_timer_free(r->timer);
	mem_free(r);
}

static void
on_counted(const struct msg *m, const struct err *e, void *arg)
{
	struct round *r = arg;

	(void)m;
	(void)e;
	if (--r->open)
		return;
	call_back(r);
	loop_timer_free(r->timer);
	mem_free(r);
}

static void
ask(struct round *r, struct session *s)
{
	struct msg m = { .type = MSG_usage };

	if (!s->keeper || status_is_over(s->status) || s->status == STATUS_STARTING)
		return;
	r->open++;
	m.usage.request = keeper_expect(s->keeper, on_counted, r);
	keeper_send(s->keeper, &m);
}

void
usage_refresh(
	struct daemon *d, struct session *s, const struct desktop *desktop, wait_fn *fn, void *arg)
{
	struct round *r = mem_new(struct round);

	*r = (struct round){ .fn = fn, .arg = arg, .timer = loop_timer_new(d->loop, on_time, r) };
	for (size_t i = 0; i < d->registry.nsessions; i++)
		if ((!s || d->registry.sessions[i] == s) &&
			(!desktop || d->registry.sessions[i]->desktop == desktop))
			ask(r, d->registry.sessions[i]);
	loop_timer_start(r->timer, r->open ? USAGE_MS : 0);
}
