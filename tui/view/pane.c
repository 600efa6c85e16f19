#include "view/pane.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/client.h"
#include "sandesk/conn.h"
#include "sandesk/messages.h"
#include "sandesk/mirror.h"

struct pane {
	const struct pane_env *env;
	char session_id[ID_BYTES];
	struct conn *conn;
	struct mirror *mirror;
	struct size size; /* wanted; 0x0 while not known */
	struct pane_state state;
	bool is_attached, has_seq;
	bool is_changed; /* in more than rows: size, modes, scrolling */
	uint64_t seq;	 /* of the frame that is not acknowledged yet */
	char error[ERR_MSG_BYTES];
};

struct pane *
pane_new(const struct pane_env *env, const char *session_id)
{
	struct pane *p = mem_new(struct pane);

	p->env = env;
	str_copy(p->session_id, sizeof p->session_id, session_id);
	p->mirror = mirror_new();
	return p;
}

static void
hang_up(struct pane *p)
{
	conn_free(p->conn);
	p->conn = NULL;
	p->is_attached = false;
	p->has_seq = false;
}

void
pane_free(struct pane *p)
{
	if (!p)
		return;
	hang_up(p);
	mirror_free(p->mirror);
	mem_free(p);
}

const char *
pane_session(const struct pane *p)
{
	return p->session_id;
}

const struct pane_state *
pane_state(const struct pane *p)
{
	return &p->state;
}

const struct mirror *
pane_mirror(const struct pane *p)
{
	return p->mirror;
}

bool
pane_is_live(const struct pane *p)
{
	return p->conn && conn_is_open(p->conn);
}

static void
take_state(struct pane *p, const struct msg_state *m)
{
	struct pane_state *s = &p->state;

	p->is_changed = true;
	s->is_known = true;
	s->status = m->status < STATUS_COUNT ? (enum status)m->status : STATUS_WORKING;
	s->exit_code = (unsigned)m->exit_code;
	s->exit_signal = (unsigned)m->exit_signal;
	s->clients = (unsigned)m->clients;
	s->size = (struct size){ (uint16_t)m->rows, (uint16_t)m->cols };
	str_copy(s->reason, sizeof s->reason, m->reason ? m->reason : "");
	str_copy(s->title, sizeof s->title, m->title ? m->title : "");
}

static void
take_frame(struct pane *p, const struct msg_frame *m)
{
	struct size size = mirror_size(p->mirror);
	uint32_t modes = mirror_modes(p->mirror);
	uint64_t up = mirror_scroll(p->mirror);
	struct err e = { 0 };

	if (mirror_apply(p->mirror, m->body.data, m->body.len, &e) < 0) {
		/* A keeper that sends what cannot be read is as good as gone; another attach gets a
		 * full picture. */
		snprintf(p->error, sizeof p->error, "unreadable picture: %.300s", e.msg);
		hang_up(p);
		p->env->lost(p, p->env->arg);
		return;
	}
	p->seq = m->seq;
	p->has_seq = true;
	if (!size_equal(size, mirror_size(p->mirror)) || up != mirror_scroll(p->mirror) ||
		(modes ^ mirror_modes(p->mirror)) & MIRROR_REVERSE)
		p->is_changed = true;
}

static void
pane_message(struct conn *c, const struct msg *m, void *arg)
{
	struct pane *p = arg;

	(void)c;
	if (m->type == MSG_state)
		take_state(p, &m->state);
	else if (m->type == MSG_frame)
		take_frame(p, &m->frame);
	else if (m->type == MSG_notice)
		p->env->noticed(p, m->notice.text, (unsigned)m->notice.dropped, p->env->arg);
	else if (m->type == MSG_places)
		p->env->placed(p,
			&(struct pane_places){ m->places.rows.data, m->places.rows.len,
				m->places.first, m->places.next },
			p->env->arg);
	else if (m->type == MSG_captured)
		p->env->answered(p, m->captured.request,
			m->captured.text.len ? m->captured.text.data : "",
			m->captured.text.len, NULL, p->env->arg);
	else if (m->type == MSG_error && m->error.request)
		p->env->answered(p, m->error.request, NULL, 0,
			m->error.text ? m->error.text : "", p->env->arg);
	else if (m->type == MSG_clipboard)
		p->env->copies(p, m->clipboard.bytes.data, m->clipboard.bytes.len, p->env->arg);
	else
		return;
	p->env->changed(p, p->env->arg);
}

static void
pane_closed(struct conn *c, const char *why, void *arg)
{
	struct pane *p = arg;

	(void)c;
	snprintf(p->error, sizeof p->error, "connection to the keeper: %.300s", why);
	hang_up(p);
	p->env->lost(p, p->env->arg);
}

static const struct conn_ops pane_ops = { .message = pane_message, .closed = pane_closed };

void
pane_tell_outer(struct pane *p)
{
	const struct outer_terminal *o = &p->env->outer;
	struct msg m = { .type = MSG_outer,
		.outer = { o->scheme, o->cell_width, o->cell_height } };

	if (pane_is_live(p))
		conn_send(p->conn, &m);
}

static void
attach(struct pane *p)
{
	struct msg m = { .type = MSG_attach,
		.attach = { p->size.rows, p->size.cols,
			p->env->is_read_only ? ATTACH_READ_ONLY : ATTACH_SETS_SIZE } };

	if (!pane_is_live(p) || !p->size.rows)
		return;
	conn_send(p->conn, &m);
	if (!p->is_attached)
		pane_tell_outer(p);
	p->is_attached = true;
}

