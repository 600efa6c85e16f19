/* dcs.c - device control and application strings: a few questions are answered, all else is
 * swallowed (sixel, tmux's passthrough, user-defined keys, graphics). */
#include "term/screen.h"
#include "term/sequences.h"

#include <stdlib.h>

/* DECRQSS: settings that are one number here. */
static unsigned
setting_number(const struct term *t, const char *what)
{
	if (strcmp(what, " q") == 0)
		return t->modes.cursor_shape * 2u + (t->modes.cursor_blink ? 1 : 2);
	if (strcmp(what, "\"q") == 0)
		return t->pen.cell.attr & ATTR_PROTECTED ? 1 : 0;
	if (strcmp(what, "*x") == 0)
		return t->extent;
	if (strcmp(what, "t") == 0 || strcmp(what, "*|") == 0)
		return t->size.rows;
	if (strcmp(what, "$|") == 0)
		return t->size.cols;
	return 0; /* no status line: "$}", "$~" */
}

static void
request_setting(struct term *t, const char *what)
{
	static const char *const numbers[] = { " q", "\"q", "*x", "t", "*|", "$|", "$}", "$~" };
	AUTO(buf) struct buf text = { .limit = 256 };

	if (strcmp(what, "m") == 0) {
		sgr_text(t, &text);
		term_reply(t, "\033P1$r%sm\033\\", text.data);
		return;
	}
	if (strcmp(what, "r") == 0) {
		term_reply(t, "\033P1$r%u;%ur\033\\", t->region_top + 1, t->region_bottom + 1);
		return;
	}
	if (strcmp(what, "s") == 0) {
		term_reply(t, "\033P1$r%u;%us\033\\", t->left + 1, t->right + 1);
		return;
	}
	if (strcmp(what, "\"p") == 0) {
		term_reply(t, "\033P1$r%u;1\"p\033\\", t->level);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		if (strcmp(what, numbers[i]) == 0) {
			term_reply(t, "\033P1$r%u%s\033\\", setting_number(t, what), numbers[i]);
			return;
		}
	term_reply(t, "\033P0$r\033\\");
}

/* XTGETTCAP: what programs look for and terminfo's xterm-256color does not say. */
static const struct {
	const char *name, *value; /* NULL: a flag */
} capabilities[] = {
	{ "TN", "xterm-256color" },
	{ "name", "xterm-256color" },
	{ "Co", "256" },
	{ "colors", "256" },
	{ "RGB", "8/8/8" },
	{ "Tc", NULL },
	{ "Su", NULL },
	{ "Smulx", "\033[4:%p1%dm" },
	{ "Setulc", "\033[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%dm" },
	{ "Ss", "\033[%p1%d q" },
	{ "Se", "\033[2 q" },
	{ "Sync", "\033[?2026%?%p1%{1}%-%tl%eh%;" },
	{ "Ms", "\033]52;%p1%s;%p2%s\033\\" },
	{ "Pst", NULL },
};

static int
capability(const char *hex, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(capabilities); i++) {
		const char *name = capabilities[i].name;
		size_t n = 0;

		if (len != 2 * strlen(name))
			continue;
		for (; name[n]; n++) {
			char two[3] = { hex[2 * n], hex[2 * n + 1], 0 };
			char *end;

			if (strtoul(two, &end, 16) != (unsigned char)name[n] || *end)
				break;
		}
		if (!name[n])
			return (int)i;
	}
	return -1;
}

static void
add_hex(struct buf *to, const char *text)
{
	for (; *text; text++)
		buf_addf(to, "%02X", (unsigned char)*text);
}

/* The names are written anew from our table; of an unknown one nothing comes back. */
static void
request_capabilities(struct term *t, const char *text)
{
	AUTO(buf) struct buf out = { .limit = 480 };

	while (*text) {
		size_t len = strcspn(text, ";");
		int i = capability(text, len);

		buf_reset(&out);
		if (i >= 0) {
			add_hex(&out, capabilities[i].name);
			if (capabilities[i].value) {
				buf_add_char(&out, '=');
				add_hex(&out, capabilities[i].value);
			}
			term_reply(t, "\033P1+r%s\033\\", out.data);
		} else {
			term_reply(t, "\033P0+r\033\\");
		}
		text += len + (text[len] == ';');
	}
}

void
dcs_dispatch(struct term *t, uint8_t final)
{
	const struct parser *p = &t->parser;
	const char *text = p->string.len ? p->string.data : "";

	if (final != 'q' || p->inter_count != 1 || p->private_mark ||
		p->string_len > p->string.len || memchr(text, 0, p->string.len))
		return;
	if (p->inter[0] == '$')
		request_setting(t, text);
	else if (p->inter[0] == '+')
		request_capabilities(t, text);
}

/* kitty's graphics: a question is answered by "no"; everything else is swallowed. */
void
apc_dispatch(struct term *t)
{
	const struct parser *p = &t->parser;
	const char *s = p->string.len ? p->string.data : "";
	bool is_query = false, has_id = false;
	unsigned long id = 0;

	if (*s != 'G')
		return;
	for (s++; *s && *s != ';'; s += strcspn(s, ",;"), s += *s == ',') {
		if (strncmp(s, "a=q", 3) == 0) {
			is_query = true;
		} else if (strncmp(s, "i=", 2) == 0 && s[2] >= '0' && s[2] <= '9') {
			id = strtoul(s + 2, NULL, 10);
			has_id = id <= UINT32_MAX;
		}
	}
	if (is_query && has_id)
		term_reply(t, "\033_Gi=%lu;ENOTSUP:no graphics\033\\", id);
}
