/* Bytes in, rows out. Each row is fed whole and at every chunk size. */
#include "helper.h"

#include "term/screen.h"

/* Wanted text: rows with '/' between them; rows that are blank to the end of the screen are left
 * out. The cursor is given as row,col from 0. */
static const struct {
	const char *name;
	unsigned rows, cols;
	const char *in;
	const char *want;
	unsigned row, col;
} cases[] = {
	/* printing and wrapping */
	{ "text", 3, 10, "hello", "hello", 0, 5 },
	{ "line feed keeps the column", 3, 10, "ab\ncd", "ab/  cd", 1, 4 },
	{ "carriage return", 3, 10, "abc\rX", "Xbc", 0, 1 },
	{ "wrap waits for the next character", 3, 5, "abcde", "abcde", 0, 4 },
	{ "wrap", 3, 5, "abcdef", "abcde/f", 1, 1 },
	{ "wrap, then carriage return", 3, 5, "abcde\rX", "Xbcde", 0, 1 },
	{ "wrap at the bottom scrolls", 2, 3, "abcdefg", "def/g", 1, 1 },
	{ "no autowrap", 2, 3, "\033[?7labcdef", "abf", 0, 2 },
	{ "backspace at the left edge", 2, 5, "\b\bx", "x", 0, 1 },
	{ "erase after the last column erases nothing", 2, 3, "abc\033[K", "abc", 0, 2 },
	{ "DEL is nothing", 2, 5,
		"a\x7f"
		"b",
		"ab", 0, 2 },
	{ "insert mode", 2, 6, "abc\r\033[4hXY\033[4l", "XYabc", 0, 2 },
	{ "line graphics", 2, 6, "\033(0lqk\033(Bq", "\xe2\x94\x8c\xe2\x94\x80\xe2\x94\x90q", 0,
		4 },
	{ "G1 by SO and SI", 2, 6, "\033)0q\x0eq\x0fq", "q\xe2\x94\x80q", 0, 3 },
	{ "newline mode", 3, 6, "\033[20hab\ncd", "ab/cd", 1, 2 },
	{ "repeat", 2, 10, "ab\033[3b", "abbbb", 0, 5 },
	{ "repeat nothing", 2, 10, "\033[3b", "", 0, 0 },
	/* UTF-8 */
	{ "two bytes", 2, 5, "\xc3\xa9", "\xc3\xa9", 0, 1 },
	{ "wide", 2, 5,
		"\xe4\xb8\xad"
		"a",
		"\xe4\xb8\xad"
		"a",
		0, 3 },
	{ "wide does not fit", 2, 4, "abc\xe4\xb8\xad", "abc/\xe4\xb8\xad", 1, 2 },
	{ "wide cut by a write on its first half", 2, 6,
		"\xe4\xb8\xad"
		"a\rX",
		"X a", 0, 1 },
	{ "wide cut by a write on its second half", 2, 6,
		"\xe4\xb8\xad"
		"a\033[2GX",
		" Xa", 0, 2 },
	{ "wide cut by an erase", 2, 6,
		"a\xe4\xb8\xad"
		"b\033[3G\033[X",
		"a  b", 0, 2 },
	{ "wide cut by a delete", 2, 6,
		"\xe4\xb8\xad\xe4\xb8\xad"
		"b\033[2G\033[P",
		" \xe4\xb8\xad"
		"b",
		0, 1 },
	{ "wide moved by a delete that takes a background", 2, 6,
		"abc\xe4\xb8\xad\033[44m\033[1G\033[P", "bc\xe4\xb8\xad", 0, 0 },
	{ "wide pairs moved by a delete within margins", 2, 9,
		"ab\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\033[?69h\033[1;8s\033[1;1H\033[P",
		"b\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 0, 0 },
	{ "wide pushed out by an insert", 2, 4, "ab\xe4\xb8\xad\r\033[@", " ab", 0, 0 },
	{ "combining", 2, 6, "e\xcc\x81x", "e\xcc\x81x", 0, 2 },
	{ "combining in the last column", 2, 2, "ae\xcc\x81", "ae\xcc\x81", 0, 1 },
	{ "combining without a base", 2, 6, "\xcc\x81x", "x", 0, 1 },
	{ "combining after the cursor moved", 2, 6, "ab\r\xcc\x81", "ab", 0, 0 },
	{ "family", 2, 8,
		"\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7x",
		"\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7x", 0, 3 },
	{ "VS16 makes wide", 2, 8, "\xe2\x9d\xa4\xef\xb8\x8fx", "\xe2\x9d\xa4\xef\xb8\x8fx", 0, 3 },
	{ "flag", 2, 8, "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaax", "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaax", 0,
		3 },
	{ "three regional indicators", 2, 8, "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa\xf0\x9f\x87\xab",
		"\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa\xf0\x9f\x87\xab", 0, 4 },
	{ "skin tone", 2, 8, "\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbdx",
		"\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbdx", 0, 3 },
	{ "bad bytes", 2, 8, "a\xff\xc0z", "a\xef\xbf\xbd\xef\xbf\xbdz", 0, 4 },
	{ "cut character", 2, 8, "\xe4\xb8x", "\xef\xbf\xbdx", 0, 2 },
	{ "surrogate", 2, 8, "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 0, 3 },
	{ "overlong", 2, 8, "\xe0\x80\xaf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 0, 3 },
	{ "C1 is not a control", 2, 8,
		"a\xc2\x9b"
		"2Jb",
		"a2Jb", 0, 4 },
	{ "escape cuts a character", 2, 8, "\xe4\xb8\033[1mx", "\xef\xbf\xbdx", 0, 2 },
	{ "overrides are not shown", 2, 8,
		"a\xe2\x80\xae"
		"b",
		"ab", 0, 2 },
	/* the cursor */
	{ "position", 5, 10, "\033[3;4Hx", "//   x", 2, 4 },
	{ "position beyond", 3, 4, "\033[99;99Hx", "//   x", 2, 3 },
	{ "position by nothing", 3, 4, "abc\033[HX", "Xbc", 0, 1 },
	{ "zero counts as one", 3, 6, "\033[0;0Ha\033[0Cb", "a b", 0, 3 },
	{ "up, down, right, left", 4, 9, "\033[2;2H\033[Aa\033[2Bb\033[2Cc\033[4Dd", " a//  d  c",
		2, 3 },
	{ "next and previous line", 4, 9, "ab\033[2Ec\033[Fd", "ab/d/c", 1, 1 },
	{ "column and row", 4, 9, "\033[5Ga\033[3db\033[2`c", "    a// c   b", 2, 2 },
	{ "relative", 4, 9, "\033[2aa\033[eb", "  a/   b", 1, 4 },
	{ "save and restore", 3, 9, "ab\0337\033[3;3Hx\0338c", "abc//  x", 0, 3 },
	{ "save by CSI", 3, 9, "ab\033[s\033[3;3Hx\033[uc", "abc//  x", 0, 3 },
	{ "huge parameters", 3, 5, "\033[99999999999999999999Cx", "    x", 0, 4 },
	{ "reverse wrap", 3, 4, "\033[?45habcd\r\n\bX", "abcX", 0, 3 },
	/* tabs */
	{ "tab", 2, 20, "a\tb", "a       b", 0, 9 },
	{ "tab at the end", 2, 5, "a\tb", "a   b", 0, 4 },
	{ "own tab stop", 2, 20, "\033[3g\033[5G\033H\r\tx", "    x", 0, 5 },
	{ "tab back", 2, 20, "\033[15G\033[Zx", "        x", 0, 9 },
	{ "tabs forward", 2, 30, "\033[2Ix", "                x", 0, 17 },
	/* erasing */
	{ "erase to the end", 3, 5, "abcde\r\nfgh\033[1;3H\033[J", "ab", 0, 2 },
	{ "erase from the start", 3, 5, "abcde\r\nfghij\033[2;3H\033[1J", "/   ij", 1, 2 },
	{ "erase all", 3, 5, "abc\r\ndef\033[2J", "", 1, 3 },
	{ "erase line from", 2, 5, "abcd\033[3G\033[K", "ab", 0, 2 },
	{ "erase line to", 2, 5, "abcd\033[3G\033[1K", "   d", 0, 2 },
	{ "erase line", 2, 5, "abcd\033[2K", "", 0, 4 },
	{ "erase characters", 2, 6, "abcdef\033[2G\033[3X", "a   ef", 0, 1 },
	{ "selective erase", 2, 8, "\033[1\"qab\033[0\"qcd\r\033[?2J", "ab", 0, 0 },
	{ "selective erase of a line", 2, 8, "\033[1\"qab\033[0\"qcd\r\033[?K", "ab", 0, 0 },
	{ "plain erase takes protected too", 2, 8, "\033[1\"qab\033[2J", "", 0, 2 },
	{ "alignment", 2, 3, "\033#8", "EEE/EEE", 0, 0 },
	/* inserting and deleting */
	{ "insert characters", 2, 6, "abcdef\033[3G\033[2@", "ab  cd", 0, 2 },
	{ "insert characters beyond the text", 2, 6, "ab\033[5G\033[@", "ab", 0, 4 },
	{ "delete characters", 2, 6, "abcdef\033[2G\033[2P", "adef", 0, 1 },
	{ "delete more than there is", 2, 6, "abc\033[2G\033[99P", "a", 0, 1 },
	{ "delete in a short line", 2, 20, "abcdef\033[1G\033[2P", "cdef", 0, 0 },
	{ "insert lines", 4, 3, "a\r\nb\r\nc\033[2H\033[L", "a//b/c", 1, 0 },
	{ "delete lines", 4, 3, "a\r\nb\r\nc\033[1H\033[M", "b/c", 0, 0 },
	{ "delete lines in a region", 4, 3, "a\r\nb\r\nc\r\nd\033[1;3r\033[1H\033[M", "b/c//d", 0,
		0 },
	/* scrolling */
	{ "scroll up", 3, 3, "a\r\nb\r\nc\033[S", "b/c", 2, 1 },
	{ "scroll down", 3, 3, "a\r\nb\r\nc\033[T", "/a/b", 2, 1 },
	{ "scroll more than there is", 3, 3, "a\r\nb\033[99S", "", 1, 1 },
	{ "index at the bottom", 2, 3, "a\r\nb\033D", "b", 1, 1 },
	{ "reverse index at the top", 3, 3, "a\r\nb\033[H\033Mx", "x/a/b", 0, 1 },
	{ "next line", 3, 3, "ab\033Ec", "ab/c", 1, 1 },
	{ "region", 4, 3, "a\r\nb\r\nc\r\nd\033[2;3r\033[3;1H\n", "a/c//d", 2, 0 },
	{ "region of one line is refused", 3, 3, "a\r\nb\033[2;2r\033[3;1H\n", "b", 2, 0 },
	{ "below the region nothing scrolls", 3, 3, "a\r\nb\r\nc\033[1;2r\033[3;1H\n\n", "a/b/c", 2,
		0 },
	{ "origin mode", 5, 5, "\033[2;4r\033[?6h\033[1;1Hx\033[99;1Hy", "/x//y", 3, 1 },
	{ "margins", 3, 6, "abcdef\033[?69h\033[2;4s\033[1;2H123456", "a123ef/ 456", 1, 3 },
	{ "margins scroll a part", 3, 5, "abcde\r\nfghij\r\nklmno\033[?69h\033[2;4s\033[S",
		"aghie/flmnj/k   o", 0, 0 },
	{ "margins scroll a part down", 3, 5, "abcde\r\nfghij\r\nklmno\033[?69h\033[2;4s\033[T",
		"a   e/fbcdj/kghio", 0, 0 },
	{ "margins and delete", 2, 6, "abcdef\033[?69h\033[2;4s\033[1;2H\033[P", "acd ef", 0, 1 },
	{ "margins and insert", 2, 6, "abcdef\033[?69h\033[2;4s\033[1;2H\033[@", "a bcef", 0, 1 },
	/* the alternate screen */
	{ "alternate", 3, 9, "main\033[?1049halt", "    alt", 0, 7 },
	{ "back from the alternate", 3, 6, "main\033[?1049h\033[Halt\033[?1049l!", "main!", 0, 5 },
	{ "47 keeps what it had", 3, 6, "\033[?47h\033[Halt\033[?47l\033[?47h", "alt", 0, 3 },
	{ "leave what was not entered", 3, 6, "ab\033[?1049lc", "abc", 0, 3 },
	{ "column mode clears and keeps the width", 3, 6,
		"abc\033[2;3r\033[?40h\033[?3hx\033[1;99Hy", "x    y", 0, 5 },
	{ "column mode is not allowed at first", 3, 6, "abc\033[?3l\033[?3hx", "abcx", 0, 4 },
	{ "column mode may keep the screen", 3, 6, "abc\033[?40;95h\033[?3hx", "abcx", 0, 4 },
	/* character sets */
	{ "G2 and G3 by single shifts", 2, 6, "\033*0\033+Aq\033Nqq\033O##",
		"q\xe2\x94\x80q\xc2\xa3#", 0, 5 },
	{ "G2 and G3 by locking shifts", 2, 6, "\033*0\033+A\033nq\033oq#\x0f#",
		"\xe2\x94\x80q\xc2\xa3#", 0, 4 },
	{ "single shift takes one character only", 2, 6, "\033*0\033N\xc3\xa9q",
		"\xc3\xa9\xe2\x94\x80", 0, 2 },
	{ "sets are saved with the cursor", 2, 6, "\033(0\0337\033(B\0338q", "\xe2\x94\x80", 0, 1 },
	/* rectangles */
	{ "fill", 4, 5, "\033[33;2;2;3;4$x", "/ !!!/ !!!", 0, 0 },
	{ "fill all", 2, 3, "\033[65$x", "AAA/AAA", 0, 0 },
	{ "fill with a control", 2, 3, "\033[27$x\033[127$x\033[155$x", "", 0, 0 },
	{ "fill, cut at the edge", 2, 3, "\033[42;2;3;99;99$x", "/  *", 0, 0 },
	{ "fill cuts wide", 2, 5, "\xe4\xb8\xad\xe4\xb8\xad\033[42;1;2;1;3$x", " **", 0, 4 },
	{ "fill in origin mode", 5, 5, "\033[?69h\033[2;4s\033[2;4r\033[?6h\033[42;1;1;9;9$x",
		"/ ***/ ***/ ***", 1, 1 },
	{ "erase a rectangle", 2, 5, "abcde\r\nfghij\033[1;2;2;4$z", "a   e/f   j", 1, 4 },
	{ "erase a rectangle but what is protected", 2, 5, "a\033[1\"qb\033[0\"qc\033[1;1;1;3${",
		" b", 0, 3 },
	{ "copy", 4, 5, "abc\r\ndef\033[1;1;2;2;1;3;3;1$v", "abc/def/  ab/  de", 1, 3 },
	{ "copy onto itself, down and right", 3, 4, "abc\r\ndef\r\nghi\033[1;1;2;2;1;2;2;1$v",
		"abc/dab/gde", 2, 3 },
	{ "copy onto itself, up and left", 3, 4, "abc\r\ndef\r\nghi\033[2;2;3;3;1;1;1;1$v",
		"efc/hif/ghi", 2, 3 },
	{ "copy beyond the edge", 2, 4, "abcd\033[1;1;1;4;1;2;3$v", "abcd/  ab", 0, 3 },
	{ "copy nothing", 2, 4, "abcd\033[1;3;1;2;1;2;1$v", "abcd", 0, 3 },
	/* columns */
	{ "insert columns", 2, 5, "abcd\r\nefgh\033[1;2H\033[2'}", "a  bc/e  fg", 0, 1 },
	{ "delete columns", 2, 5, "abcd\r\nefgh\033[1;2H\033[2'~", "ad/eh", 0, 1 },
	{ "columns outside the region", 3, 5, "abcd\033[2;3r\033[1;1H\033['}", "abcd", 0, 0 },
	{ "scroll left", 2, 5, "abcd\r\nefgh\033[ @", "bcd/fgh", 1, 4 },
	{ "scroll right", 2, 5, "abcd\r\nefgh\033[2 A", "  abc/  efg", 1, 4 },
	{ "scroll left within margins", 2, 6, "abcdef\033[?69h\033[2;4s\033[ @", "acd ef", 0, 0 },
	{ "back index", 2, 5, "abc\r\ndef\033[1;2H\0336\0336x", "xabc/ def", 0, 1 },
	{ "forward index", 2, 3, "abc\r\ndef\033[1;2H\0339\0339x", "bcx/ef", 0, 2 },
	{ "tab stops of eight", 2, 20, "\033[3g\033[?5W\tx", "        x", 0, 9 },
	/* what leaves no trace */
	{ "unknown CSI", 2, 9, "a\033[5;6!yb\033[>4;2mc\033[?1;2;3Sd", "abcd", 0, 4 },
	{ "unknown ESC", 2, 9, "a\033Zb\033%Gc\033 Fd", "abcd", 0, 4 },
	{ "OSC ended by BEL and ST", 2, 9, "a\033]0;t\ab\033]2;u\033\\c", "abc", 0, 3 },
	{ "unknown OSC", 2, 9, "a\033]31337;x\033\\b", "ab", 0, 2 },
	{ "DCS", 2, 9, "a\033Pq#0;2;0;0;0~-\033\\b", "ab", 0, 2 },
	{ "APC, PM, SOS", 2, 9, "a\033_Gx\033\\b\033^y\033\\c\033Xz\033\\d", "abcd", 0, 4 },
	{ "CAN ends a sequence", 2, 9,
		"a\033[3\x18"
		"b",
		"ab", 0, 2 },
	{ "CAN ends a string", 2, 9,
		"a\033]0;x\x18"
		"b",
		"ab", 0, 2 },
	{ "ESC inside a string begins anew", 2, 9, "a\033]0;x\033[1Cb", "a b", 0, 3 },
	{ "ESC inside a sequence begins anew", 2, 9, "a\033[3\033[2Cb", "a  b", 0, 4 },
	{ "control inside a sequence", 3, 9, "a\033[1\n;1Hb", "b", 0, 1 },
	{ "33 parameters", 2, 9,
		"\033[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1mab",
		"ab", 0, 2 },
	{ "reset", 3, 5, "abc\033[2;3r\033[?6h\033(0\033cq", "q", 0, 1 },
	{ "soft reset", 3, 5, "\033[2;3r\033[4h\033(0\033[!pq\033[H\033[99Bx", "q/ /x", 2, 1 },
	/* what crashed or confused other terminal libraries */
	{ "17 parameters with colons", 2, 9,
		"\033[38:2:59:66:97;48:2:36:40:59;58:2:224:175:104;4:3mx", "x", 0, 1 },
	{ "ESC inside a link", 2, 9, "\033]8;;http://a\033b\033]8;;\033\\x", "x", 0, 1 },
	{ "wide in the narrowest screen", 1, 2, "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad",
		"\xe4\xb8\xad", 0, 1 },
	{ "narrowest, everything", 1, 2,
		"\033[@\033[P\033[L\033[M\033[S\033[T\033[I\033[Z\033[99;99H\tab\033M\033D", "", 0,
		1 },
};

static void
test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		for (size_t chunk = strlen(cases[i].in); chunk; chunk--) {
			struct term *t = term_fed(cases[i].rows, cases[i].cols, cases[i].in, chunk);
			AUTO(mem) char *got = screen_picture(t);
			unsigned row, col;

			term_cursor(t, &row, &col);
			if (!pictures_equal(got, cases[i].want) || row != cases[i].row ||
				col != cases[i].col)
				fail_msg("%s, by %zu bytes: got \"%s\" and cursor %u,%u",
					cases[i].name, chunk, got, row, col);
			if (term_fault(t))
				fail_msg("%s: %s", cases[i].name, term_fault(t));
			term_free(t);
		}
	}
}

/* Attributes: the `attr` lines of the dump, joined by '/'. */
static const struct {
	const char *name;
	const char *in;
	const char *want;
} styles[] = {
	{ "none", "x", "" },
	{ "all flags", "\033[1;2;3;4;7;8;9mx",
		"0 0-0 fg=Foreground bg=Background "
		"flags=INVERSE|BOLD|ITALIC|UNDERLINE|DIM|HIDDEN|STRIKEOUT" },
	{ "flags off", "\033[1;2;3;4;7;8;9m\033[22;23;24;27;28;29mx", "" },
	{ "reset", "\033[1;31;42m\033[mx", "" },
	{ "named", "\033[31;104mx", "0 0-0 fg=Red bg=BrightBlue flags=-" },
	{ "index", "\033[38;5;200;48:5:7mx", "0 0-0 fg=200 bg=7 flags=-" },
	{ "rgb, all forms", "\033[38;2;1;2;3ma\033[38:2:4:5:6mb\033[38:2::7:8:9mc",
		"0 0-0 fg=#010203 bg=Background flags=-/0 1-1 fg=#040506 bg=Background flags=-/0 "
		"2-2 fg=#070809 bg=Background flags=-" },
	{ "rgb out of range is ignored", "\033[38;2;256;0;0mx", "" },
	{ "colour cut short", "\033[38;5mx", "" },
	{ "numbers after a colour", "\033[38;5;1;1mx", "0 0-0 fg=1 bg=Background flags=BOLD" },
	{ "default colours", "\033[31;41m\033[39;49mx", "" },
	{ "underlines", "\033[4:3ma\033[4:0mb\033[21mc\033[4:5md\033[4:9me",
		"0 0-0 fg=Foreground bg=Background flags=UNDERCURL/0 2-2 fg=Foreground "
		"bg=Background flags=DOUBLE_UNDERLINE"
		"/0 3-4 fg=Foreground bg=Background flags=DASHED_UNDERLINE" },
	{ "erase takes the background", "\033[41m\033[K", "0 0-9 fg=Foreground bg=Red flags=-" },
	{ "scroll takes the background", "\033[41m\033[S", "2 0-9 fg=Foreground bg=Red flags=-" },
	{ "unknown sub-parameters stay together", "\033[99:1:31mx", "" },
	{ "private SGR is not SGR", "\033[?31mx\033[>1m", "" },
	{ "change a rectangle", "abc\r\nabc\033[2*x\033[1;2;2;3;1;7$r",
		"0 1-2 fg=Foreground bg=Background flags=INVERSE|BOLD/1 1-2 fg=Foreground "
		"bg=Background flags=INVERSE|BOLD" },
	{ "change a run", "abc\r\nabc\033[1;2;2;1;4$r",
		"0 1-9 fg=Foreground bg=Background flags=UNDERLINE/1 0-0 fg=Foreground "
		"bg=Background flags=UNDERLINE" },
	{ "change and take away", "\033[1;4;7mabc\033[1;1;1;2;24;27$r",
		"0 0-1 fg=Foreground bg=Background flags=BOLD/0 2-2 fg=Foreground bg=Background "
		"flags=INVERSE|BOLD|UNDERLINE" },
	{ "change to nothing", "\033[1;4;7;31mab\033[1;1;1;1;0$r",
		"0 0-0 fg=Red bg=Background flags=-/0 1-1 fg=Red bg=Background "
		"flags=INVERSE|BOLD|UNDERLINE" },
	{ "reverse a rectangle", "a\033[7mb\033[1;1;1;2;7;1$t",
		"0 0-0 fg=Foreground bg=Background flags=INVERSE|BOLD/0 1-1 fg=Foreground "
		"bg=Background flags=BOLD" },
	{ "change half of a wide character", "\xe4\xb8\xad\xe4\xb8\xad\033[2*x\033[1;2;1;3;7$r",
		"0 2-3 fg=Foreground bg=Background flags=INVERSE" },
	{ "delete takes the background", "abc\033[41m\r\033[P",
		"0 9-9 fg=Foreground bg=Red flags=-" },
};

static void
test_styles(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
		AUTO(buf) struct buf dump = { 0 }, got = { 0 };

		term_dump(styles[i].in, strlen(styles[i].in), (struct size){ 3, 10 }, &dump);
		buf_add_str(&got, "");
		for (char *line = strtok_r(dump.data, "\n", &(char *){ NULL }); line;) {
			char *next = line + strlen(line) + 1;

			if (strncmp(line, "attr ", 5) == 0)
				buf_addf(&got, "%s%s", got.len ? "/" : "", line + 5);
			if (next >= dump.data + dump.len)
				break;
			line = next;
			next = strchr(line, '\n');
			if (next)
				*next = 0;
		}
		if (strcmp(got.data, styles[i].want) != 0)
			fail_msg("%s: got \"%s\"", styles[i].name, got.data);
	}
}

