#include "sandesk/dump.h"

#include <errno.h>

#include "term/screen.h"

static const char *const colour_names[] = { "Black", "Red", "Green", "Yellow", "Blue", "Magenta",
	"Cyan", "White", "BrightBlack", "BrightRed", "BrightGreen", "BrightYellow", "BrightBlue",
	"BrightMagenta", "BrightCyan", "BrightWhite" };

static const struct {
	uint16_t mask, value;
	const char *name;
} flag_names[] = {
	{ ATTR_REVERSE, ATTR_REVERSE, "INVERSE" },
	{ ATTR_BOLD, ATTR_BOLD, "BOLD" },
	{ ATTR_ITALIC, ATTR_ITALIC, "ITALIC" },
	{ ATTR_UNDERLINE, UNDERLINE_SINGLE << ATTR_UNDERLINE_SHIFT, "UNDERLINE" },
	{ ATTR_DIM, ATTR_DIM, "DIM" },
	{ ATTR_HIDDEN, ATTR_HIDDEN, "HIDDEN" },
	{ ATTR_STRIKE, ATTR_STRIKE, "STRIKEOUT" },
	{ ATTR_UNDERLINE, UNDERLINE_DOUBLE << ATTR_UNDERLINE_SHIFT, "DOUBLE_UNDERLINE" },
	{ ATTR_UNDERLINE, UNDERLINE_CURLY << ATTR_UNDERLINE_SHIFT, "UNDERCURL" },
	{ ATTR_UNDERLINE, UNDERLINE_DOTTED << ATTR_UNDERLINE_SHIFT, "DOTTED_UNDERLINE" },
	{ ATTR_UNDERLINE, UNDERLINE_DASHED << ATTR_UNDERLINE_SHIFT, "DASHED_UNDERLINE" },
};

enum { SHOWN_ATTRS = ATTR_STYLE & ~(ATTR_BLINK | ATTR_OVERLINE) };

static void
dump_colour(struct buf *to, uint32_t c, const char *otherwise)
{
	uint32_t v = colour_value(c);

	switch (colour_kind(c)) {
	case COLOUR_DEFAULT:
		buf_add_str(to, otherwise);
		break;
	case COLOUR_NAMED:
		buf_add_str(to, colour_names[v & 15]);
		break;
	case COLOUR_INDEX:
		buf_addf(to, "%u", v);
		break;
	case COLOUR_RGB:
		buf_addf(to, "#%06x", v);
		break;
	}
}

static bool
dump_same(const struct cell *a, const struct cell *b)
{
	return a->fg == b->fg && a->bg == b->bg &&
	       (a->attr & SHOWN_ATTRS) == (b->attr & SHOWN_ATTRS);
}

static void
dump_run(struct buf *to, unsigned row, unsigned first, unsigned last, const struct cell *c)
{
	const char *between = "";

	buf_addf(to, "attr %u %u-%u fg=", row, first, last);
	dump_colour(to, c->fg, "Foreground");
	buf_add_str(to, " bg=");
	dump_colour(to, c->bg, "Background");
	buf_add_str(to, " flags=");
	for (size_t i = 0; i < ARRAY_LEN(flag_names); i++) {
		if ((c->attr & flag_names[i].mask) != flag_names[i].value)
			continue;
		buf_addf(to, "%s%s", between, flag_names[i].name);
		between = "|";
	}
	buf_add_str(to, *between ? "\n" : "-\n");
}

static void
dump_attrs(struct term *t, unsigned row, struct buf *to)
{
	static const struct cell plain;
	const struct row *r = screen_row(t, row);

	for (unsigned i = 0, end; i < r->used; i = end) {
		for (end = i + 1; end < r->used && dump_same(&r->cells[i], &r->cells[end]); end++)
			;
		if (!dump_same(&r->cells[i], &plain))
			dump_run(to, row, i, end - 1, &r->cells[i]);
	}
}

static void
dump_text(struct term *t, unsigned row, struct buf *to)
{
	const struct row *r = screen_row(t, row);
	char text[TERM_CLUSTER_BYTES];
	unsigned n = r->used;

	while (n && (!r->cells[n - 1].ch || r->cells[n - 1].ch == ' ') &&
		!(r->cells[n - 1].attr & ATTR_SPACER))
		n--;
	buf_add_char(to, '|');
	for (unsigned i = 0; i < n; i++) {
		if (r->cells[i].attr & ATTR_SPACER)
			continue;
		if (!r->cells[i].ch)
			buf_add_char(to, ' ');
		else
			buf_add(to, text,
				cluster_text(&t->table, r->cells[i].ch, text, sizeof text));
	}
	buf_add_char(to, '\n');
}

int
term_dump_screen(struct term *t, struct buf *to)
{
	buf_addf(to, "size %u %u\n", t->size.rows, t->size.cols);
	for (unsigned row = 0; row < t->size.rows; row++)
		dump_text(t, row, to);
	for (unsigned row = 0; row < t->size.rows; row++)
		dump_attrs(t, row, to);
	return to->is_full ? -ENOBUFS : 0;
}

int
term_dump(const void *bytes, size_t len, struct size size, struct buf *to)
{
	struct term *t = term_new(&(struct term_config){ .size = size });
	int r;

	term_feed(t, bytes, len);
	r = term_dump_screen(t, to);
	term_free(t);
	return r;
}
