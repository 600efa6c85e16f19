#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "keeper/capture.h"
#include "keeper/find.h"
#include "keeper/keeper.h"
#include "keeper/recorder.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/conn.h"
#include "sandesk/key.h"
#include "term/keyenc.h"

static void
answer(struct viewer *v, uint64_t request)
{
	struct msg m = { .type = MSG_done, .done.request = request };

	if (request)
		conn_send(v->conn, &m);
}

static void
refuse(struct viewer *v, uint64_t request, int code, const char *text)
{
	struct msg m = { .type = MSG_error,
		.error = { .request = request, .code = (uint64_t)-code, .text = text } };

	if (request)
		conn_send(v->conn, &m);
}

/* The program's terminal, if this viewer may type there; else it is told why not. */
static bool
may_type(struct viewer *v, uint64_t request)
{
	struct keeper *k = v->keeper;
	char text[ERR_MSG_BYTES];

	if (v->is_read_only)
		snprintf(text, sizeof text,
			"session %s/%s: this client is read-only; attach without --read-only",
			k->desktop, k->name);
	else if (!k->term)
		snprintf(text, sizeof text,
			"session %s/%s: has no terminal; it was started by exec", k->desktop,
			k->name);
	else if (!k->end_watch)
		snprintf(text, sizeof text,
			"session %s/%s: has ended; run: sandesk session restart %s/%s", k->desktop,
			k->name, k->desktop, k->name);
	else
		return true;
	refuse(v, request, -ESRCH, text);
	return false;
}

static void
apply_outer(const struct viewer *v)
{
	struct term *t = v->keeper->term;
	const struct msg_outer *m = &v->outer;

	if (!t)
		return;
	if (m->scheme == OUTER_DARK || m->scheme == OUTER_LIGHT)
		term_set_dark(t, m->scheme == OUTER_DARK);
	if (m->cell_width <= UINT16_MAX && m->cell_height <= UINT16_MAX)
		term_set_cell_pixels(t, (unsigned)m->cell_width, (unsigned)m->cell_height);
}

/* Whoever acts last has the say about the size, the colours and the clipboard. */
static void
claim_size(struct viewer *v)
{
	if (!v->is_attached)
		return;
	v->acted = ++v->keeper->acts;
	apply_outer(v);
	if (v->sets_size)
		keeper_set_size(v->keeper, v->size);
}

static void
type_bytes(struct viewer *v, const struct buf *bytes, uint64_t request)
{
	if (stream_type(v->keeper, bytes) < 0)
		refuse(v, request, -ENOBUFS,
			"the program does not read what is typed; try again later");
	else
		answer(v, request);
}

static void
act_key(struct viewer *v, const struct msg_key *m)
{
	AUTO(buf) struct buf bytes = { 0 };

	if (!may_type(v, 0))
		return;
	claim_size(v);
	term_encode_key(v->keeper->term,
		(struct key){ .code = (uint32_t)m->code, .mods = (uint8_t)m->mods }, &bytes);
	status_typed(&v->keeper->facts);
	type_bytes(v, &bytes, 0);
}

static void
act_keys(struct viewer *v, const struct msg_keys *m)
{
	AUTO(buf) struct buf bytes = { 0 };
	struct err e = { 0 };
	const char *name;
	size_t pos = 0;

	if (!may_type(v, m->request))
		return;
	while ((name = list_next(m->names, &pos))) {
		struct key key;

		if (key_parse(name, &key, &e) < 0) {
			refuse(v, m->request, e.code, e.msg);
			return;
		}
		term_encode_key(v->keeper->term, key, &bytes);
	}
	status_typed(&v->keeper->facts);
	type_bytes(v, &bytes, m->request);
}

static void
act_text(struct viewer *v, const struct msg_text *m)
{
	AUTO(buf) struct buf bytes = { 0 };

	if (!may_type(v, m->request))
		return;
	buf_add(&bytes, m->bytes.data, m->bytes.len);
	for (size_t i = 0; i < bytes.len; i++)
		if (bytes.data[i] == '\n')
			bytes.data[i] = '\r'; /* what the Enter key sends */
	if (m->enter)
		term_encode_key(v->keeper->term, (struct key){ .code = KEY_ENTER }, &bytes);
	status_typed(&v->keeper->facts);
	type_bytes(v, &bytes, m->request);
}

