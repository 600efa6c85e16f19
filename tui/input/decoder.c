#include "input/decoder.h"

#include <string.h>

#include "sandesk/base/mem.h"
#include "sandesk/base/utf8.h"

enum { SEQUENCE_BYTES = 64, STRING_MAX = 4096, PARAMS = 8, SUBPARAMS = 3, PARAM_MAX = 0xffff };

enum state { GROUND, TEXT, ESCAPE, CSI, SS3, LINUX, X10, STRING, STRING_ESCAPE, PASTE };

struct decoder {
	decoder_fn *fn;
	void *arg;
	enum state state;
	bool has_alt; /* ESC stood before what is being read */
	/* of a CSI sequence, behind the bracket; of a UTF-8 character; of an X10 event */
	char seq[SEQUENCE_BYTES];
	size_t len;
	char introducer; /* of the string that is being read */
	struct buf string;
	bool expects_strings;
	struct buf paste;
	size_t ends; /* bytes of the paste's end that have come */
	bool is_cut;
};

static const char paste_end[] = "\033[201~";

struct decoder *
decoder_new(decoder_fn *fn, void *arg)
{
	struct decoder *d = mem_new(struct decoder);

	d->fn = fn;
	d->arg = arg;
	buf_init(&d->paste, PASTE_BYTES);
	buf_init(&d->string, STRING_MAX);
	return d;
}

void
decoder_free(struct decoder *d)
{
	if (!d)
		return;
	buf_fini(&d->paste);
	buf_fini(&d->string);
	mem_free(d);
}

void
decoder_expect_strings(struct decoder *d, bool on)
{
	d->expects_strings = on;
}

static void
emit_key(struct decoder *d, uint32_t code, unsigned mods)
{
	struct event e = { .kind = EVENT_KEY, .key = { .code = code, .mods = (uint8_t)mods } };

	if (d->has_alt)
		e.key.mods |= MOD_ALT;
	d->has_alt = false;
	d->state = GROUND;
	if (code)
		d->fn(&e, d->arg);
}

/* ---- sequences ---- */
struct params {
	char prefix, intermediate;
	uint32_t v[PARAMS][SUBPARAMS];
	bool is_given[PARAMS];
	unsigned n;
};

static struct params
parse_params(const char *text, size_t len)
{
	struct params p = { 0 };
	unsigned sub = 0, i = 0;

	for (size_t at = 0; at < len; at++) {
		char c = text[at];

		if (c >= '0' && c <= '9') {
			if (i < PARAMS && sub < SUBPARAMS) {
				uint32_t v = p.v[i][sub] * 10 + (uint32_t)(c - '0');

				p.v[i][sub] = v > 0x10ffff + 1 ? 0x10ffff + 1 : v;
				p.is_given[i] = true;
				p.n = i + 1;
			}
		} else if (c == ';') {
			i++;
			sub = 0;
			p.n = i < PARAMS ? i + 1 : PARAMS;
		} else if (c == ':') {
			sub++;
		} else if (c >= '<' && c <= '?') {
			p.prefix = c;
		} else {
			p.intermediate = c;
		}
	}
	return p;
}

/* xterm's and kitty's modifier parameter: 1 + shift 1, alt 2, ctrl 4, super 8; locks above are
 * dropped. */
static unsigned
mods_of(uint32_t param)
{
	unsigned m = param && param <= 256 ? (param - 1) & 0x3f : 0;

	return (m & 1 ? MOD_SHIFT : 0) | (m & (2 | 32) ? MOD_ALT : 0) | (m & 4 ? MOD_CTRL : 0) |
	       (m & 8 ? MOD_SUPER : 0);
}

static const struct {
	char final;
	uint32_t code;
} letter_keys[] = { { 'A', KEY_UP }, { 'B', KEY_DOWN }, { 'C', KEY_RIGHT }, { 'D', KEY_LEFT },
	{ 'H', KEY_HOME }, { 'F', KEY_END }, { 'P', KEY_F1 }, { 'Q', KEY_F2 }, { 'R', KEY_F3 },
	{ 'S', KEY_F4 }, { 'E', 0 } };

