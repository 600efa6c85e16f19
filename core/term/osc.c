/* osc.c - strings: titles, links, marks, queries. Nothing here is passed on as it came. */
#include "term/screen.h"

#include <stdio.h>

#include "sandesk/base/utf8.h"

/* The next field of a string, up to `end` characters of `stops`; moves *text behind it. */
static const char *
field(char **text, char stop)
{
	char *start = *text, *at = strchr(start, stop);

	if (at) {
		*at = 0;
		*text = at + 1;
	} else {
		*text = start + strlen(start);
	}
	return start;
}

/* A small number, -1 when it is none. */
static int
number(const char *text)
{
	int v = 0;

	if (!*text)
		return -1;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || v > 99999)
			return -1;
		v = v * 10 + (*text - '0');
	}
	return v;
}

static int
hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
		return (c | 0x20) - 'a' + 10;
	return -1;
}

/* file://host/path with %XX: the path. */
static void
osc_cwd(struct term *t, char *url)
{
	char path[CWD_BYTES];
	size_t n = 0;
	const char *s = url;

	if (strncmp(s, "file://", 7) == 0) {
		s = strchr(s + 7, '/');
		if (!s)
			return;
	}
	for (; *s && n + 1 < sizeof path; s++) {
		if (*s == '%' && hex(s[1]) >= 0 && hex(s[2]) >= 0) {
			path[n++] = (char)(hex(s[1]) << 4 | hex(s[2]));
			s += 2;
		} else {
			path[n++] = *s;
		}
	}
	text_strip(t->cwd, sizeof t->cwd, path, n);
	term_event(t, TERM_EVENT_CWD, 0, t->cwd, strlen(t->cwd));
}

static void
osc_link(struct term *t, char *text)
{
	char *rest = text, *fields;
	const char *id = "";
	char clean[LINK_BYTES], name[LINK_BYTES];

	fields = rest;
	field(&rest, ';');
	while (*fields) {
		const char *one = field(&fields, ':');

		if (strncmp(one, "id=", 3) == 0)
			id = one + 3;
	}
	t->pen.link = 0;
	if (strlen(rest) < sizeof clean && strlen(id) < sizeof name) {
		text_strip(clean, sizeof clean, rest, strlen(rest));
		text_strip(name, sizeof name, id, strlen(id));
		if (*clean)
			t->pen.link = cluster_link(&t->table, clean, name);
	}
	pen_update(t);
}

static void
osc_progress(struct term *t, char *text)
{
	int state = number(field(&text, ';')), value = number(field(&text, ';'));
	static const int32_t special[] = { -1, 0, -3, -2, -4 };

	if (state < 0 || state > 4)
		return;
	value = value < 0 ? 0 : value > 100 ? 100 : value;
	term_event(t, TERM_EVENT_PROGRESS, state == 1 ? value : special[state], NULL, 0);
}

static void
osc_prompt(struct term *t, char *text)
{
	static const enum term_event_kind kinds[] = { TERM_EVENT_PROMPT, TERM_EVENT_COMMAND,
		TERM_EVENT_OUTPUT, TERM_EVENT_COMMAND_DONE };
	const char *what = field(&text, ';');

	if (what[0] >= 'A' && what[0] <= 'D' && !what[1])
		term_event(t, kinds[what[0] - 'A'], what[0] == 'D' ? number(field(&text, ';')) : 0,
			NULL, 0);
}

static uint32_t
palette(unsigned i)
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

static void
reply_colour(struct term *t, const char *what, uint32_t c)
{
	unsigned r = c >> 16 & 255, g = c >> 8 & 255, b = c & 255;

	term_reply(t, "\033]%s;rgb:%02x%02x/%02x%02x/%02x%02x\033\\", what, r, r, g, g, b, b);
}

/* What the colours really are is the client's affair, and may differ from client to client: answer
 * as a dark xterm. */
static void
osc_colour(struct term *t, unsigned which, char *text)
{
	char what[16];

	if (which != 4) {
		snprintf(what, sizeof what, "%u", which);
		if (strcmp(field(&text, ';'), "?") == 0)
			reply_colour(t, what, which == 11 ? 0x000000 : 0xe5e5e5);
		return;
	}
	while (*text) {
		int index = number(field(&text, ';'));

		if (strcmp(field(&text, ';'), "?") != 0 || index < 0 || index > 255)
			continue;
		snprintf(what, sizeof what, "4;%d", index);
		reply_colour(t, what, palette((unsigned)index));
	}
}

