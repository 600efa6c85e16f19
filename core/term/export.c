#include "term/export.h"

#include <errno.h>

#include "sandesk/base/str.h"
#include "term/export-parts.h"
#include "term/sequences.h"

static const struct {
	uint16_t attr;
	uint8_t sgr;
	const char *name;
} attrs[] = {
	{ ATTR_BOLD, 1, "bold" },
	{ ATTR_DIM, 2, "dim" },
	{ ATTR_ITALIC, 3, "italic" },
	{ ATTR_BLINK, 5, "blink" },
	{ ATTR_REVERSE, 7, "reverse" },
	{ ATTR_HIDDEN, 8, "hidden" },
	{ ATTR_STRIKE, 9, "strike" },
	{ ATTR_OVERLINE, 53, "overline" },
};

/* ---- what the formats share ---- */

static bool
same_look(const struct cell *a, const struct cell *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->ext == b->ext &&
	       !((a->attr ^ b->attr) & ATTR_STYLE);
}

static const char *
safe_link(const char *uri)
{
	static const char *const schemes[] = { "http://", "https://", "mailto:" };

	for (size_t i = 0; uri && i < ARRAY_LEN(schemes); i++)
		if (str_has_prefix(uri, schemes[i]))
			return uri;
	return NULL;
}

unsigned
export_used(const struct row_shown *row)
{
	unsigned used = row->used;

	for (; used; used--) {
		const struct cell *c = &row->cells[used - 1];

		if ((c->ch && c->ch != ' ') || c->bg || c->attr & (ATTR_STYLE | ATTR_SPACER))
			break;
	}
	return used;
}

bool
export_run(struct export *x, const struct row_shown *row, unsigned col, struct export_run *ret)
{
	unsigned used = export_used(row), end = col + 1;

	if (col >= used)
		return false;
	while (end < used && same_look(&row->cells[col], &row->cells[end]))
		end++;
	*ret = (struct export_run){ .first = &row->cells[col],
		.col = col,
		.cells = end - col,
		.ext = cluster_ext_of(&x->t->table, row->cells[col].ext) };
	if (ret->ext.link)
		ret->link = safe_link(cluster_link_uri(&x->t->table, ret->ext.link));
	return true;
}

void
export_text(struct export *x, const struct export_run *run, export_text_fn *add)
{
	char part[1024];
	size_t len = 0;

	for (unsigned i = 0; i < run->cells; i++) {
		const struct cell *c = &run->first[i];

		if (len + TERM_CLUSTER_BYTES > sizeof part) {
			add(x->to, part, len);
			len = 0;
		}
		if (c->ch)
			len += cluster_text(&x->t->table, c->ch, part + len, TERM_CLUSTER_BYTES);
		else if (!(c->attr & ATTR_SPACER))
			part[len++] = ' ';
	}
	add(x->to, part, len);
}

uint32_t
export_rgb(struct export *x, uint32_t c)
{
	return colour_kind(c) == COLOUR_RGB ? colour_value(c)
					    : colour_now(x->t, colour_value(c) & 255, false);
}

struct export_look
export_look(struct export *x, const struct cell *c)
{
	struct export_look look = { .fg = colour_now(x->t, 0, true),
		.bg = colour_now(x->t, 1, true),
		.has_fg = c->fg,
		.has_bg = c->bg };
	uint32_t fg;

	if (c->fg)
		look.fg = export_rgb(x, c->fg);
	if (c->bg)
		look.bg = export_rgb(x, c->bg);
	if (!(c->attr & ATTR_REVERSE) == !x->t->modes.reverse_screen)
		return look;
	fg = look.fg;
	look.fg = look.bg;
	look.bg = fg;
	look.has_fg = look.has_bg = true;
	return look;
}

/* ---- ansi ---- */

static void
ansi_colour(struct buf *to, uint32_t c, unsigned base)
{
	unsigned v = colour_value(c);

	if (colour_kind(c) == COLOUR_RGB)
		buf_addf(to, ";%u;2;%u;%u;%u", base + 8, v >> 16, v >> 8 & 255, v & 255);
	else if (colour_kind(c) == COLOUR_INDEX || base == 50)
		buf_addf(to, ";%u;5;%u", base + 8, v & 255);
	else
		buf_addf(to, ";%u", v < 8 ? base + v : base + 60 + (v & 7));
}

static void
ansi_style(struct buf *to, const struct export_run *run)
{
	const struct cell *c = run->first;
	enum underline underline = cell_underline(c->attr);

	buf_add_str(to, "\033[0");
	for (size_t i = 0; i < ARRAY_LEN(attrs); i++)
		if (c->attr & attrs[i].attr)
			buf_addf(to, ";%u", attrs[i].sgr);
	if (underline == UNDERLINE_SINGLE)
		buf_add_str(to, ";4");
	else if (underline)
		buf_addf(to, ";4:%u", underline);
	if (c->fg)
		ansi_colour(to, c->fg, 30);
	if (c->bg)
		ansi_colour(to, c->bg, 40);
	if (run->ext.underline_colour)
		ansi_colour(to, run->ext.underline_colour, 50);
	buf_add_char(to, 'm');
}

static void
add_plain(struct buf *to, const char *text, size_t len)
{
	buf_add(to, text, len);
}

void
export_ansi(struct export *x, const struct row_shown *row)
{
	struct export_run run;
	bool is_styled = false;

	for (unsigned col = 0; export_run(x, row, col, &run); col += run.cells) {
		const struct cell *c = run.first;
		bool is_plain =
			!c->fg && !c->bg && !(c->attr & ATTR_STYLE) && !run.ext.underline_colour;

		if (!is_plain)
			ansi_style(x->to, &run);
		else if (is_styled)
			buf_add_str(x->to, "\033[m");
		is_styled = !is_plain;
		export_text(x, &run, add_plain);
	}
	if (is_styled)
		buf_add_str(x->to, "\033[m");
}

