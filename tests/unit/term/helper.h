/* helper.h - what the tests of the terminal core share: a seeded generator of hostile output, and
 * comparisons. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/mem.h"
#include "sandesk/dump.h"
#include "term/term.h"

/* splitmix64: the same numbers everywhere. */
static inline uint32_t
random_next(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (uint32_t)(z >> 32);
}

static inline unsigned
random_below(uint64_t *seed, unsigned n)
{
	return random_next(seed) % n;
}

static const char *const random_texts[] = {
	"hello ",
	"x",
	"the quick brown fox jumps over the lazy dog",
	"\xe4\xb8\xad\xe6\x96\x87",
	"e\xcc\x81",
	"\xf0\x9f\x98\x80",
	"\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",
	"\xe2\x9d\xa4\xef\xb8\x8f",
	"\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa",
	"\xf0\x9f\x87\xa9",
	"\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd",
	"\xcc\x81",
	"\xe2\x80\x8d",
	"\xff",
	"\xe4\xb8",
	"\xc3\xa9",
	"\r\n",
	"\r\n",
	"\n",
	"\r",
	"\b",
	"\t",
	"\x0e",
	"\x0f",
	"\a",
	"\033[2J",
	"\033[3J",
	"\033[J",
	"\033[1J",
	"\033[K",
	"\033[1K",
	"\033[2K",
	"\033[?1049h",
	"\033[?1049l",
	"\033[?47h",
	"\033[?47l",
	"\033[?1047l",
	"\033[?6h",
	"\033[?6l",
	"\033[?7l",
	"\033[?7h",
	"\033[?69h",
	"\033[?69l",
	"\033[4h",
	"\033[4l",
	"\033[?45h",
	"\033[r",
	"\033[s",
	"\033[u",
	"\0337",
	"\0338",
	"\033D",
	"\033M",
	"\033E",
	"\033H",
	"\033c",
	"\033#8",
	"\033(0",
	"\033(B",
	"\033[!p",
	"\033[1\"q",
	"\033[0\"q",
	"\033[?2J",
	"\033[?K",
	"\033[?25l",
	"\033[?25h",
	"\033[?1000h",
	"\033[?1006h",
	"\033[?2004h",
	"\033[0m",
	"\033[1;4:3;7m",
	"\033[58:2::10:20:30m",
	"\033[59m",
	"\033[38;2;1;2;3m",
	"\033[48;5;200m",
	"\033[41m",
	"\033[49m",
	"\033]0;title \xe2\x98\x83\033\\",
	"\033]2;t\a",
	"\033]8;;https://example.org/a\033\\",
	"\033]8;id=7;https://example.org/b\a",
	"\033]8;;\a",
	"\033[20h",
	"\033[20l",
	"\033P$qm\033\\",
	"\033[c",
	"\033[6n",
	"\033[?5h",
	"\033[?5l",
	"\033]133;A\a",
	"\033_Gf=32;AAAA\033\\",
	"\033N",
	"\033O",
	"\033*0",
	"\033+A",
	"\033n",
	"\033o",
	"\0336",
	"\0339",
	"\033[2*x",
	"\033[?40h",
	"\033[?3h",
	"\033[?95h",
	"\033[?2048h",
	"\033[>5u",
	"\033[<u",
	"\033[=3;2u",
	"\033[>4;2m",
	"\033[?7s",
	"\033[?7r",
	"\033[?5W",
	"\033[62\"p",
	"\033]4;1;#123456\a",
	"\033]104\a",
	"\033]52;c;aGVsbG8=\a",
	"\033]7501;state=blocked:kind=auth\a",
	"\033]99;i=1:d=0;x\a",
	"\033P+q544e\033\\",
	"\033_Gi=1,a=q;\033\\",
	"\xe1\x84\x80",
	"\xe1\x85\xa1",
	"\xea\xb0\x80",
	"\xe0\xa4\x95",
	"\xe0\xa5\x8d",
	"\xe0\xa4\xbf",
};

