/* The direct back end: differences as bytes of xterm's language.
 *
 *   per frame   scroll when that saves rows -> rows that differ -> cursor -> wrapped in 2026 (or with the cursor hidden)
 *   per row     runs of cells that differ; short gaps are written again when that is cheaper than moving; EL for the tail
 */
#include <stdio.h>
#include <string.h>

#include "draw/out.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/mem.h"

enum {
	GAP_MAX = 4,
	ERASE_MIN = 4,
	WRAP_MIN_BYTES = 256,
	SCROLL_MIN_ROWS = 4,
	SCROLL_MAX_ROWS = 200
};

struct pen {
	struct style style; /* as the terminal was told, reduced to its colours */
	uint32_t underline_colour;
};

struct direct {
	struct out out;
	struct out_config config;
	struct cell *last; /* what the terminal shows */
	uint64_t *hashes;  /* 2 * rows: old, new */
	struct size size;
	uint32_t generation;
	bool is_drawn,
		is_anew; /* this frame began with a blank screen, or scrolled: every row counts */
	struct pen pen;
	int row, col; /* where the terminal's cursor is; -1: not known */
	bool has_sync, is_cursor_shown, has_motion;
	enum out_keys keys;
	int shape;
	struct buf body;
};

static const struct cell blank = { .ch = ' ' };