static const struct {
	const char *name;
	const char *in;
	const char *want;
} replies[] = {
	{ "DA1", "\033[c", "\033[?64;6;21;22;28;52c" },
	{ "DA1 with a parameter", "\033[1c", "" },
	{ "DA2", "\033[>c", "\033[>41;354;0c" },
	{ "DA3", "\033[=c", "\033P!|00000000\033\\" },
	{ "parameters", "\033[x\033[1x\033[2x", "\033[2;1;1;128;128;1;0x\033[3;1;1;128;128;1;0x" },
	{ "status", "\033[5n", "\033[0n" },
	{ "cursor", "\033[2;3H\033[6n", "\033[2;3R" },
	{ "cursor in origin mode", "\033[2;3r\033[?6h\033[6n", "\033[1;1R" },
	{ "extended cursor", "\033[?6n", "\033[?1;1;1R" },
	{ "printer, keys, keyboard", "\033[?15n\033[?25n\033[?26n",
		"\033[?13n\033[?20n\033[?27;1;0;0n" },
	{ "locator", "\033[?53n\033[?55n\033[?56n", "\033[?50n\033[?50n\033[?57;0n" },
	{ "macros", "\033[?62n\033[?63;123n", "\033[0*{\033P123!~0000\033\\" },
	{ "line and sessions", "\033[?75n\033[?85n", "\033[?70n\033[?83n" },
	{ "colour scheme", "\033[?996n", "\033[?997;1n" },
	{ "an unknown question", "\033[?1234n\033[7n", "" },
	{ "version", "\033[>q", "\033P>|sandesk(" SANDESK_VERSION ")\033\\" },
	{ "size", "\033[18t", "\033[8;3;10t" },
	{ "title is not told", "\033]2;evil\a\033[21t\033[20t", "\033]l\033\\\033]L\033\\" },
	{ "pixels", "\033[14t\033[15t\033[16t\033[19t",
		"\033[4;48;80t\033[5;48;80t\033[6;16;8t\033[9;3;10t" },
	{ "window is not moved", "\033[3;5;5t\033[8;50;50t\033[2t\033[18t", "\033[8;3;10t" },
	{ "mode set", "\033[?25$p", "\033[?25;1$y" },
	{ "mode reset", "\033[?2004$p", "\033[?2004;2$y" },
	{ "mode unknown", "\033[?31337$p", "\033[?31337;0$y" },
	{ "synchronized", "\033[?2026h\033[?2026$p", "\033[?2026;1$y" },
	{ "mouse", "\033[?1002h\033[?1002$p\033[?1003$p", "\033[?1002;1$y\033[?1003;2$y" },
	{ "insert mode", "\033[4$p", "\033[4;2$y" },
	{ "echo and keyboard modes", "\033[12$p\033[2h\033[2$p", "\033[12;1$y\033[2;1$y" },
	{ "modes nobody has", "\033[1$p\033[99$p", "\033[1;4$y\033[99;0$y" },
	{ "clusters are always on", "\033[?2027l\033[?2027$p", "\033[?2027;3$y" },
	{ "old mouse forms are never on", "\033[?1005;1015h\033[?1005$p\033[?1015$p",
		"\033[?1005;4$y\033[?1015;4$y" },
	{ "column mode told", "\033[?3h\033[?3$p\033[?40;3h\033[?3$p\033[?40$p",
		"\033[?3;2$y\033[?3;1$y\033[?40;1$y" },
	{ "autorepeat", "\033[?8$p\033[?8l\033[?8$p", "\033[?8;1$y\033[?8;2$y" },
	{ "alternate scroll", "\033[?1007$p", "\033[?1007;1$y" },
	{ "save and restore modes", "\033[?25s\033[?25l\033[?25r\033[?25$p", "\033[?25;1$y" },
	{ "sizes in band", "\033[?2048h", "\033[48;3;10;48;80t" },
	{ "kitty keys", "\033[?u\033[>5u\033[?u\033[=2;2u\033[?u\033[=1;3u\033[?u\033[<u\033[?u",
		"\033[?0u\033[?5u\033[?7u\033[?6u\033[?0u" },
	{ "kitty keys of the other screen", "\033[>1u\033[?1049h\033[?u\033[>8u\033[?1049l\033[?u",
		"\033[?0u\033[?1u" },
	{ "kitty keys: too many",
		"\033[>1u\033[>2u\033[>3u\033[>4u\033[>5u\033[>6u\033[>7u\033[>8u\033[>9u"
		"\033[?u\033[<7u\033[?u\033[<99u\033[?u",
		"\033[?9u\033[?2u\033[?0u" },
	{ "kitty keys: reset", "\033[>31u\033c\033[?u", "\033[?0u" },
	{ "other keys", "\033[?4m\033[>4;2m\033[?4m\033[>4m\033[?4m\033[>4;1m\033[>4n\033[?4m",
		"\033[>4;0m\033[>4;2m\033[>4;0m\033[>4;0m" },
	{ "setting: style", "\033[1;31m\033P$qm\033\\", "\033P1$r0;1;31m\033\\" },
	{ "setting: region", "\033[2;3r\033P$qr\033\\", "\033P1$r2;3r\033\\" },
	{ "setting: cursor, protection", "\033[4 q\033P$q q\033\\\033[1\"q\033P$q\"q\033\\",
		"\033P1$r4 q\033\\\033P1$r1\"q\033\\" },
	{ "setting: margins", "\033[?69h\033[3;4s\033P$qs\033\\", "\033P1$r3;4s\033\\" },
	{ "setting: level", "\033[62;1\"p\033P$q\"p\033\\\033[65\"p\033P$q\"p\033\\",
		"\033P1$r62;1\"p\033\\\033P1$r64;1\"p\033\\" },
	{ "setting: extent", "\033[2*x\033P$q*x\033\\", "\033P1$r2*x\033\\" },
	{ "setting: sizes", "\033P$qt\033\\\033P$q*|\033\\\033P$q$|\033\\",
		"\033P1$r3t\033\\\033P1$r3*|\033\\\033P1$r10$|\033\\" },
	{ "setting: underline colour", "\033[58:5:7m\033P$qm\033\\", "\033P1$r0;58:5:7m\033\\" },
	{ "setting: unknown", "\033P$qxyz\033\\", "\033P0$r\033\\" },
	{ "termcap: name", "\033P+q544e\033\\", "\033P1+r544E=787465726D2D323536636F6C6F72\033\\" },
	{ "termcap: colours, direct colour", "\033P+q436F;524742\033\\",
		"\033P1+r436F=323536\033\\\033P1+r524742=382F382F38\033\\" },
	{ "termcap: unknown, not told back", "\033P+q0a0d;zz\033\\",
		"\033P0+r\033\\\033P0+r\033\\" },
	{ "checksum", "AB\033[7;1;1;1;1;2*y", "\033P7!~FF7D\033\\" },
	{ "checksum of one", "\033[1mA\033[1;1;1;1;1;1*y", "\033P1!~FF3F\033\\" },
	{ "checksum of a cell never written", "\033[1;1;3;3;3;3*y", "\033P1!~FFE0\033\\" },
	{ "checksum, positive, without styles", "\033[3#y\033[1;4mA\033[9;1;1;1;1;1*y",
		"\033P9!~0041\033\\" },
	{ "checksum of nothing", "\033[1;1;3;3;2;2*y", "\033P1!~0000\033\\" },
	{ "graphics are not there", "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\",
		"\033_Gi=31;ENOTSUP:no graphics\033\\" },
	{ "graphics sent are not answered", "\033_Gi=31,a=T;AAAA\033\\", "" },
	{ "program status", "\033]7501;?\033\\", "\033]7501;?\033\\" },
	{ "notifications", "\033]99;i=ab:p=?;\033\\", "\033]99;i=ab:p=?;p=title,body\033\\" },
	{ "notifications: a bad id is not told", "\033]99;i=a\033[b:p=?;\a", "" },
	{ "colour set, told, reset",
		"\033]4;1;#abc;2;rgb:f/80/ffff\a\033]4;1;?;2;?\a\033]104;1\a\033]4;1;?\a",
		"\033]4;1;rgb:a0a0/b0b0/c0c0\033\\\033]4;2;rgb:ffff/8080/ffff\033\\"
		"\033]4;1;rgb:cdcd/0000/0000\033\\" },
	{ "colours: all reset", "\033]4;7;#000000\a\033]104\a\033]4;7;?\a",
		"\033]4;7;rgb:e5e5/e5e5/e5e5\033\\" },
	{ "colours: senseless", "\033]4;256;?;-1;?;x;?;1;rgb:1/2;1;#1234;1\a", "" },
	{ "text, background and cursor", "\033]10;?;?;?\a",
		"\033]10;rgb:e5e5/e5e5/e5e5\033\\\033]11;rgb:0000/0000/0000\033\\"
		"\033]12;rgb:e5e5/e5e5/e5e5\033\\" },
	{ "background set and reset", "\033]11;#102030\a\033]11;?\a\033]111\a\033]11;?\a",
		"\033]11;rgb:1010/2020/3030\033\\\033]11;rgb:0000/0000/0000\033\\" },
	{ "background", "\033]11;?\a", "\033]11;rgb:0000/0000/0000\033\\" },
	{ "palette", "\033]4;1;?\033\\", "\033]4;1;rgb:cdcd/0000/0000\033\\" },
	{ "clipboard is not told", "\033]52;c;?\a", "" },
	{ "ENQ is silent", "\x05", "" },
};