/* One piece of output: text, a fixed sequence, or a sequence with numbers. */
static inline void
random_piece(uint64_t *seed, struct buf *to)
{
	static const char finals[] = "@ABCDEFGHIJKLMPSTXZ`abdefgrsm";
	static const char *const marked[] = { "$r", "$t", "$v", "$x", "$z", "${", "'}", "'~", " @",
		" A", "*y", "#y" };
	unsigned kind = random_below(seed, 11);

	if (kind == 10) {
		buf_addf(to, "\033[%u;%u;%u;%u;%u;%u;%u%s", random_below(seed, 90),
			random_below(seed, 20), random_below(seed, 20), random_below(seed, 20),
			random_below(seed, 20), random_below(seed, 20), random_below(seed, 20),
			marked[random_below(seed, sizeof marked / sizeof marked[0])]);
	} else if (kind < 6) {
		buf_add_str(to, random_texts[random_below(
					seed, sizeof random_texts / sizeof random_texts[0])]);
	} else if (kind < 9) {
		buf_addf(to, "\033[%u;%u%c", random_below(seed, 30), random_below(seed, 90),
			finals[random_below(seed, sizeof finals - 1)]);
	} else {
		buf_add_char(to, (char)random_next(seed));
	}
}

static inline void
random_output(uint64_t *seed, unsigned pieces, struct buf *to)
{
	while (pieces--)
		random_piece(seed, to);
}

static inline struct term *
term_make(unsigned rows, unsigned cols)
{
	return term_new(&(struct term_config){ .size = { (uint16_t)rows, (uint16_t)cols },
		.history_bytes = 1 << 20,
		.history_lines = 1000 });
}

/* The invariants of the grid: the cursor is inside, wide characters are in pairs. */
static inline const char *
term_fault(struct term *t)
{
	struct size size = term_size(t);
	unsigned row, col, used;

	term_cursor(t, &row, &col);
	if (row >= size.rows || col >= size.cols)
		return "the cursor is outside";
	for (row = 0; row < size.rows; row++) {
		const struct cell *c = term_row(t, row, &used);

		if (used > size.cols)
			return "a row is too long";
		for (col = 0; col < used; col++) {
			if (c[col].attr & ATTR_WIDE &&
				(col + 1 >= used || !(c[col + 1].attr & ATTR_SPACER)))
				return "a wide character has no second half";
			if (c[col].attr & ATTR_SPACER && (!col || !(c[col - 1].attr & ATTR_WIDE)))
				return "a spacer has no wide character";
			if (c[col].attr & ATTR_SPACER && c[col].ch)
				return "a spacer has a character";
		}
	}
	return NULL;
}

/* The text of the screen: rows with '/' between them; rows that are blank to the end of the screen are
 * left out. */
static inline char *
screen_picture(struct term *t)
{
	AUTO(buf) struct buf text = { 0 };
	char *out;

	term_text(t, &text, TERM_TEXT_SCREEN);
	out = buf_take(&text);
	for (char *at = out; *at; at++)
		if (*at == '\n')
			*at = '/';
	for (size_t n = strlen(out); n && out[n - 1] == '/'; n--)
		out[n - 1] = 0;
	return out;
}

static inline struct term *
term_fed(unsigned rows, unsigned cols, const char *in, size_t chunk)
{
	struct term *t = term_make(rows, cols);
	size_t len = strlen(in);

	for (size_t at = 0; at < len; at += chunk)
		term_feed(t, in + at, len - at < chunk ? len - at : chunk);
	return t;
}

/* A row of only blanks counts as empty, so "q/ /x" and "q//x" are the same wish. */
static inline bool
pictures_equal(const char *got, const char *want)
{
	while (*got || *want) {
		if (want[0] == ' ' && (want[1] == '/' || !want[1]) && got[0] != ' ') {
			want++;
			continue;
		}
		if (*got++ != *want++)
			return false;
	}
	return true;
}
