/* Each control function by what the standards say: bytes in, rows and cursor out, at every chunk size.
 * Sources: ECMA-48 (5th edition); DEC STD 070; the VT420 and VT510 manuals; xterm's ctlseqs. Where they
 * differ, the row says which is followed. GRID is a screen of 5 rows and 8 columns full of letters;
 * MARGINS are its columns 3 to 6 and rows 2 to 4. */
#include "helper.h"

#include "term/screen.h"

#define GRID "\033[Habcdefgh\033[2Hijklmnop\033[3Hqrstuvwx\033[4HABCDEFGH\033[5HIJKLMNOP"
#define LRMM "\033[?69h"
#define MARGINS LRMM "\033[3;6s\033[2;4r"
#define WIDE "\xe4\xb8\xad" /* two cells */

static const struct {
	const char *name;
	const char *in;
	const char *want;
	unsigned row, col;
} cases[] = {
	/* -- CUU CUD CUF CUB: ECMA-48 8.3.18-22; margins stop a cursor that is not beyond them -- */
	{ "CUU stops at the first row", "\033[3;3H\033[9A", "", 0, 2 },
	{ "CUU stops at the top margin", MARGINS "\033[3;3H\033[9A", "", 1, 2 },
	{ "CUU from above the margin", MARGINS "\033[1;3H\033[A", "", 0, 2 },
	{ "CUU from below reaches the top margin", MARGINS "\033[5;3H\033[9A", "", 1, 2 },
	{ "CUD stops at the last row", "\033[3;3H\033[9B", "", 4, 2 },
	{ "CUD stops at the bottom margin", MARGINS "\033[3;3H\033[9B", "", 3, 2 },
	{ "CUD from below the margin", MARGINS "\033[5;3H\033[9B", "", 4, 2 },
	{ "CUF stops at the last column", "\033[2;3H\033[99C", "", 1, 7 },
	{ "CUF stops at the right margin", MARGINS "\033[3;4H\033[99C", "", 2, 5 },
	{ "CUF from right of the margin", MARGINS "\033[3;7H\033[99C", "", 2, 7 },
	{ "CUB stops at the first column", "\033[2;3H\033[99D", "", 1, 0 },
	{ "CUB stops at the left margin", MARGINS "\033[3;5H\033[99D", "", 2, 2 },
	{ "CUB from left of the margin", MARGINS "\033[3;2H\033[99D", "", 2, 0 },
	{ "parameter 0 is 1 for each", "\033[3;3H\033[0A\033[0C\033[0B\033[0B\033[0D", "", 3, 2 },
	{ "a cursor that waits to wrap moves from the last column", "12345678\033[D!", "123456!8",
		0, 7 },
	{ "CUF ends the wait to wrap", "12345678\033[C!", "1234567!", 0, 7 },
	/* -- CNL CPL -- */
	{ "CNL goes to the left margin", MARGINS "\033[2;5H\033[2E", "", 3, 2 },
	{ "CNL stops at the bottom margin", MARGINS "\033[3;5H\033[9E", "", 3, 2 },
	{ "CPL stops at the top margin", MARGINS "\033[3;5H\033[9F", "", 1, 2 },
	{ "CNL from left of the margin", MARGINS "\033[3;2H\033[E", "", 3, 0 },
	/* -- CUP HVP CHA HPA VPA HPR VPR -- */
	{ "CUP ignores margins without origin mode", MARGINS "\033[1;1H", "", 0, 0 },
	{ "CUP beyond", "\033[99;99H", "", 4, 7 },
	{ "HVP is CUP", "\033[2;4f", "", 1, 3 },
	{ "DECOM goes home", MARGINS "\033[5;5H\033[?6h", "", 1, 2 },
	{ "DECOM reset goes home", MARGINS "\033[?6h\033[2;2H\033[?6l", "", 0, 0 },
	{ "CUP in origin mode", MARGINS "\033[?6h\033[2;2H", "", 2, 3 },
	{ "CUP in origin mode stays inside", MARGINS "\033[?6h\033[99;99H", "", 3, 5 },
	{ "CHA and VPA in origin mode", MARGINS "\033[?6h\033[3G\033[2d", "", 2, 4 },
	{ "HPA", "\033[3;3H\033[6`", "", 2, 5 },
	{ "HPR and VPR pass margins", MARGINS "\033[3;4H\033[9a\033[9e", "", 4, 7 },
	/* -- BS CR HT LF NEL IND RI -- */
	{ "BS stops at the left margin", MARGINS "\033[3;3H\b", "", 2, 2 },
	{ "BS from left of the margin", MARGINS "\033[3;2H\b", "", 2, 0 },
	{ "CR goes to the left margin", MARGINS "\033[3;5H\r", "", 2, 2 },
	{ "CR from left of the margin", MARGINS "\033[3;2H\r", "", 2, 0 },
	{ "CR in origin mode from left of the margin (DEC STD 070)",
		"\033[?6h\033[3;2H\0337" MARGINS "\0338\r", "", 2, 2 },
	{ "IND scrolls at the bottom margin", GRID MARGINS "\033[4;4H\033D",
		"abcdefgh/ijstuvop/qrCDEFwx/AB    GH/IJKLMNOP", 3, 3 },
	{ "IND outside the margins' columns scrolls nothing", GRID MARGINS "\033[4;1H\033D",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 3, 0 },
	{ "IND below the margin", GRID MARGINS "\033[5;4H\033D",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 4, 3 },
	{ "RI scrolls at the top margin", GRID MARGINS "\033[2;4H\033M",
		"abcdefgh/ij    op/qrklmnwx/ABstuvGH/IJKLMNOP", 1, 3 },
	{ "RI outside the margins' columns scrolls nothing", GRID MARGINS "\033[2;8H\033M",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 1, 7 },
	{ "NEL scrolls and returns to the left margin", GRID MARGINS "\033[4;5H\033E",
		"abcdefgh/ijstuvop/qrCDEFwx/AB    GH/IJKLMNOP", 3, 2 },
	{ "NEL right of the margins scrolls nothing", GRID MARGINS "\033[4;8H\033E",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 3, 2 },
	{ "LF, VT and FF are one", "a\nb\vc\fd", "a/ b/  c/   d", 3, 4 },
	{ "LNM", "\033[20hab\nc\033[20ld\ne", "ab/cd/  e", 2, 3 },
	/* -- ED EL ECH, DECSED DECSEL: margins do not limit them; DECSCA only the last two -- */
	{ "ED 0", GRID MARGINS "\033[3;4H\033[J", "abcdefgh/ijklmnop/qrs", 2, 3 },
	{ "ED 1", GRID MARGINS "\033[3;4H\033[1J", "//    uvwx/ABCDEFGH/IJKLMNOP", 2, 3 },
	{ "ED 2 leaves the cursor", GRID "\033[3;4H\033[2J", "", 2, 3 },
	{ "ED 3 leaves the screen", GRID "\033[3;4H\033[3J",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 2, 3 },
	{ "ED of an unknown kind", "ab\033[7J", "ab", 0, 2 },
	{ "EL 0, 1, 2", GRID MARGINS "\033[1;4H\033[K\033[2;4H\033[1K\033[3;4H\033[2K",
		"abc/    mnop//ABCDEFGH/IJKLMNOP", 2, 3 },
	{ "EL behind the last column (as tmux and alacritty: grep and ls end lines so; xterm "
	  "erases)",
		"12345678\033[K", "12345678", 0, 7 },
	{ "ECH passes the right margin", GRID MARGINS "\033[3;5H\033[99X",
		"abcdefgh/ijklmnop/qrst/ABCDEFGH/IJKLMNOP", 2, 4 },
	{ "ED and EL take what is protected", "\033[1\"qab\033[2\"q\r\033[K\n\033[1\"qcd\033[2J",
		"", 1, 2 },
	{ "DECSED 0, 1, 2",
		"\033[1\"qa\033[0\"qb\033[1\"qc\033[0\"qd\033[1;3H\033[?J\033[1;2H\033[?1J\033[?2J",
		"a c", 0, 1 },
	{ "DECSEL 0, 1, 2",
		"\033[1\"qa\033[0\"qbc\r\n\033[1\"qa\033[0\"qbc\r\n\033[1\"qa\033[0\"qbc\033[1;"
		"2H\033[?K"
		"\033[2;2H\033[?1K\033[3;2H\033[?2K",
		"a/a c/a", 2, 1 },
	{ "SGR 0 does not end DECSCA", "\033[1\"q\033[ma\r\033[?2K", "a", 0, 0 },
	{ "DECSCA 2 is 0", "\033[1\"qa\033[2\"qb\r\033[?2K", "a", 0, 0 },
	/* -- ICH DCH: VT420, inside the margins only -- */
	{ "ICH", GRID "\033[2;3H\033[2@", "abcdefgh/ij  klmn/qrstuvwx/ABCDEFGH/IJKLMNOP", 1, 2 },
	{ "ICH up to the right margin", GRID MARGINS "\033[3;4H\033[@",
		"abcdefgh/ijklmnop/qrs tuwx/ABCDEFGH/IJKLMNOP", 2, 3 },
	{ "ICH of too many", GRID MARGINS "\033[3;4H\033[99@",
		"abcdefgh/ijklmnop/qrs   wx/ABCDEFGH/IJKLMNOP", 2, 3 },
	{ "ICH outside the columns", GRID MARGINS "\033[3;1H\033[@\033[3;8H\033[@",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 2, 7 },
	{ "ICH above the region (rows do not matter)", GRID MARGINS "\033[1;4H\033[@",
		"abc degh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 0, 3 },
	{ "DCH", GRID "\033[2;3H\033[2P", "abcdefgh/ijmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 1, 2 },
	{ "DCH up to the right margin", GRID MARGINS "\033[3;4H\033[P",
		"abcdefgh/ijklmnop/qrsuv wx/ABCDEFGH/IJKLMNOP", 2, 3 },
	{ "DCH of too many", GRID MARGINS "\033[3;4H\033[99P",
		"abcdefgh/ijklmnop/qrs   wx/ABCDEFGH/IJKLMNOP", 2, 3 },
	{ "DCH outside the columns", GRID MARGINS "\033[3;1H\033[P\033[3;8H\033[P",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 2, 7 },
	{ "IRM moves up to the right margin", GRID MARGINS "\033[3;4H\033[4h!\033[4l",
		"abcdefgh/ijklmnop/qrs!tuwx/ABCDEFGH/IJKLMNOP", 2, 4 },
	/* -- IL DL: inside the region only; the cursor goes to the left margin (VT510) -- */
	{ "IL", GRID "\033[2;3H\033[2L", "abcdefgh///ijklmnop/qrstuvwx", 1, 0 },
	{ "IL within margins", GRID MARGINS "\033[3;4H\033[L",
		"abcdefgh/ijklmnop/qr    wx/ABstuvGH/IJKLMNOP", 2, 2 },
	{ "IL of too many", GRID MARGINS "\033[3;4H\033[99L",
		"abcdefgh/ijklmnop/qr    wx/AB    GH/IJKLMNOP", 2, 2 },
	{ "IL above, below and beside the region",
		GRID MARGINS "\033[1;4H\033[L\033[5;4H\033[L\033[3;8H\033[L",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 2, 7 },
	{ "DL", GRID "\033[2;3H\033[2M", "abcdefgh/ABCDEFGH/IJKLMNOP", 1, 0 },
	{ "DL within margins", GRID MARGINS "\033[3;4H\033[M",
		"abcdefgh/ijklmnop/qrCDEFwx/AB    GH/IJKLMNOP", 2, 2 },
	{ "DL of too many", GRID MARGINS "\033[2;4H\033[99M",
		"abcdefgh/ij    op/qr    wx/AB    GH/IJKLMNOP", 1, 2 },
	{ "DL above, below and beside the region",
		GRID MARGINS "\033[1;4H\033[M\033[5;4H\033[M\033[3;1H\033[M",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 2, 0 },
	/* -- SU SD: the region, wherever the cursor is -- */
	{ "SU within margins, cursor outside", GRID MARGINS "\033[1;1H\033[2S",
		"abcdefgh/ijCDEFop/qr    wx/AB    GH/IJKLMNOP", 0, 0 },
	{ "SD within margins, cursor outside", GRID MARGINS "\033[5;8H\033[T",
		"abcdefgh/ij    op/qrklmnwx/ABstuvGH/IJKLMNOP", 4, 7 },
	{ "SU of too many", GRID MARGINS "\033[99S", "abcdefgh/ij    op/qr    wx/AB    GH/IJKLMNOP",
		0, 0 },
	{ "SD with five parameters is highlight tracking", GRID "\033[1;1;1;1;1T",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 4, 7 },
	/* -- DECSTBM DECSLRM -- */
	{ "DECSTBM goes home", "\033[3;3H\033[2;4r", "", 0, 0 },
	{ "DECSTBM goes home in origin mode", "\033[?6h\033[3;3H\033[2;4r", "", 1, 0 },
	{ "DECSTBM, bottom beyond the screen", "\033[2;99r\033[5;1Hx\n", "///x", 4, 1 },
	{ "DECSTBM of one line is refused", "\033[3;3H\033[4;4r", "", 2, 2 },
	{ "DECSTBM upside down is refused", "\033[3;3H\033[4;2r", "", 2, 2 },
	{ "DECSTBM, top beyond the screen, is refused", "\033[3;3H\033[9;12r", "", 2, 2 },
	{ "DECSTBM without parameters is the screen", "\033[2;3r\033[r\033[3;1H\n\n", "", 4, 0 },
	{ "DECSLRM goes home", LRMM "\033[3;3H\033[2;4s", "", 0, 0 },
	{ "DECSLRM of one column is refused", LRMM "\033[3;3H\033[4;4s", "", 2, 2 },
	{ "DECSLRM without DECLRMM is nothing", "\033[3;3H\033[2;4s\033[1;1H\033[9C", "", 0, 7 },
	{ "DECSLRM without parameters is the width", LRMM "\033[2;4s\033[s\033[9C", "", 0, 7 },
	{ "CSI s saves only without DECLRMM",
		"\033[3;3H\033[s\033[5;5H" LRMM "\033[s\033[4;4H\033[u", "", 2, 2 },
	{ "DECLRMM reset takes the margins", LRMM "\033[2;4s\033[?69l\033[1;1H\033[9C", "", 0, 7 },
	/* -- REP: ECMA-48 8.3.103, only what was printed just before (as xterm) -- */
	{ "REP", "a\033[2b", "aaa", 0, 3 },
	{ "REP wraps within margins", LRMM "\033[2;4s\033[1;2Ha\033[3b", " aaa/ a", 1, 2 },
	{ "REP after a cursor movement is nothing", "a\033[3;3H\033[2b", "a", 2, 2 },
	{ "REP after a line feed is nothing", "a\n\033[2b", "a", 1, 1 },
	{ "REP of a wide character", WIDE "\033[2b", WIDE WIDE WIDE, 0, 6 },
	{ "REP at the right edge of a wide character", "abcde" WIDE "\033[1b",
		"abcde" WIDE "/" WIDE, 1, 2 },
	/* -- tabs -- */
	{ "HTS, TBC 0, TBC 3", "\033[3G\033H\033[5G\033H\r\tA\tB\033[5G\033[g\r\t\tC", "  A B  C",
		0, 7 },
	{ "TBC 3", "\033[3G\033H\033[3g\r\tx", "       x", 0, 7 },
	{ "TBC of an unknown kind", "\033[3G\033H\033[1g\r\tx", "  x", 0, 3 },
	{ "CHT stops at the right margin", LRMM "\033[2;5s\033[2G\033[9I", "", 0, 4 },
	{ "CHT from left of the margin stops there too", LRMM "\033[3;5s\033[1G\033[9I", "", 0, 4 },
	{ "CBT does not stop at the left margin (xterm; esctest)", LRMM "\033[3;8s\033[6G\033[Z",
		"", 0, 0 },
	{ "a tab keeps the wait to wrap", "12345678\tx", "12345678/x", 1, 1 },
	/* -- DECALN -- */
	{ "DECALN fills, goes home and takes the margins", MARGINS "\033[3;3H\033#8\033[9B\033[9C",
		"EEEEEEEE/EEEEEEEE/EEEEEEEE/EEEEEEEE/EEEEEEEE", 4, 7 },
	/* -- DECSC DECRC -- */
	{ "DECRC without DECSC goes home and resets", "\033[3;3H\033(0\033[?6h\0338q", "q", 0, 1 },
	{ "DECRC brings back the character sets and the shift",
		"\033(0\033)A\016\0337\033(B\033)B\017\0338#\017q", "\xc2\xa3\xe2\x94\x80", 0, 2 },
	{ "DECRC brings back origin mode", "\033[2;4r\033[?6h\0337\033[?6l\0338\033[1;1Hx", "/x", 1,
		1 },
	{ "DECRC brings back the wait to wrap (DEC STD 070)", "12345678\0337\033[3;3H\0338x",
		"12345678/x", 1, 1 },
	{ "DECRC brings back protection", "\033[1\"q\0337\033[\"q\0338a\r\033[?2K", "a", 0, 0 },
	{ "DECRC leaves IRM and DECAWM", "\0337\033[4h\033[?7l\0338a\rb", "ba", 0, 1 },
	{ "each screen has its own",
		"\033[2;2H\0337\033[?47h\033[4;4H\0337\033[?47l\0338x\033[?47h\0338y", "///   y", 3,
		4 },
	/* -- autowrap -- */
	{ "DECAWM off", "\033[?7l\033[7Gabcd", "      ad", 0, 7 },
	{ "DECAWM reset ends the wait to wrap", "12345678\033[?7lx\033[?7hy", "1234567x/y", 1, 1 },
	{ "autowrap at the right margin", MARGINS "\033[2;5Habcd", "/    ab/  cd", 2, 4 },
	{ "autowrap right of the margin at the edge", MARGINS "\033[2;7Habc", "/      ab/c", 2, 1 },
	{ "autowrap scrolls within the margins", GRID MARGINS "\033[4;6Hxy",
		"abcdefgh/ijstuvop/qrCDExwx/ABy   GH/IJKLMNOP", 3, 3 },
	{ "autowrap off at the right margin", MARGINS "\033[?7l\033[2;5Habcd", "/    ad", 1, 5 },
	/* -- reverse wrap (xterm) -- */
	{ "BS back to the line above", "\033[?45h\033[2;1H\b", "", 0, 7 },
	{ "BS needs DECAWM", "\033[?45h\033[?7l\033[2;1H\b", "", 1, 0 },
	{ "BS waiting to wrap stays", "\033[?45h12345678\b!", "1234567!", 0, 7 },
	{ "CUB over lines", "\033[?45h\033[3;3H\033[12D", "", 0, 6 },
	{ "BS within margins", MARGINS "\033[?45h\033[3;3H\b", "", 1, 5 },
	{ "BS at the left edge, left of the margins", MARGINS "\033[?45h\033[3;1H\b", "", 1, 5 },
	{ "BS at the top margin goes to the bottom one", "\033[2;4r\033[?45h\033[2;1H\b", "", 3,
		7 },
	{ "CUB all around", "\033[?1045h\033[3;3H\033[40D\033[65535D\033[25D", "", 2, 2 },
	/* -- the alternate screen: xterm -- */
	{ "47 keeps the alternate screen and the cursor", "ab\033[?47hcd\033[?47lef\033[?47h",
		"  cd", 0, 6 },
	{ "1047 clears it when it is left", "ab\033[?1047hcd\033[?1047lef\033[?47h", "", 0, 6 },
	{ "1047 moves no cursor", "ab\033[?1047hcd\033[?1047l", "ab", 0, 4 },
	{ "1048 saves and restores", "\033[2;3H\033[?1048h\033[4;4H\033[?1048l", "", 1, 2 },
	{ "1049 saves, clears, restores", "\033[?47hzz\033[?47l\033[2;2Hab\033[?1049h\033[H", "", 0,
		0 },
	{ "1049 back", "\033[2;2Hab\033[?1049h\033[Hcd\033[?1049l", "/ ab", 1, 3 },
	/* -- rectangles (VT420): not limited by margins, moved by origin mode -- */
	{ "DECFRA ignores margins", MARGINS "\033[42;1;1;2;8$x", "********/********", 0, 0 },
	{ "DECFRA in origin mode", MARGINS "\033[?6h\033[42;1;1;99;2$x", "/  **/  **/  **", 1, 2 },
	{ "DECFRA upside down is nothing", "\033[42;3;3;2;2$x", "", 0, 0 },
	{ "DECERA", GRID "\033[2;3;4;6$z", "abcdefgh/ij    op/qr    wx/AB    GH/IJKLMNOP", 4, 7 },
	{ "DECERA takes what is protected", "\033[1\"qabc\033[1;1;1;2$z", "  c", 0, 3 },
	{ "DECSERA spares what is protected", "\033[1\"qab\033[0\"qc\033[1;1;1;3${", "ab", 0, 3 },
	{ "DECCRA, overlapping", GRID "\033[1;1;2;3;1;2;2;1$v",
		"abcdefgh/iabcmnop/qijkuvwx/ABCDEFGH/IJKLMNOP", 4, 7 },
	{ "DECCRA in origin mode", GRID MARGINS "\033[?6h\033[1;1;1;4;1;2;1;1$v",
		"abcdefgh/ijklmnop/qrklmnwx/ABCDEFGH/IJKLMNOP", 1, 2 },
	{ "DECCRA without parameters copies the screen onto itself", GRID "\033[$v",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 4, 7 },
	/* -- columns (VT420) -- */
	{ "DECIC within margins", GRID MARGINS "\033[3;4H\033['}",
		"abcdefgh/ijk lmop/qrs tuwx/ABC DEGH/IJKLMNOP", 2, 3 },
	{ "DECDC within margins", GRID MARGINS "\033[3;4H\033[2'~",
		"abcdefgh/ijkn  op/qrsv  wx/ABCF  GH/IJKLMNOP", 2, 3 },
	{ "DECIC and DECDC outside are nothing", GRID MARGINS "\033[1;4H\033['}\033[3;8H\033['~",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 2, 7 },
	{ "DECBI scrolls at the left margin", GRID MARGINS "\033[3;3H\0336",
		"abcdefgh/ij klmop/qr stuwx/AB CDEGH/IJKLMNOP", 2, 2 },
	{ "DECBI moves left of it", GRID MARGINS "\033[3;2H\0336\0336",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 2, 0 },
	{ "DECFI scrolls at the right margin", GRID MARGINS "\033[3;6H\0339",
		"abcdefgh/ijlmn op/qrtuv wx/ABDEF GH/IJKLMNOP", 2, 5 },
	{ "DECFI moves right of it", GRID MARGINS "\033[3;7H\0339\0339",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 2, 7 },
	{ "SL and SR within margins", GRID MARGINS "\033[2 A\033[ @",
		"abcdefgh/ij kl op/qr st wx/AB CD GH/IJKLMNOP", 0, 0 },
	/* -- character sets -- */
	{ "Latin-1 by SO and LS2", "\033-A\033.A\016!\033nA\017A",
		"\xc2\xa1\xc3\x81"
		"A",
		0, 3 },
	{ "a single shift to Latin-1", "\033/A\033O!!", "\xc2\xa1!", 0, 2 },
	{ "announcers and other escapes of two", "\033 F\033 G\033%G\033%@ab", "ab", 0, 2 },
	/* -- DECSTR and RIS -- */
	{ "DECSTR leaves screen and cursor", GRID "\033[3;3H\033[!p",
		"abcdefgh/ijklmnop/qrstuvwx/ABCDEFGH/IJKLMNOP", 2, 2 },
	{ "DECSTR: margins, IRM, DECOM, sets, saved cursor",
		MARGINS "\033[?6h\033[4h\033(0\0337\033[!p\033[Hq\033[Hj\033[9B\033[9C\0338x", "x",
		0, 1 },
	{ "DECSTR: DECSCA and reverse wrap", "\033[1\"q\033[?45h\033[!pa\033[?2K\033[2;1H\b", "", 1,
		0 },
	{ "DECSTR leaves the tabs", "\033[3G\033H\033[!p\r\tx", "  x", 0, 3 },
	{ "RIS takes everything",
		GRID MARGINS "\033[?6h\033[4h\033(0\033[3g\033[?7l\033[20h\033cq\tx", "q      x", 0,
		7 },
	{ "RIS leaves the alternate screen", "ab\033[?1049hcd\033cx", "x", 0, 1 },
	/* -- wide characters at the edges -- */
	{ "wide, printed over the second half", WIDE WIDE "\033[2GX", " X" WIDE, 0, 2 },
	{ "wide does not fit before the right margin", LRMM "\033[1;3sab" WIDE, "ab/" WIDE, 1, 2 },
	{ "wide in the last column, no autowrap", "\033[?7l1234567" WIDE, "123456" WIDE, 0, 7 },
	{ "ECH of a half", "a" WIDE "b\033[2G\033[X", "a  b", 0, 1 },
	{ "EL 0 from the second half", "a" WIDE "b\033[3G\033[K", "a", 0, 2 },
	{ "EL 1 to the first half", "a" WIDE "b\033[2G\033[1K", "   b", 0, 1 },
	{ "ICH between the halves", "a" WIDE "b\033[3G\033[@", "a   b", 0, 2 },
	{ "ICH pushes one over the right margin",
		LRMM "\033[1;4s"
		     "ab" WIDE "\033[1;1H\033[@",
		" ab", 0, 0 },
	{ "DCH of a half", "a" WIDE "bc\033[2G\033[P", "a bc", 0, 1 },
	{ "DCH pulls one over the right margin", "abc" WIDE "d" LRMM "\033[1;4s\033[1;1H\033[P",
		"bc   d", 0, 0 },
	{ "IL within margins cuts", "ab" WIDE "c" LRMM "\033[1;3s\033[1;1H\033[L", "    c/ab", 0,
		0 },
	{ "SU within margins cuts", "abcde\r\nab" WIDE "c" LRMM "\033[1;3s\033[S", "ab de/    c", 0,
		0 },
	{ "DECIC between the halves", "a" WIDE "b\033[3G\033['}", "a   b", 0, 2 },
	{ "DECCRA of a half", WIDE "ab\033[1;2;1;3;1;2;1;1$v", WIDE "ab/ a", 0, 4 },
	{ "DECCRA of a half onto its own row", "a" WIDE "bc\033[1;1;1;2;1;1;2;1$v", "aa bc", 0, 5 },
	{ "DECCRA of whole wide characters onto themselves", WIDE WIDE "a\033[1;1;1;4;1;1;2;1$v",
		" " WIDE WIDE, 0, 5 },
	{ "DECERA of a half", WIDE WIDE "\033[1;2;1;3$z", "", 0, 4 },
	{ "DECSED cuts what is half protected", "\033[1\"q" WIDE "\033[0\"qa\r\033[?2J", WIDE, 0,
		0 },
	{ "insert mode before a wide character", WIDE "\r\033[4hx\033[4l", "x" WIDE, 0, 1 },
	{ "VS16 in the last column stays narrow", "1234567\xe2\x9d\xa4\xef\xb8\x8f",
		"1234567\xe2\x9d\xa4\xef\xb8\x8f", 0, 7 },
};

static void
test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		for (size_t chunk = strlen(cases[i].in); chunk; chunk--) {
			struct term *t = term_fed(5, 8, cases[i].in, chunk);
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

/* What is answered, on the same screen. */
static const struct {
	const char *name;
	const char *in;
	const char *want;
} replies[] = {
	{ "DSR 6 waiting to wrap", "12345678\033[6n", "\033[1;8R" },
	{ "DSR 6 in origin mode", MARGINS "\033[?6h\033[2;2H\033[6n\033[?6n",
		"\033[2;2R\033[?2;2;1R" },
	{ "DECID is DA1", "\033Z\033[c\033[0c",
		"\033[?64;6;21;22;28;52c\033[?64;6;21;22;28;52c\033[?64;6;21;22;28;52c" },
	{ "DECRQM: DECANM can only be set", "\033[?2l\033[?2$p", "\033[?2;3$y" },
	{ "DECRQM: reverse wrap by either number",
		"\033[?1045h\033[?45$p\033[?1045$p\033[?45l\033[?1045$p",
		"\033[?45;1$y\033[?1045;1$y\033[?1045;2$y" },
	{ "DECRQM: margins, origin", "\033[?69h\033[?6h\033[?69$p\033[?6$p",
		"\033[?69;1$y\033[?6;1$y" },
	{ "DECRQSS: DECSTBM, DECSLRM after a reset", MARGINS "\033[!p\033P$qr\033\\\033P$qs\033\\",
		"\033P1$r1;5r\033\\\033P1$r1;8s\033\\" },
	{ "DECRQSS: DECSACE, DECSCA", "\033[1*x\033[1\"q\033P$q*x\033\\\033P$q\"q\033\\",
		"\033P1$r1*x\033\\\033P1$r1\"q\033\\" },
	{ "DECRQSS: SGR in all forms",
		"\033[1;3;4:3;7;38:5:200;48;2;1;2;3;58:2::4:5:6m\033P$qm\033\\",
		"\033P1$r0;1;3;7;4:3;38:5:200;48:2::1:2:3;58:2::4:5:6m\033\\" },
	{ "DECRQSS: bright colours", "\033[91;107m\033P$qm\033\\", "\033P1$r0;91;107m\033\\" },
	{ "DECRQSS: SGR taken away one by one",
		"\033[1;2;3;4;5;7;8;9;53m\033[22;23;24;25;27;28;29;55m\033P$qm\033\\",
		"\033P1$r0m\033\\" },
	{ "DECRQCRA: blanks at the end of rows and cells never written are left out (VT520, xterm)",
		"A B  \r\nC\033[1;1;1;1;2;8*y", "\033P1!~FF1A\033\\" },
	{ "DECRQCRA: all blanks by XTCHECKSUM 4", "\033[4#yA\033[1;1;1;1;1;3*y",
		"\033P1!~FF7F\033\\" },
	{ "DECRQCRA: a single blank is told", "\033[1;1;1;1;1;1*y", "\033P1!~FFE0\033\\" },
	{ "DECRQCRA in origin mode", MARGINS "\033[2;3HX\033[?6h\033[1;1;1;1;1;1*y",
		"\033P1!~FFA8\033\\" },
	{ "DECRQCRA: styles and protection", "\033[1;4;5;7m\033[1\"qA\033[1;1;1;1;1;1*y",
		"\033P1!~FECB\033\\" },
	{ "DECRQCRA outside", "\033[1;1;9;9;12;12*y", "\033P1!~0000\033\\" },
	{ "DECCIR", "\033[2;3H\033[1$w", "\033P1$u2;3;1;@;@;@;0;2;@;BBBB\033\\" },
	{ "DECCIR: styles, protection, origin, wait to wrap, sets",
		"\033[1;4;5;7m\033[1\"q\033[?6h\033(0\033)A\033.A\01612345678\033[1$w",
		"\033P1$u1;8;1;O;A;I;1;2;D;0AAB\033\\" },
	{ "DECTABSR", "\033[3G\033H\033[2$w\033[3g\033[2$w", "\033P2$u1/3\033\\\033P2$u\033\\" },
	{ "DECRQPSR of an unknown kind", "\033[3$w\033[$w", "" },
	{ "answers of unknown DSR and DA", "\033[99n\033[?99n\033[9c\033[>9c", "" },
};

static void
test_replies(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof replies / sizeof replies[0]; i++) {
		for (size_t chunk = strlen(replies[i].in); chunk; chunk--) {
			struct term *t = term_fed(5, 8, replies[i].in, chunk);
			struct buf *got = term_replies(t);

			if (strcmp(got->len ? got->data : "", replies[i].want) != 0)
				fail_msg("%s: got \"%s\"", replies[i].name,
					got->len ? got->data + 1 : "");
			term_free(t);
		}
	}
}

/* Every mode that can be set: told as set, told as reset, and by a full reset as at first. */
static const struct {
	unsigned mode;
	bool is_private, is_on_first;
} modes[] = { { 2, false, false }, { 4, false, false }, { 12, false, true }, { 20, false, false },
	{ 1, true, false }, { 4, true, false }, { 5, true, false }, { 6, true, false },
	{ 7, true, true }, { 8, true, true }, { 9, true, false }, { 12, true, false },
	{ 18, true, false }, { 19, true, false }, { 25, true, true }, { 40, true, false },
	{ 42, true, false }, { 45, true, false }, { 47, true, false }, { 66, true, false },
	{ 67, true, false }, { 69, true, false }, { 95, true, false }, { 1000, true, false },
	{ 1002, true, false }, { 1003, true, false }, { 1004, true, false }, { 1006, true, false },
	{ 1007, true, true }, { 1016, true, false }, { 1045, true, false }, { 1047, true, false },
	{ 1049, true, false }, { 2004, true, false }, { 2026, true, false }, { 2031, true, false },
	{ 2048, true, false } };

static bool
is_told(struct term *t, size_t i, const char *first, bool want)
{
	const char *mark = modes[i].is_private ? "?" : "";
	char ask[64], answer[64];

	buf_reset(term_replies(t));
	snprintf(ask, sizeof ask, "%s", first);
	term_feed(t, ask, strlen(ask));
	buf_reset(term_replies(t));
	snprintf(ask, sizeof ask, "\033[%s%u$p", mark, modes[i].mode);
	term_feed(t, ask, strlen(ask));
	snprintf(answer, sizeof answer, "\033[%s%u;%d$y", mark, modes[i].mode, want ? 1 : 2);
	return strcmp(term_replies(t)->data, answer) == 0;
}

static void
test_modes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
		const char *mark = modes[i].is_private ? "?" : "";
		struct term *t = term_make(5, 8);
		char on[32], off[32];

		snprintf(on, sizeof on, "\033[%s%uh", mark, modes[i].mode);
		snprintf(off, sizeof off, "\033[%s%ul", mark, modes[i].mode);
		if (!is_told(t, i, "", modes[i].is_on_first) || !is_told(t, i, on, true) ||
			!is_told(t, i, off, false) ||
			!is_told(t, i, modes[i].is_on_first ? off : on, !modes[i].is_on_first) ||
			!is_told(t, i, "\033c", modes[i].is_on_first))
			fail_msg("mode %s%u: got \"%s\"", mark, modes[i].mode,
				term_replies(t)->data + 1);
		term_free(t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_replies),
		cmocka_unit_test(test_modes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