static const uint32_t tilde_keys[] = { [1] = KEY_HOME,
	[2] = KEY_INSERT,
	[3] = KEY_DELETE,
	[4] = KEY_END,
	[5] = KEY_PAGE_UP,
	[6] = KEY_PAGE_DOWN,
	[7] = KEY_HOME,
	[8] = KEY_END,
	[11] = KEY_F1,
	[12] = KEY_F2,
	[13] = KEY_F3,
	[14] = KEY_F4,
	[15] = KEY_F5,
	[17] = KEY_F6,
	[18] = KEY_F7,
	[19] = KEY_F8,
	[20] = KEY_F9,
	[21] = KEY_F10,
	[23] = KEY_F11,
	[24] = KEY_F12 };

static const struct {
	char final;
	uint32_t code;
} ss3_keys[] = { { 'M', KEY_KP_ENTER }, { 'I', KEY_TAB }, { 'X', '=' }, { ' ', ' ' }, { 'j', '*' },
	{ 'k', '+' }, { 'l', ',' }, { 'm', '-' }, { 'n', '.' }, { 'o', '/' }, { 'p', '0' },
	{ 'q', '1' }, { 'r', '2' }, { 's', '3' }, { 't', '4' }, { 'u', '5' }, { 'v', '6' },
	{ 'w', '7' }, { 'x', '8' }, { 'y', '9' } };

/* kitty's numbers of keys without text, from 57344 on. */
static const struct {
	uint32_t number, code;
} kitty_keys[] = { { 57399, '0' }, { 57400, '1' }, { 57401, '2' }, { 57402, '3' }, { 57403, '4' },
	{ 57404, '5' }, { 57405, '6' }, { 57406, '7' }, { 57407, '8' }, { 57408, '9' },
	{ 57409, '.' }, { 57410, '/' }, { 57411, '*' }, { 57412, '-' }, { 57413, '+' },
	{ 57414, KEY_KP_ENTER }, { 57415, '=' }, { 57417, KEY_LEFT }, { 57418, KEY_RIGHT },
	{ 57419, KEY_UP }, { 57420, KEY_DOWN }, { 57421, KEY_PAGE_UP }, { 57422, KEY_PAGE_DOWN },
	{ 57423, KEY_HOME }, { 57424, KEY_END }, { 57425, KEY_INSERT }, { 57426, KEY_DELETE } };

static uint32_t
letter_key(char final)
{
	for (size_t i = 0; i < ARRAY_LEN(letter_keys); i++)
		if (letter_keys[i].final == final)
			return letter_keys[i].code;
	return 0;
}

/* A key given by its code point: CSI u and modifyOtherKeys. */
static void
emit_code(struct decoder *d, uint32_t cp, uint32_t shifted, unsigned mods)
{
	static const struct {
		uint32_t cp, code;
	} named[] = { { 8, KEY_BACKSPACE }, { 9, KEY_TAB }, { 13, KEY_ENTER }, { 27, KEY_ESCAPE },
		{ 127, KEY_BACKSPACE } };

	for (size_t i = 0; i < ARRAY_LEN(named); i++)
		if (named[i].cp == cp) {
			emit_key(d, named[i].code, mods);
			return;
		}
	for (size_t i = 0; i < ARRAY_LEN(kitty_keys); i++)
		if (kitty_keys[i].number == cp) {
			emit_key(d, kitty_keys[i].code, mods);
			return;
		}
	if (cp < 0x20 || cp > 0x10ffff || (cp >= 0xe000 && cp <= 0xf8ff)) {
		emit_key(d, 0, 0); /* lone modifiers and media keys */
		return;
	}
	if ((mods & MOD_SHIFT) && shifted)
		cp = shifted;
	else if ((mods & MOD_SHIFT) && cp >= 'a' && cp <= 'z' && !(mods & MOD_CTRL))
		cp -= 'a' - 'A';
	if (mods & MOD_CTRL) {
		if (cp >= 'A' && cp <= 'Z')
			cp += 'a' - 'A';
		emit_key(d, cp, mods);
	} else {
		emit_key(d, cp, cp == ' ' ? mods : mods & ~(unsigned)MOD_SHIFT);
	}
}

