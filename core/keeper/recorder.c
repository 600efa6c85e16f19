#include "keeper/recorder.h"

#include <errno.h>

#include "keeper/keeper.h"
#include "sandesk/base/clock.h"
#include "sandesk/conn.h"
#include "term/export.h"

/* What draws the screen of now: the bytes of our own exporter, never those of the program. */
static void
add_screen(struct keeper *k, struct buf *to)
{
	AUTO(buf) struct buf rows = { .limit = RECORDER_QUEUE };
	uint64_t next = term_next_line(k->term);
	unsigned row, col;

	term_export(k->term, EXPORT_ANSI, next, next + term_size(k->term).rows, &rows);
	buf_add_str(to, term_modes(k->term)->alternate ? "\033c\033[?1049h" : "\033c");
	for (size_t i = 0; i < rows.len; i++) {
		if (rows.data[i] == '\n' && i + 1 < rows.len)
			buf_add_str(to, "\r\n");
		else if (rows.data[i] != '\n')
			buf_add_char(to, rows.data[i]);
	}
	term_cursor(k->term, &row, &col);
	buf_addf(to, "\033[%u;%uH", row + 1, col + 1);
	if (!term_modes(k->term)->cursor_visible)
		buf_add_str(to, "\033[?25l");
}

/* The screen as it is now, before what comes next. */
static void
send_screen(struct viewer *v, uint64_t now_us)
{
	AUTO(buf) struct buf bytes = { .limit = FRAME_BYTES - 4096 };
	struct size size = term_size(v->keeper->term);

	add_screen(v->keeper, &bytes);
	conn_send(v->conn,
		&(struct msg){ .type = MSG_output,
			.output = { .request = v->record_request,
				.time_us = now_us,
				.bytes = span_of(&bytes),
				.rows = size.rows,
				.cols = size.cols,
				.lost = v->record_lost } });
	v->record_lost = 0;
}

void
recorder_begin(struct viewer *v, const struct msg_record *m)
{
	struct keeper *k = v->keeper;
	struct msg no = { .type = MSG_error,
		.error = { .request = m->request,
			.code = ENOTTY,
			.text = "the session has no terminal; it was started by exec" } };

	if (!k->term) {
		conn_send(v->conn, &no);
		return;
	}
	v->is_recording = true;
	v->record_request = m->request;
	v->record_lost = 0;
	send_screen(v, (uint64_t)(clock_wall() * 1e6));
}

void
recorder_cancel(struct viewer *v, uint64_t request)
{
	if (v->record_request == request)
		v->is_recording = false;
}

void
recorder_output(struct keeper *k, const void *bytes, size_t len, uint64_t now_us)
{
	struct msg m = { .type = MSG_output, .output = { .time_us = now_us } };

	for (struct viewer *v = k->viewers; v; v = v->next) {
		if (!v->is_recording)
			continue;
		if (conn_queued(v->conn) > (v->record_lost ? RECORDER_QUEUE / 8 : RECORDER_QUEUE)) {
			v->record_lost += len;
			continue;
		}
		if (v->record_lost)
			send_screen(v, now_us);
		m.output.request = v->record_request;
		m.output.bytes = (struct span){ bytes, len };
		conn_send(v->conn, &m);
	}
}

void
recorder_resized(struct keeper *k)
{
	struct size size = term_size(k->term);
	struct msg m = { .type = MSG_output,
		.output = { .time_us = (uint64_t)(clock_wall() * 1e6),
			.rows = size.rows,
			.cols = size.cols } };

	for (struct viewer *v = k->viewers; v; v = v->next) {
		m.output.request = v->record_request;
		if (v->is_recording && !v->record_lost)
			conn_send(v->conn, &m);
	}
}
