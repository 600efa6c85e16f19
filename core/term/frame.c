#include "term/frame.h"

#include <errno.h>
#include <limits.h>

#include "sandesk/base/mem.h"
#include "sandesk/base/utf8.h"
#include "sandesk/mirror.h"
#include "term/line.h"
#include "term/screen.h"

enum { RUN_CHARS = 128, FRAME_LINKS = 256 };

static const uint64_t HISTORY_UID = (uint64_t)1 << 63;

void
frame_view_init(struct frame_view *v)
{
	*v = (struct frame_view){ 0 };
}

void
frame_view_fini(struct frame_view *v)
{
	mem_free(v->rows);
	*v = (struct frame_view){ 0 };
}

void
frame_view_reset(struct frame_view *v)
{
	v->term_version = 0;
}

/* What a row of a view shows: a chain of history, named by its first line, from some cell on. Lines
 * from the terminal's next line id on are rows of the screen. */
struct place {
	uint64_t line;
	unsigned from;
};

static const struct chain *
chain_at(const struct term *t, uint64_t line, struct chain *c)
{
	chain_read(c, &t->history, line, t->history.next);
	return c;
}

static void
place_down(const struct term *t, struct place *p, struct chain *c)
{
	unsigned end;

	if (p->line >= t->history.next) {
		p->line++;
		return;
	}
	chain_at(t, p->line, c);
	end = chain_row_end(c, p->from, t->size.cols);
	if (chain_has_row(c, end))
		p->from = end;
	else
		*p = (struct place){ c->end > p->line ? c->end : p->line + 1, 0 };
}

static void
place_up(const struct term *t, struct place *p, struct chain *c)
{
	if (p->from) {
		p->from = chain_row_of(chain_at(t, p->line, c), p->from - 1, t->size.cols);
	} else if (p->line > t->history.first) {
		p->line = chain_head(&t->history, p->line - 1);
		p->from = chain_row_of(chain_at(t, p->line, c), UINT_MAX, t->size.cols);
	}
}

/* The view's first row; the screen's own when it follows. The alternate screen has no history to
 * look at. */
static struct place
view_place(const struct frame_view *v, const struct term *t, struct chain *c)
{
	if (!v->is_anchored || t->modes.alternate || v->anchor >= t->history.next)
		return (struct place){ t->history.next, 0 };
	if (v->anchor < t->history.first)
		return (struct place){ t->history.first, 0 };
	if (!v->anchor_from)
		return (struct place){ v->anchor, 0 };
	return (struct place){ v->anchor,
		chain_row_of(chain_at(t, v->anchor, c), v->anchor_from, t->size.cols) };
}

static void
view_anchor(struct frame_view *v, const struct term *t, struct place p)
{
	v->anchor = p.line;
	v->anchor_from = p.from;
	v->is_anchored = v->is_held || p.line < t->history.next;
}

void
frame_view_hold(struct frame_view *v, const struct term *t, bool on)
{
	struct chain chain = { 0 };
	struct place p = view_place(v, t, &chain);

	v->is_held = on;
	view_anchor(v, t, p);
	v->is_scrolled = true;
	chain_fini(&chain);
}

void
frame_walk_init(struct frame_walk *w, const struct frame_view *v, const struct term *t)
{
	struct place p;

	*w = (struct frame_walk){ .t = t };
	p = view_place(v, t, &w->chain);
	w->line = p.line;
	w->from = p.from;
}

void
frame_walk_next(struct frame_walk *w)
{
	struct place p = { w->line, w->from };

	if (w->is_begun)
		place_down(w->t, &p, &w->chain);
	w->is_begun = true;
	w->line = p.line;
	w->from = p.from;
	w->end = 0;
	if (p.line < w->t->history.next)
		w->end = chain_row_end(chain_at(w->t, p.line, &w->chain), p.from, w->t->size.cols);
}

void
frame_walk_fini(struct frame_walk *w)
{
	chain_fini(&w->chain);
}

void
frame_view_scroll(struct frame_view *v, const struct term *t, int64_t lines)
{
	const int64_t far = (int64_t)1 << 16; /* beyond that it is a jump, not a walk */
	struct chain chain = { 0 };
	struct place p = view_place(v, t, &chain);

	if (t->modes.alternate)
		return;
	if (lines > far)
		p = (struct place){ t->history.first, 0 };
	else if (lines == 0 || lines < -far)
		p = (struct place){ t->history.next, 0 };
	for (int64_t i = 0; i < lines && lines <= far; i++)
		place_up(t, &p, &chain);
	for (int64_t i = 0; i > lines && lines >= -far && p.line < t->history.next; i--)
		place_down(t, &p, &chain);
	view_anchor(v, t, p);
	v->is_scrolled = true;
	chain_fini(&chain);
}

