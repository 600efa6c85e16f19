/* layout.h - how panes share an area: a tree of splits with weights. Pure.
 * Contract:  the spots that layout_place() gives tile the area exactly: no two overlap, and every
 *            cell belongs to a spot or to the one-column gap between two that stand side by side.
 *            When the area is large enough every spot has at least LAYOUT_MIN_ROWS x
 *            LAYOUT_MIN_COLS; in one that is too small the last ones get what is left, down to
 *            nothing. Panes are numbers of the caller, each at most once.
 *
 *      side (children from left to right)      stack (children from top to bottom)
 *      +------+-------+                        +--------------+
 *      |  1   |  2    |                        |      1       |   a pane's first row is its title, which is
 *      |      |       |                        +--------------+   the border to the pane above it
 *      +------+-------+                        |      2       |
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "draw/surface.h"

struct err;

enum {
	LAYOUT_PANES = 32,
	LAYOUT_NODES = LAYOUT_PANES * 2,
	LAYOUT_MIN_ROWS = 2,
	LAYOUT_MIN_COLS = 4,
	LAYOUT_WEIGHT = 1000
};

enum layout_kind { LAYOUT_FREE, LAYOUT_PANE, LAYOUT_SIDE, LAYOUT_STACK };
enum layout_way { WAY_LEFT, WAY_DOWN, WAY_UP, WAY_RIGHT };

struct layout_node {
	enum layout_kind kind;
	int parent, child, next; /* -1: none */
	int weight;		 /* against its brothers' */
	int pane;
};

struct layout {
	struct layout_node nodes[LAYOUT_NODES];
	int root; /* -1: empty */
};

struct layout_spot {
	int pane;
	struct area area;
};

struct layout_spots {
	struct layout_spot at[LAYOUT_PANES];
	size_t n;
};

void layout_init(struct layout *l);
bool layout_is_empty(const struct layout *l);
bool layout_has(const struct layout *l, int pane);
size_t layout_count(const struct layout *l);

/* Puts a pane into an empty layout, or beside `beside`. -ENOSPC when there are LAYOUT_PANES, or
 * when the pane's spot in `area` is too small to be split. */
int layout_add_first(struct layout *l, int pane);
int layout_split(struct layout *l, int beside, enum layout_kind kind, int pane, struct area area,
	struct err *e);

/* Takes a pane out; its brothers take its room. Returns the pane that should get the focus, -1 when
 * none is left. */
int layout_close(struct layout *l, int pane);

void layout_place(const struct layout *l, struct area area, struct layout_spots *ret);

int layout_at(const struct layout_spots *s, int row, int col); /* -1: none */
/* -1: nothing there */
int layout_towards(const struct layout_spots *s, int pane, enum layout_way way);
/* in the order of reading */
int layout_next(const struct layout_spots *s, int pane, int step);
const struct layout_spot *layout_spot(const struct layout_spots *s, int pane);

/* As JSON: {"split":"side"|"stack","weights":[...],"children":[...]} or {"session":ID}. */
typedef const char *layout_name_fn(int pane, void *arg);
typedef int layout_pane_fn(const char *session, void *arg); /* -1: leave that pane out */
/* returns owned; null when empty */
json_t *layout_to_json(const struct layout *l, layout_name_fn *fn, void *arg);
void layout_from_json(struct layout *l, const json_t *from, layout_pane_fn *fn, void *arg);