static void
emit_mouse(struct decoder *d, unsigned bits, unsigned col, unsigned row, bool is_release)
{
	static const enum mouse_kind wheels[] = { MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN,
		MOUSE_WHEEL_LEFT, MOUSE_WHEEL_RIGHT };
	struct event e = { .kind = EVENT_MOUSE };
	unsigned button = bits & 3;

	d->state = GROUND;
	d->has_alt = false;
	if (!col || !row || bits >= 128)
		return;
	e.mouse.row = (uint16_t)(row - 1);
	e.mouse.col = (uint16_t)(col - 1);
	e.mouse.mods = (uint8_t)((bits & 4 ? MOD_SHIFT : 0) | (bits & 8 ? MOD_ALT : 0) |
				 (bits & 16 ? MOD_CTRL : 0));
	if (bits & 64)
		e.mouse.kind = wheels[button];
	else if (bits & 32)
		e.mouse.kind = button == 3 ? MOUSE_MOVE : MOUSE_DRAG;
	else
		e.mouse.kind = is_release || button == 3 ? MOUSE_RELEASE : MOUSE_PRESS;
	if (!(bits & 64) && button != 3)
		e.mouse.button = (uint8_t)(button + 1);
	d->fn(&e, d->arg);
}

static void
emit_reply(struct decoder *d, const struct params *p, char final)
{
	struct event e = { .kind = EVENT_REPLY,
		.reply = { p->prefix, p->intermediate, final, { 0 }, p->n } };

	d->state = GROUND;
	d->has_alt = false;
	for (unsigned i = 0; i < p->n; i++)
		e.reply.params[i] = (uint16_t)(p->v[i][0] > PARAM_MAX ? PARAM_MAX : p->v[i][0]);
	d->fn(&e, d->arg);
}

static void
emit_focus(struct decoder *d, bool has_focus)
{
	struct event e = { .kind = EVENT_FOCUS, .has_focus = has_focus };

	d->state = GROUND;
	d->has_alt = false;
	d->fn(&e, d->arg);
}

static void
start_paste(struct decoder *d)
{
	d->state = PASTE;
	d->has_alt = false;
	d->ends = 0;
	d->is_cut = false;
	buf_reset(&d->paste);
}

static void
finish_paste(struct decoder *d)
{
	struct event e = { .kind = EVENT_PASTE,
		.paste = { d->paste.data, d->paste.len, d->is_cut } };

	d->state = GROUND;
	if (d->paste.len)
		d->fn(&e, d->arg);
	buf_fini(&d->paste);
}

static void
run_tilde(struct decoder *d, const struct params *p, char final)
{
	uint32_t n = p->v[0][0], code = n < ARRAY_LEN(tilde_keys) ? tilde_keys[n] : 0;
	unsigned mods = mods_of(p->v[1][0]);

	if (n == 200)
		start_paste(d);
	else if (n == 27 && p->n >= 3)
		emit_code(d, p->v[2][0], 0, mods);
	else if (p->v[1][1] == 3) /* kitty: the key was let go */
		emit_key(d, 0, 0);
	else /* rxvt writes Shift as $, Ctrl as ^, both as @ */
		emit_key(d, code,
			mods | (final == '$' || final == '@' ? MOD_SHIFT : 0) |
				(final == '^' || final == '@' ? MOD_CTRL : 0));
}

