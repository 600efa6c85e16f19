#include "sandesk/loop.h"

#include <assert.h>
#include <uv.h>

#include "sandesk/base/clock.h"
#include "sandesk/base/mem.h"

/* Hooks and tasks are kept in lists of our own: libuv runs prepare handles last-made first, and
 * tasks must come after hooks. */
struct loop_node {
	struct loop_node *next, *prev;
};

struct loop {
	uv_loop_t uv;
	uv_prepare_t turn;
	struct loop_node hooks;
	struct loop_node tasks; /* those that are queued */
	/* the next hook to run, kept right when hooks are removed meanwhile */
	struct loop_node *walk;
};

struct loop_fd {
	uv_poll_t uv; /* first: close_and_free() frees the handle's address */
	int fd;
	loop_fd_fn *fn;
	void *arg;
};

struct loop_timer {
	uv_timer_t uv;
	loop_fn *fn;
	void *arg;
};

struct loop_signal {
	uv_signal_t uv;
	loop_fn *fn;
	void *arg;
};

struct loop_hook {
	struct loop_node node; /* first */
	struct loop *loop;
	loop_fn *fn;
	void *arg;
};

struct loop_task {
	struct loop_node node; /* first */
	struct loop *loop;
	bool is_queued;
	loop_fn *fn;
	void *arg;
};

static void
node_init(struct loop_node *head)
{
	head->next = head->prev = head;
}

static void
node_append(struct loop_node *head, struct loop_node *n)
{
	n->next = head;
	n->prev = head->prev;
	head->prev->next = n;
	head->prev = n;
}

static void
node_remove(struct loop_node *n)
{
	n->prev->next = n->next;
	n->next->prev = n->prev;
	node_init(n);
}

static void
run_hooks(struct loop *l)
{
	for (struct loop_node *n = l->hooks.next; n != &l->hooks; n = l->walk) {
		struct loop_hook *h = (struct loop_hook *)n;

		l->walk = n->next;
		h->fn(h->arg);
	}
	l->walk = NULL;
}

static void
on_turn(uv_prepare_t *p)
{
	struct loop *l = p->data;

	run_hooks(l);
	while (l->tasks.next != &l->tasks) {
		struct loop_task *t = (struct loop_task *)l->tasks.next;

		node_remove(&t->node);
		t->is_queued = false;
		t->fn(t->arg);
	}
}

struct loop *
loop_new(void)
{
	struct loop *l = mem_new(struct loop);
	int r = uv_loop_init(&l->uv);

	assert(r == 0);
	node_init(&l->hooks);
	node_init(&l->tasks);
	uv_prepare_init(&l->uv, &l->turn);
	l->turn.data = l;
	uv_prepare_start(&l->turn, on_turn);
	return l;
}

void
loop_free(struct loop *l)
{
	if (!l)
		return;
	uv_close((uv_handle_t *)&l->turn, NULL);
	uv_run(&l->uv, UV_RUN_NOWAIT); /* lets the closing handles free themselves */
	uv_loop_close(&l->uv);
	mem_free(l);
}

void
loop_run(struct loop *l)
{
	uv_run(&l->uv, UV_RUN_DEFAULT);
}

void
loop_turn(struct loop *l)
{
	uv_run(&l->uv, UV_RUN_NOWAIT);
	on_turn(&l->turn); /* what the callbacks of this turn left to do */
}

void
loop_stop(struct loop *l)
{
	uv_stop(&l->uv);
}

int64_t
loop_now(const struct loop *l)
{
	return (int64_t)uv_now(&l->uv);
}

static void
on_closed(uv_handle_t *h)
{
	mem_free(h);
}

static void
close_and_free(void *handle)
{
	if (handle)
		uv_close(handle, on_closed);
}

static void
on_fd(uv_poll_t *p, int status, int events)
{
	struct loop_fd *w = p->data;
	int seen = 0;

	if (status < 0 || (events & UV_DISCONNECT))
		seen |= LOOP_HANGUP;
	if (events & UV_READABLE)
		seen |= LOOP_READ;
	if (events & UV_WRITABLE)
		seen |= LOOP_WRITE;
	w->fn(w->fd, seen, w->arg);
}

