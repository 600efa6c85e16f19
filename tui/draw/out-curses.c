/* The curses back end, and the only file that includes curses.h: terminals that do not speak
 * xterm's language. ncurses waits when the terminal is slow. So it draws into a memory file, and
 * the bytes go the way of all others, through tty.h, which never waits. ncurses keeps its state in
 * variables of its own, so there is one curses back end per process. */
#include <curses.h>
#include <term.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "draw/out.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/utf8.h"

enum { PAIRS_MAX = 256, DEFAULT_SLOT = 8 };

struct curses {
	struct out out;
	struct out_config config;
	int fd; /* the memory file */
	FILE *file, *input;
	SCREEN *screen;
	short pairs[9][9]; /* by foreground and background, 8 is the default; 0: none yet */
	short pairs_used;
	bool is_started, is_drawn;
};

int
terminfo_probe(const char *term, struct terminfo *ret, struct err *e)
{
	int status = 0;
	const char *styles;

	if (setupterm(term, STDOUT_FILENO, &status) != OK)
		return err_set(e, -ENOTTY,
			"TERM=%.40s: is not known here; set it to a type of terminal that is, for "
			"example "
			"xterm-256color",
			term);
	ret->colours = tigetnum("colors");
	ret->can_address = tigetstr("cup") && tigetstr("cup") != (char *)-1;
	styles = tigetstr("Smulx");
	ret->has_underline_styles = styles && styles != (char *)-1;
	return 0;
}

/* A memory file has no window size, and some terminals' descriptions have none either: curses
 * believes the environment. */
static SCREEN *
new_screen(struct curses *c)
{
	char rows[16], cols[16];
	SCREEN *s;

	snprintf(rows, sizeof rows, "%u", c->config.size.rows);
	snprintf(cols, sizeof cols, "%u", c->config.size.cols);
	setenv("LINES", rows, 1);
	setenv("COLUMNS", cols, 1);
	use_env(TRUE);
	s = newterm(c->config.term, c->file, c->input);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	return s;
}

static int
open_screen(struct curses *c, struct err *e)
{
	c->fd = memfd_create("sandesk-curses", MFD_CLOEXEC);
	c->file = c->fd < 0 ? NULL : fdopen(c->fd, "r+");
	c->input = fopen("/dev/null", "re");
	if (!c->file || !c->input)
		return err_errno(e, -errno, "memory file for the screen");
	c->screen = new_screen(c);
	if (!c->screen)
		return err_set(e, -ENOTTY, "TERM=%.40s: curses cannot draw on it", c->config.term);
	set_term(c->screen);
	resizeterm(c->config.size.rows, c->config.size.cols);
	if (c->config.depth != DEPTH_MONO && has_colors()) {
		start_color();
		use_default_colors();
	}
	leaveok(stdscr, FALSE);
	scrollok(stdscr, FALSE);
	return 0;
}

static void
curses_free(struct out *o)
{
	struct curses *c = (struct curses *)o;

	if (!c)
		return;
	if (c->screen)
		delscreen(c->screen);
	if (c->file)
		fclose(c->file);
	if (c->input)
		fclose(c->input);
	mem_free(c);
}

static struct out *
curses_new(const struct out_config *config, struct err *e)
{
	struct curses *c = mem_new(struct curses);

	c->out.ops = &out_curses;
	c->config = *config;
	c->pairs_used = 1;
	if (open_screen(c, e) < 0) {
		curses_free(&c->out);
		return NULL;
	}
	return &c->out;
}

/* Moves what curses wrote into the caller's buffer. Padding bytes are of no use to any terminal of
 * today. */
static void
collect(struct curses *c, struct buf *to)
{
	char bytes[4096];
	ssize_t n;

	fflush(c->file);
	lseek(c->fd, 0, SEEK_SET);
	while ((n = read(c->fd, bytes, sizeof bytes)) > 0)
		for (ssize_t i = 0; i < n; i++)
			if (bytes[i])
				buf_add_char(to, bytes[i]);
	(void)!ftruncate(c->fd, 0);
	lseek(c->fd, 0, SEEK_SET);
}

static int
slot_of(uint32_t colour_8)
{
	return colour_kind(colour_8) == COLOUR_DEFAULT ? DEFAULT_SLOT
						       : (int)(colour_value(colour_8) & 7);
}

static short
pair_of(struct curses *c, uint32_t fg, uint32_t bg)
{
	int f = slot_of(out_reduce(fg, DEPTH_8)), b = slot_of(out_reduce(bg, DEPTH_8));

	if (c->config.depth == DEPTH_MONO || !has_colors() ||
		(f == DEFAULT_SLOT && b == DEFAULT_SLOT))
		return 0;
	if (c->pairs[f][b])
		return c->pairs[f][b];
	if (c->pairs_used >= COLOR_PAIRS || c->pairs_used >= PAIRS_MAX)
		return 0;
	if (init_pair(c->pairs_used, f == DEFAULT_SLOT ? -1 : (short)f,
		    b == DEFAULT_SLOT ? -1 : (short)b) == ERR)
		return 0;
	return c->pairs[f][b] = c->pairs_used++;
}

