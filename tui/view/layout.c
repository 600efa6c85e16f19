#include "view/layout.h"

#include <errno.h>
#include <string.h>

#include "sandesk/base/err.h"
#include "sandesk/base/str.h"

void
layout_init(struct layout *l)
{
	memset(l, 0, sizeof *l);
	l->root = -1;
}

bool
layout_is_empty(const struct layout *l)
{
	return l->root < 0;
}

static int
find(const struct layout *l, int pane)
{
	for (int i = 0; i < LAYOUT_NODES; i++)
		if (l->nodes[i].kind == LAYOUT_PANE && l->nodes[i].pane == pane)
			return i;
	return -1;
}

bool
layout_has(const struct layout *l, int pane)
{
	return find(l, pane) >= 0;
}

size_t
layout_count(const struct layout *l)
{
	size_t n = 0;

	for (int i = 0; i < LAYOUT_NODES; i++)
		n += l->nodes[i].kind == LAYOUT_PANE;
	return n;
}

static int
make(struct layout *l, enum layout_kind kind, int parent)
{
	for (int i = 0; i < LAYOUT_NODES; i++) {
		if (l->nodes[i].kind != LAYOUT_FREE)
			continue;
		l->nodes[i] = (struct layout_node){ .kind = kind,
			.parent = parent,
			.child = -1,
			.next = -1,
			.weight = LAYOUT_WEIGHT,
			.pane = -1 };
		return i;
	}
	return -1;
}

/* The place where the number of node i stands: the root, its parent's first child, or its brother's
 * next. */
static int *
link_of(struct layout *l, int i)
{
	int parent = l->nodes[i].parent, *at = parent < 0 ? &l->root : &l->nodes[parent].child;

	while (*at != i)
		at = &l->nodes[*at].next;
	return at;
}

int
layout_add_first(struct layout *l, int pane)
{
	int i = layout_is_empty(l) ? make(l, LAYOUT_PANE, -1) : -1;

	if (i < 0)
		return -ENOSPC;
	l->nodes[i].pane = pane;
	l->root = i;
	return 0;
}

/* Puts a node of `kind` between node i and its parent. */
static int
wrap(struct layout *l, int i, enum layout_kind kind)
{
	int w = make(l, kind, l->nodes[i].parent), *at;

	if (w < 0)
		return -1;
	at = link_of(l, i);
	*at = w;
	l->nodes[w].next = l->nodes[i].next;
	l->nodes[w].weight = l->nodes[i].weight;
	l->nodes[w].child = i;
	l->nodes[i].next = -1;
	l->nodes[i].parent = w;
	l->nodes[i].weight = LAYOUT_WEIGHT;
	return w;
}

static int
check_room(
	const struct layout *l, int beside, enum layout_kind kind, struct area area, struct err *e)
{
	struct layout_spots spots;
	const struct layout_spot *s;

	layout_place(l, area, &spots);
	s = layout_spot(&spots, beside);
	if (!s)
		return err_set(e, -ENOENT, "split: there is no pane to split");
	if (kind == LAYOUT_SIDE ? s->area.cols < 2 * LAYOUT_MIN_COLS + 1
				: s->area.rows < 2 * LAYOUT_MIN_ROWS)
		return err_set(e, -ENOSPC,
			"split: the pane is too small; close another one or make the window "
			"larger");
	if (layout_count(l) >= LAYOUT_PANES)
		return err_set(
			e, -ENOSPC, "split: there are %d panes already; close one", LAYOUT_PANES);
	return 0;
}

int
layout_split(struct layout *l, int beside, enum layout_kind kind, int pane, struct area area,
	struct err *e)
{
	int i = find(l, beside), parent, fresh, r = check_room(l, beside, kind, area, e);

	if (r < 0)
		return r;
	parent = l->nodes[i].parent;
	if (parent < 0 || l->nodes[parent].kind != kind)
		parent = wrap(l, i, kind);
	fresh = parent < 0 ? -1 : make(l, LAYOUT_PANE, parent);
	if (fresh < 0)
		return err_set(e, -ENOSPC, "split: too many panes; close one");
	l->nodes[i].weight = l->nodes[i].weight > 1 ? l->nodes[i].weight / 2 : 1;
	l->nodes[fresh].weight = l->nodes[i].weight;
	l->nodes[fresh].pane = pane;
	l->nodes[fresh].next = l->nodes[i].next;
	l->nodes[i].next = fresh;
	return 0;
}

static int
first_pane(const struct layout *l, int i)
{
	while (i >= 0 && l->nodes[i].kind != LAYOUT_PANE)
		i = l->nodes[i].child;
	return i < 0 ? -1 : l->nodes[i].pane;
}