static void
test_replies(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof replies / sizeof replies[0]; i++) {
		for (size_t chunk = strlen(replies[i].in); chunk; chunk--) {
			struct term *t = term_fed(3, 10, replies[i].in, chunk);
			struct buf *got = term_replies(t);

			if (strcmp(got->len ? got->data : "", replies[i].want) != 0)
				fail_msg("%s: got \"%s\"", replies[i].name,
					got->len ? got->data + 1 : "");
			term_free(t);
		}
	}
}

static void
test_replies_are_bounded(void **state)
{
	struct term *t = term_make(3, 10);

	(void)state;
	for (unsigned i = 0; i < 100000; i++)
		term_feed(t, "\033[>q", 4);
	assert_true(term_replies(t)->len <= TERM_REPLY_BYTES);
	buf_cut(term_replies(t), term_replies(t)->len);
	term_feed(t, "\033[5n", 4);
	assert_string_equal(term_replies(t)->data, "\033[0n");
	term_free(t);
}

static const struct {
	const char *name;
	const char *in;
	enum term_event_kind kind;
	int32_t value;
	const char *text;
} events[] = {
	{ "title", "\033]0;web \xe2\x98\x83\a", TERM_EVENT_TITLE, 0, "web \xe2\x98\x83" },
	{ "title stripped",
		"\033]2;a\xc2\x9b"
		"b\xff"
		"c\xe2\x80\xae"
		"d\033\\",
		TERM_EVENT_TITLE, 0, "abcd" },
	{ "bell", "\a\a\a", TERM_EVENT_BELL, 0, "" },
	{ "directory", "\033]7;file://host/home/a%20b\033\\", TERM_EVENT_CWD, 0, "/home/a b" },
	{ "prompt", "\033]133;A\a", TERM_EVENT_PROMPT, 0, "" },
	{ "command", "\033]133;B\a", TERM_EVENT_COMMAND, 0, "" },
	{ "output", "\033]133;C;x=y\a", TERM_EVENT_OUTPUT, 0, "" },
	{ "done", "\033]133;D;7\a", TERM_EVENT_COMMAND_DONE, 7, "" },
	{ "done, not said how", "\033]133;D\a", TERM_EVENT_COMMAND_DONE, -1, "" },
	{ "progress", "\033]9;4;1;42\a", TERM_EVENT_PROGRESS, 42, "" },
	{ "progress ends", "\033]9;4;0\a", TERM_EVENT_PROGRESS, -1, "" },
	{ "progress beyond", "\033]9;4;1;4200\a", TERM_EVENT_PROGRESS, 100, "" },
	{ "notification", "\033]9;look here\a", TERM_EVENT_NOTIFY, 0, "look here" },
	{ "ConEmu's numbers are no notification", "\033]9;9;C:\\\a\033]9;12\a\033]9;3 files\a",
		TERM_EVENT_NOTIFY, 0, "3 files" },
	{ "notification without a body", "\033]777;notify;T\a", TERM_EVENT_NOTIFY, 0, "T" },
	{ "kitty's notification", "\033]99;;hello\a", TERM_EVENT_NOTIFY, 0, "hello" },
	{ "kitty's, in pieces", "\033]99;i=1:d=0;Ti\a\033]99;i=1:d=0;tle\a\033]99;i=1:p=body;b\a",
		TERM_EVENT_NOTIFY, 0, "Title: b" },
	{ "kitty's, base64", "\033]99;e=1;aGk\a", TERM_EVENT_NOTIFY, 0, "hi" },
	{ "kitty's, controls in base64", "\033]99;e=1;YRtb\a", TERM_EVENT_NOTIFY, 0, "a[" },
	{ "iTerm2's directory", "\033]1337;CurrentDir=/a/b\a", TERM_EVENT_CWD, 0, "/a/b" },
	{ "status", "\033]7501;state=working:msg=cnVucw\033\\", TERM_EVENT_STATUS,
		TERM_STATUS_WORKING, "runs" },
	{ "status by a title", "\033]7501;state=done:title=dA==\a", TERM_EVENT_STATUS,
		TERM_STATUS_DONE, "t" },
	{ "status: unknown keys are for later", "\033]7501;new=1:state=idle\a", TERM_EVENT_STATUS,
		TERM_STATUS_IDLE, "" },
	{ "notification with a title", "\033]777;notify;T;B\a", TERM_EVENT_NOTIFY, 0, "T: B" },
};

