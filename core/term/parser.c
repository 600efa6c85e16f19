/* parser.c - bytes to actions: the DEC parser as a table.
 *
 *            .---------- ESC from anywhere ----------.
 *   GROUND --+--> ESC --> ESC_INTER --(final)--> esc_dispatch
 *                  |-- [ --> CSI_ENTRY/PARAM/INTER --(final)--> csi_dispatch
 *                  |         of a bad form: CSI_IGNORE until the final
 *                  |-- P --> DCS_ENTRY/PARAM/INTER --(final)--> DCS_PASS until ST: dcs_dispatch
 *                  |-- ] --> OSC: collected until BEL or ST, then osc_dispatch
 *                  `-- X ^ _ --> STRING: swallowed until ST
 * CAN and SUB abort whatever is running. Control characters inside ESC and CSI are carried out at
 * once, as a VT does. Source: Paul Williams, "A parser for DEC's ANSI-compatible video terminals".
 */
#include "term/screen.h"

#include <endian.h>
#include <string.h>

/* clang-format off */ /* tables read by their rows */
enum class {
	C_CONTROL, C_BELL, C_CANCEL, C_ESC, C_INTER, C_DIGIT, C_COLON, C_SEMI, C_PRIVATE, C_FINAL, C_DCS,
	C_SOS, C_CSI, C_ST, C_OSC, C_PM, C_DEL, C_HIGH, C_COUNT
};

static const uint8_t classes[256] = {
	[0x00 ... 0x06] = C_CONTROL, [0x07] = C_BELL, [0x08 ... 0x17] = C_CONTROL, [0x18] = C_CANCEL, [0x19] = C_CONTROL,
	[0x1a] = C_CANCEL, [0x1b] = C_ESC, [0x1c ... 0x1f] = C_CONTROL, [0x20 ... 0x2f] = C_INTER, [0x30 ... 0x39] = C_DIGIT,
	[0x3a] = C_COLON, [0x3b] = C_SEMI, [0x3c ... 0x3f] = C_PRIVATE, [0x40 ... 0x4f] = C_FINAL, [0x50] = C_DCS,
	[0x51 ... 0x57] = C_FINAL, [0x58] = C_SOS, [0x59 ... 0x5a] = C_FINAL, [0x5b] = C_CSI, [0x5c] = C_ST, [0x5d] = C_OSC,
	[0x5e ... 0x5f] = C_PM, [0x60 ... 0x7e] = C_FINAL, [0x7f] = C_DEL, [0x80 ... 0xff] = C_HIGH,
};

enum action { A_NONE, A_EXECUTE, A_COLLECT, A_DIGIT, A_NEXT, A_SUB, A_PRIVATE, A_ESC, A_CSI, A_HOOK };

#define GO(action, state) (uint8_t)((action) << 4 | (state))
#define EXECUTES(state) [C_CONTROL ... C_BELL] = GO(A_EXECUTE, state)
#define ABORTS [C_CANCEL] = GO(A_NONE, STATE_GROUND), [C_ESC] = GO(A_NONE, STATE_ESC)
#define STAYS(state) [C_DEL ... C_HIGH] = GO(A_NONE, state)

