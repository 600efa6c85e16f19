#include "sandesk/mirror.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandesk/base/auto.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/utf8.h"
#include "sandesk/base/width.h"
#include "term/cluster.h"

enum { TITLE_MAX = 1024, LINKS_MAX = 256 };

struct mirror_line {
	bool is_wrapped;
	struct cell cells[];
};

struct mirror {
	struct size size;
	struct mirror_line **lines;
	bool *dirty;
	struct mirror_cursor cursor;
	uint32_t modes;
	uint64_t scroll, history_lines;
	struct cluster_table table;
	char title[TITLE_MAX + 1];
};

/* A body that is being read. Nothing of the mirror changes before all of it was found good, but its
 * tables, which may get entries that nothing uses. */
struct stage {
	struct mirror *m;
	const uint8_t *at, *end;
	const char *fault; /* the first thing that was wrong; reading goes on with zeros */
	bool is_full, has_title;
	struct size size;
	struct mirror_line **lines;
	bool *dirty, *fresh,
		*taken; /* per row: changed; made here; (of the old rows) used already */
	struct mirror_cursor cursor;
	uint32_t modes;
	uint64_t scroll, history_lines;
	char title[TITLE_MAX + 1];
	struct {
		uint32_t id, link;
	} links[LINKS_MAX];
	unsigned link_count;
};

struct mirror *
mirror_new(void)
{
	return mem_new(struct mirror);
}

static void
lines_free(struct mirror_line **lines, unsigned rows)
{
	for (unsigned i = 0; lines && i < rows; i++)
		mem_free(lines[i]);
	mem_free(lines);
}

void
mirror_free(struct mirror *m)
{
	if (!m)
		return;
	lines_free(m->lines, m->size.rows);
	mem_free(m->dirty);
	cluster_fini(&m->table);
	mem_free(m);
}

/* -- reading -- */

static void
fault(struct stage *s, const char *what)
{
	if (!s->fault)
		s->fault = what;
	s->at = s->end;
}

static uint64_t
get_le(struct stage *s, unsigned bytes)
{
	uint64_t v = 0;

	if ((size_t)(s->end - s->at) < bytes) {
		fault(s, "it is cut off");
		return 0;
	}
	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)s->at[i] << (8 * i);
	s->at += bytes;
	return v;
}

static uint64_t
get_var(struct stage *s)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 63; shift += 7) {
		uint8_t c = (uint8_t)get_le(s, 1);

		v |= (uint64_t)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return v;
	}
	fault(s, "a number is too long");
	return 0;
}

static bool
is_shown(uint32_t cp)
{
	return cp >= 0x20 && (cp < 0x7f || cp >= 0xa0) && !(cp >= 0x202a && cp <= 0x202e) &&
	       !(cp >= 0x2066 && cp <= 0x2069);
}

/* Text of len bytes into `to`, checked: UTF-8 without control characters. */
static void
get_text(struct stage *s, char *to, size_t room, const char *what)
{
	uint64_t len = get_var(s);
	uint32_t cp;
	size_t n;

	to[0] = 0;
	if (len >= room || len > (size_t)(s->end - s->at)) {
		fault(s, what);
		return;
	}
	for (size_t i = 0; i < len; i += n) {
		n = utf8_decode((const char *)s->at + i, len - i, &cp);
		if (!n || !is_shown(cp)) {
			fault(s, what);
			return;
		}
	}
	memcpy(to, s->at, len);
	to[len] = 0;
	s->at += len;
}

static void
read_links(struct stage *s)
{
	uint64_t count = get_var(s);
	char uri[LINK_BYTES + 1], name[16];

	if (count > LINKS_MAX) {
		fault(s, "too many links");
		return;
	}
	for (unsigned i = 0; i < count && !s->fault; i++) {
		uint32_t id = (uint32_t)get_le(s, 4);

		get_text(s, uri, sizeof uri, "a link is not text");
		snprintf(name, sizeof name, "%u", id);
		if (s->fault)
			return;
		s->links[s->link_count].id = id;
		s->links[s->link_count++].link = cluster_link(&s->m->table, uri, name);
	}
}