static void
test_events(void **state)
{
	struct term_event e;

	(void)state;
	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
		struct term *t = term_fed(3, 10, events[i].in, 1);

		if (!term_next_event(t, &e) || e.kind != events[i].kind ||
			e.value != events[i].value || strcmp(e.text, events[i].text) != 0)
			fail_msg("%s: got kind %d, value %d, \"%s\"", events[i].name, e.kind,
				e.value, e.text);
		assert_false(term_next_event(t, &e));
		term_free(t);
	}
}

static void
test_clipboard(void **state)
{
	struct term *t = term_fed(3, 10, "\033]52;c;aGVsbG8=\a\033]52;c;?\a", 3);
	struct term_event e;
	size_t len;

	(void)state;
	assert_true(term_next_event(t, &e));
	assert_int_equal(e.kind, TERM_EVENT_CLIPBOARD);
	assert_int_equal(e.value, 5);
	assert_string_equal(e.text, "");
	assert_string_equal(e.id, "c");
	assert_memory_equal(term_clipboard(t, &len), "hello", 5);
	assert_int_equal(len, 5);
	assert_false(term_next_event(t, &e));
	term_free(t);
}

static const struct {
	const char *name, *in;
} silent[] = {
	{ "clipboard: no base64", "\033]52;c;a$b=\a" },
	{ "clipboard: no selection", "\033]52;c?;aGVs\a" },
	{ "clipboard: another alphabet", "\033]52;zz;aGVs\a" },
	{ "status without a state", "\033]7501;msg=aGk=\a" },
	{ "status: unknown state", "\033]7501;state=bored\a" },
	{ "status: control character", "\033]7501;state=idle:msg=G1s=\a" },
	{ "status: bad base64", "\033]7501;state=idle:msg=!\a" },
	{ "status: bad app", "\033]7501;state=idle:app=a b\a" },
	{ "status: empty segment", "\033]7501;state=idle:id=a//b\a" },
	{ "status: long segment", "\033]7501;state=idle:id=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\a" },
	{ "status: many segments", "\033]7501;state=idle:id=1/2/3/4/5/6/7/8/9\a" },
	{ "kitty's notification: bad base64", "\033]99;e=1;!!\a" },
	{ "kitty's notification: unfinished", "\033]99;d=0;x\a" },
	{ "kitty's notification: a button", "\033]99;p=buttons;x\a" },
	{ "rxvt's: something else", "\033]777;preexec;x\a" },
	{ "iTerm2's: a file", "\033]1337;File=name=eA==:AAAA\a" },
};

