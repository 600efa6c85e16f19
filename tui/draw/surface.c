#include "draw/surface.h"

#include <string.h>

#include "sandesk/base/mem.h"
#include "sandesk/base/utf8.h"

enum { CLUSTER_SLOTS = CLUSTERS_MAX * 2, REPLACEMENT = 0xfffd };

void
surface_init(struct surface *s, struct size size)
{
	*s = (struct surface){ .exts_used = 1 };
	s->clusters = mem_zero(CLUSTER_SLOTS, sizeof *s->clusters);
	surface_resize(s, size);
}

void
surface_fini(struct surface *s)
{
	mem_free(s->cells);
	mem_free(s->touched);
	mem_free(s->clusters);
	*s = (struct surface){ 0 };
}

struct area
surface_area(const struct surface *s)
{
	return (struct area){ 0, 0, s->size.rows, s->size.cols };
}

void
surface_resize(struct surface *s, struct size size)
{
	mem_free(s->cells);
	mem_free(s->touched);
	s->size = size;
	s->touched = mem_zero((size_t)size.rows + 1, sizeof *s->touched);
	s->cells = mem_zero((size_t)size.rows * size.cols + 1, sizeof *s->cells);
	surface_fill(s, surface_area(s), (struct style){ 0 });
}

void
surface_begin(struct surface *s, struct style style)
{
	if (s->clusters_used >= CLUSTERS_MAX || s->exts_used >= EXTS_MAX) {
		memset(s->clusters, 0, CLUSTER_SLOTS * sizeof *s->clusters);
		s->clusters_used = 0;
		s->exts_used = 1;
		s->generation++;
	}
	surface_fill(s, surface_area(s), style);
	s->cursor = (struct surface_cursor){ 0 };
	s->wants_motion = false;
}

bool
surface_resume(struct surface *s)
{
	if (s->clusters_used >= CLUSTERS_MAX || s->exts_used >= EXTS_MAX)
		return false;
	s->cursor = (struct surface_cursor){ 0 };
	s->wants_motion = false;
	return true;
}

void
surface_settle(struct surface *s)
{
	memset(s->touched, 0, s->size.rows * sizeof *s->touched);
}

struct cell *
surface_row(const struct surface *s, unsigned row)
{
	return s->cells + (size_t)row * s->size.cols;
}

struct area
area_clip(struct area a, struct area within)
{
	int bottom = a.row + a.rows, right = a.col + a.cols;

	if (a.row < within.row)
		a.row = within.row;
	if (a.col < within.col)
		a.col = within.col;
	if (bottom > within.row + within.rows)
		bottom = within.row + within.rows;
	if (right > within.col + within.cols)
		right = within.col + within.cols;
	a.rows = bottom > a.row ? bottom - a.row : 0;
	a.cols = right > a.col ? right - a.col : 0;
	return a;
}

bool
area_holds(struct area a, int row, int col)
{
	return row >= a.row && row < a.row + a.rows && col >= a.col && col < a.col + a.cols;
}

/* Half of a wide character must not stay behind when its other half is overwritten. */
static void
split_wide(struct surface *s, int row, int col)
{
	struct cell *c = surface_row(s, (unsigned)row) + col;

	if ((c->attr & ATTR_SPACER) && col > 0) {
		c[-1].ch = ' ';
		c[-1].attr &= (uint16_t)~ATTR_WIDE;
	}
	if ((c->attr & ATTR_WIDE) && col + 1 < s->size.cols) {
		c[1].ch = ' ';
		c[1].attr &= (uint16_t)~ATTR_SPACER;
	}
}

static struct cell
styled(uint32_t ch, struct style style)
{
	return (struct cell){
		.ch = ch, .fg = style.fg, .bg = style.bg, .attr = style.attr & ATTR_STYLE
	};
}

void
surface_fill(struct surface *s, struct area a, struct style style)
{
	struct cell blank = styled(' ', style);

	a = area_clip(a, surface_area(s));
	if (!a.cols)
		return;
	for (int r = a.row; r < a.row + a.rows; r++) {
		struct cell *row = surface_row(s, (unsigned)r);

		s->touched[r] = true;
		split_wide(s, r, a.col);
		split_wide(s, r, a.col + a.cols - 1);
		for (int c = a.col; c < a.col + a.cols; c++)
			row[c] = blank;
	}
}