static bool
link_find(const struct stage *s, uint32_t id, uint32_t *ret)
{
	for (unsigned i = 0; i < s->link_count; i++) {
		if (s->links[i].id == id) {
			*ret = s->links[i].link;
			return true;
		}
	}
	*ret = 0;
	return id == 0;
}

static bool
is_colour(uint32_t c)
{
	switch (colour_kind(c)) {
	case COLOUR_DEFAULT:
		return c == 0;
	case COLOUR_NAMED:
		return colour_value(c) < 16;
	case COLOUR_INDEX:
		return colour_value(c) < 256;
	case COLOUR_RGB:
		return true;
	}
	return false;
}

struct run_style {
	struct cell cell;
	struct cell_ext ext;
};

static void
read_style(struct stage *s, struct run_style *style)
{
	uint8_t mask = (uint8_t)get_le(s, 1);

	if (mask & 1)
		style->cell.fg = (uint32_t)get_le(s, 4);
	if (mask & 2)
		style->cell.bg = (uint32_t)get_le(s, 4);
	if (mask & 4)
		style->cell.attr = (uint16_t)get_le(s, 2);
	if (mask & 8)
		style->ext.underline_colour = (uint32_t)get_le(s, 4);
	if (mask & 16 && !link_find(s, (uint32_t)get_le(s, 4), &style->ext.link))
		fault(s, "a link was not announced");
	if (mask & ~31 || style->cell.attr & ~ATTR_STYLE ||
		cell_underline(style->cell.attr) > UNDERLINE_DASHED || !is_colour(style->cell.fg) ||
		!is_colour(style->cell.bg) || !is_colour(style->ext.underline_colour))
		fault(s, "there is no such style");
	style->cell.ext = cluster_ext(&s->m->table, style->ext);
}

static void
put(struct cell *cells, unsigned col, const struct run_style *style, uint32_t ch, unsigned width)
{
	cells[col] = style->cell;
	cells[col].ch = ch;
	if (width == 1)
		return;
	cells[col].attr |= ATTR_WIDE;
	cells[col + 1] = style->cell;
	cells[col + 1].attr |= ATTR_SPACER;
}

static uint32_t
read_char(struct stage *s)
{
	uint32_t cp = 0;
	size_t n = utf8_decode((const char *)s->at, (size_t)(s->end - s->at), &cp);

	if (!n || !is_shown(cp) || !(width_class(cp) & WIDTH_CELLS)) {
		fault(s, "a character is none");
		return 0;
	}
	s->at += n;
	return cp;
}

static uint32_t
read_cluster(struct stage *s)
{
	char text[MIRROR_CLUSTER_BYTES + 1];
	uint32_t ch = 0, cp = 0;
	size_t n;

	get_text(s, text, sizeof text, "a cluster is not text");
	for (const char *at = text; *at; at += n) {
		n = utf8_decode(at, strlen(at), &cp);
		ch = ch ? cluster_join(&s->m->table, ch, cp) : cp;
	}
	if (!ch)
		fault(s, "a cluster is empty");
	return ch;
}

static unsigned
read_run(struct stage *s, struct cell *cells, unsigned col, const struct run_style *style,
	unsigned kind)
{
	unsigned width = kind == 3 ? 2 : 1;
	uint64_t count = 1;

	if (kind == 5)
		width = (unsigned)get_le(s, 1);
	else
		count = get_var(s);
	if (width < 1 || width > 2 || count > s->size.cols || col + count * width > s->size.cols) {
		fault(s, "a row is too long");
		return col;
	}
	for (; count && !s->fault; count--, col += width)
		put(cells, col, style,
			kind == 4   ? 0
			: kind == 5 ? read_cluster(s)
				    : read_char(s),
			width);
	return col;
}

static void
read_row(struct stage *s, struct mirror_line *line)
{
	struct run_style style = { 0 };
	uint8_t flags = (uint8_t)get_le(s, 1), kind;
	unsigned col = 0;

	line->is_wrapped = flags & 1;
	if (flags > 1)
		fault(s, "there is no such row flag");
	while (!s->fault && (kind = (uint8_t)get_le(s, 1)) != 0) {
		if (kind == 1)
			read_style(s, &style);
		else if (kind <= 5)
			col = read_run(s, line->cells, col, &style, kind);
		else
			fault(s, "there is no such run");
	}
}