static void
run_csi(struct decoder *d, char final)
{
	struct params p = parse_params(d->seq, d->len);
	unsigned mods = mods_of(p.v[1][0]);

	if (p.prefix == '<' && (final == 'M' || final == 'm'))
		emit_mouse(d, p.v[0][0], p.v[1][0], p.v[2][0], final == 'm');
	else if (p.prefix || (p.intermediate && final != '~'))
		emit_reply(d, &p, final);
	else if (final == '~' || final == '^' || final == '$' || final == '@')
		run_tilde(d, &p, final);
	else if (final == 'u')
		emit_code(d, p.v[1][1] == 3 ? 0 : p.v[0][0], p.v[0][1], mods);
	else if (final == 'Z')
		emit_key(d, KEY_TAB, MOD_SHIFT | mods);
	else if ((final == 'I' || final == 'O') && !p.n)
		emit_focus(d, final == 'I');
	else if (final >= 'a' && final <= 'd' && !p.n)
		emit_key(d, letter_key((char)(final - 'a' + 'A')), MOD_SHIFT); /* rxvt */
	else if (final == 'R' && p.v[0][0] > 1)
		emit_reply(d, &p, final); /* a position; F3 with modifiers begins with 1 */
	else
		emit_key(d, p.v[1][1] == 3 ? 0 : letter_key(final), mods);
}

static void
run_ss3(struct decoder *d, char final)
{
	for (size_t i = 0; i < ARRAY_LEN(ss3_keys); i++)
		if (ss3_keys[i].final == final) {
			emit_key(d, ss3_keys[i].code, 0);
			return;
		}
	if (final >= 'a' && final <= 'd')
		emit_key(d, letter_key((char)(final - 'a' + 'A')), MOD_CTRL); /* rxvt */
	else
		emit_key(d, letter_key(final), 0);
}

/* ---- bytes ---- */
static void
ground(struct decoder *d, uint8_t b)
{
	d->len = 0;
	if (b >= 0x80) {
		d->seq[d->len++] = (char)b;
		d->state = TEXT;
	} else if (b == 0x1b) {
		d->state = ESCAPE;
	} else if (b == '\r' || b == '\t' || b == 0x7f) {
		emit_key(d, b == '\r' ? KEY_ENTER : b == '\t' ? KEY_TAB : KEY_BACKSPACE, 0);
	} else if (b == 0) {
		emit_key(d, ' ', MOD_CTRL);
	} else if (b < 0x20) {
		emit_key(d, b <= 26 ? b + 'a' - 1u : b + '@' + 0u, MOD_CTRL);
	} else {
		emit_key(d, b, 0);
	}
}

static void
text(struct decoder *d, uint8_t b)
{
	uint8_t first = (uint8_t)d->seq[0];
	size_t need = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
	uint32_t cp;

	if ((b & 0xc0) != 0x80) { /* cut short: drop what there was */
		d->state = GROUND;
		d->has_alt = false;
		ground(d, b);
		return;
	}
	d->seq[d->len++] = (char)b;
	if (d->len < need)
		return;
	emit_key(d, utf8_decode(d->seq, d->len, &cp) == d->len ? cp : 0, 0);
}

static void
escape(struct decoder *d, uint8_t b)
{
	d->len = 0;
	if (b == 0x1b) {
		if (d->has_alt) /* a third ESC: the first was a key */
			emit_key(d, KEY_ESCAPE, 0);
		d->has_alt = true;
		d->state = ESCAPE;
	} else if (b == '[') {
		d->state = CSI;
	} else if (b == 'O') {
		d->state = SS3;
	} else if (d->expects_strings && strchr("]P_^X", b) && b) {
		d->state = STRING;
		d->introducer = (char)b;
		buf_reset(&d->string);
	} else {
		d->has_alt = true;
		d->state = GROUND;
		ground(d, b);
	}
}

static void
csi(struct decoder *d, uint8_t b)
{
	if (d->len == 0 && b == '[') {
		d->state = LINUX;
	} else if (d->len == 0 && b == 'M') {
		d->state = X10;
	} else if (b == 0x1b) {
		d->state = GROUND;
		d->has_alt = false;
		ground(d, b);
	} else if (b < 0x20 || b >= 0x7f) {
		d->state = GROUND;
		d->has_alt = false;
	} else if (b >= 0x40 || b == '^' || b == '$') {
		/* '$' ends a key of rxvt, but is an intermediate of a mode report, which has a
		 * prefix */
		if (b == '$' && d->len && d->seq[0] == '?')
			d->seq[d->len < SEQUENCE_BYTES ? d->len++ : d->len - 1] = (char)b;
		else
			run_csi(d, (char)b);
	} else if (d->len < SEQUENCE_BYTES) {
		d->seq[d->len++] = (char)b;
	}
}

