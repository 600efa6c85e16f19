#include "cli/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/base/utf8.h"

enum { CELL_COLS = 100, GAP_COLS = 2 };

static void
add_span(struct buf *to, double seconds)
{
	static const struct {
		double seconds;
		const char *name;
	} units[] = { { 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 0, "s" } };
	size_t i = 0;

	if (!(seconds > 0))
		seconds = 0; /* a clock that was set back, or no number at all */
	while (seconds < units[i].seconds)
		i++;
	buf_addf(to, "%.0f %s", floor(units[i].seconds > 0 ? seconds / units[i].seconds : seconds),
		units[i].name);
}

void
table_age(struct buf *to, double then, double now)
{
	add_span(to, now - then);
	buf_add_str(to, " ago");
}

static void
add_word(struct buf *to, const char *word)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./:,@%^";

	if (word[0] && !word[strspn(word, plain)]) {
		buf_add_str(to, word);
		return;
	}
	buf_add_char(to, '\'');
	for (;;) {
		size_t len = strcspn(word, "'");

		str_escape(to, word, len);
		word += len;
		if (!*word)
			break;
		buf_add_str(to, "'\\''");
		word++;
	}
	buf_add_char(to, '\'');
}

static void
add_words(struct buf *to, const json_t *list)
{
	size_t i;
	json_t *word;

	json_array_foreach ((json_t *)list, i, word) {
		if (i)
			buf_add_char(to, ' ');
		add_word(to, json_is_string(word) ? json_string_value(word) : "?");
	}
}

static void
add_escaped(struct buf *to, const json_t *text)
{
	if (json_is_string(text))
		str_escape(to, json_string_value(text), json_string_length(text));
}

static void
add_pair(struct buf *to, const json_t *object, const struct column *c)
{
	if (c->kind == COLUMN_SIZE) {
		buf_addf(to, "%lldx%lld",
			(long long)json_integer_value(json_object_get(object, "rows")),
			(long long)json_integer_value(json_object_get(object, "cols")));
		return;
	}
	add_escaped(to, json_object_get(object, "desktop"));
	buf_add_char(to, '/');
	add_escaped(to, json_object_get(object, "name"));
}

static void
add_bytes(struct buf *to, double n)
{
	static const char units[] = "BKMGT";
	size_t u = 0;

	for (; n >= 1024 && units[u + 1]; u++)
		n /= 1024;
	buf_addf(to, n < 10 && u ? "%.1f%c" : "%.0f%c", n, units[u]);
}

static const json_t *
member(const json_t *object, const char *key)
{
	const char *dot = strchr(key, '.');

	if (!dot)
		return json_object_get(object, key);
	return json_object_get(json_object_getn(object, key, (size_t)(dot - key)), dot + 1);
}

/* The value of one column; adds nothing when it is missing. */
static void
add_value(struct buf *to, const struct column *c, const json_t *object, double now)
{
	const json_t *v = member(object, c->key);

	if (!v || json_is_null(v))
		return;
	if (c->kind == COLUMN_TARGET || c->kind == COLUMN_SIZE)
		add_pair(to, object, c);
	else if (c->kind == COLUMN_AGE && json_is_number(v))
		table_age(to, json_number_value(v), now);
	else if (c->kind == COLUMN_SPAN && json_is_number(v))
		add_span(to, json_number_value(v));
	else if (c->kind == COLUMN_BYTES && json_is_number(v))
		add_bytes(to, json_number_value(v));
	else if (json_is_array(v) && c->kind == COLUMN_WORDS)
		add_words(to, v);
	else if (json_is_string(v))
		add_escaped(to, v);
	else if (json_is_integer(v))
		buf_addf(to, "%lld", (long long)json_integer_value(v));
	else if (json_is_real(v))
		buf_addf(to, "%.3f", json_real_value(v));
	else if (json_is_boolean(v))
		buf_add_str(to, json_is_true(v) ? "yes" : "no");
}

/* Cuts a long cell between two characters. */
static void
cut_cell(struct buf *cell)
{
	size_t at = 0, cols = 0;

	if (utf8_text_width(cell->data, cell->len) <= CELL_COLS)
		return;
	while (at < cell->len) {
		uint32_t cp;
		size_t n = utf8_decode(cell->data + at, cell->len - at, &cp);

		if (cols + utf8_width(cp) > CELL_COLS - 3)
			break;
		cols += utf8_width(cp);
		at += n ? n : 1;
	}
	cell->len = at;
	buf_add_str(cell, "...");
}

static void
add_cell(struct buf *to, const char *text, size_t width, bool is_number, bool is_last)
{
	size_t own = utf8_text_width(text, strlen(text)), blanks = width > own ? width - own : 0;

	for (size_t i = 0; is_number && i < blanks; i++)
		buf_add_char(to, ' ');
	buf_add_str(to, text);
	for (size_t i = 0; !is_last && i < (is_number ? 0 : blanks) + GAP_COLS; i++)
		buf_add_char(to, ' ');
}

static size_t
width_of(const char *text)
{
	return utf8_text_width(text, strlen(text));
}

void
table_add(struct buf *to, const struct column *columns, size_t n, const json_t *list, double now)
{
	size_t rows = json_array_size(list);
	struct buf *cells = mem_zero((rows + 1) * n, sizeof *cells);

	for (size_t r = 0; r <= rows; r++)
		for (size_t c = 0; c < n; c++) {
			struct buf *cell = &cells[r * n + c];

			if (!r)
				buf_add_str(cell, columns[c].title);
			else
				add_value(cell, &columns[c], json_array_get(list, r - 1), now);
			if (!cell->len)
				buf_add_char(cell, '-');
			cut_cell(cell);
		}
	for (size_t r = 0; rows && r <= rows; r++) {
		for (size_t c = 0; c < n; c++) {
			size_t width = 0;

			for (size_t k = 0; c + 1 < n && k <= rows; k++)
				width = width_of(cells[k * n + c].data) > width
						? width_of(cells[k * n + c].data)
						: width;
			add_cell(to, cells[r * n + c].data, width, columns[c].kind == COLUMN_NUMBER,
				c + 1 == n);
		}
		buf_add_char(to, '\n');
	}
	for (size_t i = 0; i < (rows + 1) * n; i++)
		buf_fini(&cells[i]);
	mem_free(cells);
}

/* A point in time on the local clock, beside how long ago it was. */
static void
add_date(struct buf *to, double then)
{
	time_t seconds = (time_t)then;
	struct tm tm;
	char text[32];

	if (!localtime_r(&seconds, &tm) || !strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm))
		return;
	buf_addf(to, " (%s)", text);
}

void
table_add_record(
	struct buf *to, const struct column *columns, size_t n, const json_t *object, double now)
{
	size_t width = 0;

	for (size_t i = 0; i < n; i++)
		width = strlen(columns[i].title) > width ? strlen(columns[i].title) : width;
	for (size_t i = 0; i < n; i++) {
		AUTO(buf) struct buf value = { 0 };
		const json_t *v = json_object_get(object, columns[i].key);

		add_value(&value, &columns[i], object, now);
		if (!value.len)
			continue;
		if (columns[i].kind == COLUMN_AGE && json_is_number(v))
			add_date(&value, json_number_value(v));
		add_cell(to, columns[i].title, width, false, false);
		buf_addf(to, "%s\n", value.data);
	}
}
