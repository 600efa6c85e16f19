/* osc.c - strings: titles, links, marks, queries. Nothing here is passed on as it came. */
#include "term/screen.h"
#include "term/sequences.h"

#include "sandesk/base/utf8.h"

char *
osc_field(char **text, char stop)
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

int
osc_number(const char *text)
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

/* Room is made where there is none; a link that finds no room is plain text. */
static uint32_t
link_make(struct term *t, const char *uri, const char *id)
{
	uint32_t link = cluster_link(&t->table, uri, id);

	if (!link && t->table.misses) {
		sweep_tables(t);
		link = cluster_link(&t->table, uri, id);
	}
	return link;
}

static void
osc_link(struct term *t, char *text)
{
	char *rest = text, *fields;
	const char *id = "";
	char clean[LINK_BYTES], name[LINK_BYTES];

	fields = rest;
	osc_field(&rest, ';');
	while (*fields) {
		const char *one = osc_field(&fields, ':');

		if (strncmp(one, "id=", 3) == 0)
			id = one + 3;
	}
	t->pen.link = 0;
	if (strlen(rest) < sizeof clean && strlen(id) < sizeof name) {
		text_strip(clean, sizeof clean, rest, strlen(rest));
		text_strip(name, sizeof name, id, strlen(id));
		if (*clean)
			t->pen.link = link_make(t, clean, name);
	}
	pen_update(t);
}

static void
osc_prompt(struct term *t, char *text)
{
	static const enum term_event_kind kinds[] = { TERM_EVENT_PROMPT, TERM_EVENT_COMMAND,
		TERM_EVENT_OUTPUT, TERM_EVENT_COMMAND_DONE };
	const char *what = osc_field(&text, ';');
	int status;

	if (what[0] < 'A' || what[0] > 'D' || what[1])
		return;
	status = what[0] == 'D' ? osc_number(osc_field(&text, ';')) : 0;
	term_event(t, kinds[what[0] - 'A'], status, NULL, 0);
	marks_event(t, kinds[what[0] - 'A'], status);
}

/* iTerm2's: CurrentDir=PATH */
static void
osc_iterm(struct term *t, char *text)
{
	if (strcmp(osc_field(&text, '='), "CurrentDir") == 0 && *text == '/')
		osc_cwd(t, text);
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
	what = osc_number(osc_field(&text, ';'));
	if (t->parser.string_len > s->len && what > 2)
		return; /* cut at the cap: half of it would mean something else */
	switch (what) {
	case 0:
	case 2:
		term_set_title(t, text, strlen(text));
		break;
	case 4:
		colour_palette(t, text);
		break;
	case 10:
	case 11:
	case 12:
		colour_dynamic(t, (unsigned)what - 10, text);
		break;
	case 104:
		colour_palette_reset(t, text);
		break;
	case 110:
	case 111:
	case 112:
		colour_dynamic_reset(t, (unsigned)what - 110);
		break;
	case 7:
		osc_cwd(t, text);
		break;
	case 8:
		osc_link(t, text);
		break;
	case 9:
		notify_plain(t, text);
		break;
	case 52:
		clipboard_write(t, text);
		break;
	case 99:
		notify_kitty(t, text);
		break;
	case 133:
		osc_prompt(t, text);
		break;
	case 777:
		notify_rxvt(t, text);
		break;
	case 1337:
		osc_iterm(t, text);
		break;
	case 7501:
		notify_status(t, text);
		break;
	default:
		break;
	}
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