/* Rows: states; columns: classes of bytes. GROUND and the strings have loops of their own. */
static const uint8_t table[STATE_COUNT][C_COUNT] = {
	[STATE_ESC] = { EXECUTES(STATE_ESC), ABORTS, STAYS(STATE_ESC), [C_INTER] = GO(A_COLLECT, STATE_ESC_INTER),
		[C_DIGIT ... C_FINAL] = GO(A_ESC, STATE_GROUND), [C_DCS] = GO(A_NONE, STATE_DCS_ENTRY),
		[C_SOS] = GO(A_NONE, STATE_STRING), [C_CSI] = GO(A_NONE, STATE_CSI_ENTRY),
		[C_ST] = GO(A_ESC, STATE_GROUND), [C_OSC] = GO(A_NONE, STATE_OSC), [C_PM] = GO(A_NONE, STATE_STRING) },
	[STATE_ESC_INTER] = { EXECUTES(STATE_ESC_INTER), ABORTS, STAYS(STATE_ESC_INTER),
		[C_INTER] = GO(A_COLLECT, STATE_ESC_INTER), [C_DIGIT ... C_PM] = GO(A_ESC, STATE_GROUND) },
	[STATE_CSI_ENTRY] = { EXECUTES(STATE_CSI_ENTRY), ABORTS, STAYS(STATE_CSI_ENTRY),
		[C_INTER] = GO(A_COLLECT, STATE_CSI_INTER), [C_DIGIT] = GO(A_DIGIT, STATE_CSI_PARAM),
		[C_COLON] = GO(A_SUB, STATE_CSI_PARAM), [C_SEMI] = GO(A_NEXT, STATE_CSI_PARAM),
		[C_PRIVATE] = GO(A_PRIVATE, STATE_CSI_PARAM), [C_FINAL ... C_PM] = GO(A_CSI, STATE_GROUND) },
	[STATE_CSI_PARAM] = { EXECUTES(STATE_CSI_PARAM), ABORTS, STAYS(STATE_CSI_PARAM),
		[C_INTER] = GO(A_COLLECT, STATE_CSI_INTER), [C_DIGIT] = GO(A_DIGIT, STATE_CSI_PARAM),
		[C_COLON] = GO(A_SUB, STATE_CSI_PARAM), [C_SEMI] = GO(A_NEXT, STATE_CSI_PARAM),
		[C_PRIVATE] = GO(A_NONE, STATE_CSI_IGNORE), [C_FINAL ... C_PM] = GO(A_CSI, STATE_GROUND) },
	[STATE_CSI_INTER] = { EXECUTES(STATE_CSI_INTER), ABORTS, STAYS(STATE_CSI_INTER),
		[C_INTER] = GO(A_COLLECT, STATE_CSI_INTER), [C_DIGIT ... C_PRIVATE] = GO(A_NONE, STATE_CSI_IGNORE),
		[C_FINAL ... C_PM] = GO(A_CSI, STATE_GROUND) },
	[STATE_CSI_IGNORE] = { EXECUTES(STATE_CSI_IGNORE), ABORTS, STAYS(STATE_CSI_IGNORE),
		[C_INTER ... C_PRIVATE] = GO(A_NONE, STATE_CSI_IGNORE), [C_FINAL ... C_PM] = GO(A_NONE, STATE_GROUND) },
	[STATE_DCS_ENTRY] = { [C_CONTROL ... C_BELL] = GO(A_NONE, STATE_DCS_ENTRY), ABORTS, STAYS(STATE_DCS_ENTRY),
		[C_INTER] = GO(A_COLLECT, STATE_DCS_INTER), [C_DIGIT] = GO(A_DIGIT, STATE_DCS_PARAM),
		[C_COLON] = GO(A_NONE, STATE_DCS_IGNORE), [C_SEMI] = GO(A_NEXT, STATE_DCS_PARAM),
		[C_PRIVATE] = GO(A_PRIVATE, STATE_DCS_PARAM), [C_FINAL ... C_PM] = GO(A_HOOK, STATE_DCS_PASS) },
	[STATE_DCS_PARAM] = { [C_CONTROL ... C_BELL] = GO(A_NONE, STATE_DCS_PARAM), ABORTS, STAYS(STATE_DCS_PARAM),
		[C_INTER] = GO(A_COLLECT, STATE_DCS_INTER), [C_DIGIT] = GO(A_DIGIT, STATE_DCS_PARAM),
		[C_COLON] = GO(A_NONE, STATE_DCS_IGNORE), [C_SEMI] = GO(A_NEXT, STATE_DCS_PARAM),
		[C_PRIVATE] = GO(A_NONE, STATE_DCS_IGNORE), [C_FINAL ... C_PM] = GO(A_HOOK, STATE_DCS_PASS) },
	[STATE_DCS_INTER] = { [C_CONTROL ... C_BELL] = GO(A_NONE, STATE_DCS_INTER), ABORTS, STAYS(STATE_DCS_INTER),
		[C_INTER] = GO(A_COLLECT, STATE_DCS_INTER), [C_DIGIT ... C_PRIVATE] = GO(A_NONE, STATE_DCS_IGNORE),
		[C_FINAL ... C_PM] = GO(A_HOOK, STATE_DCS_PASS) },
};
/* clang-format on */

/* A sequence begins: nothing of the one before may be seen. */
static void
parser_clear(struct parser *p)
{
	p->private_mark = 0;
	p->inter_count = 0;
	p->inter[0] = p->inter[1] = 0;
	p->count = 0;
	p->overflow = false;
	p->subs = p->given = 0;
	p->params[0] = 0;
}

