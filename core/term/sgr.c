/* sgr.c - the pen: colours and styles. */
#include "term/screen.h"

void
sgr_reset(struct term *t)
{
	/* Protection and the link are not of SGR's making. */
	t->pen.cell = (struct cell){ .attr = t->pen.cell.attr & ATTR_PROTECTED };
	t->pen.underline_colour = 0;
}

static bool
rgb(const uint16_t *v, uint32_t *ret)
{
	if (v[0] > 255 || v[1] > 255 || v[2] > 255)
		return false;
	*ret = colour(COLOUR_RGB, (uint32_t)v[0] << 16 | (uint32_t)v[1] << 8 | v[2]);
	return true;
}

/* 38, 48, 58 at `i`: with colons (38:2::R:G:B, 38:2:R:G:B, 38:5:N) or semicolons. Returns the
 * parameters that it took. */
static unsigned
sgr_colour(const struct parser *p, unsigned i, uint32_t *ret)
{
	const uint16_t *v = p->params + i;
	unsigned subs = 0;

	while (param_is_sub(p, i + 1 + subs))
		subs++;
	if (subs) {
		if (v[1] == 5 && subs >= 2 && v[2] <= 255)
			*ret = colour(COLOUR_INDEX, v[2]);
		else if (v[1] == 2 && subs >= 4)
			rgb(v + (subs >= 5 ? 3 : 2), ret);
		return subs + 1;
	}
	if (i + 2 < p->count && v[1] == 5) {
		if (v[2] <= 255)
			*ret = colour(COLOUR_INDEX, v[2]);
		return 3;
	}
	if (i + 4 < p->count && v[1] == 2) {
		rgb(v + 2, ret);
		return 5;
	}
	return p->count - i; /* cut short: the rest cannot be told apart */
}

static void
set_underline(struct cell *pen, enum underline u)
{
	pen->attr = (uint16_t)((pen->attr & ~ATTR_UNDERLINE) | u << ATTR_UNDERLINE_SHIFT);
}

/* Single attributes: what a number sets and what it takes away. */
static const struct {
	uint16_t set, clear;
} sgr_attrs[] = {
	[1] = { ATTR_BOLD, 0 },
	[2] = { ATTR_DIM, 0 },
	[3] = { ATTR_ITALIC, 0 },
	[5] = { ATTR_BLINK, 0 },
	[6] = { ATTR_BLINK, 0 },
	[7] = { ATTR_REVERSE, 0 },
	[8] = { ATTR_HIDDEN, 0 },
	[9] = { ATTR_STRIKE, 0 },
	[22] = { 0, ATTR_BOLD | ATTR_DIM },
	[23] = { 0, ATTR_ITALIC },
	[24] = { 0, ATTR_UNDERLINE },
	[25] = { 0, ATTR_BLINK },
	[27] = { 0, ATTR_REVERSE },
	[28] = { 0, ATTR_HIDDEN },
	[29] = { 0, ATTR_STRIKE },
	[53] = { ATTR_OVERLINE, 0 },
	[55] = { 0, ATTR_OVERLINE },
};

/* The numbers that are not single attributes. Returns the parameters that it took. */
static unsigned
sgr_one(struct term *t, unsigned i)
{
	const struct parser *p = &t->parser;
	struct cell *pen = &t->pen.cell;
	unsigned v = p->params[i];

	if (v == 38)
		return sgr_colour(p, i, &pen->fg);
	if (v == 48)
		return sgr_colour(p, i, &pen->bg);
	if (v == 58)
		return sgr_colour(p, i, &t->pen.underline_colour);
	if (v >= 30 && v <= 37)
		pen->fg = colour(COLOUR_NAMED, v - 30);
	else if (v >= 40 && v <= 47)
		pen->bg = colour(COLOUR_NAMED, v - 40);
	else if (v >= 90 && v <= 97)
		pen->fg = colour(COLOUR_NAMED, v - 90 + 8);
	else if (v >= 100 && v <= 107)
		pen->bg = colour(COLOUR_NAMED, v - 100 + 8);
	else if (v == 39)
		pen->fg = 0;
	else if (v == 49)
		pen->bg = 0;
	else if (v == 59)
		t->pen.underline_colour = 0;
	else if (v == 0)
		sgr_reset(t);
	else if (v == 21)
		set_underline(pen, UNDERLINE_DOUBLE);
	else if (v == 4 && !param_is_sub(p, i + 1))
		set_underline(pen, UNDERLINE_SINGLE);
	else if (v == 4 && p->params[i + 1] <= UNDERLINE_DASHED)
		set_underline(pen, (enum underline)p->params[i + 1]);
	else if (v < ARRAY_LEN(sgr_attrs))
		pen->attr = (uint16_t)((pen->attr | sgr_attrs[v].set) & ~sgr_attrs[v].clear);
	return 1;
}

void
sgr_apply(struct term *t)
{
	const struct parser *p = &t->parser;
	unsigned i = 0;

	while (i < p->count) {
		i += sgr_one(t, i);
		while (param_is_sub(
			p, i)) /* what belongs to the number before and was not understood */
			i++;
	}
	pen_update(t);
}

static void
colour_text(struct buf *to, uint32_t c, unsigned base)
{
	uint32_t v = colour_value(c);

	switch (colour_kind(c)) {
	case COLOUR_DEFAULT:
		break;
	case COLOUR_NAMED:
		buf_addf(to, ";%u", (v < 8 ? base : base + 60 - 8) + v);
		break;
	case COLOUR_INDEX:
		buf_addf(to, ";%u:5:%u", base + 8, v);
		break;
	case COLOUR_RGB:
		buf_addf(to, ";%u:2::%u:%u:%u", base + 8, v >> 16, v >> 8 & 255, v & 255);
		break;
	}
}

void
sgr_text(const struct term *t, struct buf *to)
{
	uint16_t attr = t->pen.cell.attr;

	buf_add_char(to, '0');
	for (unsigned v = 1; v < ARRAY_LEN(sgr_attrs); v++)
		if (attr & sgr_attrs[v].set && v != 6)
			buf_addf(to, ";%u", v);
	if (cell_underline(attr))
		buf_addf(to, cell_underline(attr) == UNDERLINE_SINGLE ? ";4" : ";4:%u",
			cell_underline(attr));
	colour_text(to, t->pen.cell.fg, 30);
	colour_text(to, t->pen.cell.bg, 40);
	colour_text(to, t->pen.underline_colour, 50);
}
