#include <errno.h>
#include <stdio.h>

#include "keeper/keeper.h"
#include "keeper/pattern.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/conn.h"
#include "sandesk/loop.h"

/* UNANSWERED_MS: how long a screen that shows what was there before something was typed is not taken
 * for the answer to it. */
enum { TEXT_BYTES = 8 << 20, UNANSWERED_MS = 500 };

struct waiter {
	struct waiter *next;
	struct viewer *viewer;
	uint64_t request;
	enum wait_kind kind;
	struct pattern pattern;
	int64_t quiet_ms;
	int64_t quiet_from;
	struct loop_timer *timeout, *check;
	bool is_due; /* the check timer fired */
};

static void
waiter_free(struct waiter *w)
{
	struct keeper *k = w->viewer->keeper;
	struct waiter **at = &k->waiters;

	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
	k->nwaiters--;
	loop_timer_free(w->timeout);
	loop_timer_free(w->check);
	pattern_fini(&w->pattern);
	mem_free(w);
}

static void
finish(struct waiter *w, enum wait_outcome outcome)
{
	struct msg m = { .type = MSG_waited,
		.waited = { .request = w->request, .outcome = outcome } };

	conn_send(w->viewer->conn, &m);
	waiter_free(w);
}

static void
on_timeout(void *arg)
{
	finish(arg, WAIT_TIMED_OUT);
}

static void
on_check(void *arg)
{
	struct waiter *w = arg;

	w->is_due = true; /* the turn hook looks */
}

static bool
shows_text(const struct waiter *w, const struct buf *text)
{
	size_t start, end;

	return pattern_find(&w->pattern, text->data, text->len, 0, &start, &end) > 0;
}

/* What was typed last has not been answered by any output yet. */
static bool
is_unanswered(const struct keeper *k)
{
	return k->typed_ms && loop_now(k->loop) - k->typed_ms < UNANSWERED_MS;
}

static void
check_again_in(struct waiter *w, int64_t ms)
{
	struct keeper *k = w->viewer->keeper;

	if (!w->check)
		w->check = loop_timer_new(k->loop, on_check, w);
	loop_timer_start(w->check, ms);
}

/* Lines that left the screen since the last look are looked at too, so a fast program cannot scroll
 * an answer away. */
static void
text_to_search(struct keeper *k, struct buf *to)
{
	term_text_since(k->term, k->waited_line, to, TERM_TEXT_JOIN | TERM_TEXT_BLANKS);
	k->waited_line = term_next_line(k->term);
}

static bool
quiet_is_met(struct waiter *w)
{
	struct keeper *k = w->viewer->keeper;
	int64_t left = w->quiet_from + w->quiet_ms - loop_now(k->loop);

	if (left > 0)
		check_again_in(w, left);
	return left <= 0;
}

static bool
is_met(struct waiter *w, const struct buf *text)
{
	struct keeper *k = w->viewer->keeper;

	w->is_due = false;
	if (w->kind == WAIT_QUIET)
		return quiet_is_met(w);
	if (w->kind != WAIT_TEXT)
		return false;
	if (is_unanswered(k)) {
		check_again_in(w, UNANSWERED_MS);
		return false;
	}
	return shows_text(w, text);
}

static bool
any_is_due(const struct keeper *k)
{
	for (const struct waiter *w = k->waiters; w; w = w->next)
		if (w->is_due)
			return true;
	return false;
}

void
waiter_turn(struct keeper *k)
{
	AUTO(buf) struct buf text = { .limit = TEXT_BYTES };
	uint64_t version = term_version(k->term);
	bool has_output = version != k->waited_version;

	if (!k->waiters || (!has_output && !any_is_due(k)))
		return;
	k->waited_version = version;
	text_to_search(k, &text);
	for (struct waiter *w = k->waiters, *next; w; w = next) {
		next = w->next;
		if (has_output)
			w->quiet_from = loop_now(k->loop);
		if (is_met(w, &text))
			finish(w, WAIT_MET);
	}
}

void
waiter_finish(struct keeper *k)
{
	AUTO(buf) struct buf text = { .limit = TEXT_BYTES };

	if (k->term && k->waiters)
		text_to_search(k, &text);
	while (k->waiters) {
		struct waiter *w = k->waiters;
		bool met = w->kind == WAIT_EXIT || w->kind == WAIT_QUIET || shows_text(w, &text);

		finish(w, met ? WAIT_MET : WAIT_ENDED);
	}
}

static void
refuse(struct viewer *v, uint64_t request, const struct err *e)
{
	struct msg m = { .type = MSG_error,
		.error = { .request = request, .code = (uint64_t)-e->code, .text = e->msg } };

	conn_send(v->conn, &m);
}

void
waiter_add(struct viewer *v, const struct msg_wait *m)
{
	struct keeper *k = v->keeper;
	struct err e = { 0 };
	struct waiter *w;

	if (k->nwaiters >= KEEPER_WAITERS_MAX || (m->kind != WAIT_EXIT && !k->term)) {
		err_set(&e, -EBUSY, "session %s/%s: %s", k->desktop, k->name,
			k->term ? "too many wait for it already; end some"
				: "has no terminal; wait for --exit");
		refuse(v, m->request, &e);
		return;
	}
	if (!k->waiters && k->term)
		k->waited_line = term_next_line(
			k->term); /* what scrolled away before anybody waited does not count */
	w = mem_new(struct waiter);
	*w = (struct waiter){ .next = k->waiters,
		.viewer = v,
		.request = m->request,
		.kind = (enum wait_kind)m->kind,
		.quiet_ms = (int64_t)m->quiet_ms,
		.quiet_from = loop_now(k->loop),
		.is_due = true };
	k->waiters = w;
	k->nwaiters++;
	if (w->kind == WAIT_TEXT && pattern_compile(&w->pattern, m->pattern, 0, &e) < 0) {
		refuse(v, m->request, &e);
		waiter_free(w);
		return;
	}
	if (m->timeout_ms) {
		w->timeout = loop_timer_new(k->loop, on_timeout, w);
		loop_timer_start(w->timeout, (int64_t)m->timeout_ms);
	}
	if (status_is_over(k->status))
		waiter_finish(k);
}

void
waiter_cancel(struct viewer *v, uint64_t request)
{
	for (struct waiter *w = v->keeper->waiters; w; w = w->next)
		if (w->viewer == v && w->request == request) {
			waiter_free(w);
			return;
		}
}

void
waiter_forget_viewer(struct viewer *v)
{
	for (struct waiter *w = v->keeper->waiters, *next; w; w = next) {
		next = w->next;
		if (w->viewer == v)
			waiter_free(w);
	}
}