static void
test_silent(void **state)
{
	struct term_event e;

	(void)state;
	for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++) {
		struct term *t = term_fed(3, 10, silent[i].in, 1);

		if (term_next_event(t, &e) || term_replies(t)->len)
			fail_msg("%s: not silent", silent[i].name);
		term_free(t);
	}
}

static void
test_status(void **state)
{
	struct term *t = term_fed(3, 10,
		"\033]7501;state=blocked:kind=permission:progress=40:app=claude-1:id=task/a1:"
		"msg=YXBwcm92ZQ==\033\\",
		7);
	struct term_event e;

	(void)state;
	assert_true(term_next_event(t, &e));
	assert_int_equal(e.value, TERM_STATUS_BLOCKED);
	assert_int_equal(e.blocked, TERM_BLOCKED_PERMISSION);
	assert_int_equal(e.progress, 40);
	assert_string_equal(e.app, "claude-1");
	assert_string_equal(e.id, "task/a1");
	assert_string_equal(e.text, "approve");
	term_feed(t, "\033c\033c", 4);
	assert_true(term_next_event(t, &e));
	assert_int_equal(e.kind, TERM_EVENT_STATUS);
	assert_int_equal(e.value, TERM_STATUS_CLEAR);
	assert_false(term_next_event(t, &e));
	term_free(t);
}

