#include "helper.h"

#include "sandesk/replay.h"

/* Whatever a recording holds, an outer terminal that is drawn on shows what the recording's terminal
 * shows, and gets nothing but text, SGR, cursor moves and erasing. */
static void
check_bytes(const struct buf *out, uint64_t seed)
{
	for (size_t i = 0; i < out->len; i++) {
		unsigned char c = (unsigned char)out->data[i];

		if (c >= ' ' && c != 127)
			continue;
		if (c != 033 || out->data[i + 1] != '[')
			fail_msg("seed %u: control character %u", (unsigned)seed, c);
		for (i += 2; strchr("0123456789;:?", out->data[i]); i++)
			;
		if (!strchr("mHJKhl", out->data[i]))
			fail_msg("seed %u: CSI %c", (unsigned)seed, out->data[i]);
	}
}

/* Without the empty rows at the end. */
static void
trim_rows(struct buf *text)
{
	while (text->len && text->data[text->len - 1] == '\n')
		text->data[--text->len] = 0;
}

static void
test_drawn(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 150; seed++) {
		uint64_t random = seed;
		struct size size = { 8, 30 };
		struct replay *r = replay_new(size);
		struct term *outer = term_make(size.rows, size.cols);

		term_feed(outer, "\033[?7l", 5);
		for (unsigned i = 0; i < 30; i++) {
			AUTO(buf) struct buf in = { 0 }, out = { 0 }, ours = { 0 }, theirs = { 0 };

			random_output(&random, 12, &in);
			replay_feed(r, in.data, in.len);
			if (random_below(&random, 3))
				continue;
			replay_draw(r, size, &out);
			check_bytes(&out, seed);
			term_feed(outer, out.data, out.len);
			replay_text(r, &ours);
			term_text(outer, &theirs, TERM_TEXT_SCREEN);
			trim_rows(&ours); /* blanks count as used when they have a colour */
			trim_rows(&theirs);
			if (ours.len != theirs.len ||
				(ours.len && memcmp(ours.data, theirs.data, ours.len) != 0))
				fail_msg("seed %u: \"%s\" is drawn as \"%s\"", (unsigned)seed,
					ours.data, theirs.data);
		}
		term_free(outer);
		replay_free(r);
	}
}

static void
test_small_outer_terminal(void **state)
{
	struct replay *r = replay_new((struct size){ 8, 30 });
	AUTO(buf) struct buf out = { 0 }, again = { 0 };

	(void)state;
	replay_feed(r, "abc\xe4\xb8\xad" "def\r\n2\r\n3\r\n4", 18);
	replay_draw(r, (struct size){ 2, 4 }, &out);
	assert_string_equal(out.data,
		"\033[m\033[2J\033[?25l\033[1;1H\033[m\033[2Kabc\033[2;1H\033[m\033[2K2");
	replay_draw(r, (struct size){ 2, 4 }, &again);
	assert_string_equal(again.data, "\033[?25l");
	replay_free(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drawn),
		cmocka_unit_test(test_small_outer_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
