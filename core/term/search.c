#include "term/search.h"

#include <ctype.h>
#include <errno.h>

#include "sandesk/base/mem.h"
#include "term/line.h"
#include "term/screen.h"

enum { WINDOW_LINES = 1024, PIECE_BYTES = 1 << 20 };

/* A logical line, or SEARCH_LINES lines of it, as text. */
struct piece {
	uint64_t first, end;
	struct buf text;
	size_t *starts; /* where each line's text begins; one more: where the last ends */
	unsigned room;
};

struct finder {
	struct term *t;
	struct search *s;
	char needle[SEARCH_TEXT_BYTES];
	struct piece piece;
	struct cell *cells; /* of one line, to count them */
	struct search_hit *to;
	size_t room, count;
	size_t oldest; /* backwards `to` is a ring: the last hits count */
};

bool
search_any_case(const char *text, size_t len, bool is_regex)
{
	for (size_t i = 0; i < len; i++) {
		if (is_regex && text[i] == '\\') {
			/* \p{Lu}, \x{AB} and the like name no letters of the text either */
			if (i + 2 < len && text[i + 2] == '{')
				while (i + 1 < len && text[i] != '}')
					i++;
			else
				i++;
			continue;
		}
		if (text[i] >= 'A' && text[i] <= 'Z')
			return false;
	}
	return true;
}

struct search_place
search_end(const struct term *t)
{
	return (struct search_place){ t->history.next + t->size.rows, 0 };
}

/* ---- lines as text ---- */

