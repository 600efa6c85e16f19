#include "draw/out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/str.h"
#include "sandesk/base/utf8.h"

/* Terminals that speak xterm's language well enough for `direct`. Names are prefixes of TERM. */
static const char *const direct_terms[] = { "xterm", "tmux", "screen", "rxvt", "alacritty", "foot",
	"kitty", "wezterm", "ghostty", "konsole", "vte", "gnome", "st-", "contour", "iterm",
	"mintty", "putty", "rio" };

static bool
is_direct(const char *term)
{
	for (size_t i = 0; i < ARRAY_LEN(direct_terms); i++)
		if (str_has_prefix(term, direct_terms[i]))
			return true;
	return strcmp(term, "st") == 0;
}

static const char *
locale_text(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return value;
	}
	return NULL;
}

static bool
locale_is_utf8(bool when_unset)
{
	const char *text = locale_text();

	return text ? strcasestr(text, "UTF-8") || strcasestr(text, "UTF8") : when_unset;
}

static enum out_depth
depth_of(int colours)
{
	const char *no = getenv("NO_COLOR"), *more = getenv("COLORTERM");

	if ((no && *no) || (colours >= 0 && colours < 8))
		return DEPTH_MONO;
	if (more && (strcasecmp(more, "truecolor") == 0 || strcasecmp(more, "24bit") == 0))
		return DEPTH_RGB;
	if (colours > 256)
		return DEPTH_RGB;
	return colours >= 256 ? DEPTH_256 : colours >= 16 ? DEPTH_16 : DEPTH_8;
}

int
out_probe(struct out_config *config, const struct out_ops **ret, struct err *e)
{
	const char *term = getenv("TERM"), *more = getenv("COLORTERM");
	struct terminfo info = { .colours = -1 };
	bool direct;
	int r;

	if (!term || !*term)
		return err_set(e, -ENOTTY,
			"TERM: is not set; set it to the type of this terminal, for example "
			"xterm-256color");
	if (strcmp(term, "dumb") == 0)
		return err_set(e, -ENOTTY,
			"TERM: is dumb, which cannot show a screen; use the commands (sandesk "
			"help)");
	direct = is_direct(term);
	r = terminfo_probe(term, &info, e);
	if (r < 0 && !direct)
		return r;
	if (r < 0)
		info = (struct terminfo){ .colours = 256, .can_address = true };
	if (!info.can_address)
		return err_set(e, -ENOTTY,
			"TERM=%.40s: cannot place the cursor; use the commands (sandesk help)",
			term);
	direct = direct && (info.colours < 0 || info.colours >= 8 || getenv("NO_COLOR"));
	config->term = term;
	config->depth = depth_of(info.colours < 0 ? 0 : info.colours);
	config->is_utf8 = locale_is_utf8(direct);
	config->has_underline_styles =
		direct && (info.has_underline_styles || (more && !str_has_prefix(term, "screen") &&
								!str_has_prefix(term, "tmux")));
	config->has_scroll_region = direct;
	*ret = direct ? &out_direct : &out_curses;
	return 0;
}

const char *
out_queries(const struct out_ops *ops)
{
	return ops == &out_direct ? "\033[?2026$p\033[?u\033[>c\033]11;?\033\\\033[c" : "";
}

static void
add_base64(struct buf *to, const uint8_t *p, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3) {
		size_t n = len - i < 3 ? len - i : 3;
		uint32_t v = (uint32_t)p[i] << 16 | (n > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
			     (n > 2 ? p[i + 2] : 0u);
		char four[4] = { digits[v >> 18 & 63], digits[v >> 12 & 63],
			n > 1 ? digits[v >> 6 & 63] : '=', n > 2 ? digits[v & 63] : '=' };

		buf_add(to, four, sizeof four);
	}
}

bool
out_clipboard(const struct out_ops *ops, const void *bytes, size_t len, struct buf *to)
{
	if (ops != &out_direct)
		return false;
	buf_add_str(to, "\033]52;c;");
	add_base64(to, bytes, len);
	buf_add_str(to, "\033\\");
	return true;
}

static void
add_printable(struct buf *to, const char *text)
{
	size_t left = strlen(text), n;
	uint32_t cp;

	for (; left && (n = utf8_decode(text, left, &cp)); text += n, left -= n)
		if (cp >= 0x20 && cp != 0x7f && !(cp >= 0x80 && cp < 0xa0))
			buf_add(to, text, n);
}

