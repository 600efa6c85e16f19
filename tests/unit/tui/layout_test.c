#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "view/layout.h"

static uint32_t
next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* Every cell belongs to one spot or to a gap; gaps are one column between two spots. Returns the
 * cells in gaps. */
static int
check_tiles(const struct layout_spots *s, struct area a)
{
	uint8_t *owner = mem_zero((size_t)a.rows * (size_t)a.cols + 1, 1);
	int gaps = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct area at = s->at[i].area;

		assert_true(at.rows >= 0 && at.cols >= 0);
		for (int r = at.row; r < at.row + at.rows; r++)
			for (int c = at.col; c < at.col + at.cols; c++) {
				assert_true(area_holds(a, r, c));
				assert_int_equal(owner[(r - a.row) * a.cols + c - a.col], 0);
				owner[(r - a.row) * a.cols + c - a.col] = 1;
			}
	}
	for (int r = 0; r < a.rows; r++)
		for (int c = 0; c < a.cols; c++)
			if (!owner[r * a.cols + c]) {
				gaps++;
				assert_true(c > 0 && c < a.cols - 1);
				assert_true(owner[r * a.cols + c - 1] && owner[r * a.cols + c + 1]);
			}
	mem_free(owner);
	return gaps;
}

static void
test_one(void **state)
{
	struct layout l;
	struct layout_spots s;
	struct area a = { 1, 2, 10, 20 };

	(void)state;
	layout_init(&l);
	layout_place(&l, a, &s);
	assert_int_equal(s.n, 0);
	assert_int_equal(layout_add_first(&l, 7), 0);
	assert_true(layout_add_first(&l, 8) < 0);
	layout_place(&l, a, &s);
	assert_int_equal(s.n, 1);
	assert_memory_equal(&s.at[0].area, &a, sizeof a);
	assert_int_equal(layout_close(&l, 7), -1);
	assert_true(layout_is_empty(&l));
}

static void
test_split_in_halves(void **state)
{
	struct layout l;
	struct layout_spots s;
	struct area a = { 0, 0, 20, 41 };

	(void)state;
	layout_init(&l);
	layout_add_first(&l, 0);
	assert_int_equal(layout_split(&l, 0, LAYOUT_SIDE, 1, a, NULL), 0);
	assert_int_equal(layout_split(&l, 1, LAYOUT_STACK, 2, a, NULL), 0);
	layout_place(&l, a, &s);
	assert_int_equal(s.n, 3);
	assert_memory_equal(&s.at[0].area, (&(struct area){ 0, 0, 20, 20 }), sizeof a);
	assert_memory_equal(&s.at[1].area, (&(struct area){ 0, 21, 10, 20 }), sizeof a);
	assert_memory_equal(&s.at[2].area, (&(struct area){ 10, 21, 10, 20 }), sizeof a);
	assert_int_equal(check_tiles(&s, a), 20);
	assert_int_equal(layout_towards(&s, 0, WAY_RIGHT), 1);
	assert_int_equal(layout_towards(&s, 2, WAY_LEFT), 0);
	assert_int_equal(layout_towards(&s, 1, WAY_DOWN), 2);
	assert_int_equal(layout_towards(&s, 2, WAY_UP), 1);
	assert_int_equal(layout_towards(&s, 0, WAY_LEFT), -1);
	assert_int_equal(layout_next(&s, 2, 1), 0);
	assert_int_equal(layout_next(&s, 0, -1), 2);
	assert_int_equal(layout_at(&s, 15, 30), 2);
	assert_int_equal(layout_at(&s, 15, 20), -1);
	assert_int_equal(layout_close(&l, 1), 2);
	layout_place(&l, a, &s);
	assert_int_equal(s.n, 2);
	assert_memory_equal(&s.at[1].area, (&(struct area){ 0, 21, 20, 20 }), sizeof a);
}

static void
test_too_small(void **state)
{
	struct layout l;
	struct err e = { 0 };

	(void)state;
	layout_init(&l);
	layout_add_first(&l, 0);
	assert_true(layout_split(&l, 0, LAYOUT_SIDE, 1, (struct area){ 0, 0, 10, 8 }, &e) < 0);
	assert_non_null(strstr(e.msg, "too small"));
	assert_int_equal(layout_count(&l), 1);
	assert_int_equal(layout_split(&l, 0, LAYOUT_SIDE, 1, (struct area){ 0, 0, 10, 9 }, &e), 0);
	assert_true(layout_split(&l, 5, LAYOUT_SIDE, 2, (struct area){ 0, 0, 10, 90 }, &e) < 0);
}

static int
random_pane(const struct layout *l, uint32_t *seed)
{
	for (;;) {
		int pane = (int)(next_random(seed) % LAYOUT_PANES);

		if (layout_has(l, pane))
			return pane;
	}
}

static int
free_pane(const struct layout *l)
{
	for (int i = 0; i < LAYOUT_PANES; i++)
		if (!layout_has(l, i))
			return i;
	return -1;
}

/* Any number of splits and closings leaves an exact tiling; where there was room to split, nobody
 * is below the least size. */
