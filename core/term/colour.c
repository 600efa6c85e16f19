/* colour.c - colours that programs ask for, set and reset. What they really are is the client's
 * affair and may differ from client to client: the answers are those of a dark or a light xterm, and
 * what a program sets is remembered so that it is told what it said. */
#include "sandesk/base/mem.h"
#include "term/screen.h"
#include "term/sequences.h"

#include <stdio.h>

static uint32_t
palette_first(unsigned i)
{
	static const uint32_t first[] = { 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee,
		0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff,
		0xff00ff, 0x00ffff, 0xffffff };
	static const uint8_t steps[] = { 0, 95, 135, 175, 215, 255 };

	if (i < 16)
		return first[i];
	if (i < 232)
		return (uint32_t)steps[(i - 16) / 36] << 16 |
		       (uint32_t)steps[(i - 16) / 6 % 6] << 8 | steps[(i - 16) % 6];
	return (8 + 10 * (i - 232)) * 0x010101u;
}

static uint32_t
dynamic_first(const struct term *t, unsigned i)
{
	return (i == 1) == t->is_dark ? 0x000000 : i == 1 ? 0xffffff : 0xe5e5e5;
}

/* NO_COLOUR in a palette: as it was at first. */
enum { NO_COLOUR = 0x1000000 };

static uint32_t *
palette_slot(struct term *t, unsigned i, bool is_dynamic)
{
	if (!t->palette) {
		t->palette = mem_new(struct palette);
		for (unsigned n = 0; n < 256; n++)
			t->palette->colours[n] = NO_COLOUR;
		for (unsigned n = 0; n < ARRAY_LEN(t->palette->dynamic); n++)
			t->palette->dynamic[n] = NO_COLOUR;
	}
	return is_dynamic ? &t->palette->dynamic[i] : &t->palette->colours[i];
}

static uint32_t
palette_now(struct term *t, unsigned i, bool is_dynamic)
{
	uint32_t c = t->palette ? *palette_slot(t, i, is_dynamic) : NO_COLOUR;

	if (c != NO_COLOUR)
		return c;
	return is_dynamic ? dynamic_first(t, i) : palette_first(i);
}

uint32_t
colour_now(struct term *t, unsigned i, bool is_dynamic)
{
	return palette_now(t, i, is_dynamic);
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
		return (c | 0x20) - 'a' + 10;
	return -1;
}

/* One to four hexadecimal digits as 0-255, scaled (rgb:) or as the upper bits (#). -1: not such. */
static int
component(const char *text, size_t n, bool is_scaled)
{
	unsigned v = 0;

	if (n < 1 || n > 4)
		return -1;
	for (size_t i = 0; i < n; i++) {
		int digit = hex_digit(text[i]);

		if (digit < 0)
			return -1;
		v = v << 4 | (unsigned)digit;
	}
	if (!is_scaled)
		return (int)(v << (16 - 4 * n) >> 8);
	return (int)(v * 255 / ((1u << 4 * n) - 1));
}

/* "#rgb" to "#rrrrggggbbbb", "rgb:r/g/b" to "rgb:rrrr/gggg/bbbb". */
static bool
colour_parse(const char *text, uint32_t *ret)
{
	bool is_sharp = text[0] == '#';
	uint32_t c = 0;
	size_t n;

	if (!is_sharp && strncmp(text, "rgb:", 4) != 0)
		return false;
	text += is_sharp ? 1 : 4;
	n = strlen(text) / 3;
	if (is_sharp && strlen(text) != n * 3)
		return false;
	for (int i = 0; i < 3; i++) {
		int v;

		if (!is_sharp)
			n = strcspn(text, "/");
		v = component(text, n, !is_sharp);
		if (v < 0 || (!is_sharp && text[n] != (i < 2 ? '/' : 0)))
			return false;
		c = c << 8 | (uint32_t)v;
		text += n + !is_sharp;
	}
	*ret = c;
	return true;
}

static void
reply_colour(struct term *t, const char *what, uint32_t c)
{
	unsigned r = c >> 16 & 255, g = c >> 8 & 255, b = c & 255;

	term_reply(t, "\033]%s;rgb:%02x%02x/%02x%02x/%02x%02x\033\\", what, r, r, g, g, b, b);
}

void
colour_palette(struct term *t, char *text)
{
	while (*text) {
		int index = osc_number(osc_field(&text, ';'));
		const char *spec = osc_field(&text, ';');
		char what[16];
		uint32_t c;

		if (index < 0 || index > 255)
			continue;
		snprintf(what, sizeof what, "4;%d", index);
		if (strcmp(spec, "?") == 0)
			reply_colour(t, what, palette_now(t, (unsigned)index, false));
		else if (colour_parse(spec, &c))
			*palette_slot(t, (unsigned)index, false) = c;
	}
}

void
colour_palette_reset(struct term *t, char *text)
{
	if (!t->palette)
		return;
	if (!*text)
		for (unsigned i = 0; i < 256; i++)
			t->palette->colours[i] = NO_COLOUR;
	while (*text) {
		int index = osc_number(osc_field(&text, ';'));

		if (index >= 0 && index < 256)
			t->palette->colours[index] = NO_COLOUR;
	}
}

/* Several colours in one string belong to the numbers that follow. */
void
colour_dynamic(struct term *t, unsigned first, char *text)
{
	for (unsigned i = first; i < ARRAY_LEN(t->palette->dynamic) && *text; i++) {
		const char *spec = osc_field(&text, ';');
		char what[16];
		uint32_t c;

		snprintf(what, sizeof what, "%u", 10 + i);
		if (strcmp(spec, "?") == 0)
			reply_colour(t, what, palette_now(t, i, true));
		else if (colour_parse(spec, &c))
			*palette_slot(t, i, true) = c;
	}
}

void
colour_dynamic_reset(struct term *t, unsigned which)
{
	if (t->palette && which < ARRAY_LEN(t->palette->dynamic))
		t->palette->dynamic[which] = NO_COLOUR;
}