void
out_notify(const struct out_ops *ops, const char *text, struct buf *to)
{
	const char *term = getenv("TERM"), *vte = getenv("VTE_VERSION"), *tmux = getenv("TMUX");
	bool is_777 = (vte && *vte) || (term && (str_has_prefix(term, "foot") ||
							str_has_prefix(term, "rxvt")));
	const char *esc = tmux && *tmux ? "\033\033" : "\033";

	if (ops != &out_direct)
		return;
	if (esc[1])
		buf_add_str(to, "\033Ptmux;");
	buf_addf(to, "%s]%s", esc, is_777 ? "777;notify;sandesk;" : "9;");
	add_printable(to, text);
	buf_add_char(to, '\a');
	if (esc[1])
		buf_add_str(to, "\033\\");
}

/* Keys first: kitty keeps them for each screen apart, and ours are the alternate one's. */
#define RESCUE(keys)                                                                               \
	"\030" keys "\033[?2026l\033[0m\033[r\033[?1006l\033[?1003l\033[?1002l\033[?1000l"         \
	"\033[?1004l\033[?2004l\033[?2031l\033[?25h\033[?1049l"

const char *
out_rescue(const struct out_ops *ops, enum out_keys keys)
{
	static const char *const rescue[] = { [OUT_KEYS_PLAIN] = RESCUE(""),
		[OUT_KEYS_OTHER] = RESCUE("\033[>4m"),
		[OUT_KEYS_KITTY] = RESCUE("\033[<u") };

	return ops == &out_direct ? rescue[keys] : "\033[0m\r\n";
}

char
out_ascii(uint32_t cp)
{
	if (cp >= 0x20 && cp < 0x7f)
		return (char)cp;
	switch (cp) {
	case 0x2500:
		return '-';
	case 0x2502:
		return '|';
	case 0x25b8:
		return '>';
	case 0x25be:
		return 'v';
	case 0x2026:
		return '~';
	case 0x2191:
		return '^';
	}
	return cp > 0x2500 && cp < 0x2580 ? '+' : '?';
}

/* ---- colours: xterm's default palette ---- */
static const uint32_t base16[] = { 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
	0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff,
	0xffffff };

static uint32_t
cube_level(uint32_t i)
{
	return i ? 55 + i * 40 : 0;
}

static uint32_t
index_rgb(uint32_t i)
{
	if (i < 16)
		return base16[i];
	if (i >= 232)
		return (8 + (i - 232) * 10) * 0x010101u;
	i -= 16;
	return cube_level(i / 36) << 16 | cube_level(i / 6 % 6) << 8 | cube_level(i % 6);
}

static uint32_t
distance(uint32_t a, uint32_t b)
{
	int r = (int)(a >> 16 & 255) - (int)(b >> 16 & 255),
	    g = (int)(a >> 8 & 255) - (int)(b >> 8 & 255), v = (int)(a & 255) - (int)(b & 255);

	return (uint32_t)(3 * r * r + 4 * g * g + 2 * v * v);
}

static uint32_t
nearest(uint32_t rgb, uint32_t first, uint32_t last)
{
	uint32_t best = first;

	for (uint32_t i = first; i <= last; i++)
		if (distance(rgb, index_rgb(i)) < distance(rgb, index_rgb(best)))
			best = i;
	return best;
}

uint32_t
out_reduce(uint32_t c, enum out_depth depth)
{
	enum colour_kind kind = colour_kind(c);
	uint32_t value = colour_value(c);

	if (kind == COLOUR_DEFAULT || depth == DEPTH_MONO)
		return 0;
	if (depth == DEPTH_RGB || (kind == COLOUR_NAMED && depth >= DEPTH_16) ||
		(kind == COLOUR_INDEX && depth == DEPTH_256))
		return c;
	if (kind == COLOUR_NAMED)
		return colour(COLOUR_NAMED, value & 7);
	if (kind == COLOUR_INDEX && value < 16)
		return colour(COLOUR_NAMED, depth == DEPTH_8 ? value & 7 : value);
	if (kind == COLOUR_INDEX)
		value = index_rgb(value);
	if (depth == DEPTH_256)
		return colour(COLOUR_INDEX, nearest(value, 16, 255));
	return colour(COLOUR_NAMED, nearest(value, 0, depth == DEPTH_8 ? 7 : 15));
}