static void
osc_notify(struct term *t, char *text)
{
	if (strncmp(text, "4;", 2) == 0)
		osc_progress(t, text + 2);
	else
		term_event(t, TERM_EVENT_NOTIFY, 0, text, strlen(text));
}

static void
osc_777(struct term *t, char *text)
{
	char line[TERM_EVENT_TEXT];
	const char *title;

	if (strcmp(field(&text, ';'), "notify") != 0)
		return;
	title = field(&text, ';');
	snprintf(line, sizeof line, *text ? "%s: %s" : "%s%s", title, text);
	term_event(t, TERM_EVENT_NOTIFY, 0, line, strlen(line));
}

static void
osc_clipboard(struct term *t, char *text)
{
	field(&text, ';');
	if (*text && strcmp(text, "?") != 0) /* reading is never answered */
		term_event(t, TERM_EVENT_CLIPBOARD,
			(int32_t)(t->parser.string_len < INT32_MAX ? t->parser.string_len : 0),
			NULL, 0);
}

void
osc_dispatch(struct term *t)
{
	struct buf *s = &t->parser.string;
	char *text;
	int what;

	if (!s->len || memchr(s->data, 0, s->len))
		return;
	text = s->data;
	text[s->len] = 0;
	what = number(field(&text, ';'));
	if (t->parser.string_len > s->len && what > 2 && what != 52)
		return; /* cut at the cap: half of it would mean something else */
	switch (what) {
	case 0:
	case 2:
		term_set_title(t, text, strlen(text));
		break;
	case 4:
	case 10:
	case 11:
	case 12:
		osc_colour(t, (unsigned)what, text);
		break;
	case 7:
		osc_cwd(t, text);
		break;
	case 8:
		osc_link(t, text);
		break;
	case 9:
		osc_notify(t, text);
		break;
	case 52:
		osc_clipboard(t, text);
		break;
	case 133:
		osc_prompt(t, text);
		break;
	case 777:
		osc_777(t, text);
		break;
	default:
		break;
	}
}

/* DECRQSS: a few settings, told back; all else is "no". Only our own numbers go out, never what was
 * asked. */
static void
dcs_request(struct term *t, const char *what)
{
	AUTO(buf) struct buf text = { .limit = 256 };

	if (strcmp(what, "m") == 0) {
		sgr_text(t, &text);
		term_reply(t, "\033P1$r%sm\033\\", text.data);
	} else if (strcmp(what, "r") == 0) {
		term_reply(t, "\033P1$r%u;%ur\033\\", t->region_top + 1, t->region_bottom + 1);
	} else if (strcmp(what, "s") == 0) {
		term_reply(t, "\033P1$r%u;%us\033\\", t->left + 1, t->right + 1);
	} else if (strcmp(what, " q") == 0) {
		term_reply(t, "\033P1$r%u q\033\\",
			t->modes.cursor_shape * 2 + (t->modes.cursor_blink ? 1 : 2));
	} else if (strcmp(what, "\"q") == 0) {
		term_reply(t, "\033P1$r%u\"q\033\\", t->pen.cell.attr & ATTR_PROTECTED ? 1 : 0);
	} else {
		term_reply(t, "\033P0$r\033\\");
	}
}

void
dcs_dispatch(struct term *t, uint8_t final)
{
	const struct parser *p = &t->parser;

	if (final == 'q' && p->inter_count == 1 && p->inter[0] == '$' && !p->private_mark)
		dcs_request(t, p->string.len ? p->string.data : "");
}

static bool
is_unsafe(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || (cp >= 0x202a && cp <= 0x202e) ||
	       (cp >= 0x2066 && cp <= 0x2069) || cp == 0x200e || cp == 0x200f || cp == 0x2028 ||
	       cp == 0x2029;
}

void
text_strip(char *to, size_t size, const char *text, size_t len)
{
	size_t out = 0, n;
	uint32_t cp;

	for (size_t i = 0; i < len; i += n ? n : 1) {
		n = utf8_decode(text + i, len - i, &cp);
		if (!n || is_unsafe(cp))
			continue;
		if (out + n + 1 > size)
			break;
		memcpy(to + out, text + i, n);
		out += n;
	}
	to[out] = 0;
}
