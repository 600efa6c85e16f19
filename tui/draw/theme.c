#include "draw/theme.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "sandesk/base/err.h"
#include "sandesk/base/str.h"
#include "sandesk/paths.h"

static const struct {
	const char *name, *colours, *mono;
} theme_rows[] = {
#define X(id, name, colours, mono) { name, colours, mono },
	THEME_ROLES(X)
#undef X
};

static const char *const colour_names[] = { "black", "red", "green", "yellow", "blue", "magenta",
	"cyan", "white" };

static const struct {
	const char *name;
	uint16_t attr;
} attr_names[] = { { "bold", ATTR_BOLD }, { "dim", ATTR_DIM }, { "italic", ATTR_ITALIC },
	{ "reverse", ATTR_REVERSE }, { "strike", ATTR_STRIKE }, { "blink", ATTR_BLINK },
	{ "underline", UNDERLINE_SINGLE << ATTR_UNDERLINE_SHIFT } };

static bool
parse_named(const char *text, uint32_t *ret)
{
	unsigned base = str_has_prefix(text, "bright-") ? 8 : 0;

	for (unsigned i = 0; i < ARRAY_LEN(colour_names); i++) {
		if (strcasecmp(text + (base ? 7 : 0), colour_names[i]) == 0) {
			*ret = colour(COLOUR_NAMED, base + i);
			return true;
		}
	}
	return false;
}

static int
parse_colour(const char *text, uint32_t *ret, struct err *e)
{
	char *end;
	unsigned long rgb;
	int64_t n;

	if (strcasecmp(text, "default") == 0) {
		*ret = 0;
		return 0;
	}
	if (parse_named(text, ret))
		return 0;
	if (str_to_int(text, 0, 255, &n) == 0) {
		*ret = colour(COLOUR_INDEX, (uint32_t)n);
		return 0;
	}
	rgb = text[0] == '#' && strspn(text + 1, "0123456789abcdefABCDEF") == 6
		      ? strtoul(text + 1, &end, 16)
		      : ~0ul;
	if (rgb == ~0ul || strlen(text) != 7)
		return err_set(e, -EINVAL,
			"colour \"%.20s\": is not known; use default, a name, 0-255 or #rrggbb",
			text);
	*ret = colour(COLOUR_RGB, (uint32_t)rgb);
	return 0;
}

static int
parse_attrs(char *text, uint16_t *ret, struct err *e)
{
	char *rest = text;

	for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) {
		uint16_t attr = 0;

		for (size_t i = 0; i < ARRAY_LEN(attr_names); i++)
			if (strcasecmp(word, attr_names[i].name) == 0)
				attr = attr_names[i].attr;
		if (!attr)
			return err_set(e, -EINVAL,
				"attribute \"%.20s\": is not known; use bold, dim, italic, "
				"underline, "
				"reverse, strike or blink",
				word);
		*ret |= attr;
	}
	return 0;
}

int
theme_parse_style(const char *text, struct style *ret, struct err *e)
{
	char copy[128], *rest = copy, *words[3] = { NULL };
	struct style style = { 0 };
	size_t n = 0;
	int r;

	if (!str_copy(copy, sizeof copy, text))
		return err_set(e, -EINVAL, "style: is too long");
	for (char *word = strsep(&rest, " \t"); word; word = strsep(&rest, " \t")) {
		if (!*word)
			continue;
		if (n == ARRAY_LEN(words))
			return err_set(e, -EINVAL,
				"style: too many words; use FOREGROUND BACKGROUND ATTRIBUTES");
		words[n++] = word;
	}
	if (!n)
		return err_set(e, -EINVAL, "style: is empty; use FOREGROUND BACKGROUND ATTRIBUTES");
	r = parse_colour(words[0], &style.fg, e);
	if (r == 0 && words[1])
		r = parse_colour(words[1], &style.bg, e);
	if (r == 0 && words[2])
		r = parse_attrs(words[2], &style.attr, e);
	if (r == 0)
		*ret = style;
	return r;
}

void
theme_default(struct theme *t, bool has_colours)
{
	*t = (struct theme){ 0 };
	for (size_t i = 0; i < ROLE_COUNT; i++)
		theme_parse_style(has_colours ? theme_rows[i].colours : theme_rows[i].mono,
			&t->role[i], NULL);
}