/* What the owner says from outside is told to a program that asked for it, and only then. */
static void
test_owner_reports(void **state)
{
	struct term *t = term_fed(3, 10, "", 1);

	(void)state;
	term_set_dark(t, false);
	term_set_cell_pixels(t, 10, 20);
	term_resize(t, (struct size){ 4, 20 });
	assert_int_equal(term_replies(t)->len, 0);
	term_feed(t, "\033[?2031;2048h", 13);
	buf_reset(term_replies(t));
	term_set_dark(t, true);
	term_set_dark(t, true);
	term_resize(t, (struct size){ 5, 30 });
	term_set_cell_pixels(t, 0, 5);
	term_set_cell_pixels(t, 9, 18);
	assert_string_equal(
		term_replies(t)->data, "\033[?997;1n\033[48;5;30;100;300t\033[48;5;30;90;270t");
	term_free(t);
}

/* Whatever is asked, and by whatever bytes, what is typed back holds no control byte but those that
 * begin and end an answer. */
static void
test_replies_are_harmless(void **state)
{
	static const char *const frames[] = { "\033]2;%s\a\033[20t\033[21t", "\033P$q%s\033\\",
		"\033P+q%s\033\\", "\033]99;i=%s:p=?;\a", "\033]4;1;%s\a\033]4;1;?\a",
		"\033]10;%s\a\033]10;?\a", "\033_Gi=%s,a=q;\033\\", "\033]7501;?%s\a", "\033[%s*y",
		"\033[?63;%sn", "\033[%s$p" };
	static const char *const texts[] = { "\nreboot\n", "\rls\r", "0a0d;0D", "\x03", "\x7f",
		"1;2\n",
		"\xc2\x9b"
		"c",
		"\xe2\x80\xae" };

	(void)state;
	for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
		for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
			struct term *t = term_make(3, 10);
			struct buf *got = term_replies(t);
			AUTO(buf) struct buf in = { 0 };

			for (const char *s = frames[i]; *s; s++)
				if (s[0] == '%' && s[1] == 's') {
					buf_add_str(&in, texts[k]);
					s++;
				} else {
					buf_add_char(&in, *s);
				}
			term_feed(t, in.data, in.len);
			for (size_t n = 0; n < got->len; n++) {
				unsigned char c = (unsigned char)got->data[n];

				if (c != 0x1b && (c < 0x20 || c > 0x7e))
					fail_msg("frame %zu, text %zu: byte %u", i, k, c);
			}
			term_free(t);
		}
	}
}

