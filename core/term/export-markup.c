/* export-markup.c - HTML and SVG. */
#include "sandesk/base/utf8.h"
#include "term/export-parts.h"
#include "term/sequences.h"

enum { CELL_W = 9, CELL_H = 18, BASELINE = 14, FONT = 15, MARGIN = 9 };

static const char fonts[] = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace";

/* XML 1.0 allows no control characters, not even as references. */
static bool
is_xml(uint32_t cp)
{
	return cp >= 0x20 && !(cp >= 0x7f && cp < 0xa0) && (cp & 0xfffe) != 0xfffe &&
	       !(cp >= 0x202a && cp <= 0x202e) && !(cp >= 0x2066 && cp <= 0x2069);
}

static void
add_escaped(struct buf *to, const char *text, size_t len)
{
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		uint32_t cp;

		n = utf8_decode(text + i, len - i, &cp);
		if (!n || !is_xml(cp)) {
			buf_add_str(to, "\xef\xbf\xbd");
			n = n ? n : 1;
		} else if (cp == '<') {
			buf_add_str(to, "&lt;");
		} else if (cp == '>') {
			buf_add_str(to, "&gt;");
		} else if (cp == '&') {
			buf_add_str(to, "&amp;");
		} else if (cp == '"') {
			buf_add_str(to, "&quot;");
		} else if (cp == '\'') {
			buf_add_str(to, "&#39;");
		} else {
			buf_add(to, text + i, n);
		}
	}
}

static void
add_title(struct export *x)
{
	const char *title = x->t->title[0] ? x->t->title : "sandesk";

	add_escaped(x->to, title, strlen(title));
}

static void
add_decoration(struct export *x, const struct export_run *run, const char *before)
{
	static const char *const shapes[] = { "", "", " double", " wavy", " dotted", " dashed" };
	uint16_t attr = run->first->attr;
	enum underline underline = cell_underline(attr);

	if (!underline && !(attr & (ATTR_STRIKE | ATTR_OVERLINE)))
		return;
	buf_addf(x->to, "%stext-decoration:%s%s%s%s", before, underline ? "underline " : "",
		attr & ATTR_STRIKE ? "line-through " : "", attr & ATTR_OVERLINE ? "overline " : "",
		underline < ARRAY_LEN(shapes) ? shapes[underline] : "");
	if (run->ext.underline_colour)
		buf_addf(x->to, " #%06x", export_rgb(x, run->ext.underline_colour));
	buf_add_char(x->to, ';');
}

static const struct {
	uint16_t attr;
	char name;
	const char *css;
} classes[] = {
	{ ATTR_BOLD, 'b', "font-weight:bold" },
	{ ATTR_DIM, 'd', "opacity:.6" },
	{ ATTR_ITALIC, 'i', "font-style:italic" },
	{ ATTR_HIDDEN, 'h', "visibility:hidden" },
};

static void
add_css(struct buf *to)
{
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		buf_addf(to, ".%c{%s}", classes[i].name, classes[i].css);
}

static void
add_classes(struct buf *to, uint16_t attr)
{
	const char *before = " class=\"";

	for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
		if (!(attr & classes[i].attr))
			continue;
		buf_addf(to, "%s%c", before, classes[i].name);
		before = " ";
	}
	if (before[1] == 0)
		buf_add_char(to, '"');
}

/* ---- html ---- */

void
html_begin(struct export *x)
{
	buf_add_str(x->to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			   "<title>");
	add_title(x);
	buf_addf(x->to,
		"</title>\n<style>body{margin:0;background:#%06x}pre{margin:0;padding:1em;"
		"background:#%06x;color:#%06x;font:15px/1.2 %s}a{color:inherit}",
		colour_now(x->t, 1, true), colour_now(x->t, 1, true), colour_now(x->t, 0, true),
		fonts);
	add_css(x->to);
	buf_add_str(x->to, "</style>\n</head>\n<body>\n<pre>\n");
}