static void
ansi_row(struct export *x, const struct row_shown *row)
{
	if (!export_used(row)) {
		x->blank_rows++;
		return;
	}
	for (; x->blank_rows; x->blank_rows--)
		buf_add_char(x->to, '\n');
	export_ansi(x, row);
	buf_add_char(x->to, '\n');
}

/* ---- json ---- */

static void
json_begin(struct export *x)
{
	struct term *t = x->t;

	buf_addf(x->to, "{\"rows\":%u,\"cols\":%u,\"title\":\"", t->size.rows, t->size.cols);
	str_add_json(x->to, t->title, strlen(t->title));
	buf_addf(x->to,
		"\",\"bytes\":%llu,\"alternate\":%s,\"reverse\":%s,\"first_line\":%llu,"
		"\"next_line\":%llu,"
		"\"cursor\":{\"line\":%llu,\"row\":%u,\"col\":%u,\"visible\":%s},\"lines\":[",
		(unsigned long long)t->fed, t->modes.alternate ? "true" : "false",
		t->modes.reverse_screen ? "true" : "false", (unsigned long long)t->history.first,
		(unsigned long long)t->history.next, (unsigned long long)(t->history.next + t->row),
		t->row, t->col, t->modes.cursor_visible ? "true" : "false");
}

static void
json_colour(struct buf *to, const char *name, uint32_t c)
{
	if (!c)
		return;
	if (colour_kind(c) == COLOUR_RGB)
		buf_addf(to, ",\"%s\":\"#%06x\"", name, colour_value(c));
	else
		buf_addf(to, ",\"%s\":%u", name, colour_value(c) & 255);
}

static void
json_attrs(struct buf *to, uint16_t attr)
{
	static const char *const lines[] = { NULL, "underline", "double_underline",
		"curly_underline", "dotted_underline", "dashed_underline" };
	enum underline underline = cell_underline(attr);
	const char *before = ",\"attributes\":[";

	for (size_t i = 0; i < ARRAY_LEN(attrs); i++) {
		if (!(attr & attrs[i].attr))
			continue;
		buf_addf(to, "%s\"%s\"", before, attrs[i].name);
		before = ",";
	}
	if (underline && underline < ARRAY_LEN(lines)) {
		buf_addf(to, "%s\"%s\"", before, lines[underline]);
		before = ",";
	}
	if (before[1] == 0)
		buf_add_char(to, ']');
}

static void
json_row(struct export *x, const struct row_shown *row)
{
	struct export_run run;

	buf_addf(x->to, "%s\n{\"line\":%llu,\"wrapped\":%s,\"runs\":[", x->is_tail ? "," : "",
		(unsigned long long)row->line, row->is_wrapped ? "true" : "false");
	x->is_tail = true;
	for (unsigned col = 0; export_run(x, row, col, &run); col += run.cells) {
		buf_addf(x->to, "%s{\"col\":%u,\"cells\":%u,\"text\":\"", col ? "," : "", col,
			run.cells);
		export_text(x, &run, str_add_json);
		buf_add_char(x->to, '"');
		json_colour(x->to, "fg", run.first->fg);
		json_colour(x->to, "bg", run.first->bg);
		json_attrs(x->to, run.first->attr);
		json_colour(x->to, "underline_colour", run.ext.underline_colour);
		if (run.link) {
			buf_add_str(x->to, ",\"link\":\"");
			str_add_json(x->to, run.link, strlen(run.link));
			buf_add_char(x->to, '"');
		}
		buf_add_char(x->to, '}');
	}
	buf_add_str(x->to, "]}");
}

static void
json_end(struct export *x)
{
	buf_add_str(x->to, "\n]}\n");
}

/* ---- all of them ---- */

static const struct {
	export_fn *begin;
	export_row_fn *row;
	export_fn *end;
} formats[EXPORT_FORMAT_COUNT] = {
	[EXPORT_ANSI] = { .row = ansi_row },
	[EXPORT_HTML] = { html_begin, html_row, html_end },
	[EXPORT_SVG] = { svg_begin, svg_row, svg_end },
	[EXPORT_JSON] = { json_begin, json_row, json_end },
};

static unsigned
count_rows(struct term *t, uint64_t from, uint64_t stop)
{
	struct row_walk walk;
	struct row_shown row;
	unsigned n = 0;

	row_walk_init(&walk, t, from, stop);
	while (row_walk_next(&walk, &row))
		n++;
	row_walk_fini(&walk);
	return n;
}

static void
export_rows(struct export *x, export_row_fn *fn)
{
	struct row_walk walk;
	struct row_shown row;

	row_walk_init(&walk, x->t, x->from, x->stop);
	for (; row_walk_next(&walk, &row) && !x->to->is_full; x->row++)
		fn(x, &row);
	row_walk_fini(&walk);
}

int
term_export(struct term *t, enum export_format format, uint64_t from, uint64_t stop, struct buf *to)
{
	struct export x = { .t = t, .to = to, .from = from, .stop = stop };

	if (format >= EXPORT_FORMAT_COUNT)
		return -EINVAL;
	if (format == EXPORT_TEXT) {
		text_range(t, from, stop, 0, to, TERM_TEXT_SCREEN);
		return to->is_full ? -ENOBUFS : 0;
	}
	if (format == EXPORT_SVG)
		x.rows = count_rows(t, from, stop);
	if (formats[format].begin)
		formats[format].begin(&x);
	export_rows(&x, formats[format].row);
	if (formats[format].end)
		formats[format].end(&x);
	return to->is_full ? -ENOBUFS : 0;
}