static void
test_title_stack(void **state)
{
	struct term *t = term_fed(3, 10, "\033]2;one\a\033[22;0t\033]2;two\a", 5);

	(void)state;
	assert_string_equal(term_title(t), "two");
	for (unsigned i = 0; i < 100; i++)
		term_feed(t, "\033[22t", 5);
	for (unsigned i = 0; i < 100; i++)
		term_feed(t, "\033[23t", 5);
	assert_string_equal(term_title(t), "one");
	term_free(t);
}

static void
test_links(void **state)
{
	struct term *t = term_fed(3, 20, "\033]8;id=1;https://a/\033\\ab\033]8;;\033\\c", 1);
	unsigned used;
	const struct cell *c = term_row(t, 0, &used);

	(void)state;
	assert_string_equal(term_link(t, term_ext(t, c[1].ext).link), "https://a/");
	assert_int_equal(term_ext(t, c[2].ext).link, 0);
	assert_null(term_link(t, 99));
	term_free(t);
}

/* Any cut of any output gives the same screen, and the grid stays sound. */
static void
test_chunks_and_invariants(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < 400; round++) {
		uint64_t seed = round * 31;
		unsigned rows = 1 + random_below(&seed, 12), cols = 2 + random_below(&seed, 40);
		AUTO(buf) struct buf out = { 0 }, whole = { 0 }, parts = { 0 };
		struct term *a = term_make(rows, cols), *b = term_make(rows, cols);

		random_output(&seed, 200, &out);
		term_feed(a, out.data, out.len);
		for (size_t at = 0, n; at < out.len; at += n) {
			n = 1 + random_below(&seed, 7);
			if (n > out.len - at)
				n = out.len - at;
			term_feed(b, out.data + at, n);
			if (term_fault(b))
				fail_msg("round %u: %s", (unsigned)round, term_fault(b));
		}
		term_dump_screen(a, &whole);
		term_dump_screen(b, &parts);
		assert_string_equal(whole.data, parts.data);
		assert_int_equal(term_next_line(a), term_next_line(b));
		term_free(a);
		term_free(b);
	}
}

