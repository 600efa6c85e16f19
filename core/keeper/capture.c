#include "keeper/capture.h"

#include <errno.h>
#include <string.h>

#include "keeper/keeper.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/str.h"
#include "term/export.h"
#include "term/marks.h"
#include "term/pick.h"

struct range {
	uint64_t from, stop;
};

static const struct mark *
last_command(const struct term *t)
{
	size_t n = term_commands(t);

	return n ? term_command(t, n - 1) : NULL;
}

static int
no_output(const struct keeper *k, const char *why, struct err *e)
{
	return err_set(e, -ENOENT, "session %s/%s: %s", k->desktop, k->name, why);
}

static int
output_of(struct keeper *k, const struct mark *m, struct range *ret, struct err *e)
{
	if (!m)
		return no_output(k,
			"no command was marked; the shell must print OSC 133 around its commands",
			e);
	if (term_command_lines(k->term, m, &ret->from, &ret->stop) < 0)
		return no_output(k, "the lines of its last command are gone", e);
	return 0;
}

static int
range_of(struct keeper *k, const struct msg_capture *m, struct range *ret, struct err *e)
{
	uint64_t first = term_first_line(k->term), next = term_next_line(k->term),
		 end = next + term_size(k->term).rows;

	*ret = (struct range){ m->history && !term_modes(k->term)->alternate ? first : next, end };
	if (m->flags & CAPTURE_LAST_OUTPUT)
		return output_of(k, last_command(k->term), ret, e);
	if (!(m->flags & CAPTURE_RANGE))
		return 0;
	*ret = (struct range){ m->from, m->to };
	if (m->from >= end)
		return err_set(e, -ERANGE,
			"session %s/%s: has no line %llu; its lines are %llu to %llu", k->desktop,
			k->name, (unsigned long long)m->from, (unsigned long long)first,
			(unsigned long long)end - 1);
	return 0;
}

int
capture(struct keeper *k, const struct msg_capture *m, struct buf *to, struct err *e)
{
	struct range range = { 0 };
	int r = m->flags & CAPTURE_CELLS ? 0 : range_of(k, m, &range, e);

	if (r < 0)
		return r;
	if (m->format >= EXPORT_FORMAT_COUNT)
		return err_set(e, -EINVAL, "the session's keeper knows no such format");
	if (m->flags & CAPTURE_CELLS)
		term_pick(k->term,
			&(struct pick){ m->from, m->to, (unsigned)m->from_cell, (unsigned)m->to_cell,
				m->flags & CAPTURE_BLOCK ? PICK_BLOCK : 0 },
			to);
	else if (m->format == EXPORT_TEXT && m->flags & CAPTURE_LAST_OUTPUT)
		term_command_output(k->term, last_command(k->term), to, TERM_TEXT_JOIN);
	else if (m->format == EXPORT_TEXT && !(m->flags & CAPTURE_RANGE))
		term_text(k->term, to, m->history ? TERM_TEXT_HISTORY : TERM_TEXT_SCREEN);
	else
		term_export(k->term, (enum export_format)m->format, range.from, range.stop, to);
	if (to->is_full)
		return err_set(e, -EFBIG,
			"session %s/%s: that is larger than %d MiB; take it in parts, with --from "
			"and --to",
			k->desktop, k->name, FRAME_BYTES >> 20);
	return 0;
}

static void
add_text(struct buf *to, const char *name, const char *text)
{
	buf_addf(to, ",\"%s\":\"", name);
	str_add_json(to, text ? text : "", text ? strlen(text) : 0);
	buf_add_char(to, '"');
}

static void
add_command(struct keeper *k, const struct mark *m, double now, struct buf *to)
{
	bool is_running = m->state == MARK_RUNNING;
	double started = (double)m->started_us / 1e6,
	       ended = is_running ? now : (double)m->ended_us / 1e6;
	struct range lines = { 0 };
	bool is_lost = term_command_lines(k->term, m, &lines.from, &lines.stop) < 0;

	buf_addf(to, "{\"number\":%llu", (unsigned long long)m->number);
	add_text(to, "command", m->text);
	add_text(to, "cwd", m->cwd);
	if (is_running || m->status < 0)
		buf_add_str(to, ",\"status\":null");
	else
		buf_addf(to, ",\"status\":%d", m->status);
	buf_addf(to, ",\"running\":%s,\"started\":%.6f", is_running ? "true" : "false", started);
	if (is_running)
		buf_add_str(to, ",\"ended\":null");
	else
		buf_addf(to, ",\"ended\":%.6f", ended);
	buf_addf(to, ",\"seconds\":%.6f,\"prompt_line\":%llu", ended > started ? ended - started : 0,
		(unsigned long long)m->prompt.line);
	if (is_lost)
		buf_add_str(to, ",\"output_from\":null,\"output_to\":null");
	else
		buf_addf(to, ",\"output_from\":%llu,\"output_to\":%llu",
			(unsigned long long)lines.from, (unsigned long long)lines.stop);
	buf_addf(to, ",\"lost\":%s}", is_lost ? "true" : "false");
}

void
capture_commands(struct keeper *k, struct buf *to)
{
	size_t n = k->term ? term_commands(k->term) : 0;
	double now = clock_wall();

	buf_add_char(to, '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_add_char(to, ',');
		add_command(k, term_command(k->term, i), now, to);
	}
	buf_add_char(to, ']');
}
