#include "helper.h"

#include "sandesk/base/err.h"
#include "sandesk/mirror.h"
#include "term/frame.h"
#include "term/line.h"
#include "term/history.h"
#include "term/screen.h"

enum { ROUNDS = 300, STEPS = 60 };

struct client {
	struct frame_view view;
	struct mirror *mirror;
};

static void
client_init(struct client *c)
{
	frame_view_init(&c->view);
	c->mirror = mirror_new();
}

static void
client_fini(struct client *c)
{
	frame_view_fini(&c->view);
	mirror_free(c->mirror);
}

static size_t
client_update(struct client *c, struct term *t)
{
	AUTO(buf) struct buf body = { 0 };
	struct err e = { 0 };

	assert_int_equal(frame_encode(&c->view, t, &body), 0);
	if (mirror_apply(c->mirror, body.data, body.len, &e) < 0)
		fail_msg("%s", e.msg);
	assert_false(frame_pending(&c->view, t));
	return body.len;
}

static bool
same_cell(struct term *t, const struct cell *a, const struct mirror *m, const struct cell *b)
{
	char ours[64], theirs[64];
	size_t n = term_cluster(t, a->ch, ours, sizeof ours);
	struct cell_ext x = term_ext(t, a->ext), y = mirror_ext(m, b->ext);
	const char *link = term_link(t, x.link), *other = mirror_link(m, y.link);

	return n == mirror_cluster(m, b->ch, theirs, sizeof theirs) &&
	       memcmp(ours, theirs, n) == 0 && a->fg == b->fg && a->bg == b->bg &&
	       ((a->attr ^ b->attr) & (ATTR_STYLE | ATTR_WIDE | ATTR_SPACER)) == 0 &&
	       x.underline_colour == y.underline_colour &&
	       strcmp(link ? link : "", other ? other : "") == 0;
}

static void
check_row(struct term *t, const struct cell *cells, unsigned used, const struct mirror *m,
	unsigned row, uint64_t seed)
{
	static const struct cell blank;
	const struct cell *got = mirror_row(m, row);

	for (unsigned col = 0; col < term_size(t).cols; col++)
		if (!same_cell(t, col < used ? &cells[col] : &blank, m, &got[col]))
			fail_msg("seed %llu: row %u column %u differs: %#x %#x",
				(unsigned long long)seed, row, col, col < used ? cells[col].ch : 0,
				got[col].ch);
}

static void
check_mirror(struct term *t, const struct client *c, uint64_t seed)
{
	struct size size = term_size(t);
	uint64_t up = mirror_scroll(c->mirror);
	struct mirror_cursor cursor = mirror_cursor(c->mirror);
	unsigned row, col, rows_up = 0, from = up ? c->view.anchor_from : 0;
	struct row_walk walk;
	struct row_shown shown;

	assert_true(size_equal(size, mirror_size(c->mirror)));
	assert_string_equal(term_title(t), mirror_title(c->mirror));
	assert_int_equal(mirror_history_lines(c->mirror), term_history_lines(t));
	row_walk_init(&walk, t, t->history.next - up, UINT64_MAX);
	for (unsigned skipped = 0; skipped < from; skipped += shown.used)
		assert_true(row_walk_next(&walk, &shown));
	for (unsigned i = 0; i < size.rows; i++) {
		assert_true(row_walk_next(&walk, &shown));
		check_row(t, shown.cells, shown.used, c->mirror, i, seed);
		rows_up += shown.line < t->history.next;
	}
	row_walk_fini(&walk);
	up = rows_up;
	term_cursor(t, &row, &col);
	assert_int_equal(cursor.is_visible, term_modes(t)->cursor_visible && row + up < size.rows);
	if (row + up < size.rows) {
		assert_int_equal(cursor.row, row + up);
		assert_int_equal(cursor.col, col);
	}
	assert_int_equal(!!(mirror_modes(c->mirror) & MIRROR_ALTERNATE), term_modes(t)->alternate);
}

static void
random_step(struct term *t, struct client clients[2], uint64_t *seed, uint64_t round)
{
	AUTO(buf) struct buf out = { 0 };
	struct client *c = &clients[random_below(seed, 2)];

	random_output(seed, 1 + random_below(seed, 40), &out);
	term_feed(t, out.data, out.len);
	if (random_below(seed, 12) == 0)
		term_resize(t, (struct size){ (uint16_t)(1 + random_below(seed, 30)),
				       (uint16_t)(2 + random_below(seed, 90)) });
	if (random_below(seed, 6) == 0)
		frame_view_scroll(&c->view, t, (int)random_below(seed, 60) - 30);
	if (random_below(seed, 40) == 0)
		frame_view_reset(&c->view);
	if (random_below(seed, 3) == 0) {
		client_update(c, t);
		check_mirror(t, c, round);
	}
}

/* Whatever happens between two frames, the client has what is true. */
static void
test_mirror_equals_screen(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < ROUNDS; round++) {
		uint64_t seed = round;
		struct term *t =
			term_make(1 + random_below(&seed, 30), 2 + random_below(&seed, 90));
		struct client clients[2];

		client_init(&clients[0]);
		client_init(&clients[1]);
		for (unsigned step = 0; step < STEPS; step++)
			random_step(t, clients, &seed, round);
		client_fini(&clients[0]);
		client_fini(&clients[1]);
		term_free(t);
	}
}

static void
feed(struct term *t, const char *text)
{
	term_feed(t, text, strlen(text));
}

static void
fill(struct term *t, unsigned lines)
{
	char text[96];

	for (unsigned i = 0; i < lines; i++) {
		snprintf(text, sizeof text,
			"\r\nline %u: some text of a usual length, in one style", i);
		feed(t, text);
	}
}