static void
test_version(void **state)
{
	struct term *t = term_make(3, 10);
	uint64_t v = term_version(t);

	(void)state;
	term_feed(t, "\033]31337;x\a\033[5n", 15);
	assert_int_equal(term_version(t), v);
	term_feed(t, "x", 1);
	assert_true(term_version(t) > v);
	v = term_version(t);
	term_feed(t, "\033[D", 3);
	assert_true(term_version(t) > v);
	v = term_version(t);
	term_feed(t, "\033[?2004h", 8);
	assert_true(term_version(t) > v);
	term_free(t);
}

/* 64 MB in one write, 10 million parameters, a string without end, marks without end on one cell,
 * the greatest size. */
static void
test_bounded(void **state)
{
	struct term *t = term_make(24, 80);
	AUTO(buf) struct buf big = { .limit = 128 << 20 };
	unsigned used;

	(void)state;
	buf_add_str(&big, "\033[");
	while (big.len < 16 << 20)
		buf_add_str(&big, "1;2:3;");
	term_feed(t, big.data, big.len);
	buf_reset(&big);
	buf_add_str(&big, "m\033]8;;");
	while (big.len < 16 << 20)
		buf_add_str(&big, "endless");
	term_feed(t, big.data, big.len);
	assert_true(t->parser.string.len <= OSC_BYTES);
	buf_reset(&big);
	buf_add_str(&big, "\033\\e");
	while (big.len < 8 << 20)
		buf_add_str(&big, "\xcc\x81\xcc\x82");
	term_feed(t, big.data, big.len);
	term_row(t, 0, &used);
	assert_int_equal(used, 1);
	assert_true(t->table.count <= CLUSTER_POINTS);
	term_resize(t, (struct size){ 65535, 65535 });
	assert_int_equal(term_size(t).rows, SIZE_MAX_ROWS);
	assert_int_equal(term_size(t).cols, SIZE_MAX_COLS);
	term_feed(t, "\033[999;9999Hx\033[T\033[S", 18);
	term_resize(t, (struct size){ 0, 0 });
	assert_int_equal(term_size(t).cols, SIZE_MIN_COLS);
	assert_null(term_fault(t));
	term_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_styles),
		cmocka_unit_test(test_replies),
		cmocka_unit_test(test_replies_are_bounded),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_clipboard),
		cmocka_unit_test(test_silent),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_owner_reports),
		cmocka_unit_test(test_replies_are_harmless),
		cmocka_unit_test(test_title_stack),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_chunks_and_invariants),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
