#include "keeper/tell.h"

#include <string.h>

#include "keeper/keeper.h"
#include "sandesk/base/str.h"
#include "sandesk/conn.h"
#include "sandesk/loop.h"

static void
on_timer(void *arg)
{
	(void)arg; /* it has woken the loop; tell_turn() does the rest */
}

void
tell_init(struct keeper *k)
{
	k->tell.notice_timer = loop_timer_new(k->loop, on_timer, k);
	k->tell.clipboard_timer = loop_timer_new(k->loop, on_timer, k);
	k->tell.clipboard.limit = TERM_CLIPBOARD_BYTES;
}

void
tell_fini(struct keeper *k)
{
	loop_timer_free(k->tell.notice_timer);
	loop_timer_free(k->tell.clipboard_timer);
	buf_fini(&k->tell.clipboard);
}

static void
keep_clipboard(struct tell *t, const struct term *term, const char *which)
{
	size_t len;
	const void *bytes = term_clipboard(term, &len);

	buf_reset(&t->clipboard);
	t->has_clipboard = buf_add(&t->clipboard, bytes, len) == 0;
	str_copy(t->which, sizeof t->which, which);
}

void
tell_event(struct keeper *k, const struct term_event *event)
{
	struct tell *t = &k->tell;

	if (event->kind == TERM_EVENT_CLIPBOARD) {
		keep_clipboard(t, k->term, event->id);
		return;
	}
	t->dropped += t->has_notice;
	t->has_notice = true;
	str_copy(t->notice, sizeof t->notice, event->text);
}

static void
send_notice(struct keeper *k)
{
	struct tell *t = &k->tell;
	struct msg m = { .type = MSG_notice,
		.notice = { .text = t->notice, .dropped = t->dropped } };

	for (struct viewer *v = k->viewers; v; v = v->next)
		if (v->is_attached)
			conn_send(v->conn, &m);
	memcpy(t->told, t->notice, sizeof t->told);
	t->has_notice = false;
	t->dropped = 0;
	t->notices++;
	keeper_touch_state(k);
	loop_timer_start(t->notice_timer, TELL_MS);
}

/* Whoever acted last among those who may; NULL: nobody. */
static struct viewer *
active_viewer(const struct keeper *k)
{
	struct viewer *best = NULL;

	for (struct viewer *v = k->viewers; v; v = v->next)
		if (v->is_attached && !v->is_read_only && (!best || v->acted > best->acted))
			best = v;
	return best;
}

static void
send_clipboard(struct keeper *k)
{
	struct tell *t = &k->tell;
	struct viewer *v = active_viewer(k);
	struct msg m = { .type = MSG_clipboard,
		.clipboard = { .bytes = span_of(&t->clipboard), .which = t->which } };

	if (v)
		conn_send(v->conn, &m);
	t->has_clipboard = false;
	buf_fini(&t->clipboard); /* it may have been large */
	t->clipboard.limit = TERM_CLIPBOARD_BYTES;
	loop_timer_start(t->clipboard_timer, TELL_MS);
}

void
tell_turn(struct keeper *k)
{
	if (k->tell.has_notice && !loop_timer_is_running(k->tell.notice_timer))
		send_notice(k);
	if (k->tell.has_clipboard && !loop_timer_is_running(k->tell.clipboard_timer))
		send_clipboard(k);
}