static void
act_mouse(struct viewer *v, const struct msg_mouse *m)
{
	AUTO(buf) struct buf bytes = { 0 };
	struct mouse mouse = { .kind = (enum mouse_kind)m->kind,
		.button = (uint8_t)m->button,
		.mods = (uint8_t)m->mods,
		.row = (uint16_t)m->row,
		.col = (uint16_t)m->col };

	if (!may_type(v, 0))
		return;
	term_encode_mouse(v->keeper->term, mouse, &bytes);
	if (bytes.len)
		type_bytes(v, &bytes, 0);
}

static void
act_paste(struct viewer *v, const struct msg_paste *m)
{
	AUTO(buf) struct buf bytes = { .limit = KEEPER_INPUT_BYTES };

	if (!may_type(v, 0))
		return;
	claim_size(v);
	term_encode_paste(v->keeper->term, m->bytes.data, m->bytes.len, &bytes);
	status_typed(&v->keeper->facts);
	type_bytes(v, &bytes, 0);
}

static void
act_focus(struct viewer *v, const struct msg_focus *m)
{
	AUTO(buf) struct buf bytes = { 0 };

	if (!may_type(v, 0))
		return;
	claim_size(v);
	term_encode_focus(v->keeper->term, m->has_focus, &bytes);
	if (bytes.len)
		type_bytes(v, &bytes, 0);
}

static void
act_attach(struct viewer *v, const struct msg_attach *m)
{
	struct keeper *k = v->keeper;

	v->is_read_only = m->flags & ATTACH_READ_ONLY;
	v->sets_size = m->rows && m->cols && (m->flags & ATTACH_SETS_SIZE) && !v->is_read_only;
	v->size = size_clamp((unsigned)(m->rows > UINT16_MAX ? UINT16_MAX : m->rows),
		(unsigned)(m->cols > UINT16_MAX ? UINT16_MAX : m->cols));
	if (!v->is_attached) {
		v->is_attached = true;
		v->has_unacked = false;
		frame_view_reset(&v->view);
		keeper_tell_state(k);
	}
	if (!v->is_read_only)
		claim_size(v);
}

static void
act_outer(struct viewer *v, const struct msg_outer *m)
{
	if (v->is_read_only)
		return;
	v->outer = *m;
	apply_outer(v);
}

static void
act_detach(struct viewer *v)
{
	v->is_attached = false;
	keeper_tell_state(v->keeper);
}

static void
act_resize(struct viewer *v, const struct msg_resize *m)
{
	if (!may_type(v, m->request))
		return;
	keeper_set_size(v->keeper, size_clamp((unsigned)m->rows, (unsigned)m->cols));
	answer(v, m->request);
}

static void
act_signal(struct viewer *v, const struct msg_signal *m)
{
	if (v->is_read_only || !m->number || m->number > (uint64_t)SIGRTMAX ||
		jail_signal(&v->keeper->jail, (int)m->number) < 0)
		refuse(v, m->request, -ESRCH, "the session takes no signals");
	else
		answer(v, m->request);
}

static void
act_pause(struct viewer *v, uint64_t request, bool on)
{
	if (v->is_read_only)
		refuse(v, request, -EPERM, "a read-only client does not pause or resume");
	else if (run_pause(v->keeper, on) < 0)
		refuse(v, request, -ESRCH, "the session is over");
	else
		answer(v, request);
}

static void
act_rename(struct viewer *v, const struct msg_rename *m)
{
	struct keeper *k = v->keeper;

	if (v->is_read_only) {
		refuse(v, m->request, -EPERM, "a read-only client does not rename");
		return;
	}
	if (m->name[0]) {
		mem_free(k->name);
		k->name = str_dup(m->name);
	}
	if (m->desktop[0]) {
		mem_free(k->desktop);
		k->desktop = str_dup(m->desktop);
	}
	keeper_tell_state(k);
	answer(v, m->request);
}