static uint32_t
hash_text(const char *text, size_t len)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (uint8_t)text[i]) * 16777619u;
	return h;
}

/* The number of a cluster, or its first code point when the table is full or the text too long. */
static uint32_t
intern_cluster(struct surface *s, const char *text, size_t len)
{
	uint32_t cp = REPLACEMENT, at;

	utf8_decode(text, len, &cp);
	if (len > CLUSTER_BYTES)
		return cp;
	at = hash_text(text, len) % CLUSTER_SLOTS;
	for (; s->clusters[at].len; at = (at + 1) % CLUSTER_SLOTS)
		if (s->clusters[at].len == len && memcmp(s->clusters[at].text, text, len) == 0)
			return CELL_CLUSTER | at;
	if (s->clusters_used >= CLUSTERS_MAX)
		return cp;
	s->clusters_used++;
	s->clusters[at].len = (uint8_t)len;
	memcpy(s->clusters[at].text, text, len);
	return CELL_CLUSTER | at;
}

static uint16_t
intern_ext(struct surface *s, uint32_t underline_colour)
{
	if (!underline_colour)
		return 0;
	for (unsigned i = 1; i < s->exts_used; i++)
		if (s->exts[i] == underline_colour)
			return (uint16_t)i;
	if (s->exts_used >= EXTS_MAX)
		return 0;
	s->exts[s->exts_used] = underline_colour;
	return (uint16_t)s->exts_used++;
}

static void
put(struct surface *s, int row, int col, struct cell cell, unsigned width)
{
	struct cell *at = surface_row(s, (unsigned)row) + col;

	s->touched[row] = true;
	split_wide(s, row, col);
	if (width == 2) {
		split_wide(s, row, col + 1);
		cell.attr |= ATTR_WIDE;
		at[1] = cell;
		at[1].ch = ' ';
		at[1].attr = (uint16_t)((cell.attr & ~ATTR_WIDE) | ATTR_SPACER);
	}
	at[0] = cell;
}

/* Adds a mark of width 0 to the cell before `col`. */
static void
put_mark(struct surface *s, int row, int col, const char *mark, size_t len)
{
	struct cell *c = surface_row(s, (unsigned)row) + col - 1;
	char text[CLUSTER_BYTES * 2];
	size_t n;

	if ((c->attr & ATTR_SPACER) && col > 1)
		c--;
	n = surface_cell_text(s, c, text);
	if (n + len > CLUSTER_BYTES)
		return;
	memcpy(text + n, mark, len);
	c->ch = intern_cluster(s, text, n + len);
}

static uint32_t
make_safe(uint32_t cp, size_t *len)
{
	if (*len == 0) {
		*len = 1;
		return REPLACEMENT;
	}
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) ? REPLACEMENT : cp;
}

int
surface_textn(struct surface *s, struct area within, int row, int col, struct style style,
	const char *text, size_t len)
{
	struct area a = area_clip(within, surface_area(s));
	int first = col;

	for (size_t at = 0, n; at < len; at += n) {
		uint32_t cp = 0;
		unsigned width;

		n = utf8_decode(text + at, len - at, &cp);
		cp = make_safe(cp, &n);
		width = cp == REPLACEMENT ? 1 : utf8_width(cp);
		if (!width) {
			if (col > first && area_holds(a, row, col - 1))
				put_mark(s, row, col, text + at, n);
			continue;
		}
		if (area_holds(a, row, col) && area_holds(a, row, col + (int)width - 1))
			put(s, row, col, styled(cp, style), width);
		col += (int)width;
	}
	return col;
}

int
surface_text(struct surface *s, struct area within, int row, int col, struct style style,
	const char *text)
{
	return surface_textn(s, within, row, col, style, text, strlen(text));
}

void
surface_hline(struct surface *s, struct area within, int row, int col, int n, struct style style,
	uint32_t cp)
{
	struct area a =
		area_clip((struct area){ row, col, 1, n }, area_clip(within, surface_area(s)));

	for (int c = a.col; a.rows && c < a.col + a.cols; c++)
		put(s, row, c, styled(cp, style), 1);
}