/* So does a string. */
static void
string_begin(struct parser *p)
{
	p->string_len = 0;
	p->string_esc = 0;
	p->string.len = 0;
}

static void
param_digit(struct parser *p, uint8_t c)
{
	uint32_t at = p->count, v;

	if (p->overflow)
		return;
	v = p->params[at] * 10u + (c - '0');
	p->params[at] = (uint16_t)(v < PARAM_LIMIT ? v : PARAM_LIMIT);
	p->given |= 1u << at;
}

static void
param_next(struct parser *p, bool is_sub)
{
	if (p->overflow)
		return;
	if (p->count + 1 == PARAMS_MAX) {
		p->overflow = true;
		return;
	}
	p->count++;
	p->params[p->count] = 0;
	if (is_sub)
		p->subs |= 1u << p->count;
}

static void
collect(struct parser *p, uint8_t c)
{
	if (p->inter_count < sizeof p->inter)
		p->inter[p->inter_count] = c;
	if (p->inter_count < UINT8_MAX)
		p->inter_count++;
}

static void
parser_act(struct term *t, enum action action, uint8_t c)
{
	struct parser *p = &t->parser;

	switch (action) {
	case A_NONE:
	case A_HOOK:
		break;
	case A_EXECUTE:
		control_dispatch(t, c);
		break;
	case A_COLLECT:
		collect(p, c);
		break;
	case A_DIGIT:
		param_digit(p, c);
		break;
	case A_NEXT:
	case A_SUB:
		param_next(p, action == A_SUB);
		break;
	case A_PRIVATE:
		p->private_mark = c;
		break;
	case A_ESC:
		esc_dispatch(t, c);
		break;
	case A_CSI:
		p->count++;
		csi_dispatch(t, c);
		break;
	}
}

static void
string_end(struct term *t, enum parser_state was)
{
	if (was == STATE_OSC)
		osc_dispatch(t);
	else if (was == STATE_DCS_PASS)
		dcs_dispatch(t, t->parser.inter[1]);
	else if (t->parser.string_kind == '_')
		apc_dispatch(t);
}

/* How much of a string is kept. */
static size_t
string_cap(const struct parser *p)
{
	static const char clipboard[] = "52;";

	if (p->state == STATE_STRING)
		return p->string_kind == '_' ? APC_BYTES : 0;
	if (p->state != STATE_OSC && p->state != STATE_DCS_PASS)
		return 0;
	if (p->state == STATE_OSC && p->string.len >= 3 &&
		memcmp(p->string.data, clipboard, 3) == 0)
		return TERM_CLIPBOARD_BYTES + 32;
	return OSC_BYTES;
}

static void
string_keep(struct parser *p, const uint8_t *bytes, size_t len)
{
	size_t head = p->string.len < 3 ? 3 - p->string.len : 0, cap, room;

	p->string_len += len;
	if (head > len)
		head = len;
	if (string_cap(p))
		buf_add(&p->string, bytes, head); /* by these the cap is chosen */
	cap = string_cap(p);
	room = cap > p->string.len ? cap - p->string.len : 0;
	if (room)
		buf_add(&p->string, bytes + head, len - head < room ? len - head : room);
}

/* A large string is not kept for the next one. */
static void
string_done(struct parser *p)
{
	if (p->string.room > 4 * OSC_BYTES)
		buf_fini(&p->string);
	p->string.len = 0;
}

/* Inside OSC, DCS, SOS, PM and APC: everything up to the end belongs to the string. */
static const uint8_t *
feed_string(struct term *t, const uint8_t *s, const uint8_t *end)
{
	struct parser *p = &t->parser;
	const uint8_t *from = s;
	uint8_t c;

	if (p->string_esc) {
		enum parser_state was = p->state;

		p->state = STATE_GROUND;
		if (*s == '\\') {
			string_end(t, was);
			string_done(p);
			return s + 1;
		}
		parser_clear(
			p); /* not ST: the string is dropped, and the ESC begins something new */
		p->state = STATE_ESC;
		return s;
	}
	while (s < end && *s >= 0x20)
		s++;
	string_keep(p, from, (size_t)(s - from));
	if (s == end)
		return s;
	c = *s++;
	if (c == 0x1b) {
		p->string_esc = 1;
	} else if (c == 0x18 || c == 0x1a) {
		p->state = STATE_GROUND;
	} else if (c == 0x07 && p->state == STATE_OSC) {
		p->state = STATE_GROUND;
		osc_dispatch(t);
		string_done(p);
	}
	return s;
}