static void
test_scroll_is_small(void **state)
{
	struct term *t = term_make(24, 80);
	struct client c;
	size_t full, one, none;

	(void)state;
	client_init(&c);
	fill(t, 40);
	full = client_update(&c, t);
	fill(t, 1);
	one = client_update(&c, t);
	none = client_update(&c, t);
	assert_true(full > 24 * 50);
	assert_true(one < 120);
	assert_true(none < 32);
	check_mirror(t, &c, 0);
	client_fini(&c);
	term_free(t);
}

static void
test_anchor_stays(void **state)
{
	struct term *t = term_make(10, 60);
	struct client c;
	char text[64] = { 0 };
	uint64_t up;

	(void)state;
	client_init(&c);
	fill(t, 100);
	frame_view_scroll(&c.view, t, 20);
	client_update(&c, t);
	up = mirror_scroll(c.mirror);
	assert_int_equal(up, 20);
	for (unsigned i = 0; i < 6; i++)
		mirror_cluster(c.mirror, mirror_row(c.mirror, 0)[i].ch, text + i, 1);
	assert_string_equal(text, "line 7");
	fill(t, 50);
	client_update(&c, t);
	assert_int_equal(mirror_scroll(c.mirror), 70);
	check_mirror(t, &c, 0);
	frame_view_scroll(&c.view, t, 0);
	client_update(&c, t);
	assert_int_equal(mirror_scroll(c.mirror), 0);
	frame_view_scroll(&c.view, t, 100000);
	client_update(&c, t);
	assert_int_equal(mirror_scroll(c.mirror), term_history_lines(t));
	frame_view_scroll(&c.view, t, -100000);
	client_update(&c, t);
	assert_int_equal(mirror_scroll(c.mirror), 0);
	client_fini(&c);
	term_free(t);
}

/* After a split has made the view narrower, the lines of history are all still to be read. */
static void
test_long_lines_are_wrapped(void **state)
{
	struct term *t = term_make(4, 60);
	struct client c;

	(void)state;
	client_init(&c);
	for (unsigned i = 0; i < 20; i++)
		feed(t, "\r\n0123456789abcdefghijklmnopqrstuvwxyz");
	term_resize(t, (struct size){ 4, 10 });
	frame_view_scroll(&c.view, t, 12);
	client_update(&c, t);
	check_mirror(t, &c, 0);
	for (unsigned row = 0; row < 4; row++)
		assert_int_equal(mirror_row(c.mirror, row)[0].ch, "0aku"[row]);
	frame_view_scroll(&c.view, t, -1);
	client_update(&c, t);
	assert_int_equal(mirror_row(c.mirror, 0)[0].ch, 'a');
	frame_view_scroll(&c.view, t, 1);
	client_update(&c, t);
	assert_int_equal(mirror_row(c.mirror, 0)[0].ch, '0');
	client_fini(&c);
	term_free(t);
}

static void
test_dirty_rows(void **state)
{
	struct term *t = term_make(5, 20);
	struct client c;

	(void)state;
	client_init(&c);
	client_update(&c, t);
	mirror_clean(c.mirror);
	feed(t, "\033[3;1Habc");
	client_update(&c, t);
	for (unsigned row = 0; row < 5; row++)
		assert_int_equal(mirror_row_is_dirty(c.mirror, row), row == 2);
	client_fini(&c);
	term_free(t);
}

static void
test_no_room(void **state)
{
	struct term *t = term_make(24, 80);
	AUTO(buf) struct buf body = { .limit = 200 };
	struct frame_view v;

	(void)state;
	frame_view_init(&v);
	fill(t, 40);
	buf_add_str(&body, "kept");
	assert_int_equal(frame_encode(&v, t, &body), -ENOBUFS);
	assert_int_equal(body.len, 4);
	assert_true(frame_pending(&v, t));
	frame_view_fini(&v);
	term_free(t);
}

/* Damaged bodies are refused as a whole, or are another valid screen; they never break the mirror.
 */
static void
test_damaged_bodies(void **state)
{
	uint64_t seed = 7;
	AUTO(buf) struct buf out = { 0 };
	struct term *t = term_make(12, 40);
	struct client c;
	unsigned refused = 0;

	(void)state;
	client_init(&c);
	for (unsigned i = 0; i < 3000; i++) {
		AUTO(buf) struct buf body = { 0 };
		char text[64];

		buf_reset(&out);
		random_output(&seed, 20, &out);
		term_feed(t, out.data, out.len);
		if (i % 10 == 0)
			frame_view_reset(&c.view);
		assert_int_equal(frame_encode(&c.view, t, &body), 0);
		if (random_below(&seed, 3) == 0)
			body.len = random_below(&seed, (unsigned)body.len);
		else
			body.data[random_below(&seed, (unsigned)body.len)] =
				(char)random_next(&seed);
		refused += mirror_apply(c.mirror, body.data, body.len, NULL) < 0;
		for (unsigned row = 0; row < mirror_size(c.mirror).rows; row++)
			for (unsigned col = 0; col < mirror_size(c.mirror).cols; col++)
				mirror_cluster(c.mirror, mirror_row(c.mirror, row)[col].ch, text,
					sizeof text);
	}
	assert_true(refused > 300);
	client_fini(&c);
	term_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mirror_equals_screen),
		cmocka_unit_test(test_scroll_is_small),
		cmocka_unit_test(test_anchor_stays),
		cmocka_unit_test(test_long_lines_are_wrapped),
		cmocka_unit_test(test_dirty_rows),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_damaged_bodies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