/* A split with one child is that child. */
static void
tidy(struct layout *l, int i)
{
	int only = l->nodes[i].child, *at;

	if (l->nodes[only].next >= 0)
		return;
	at = link_of(l, i);
	*at = only;
	l->nodes[only].next = l->nodes[i].next;
	l->nodes[only].parent = l->nodes[i].parent;
	l->nodes[only].weight = l->nodes[i].weight;
	l->nodes[i].kind = LAYOUT_FREE;
}

/* The brother that grows when node i goes: the one before it, else the one behind it. */
static int
brother(const struct layout *l, int i)
{
	int parent = l->nodes[i].parent, b = l->nodes[parent].child;

	if (b == i)
		return l->nodes[i].next;
	while (l->nodes[b].next != i)
		b = l->nodes[b].next;
	return b;
}

int
layout_close(struct layout *l, int pane)
{
	int i = find(l, pane), parent, heir, heir_pane;

	if (i < 0)
		return -1;
	parent = l->nodes[i].parent;
	if (parent < 0) {
		layout_init(l);
		return -1;
	}
	heir = brother(l, i);
	heir_pane = first_pane(l, heir);
	l->nodes[heir].weight += l->nodes[i].weight;
	*link_of(l, i) = l->nodes[i].next;
	l->nodes[i].kind = LAYOUT_FREE;
	tidy(l, parent);
	return heir_pane;
}

/* ---- placing ---- */
static int
min_span(const struct layout *l, int i, enum layout_kind along)
{
	const struct layout_node *n = &l->nodes[i];
	int sum = 0;

	if (n->kind == LAYOUT_PANE)
		return along == LAYOUT_SIDE ? LAYOUT_MIN_COLS : LAYOUT_MIN_ROWS;
	for (int c = n->child; c >= 0; c = l->nodes[c].next) {
		int m = min_span(l, c, along);

		if (n->kind == along)
			sum += m + (along == LAYOUT_SIDE && c != n->child);
		else
			sum = m > sum ? m : sum;
	}
	return sum;
}

struct shares {
	int child[LAYOUT_NODES], span[LAYOUT_NODES], least[LAYOUT_NODES], weight[LAYOUT_NODES];
	int n;
};

/* Divides `span` cells by weight, nobody below its least while there is enough for all. */
static void
divide(struct shares *s, int span)
{
	int least = 0, spare;
	long weight = 0;

	for (int i = 0; i < s->n; i++) {
		least += s->least[i];
		weight += s->weight[i];
	}
	spare = span;
	for (int i = 0; i < s->n; i++) {
		if (span <= least)
			s->span[i] = s->least[i] < spare ? s->least[i] : spare;
		else
			s->span[i] = (int)((long)span * s->weight[i] / weight);
		if (s->span[i] < s->least[i] && span > least)
			s->span[i] = s->least[i];
		spare -= s->span[i];
	}
	while (spare != 0) { /* rounding, and what the small ones took from the large ones */
		int best = 0;

		for (int i = 1; i < s->n; i++)
			if (spare > 0 ? (long)s->span[i] * s->weight[best] <
						(long)s->span[best] * s->weight[i]
				      : s->span[i] - s->least[i] > s->span[best] - s->least[best])
				best = i;
		s->span[best] += spare > 0 ? 1 : -1;
		spare += spare > 0 ? -1 : 1;
	}
}

static void
place(const struct layout *l, int i, struct area a, struct layout_spots *ret)
{
	const struct layout_node *n = &l->nodes[i];
	bool is_side = n->kind == LAYOUT_SIDE;
	struct shares s = { .n = 0 };
	int span;

	if (n->kind == LAYOUT_PANE) {
		if (ret->n < LAYOUT_PANES)
			ret->at[ret->n++] = (struct layout_spot){ n->pane, a };
		return;
	}
	for (int c = n->child; c >= 0; c = l->nodes[c].next, s.n++) {
		s.child[s.n] = c;
		s.least[s.n] = min_span(l, c, n->kind);
		s.weight[s.n] = l->nodes[c].weight;
	}
	span = is_side ? a.cols - (s.n - 1) : a.rows;
	divide(&s, span > 0 ? span : 0);
	for (int k = 0; k < s.n; k++) {
		struct area part = is_side ? (struct area){ a.row, a.col, a.rows, s.span[k] }
					   : (struct area){ a.row, a.col, s.span[k], a.cols };

		place(l, s.child[k], part, ret);
		a.col += is_side ? s.span[k] + 1 : 0;
		a.row += is_side ? 0 : s.span[k];
	}
}

void
layout_place(const struct layout *l, struct area area, struct layout_spots *ret)
{
	ret->n = 0;
	if (!layout_is_empty(l))
		place(l, l->root, area, ret);
}

/* ---- finding ---- */
int
layout_at(const struct layout_spots *s, int row, int col)
{
	for (size_t i = 0; i < s->n; i++)
		if (area_holds(s->at[i].area, row, col))
			return s->at[i].pane;
	return -1;
}