static void
test_random_splits(void **state)
{
	struct area a = { 3, 5, 60, 200 }, tiny = { 0, 0, 5, 19 };

	(void)state;
	for (uint32_t seed = 1; seed < 200; seed++) {
		uint32_t random = seed;
		struct layout l;
		struct layout_spots s;

		layout_init(&l);
		layout_add_first(&l, 0);
		for (int i = 0; i < 60; i++) {
			size_t count = layout_count(&l);

			if (next_random(&random) % 3 && free_pane(&l) >= 0) {
				enum layout_kind kind =
					next_random(&random) % 2 ? LAYOUT_SIDE : LAYOUT_STACK;
				int r = layout_split(
					&l, random_pane(&l, &random), kind, free_pane(&l), a, NULL);

				assert_int_equal(layout_count(&l), count + (r == 0));
			} else if (count > 1) {
				int pane = random_pane(&l, &random), heir = layout_close(&l, pane);

				assert_true(layout_has(&l, heir));
				assert_false(layout_has(&l, pane));
			}
			layout_place(&l, a, &s);
			assert_int_equal(s.n, layout_count(&l));
			check_tiles(&s, a);
			for (size_t k = 0; k < s.n; k++) {
				assert_true(s.at[k].area.rows >= LAYOUT_MIN_ROWS);
				assert_true(s.at[k].area.cols >= LAYOUT_MIN_COLS);
			}
			layout_place(&l, tiny, &s); /* far too small: it must only hold together */
			for (size_t k = 0; k < s.n; k++)
				assert_true(s.at[k].area.rows >= 0 && s.at[k].area.cols >= 0);
		}
		while (!layout_is_empty(&l))
			layout_close(&l, random_pane(&l, &random));
		for (int i = 0; i < LAYOUT_NODES; i++)
			assert_int_equal(l.nodes[i].kind, LAYOUT_FREE);
	}
}

static const char *const names[] = { "s0", "s1", "s2", "s3" };

static const char *
name_of(int pane, void *arg)
{
	(void)arg;
	return names[pane];
}

static int
pane_of(const char *name, void *arg)
{
	const char *missing = arg;

	for (int i = 0; i < 4; i++)
		if (strcmp(names[i], name) == 0 && !(missing && strcmp(missing, name) == 0))
			return i;
	return -1;
}

static void
make_four(struct layout *l, struct area a)
{
	layout_init(l);
	layout_add_first(l, 0);
	layout_split(l, 0, LAYOUT_SIDE, 1, a, NULL);
	layout_split(l, 1, LAYOUT_STACK, 2, a, NULL);
	layout_split(l, 2, LAYOUT_SIDE, 3, a, NULL);
}

static void
test_json_round_trip(void **state)
{
	struct area a = { 0, 0, 30, 100 };
	struct layout l, again;
	struct layout_spots s, t;
	json_t *json;

	(void)state;
	make_four(&l, a);
	json = layout_to_json(&l, name_of, NULL);
	layout_from_json(&again, json, pane_of, NULL);
	layout_place(&l, a, &s);
	layout_place(&again, a, &t);
	assert_int_equal(s.n, t.n);
	for (size_t i = 0; i < s.n; i++)
		assert_memory_equal(&s.at[i], &t.at[i], sizeof s.at[i]);
	layout_from_json(
		&again, json, pane_of, (void *)"s1"); /* a session that is gone leaves no hole */
	layout_place(&again, a, &t);
	assert_int_equal(t.n, 3);
	check_tiles(&t, a);
	assert_int_equal(layout_close(&again, 3), 2);
	json_decref(json);
}

static const struct {
	const char *name, *json;
	size_t panes;
} hostile[] = {
	{ "null", "null", 0 },
	{ "a number", "5", 0 },
	{ "an empty split", "{\"split\":\"side\",\"children\":[]}", 0 },
	{ "children of a wrong type", "{\"split\":\"side\",\"children\":[1,null,\"x\"]}", 0 },
	{ "the same session twice",
		"{\"split\":\"side\",\"children\":[{\"session\":\"s0\"},{\"session\":\"s0\"}]}",
		1 },
	{ "weights of a wrong kind",
		"{\"split\":\"stack\",\"weights\":[-1,\"x\"],\"children\":[{\"session\":\"s0\"},{"
		"\"session\":\"s1\"}]}",
		2 },
	{ "a split of splits of nothing",
		"{\"split\":\"side\",\"children\":[{\"split\":\"stack\",\"children\":[{\"session\":"
		"\"x\"}]}]}",
		0 },
};

static void
test_hostile_json(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(hostile); i++) {
		json_t *json = json_loads(hostile[i].json, JSON_DECODE_ANY, NULL);
		struct layout l;
		struct layout_spots s;

		layout_from_json(&l, json, pane_of, NULL);
		if (layout_count(&l) != hostile[i].panes)
			fail_msg("%s: %zu panes", hostile[i].name, layout_count(&l));
		layout_place(&l, (struct area){ 0, 0, 24, 80 }, &s);
		assert_int_equal(s.n, hostile[i].panes);
		json_decref(json);
	}
}

static void
test_deep_json(void **state)
{
	json_t *json = json_pack("{s:s}", "session", "s0");
	struct layout l;

	(void)state;
	for (int i = 0; i < 1000; i++)
		json = json_pack(
			"{s:s, s:[o, {s:s}]}", "split", "side", "children", json, "session", "s1");
	layout_from_json(&l, json, pane_of, NULL);
	assert_true(layout_count(&l) <= 2);
	json_decref(json);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_split_in_halves),
		cmocka_unit_test(test_too_small),
		cmocka_unit_test(test_random_splits),
		cmocka_unit_test(test_json_round_trip),
		cmocka_unit_test(test_hostile_json),
		cmocka_unit_test(test_deep_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