/* One byte of a character of several. Ill-formed input gives U+FFFD once per maximal part (Unicode
 * 15, 3.9). */
static const uint8_t *
feed_utf8(struct term *t, const uint8_t *s)
{
	struct parser *p = &t->parser;
	uint8_t c = *s;

	if (p->utf8_left) {
		if (c < p->utf8_min || c > p->utf8_max) {
			p->utf8_left = 0;
			print_char(t, 0xfffd);
			return s; /* the byte is looked at again by itself */
		}
		p->utf8_cp = p->utf8_cp << 6 | (c & 0x3f);
		p->utf8_min = 0x80;
		p->utf8_max = 0xbf;
		if (--p->utf8_left == 0)
			print_char(t, p->utf8_cp);
		return s + 1;
	}
	p->utf8_min = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
	p->utf8_max = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
	if (c >= 0xc2 && c <= 0xdf) {
		p->utf8_cp = c & 0x1f;
		p->utf8_left = 1;
	} else if (c >= 0xe0 && c <= 0xef) {
		p->utf8_cp = c & 0x0f;
		p->utf8_left = 2;
	} else if (c >= 0xf0 && c <= 0xf4) {
		p->utf8_cp = c & 0x07;
		p->utf8_left = 3;
	} else {
		print_char(t, 0xfffd);
	}
	return s + 1;
}

/* Whole well-formed characters of two and three bytes, without the state that a cut one needs. */
static const uint8_t *
feed_high(struct term *t, const uint8_t *s, const uint8_t *end)
{
	while (s < end && *s >= 0x80) {
		uint32_t cp;
		const uint8_t *next = utf8_whole(s, end, &cp);

		if (!next) {
			do
				s = feed_utf8(t, s);
			while (s < end && t->parser.utf8_left);
		} else if (print_is_lone(t, cp)) {
			s = print_run(t, s, end);
		} else {
			print_char(t, cp);
			s = next;
		}
	}
	return s;
}

/* The end of the run of printable ASCII; eight bytes at a time. */
static const uint8_t *
ascii_end(const uint8_t *s, const uint8_t *end)
{
	const uint64_t ones = 0x0101010101010101u, tops = ones << 7;

	for (; end - s >= 8; s += 8) {
		uint64_t v;

		memcpy(&v, s, sizeof v);
		if (((v - ones * 0x20) | (v + ones) | v) & tops)
			break; /* a byte below 0x20, 0x7f, or one above (or a borrow from one): the
				  loop below is exact */
	}
	while (s < end && *s >= 0x20 && *s < 0x7f)
		s++;
	return s;
}

/* A number of up to three digits in the four bytes at s: its value, and how many digits; 4 when there are more. Without a branch,
 * because no processor can guess how long the next number is. */
static inline uint32_t
short_number(const uint8_t *s, unsigned *ret_digits)
{
	uint32_t v, over;

	memcpy(&v, s, sizeof v);
	v = le32toh(v) -
	    0x30303030; /* a borrow or carry only spoils what is behind the first byte that is no digit */
	over = ((v + 0x76767676) | v) & 0x80808080;
	*ret_digits = over ? (unsigned)__builtin_ctz(over) / 8 : 4;
	v = (uint32_t)((uint64_t)v << (32 - 8 * *ret_digits));
	return (v >> 24) + (v >> 16 & 0xff) * 10 + (v >> 8 & 0xff) * 100;
}

/* Parameters in one go, as param_digit() and param_next() take them, but with everything at hand: half the bytes of a coloured
 * flood pass through here. `count`, `given`, `subs` and the value of the last parameter are what the parser has of them already.
 * The byte behind the parameters is the caller's. */
