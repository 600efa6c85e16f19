#include "helper.h"

#include "term/history.h"

enum { CELLS = 300 };

static unsigned
random_line(uint64_t *seed, struct cell *cells, bool is_plain)
{
	unsigned n = random_below(seed, CELLS - 2), i = 0;
	struct cell style = { 0 };

	while (i < n) {
		if (!is_plain && random_below(seed, 8) == 0)
			style = (struct cell){ 0,
				random_below(seed, 3)
					? colour(COLOUR_RGB, random_next(seed) & 0xffffff)
					: 0,
				colour(COLOUR_INDEX, random_below(seed, 256)),
				(uint16_t)random_below(seed, ATTR_STYLE),
				(uint16_t)random_below(seed, 3) };
		cells[i] = style;
		if (is_plain || random_below(seed, 2))
			cells[i++].ch = random_below(seed, 0x7f);
		else if (random_below(seed, 2))
			cells[i++].ch = random_below(seed, 2)
						? 0xe9
						: CELL_CLUSTER | random_below(seed, 1 << 15);
		else {
			cells[i].ch = 0x4e2d;
			cells[i++].attr |= ATTR_WIDE;
			cells[i] = style;
			cells[i++].attr |= ATTR_SPACER;
		}
	}
	return i;
}

/* What went in comes out, cell by cell, for any mixture of styles and widths. */
static void
test_round_trip(void **state)
{
	struct history h = { .max_bytes = 4 << 20, .max_lines = 100000 };
	struct cell in[CELLS], out[CELLS];
	uint64_t write = 5, read = 5;

	(void)state;
	for (unsigned i = 0; i < 2000; i++) {
		bool is_plain = i % 3 == 0;

		history_push(&h, in, random_line(&write, in, is_plain), i % 5 == 0, is_plain);
	}
	for (unsigned i = 0; i < 2000; i++) {
		unsigned n = random_line(&read, in, i % 3 == 0);
		bool is_wrapped;

		assert_int_equal(history_read(&h, i, out, CELLS, &is_wrapped), n);
		assert_int_equal(is_wrapped, i % 5 == 0);
		if (memcmp(in, out, n * sizeof in[0]) != 0)
			fail_msg("line %u differs", i);
	}
	history_fini(&h);
}

static void
test_read_in_any_order(void **state)
{
	struct history h = { .max_bytes = 1 << 20, .max_lines = 100000 };
	struct cell cell = { 0 };
	uint64_t seed = 1;
	bool is_wrapped;

	(void)state;
	for (unsigned i = 0; i < 5000; i++) {
		cell.ch = 0x100 + i;
		history_push(&h, &cell, 1, false, false);
	}
	for (unsigned i = 0; i < 5000; i++) {
		unsigned id = random_below(&seed, 5000);

		assert_int_equal(history_read(&h, id, &cell, 1, &is_wrapped), 1);
		assert_int_equal(cell.ch, 0x100 + id);
	}
	assert_int_equal(history_read(&h, 5000, &cell, 1, &is_wrapped), -1);
	history_fini(&h);
}

static void
test_caps(void **state)
{
	struct history h = { .max_bytes = 256 << 10, .max_lines = 1 << 30 };
	struct cell cells[80];
	bool is_wrapped;

	(void)state;
	memset(cells, 0, sizeof cells);
	for (unsigned i = 0; i < 100000; i++) {
		cells[0].ch = 'a' + i % 26;
		history_push(&h, cells, 80, false, true);
		assert_true(h.bytes <= h.max_bytes);
	}
	assert_int_equal(h.next, 100000);
	assert_true(h.next - h.first > 2000);
	assert_int_equal(history_read(&h, h.first, cells, 80, &is_wrapped), 80);
	assert_int_equal(cells[0].ch, 'a' + h.first % 26);
	assert_int_equal(history_read(&h, h.first - 1, cells, 80, &is_wrapped), -1);
	h.max_lines = 10;
	for (unsigned i = 0; i < 5000; i++)
		history_push(&h, cells, 80, false, true);
	history_clear(&h);
	for (unsigned i = 0; i < 5000; i++)
		history_push(&h, cells, 80, false, true);
	assert_int_equal(h.next - h.first, 10);
	history_fini(&h);
}

static void
test_pop(void **state)
{
	struct history h = { .max_bytes = 1 << 20, .max_lines = 100000 };
	struct cell cell = { 0 };
	bool is_wrapped;

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		cell.ch = 0x100 + i;
		history_push(&h, &cell, 1, false, false);
	}
	while (h.next > 100) {
		assert_int_equal(history_read(&h, h.next - 1, &cell, 1, &is_wrapped), 1);
		assert_int_equal(cell.ch, 0x100 + h.next - 1);
		history_pop(&h);
	}
	cell.ch = 7;
	history_push(&h, &cell, 1, true, false);
	assert_int_equal(history_read(&h, 100, &cell, 1, &is_wrapped), 1);
	assert_int_equal(cell.ch, 7);
	assert_int_equal(history_read(&h, 99, &cell, 1, &is_wrapped), 1);
	assert_int_equal(cell.ch, 0x100 + 99);
	while (h.next > h.first)
		history_pop(&h);
	history_pop(&h);
	assert_int_equal(h.bytes, 0);
	history_fini(&h);
}

static void
test_none(void **state)
{
	struct history h = { 0 };
	struct cell cell = { .ch = 'a' };

	(void)state;
	history_push(&h, &cell, 1, false, true);
	assert_int_equal(h.next, 0);
	history_fini(&h);
}

/* 10,000 plain lines of 80 and of 200 columns. */
static void
test_memory(void **state)
{
	static const struct {
		unsigned cols;
		size_t most;
	} sizes[] = { { 80, 2 << 20 }, { 200, 4 << 20 } };

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		struct history h = { .max_bytes = 64 << 20, .max_lines = 100000 };
		struct cell cells[200];

		memset(cells, 0, sizeof cells);
		for (unsigned line = 0; line < 10000; line++)
			history_push(&h, cells, sizes[i].cols, false, true);
		assert_true(h.bytes < sizes[i].most);
		history_fini(&h);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_read_in_any_order),
		cmocka_unit_test(test_caps),
		cmocka_unit_test(test_pop),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