void
surface_vline(struct surface *s, struct area within, int row, int col, int n, struct style style,
	uint32_t cp)
{
	struct area a =
		area_clip((struct area){ row, col, n, 1 }, area_clip(within, surface_area(s)));

	for (int r = a.row; a.cols && r < a.row + a.rows; r++)
		put(s, r, col, styled(cp, style), 1);
}

void
surface_box(struct surface *s, struct area a, struct style style)
{
	int bottom = a.row + a.rows - 1, right = a.col + a.cols - 1;

	surface_hline(s, a, a.row, a.col, a.cols, style, 0x2500);
	surface_hline(s, a, bottom, a.col, a.cols, style, 0x2500);
	surface_vline(s, a, a.row, a.col, a.rows, style, 0x2502);
	surface_vline(s, a, a.row, right, a.rows, style, 0x2502);
	surface_hline(s, a, a.row, a.col, 1, style, 0x250c);
	surface_hline(s, a, a.row, right, 1, style, 0x2510);
	surface_hline(s, a, bottom, a.col, 1, style, 0x2514);
	surface_hline(s, a, bottom, right, 1, style, 0x2518);
}

static struct cell
take_cell(struct surface *s, const struct mirror *m, const struct cell *from)
{
	struct cell c = { .ch = from->ch ? from->ch : ' ',
		.fg = from->fg,
		.bg = from->bg,
		.attr = from->attr & (ATTR_STYLE | ATTR_WIDE | ATTR_SPACER) };

	if (c.ch & CELL_CLUSTER) {
		char text[MIRROR_CLUSTER_BYTES];
		size_t n = mirror_cluster(m, from->ch, text, sizeof text);

		c.ch = n ? intern_cluster(s, text, n) : ' ';
	}
	if (from->ext)
		c.ext = intern_ext(s, mirror_ext(m, from->ext).underline_colour);
	return c;
}

/* Copies `n` cells of a row; a wide character that is cut at the right edge becomes a blank. */
static void
copy_row(struct surface *s, struct cell *to, const struct mirror *m, const struct cell *from, int n)
{
	uint16_t reverse = mirror_modes(m) & MIRROR_REVERSE ? ATTR_REVERSE : 0;

	for (int i = 0; i < n; i++) {
		to[i] = take_cell(s, m, from + i);
		to[i].attr ^= reverse;
	}
	if (n && (to[n - 1].attr & ATTR_WIDE)) {
		to[n - 1].ch = ' ';
		to[n - 1].attr &= (uint16_t)~ATTR_WIDE;
	}
}

void
surface_mirror(struct surface *s, struct area a, const struct mirror *m, struct style blank)
{
	struct size have = mirror_size(m);
	struct area to = area_clip(a, surface_area(s));
	int rows = to.rows < have.rows ? to.rows : have.rows,
	    cols = to.cols < have.cols ? to.cols : have.cols;

	surface_fill(s, to, blank);
	if (to.row != a.row || to.col != a.col)
		return;
	for (int r = 0; r < rows; r++)
		copy_row(s, surface_row(s, (unsigned)(to.row + r)) + to.col, m,
			mirror_row(m, (unsigned)r), cols);
}

void
surface_mirror_changes(struct surface *s, struct area a, const struct mirror *m)
{
	struct size have = mirror_size(m);
	struct area to = area_clip(a, surface_area(s));
	int rows = to.rows < have.rows ? to.rows : have.rows,
	    cols = to.cols < have.cols ? to.cols : have.cols;

	for (int r = 0; r < rows; r++) {
		if (!mirror_row_is_dirty(m, (unsigned)r))
			continue;
		s->touched[to.row + r] = true;
		copy_row(s, surface_row(s, (unsigned)(to.row + r)) + to.col, m,
			mirror_row(m, (unsigned)r), cols);
	}
}

size_t
surface_cell_text(const struct surface *s, const struct cell *c, char to[CLUSTER_BYTES])
{
	if (c->ch & CELL_CLUSTER) {
		const struct cluster *k =
			&s->clusters[(c->ch & ~(uint32_t)CELL_CLUSTER) % CLUSTER_SLOTS];

		memcpy(to, k->text, k->len);
		return k->len;
	}
	return utf8_encode(c->ch, to);
}

uint32_t
surface_underline_colour(const struct surface *s, const struct cell *c)
{
	return c->ext < s->exts_used ? s->exts[c->ext] : 0;
}
