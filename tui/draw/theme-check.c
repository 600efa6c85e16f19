#include "draw/theme-check.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "draw/theme.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/str.h"

static const double LEAST_CONTRAST = 4.5;

/* ---- contrast ---- */
static uint32_t
rgb_of_index(uint32_t i)
{
	static const uint32_t first[16] = { 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee,
		0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff,
		0xff00ff, 0x00ffff, 0xffffff }; /* xterm's */
	static const uint32_t steps[6] = { 0, 95, 135, 175, 215, 255 };

	if (i < 16)
		return first[i];
	if (i >= 232)
		return (8 + (i - 232) * 10) * 0x010101;
	i -= 16;
	return steps[i / 36] << 16 | steps[i / 6 % 6] << 8 | steps[i % 6];
}

static bool
rgb_of(uint32_t c, uint32_t *ret)
{
	if (colour_kind(c) == COLOUR_RGB)
		*ret = c & 0xffffff;
	else if (colour_kind(c) == COLOUR_INDEX || colour_kind(c) == COLOUR_NAMED)
		*ret = rgb_of_index(c & 0xff);
	else
		return false;
	return true;
}

/* v to the power of 2.4: v squared times y, of which the fifth power is v squared (Newton). */
static double
power_2_4(double v)
{
	double y = 1, want = v * v;

	for (int i = 0; i < 40; i++)
		y -= (y * y * y * y * y - want) / (5 * y * y * y * y);
	return want * y;
}

static double
luminance(uint32_t rgb)
{
	static const double weights[3] = { 0.2126, 0.7152, 0.0722 };
	double sum = 0;

	for (int i = 0; i < 3; i++) {
		double v = (double)(rgb >> (16 - 8 * i) & 0xff) / 255;

		sum += weights[i] * (v <= 0.04045 ? v / 12.92 : power_2_4((v + 0.055) / 1.055));
	}
	return sum;
}

static bool
contrast(const struct style *s, double *ret)
{
	uint32_t fg, bg;
	double a, b;

	if (!rgb_of(s->fg, &fg) || !rgb_of(s->bg, &bg))
		return false;
	a = luminance(fg) + 0.05;
	b = luminance(bg) + 0.05;
	*ret = a > b ? a / b : b / a;
	return true;
}

/* ---- lines ---- */
struct check {
	const char *path;
	struct buf *to;
	int n, line;
	bool has[ROLE_COUNT];
};

static void
complain(struct check *c, const char *role, const char *what)
{
	c->n++;
	str_escape(c->to, c->path, strlen(c->path));
	if (c->line)
		buf_addf(c->to, ": line %d", c->line);
	buf_add_str(c->to, ": ");
	str_escape(c->to, role, strlen(role));
	buf_addf(c->to, "%s%s\n", *role ? ": " : "", what);
}

static void
check_style(struct check *c, const char *role, const char *text)
{
	struct style style = { 0 };
	struct err e = { 0 };
	char words[80];
	double ratio;

	if (theme_parse_style(text, &style, &e) < 0) {
		complain(c, role, e.msg);
	} else if (contrast(&style, &ratio) && ratio < LEAST_CONTRAST) {
		snprintf(words, sizeof words, "contrast is %.1f : 1, less than %.1f : 1", ratio,
			LEAST_CONTRAST);
		complain(c, role, words);
	}
}

static char *
trimmed(char *text)
{
	size_t n;

	text += strspn(text, " \t");
	for (n = strlen(text); n && strchr(" \t\r\n", text[n - 1]); n--)
		text[n - 1] = 0;
	return text;
}

static void
check_line(struct check *c, char *line)
{
	char *role = trimmed(line), *value = strchr(role, '='), *comment;
	int at;

	if (!*role || *role == ';' || *role == '#' || *role == '[')
		return;
	if (!value) {
		complain(c, "", "is not `role = style`");
		return;
	}
	*value++ = 0;
	comment = strstr(value, " ;");
	if (comment)
		*comment = 0;
	role = trimmed(role);
	at = theme_role_of(role);
	if (at < 0)
		complain(c, role, "is no role");
	else if (c->has[at])
		complain(c, role, "is given twice; this line counts");
	if (at >= 0)
		c->has[at] = true;
	check_style(c, role, trimmed(value));
}

int
theme_check(const char *path, struct buf *to, struct err *e)
{
	struct check c = { .path = path, .to = to };
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	if (!f)
		return err_errno(e, -errno, "theme %s", path);
	while (getline(&line, &room, f) >= 0) {
		c.line++;
		check_line(&c, line);
	}
	free(line);
	fclose(f);
	c.line = 0;
	for (int i = 0; i < ROLE_COUNT; i++)
		if (!c.has[i])
			complain(&c, theme_role_name((enum theme_role)i),
				"is missing; it keeps the built-in look");
	return c.n;
}
