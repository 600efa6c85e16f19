#include "term/keyenc.h"

#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/utf8.h"
#include "term/term.h"

/* Keys that are sent as CSI with a letter (SS3 in application mode, or always for F1-F4) or with a
 * number and '~'. */
static const struct {
	uint8_t number; /* 0: a letter */
	char letter;
	bool always_ss3;
} key_forms[] = {
	[KEY_UP - KEY_FIRST] = { .letter = 'A' },
	[KEY_DOWN - KEY_FIRST] = { .letter = 'B' },
	[KEY_RIGHT - KEY_FIRST] = { .letter = 'C' },
	[KEY_LEFT - KEY_FIRST] = { .letter = 'D' },
	[KEY_HOME - KEY_FIRST] = { .letter = 'H' },
	[KEY_END - KEY_FIRST] = { .letter = 'F' },
	[KEY_INSERT - KEY_FIRST] = { .number = 2 },
	[KEY_DELETE - KEY_FIRST] = { .number = 3 },
	[KEY_PAGE_UP - KEY_FIRST] = { .number = 5 },
	[KEY_PAGE_DOWN - KEY_FIRST] = { .number = 6 },
	[KEY_F1 - KEY_FIRST] = { .letter = 'P', .always_ss3 = true },
	[KEY_F2 - KEY_FIRST] = { .letter = 'Q', .always_ss3 = true },
	[KEY_F3 - KEY_FIRST] = { .letter = 'R', .always_ss3 = true },
	[KEY_F4 - KEY_FIRST] = { .letter = 'S', .always_ss3 = true },
	[KEY_F5 - KEY_FIRST] = { .number = 15 },
	[KEY_F6 - KEY_FIRST] = { .number = 17 },
	[KEY_F7 - KEY_FIRST] = { .number = 18 },
	[KEY_F8 - KEY_FIRST] = { .number = 19 },
	[KEY_F9 - KEY_FIRST] = { .number = 20 },
	[KEY_F10 - KEY_FIRST] = { .number = 21 },
	[KEY_F11 - KEY_FIRST] = { .number = 23 },
	[KEY_F12 - KEY_FIRST] = { .number = 24 },
};

/* Bytes that stand for a character with Ctrl where clearing bits does not say it (xterm's table).
 */
static int
control_byte(uint32_t c)
{
	static const char from[] = " 2/345678?";
	static const char to[] = { 0, 0, 0x1f, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f, 0x7f, 0x7f };
	const char *at;

	if ((c >= 'a' && c <= 'z') || (c >= '@' && c <= '_'))
		return (int)(c & 0x1f);
	at = c < 0x80 && c ? strchr(from, (int)c) : NULL;
	return at ? to[at - from] : -1;
}

static void
encode_text(uint32_t c, uint8_t mods, struct buf *to)
{
	int control = mods & MOD_CTRL ? control_byte(c) : -1;
	char utf8[4];

	if (mods & MOD_ALT)
		buf_add_char(to, '\033');
	if (control >= 0)
		buf_add_char(to, (char)control);
	else
		buf_add(to, utf8, utf8_encode(c, utf8));
}

static void
encode_form(const struct term *t, unsigned i, uint8_t mods, struct buf *to)
{
	unsigned m = 1u + (mods & 15);

	if (key_forms[i].number && m > 1)
		buf_addf(to, "\033[%u;%u~", key_forms[i].number, m);
	else if (key_forms[i].number)
		buf_addf(to, "\033[%u~", key_forms[i].number);
	else if (m > 1)
		buf_addf(to, "\033[1;%u%c", m, key_forms[i].letter);
	else
		buf_addf(to, "\033%c%c",
			key_forms[i].always_ss3 || term_modes(t)->app_cursor ? 'O' : '[',
			key_forms[i].letter);
}