static int
row_text(struct term *t, unsigned row, struct buf *to, bool *ret_is_wrapped)
{
	const struct row *r = screen_row(t, row);
	char part[TERM_CLUSTER_BYTES];

	*ret_is_wrapped = r->flags & ROW_WRAPPED && row + 1u < t->size.rows;
	for (unsigned i = 0; i < r->used; i++) {
		const struct cell *c = &r->cells[i];
		int rc = 0;

		if (c->ch)
			rc = buf_add(to, part, cluster_text(&t->table, c->ch, part, sizeof part));
		else if (!(c->attr & ATTR_SPACER))
			rc = buf_add_char(to, ' ');
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int
line_text(struct term *t, uint64_t id, struct buf *to, bool *ret_is_wrapped)
{
	int r;

	*ret_is_wrapped = false;
	if (id >= t->history.next)
		return row_text(t, (unsigned)(id - t->history.next), to, ret_is_wrapped);
	r = history_text(&t->history, id, &t->table, to, ret_is_wrapped);
	if (id + 1 == t->history.next && t->on != &t->main)
		*ret_is_wrapped = false; /* the alternate screen continues nothing */
	return r;
}

/* Reads the piece that begins with the line. */
static void
piece_read(struct piece *p, struct term *t, uint64_t first)
{
	uint64_t last = search_end(t).line;
	bool is_wrapped = true;
	unsigned n = 0;

	buf_reset(&p->text);
	p->first = p->end = first;
	while (is_wrapped && p->end < last && n < SEARCH_LINES && p->text.len < PIECE_BYTES) {
		if (n + 1 >= p->room) {
			p->room = p->room ? p->room * 2 : 16;
			p->starts = mem_grow(p->starts, p->room, sizeof p->starts[0]);
		}
		p->starts[n++] = p->text.len;
		line_text(t, p->end++, &p->text, &is_wrapped);
	}
	p->starts[n] = p->text.len;
	while (!is_wrapped && p->text.len && p->text.data[p->text.len - 1] == ' ')
		p->text.len--;
	if (p->text.data)
		p->text.data[p->text.len] = 0;
}

/* The first line of the logical line that one belongs to. */
static uint64_t
line_head(const struct term *t, uint64_t id)
{
	const struct history *h = &t->history;
	uint64_t first = id;

	for (; first > h->first && id - first < SEARCH_LINES; first--) {
		bool is_wrapped = false;
		unsigned at = t->on->top;

		if (first == h->next) {
			if (!line_enters_screen(t))
				break;
			continue;
		}
		if (first > h->next) {
			at += (unsigned)(first - 1 - h->next);
			at = at < t->size.rows ? at : at - t->size.rows;
			is_wrapped = t->on->rows[at]->flags & ROW_WRAPPED;
		} else {
			history_read(h, first - 1, NULL, 0, &is_wrapped);
		}
		if (!is_wrapped)
			break;
	}
	return first;
}

void
search_line(struct term *t, uint64_t line, struct buf *to)
{
	struct piece p = { 0 };

	if (line < t->history.first || line >= search_end(t).line)
		return;
	piece_read(&p, t, line_head(t, line));
	buf_add(to, p.text.data ? p.text.data : "", p.text.len);
	buf_fini(&p.text);
	mem_free(p.starts);
}

/* ---- from bytes to cells ---- */

static const struct cell *
line_cells(struct finder *f, uint64_t id, unsigned *ret_count)
{
	const struct row *r;
	bool is_wrapped;
	int n;

	if (id >= f->t->history.next) {
		r = screen_row(f->t, (unsigned)(id - f->t->history.next));
		*ret_count = r->used;
		return r->cells;
	}
	if (!f->cells)
		f->cells = mem_alloc(HISTORY_MAX_CELLS * sizeof f->cells[0]);
	n = history_read(&f->t->history, id, f->cells, HISTORY_MAX_CELLS, &is_wrapped);
	*ret_count = n < 0 ? 0 : n > HISTORY_MAX_CELLS ? HISTORY_MAX_CELLS : (unsigned)n;
	return f->cells;
}

/* Cells of line i of the piece that the first `bytes` of its text take. A cluster that they end in
 * counts for an end, and not for a begin: its cell belongs to the hit. */
static uint32_t
cells_of(struct finder *f, unsigned i, size_t bytes, bool is_end)
{
	char part[TERM_CLUSTER_BYTES];
	unsigned count, col = 0;
	const struct cell *c = line_cells(f, f->piece.first + i, &count);

	for (size_t at = 0; col < count && at < bytes; col++) {
		if (c[col].attr & ATTR_SPACER)
			continue;
		at += c[col].ch ? cluster_text(&f->t->table, c[col].ch, part, sizeof part) : 1;
		if (at > bytes && !is_end)
			return col;
	}
	if (col < count && c[col].attr & ATTR_SPACER)
		col++;
	return col;
}

/* The place of a byte of the piece. An end that stands between two lines belongs to the first. */
static struct search_place
place_of(struct finder *f, size_t byte, bool is_end)
{
	unsigned low = 0, high = (unsigned)(f->piece.end - f->piece.first);

	while (high - low > 1) {
		unsigned middle = low + (high - low) / 2;

		if (f->piece.starts[middle] < byte + !is_end)
			low = middle;
		else
			high = middle;
	}
	return (struct search_place){ f->piece.first + low,
		cells_of(f, low, byte - f->piece.starts[low], is_end) };
}

static uint32_t
cells_between(struct finder *f, struct search_place from, struct search_place to)
{
	uint32_t cells = 0;
	unsigned count;

	for (uint64_t id = from.line; id < to.line; id++) {
		line_cells(f, id, &count);
		cells += count;
	}
	return cells + to.col - from.col;
}

static bool
is_before(struct search_place a, struct search_place b)
{
	return a.line < b.line || (a.line == b.line && a.col < b.col);
}

/* ---- finding ---- */

static void
fold(char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		text[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] | 0x20 : text[i]);
}

/* memmem() prepares a table for each call, which costs more than a line of a screen is long. */
static const char *
find_text(const char *text, size_t len, const char *needle, size_t n)
{
	const char *at = text, *last;

	if (len < n)
		return NULL;
	last = text + (len - n);
	while ((at = memchr(at, needle[0], (size_t)(last - at) + 1))) {
		if (at[n - 1] == needle[n - 1] && memcmp(at, needle, n) == 0)
			return at;
		if (at++ == last)
			return NULL;
	}
	return NULL;
}

static int
find_next(struct finder *f, size_t from, size_t *ret_start, size_t *ret_end)
{
	const struct buf *text = &f->piece.text;
	const char *hit;

	if (f->s->match)
		return f->s->match(text->data, text->len, from, ret_start, ret_end, f->s->arg);
	hit = find_text(text->data + from, text->len - from, f->needle, f->s->len);
	if (!hit)
		return 0;
	*ret_start = (size_t)(hit - text->data);
	*ret_end = *ret_start + f->s->len;
	return 1;
}

/* False when there is no room for more: the search has to stop. */
static bool
take_hit(struct finder *f, struct search_hit hit)
{
	bool is_wanted = is_before(hit.at, f->s->from) == f->s->is_backwards;

	if (!is_wanted)
		return true;
	if (f->count < f->room) {
		f->to[f->count++] = hit;
	} else { /* only backwards: the oldest makes room */
		f->to[f->oldest] = hit;
		f->oldest = (f->oldest + 1) % f->room;
	}
	return f->s->is_backwards || f->count < f->room;
}

/* In the middle of a character: no hit begins or ends there. */
static bool
is_inside(const struct buf *text, size_t byte)
{
	return byte < text->len && (text->data[byte] & 0xc0) == 0x80;
}

/* All hits of the piece; 1 to go on, 0 when there is no room, or a negative errno. */
static int
piece_search(struct finder *f)
{
	struct buf *text = &f->piece.text;
	struct search_place before = { 0 };
	bool has_before = false;
	size_t start, end;
	int r;

	if (f->s->any_case && !f->s->match && text->len)
		fold(text->data, text->len);
	for (size_t from = 0; from < text->len; from = end) {
		struct search_hit hit;

		r = find_next(f, from, &start, &end);
		if (r <= 0)
			return r < 0 ? r : 1;
		if (end <= start || start < from || end > text->len ||
			is_inside(text, start) || is_inside(text, end)) {
			end = (start > from ? start : from) + 1;
			while (is_inside(text, end))
				end++;
			continue;
		}
		hit.at = place_of(f, start, false);
		/* A mark that stands in one cell twice is found once: a search goes on from cell to cell. */
		if (has_before && !is_before(before, hit.at))
			continue;
		before = hit.at;
		has_before = true;
		hit.end = place_of(f, end, true);
		hit.cells = cells_between(f, hit.at, hit.end);
		if (!take_hit(f, hit))
			return 0;
	}
	return 1;
}

static int
search_forwards(struct finder *f)
{
	struct search *s = f->s;
	uint64_t last = search_end(f->t).line, line, begin;
	int r = 1;

	if (s->from.line < f->t->history.first)
		s->from = (struct search_place){ f->t->history.first, 0 };
	begin = s->from.line;
	for (line = begin < last ? line_head(f->t, begin) : last; line < last && r == 1;
		line = f->piece.end) {
		if (s->most_lines && line > begin && line - begin >= s->most_lines)
			break;
		piece_read(&f->piece, f->t, line);
		r = piece_search(f);
	}
	s->is_done = r == 1 && line >= last;
	if (r == 1)
		s->from = (struct search_place){ line, 0 };
	else if (!r)
		s->from = (struct search_place){ f->to[f->count - 1].at.line,
			f->to[f->count - 1].at.col + 1 };
	return r < 0 ? r : 0;
}

/* One window forwards, its last hits kept. */
static int
window_search(struct finder *f, uint64_t first, uint64_t stop)
{
	int r = 1;

	for (uint64_t line = first; line < stop && r == 1; line = f->piece.end) {
		piece_read(&f->piece, f->t, line);
		r = piece_search(f);
	}
	return r;
}

static void
hits_reverse(struct search_hit *h, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct search_hit one = h[i];

		h[i] = h[n - 1 - i];
		h[n - 1 - i] = one;
	}
}