void
frame_view_show(struct frame_view *v, const struct term *t, uint64_t line)
{
	struct chain chain = { 0 };
	struct place p = { t->history.next, 0 };

	if (t->modes.alternate)
		return;
	if (line < t->history.first)
		line = t->history.first;
	if (line < t->history.next) {
		p.line = chain_head(&t->history, line);
		chain_at(t, p.line, &chain);
		if (line < chain.end)
			p.from = chain_row_of(
				&chain, chain.starts[line - p.line], t->size.cols);
	}
	for (unsigned i = t->size.rows / 3; i && p.line < t->history.next; i--)
		place_up(t, &p, &chain); /* a few rows above it help to read it */
	view_anchor(v, t, p);
	v->is_scrolled = true;
	chain_fini(&chain);
}

bool
frame_pending(const struct frame_view *v, const struct term *t)
{
	return !v->term_version || v->term_version != t->version || v->is_scrolled;
}

/* -- writing -- */

struct encoder {
	struct term *t;
	struct buf *to;
	struct chain chain;   /* of history, the one looked at last */
	struct place *places; /* of each row */
	unsigned up;	      /* rows of history above the screen's first */
	uint32_t links[FRAME_LINKS];
	unsigned link_count;
};

static void
add_var(struct buf *to, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_add_char(to, (char)(v | 0x80));
	buf_add_char(to, (char)v);
}

struct style {
	uint32_t fg, bg, underline_colour, link;
	uint16_t attr;
};

static struct style
style_of(const struct encoder *e, const struct cell *c)
{
	struct cell_ext ext = cluster_ext_of(&e->t->table, c->ext);
	bool is_known = false;

	for (unsigned i = 0; i < e->link_count && ext.link; i++)
		is_known |= e->links[i] == ext.link;
	return (struct style){ c->fg, c->bg, ext.underline_colour, is_known ? ext.link : 0,
		c->attr & ATTR_STYLE };
}

static void
add_style(struct buf *to, struct style *old, struct style new)
{
	uint8_t mask = (uint8_t)((old->fg != new.fg) | (old->bg != new.bg) << 1 |
				 (old->attr != new.attr) << 2 |
				 (old->underline_colour != new.underline_colour) << 3 |
				 (old->link != new.link) << 4);

	if (!mask)
		return;
	buf_add_char(to, 1);
	buf_add_char(to, (char)mask);
	if (mask & 1)
		buf_add_u32(to, new.fg);
	if (mask & 2)
		buf_add_u32(to, new.bg);
	if (mask & 4)
		buf_add_u16(to, new.attr);
	if (mask & 8)
		buf_add_u32(to, new.underline_colour);
	if (mask & 16)
		buf_add_u32(to, new.link);
	*old = new;
}

static bool
same_look(const struct cell *a, const struct cell *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->ext == b->ext &&
	       !((a->attr ^ b->attr) & ATTR_STYLE);
}

enum run { RUN_END, RUN_STYLE, RUN_TEXT, RUN_WIDE, RUN_BLANK, RUN_CLUSTER };

static enum run
run_kind(const struct cell *c, unsigned left)
{
	bool is_wide = c->attr & ATTR_WIDE && left >= 2;

	if (!c->ch || c->attr & ATTR_SPACER || (c->attr & ATTR_WIDE && !is_wide))
		return RUN_BLANK; /* also the half of a wide character at the edge of a cropped line
				   */
	if (c->ch & CELL_CLUSTER)
		return RUN_CLUSTER;
	return is_wide ? RUN_WIDE : RUN_TEXT;
}

/* One run of one kind in one style. Returns the cells that it covers. */
static unsigned
add_run(struct encoder *e, const struct cell *cells, unsigned n)
{
	enum run kind = run_kind(cells, n);
	unsigned step = kind == RUN_WIDE ? 2 : 1, i = 0, count = 0;
	char text[RUN_CHARS * 4];
	size_t len = 0;

	if (kind == RUN_CLUSTER) {
		step = cells[0].attr & ATTR_WIDE && n >= 2 ? 2 : 1;
		len = cluster_text(&e->t->table, cells[0].ch, text, MIRROR_CLUSTER_BYTES);
		buf_add_char(e->to, RUN_CLUSTER);
		buf_add_char(e->to, (char)step);
		add_var(e->to, len);
		buf_add(e->to, text, len);
		return step;
	}
	for (; i < n && run_kind(&cells[i], n - i) == kind && same_look(&cells[0], &cells[i]);
		i += step, count++) {
		if (kind == RUN_BLANK)
			continue;
		if (count == RUN_CHARS)
			break;
		if (cells[i].ch < 0x80)
			text[len++] = (char)cells[i].ch;
		else
			len += utf8_encode(cells[i].ch, text + len);
	}
	buf_add_char(e->to, (char)kind);
	add_var(e->to, count);
	buf_add(e->to, text, len);
	return i;
}