const struct layout_spot *
layout_spot(const struct layout_spots *s, int pane)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->at[i].pane == pane)
			return &s->at[i];
	return NULL;
}

static int
overlap(int a, int a_len, int b, int b_len)
{
	int first = a > b ? a : b, last = a + a_len < b + b_len ? a + a_len : b + b_len;

	return last - first;
}

/* How good a neighbour `to` is: the longest common edge wins. 0: it does not touch that side. */
static int
touches(const struct area *from, const struct area *to, enum layout_way way)
{
	bool is_beside = way == WAY_LEFT    ? to->col + to->cols + 1 == from->col
			 : way == WAY_RIGHT ? from->col + from->cols + 1 == to->col
			 : way == WAY_UP    ? to->row + to->rows == from->row
					    : from->row + from->rows == to->row;
	int common = way == WAY_LEFT || way == WAY_RIGHT
			     ? overlap(from->row, from->rows, to->row, to->rows)
			     : overlap(from->col, from->cols, to->col, to->cols);

	return is_beside && common > 0 ? common : 0;
}

int
layout_towards(const struct layout_spots *s, int pane, enum layout_way way)
{
	const struct layout_spot *from = layout_spot(s, pane);
	int best = -1, best_score = 0;

	for (size_t i = 0; from && i < s->n; i++) {
		int score = touches(&from->area, &s->at[i].area, way);

		if (score > best_score) {
			best_score = score;
			best = s->at[i].pane;
		}
	}
	return best;
}

int
layout_next(const struct layout_spots *s, int pane, int step)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->at[i].pane == pane)
			return s->at[(i + s->n + (size_t)(step + (int)s->n)) % s->n].pane;
	return s->n ? s->at[0].pane : -1;
}

/* ---- JSON ---- */
static json_t *
to_json(const struct layout *l, int i, layout_name_fn *fn, void *arg)
{
	const struct layout_node *n = &l->nodes[i];
	json_t *children, *weights;

	if (n->kind == LAYOUT_PANE) {
		const char *name = fn(n->pane, arg);

		return json_pack("{s:s}", "session", name ? name : "");
	}
	children = json_array();
	weights = json_array();
	for (int c = n->child; c >= 0; c = l->nodes[c].next) {
		json_array_append_new(children, to_json(l, c, fn, arg));
		json_array_append_new(weights, json_integer(l->nodes[c].weight));
	}
	return json_pack("{s:s, s:o, s:o}", "split", n->kind == LAYOUT_SIDE ? "side" : "stack",
		"weights", weights, "children", children);
}

json_t *
layout_to_json(const struct layout *l, layout_name_fn *fn, void *arg)
{
	return layout_is_empty(l) ? json_null() : to_json(l, l->root, fn, arg);
}

static int from_json(
	struct layout *l, const json_t *from, int parent, layout_pane_fn *fn, void *arg);

static int
leaf_from_json(struct layout *l, const char *session, int parent, layout_pane_fn *fn, void *arg)
{
	int pane = fn(session, arg), i;

	if (pane < 0 || find(l, pane) >= 0)
		return -1;
	i = layout_count(l) < LAYOUT_PANES ? make(l, LAYOUT_PANE, parent) : -1;
	if (i >= 0)
		l->nodes[i].pane = pane;
	return i;
}

static int
from_json(struct layout *l, const json_t *from, int parent, layout_pane_fn *fn, void *arg)
{
	const char *session = json_string_value(json_object_get(from, "session"));
	json_t *children = json_object_get(from, "children"), *child;
	const char *split = json_string_value(json_object_get(from, "split"));
	int i, last = -1;
	size_t k;

	if (session)
		return leaf_from_json(l, session, parent, fn, arg);
	i = json_array_size(children)
		    ? make(l, str_equal(split, "side") ? LAYOUT_SIDE : LAYOUT_STACK, parent)
		    : -1;
	if (i < 0)
		return -1;
	json_array_foreach (children, k, child) {
		json_int_t weight =
			json_integer_value(json_array_get(json_object_get(from, "weights"), k));
		int c = from_json(l, child, i, fn, arg);

		if (c < 0)
			continue;
		l->nodes[c].weight =
			weight > 0 && weight <= 1000 * LAYOUT_WEIGHT ? (int)weight : LAYOUT_WEIGHT;
		*(last < 0 ? &l->nodes[i].child : &l->nodes[last].next) = c;
		last = c;
	}
	if (last < 0) {
		l->nodes[i].kind = LAYOUT_FREE;
		return -1;
	}
	if (l->nodes[i].child == last) { /* one child is left: it stands for the split */
		l->nodes[i].kind = LAYOUT_FREE;
		l->nodes[last].parent = parent;
		return last;
	}
	return i;
}

void
layout_from_json(struct layout *l, const json_t *from, layout_pane_fn *fn, void *arg)
{
	layout_init(l);
	l->root = from_json(l, from, -1, fn, arg);
}