void
term_encode_key(const struct term *t, struct key key, struct buf *to)
{
	const struct term_modes *modes = term_modes(t);

	switch (key.code) {
	case KEY_ENTER:
	case KEY_KP_ENTER:
		if (key.code == KEY_KP_ENTER && modes->app_keypad) {
			buf_add_str(to, "\033OM");
			break;
		}
		encode_text('\r', key.mods & MOD_ALT, to);
		if (modes->newline)
			buf_add_char(to, '\n');
		break;
	case KEY_TAB:
		if (key.mods & MOD_SHIFT)
			buf_add_str(to, "\033[Z");
		else
			encode_text('\t', key.mods & MOD_ALT, to);
		break;
	case KEY_BACKSPACE:
		encode_text(key.mods & MOD_CTRL ? 0x08 : 0x7f, key.mods & MOD_ALT, to);
		break;
	case KEY_ESCAPE:
		encode_text(0x1b, key.mods & MOD_ALT, to);
		break;
	case KEY_SPACE:
		encode_text(' ', key.mods, to);
		break;
	default:
		if (key.code < KEY_FIRST)
			encode_text(key.code, key.mods, to);
		else if (key.code - KEY_FIRST < ARRAY_LEN(key_forms))
			encode_form(t, key.code - KEY_FIRST, key.mods, to);
		break;
	}
}

/* The button code of xterm's protocols; -1 when the program did not ask for such an event. */
static int
mouse_code(enum term_mouse mode, struct mouse m)
{
	int mods = (m.mods & MOD_SHIFT ? 4 : 0) | (m.mods & MOD_ALT ? 8 : 0) |
		   (m.mods & MOD_CTRL ? 16 : 0);
	int button = m.button >= 1 && m.button <= 3 ? m.button - 1 : 3;

	if (mode == TERM_MOUSE_X10)
		return m.kind == MOUSE_PRESS && button < 3 ? button : -1;
	switch (m.kind) {
	case MOUSE_PRESS:
	case MOUSE_RELEASE:
		return button < 3 ? button | mods : -1;
	case MOUSE_DRAG:
		return mode >= TERM_MOUSE_DRAG ? 32 + button + mods : -1;
	case MOUSE_MOVE:
		return mode == TERM_MOUSE_ALL ? 35 + mods : -1;
	case MOUSE_WHEEL_UP:
	case MOUSE_WHEEL_DOWN:
	case MOUSE_WHEEL_LEFT:
	case MOUSE_WHEEL_RIGHT:
		return 64 + (int)(m.kind - MOUSE_WHEEL_UP) + mods;
	}
	return -1;
}

void
term_encode_mouse(const struct term *t, struct mouse mouse, struct buf *to)
{
	const struct term_modes *modes = term_modes(t);
	struct size size = term_size(t);
	int code = modes->mouse == TERM_MOUSE_NONE ? -1 : mouse_code(modes->mouse, mouse);

	if (code < 0 || mouse.row >= size.rows || mouse.col >= size.cols)
		return;
	if (modes->mouse_sgr) {
		buf_addf(to, "\033[<%d;%u;%u%c", code, mouse.col + 1u, mouse.row + 1u,
			mouse.kind == MOUSE_RELEASE ? 'm' : 'M');
		return;
	}
	if (mouse.kind == MOUSE_RELEASE)
		code |= 3;
	if (mouse.row < 223 && mouse.col < 223)
		buf_addf(to, "\033[M%c%c%c", code + 32, mouse.col + 33, mouse.row + 33);
}

void
term_encode_focus(const struct term *t, bool has_focus, struct buf *to)
{
	if (term_modes(t)->focus_events)
		buf_add_str(to, has_focus ? "\033[I" : "\033[O");
}

void
term_encode_paste(const struct term *t, const void *text, size_t len, struct buf *to)
{
	bool bracketed = term_modes(t)->bracketed_paste;
	const char *s = text;
	uint32_t cp;
	size_t n;

	if (bracketed)
		buf_add_str(to, "\033[200~");
	for (size_t i = 0; i < len; i += n) {
		n = utf8_decode(s + i, len - i, &cp);
		if (!n) {
			n = 1; /* what is not text is not typed */
			continue;
		}
		if (cp == '\r' || cp == '\n') {
			if (cp == '\r' && i + 1 < len && s[i + 1] == '\n')
				n = 2;
			buf_add_char(to, '\r');
		} else if (cp == '\t' || (cp >= 0x20 && cp < 0x7f) || cp >= 0xa0) {
			buf_add(to, s + i, n);
		} else if (cp == 0x1b && len - i >= 6 && memcmp(s + i, "\033[201~", 6) == 0) {
			n = 6;
		}
	}
	if (bracketed)
		buf_add_str(to, "\033[201~");
}
