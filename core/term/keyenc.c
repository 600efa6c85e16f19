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

static bool
is_text(struct key k)
{
	return k.code < KEY_FIRST || k.code == KEY_SPACE;
}

/* -- the kitty keyboard protocol -- */

enum { KITTY_KP_ENTER = 57414 };

struct kitty_key {
	uint32_t code, shifted, base, text;
	unsigned mods;
	uint8_t event;
	char final;
};

static bool
is_upper(uint32_t c)
{
	return c >= 'A' && c <= 'Z';
}

/* The key without Shift, which `code` may hide: 'A' is Shift and 'a'. */
static void
kitty_text(struct key key, struct kitty_key *k)
{
	uint32_t c = key.code == KEY_SPACE ? ' ' : key.code;

	k->code = key.unshifted ? key.unshifted : is_upper(c) ? c + ('a' - 'A') : c;
	if (k->code != c)
		k->mods |= MOD_SHIFT;
	if (k->mods & MOD_SHIFT)
		k->shifted = k->code != c ? c : c >= 'a' && c <= 'z' ? c - ('a' - 'A') : 0;
	k->text = key.text ? key.text : k->shifted ? k->shifted : c;
	k->base = key.base != k->code ? key.base : 0;
	k->final = 'u';
}

static bool
kitty_function(struct key key, struct kitty_key *k)
{
	static const struct {
		uint32_t key, code;
	} codes[] = { { KEY_ESCAPE, 27 }, { KEY_ENTER, 13 }, { KEY_TAB, 9 }, { KEY_BACKSPACE, 127 },
		{ KEY_KP_ENTER, KITTY_KP_ENTER } };

	k->final = 'u';
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (codes[i].key == key.code) {
			k->code = codes[i].code;
			return true;
		}
	if (key.code - KEY_FIRST >= ARRAY_LEN(key_forms))
		return false;
	k->code = key_forms[key.code - KEY_FIRST].number;
	k->final = '~';
	if (key.code == KEY_F3) { /* its letter would be a cursor report */
		k->code = 13;
	} else if (!k->code) {
		k->code = 1;
		k->final = key_forms[key.code - KEY_FIRST].letter;
	}
	return true;
}

static void
kitty_write(const struct kitty_key *k, uint8_t flags, struct buf *to)
{
	bool has_event = flags & TERM_KITTY_EVENTS && k->event != KEY_PRESS;
	bool has_second = k->mods || has_event;
	bool has_text = flags & TERM_KITTY_TEXT && flags & TERM_KITTY_ALL && k->text &&
			k->event != KEY_RELEASE && !(k->mods & (MOD_CTRL | MOD_ALT | MOD_SUPER));
	bool has_others = flags & TERM_KITTY_ALTERNATES && (k->shifted || k->base);

	buf_add_str(to, "\033[");
	if (k->code != 1 || has_second || has_text || has_others)
		buf_addf(to, "%u", k->code);
	if (has_others && k->shifted)
		buf_addf(to, ":%u", k->shifted);
	if (has_others && k->base)
		buf_addf(to, k->shifted ? ":%u" : "::%u", k->base);
	if (has_second || has_text)
		buf_add_char(to, ';');
	if (has_second)
		buf_addf(to, "%u", 1 + k->mods);
	if (has_event)
		buf_addf(to, ":%u", k->event + 1u);
	if (has_text)
		buf_addf(to, ";%u", k->text);
	buf_add_char(to, k->final);
}

/* Is the key to be sent as ever, although the protocol is in force? */
static bool
kitty_is_plain(struct key key, uint8_t flags)
{
	bool has_mods = key.mods & (MOD_CTRL | MOD_ALT | MOD_SUPER);

	if (flags & TERM_KITTY_ALL || key.event == KEY_RELEASE)
		return false;
	if (is_text(key))
		return !has_mods || !(flags & TERM_KITTY_DISAMBIGUATE);
	if (key.code == KEY_ENTER || key.code == KEY_TAB || key.code == KEY_BACKSPACE)
		return !key.mods || !(flags & TERM_KITTY_DISAMBIGUATE);
	if (key.code == KEY_ESCAPE || key.code == KEY_KP_ENTER)
		return !(flags & TERM_KITTY_DISAMBIGUATE);
	return false;
}

