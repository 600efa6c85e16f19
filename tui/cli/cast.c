#include "cli/cast.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sandesk/base/err.h"
#include "sandesk/base/str.h"
#include "sandesk/base/utf8.h"

enum { READ_BYTES = 64 << 10 };

/* ---- writing ---- */

static void
begin_event(struct cast_writer *w, uint64_t now_us, char kind, struct buf *to)
{
	uint64_t us = now_us > w->start_us ? now_us - w->start_us : 0;

	buf_addf(to, "[%llu.%06llu, \"%c\", \"", (unsigned long long)(us / 1000000),
		(unsigned long long)(us % 1000000), kind);
}

void
cast_header(
	struct cast_writer *w, struct size size, uint64_t now_us, const char *title, struct buf *to)
{
	w->start_us = now_us;
	w->has_header = true;
	buf_addf(to, "{\"version\": 2, \"width\": %u, \"height\": %u, \"timestamp\": %llu", size.cols,
		size.rows, (unsigned long long)(now_us / 1000000));
	if (title && title[0]) {
		buf_add_str(to, ", \"title\": \"");
		str_add_json(to, title, strlen(title));
		buf_add_char(to, '"');
	}
	buf_add_str(to, ", \"env\": {\"TERM\": \"xterm-256color\"}}\n");
}

/* How many bytes at the end begin a character without ending it. */
static size_t
open_tail(const unsigned char *bytes, size_t len)
{
	for (size_t n = 1; n <= 3 && n <= len; n++) {
		unsigned char c = bytes[len - n];
		size_t need = c >= 0xf5 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;

		if ((c & 0xc0) != 0x80)
			return need > n ? n : 0;
	}
	return 0;
}

void
cast_output(
	struct cast_writer *w, uint64_t now_us, const void *bytes, size_t len, struct buf *to)
{
	AUTO(buf) struct buf all = { 0 };
	size_t tail;

	buf_add(&all, w->tail, w->tail_len);
	buf_add(&all, bytes, len);
	tail = open_tail((const unsigned char *)all.data, all.len);
	w->tail_len = tail;
	memcpy(w->tail, all.data + all.len - tail, tail);
	if (all.len == tail)
		return;
	begin_event(w, now_us, 'o', to);
	str_add_json(to, all.data, all.len - tail);
	buf_add_str(to, "\"]\n");
}

void
cast_resize(struct cast_writer *w, uint64_t now_us, struct size size, struct buf *to)
{
	begin_event(w, now_us, 'r', to);
	buf_addf(to, "%ux%u\"]\n", size.cols, size.rows);
}

void
cast_marker(struct cast_writer *w, uint64_t now_us, const char *text, struct buf *to)
{
	begin_event(w, now_us, 'm', to);
	str_add_json(to, text, strlen(text));
	buf_add_str(to, "\"]\n");
}

/* ---- reading ---- */

void
cast_reader_fini(struct cast_reader *r)
{
	buf_fini(&r->in);
}

static int
bad_line(const struct cast_reader *r, const char *why, struct err *e)
{
	return err_set(e, -EINVAL, "line %u: %s; give an asciicast file, version 2", r->line, why);
}

/* One line without its end; NULL at the end of the file or when *ret_error is set. */
static const char *
next_line(struct cast_reader *r, size_t *ret_len, int *ret_error, struct err *e)
{
	size_t seen = 0;
	ssize_t n;

	*ret_error = 0;
	buf_cut(&r->in, r->at);
	r->at = 0;
	r->in.limit = CAST_LINE_BYTES;
	for (;;) {
		const char *end = r->in.len > seen
					  ? memchr(r->in.data + seen, '\n', r->in.len - seen)
					  : NULL;

		if (end) {
			*ret_len = (size_t)(end - r->in.data);
			r->at = *ret_len + 1;
			r->line++;
			return r->in.data;
		}
		seen = r->in.len;
		if (buf_reserve(&r->in, READ_BYTES) < 0) {
			r->line++;
			*ret_error = bad_line(r, "is too long", e);
			return NULL;
		}
		n = read(r->fd, r->in.data + r->in.len, READ_BYTES);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			*ret_error = err_errno(e, -errno, "read it");
		if (n <= 0)
			break;
		r->in.len += (size_t)n;
	}
	/* a last line without its end was cut off while it was recorded */
	return NULL;
}

static bool
is_size(json_int_t rows, json_int_t cols)
{
	return rows >= SIZE_MIN_ROWS && rows <= SIZE_MAX_ROWS && cols >= SIZE_MIN_COLS &&
	       cols <= SIZE_MAX_COLS;
}

int
cast_read_header(struct cast_reader *r, struct size *ret, struct err *e)
{
	size_t len;
	int error;
	const char *line = next_line(r, &len, &error, e);
	json_t *o = line ? json_loadb(line, len, 0, NULL) : NULL;
	json_int_t rows = json_integer_value(json_object_get(o, "height")),
		   cols = json_integer_value(json_object_get(o, "width")),
		   version = json_integer_value(json_object_get(o, "version"));

	json_decref(o);
	if (error)
		return error;
	if (!o || version != 2)
		return bad_line(r, "is no header of version 2", e);
	if (!is_size(rows, cols))
		return bad_line(r, "has no size that can be shown", e);
	*ret = size_clamp((unsigned)rows, (unsigned)cols);
	return 0;
}

static bool
take_event(const json_t *o, struct cast_event *ret)
{
	const json_t *time = json_array_get(o, 0), *data = json_array_get(o, 2);
	const char *kind = json_string_value(json_array_get(o, 1));
	unsigned rows, cols;

	if (!json_is_number(time) || !kind || !json_is_string(data))
		return false;
	ret->seconds = json_number_value(time);
	ret->kind = str_equal(kind, "o") ? CAST_OUTPUT : str_equal(kind, "r") ? CAST_RESIZE : CAST_OTHER;
	buf_reset(&ret->text);
	if (ret->kind == CAST_OUTPUT)
		buf_add(&ret->text, json_string_value(data), json_string_length(data));
	if (ret->kind != CAST_RESIZE)
		return true;
	if (sscanf(json_string_value(data), "%5ux%5u", &cols, &rows) != 2 || !is_size(rows, cols))
		return false;
	ret->size = size_clamp(rows, cols);
	return true;
}

int
cast_read(struct cast_reader *r, struct cast_event *ret, struct err *e)
{
	size_t len;
	int error;
	const char *line = next_line(r, &len, &error, e);
	json_t *o;
	bool is_event;

	if (!line)
		return error;
	o = json_loadb(line, len, JSON_ALLOW_NUL, NULL);
	is_event = o && take_event(o, ret);
	json_decref(o);
	return is_event ? 1 : bad_line(r, "is no event", e);
}