static struct mirror_line *
line_new(struct size size)
{
	return mem_zero(1, sizeof(struct mirror_line) + size.cols * sizeof(struct cell));
}

static void
stage_fresh(struct stage *s, unsigned row)
{
	s->lines[row] = line_new(s->size);
	s->fresh[row] = s->dirty[row] = true;
}

static void
stage_old(struct stage *s, unsigned row, unsigned from)
{
	if (s->taken[from]) {
		fault(s, "a row is used twice");
		return;
	}
	s->taken[from] = true;
	s->lines[row] = s->m->lines[from];
	s->dirty[row] = row != from || s->m->dirty[from];
}

static void
read_rows(struct stage *s)
{
	for (unsigned row = 0; row < s->size.rows && !s->fault;) {
		uint64_t op = get_var(s), n = op >> 2;
		unsigned kind = op & 3;
		uint64_t from = kind == 1 ? get_var(s) : row;

		if (kind == 3) {
			stage_fresh(s, row);
			read_row(s, s->lines[row++]);
			if (n)
				fault(s, "there is no such row operation");
			continue;
		}
		if (!n || n > (uint64_t)s->size.rows - row ||
			(kind < 2 && (s->is_full || from > s->size.rows - n))) {
			fault(s, "rows are out of range");
			return;
		}
		for (; n && !s->fault; n--, row++, from++) {
			if (kind == 2)
				stage_fresh(s, row);
			else
				stage_old(s, row, (unsigned)from);
		}
	}
	if (!s->fault && s->at != s->end)
		fault(s, "bytes are left over");
}

static void
read_head(struct stage *s)
{
	uint8_t flags, shape;

	if (get_le(s, 1) != 1)
		fault(s, "it is of another version");
	flags = (uint8_t)get_le(s, 1);
	s->is_full = flags & 1;
	s->has_title = flags & 2;
	s->size.rows = (uint16_t)get_le(s, 2);
	s->size.cols = (uint16_t)get_le(s, 2);
	s->cursor.row = (uint16_t)get_le(s, 2);
	s->cursor.col = (uint16_t)get_le(s, 2);
	shape = (uint8_t)get_le(s, 1);
	s->modes = (uint32_t)get_le(s, 4);
	s->scroll = get_var(s);
	s->history_lines = get_var(s);
	if (s->fault)
		return;
	if (!size_equal(s->size, size_clamp(s->size.rows, s->size.cols)))
		fault(s, "there is no such size");
	else if (!s->is_full && !size_equal(s->size, s->m->size))
		fault(s, "it is a difference to another size");
	else if (s->cursor.row >= s->size.rows || s->cursor.col >= s->size.cols ||
		 shape > MIRROR_SHAPE_BAR)
		fault(s, "the cursor is outside");
	s->cursor.shape = (enum mirror_shape)shape;
	s->cursor.is_visible = s->modes & MIRROR_CURSOR_VISIBLE;
	s->cursor.is_blinking = s->modes & MIRROR_CURSOR_BLINK;
	if (s->has_title && !s->fault)
		get_text(s, s->title, sizeof s->title, "the title is not text");
}

/* -- tables -- */

static uint16_t
ext_move(struct cluster_table *to, const struct cluster_table *from, uint16_t old)
{
	struct cell_ext ext = cluster_ext_of(from, old);

	if (ext.link && ext.link <= from->link_count)
		ext.link = cluster_link(
			to, from->links[ext.link - 1].uri, from->links[ext.link - 1].id);
	return cluster_ext(to, ext);
}

static uint32_t
cluster_move(struct cluster_table *to, const struct cluster_table *from, uint32_t ch)
{
	char text[CLUSTER_POINTS * 4];
	size_t len = cluster_text(from, ch, text, sizeof text), n;
	uint32_t cp = 0, out = 0;

	for (size_t i = 0; i < len; i += n) {
		n = utf8_decode(text + i, len - i, &cp);
		if (!n)
			break;
		out = out ? cluster_join(to, out, cp) : cp;
	}
	return out;
}