struct loop_fd *
loop_fd_new(struct loop *l, int fd, int events, loop_fd_fn *fn, void *arg)
{
	struct loop_fd *w = mem_new(struct loop_fd);
	int r = uv_poll_init(&l->uv, &w->uv, fd);

	assert(r == 0);
	*w = (struct loop_fd){ .uv = w->uv, .fd = fd, .fn = fn, .arg = arg };
	w->uv.data = w;
	loop_fd_set(w, events);
	return w;
}

void
loop_fd_set(struct loop_fd *w, int events)
{
	int want = 0;

	if (events & LOOP_READ)
		want |= UV_READABLE;
	if (events & LOOP_WRITE)
		want |= UV_WRITABLE;
	if (events & LOOP_HANGUP)
		want |= UV_DISCONNECT;
	if (want)
		uv_poll_start(&w->uv, want, on_fd);
	else
		uv_poll_stop(&w->uv);
}

void
loop_fd_free(struct loop_fd *w)
{
	if (w)
		uv_poll_stop(&w->uv);
	close_and_free(w);
}

static void
on_timer(uv_timer_t *h)
{
	struct loop_timer *t = h->data;

	t->fn(t->arg);
}

struct loop_timer *
loop_timer_new(struct loop *l, loop_fn *fn, void *arg)
{
	struct loop_timer *t = mem_new(struct loop_timer);

	uv_timer_init(&l->uv, &t->uv);
	t->uv.data = t;
	t->fn = fn;
	t->arg = arg;
	return t;
}

void
loop_timer_start(struct loop_timer *t, int64_t ms)
{
	uv_update_time(t->uv.loop); /* else the time is counted from the start of the turn */
	uv_timer_start(&t->uv, on_timer, ms > 0 ? (uint64_t)ms : 0, 0);
}

void
loop_timer_stop(struct loop_timer *t)
{
	uv_timer_stop(&t->uv);
}

bool
loop_timer_is_running(const struct loop_timer *t)
{
	return uv_is_active((const uv_handle_t *)&t->uv);
}

void
loop_timer_free(struct loop_timer *t)
{
	close_and_free(t);
}

static void
on_signal(uv_signal_t *h, int signal)
{
	struct loop_signal *s = h->data;

	(void)signal;
	s->fn(s->arg);
}

struct loop_signal *
loop_signal_new(struct loop *l, int signal, loop_fn *fn, void *arg)
{
	struct loop_signal *s = mem_new(struct loop_signal);

	uv_signal_init(&l->uv, &s->uv);
	s->uv.data = s;
	s->fn = fn;
	s->arg = arg;
	uv_signal_start(&s->uv, on_signal, signal);
	return s;
}

void
loop_signal_free(struct loop_signal *s)
{
	close_and_free(s);
}

struct loop_hook *
loop_hook_new(struct loop *l, loop_fn *fn, void *arg)
{
	struct loop_hook *h = mem_new(struct loop_hook);

	*h = (struct loop_hook){ .loop = l, .fn = fn, .arg = arg };
	node_append(&l->hooks, &h->node);
	return h;
}

void
loop_hook_free(struct loop_hook *h)
{
	if (!h)
		return;
	if (h->loop->walk == &h->node)
		h->loop->walk = h->node.next;
	node_remove(&h->node);
	mem_free(h);
}

struct loop_task *
loop_task_new(struct loop *l, loop_fn *fn, void *arg)
{
	struct loop_task *t = mem_new(struct loop_task);

	*t = (struct loop_task){ .loop = l, .fn = fn, .arg = arg };
	node_init(&t->node);
	return t;
}

void
loop_task_queue(struct loop_task *t)
{
	if (t->is_queued)
		return;
	t->is_queued = true;
	node_append(&t->loop->tasks, &t->node);
}

void
loop_task_free(struct loop_task *t)
{
	if (!t)
		return;
	node_remove(&t->node);
	mem_free(t);
}