static unsigned
trimmed(const struct cell *cells, unsigned used)
{
	static const struct cell blank;

	while (used && !cells[used - 1].ch && !(cells[used - 1].attr & ATTR_SPACER) &&
		same_look(&cells[used - 1], &blank))
		used--;
	return used;
}

static void
add_row(struct encoder *e, const struct cell *cells, unsigned used, bool is_wrapped)
{
	struct style style = { 0 };

	used = trimmed(cells, used < e->t->size.cols ? used : e->t->size.cols);
	if (!used && !is_wrapped) {
		add_var(e->to, 1 << 2 | 2);
		return;
	}
	add_var(e->to, 3);
	buf_add_char(e->to, is_wrapped);
	for (unsigned i = 0; i < used;) {
		add_style(e->to, &style, style_of(e, &cells[i]));
		i += add_run(e, cells + i, used - i);
	}
	buf_add_char(e->to, RUN_END);
}

struct source {
	const struct cell *cells;
	unsigned used;
	bool is_wrapped;
};

/* What stands in a row of the view. A row of history stands in the encoder's chain until the next call. */
static struct source
row_source(struct encoder *e, unsigned row)
{
	struct place p = e->places[row];
	struct chain *c = &e->chain;
	const struct row *r;
	unsigned end;

	if (p.line >= e->t->history.next) {
		r = screen_row(e->t, (unsigned)(p.line - e->t->history.next));
		return (struct source){ r->cells, r->used, r->flags & ROW_WRAPPED };
	}
	chain_at(e->t, p.line, c);
	end = chain_row_end(c, p.from, e->t->size.cols);
	if (p.from >= c->count)
		return (struct source){ NULL, 0, c->runs_on };
	return (struct source){ c->cells + p.from, end - p.from,
		chain_has_row(c, end) || c->runs_on };
}

static struct frame_row
row_identity(struct encoder *e, unsigned row)
{
	struct place p = e->places[row];
	const struct row *r;

	if (p.line < e->t->history.next)
		return (struct frame_row){ HISTORY_UID | p.line, p.from + 1 };
	r = screen_row(e->t, (unsigned)(p.line - e->t->history.next));
	return (struct frame_row){ r->uid, r->version };
}

static bool
row_is(const struct frame_row *a, const struct frame_row *b)
{
	return a->uid == b->uid && a->version == b->version;
}

static void
links_collect(struct encoder *e, const struct source *s)
{
	uint16_t last = 0;

	for (unsigned i = 0; i < s->used && i < e->t->size.cols; i++) {
		uint16_t ext = s->cells[i].ext;
		uint32_t link = ext && ext != last ? cluster_ext_of(&e->t->table, ext).link : 0;
		bool is_new = link && e->link_count < FRAME_LINKS;

		last = ext;
		for (unsigned k = 0; k < e->link_count && is_new; k++)
			is_new = e->links[k] != link;
		if (is_new)
			e->links[e->link_count++] = link;
	}
}

/* Where the client has this row; -1 when it does not. Scrolling moves many rows by the same
 * distance: `near` is tried first. */
static int
row_find(const struct frame_view *v, const struct frame_row *r, unsigned near, uint64_t newest)
{
	if (near < v->size.rows && row_is(&v->rows[near], r))
		return (int)near;
	if (r->uid > newest)
		return -1;
	for (unsigned i = 0; i < v->size.rows; i++)
		if (row_is(&v->rows[i], r))
			return (int)i;
	return -1;
}

/* plan[row]: the client's row that it is, or -1. */
static void
frame_plan(const struct frame_view *v, const struct frame_row *rows, unsigned count, int *plan)
{
	uint64_t newest = 0;
	int near = 0;

	for (unsigned i = 0; i < count; i++)
		if (v->rows[i].uid > newest)
			newest = v->rows[i].uid;
	for (unsigned i = 0; i < count; i++) {
		if (row_is(&rows[i], &v->rows[i])) {
			plan[i] = (int)i;
			continue;
		}
		plan[i] = row_find(v, &rows[i], i + (unsigned)near, newest);
		if (plan[i] >= 0)
			near = plan[i] - (int)i;
	}
}