/* From the end window by window. A window's hits come in the order of the text: turned round. */
static int
search_backwards(struct finder *f)
{
	struct search *s = f->s;
	struct search_hit *all = f->to;
	size_t room = f->room, done = 0;
	uint64_t first = f->t->history.first, stop = s->from.line + (s->from.col > 0), seen = 0;
	int r = 1;

	if (stop > search_end(f->t).line)
		stop = search_end(f->t).line;
	while (stop > first && done < room && r == 1 &&
		(!s->most_lines || seen < s->most_lines)) {
		uint64_t low = stop - first > WINDOW_LINES ? stop - WINDOW_LINES : first;

		low = line_head(f->t, low);
		f->to = all + done;
		f->room = room - done;
		f->count = f->oldest = 0;
		r = window_search(f, low, stop);
		hits_reverse(f->to, f->oldest);
		hits_reverse(f->to + f->oldest, f->count - f->oldest);
		done += f->count;
		seen += stop - low;
		stop = low;
		if (f->count == f->room) /* older ones of this window may have had no room */
			break;
		s->from = (struct search_place){ low, 0 };
	}
	f->to = all;
	f->count = done;
	if (done && done == room)
		s->from = all[done - 1].at;
	s->is_done = r == 1 && done < room && stop <= first;
	return r < 0 ? r : 0;
}

int
term_search(struct term *t, struct search *s, struct search_hit *to, size_t room)
{
	struct finder f = { .t = t, .s = s, .to = to, .room = room };
	int r;

	if (!room || (!s->match && (!s->len || s->len > sizeof f.needle)))
		return -EINVAL;
	if (!s->match) {
		memcpy(f.needle, s->text, s->len);
		if (s->any_case)
			fold(f.needle, s->len);
	}
	r = s->is_backwards ? search_backwards(&f) : search_forwards(&f);
	buf_fini(&f.piece.text);
	mem_free(f.piece.starts);
	mem_free(f.cells);
	return r < 0 ? r : (int)f.count;
}