static attr_t
attrs_of(const struct cell *cell)
{
	static const struct {
		uint16_t ours;
		attr_t theirs;
	} rows[] = { { ATTR_BOLD, A_BOLD }, { ATTR_DIM, A_DIM }, { ATTR_BLINK, A_BLINK },
		{ ATTR_REVERSE, A_REVERSE }, { ATTR_HIDDEN, A_INVIS },
		{ ATTR_UNDERLINE, A_UNDERLINE }, { ATTR_ITALIC, A_ITALIC } };
	attr_t a = 0;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (cell->attr & rows[i].ours)
			a |= rows[i].theirs;
	if (colour_kind(cell->fg) != COLOUR_DEFAULT && colour_kind(cell->fg) != COLOUR_RGB &&
		colour_value(cell->fg) >= 8 && colour_value(cell->fg) < 16)
		a |= A_BOLD;
	return a;
}

static const cchar_t *
line_of(uint32_t cp)
{
	switch (cp) {
	case 0x2500:
		return WACS_HLINE;
	case 0x2502:
		return WACS_VLINE;
	case 0x250c:
		return WACS_ULCORNER;
	case 0x2510:
		return WACS_URCORNER;
	case 0x2514:
		return WACS_LLCORNER;
	case 0x2518:
		return WACS_LRCORNER;
	case 0x251c:
		return WACS_LTEE;
	case 0x2524:
		return WACS_RTEE;
	case 0x252c:
		return WACS_TTEE;
	case 0x2534:
		return WACS_BTEE;
	case 0x253c:
		return WACS_PLUS;
	}
	return NULL;
}

/* The characters of a cell for setcchar(): at most five, terminated. */
static void
wide_text(const struct curses *c, const struct surface *s, const struct cell *cell,
	wchar_t to[CCHARW_MAX + 1])
{
	char text[CLUSTER_BYTES];
	size_t len = surface_cell_text(s, cell, text), at = 0, n = 0, used;
	uint32_t cp;

	while (at < len && n < CCHARW_MAX && (used = utf8_decode(text + at, len - at, &cp)) > 0) {
		to[n++] = (wchar_t)cp;
		at += used;
	}
	if (!c->config.is_utf8 && (n == 0 || to[0] >= 0x7f)) {
		to[0] = (wchar_t)out_ascii(n ? (uint32_t)to[0] : '?');
		n = 1;
	}
	to[n] = 0;
}

static void
draw_cell(struct curses *c, const struct surface *s, int row, int col, const struct cell *cell)
{
	short pair = pair_of(c, cell->fg, cell->bg);
	const cchar_t *line = line_of(cell->ch);
	wchar_t text[CCHARW_MAX + 1];
	cchar_t out;

	if (line) {
		attr_t ignored_attr;
		short ignored_pair;

		/* the line-drawing bit travels in the attributes, and getcchar() keeps it there */
		if (getcchar(line, text, &ignored_attr, &ignored_pair, NULL) == OK)
			setcchar(&out, text, attrs_of(cell) | (ignored_attr & A_ALTCHARSET), pair,
				NULL);
	} else {
		wide_text(c, s, cell, text);
		setcchar(&out, text, attrs_of(cell), pair, NULL);
	}
	mvadd_wch(row, col, &out);
}

static void
curses_frame(struct out *o, const struct surface *s, struct buf *to)
{
	struct curses *c = (struct curses *)o;
	int rows, cols;

	getmaxyx(stdscr, rows, cols);
	if (rows != s->size.rows || cols != s->size.cols)
		resizeterm(s->size.rows, s->size.cols);
	if (!c->is_drawn)
		clearok(curscr, TRUE);
	c->is_drawn = true;
	for (unsigned r = 0; r < s->size.rows; r++) {
		const struct cell *row = surface_row(s, r);

		for (unsigned col = 0; col < s->size.cols; col++)
			if (!(row[col].attr & ATTR_SPACER))
				draw_cell(c, s, (int)r, (int)col, row + col);
	}
	curs_set(s->cursor.is_visible ? 1 : 0);
	move(s->cursor.row, s->cursor.col);
	refresh();
	collect(c, to);
}

static void
curses_start(struct out *o, struct buf *to)
{
	struct curses *c = (struct curses *)o;

	c->is_started = true;
	c->is_drawn = false;
	refresh();
	collect(c, to);
}

static void
curses_stop(struct out *o, struct buf *to)
{
	struct curses *c = (struct curses *)o;

	if (!c->is_started)
		return;
	c->is_started = false;
	curs_set(1);
	endwin();
	collect(c, to);
}

static void
curses_redraw(struct out *o)
{
	((struct curses *)o)->is_drawn = false;
}

const struct out_ops out_curses = {
	.name = "curses",
	.new = curses_new,
	.free = curses_free,
	.start = curses_start,
	.frame = curses_frame,
	.stop = curses_stop,
	.redraw = curses_redraw,
};