void
theme_reduce(struct theme *t)
{
	for (size_t i = 0; i < ROLE_COUNT; i++) {
		struct style *s = &t->role[i];

		if (colour_kind(s->bg) > COLOUR_NAMED)
			*s = (struct style){ .attr = s->attr | ATTR_REVERSE };
		else if (s->fg == colour(COLOUR_NAMED, 8))
			*s = (struct style){ .bg = s->bg, .attr = s->attr | ATTR_DIM };
	}
}

int
theme_role_of(const char *name)
{
	for (int i = 0; i < ROLE_COUNT; i++)
		if (strcasecmp(name, theme_rows[i].name) == 0)
			return i;
	return -1;
}

const char *
theme_role_name(enum theme_role r)
{
	return (unsigned)r < ROLE_COUNT ? theme_rows[r].name : "";
}

bool
theme_folder(const struct paths *p, int n, char to[THEME_PATH_BYTES])
{
	const char *slash = strrchr(p->config, '/');

	if (n == 0)
		snprintf(to, THEME_PATH_BYTES, "%.*s/themes",
			slash ? (int)(slash - p->config) : 0, p->config);
	else if (n == 1)
		snprintf(to, THEME_PATH_BYTES, "%s/themes", p->libexec);
	else
		snprintf(to, THEME_PATH_BYTES, "%s/../../share/sandesk/themes", p->libexec);
	return n <= 2;
}

bool
theme_find(const struct paths *p, const char *name, char to[THEME_PATH_BYTES])
{
	char folder[THEME_PATH_BYTES];

	if (strchr(name, '/')) {
		snprintf(to, THEME_PATH_BYTES, "%s", name);
		return true;
	}
	for (int i = 0; theme_folder(p, i, folder); i++) {
		int n = snprintf(to, THEME_PATH_BYTES, "%s/%s.theme", folder, name);

		if (n > 0 && n < THEME_PATH_BYTES && access(to, R_OK) == 0)
			return true;
	}
	return false;
}

struct load {
	struct theme *theme;
	struct err first;
};

static int
take_line(void *arg, const char *section, const char *name, const char *value)
{
	struct load *load = arg;
	struct err e = { 0 };

	(void)section;
	for (size_t i = 0; i < ROLE_COUNT; i++)
		if (strcasecmp(name, theme_rows[i].name) == 0 &&
			theme_parse_style(value, &load->theme->role[i], &e) == 0)
			return 1;
	if (!e.code)
		err_set(&e, -EINVAL, "role \"%.30s\": is not known", name);
	if (!load->first.code)
		load->first = e;
	return 0;
}

static int
report(const struct load *load, const char *name, int line, struct err *e)
{
	if (line == 0)
		return 0;
	if (line == -1)
		return err_errno(e, -errno, "theme %s", name);
	return err_set(e, -EINVAL, "theme %s: line %d: %s", name, line,
		load->first.code ? load->first.msg : "is not `role = style`");
}

int
theme_load(struct theme *t, const char *path, struct err *e)
{
	struct load load = { .theme = t };

	return report(&load, path, ini_parse(path, take_line, &load), e);
}

int
theme_load_text(struct theme *t, const char *name, const char *text, struct err *e)
{
	struct load load = { .theme = t };

	return report(&load, name, ini_parse_string(text, take_line, &load), e);
}

static const struct {
	enum theme_role role;
	char sign;
} status_looks[STATUS_COUNT] = {
	[STATUS_STARTING] = { ROLE_STARTING, '~' },
	[STATUS_WORKING] = { ROLE_WORKING, '*' },
	[STATUS_WAITING] = { ROLE_WAITING, '?' },
	[STATUS_DONE] = { ROLE_DONE, '+' },
	[STATUS_FAILED] = { ROLE_FAILED, '!' },
	[STATUS_STOPPED] = { ROLE_STOPPED, '-' },
	[STATUS_PAUSED] = { ROLE_WAITING, '=' },
};

enum theme_role
theme_status_role(enum status s)
{
	return (unsigned)s < STATUS_COUNT ? status_looks[s].role : ROLE_TEXT;
}

char
theme_status_sign(enum status s)
{
	return (unsigned)s < STATUS_COUNT ? status_looks[s].sign : ' ';
}