static bool
cell_equal(const struct cell *a, const struct cell *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

static void
set_blank(struct cell *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c[i] = blank;
}

static void
lose_position(struct direct *d)
{
	d->row = d->col = -1;
}

static struct out *
direct_new(const struct out_config *c, struct err *e)
{
	struct direct *d = mem_new(struct direct);

	(void)e;
	d->out.ops = &out_direct;
	d->config = *c;
	lose_position(d);
	return &d->out;
}

static void
direct_free(struct out *o)
{
	struct direct *d = (struct direct *)o;

	if (!d)
		return;
	buf_fini(&d->body);
	mem_free(d->last);
	mem_free(d->hashes);
	mem_free(d);
}

/* ---- style ---- */
static const struct {
	uint16_t attr;
	const char *code;
} attr_codes[] = { { ATTR_BOLD, ";1" }, { ATTR_DIM, ";2" }, { ATTR_ITALIC, ";3" },
	{ ATTR_BLINK, ";5" }, { ATTR_REVERSE, ";7" }, { ATTR_HIDDEN, ";8" }, { ATTR_STRIKE, ";9" },
	{ ATTR_OVERLINE, ";53" } };

static void
add_colour(struct buf *to, uint32_t c, unsigned base)
{
	uint32_t v = colour_value(c);

	switch (colour_kind(c)) {
	case COLOUR_DEFAULT:
		buf_addf(to, ";%u", base + 9);
		break;
	case COLOUR_NAMED:
		buf_addf(to, ";%u", v < 8 ? base + v : base + 60 + v - 8);
		break;
	case COLOUR_INDEX:
		buf_addf(to, ";%u;5;%u", base + 8, v);
		break;
	case COLOUR_RGB:
		buf_addf(to, ";%u;2;%u;%u;%u", base + 8, v >> 16 & 255, v >> 8 & 255, v & 255);
		break;
	}
}

static void
add_underline_colour(struct buf *to, uint32_t c)
{
	uint32_t v = colour_value(c);

	if (colour_kind(c) == COLOUR_DEFAULT)
		buf_add_str(to, ";59");
	else if (colour_kind(c) == COLOUR_RGB)
		buf_addf(to, ";58:2::%u:%u:%u", v >> 16 & 255, v >> 8 & 255, v & 255);
	else
		buf_addf(to, ";58:5:%u", v);
}

static void
add_underline(struct buf *to, enum underline u)
{
	if (u == UNDERLINE_SINGLE)
		buf_add_str(to, ";4");
	else if (u != UNDERLINE_NONE)
		buf_addf(to, ";4:%d", (int)u);
}

static struct pen
wanted_pen(const struct direct *d, const struct surface *s, const struct cell *c)
{
	enum out_depth depth = d->config.depth;
	struct pen p = { .style = { out_reduce(c->fg, depth), out_reduce(c->bg, depth),
				 c->attr & ATTR_STYLE } };

	if (depth == DEPTH_8 && colour_kind(c->fg) <= COLOUR_INDEX && colour_value(c->fg) >= 8 &&
		colour_value(c->fg) < 16)
		p.style.attr |= ATTR_BOLD; /* eight colours show the bright ones in bold */
	if (d->config.has_underline_styles) {
		p.underline_colour =
			depth >= DEPTH_256 ? out_reduce(surface_underline_colour(s, c), depth) : 0;
	} else if (p.style.attr & ATTR_UNDERLINE) {
		p.style.attr &= (uint16_t)~ATTR_UNDERLINE;
		p.style.attr |= UNDERLINE_SINGLE << ATTR_UNDERLINE_SHIFT;
	}
	return p;
}

static void
set_pen(struct direct *d, struct pen p)
{
	struct buf *to = &d->body;
	uint16_t had = d->pen.style.attr, want = p.style.attr;
	size_t start = to->len;

	if (memcmp(&p.style.fg, &d->pen.style.fg, 8) == 0 && had == want &&
		p.underline_colour == d->pen.underline_colour)
		return;
	buf_add_str(to, "\033[");
	if ((had & ~want & ~ATTR_UNDERLINE) ||
		((had & ATTR_UNDERLINE) && cell_underline(had) != cell_underline(want))) {
		buf_add_str(to, ";0");
		d->pen = (struct pen){ 0 };
		had = 0;
	}
	for (size_t i = 0; i < ARRAY_LEN(attr_codes); i++)
		if (want & ~had & attr_codes[i].attr)
			buf_add_str(to, attr_codes[i].code);
	if (cell_underline(want) != cell_underline(had))
		add_underline(to, cell_underline(want));
	if (p.style.fg != d->pen.style.fg)
		add_colour(to, p.style.fg, 30);
	if (p.style.bg != d->pen.style.bg)
		add_colour(to, p.style.bg, 40);
	if (p.underline_colour != d->pen.underline_colour)
		add_underline_colour(to, p.underline_colour);
	d->pen = p;
	memmove(to->data + start + 2, to->data + start + 3,
		to->len - start - 2); /* the first ';' */
	to->len--;
	if (to->data[to->len - 1] == '0' && to->data[to->len - 2] == '[')
		to->data[--to->len] = 0;
	buf_add_char(to, 'm');
}

static void
reset_pen(struct direct *d)
{
	set_pen(d, (struct pen){ 0 });
}

/* ---- position ---- */
static void
go(struct direct *d, int row, int col)
{
	struct buf *to = &d->body;

	if (row == d->row && col == d->col)
		return;
	if (d->row == row && d->col >= 0 && col > d->col)
		buf_addf(to, col - d->col == 1 ? "\033[C" : "\033[%dC", col - d->col);
	else if (d->row >= 0 && col == 0 && row == d->row)
		buf_add_char(to, '\r');
	else if (d->row >= 0 && col == 0 && row == d->row + 1)
		buf_add_str(to, "\r\n");
	else if (d->row == row && d->col > col && d->col - col < 4)
		for (int i = d->col; i > col; i--)
			buf_add_char(to, '\b');
	else if (col == 0)
		buf_addf(to, row ? "\033[%dH" : "\033[H", row + 1);
	else
		buf_addf(to, "\033[%d;%dH", row + 1, col + 1);
	d->row = row;
	d->col = col;
}

/* Terminals do not agree how wide emoji and clusters are: after one the position is not relied
 * on. */
static bool
is_doubtful(const struct cell *c)
{
	return (c->ch & CELL_CLUSTER) || c->ch >= 0x1f000 || (c->ch >= 0x2300 && c->ch < 0x2500) ||
	       (c->ch >= 0x2600 && c->ch < 0x2c00);
}

static int
write_cell(struct direct *d, const struct surface *s, const struct cell *c)
{
	char text[CLUSTER_BYTES];
	int width = c->attr & ATTR_WIDE ? 2 : 1;
	size_t n = 1;

	set_pen(d, wanted_pen(d, s, c));
	if (c->ch < 0x80) {
		text[0] = (char)c->ch;
	} else if (d->config.is_utf8) {
		n = surface_cell_text(s, c, text);
	} else {
		text[0] = text[1] = out_ascii(c->ch);
		n = (size_t)width;
	}
	buf_add(&d->body, text, n);
	d->col += width;
	if (d->col >= d->size.cols || (d->config.is_utf8 && is_doubtful(c)))
		lose_position(d);
	return width;
}

/* Cells between the cursor and `col` are written again when they are few, plain and in the style
 * that is set. */
static void
go_in_row(struct direct *d, const struct surface *s, int row, int col, const struct cell *cells)
{
	int gap = col - d->col;
	bool is_cheap = d->row == row && d->col >= 0 && gap > 0 && gap <= GAP_MAX;

	for (int c = d->col; is_cheap && c < col; c++) {
		struct pen p = wanted_pen(d, s, cells + c);

		is_cheap = cells[c].ch < 0x80 && !(cells[c].attr & ATTR_SPACER) &&
			   memcmp(&p.style.fg, &d->pen.style.fg, 8) == 0 &&
			   p.style.attr == d->pen.style.attr;
	}
	if (!is_cheap) {
		go(d, row, col);
		return;
	}
	while (d->col < col)
		write_cell(d, s, cells + d->col);
}

/* The column from which on the new row is blank in the default style. */
static int
tail_of(const struct cell *cells, int cols)
{
	while (cols > 0 && cell_equal(cells + cols - 1, &blank))
		cols--;
	return cols;
}

static void
draw_row(struct direct *d, const struct surface *s, int row)
{
	const struct cell *want = surface_row(s, (unsigned)row);
	struct cell *have = d->last + (size_t)row * d->size.cols;
	int cols = d->size.cols, tail, end = cols;

	if (!d->is_anew && !s->touched[row])
		return;
	tail = tail_of(want, cols);
	if (memcmp(want, have, (size_t)cols * sizeof *want) == 0)
		return;
	if (cols - tail >= ERASE_MIN && tail_of(have, cols) > tail + ERASE_MIN)
		end = tail;
	for (int c = 0; c < end;) {
		if (cell_equal(want + c, have + c)) {
			c++;
			continue;
		}
		if ((want[c].attr & ATTR_SPACER) && c > 0)
			c--;
		go_in_row(d, s, row, c, want);
		c += write_cell(d, s, want + c);
	}
	if (end < cols) {
		go_in_row(d, s, row, end, want);
		reset_pen(d);
		buf_add_str(&d->body, "\033[K");
	}
	memcpy(have, want, (size_t)cols * sizeof *want);
}

/* ---- scrolling ---- */
static uint64_t
hash_row(const struct cell *c, int cols)
{
	uint64_t h = 1469598103934665603u;

	for (int i = 0; i < cols; i++) {
		uint64_t v[2];

		memcpy(v, c + i, sizeof v);
		h = (h ^ v[0]) * 1099511628211u;
		h = (h ^ v[1] ^ h >> 29) * 1099511628211u;
	}
	return h;
}

struct scroll {
	int first, last; /* rows of the new picture that stand `by` rows lower in the old one */
	int by;
	int saved;
};

static struct scroll
better(struct scroll best, struct scroll now, const uint64_t *old, const uint64_t *new)
{
	int top = now.by > 0 ? now.first : now.first + now.by,
	    bottom = now.by > 0 ? now.last + now.by : now.last;

	for (int r = top; r <= bottom; r++)
		if (r < now.first || r > now.last)
			now.saved -= old[r] == new[r];
	return now.saved > best.saved ? now : best;
}

static struct scroll
find_scroll(const uint64_t *old, const uint64_t *new, int rows)
{
	struct scroll best = { .saved = 0 };

	for (int by = 1 - rows; by < rows; by++) {
		struct scroll now = { .by = by, .first = -1 };

		for (int r = by < 0 ? -by : 0; by && r <= rows; r++) {
			if (r < rows && r + by < rows && new[r] == old[r + by]) {
				now.first = now.first < 0 ? r : now.first;
				now.last = r;
				now.saved += new[r] != old[r];
				continue;
			}
			if (now.first >= 0 && now.saved > best.saved)
				best = better(best, now, old, new);
			now = (struct scroll){ .by = by, .first = -1 };
		}
	}
	return best;
}

static void
apply_scroll(struct direct *d, struct scroll s)
{
	int top = s.by > 0 ? s.first : s.first + s.by, bottom = s.by > 0 ? s.last + s.by : s.last;
	size_t cols = d->size.cols, moved = (size_t)(s.last - s.first + 1) * cols;
	struct cell *to = d->last + (size_t)s.first * cols,
		    *from = d->last + (size_t)(s.first + s.by) * cols;

	reset_pen(d);
	buf_addf(&d->body, "\033[%d;%dr\033[%d%c\033[r", top + 1, bottom + 1,
		s.by > 0 ? s.by : -s.by, s.by > 0 ? 'S' : 'T');
	d->row = d->col = 0;
	memmove(to, from, moved * sizeof *to);
	if (s.by > 0)
		set_blank(d->last + (size_t)(s.last + 1) * cols, (size_t)s.by * cols);
	else
		set_blank(d->last + (size_t)top * cols, (size_t)-s.by * cols);
}

static int
differing_rows(const struct direct *d, const struct surface *s)
{
	size_t cols = d->size.cols;
	int n = 0;

	for (unsigned r = 0; r < d->size.rows; r++)
		n += s->touched[r] &&
		     memcmp(d->last + r * cols, surface_row(s, r), cols * sizeof *d->last) != 0;
	return n;
}

static void
draw_scroll(struct direct *d, const struct surface *s)
{
	int rows = d->size.rows;
	uint64_t *old = d->hashes, *new = d->hashes + rows;
	struct scroll best;

	if (rows > SCROLL_MAX_ROWS || differing_rows(d, s) < SCROLL_MIN_ROWS)
		return;
	for (int r = 0; r < rows; r++) {
		old[r] = hash_row(d->last + (size_t)r * d->size.cols, d->size.cols);
		new[r] = hash_row(surface_row(s, (unsigned)r), d->size.cols);
	}
	best = find_scroll(old, new, rows);
	if (best.saved < SCROLL_MIN_ROWS - 1)
		return;
	apply_scroll(d, best);
	d->is_anew = true;
}

/* ---- a frame ---- */
static void
begin_anew(struct direct *d, const struct surface *s)
{
	if (!size_equal(d->size, s->size)) {
		d->size = s->size;
		d->last =
			mem_grow(d->last, (size_t)s->size.rows * s->size.cols + 1, sizeof *d->last);
		d->hashes = mem_grow(d->hashes, (size_t)s->size.rows * 2 + 1, sizeof *d->hashes);
	}
	set_blank(d->last, (size_t)d->size.rows * d->size.cols);
	buf_add_str(&d->body, "\033[0m\033[H\033[2J");
	d->pen = (struct pen){ 0 };
	d->row = d->col = 0;
	d->generation = s->generation;
	d->is_drawn = d->is_anew = true;
}

static void
draw_shape(struct direct *d, const struct surface_cursor *c)
{
	static const int base[] = {
		[MIRROR_SHAPE_BLOCK] = 1, [MIRROR_SHAPE_UNDERLINE] = 3, [MIRROR_SHAPE_BAR] = 5
	};
	int shape = c->is_shaped && (unsigned)c->shape < ARRAY_LEN(base)
			    ? base[c->shape] + !c->is_blinking
			    : 0;

	if (shape == d->shape)
		return;
	buf_addf(&d->body, "\033[%d q", shape);
	d->shape = shape;
}

static void
draw_cursor(struct direct *d, const struct surface *s)
{
	if (s->cursor.is_visible) {
		go(d, s->cursor.row, s->cursor.col);
		draw_shape(d, &s->cursor);
	}
	if (s->cursor.is_visible != d->is_cursor_shown)
		buf_add_str(&d->body, s->cursor.is_visible ? "\033[?25h" : "\033[?25l");
	d->is_cursor_shown = s->cursor.is_visible;
	if (s->wants_motion != d->has_motion)
		buf_add_str(&d->body, s->wants_motion ? "\033[?1003h" : "\033[?1003l\033[?1002h");
	d->has_motion = s->wants_motion;
}

static void
wrap(struct direct *d, bool was_shown, struct buf *to)
{
	bool is_big = d->body.len >= WRAP_MIN_BYTES,
	     hides = is_big && !d->has_sync && was_shown && d->is_cursor_shown;

	if (is_big && d->has_sync)
		buf_add_str(to, "\033[?2026h");
	if (hides)
		buf_add_str(to, "\033[?25l");
	buf_add(to, d->body.data, d->body.len);
	if (hides)
		buf_add_str(to, "\033[?25h");
	if (is_big && d->has_sync)
		buf_add_str(to, "\033[?2026l");
}

static void
direct_frame(struct out *o, const struct surface *s, struct buf *to)
{
	struct direct *d = (struct direct *)o;
	bool was_shown = d->is_cursor_shown;

	buf_reset(&d->body);
	d->is_anew = false;
	if (!d->is_drawn || !size_equal(d->size, s->size) || d->generation != s->generation)
		begin_anew(d, s);
	else if (d->config.has_scroll_region)
		draw_scroll(d, s);
	for (int r = 0; r < d->size.rows; r++)
		draw_row(d, s, r);
	draw_cursor(d, s);
	if (d->body.len)
		wrap(d, was_shown, to);
}

static void
direct_start(struct out *o, struct buf *to)
{
	struct direct *d = (struct direct *)o;

	buf_add_str(to, "\033[?1049h\033[0m\033[?25l\033[?2004h\033[?1000h\033[?1002h\033[?"
			"1006h\033[?1004h\033[?2031h");
	d->keys = OUT_KEYS_PLAIN;
	d->is_cursor_shown = false;
	d->is_drawn = false;
	d->has_motion = false;
	d->shape = 0;
}

static void
direct_stop(struct out *o, struct buf *to)
{
	struct direct *d = (struct direct *)o;

	if (d->shape)
		buf_add_str(to, "\033[0 q");
	buf_add_str(to, out_rescue(&out_direct, d->keys));
	d->is_drawn = false;
}

static void
direct_redraw(struct out *o)
{
	((struct direct *)o)->is_drawn = false;
}

static void
direct_set_sync(struct out *o, bool is_supported)
{
	((struct direct *)o)->has_sync = is_supported;
}

static void
direct_set_keys(struct out *o, enum out_keys keys, struct buf *to)
{
	static const char *const asks[] = { [OUT_KEYS_PLAIN] = "",
		[OUT_KEYS_OTHER] = "\033[>4;2m",
		[OUT_KEYS_KITTY] = "\033[>1u" };

	((struct direct *)o)->keys = keys;
	buf_add_str(to, asks[keys]);
}

const struct out_ops out_direct = {
	.name = "direct",
	.new = direct_new,
	.free = direct_free,
	.start = direct_start,
	.frame = direct_frame,
	.stop = direct_stop,
	.redraw = direct_redraw,
	.set_sync = direct_set_sync,
	.set_keys = direct_set_keys,
};