static void
html_run(struct export *x, const struct export_run *run)
{
	const struct cell *c = run->first;
	struct export_look look = export_look(x, c);
	bool is_plain = !look.has_fg && !look.has_bg && !(c->attr & ATTR_STYLE) &&
			!run->ext.underline_colour;

	if (run->link) {
		buf_add_str(x->to, "<a rel=\"noopener noreferrer\" href=\"");
		add_escaped(x->to, run->link, strlen(run->link));
		buf_add_str(x->to, "\">");
	}
	if (!is_plain) {
		buf_add_str(x->to, "<span");
		add_classes(x->to, c->attr);
		buf_add_str(x->to, " style=\"");
		if (look.has_fg)
			buf_addf(x->to, "color:#%06x;", look.fg);
		if (look.has_bg)
			buf_addf(x->to, "background:#%06x;", look.bg);
		add_decoration(x, run, "");
		buf_add_str(x->to, "\">");
	}
	export_text(x, run, add_escaped);
	buf_add_str(x->to, is_plain ? "" : "</span>");
	buf_add_str(x->to, run->link ? "</a>" : "");
}

void
html_row(struct export *x, const struct row_shown *row)
{
	struct export_run run;

	for (unsigned col = 0; export_run(x, row, col, &run); col += run.cells)
		html_run(x, &run);
	buf_add_char(x->to, '\n');
}

void
html_end(struct export *x)
{
	buf_add_str(x->to, "</pre>\n</body>\n</html>\n");
}

/* ---- svg ---- */

void
svg_begin(struct export *x)
{
	unsigned w = x->t->size.cols * CELL_W + 2 * MARGIN, h = x->rows * CELL_H + 2 * MARGIN;

	buf_addf(x->to,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		"viewBox=\"0 0 %u %u\" font-family=\"%s\" font-size=\"%u\">\n<title>",
		w, h, w, h, fonts, FONT);
	add_title(x);
	buf_addf(x->to, "</title>\n<style>text{white-space:pre}");
	add_css(x->to);
	buf_addf(x->to, "</style>\n<rect width=\"%u\" height=\"%u\" rx=\"6\" fill=\"#%06x\"/>\n", w,
		h, colour_now(x->t, 1, true));
}

static bool
is_blank(const struct export_run *run)
{
	for (unsigned i = 0; i < run->cells; i++)
		if (run->first[i].ch && run->first[i].ch != ' ')
			return false;
	return true;
}

static void
svg_run(struct export *x, const struct export_run *run)
{
	struct export_look look = export_look(x, run->first);
	unsigned left = MARGIN + run->col * CELL_W, top = MARGIN + x->row * CELL_H,
		 width = run->cells * CELL_W;
	bool has_line = run->first->attr & (ATTR_UNDERLINE | ATTR_STRIKE | ATTR_OVERLINE);

	if (look.has_bg)
		buf_addf(x->to,
			"<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"#%06x\"/>\n",
			left, top, width, CELL_H, look.bg);
	if (is_blank(run) && !has_line)
		return;
	/* the length is said, so that another font's width does not shift what stands behind */
	buf_addf(x->to, "<text x=\"%u\" y=\"%u\" textLength=\"%u\" lengthAdjust=\"spacingAndGlyphs\"",
		left, top + BASELINE, width);
	add_classes(x->to, run->first->attr);
	buf_addf(x->to, " fill=\"#%06x\" xml:space=\"preserve\"", look.fg);
	add_decoration(x, run, " style=\"");
	buf_add_str(x->to, has_line ? "\">" : ">");
	export_text(x, run, add_escaped);
	buf_add_str(x->to, "</text>\n");
}

void
svg_row(struct export *x, const struct row_shown *row)
{
	struct export_run run;
	const struct term *t = x->t;

	for (unsigned col = 0; export_run(x, row, col, &run); col += run.cells)
		svg_run(x, &run);
	if (t->modes.cursor_visible && row->line == t->history.next + t->row)
		buf_addf(x->to,
			"<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"#%06x\" "
			"fill-opacity=\".5\"/>\n",
			MARGIN + t->col * CELL_W, MARGIN + x->row * CELL_H, CELL_W, CELL_H,
			colour_now(x->t, 2, true));
}

void
svg_end(struct export *x)
{
	buf_add_str(x->to, "</svg>\n");
}