/* The tables only grow; before they are full, what no cell uses any more is dropped. */
static void
tables_sweep(struct mirror *m)
{
	struct cluster_table old = m->table;

	if (old.count < CLUSTER_MAX / 4 * 3 && old.ext_count < EXT_MAX / 4 * 3 &&
		old.link_count < LINK_MAX / 4 * 3)
		return;
	m->table = (struct cluster_table){ 0 };
	for (unsigned row = 0; row < m->size.rows; row++) {
		for (unsigned col = 0; col < m->size.cols; col++) {
			struct cell *c = &m->lines[row]->cells[col];

			if (c->ch & CELL_CLUSTER)
				c->ch = cluster_move(&m->table, &old, c->ch);
			if (c->ext)
				c->ext = ext_move(&m->table, &old, c->ext);
		}
	}
	cluster_fini(&old);
}

/* -- applying -- */

static void
stage_commit(struct stage *s)
{
	struct mirror *m = s->m;

	for (unsigned i = 0; i < m->size.rows; i++)
		if (s->is_full || !s->taken[i])
			mem_free(m->lines[i]);
	mem_free(m->lines);
	mem_free(m->dirty);
	m->lines = mem_take(s->lines);
	m->dirty = mem_take(s->dirty);
	m->size = s->size;
	m->cursor = s->cursor;
	m->modes = s->modes;
	m->scroll = s->scroll;
	m->history_lines = s->history_lines;
	if (s->has_title)
		memcpy(m->title, s->title, sizeof m->title);
}

static void
stage_fini(struct stage *s)
{
	for (unsigned i = 0; s->lines && i < s->size.rows; i++)
		if (s->fresh[i])
			mem_free(s->lines[i]);
	mem_free(s->lines);
	mem_free(s->dirty);
	mem_free(s->fresh);
	mem_free(s->taken);
}

int
mirror_apply(struct mirror *m, const void *body, size_t len, struct err *e)
{
	struct stage s = { .m = m, .at = body, .end = (const uint8_t *)body + len };

	tables_sweep(m);
	read_head(&s);
	if (!s.fault) {
		s.lines = mem_zero(s.size.rows, sizeof s.lines[0]);
		s.dirty = mem_zero(s.size.rows, 1);
		s.fresh = mem_zero(s.size.rows, 1);
		s.taken = mem_zero(s.size.rows, 1);
		read_links(&s);
		read_rows(&s);
	}
	if (!s.fault)
		stage_commit(&s);
	stage_fini(&s);
	return s.fault ? err_set(e, -EBADMSG, "a frame cannot be read: %s", s.fault) : 0;
}

/* -- looking -- */

struct size
mirror_size(const struct mirror *m)
{
	return m->size;
}

const struct cell *
mirror_row(const struct mirror *m, unsigned row)
{
	return row < m->size.rows ? m->lines[row]->cells : NULL;
}

bool
mirror_row_is_wrapped(const struct mirror *m, unsigned row)
{
	return row < m->size.rows && m->lines[row]->is_wrapped;
}

bool
mirror_row_is_dirty(const struct mirror *m, unsigned row)
{
	return row < m->size.rows && m->dirty[row];
}

void
mirror_clean(struct mirror *m)
{
	if (m->dirty)
		memset(m->dirty, 0, m->size.rows);
}

size_t
mirror_cluster(const struct mirror *m, uint32_t ch, char *to, size_t size)
{
	return cluster_text(&m->table, ch, to, size);
}

struct cell_ext
mirror_ext(const struct mirror *m, uint16_t ext)
{
	return cluster_ext_of(&m->table, ext);
}

const char *
mirror_link(const struct mirror *m, uint32_t link)
{
	return cluster_link_uri(&m->table, link);
}

struct mirror_cursor
mirror_cursor(const struct mirror *m)
{
	return m->cursor;
}

uint32_t
mirror_modes(const struct mirror *m)
{
	return m->modes;
}

const char *
mirror_title(const struct mirror *m)
{
	return m->title;
}

uint64_t
mirror_scroll(const struct mirror *m)
{
	return m->scroll;
}

uint64_t
mirror_history_lines(const struct mirror *m)
{
	return m->history_lines;
}