/* Releases of keys that a shell needs to stay usable are told only when all keys are. */
static bool
kitty_is_silent(struct key key, uint8_t flags)
{
	if (key.event != KEY_RELEASE)
		return false;
	return !(flags & TERM_KITTY_EVENTS) ||
	       (!(flags & TERM_KITTY_ALL) &&
		       (key.code == KEY_ENTER || key.code == KEY_TAB || key.code == KEY_BACKSPACE));
}

/* True when the key is dealt with. */
static bool
encode_kitty(uint8_t flags, struct key key, struct buf *to)
{
	struct kitty_key k = { .mods = key.mods & 15u, .event = key.event };

	if (!(flags & (TERM_KITTY_DISAMBIGUATE | TERM_KITTY_EVENTS | TERM_KITTY_ALL)) ||
		kitty_is_plain(key, flags))
		return false;
	if (kitty_is_silent(key, flags))
		return true;
	if (is_text(key))
		kitty_text(key, &k);
	else if (!kitty_function(key, &k))
		return true;
	kitty_write(&k, flags, to);
	return true;
}

/* -- xterm's modifyOtherKeys -- */

/* The code of a key that is sent in this form; 0: it is sent as ever. 1: only what cannot be told
 * otherwise; 2: everything that is modified but by Shift alone. */
static uint32_t
other_code(unsigned how, struct key key)
{
	bool has_mods = key.mods & (MOD_CTRL | MOD_ALT | MOD_SUPER);
	uint32_t c = key.code == KEY_SPACE ? ' ' : key.code;

	if (!how || !key.mods)
		return 0;
	switch (key.code) {
	case KEY_ENTER:
		return '\r';
	case KEY_TAB:
		return key.mods != MOD_SHIFT ? '\t' : 0; /* that is CSI Z */
	case KEY_ESCAPE:
		return 0x1b;
	case KEY_BACKSPACE:
		return how == 2 ? 0x7f : 0;
	default:
		break;
	}
	if (!is_text(key) || (!has_mods && c != ' '))
		return 0;
	if (how == 2)
		return key.mods & MOD_SHIFT && c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
	return key.mods & MOD_CTRL && control_byte(c) < 0 ? c : 0;
}

void
term_encode_key(const struct term *t, struct key key, struct buf *to)
{
	const struct term_modes *modes = term_modes(t);
	uint32_t other;

	if (encode_kitty(modes->kitty, key, to) || key.event == KEY_RELEASE)
		return;
	other = modes->kitty ? 0 : other_code(modes->modify_other, key);
	if (other) {
		buf_addf(to, "\033[27;%u;%u~", 1u + (key.mods & 15), other);
		return;
	}
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
		encode_text(!(key.mods & MOD_CTRL) == modes->backspace_is_bs ? 0x08 : 0x7f,
			key.mods & MOD_ALT, to);
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

/* Alternate scroll: a pager moves by the wheel without knowing of mice. */
enum { WHEEL_LINES = 3 };

static void
encode_wheel(const struct term *t, enum mouse_kind kind, struct buf *to)
{
	uint32_t code = kind == MOUSE_WHEEL_UP ? KEY_UP : KEY_DOWN;

	for (int i = 0; i < WHEEL_LINES; i++)
		encode_form(t, code - KEY_FIRST, 0, to);
}

void
term_encode_mouse(const struct term *t, struct mouse mouse, struct buf *to)
{
	const struct term_modes *modes = term_modes(t);
	unsigned width = 1, height = 1, x, y;
	struct size size = term_size(t);
	int code = modes->mouse == TERM_MOUSE_NONE ? -1 : mouse_code(modes->mouse, mouse);

	if (modes->mouse == TERM_MOUSE_NONE && modes->alternate && modes->alternate_scroll &&
		(mouse.kind == MOUSE_WHEEL_UP || mouse.kind == MOUSE_WHEEL_DOWN))
		encode_wheel(t, mouse.kind, to);
	if (code < 0 || mouse.row >= size.rows || mouse.col >= size.cols)
		return;
	if (modes->mouse_sgr || modes->mouse_pixels) {
		if (modes->mouse_pixels)
			term_cell_pixels(t, &width, &height);
		x = mouse.col * width + width / 2 + 1;
		y = mouse.row * height + height / 2 + 1;
		buf_addf(to, "\033[<%d;%u;%u%c", code, x, y,
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