static void
act_capture(struct viewer *v, const struct msg_capture *m)
{
	AUTO(buf) struct buf text = { .limit = FRAME_BYTES - 4096 };
	struct msg reply = { .type = MSG_captured, .captured.request = m->request };
	struct err e = { 0 };

	if (!v->keeper->term) {
		refuse(v, m->request, -ENOTTY,
			"the session has no terminal; it was started by exec");
		return;
	}
	if (capture(v->keeper, m, &text, &e) < 0) {
		refuse(v, m->request, e.code, e.msg);
		return;
	}
	reply.captured.text = span_of(&text);
	conn_send(v->conn, &reply);
}

static void
act_commands(struct viewer *v, const struct msg_commands *m)
{
	AUTO(buf) struct buf list = { .limit = FRAME_BYTES - 4096 };
	struct msg reply = { .type = MSG_captured, .captured.request = m->request };

	capture_commands(v->keeper, &list);
	reply.captured.text = span_of(&list);
	conn_send(v->conn, &reply);
}

static void
act_scroll(struct viewer *v, const struct msg_scroll *m)
{
	const struct term *t = v->keeper->term;

	if (!t)
		return;
	frame_view_hold(&v->view, t, m->flags & SCROLL_HOLD);
	if (m->flags & SCROLL_SHOW)
		frame_view_show(&v->view, t, m->line);
	else if (m->lines || !m->flags)
		frame_view_scroll(&v->view, t, m->lines);
}

static void
act_explain(struct viewer *v, const struct msg_explain *m)
{
	AUTO(buf) struct buf list = { 0 };
	struct msg reply = { .type = MSG_captured, .captured.request = m->request };

	keeper_decide(v->keeper);
	status_explain(&v->keeper->facts, &list);
	reply.captured.text = span_of(&list);
	conn_send(v->conn, &reply);
}

static void
act_frame_flow(struct viewer *v, const struct msg *m)
{
	if (m->type == MSG_ack && m->ack.seq == v->seq)
		v->has_unacked = false;
	if (m->type == MSG_scroll)
		act_scroll(v, &m->scroll);
}

void
act_on(struct viewer *v, const struct msg *m)
{
	struct keeper *k = v->keeper;

	if (m->type == MSG_start) {
		run_start(k, v->conn, &m->start);
		return;
	}
	if (!k->is_started)
		return; /* only hello comes before it */
	switch (m->type) {
	case MSG_attach:
		act_attach(v, &m->attach);
		break;
	case MSG_outer:
		act_outer(v, &m->outer);
		break;
	case MSG_detach:
		act_detach(v);
		break;
	case MSG_ack:
	case MSG_scroll:
		act_frame_flow(v, m);
		break;
	case MSG_resize:
		act_resize(v, &m->resize);
		break;
	case MSG_key:
		act_key(v, &m->key);
		break;
	case MSG_keys:
		act_keys(v, &m->keys);
		break;
	case MSG_text:
		act_text(v, &m->text);
		break;
	case MSG_mouse:
		act_mouse(v, &m->mouse);
		break;
	case MSG_paste:
		act_paste(v, &m->paste);
		break;
	case MSG_focus:
		act_focus(v, &m->focus);
		break;
	case MSG_signal:
		act_signal(v, &m->signal);
		break;
	case MSG_stop:
		if (!v->is_read_only)
			run_stop(k, v, m->stop.request, (int64_t)m->stop.grace_ms);
		break;
	case MSG_quit:
		if (!v->is_read_only)
			run_quit(k);
		break;
	case MSG_pause:
		act_pause(v, m->pause.request, true);
		break;
	case MSG_resume:
		act_pause(v, m->resume.request, false);
		break;
	case MSG_usage:
		limits_ask(v, m->usage.request);
		break;
	case MSG_rename:
		act_rename(v, &m->rename);
		break;
	case MSG_capture:
		act_capture(v, &m->capture);
		break;
	case MSG_wait:
		waiter_add(v, &m->wait);
		break;
	case MSG_commands:
		act_commands(v, &m->commands);
		break;
	case MSG_explain:
		act_explain(v, &m->explain);
		break;
	case MSG_record:
		recorder_begin(v, &m->record);
		break;
	case MSG_search:
		find_begin(v, &m->search);
		break;
	case MSG_cancel:
		waiter_cancel(v, m->cancel.request);
		find_cancel(v, m->cancel.request);
		recorder_cancel(v, m->cancel.request);
		break;
	default:
		break; /* of a newer client: nothing we know how to do */
	}
}