bool
pane_dial(struct pane *p)
{
	struct err e = { 0 };
	struct msg hello = { .type = MSG_hello,
		.hello = { PROTOCOL_VERSION, "sandesk", (uint64_t)getpid() } };
	int fd;

	if (pane_is_live(p))
		return true;
	fd = client_dial(p->env->paths, p->session_id, &e);
	if (fd < 0) {
		str_copy(p->error, sizeof p->error, e.msg);
		return false;
	}
	p->error[0] = 0;
	p->state.is_known = false;
	p->conn = conn_new(p->env->loop, fd, &pane_ops, p);
	conn_send(p->conn, &hello);
	attach(p);
	return true;
}

void
pane_set_size(struct pane *p, struct size size)
{
	size = size_clamp(size.rows, size.cols);
	if (size_equal(size, p->size) && (p->is_attached || !p->conn))
		return;
	p->size = size;
	attach(p);
}

void
pane_drawn(struct pane *p)
{
	struct msg m = { .type = MSG_ack, .ack.seq = p->seq };

	mirror_clean(p->mirror);
	p->is_changed = false;
	if (!p->has_seq || !pane_is_live(p))
		return;
	p->has_seq = false;
	conn_send(p->conn, &m);
}

/* ---- acting ---- */
static void
send_if_allowed(struct pane *p, const struct msg *m)
{
	if (!p->env->is_read_only && pane_is_live(p) && !status_is_over(p->state.status))
		conn_send(p->conn, m);
}

void
pane_key(struct pane *p, struct key key)
{
	if (mirror_scroll(p->mirror))
		pane_scroll(p, 0);
	send_if_allowed(p, &(struct msg){ .type = MSG_key, .key = { key.code, key.mods } });
}

void
pane_mouse(struct pane *p, struct mouse m)
{
	send_if_allowed(p, &(struct msg){ .type = MSG_mouse,
				   .mouse = { m.kind, m.button, m.mods, m.row, m.col } });
}

void
pane_paste(struct pane *p, const char *bytes, size_t len)
{
	if (mirror_scroll(p->mirror))
		pane_scroll(p, 0);
	send_if_allowed(p, &(struct msg){ .type = MSG_paste, .paste.bytes = { bytes, len } });
}

void
pane_focus(struct pane *p, bool has_focus)
{
	send_if_allowed(p, &(struct msg){ .type = MSG_focus, .focus.has_focus = has_focus });
}

void
pane_scroll(struct pane *p, int lines)
{
	if (pane_is_live(p))
		conn_send(p->conn, &(struct msg){ .type = MSG_scroll, .scroll.lines = lines });
}

void
pane_hold(struct pane *p, int lines)
{
	if (pane_is_live(p))
		conn_send(p->conn,
			&(struct msg){ .type = MSG_scroll, .scroll = { lines, SCROLL_HOLD, 0 } });
}

void
pane_show(struct pane *p, uint64_t line)
{
	if (pane_is_live(p))
		conn_send(p->conn,
			&(struct msg){ .type = MSG_scroll,
				.scroll = { 0, SCROLL_HOLD | SCROLL_SHOW, line } });
}

bool
pane_ask(struct pane *p, const struct msg *m)
{
	if (pane_is_live(p))
		conn_send(p->conn, m);
	return pane_is_live(p);
}

/* ---- drawing ---- */
static void
draw_cursor(const struct pane *p, struct surface *s, struct area a)
{
	struct mirror_cursor c = mirror_cursor(p->mirror);

	if (c.row >= a.rows || c.col >= a.cols)
		return;
	s->cursor = (struct surface_cursor){ .is_visible = c.is_visible,
		.row = (uint16_t)(a.row + c.row),
		.col = (uint16_t)(a.col + c.col),
		.is_shaped = c.shape != MIRROR_SHAPE_BLOCK,
		.is_blinking = c.is_blinking,
		.shape = c.shape };
	s->wants_motion = (mirror_modes(p->mirror) & MIRROR_MOUSE_MOTION) != 0;
}

/* What does not fit is marked, so that nobody takes a part for the whole. */
static void
mark_crop(const struct pane *p, struct surface *s, struct area a, const struct theme *t)
{
	struct size have = mirror_size(p->mirror);
	char text[48];

	if (have.rows <= a.rows && have.cols <= a.cols)
		return;
	snprintf(text, sizeof text, "[%ux%u of %ux%u]", (unsigned)a.cols, (unsigned)a.rows,
		have.cols, have.rows);
	surface_text(s, a, a.row, a.col + a.cols - (int)strlen(text), t->role[ROLE_BAR], text);
}

void
pane_draw(const struct pane *p, struct surface *s, struct area a, const struct theme *t,
	const char *note, bool has_focus)
{
	struct style text = t->role[ROLE_TEXT];

	if (mirror_size(p->mirror).rows)
		surface_mirror(s, a, p->mirror, (struct style){ 0 });
	else
		surface_fill(s, a, text);
	if (!mirror_size(p->mirror).rows && p->error[0])
		surface_text(s, a, a.row, a.col, t->role[ROLE_DIM], p->error);
	mark_crop(p, s, a, t);
	if (has_focus)
		draw_cursor(p, s, a);
	if (!note)
		return;
	surface_fill(s, (struct area){ a.row + a.rows - 1, a.col, 1, a.cols }, t->role[ROLE_BAR]);
	surface_text(s, a, a.row + a.rows - 1, a.col + 1, t->role[ROLE_BAR_STRONG], note);
}

bool
pane_is_changed(const struct pane *p)
{
	return p->is_changed;
}

void
pane_draw_changes(const struct pane *p, struct surface *s, struct area a, bool has_focus)
{
	surface_mirror_changes(s, a, p->mirror);
	if (has_focus)
		draw_cursor(p, s, a);
}