static inline const uint8_t *
params_read(struct parser *p, const uint8_t *s, const uint8_t *end, unsigned count, uint32_t given,
	uint32_t subs, uint32_t v)
{
	uint32_t bit = 1u << count, digit;
	uint16_t *at = &p->params[count];

	for (; s < end; s++) {
		unsigned digits = 4;
		uint32_t number = end - s >= 4 ? short_number(s, &digits) : 0;

		if (digits < 4 && !v) {
			v = number;
			given |= digits ? bit : 0;
			s += digits;
		} else {
			for (; s < end && (digit = *s - (uint32_t)'0') < 10; s++) {
				v = v * 10 + digit;
				v = v < PARAM_LIMIT ? v : PARAM_LIMIT;
				given |= bit;
			}
		}
		if (s == end || (*s != ';' && *s != ':'))
			break;
		if (at == &p->params[PARAMS_MAX - 1]) {
			p->overflow = true;
			break;
		}
		*at++ = (uint16_t)v;
		v = 0;
		bit <<= 1;
		subs |= *s == ':' ? bit : 0;
	}
	*at = (uint16_t)v;
	p->count = (uint8_t)(at - p->params);
	p->given = given;
	p->subs = subs;
	return s;
}

/* More parameters of a sequence that was cut. */
static const uint8_t *
feed_params(struct parser *p, const uint8_t *s, const uint8_t *end)
{
	if (!p->overflow)
		s = params_read(p, s, end, p->count, p->given, p->subs, p->params[p->count]);
	if (p->overflow)
		while (s < end && *s >= '0' && *s <= ';')
			s++;
	return s;
}

/* A CSI sequence from behind its introducer on. One that is whole and of the usual form, numbers and a final, is carried out; any
 * other goes on through the table. */
static const uint8_t *
feed_csi(struct term *t, const uint8_t *s, const uint8_t *end)
{
	struct parser *p = &t->parser;
	const uint8_t *from = s;

	s = params_read(p, s, end, 0, 0, 0, 0);
	if (s < end && *s >= 0x40 && *s <= 0x7e) {
		p->state = STATE_GROUND;
		p->count++;
		csi_dispatch(t, *s);
		return s + 1;
	}
	p->state = s > from ? STATE_CSI_PARAM : STATE_CSI_ENTRY;
	return s;
}

static const uint8_t *
feed_ground(struct term *t, const uint8_t *s, const uint8_t *end)
{
	const uint8_t *stop;
	uint8_t c = *s;

	if (c >= 0x20 && c < 0x7f) {
		stop = ascii_end(s, end);
		print_ascii(t, s, (size_t)(stop - s));
		return stop;
	}
	if (c >= 0x80)
		return feed_high(t, s, end);
	if (c == 0x1b) {
		parser_clear(&t->parser);
		t->parser.state = STATE_ESC;
		if (s + 1 < end && s[1] == '[')
			return feed_csi(t, s + 2, end);
	} else if (c != 0x7f) {
		control_dispatch(t, c);
	}
	return s + 1;
}

static void
feed_sequence(struct term *t, uint8_t c)
{
	struct parser *p = &t->parser;
	uint8_t go = table[p->state][classes[c]];
	enum parser_state next = (enum parser_state)(go & 15);

	if (c == 0x1b)
		parser_clear(p);
	if (go >> 4 == A_HOOK) {
		/* The intermediates are known now; their second place keeps the final until the
		 * string is whole. */
		p->inter[1] = p->inter_count > 1 ? 0 : c;
		p->count++;
	}
	if (next >= STATE_DCS_PASS && next != p->state)
		string_begin(p);
	if (next == STATE_STRING)
		p->string_kind = c;
	p->state = next;
	parser_act(t, (enum action)(go >> 4), c);
}

void
term_feed(struct term *t, const void *bytes, size_t len)
{
	const uint8_t *s = bytes, *end = s + len;
	struct term_modes modes = t->modes;
	unsigned row = t->row, col = t->col;

	t->fed += len;
	while (s < end) {
		enum parser_state state = t->parser.state;

		if (state == STATE_GROUND && t->parser.utf8_left)
			s = feed_utf8(t, s);
		else if (state == STATE_GROUND)
			s = feed_ground(t, s, end);
		else if (state >= STATE_DCS_PASS)
			s = feed_string(t, s, end);
		else if (state == STATE_CSI_PARAM && *s >= '0' && *s <= ';')
			s = feed_params(&t->parser, s, end);
		else
			feed_sequence(t, *s++);
	}
	if (t->is_changed || row != t->row || col != t->col ||
		memcmp(&modes, &t->modes, sizeof modes) != 0)
		t->version++;
	t->is_changed = false;
}