static void
x10(struct decoder *d, uint8_t b)
{
	d->seq[d->len++] = (char)b;
	if (d->len < 3)
		return;
	emit_mouse(d, (uint8_t)d->seq[0] - 32u, (uint8_t)d->seq[1] - 32u, (uint8_t)d->seq[2] - 32u,
		false);
}

static void
emit_string(struct decoder *d)
{
	struct event e = { .kind = EVENT_STRING,
		.string = { d->introducer, d->string.data ? d->string.data : "", d->string.len } };

	d->state = GROUND;
	d->fn(&e, d->arg);
}

static void
string(struct decoder *d, uint8_t b)
{
	if (b == 0x1b)
		d->state = STRING_ESCAPE;
	else if (b == 7)
		emit_string(d);
	else if (b == 0x18 || b == 0x1a || buf_add_char(&d->string, (char)b) < 0)
		d->state = GROUND;
	if (d->state == GROUND)
		d->has_alt = false;
}

static void
step(struct decoder *d, uint8_t b)
{
	switch (d->state) {
	case GROUND:
		ground(d, b);
		break;
	case TEXT:
		text(d, b);
		break;
	case ESCAPE:
		escape(d, b);
		break;
	case CSI:
		csi(d, b);
		break;
	case SS3:
		run_ss3(d, (char)b);
		break;
	case LINUX:
		emit_key(d, b >= 'A' && b <= 'E' ? KEY_F1 + (b - 'A') + 0u : 0, 0);
		break;
	case X10:
		x10(d, b);
		break;
	case STRING:
		string(d, b);
		break;
	case STRING_ESCAPE:
		d->has_alt = false;
		if (b == '\\') {
			emit_string(d);
		} else {
			d->state = ESCAPE;
			escape(d, b);
		}
		break;
	case PASTE:
		break;
	}
}

/* Takes bytes of a paste; returns how many. The end may come in pieces. */
static size_t
take_paste(struct decoder *d, const char *p, size_t len)
{
	for (size_t at = 0; at < len; at++) {
		size_t had = d->ends;

		if (p[at] == paste_end[d->ends]) {
			if (++d->ends == sizeof paste_end - 1) {
				finish_paste(d);
				return at + 1;
			}
			continue;
		}
		d->ends = p[at] == paste_end[0];
		if (had && buf_add(&d->paste, paste_end, had) < 0)
			d->is_cut = true;
		if (!d->ends && buf_add_char(&d->paste, p[at]) < 0)
			d->is_cut = true;
	}
	return len;
}

void
decoder_feed(struct decoder *d, const void *bytes, size_t len)
{
	const char *p = bytes;

	while (len) {
		size_t n = 1;

		if (d->state == PASTE)
			n = take_paste(d, p, len);
		else
			step(d, (uint8_t)*p);
		p += n;
		len -= n;
	}
}

int
decoder_waits(const struct decoder *d)
{
	switch (d->state) {
	case ESCAPE:
		return DECODER_ESCAPE_MS;
	case GROUND:
		return 0;
	default: /* the rest of something that was begun: a slow link may need long */
		return DECODER_PASTE_MS;
	}
}

void
decoder_expire(struct decoder *d)
{
	switch (d->state) {
	case ESCAPE:
		emit_key(d, KEY_ESCAPE, 0);
		break;
	case PASTE:
		buf_add(&d->paste, paste_end, d->ends);
		finish_paste(d);
		break;
	case CSI:
	case SS3:
		if (d->len == 0) {
			d->has_alt = true;
			emit_key(d, d->state == CSI ? '[' : 'O', 0);
		}
		break;
	default:
		break;
	}
	d->state = GROUND;
	d->has_alt = false;
}