static void
add_rows(struct encoder *e, const int *plan, unsigned count)
{
	for (unsigned i = 0; i < count;) {
		unsigned n = 1;

		if (plan[i] < 0) {
			struct source s = row_source(e, i);

			add_row(e, s.cells, s.used, s.is_wrapped);
			i++;
			continue;
		}
		while (i + n < count && plan[i + n] == plan[i] + (int)n)
			n++;
		if (plan[i] == (int)i) {
			add_var(e->to, (uint64_t)n << 2);
		} else {
			add_var(e->to, (uint64_t)n << 2 | 1);
			add_var(e->to, (uint64_t)plan[i]);
		}
		i += n;
	}
}

static uint32_t
mode_bits(const struct term_modes *m, bool cursor_visible)
{
	return (m->mouse ? MIRROR_MOUSE : 0) | (m->alternate ? MIRROR_ALTERNATE : 0) |
	       (m->bracketed_paste ? MIRROR_BRACKETED_PASTE : 0) |
	       (m->focus_events ? MIRROR_FOCUS_EVENTS : 0) |
	       (m->app_cursor ? MIRROR_APP_CURSOR : 0) | (m->reverse_screen ? MIRROR_REVERSE : 0) |
	       (cursor_visible ? MIRROR_CURSOR_VISIBLE : 0) |
	       (m->cursor_blink ? MIRROR_CURSOR_BLINK : 0) |
	       (m->mouse == TERM_MOUSE_ALL ? MIRROR_MOUSE_MOTION : 0);
}

static uint64_t
hash_text(const char *s)
{
	uint64_t h = 14695981039346656037u;

	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 1099511628211u;
	return h;
}

static void
add_head(struct encoder *e, bool is_full, bool has_title)
{
	const struct term *t = e->t;
	unsigned row = t->row + e->up;
	bool on_view = row < t->size.rows;

	buf_add_char(e->to, 1);
	buf_add_char(e->to, (char)(is_full | has_title << 1));
	buf_add_u16(e->to, t->size.rows);
	buf_add_u16(e->to, t->size.cols);
	buf_add_u16(e->to, (uint16_t)(on_view ? row : t->size.rows - 1u));
	buf_add_u16(e->to, (uint16_t)t->col);
	buf_add_char(e->to, (char)t->modes.cursor_shape);
	buf_add_u32(e->to, mode_bits(&t->modes, t->modes.cursor_visible && on_view));
	add_var(e->to, t->history.next - e->places[0].line);
	add_var(e->to, t->history.next - t->history.first);
	if (has_title) {
		add_var(e->to, strlen(t->title));
		buf_add_str(e->to, t->title);
	}
}

static void
add_links(struct encoder *e, const int *plan, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct source s;

		if (plan[i] >= 0)
			continue;
		s = row_source(e, i);
		links_collect(e, &s);
	}
	add_var(e->to, e->link_count);
	for (unsigned i = 0; i < e->link_count; i++) {
		const char *uri = cluster_link_uri(&e->t->table, e->links[i]);

		buf_add_u32(e->to, e->links[i]);
		add_var(e->to, strlen(uri));
		buf_add_str(e->to, uri);
	}
}

static void
places_find(struct encoder *e, struct place first)
{
	for (unsigned i = 0; i < e->t->size.rows; i++) {
		e->places[i] = first;
		e->up += first.line < e->t->history.next;
		place_down(e->t, &first, &e->chain);
	}
}

int
frame_encode(struct frame_view *v, struct term *t, struct buf *to)
{
	unsigned count = t->size.rows;
	AUTO(mem) struct frame_row *rows = mem_zero(count, sizeof rows[0]);
	AUTO(mem) int *plan = mem_zero(count, sizeof plan[0]);
	AUTO(mem) struct place *places = mem_zero(count, sizeof places[0]);
	struct encoder e = { .t = t, .to = to, .places = places };
	bool is_full = !v->term_version || !size_equal(v->size, t->size), was_full = to->is_full;
	uint64_t title = hash_text(t->title);
	size_t start = to->len;

	to->is_full = false;
	places_find(&e, view_place(v, t, &e.chain));
	for (unsigned i = 0; i < count; i++)
		rows[i] = row_identity(&e, i);
	if (is_full)
		memset(plan, 0xff, count * sizeof plan[0]);
	else
		frame_plan(v, rows, count, plan);
	add_head(&e, is_full, is_full || title != v->title_hash);
	add_links(&e, plan, count);
	add_rows(&e, plan, count);
	chain_fini(&e.chain);
	if (to->is_full) {
		to->len = start;
		if (to->data)
			to->data[start] = 0;
		to->is_full = was_full;
		return -ENOBUFS;
	}
	mem_free(v->rows);
	v->rows = mem_take(rows);
	v->size = t->size;
	v->term_version = t->version;
	v->title_hash = title;
	v->is_scrolled = false;
	if (!t->modes.alternate)
		view_anchor(v, t, places[0]);
	t->epoch++;
	return 0;
}
