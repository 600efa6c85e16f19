/* Output made to harm: what broke other terminals, and what costs without end. Time is bounded by
 * what a slow machine under sanitizers needs; work that grows with the square would be far beyond. */
#include "helper.h"

#include <time.h>

#include "term/screen.h"

enum { MB = 1 << 20 };

static double
cpu_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* One write of `bytes` bytes: a head, a piece again and again, a tail. */
static const struct {
	const char *name;
	unsigned rows, cols;
	const char *head, *piece, *tail;
	size_t bytes;
	size_t most_memory; /* of what strings and tables keep */
} floods[] = {
	{ "64 MB of text", 24, 80, "", "the quick brown fox\r\n", "", 64 * MB, MB },
	{ "64 MB without a line end", 24, 80, "", "x", "", 64 * MB, MB },
	{ "10 million parameters", 24, 80, "\033[", "1;2:3;", "m", 40 * MB, MB },
	{ "10 million parameters of a DCS", 24, 80, "\033P", "1;2;", "q", 40 * MB, MB },
	{ "a number without end", 24, 80, "\033[", "9", "C", 16 * MB, MB },
	{ "intermediates without end", 24, 80, "\033[", "!", "p", 16 * MB, MB },
	{ "OSC without end", 24, 80, "\033]0;", "title", "", 32 * MB, MB },
	{ "link without end", 24, 80, "\033]8;;http://", "a", "\033\\x", 32 * MB, MB },
	{ "clipboard without end", 24, 80, "\033]52;c;", "QUFB", "\a", 32 * MB, 4 * MB },
	{ "sixel without end", 24, 80, "\033Pq", "#0~~@@vv@@~~$-", "", 32 * MB, MB },
	{ "graphics without end", 24, 80, "\033_Gf=32,a=T;", "AAAA", "", 32 * MB, MB },
	{ "marks on one cell", 24, 80, "e", "\xcc\x81\xcc\x82", "x", 64 * MB, MB },
	{ "joiners on one cell", 24, 80, "\xf0\x9f\x91\xa8", "\xe2\x80\x8d", "x", 48 * MB, MB },
	{ "one family without end", 24, 80, "\xf0\x9f\x91\xa8", "\xe2\x80\x8d\xf0\x9f\x91\xa9", "x",
		32 * MB, MB },
	{ "conjunct without end", 24, 80, "\xe0\xa4\x95", "\xe0\xa5\x8d\xe0\xa4\x95", "x", 32 * MB,
		MB },
	{ "initials without end", 24, 80, "", "\xe1\x84\x80", "x", 32 * MB, MB },
	{ "repeat, the most there is", 24, 80, "x", "\033[65535b", "", 64 << 10, MB },
	{ "events", 24, 80, "", "\a\033]9;x\a\033]2;y\a", "", 8 * MB, MB },
	{ "titles pushed", 24, 80, "\033]2;t\a", "\033[22t", "", 8 * MB, MB },
	{ "questions", 24, 80, "", "\033[c\033[>q\033]4;1;?\a\033P+q544e\033\\", "", 8 * MB, MB },
	{ "fill and copy", 50, 200, "\033[65$x", "\033[1;1;49;199;1;2;2;1$v", "", 64 << 10, MB },
	{ "checksums", 50, 200, "\033[65$x", "\033[1;1;1;1;50;200*y", "", 64 << 10, MB },
	{ "columns", 50, 200, "\033[65$x", "\033[ @\033[ A\033['}\033['~", "", 32 << 10, MB },
	{ "regions", 24, 80, "", "\033[2;23r\033[99S\033[99T\033[r", "", 4 * MB, MB },
	{ "screens", 24, 80, "", "\033[?1049hx\033[?1049l", "", 4 * MB, MB },
	{ "resets", 24, 80, "", "x\033c", "", 1 * MB, MB },
	{ "narrowest", 1, 2, "", "\xe4\xb8\xad\tx\033[99@\033[99P\0337\0338\xf0\x9f\x91\xa8", "",
		8 * MB, MB },
	{ "greatest", 2000, 5000, "", "\033[999;4999Hx\033[S\033[2;1999r\033M\033[r", "", 64 << 10,
		4 * MB },
};

static size_t
memory_kept(const struct term *t)
{
	size_t links = 0;

	for (uint32_t i = 0; i < t->table.link_count; i++)
		links += t->table.links[i].uri ? strlen(t->table.links[i].uri) : 0;
	return t->parser.string.room + t->clipboard.room + t->replies.room + links +
	       t->table.room * sizeof t->table.clusters[0];
}

static void
test_floods(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof floods / sizeof floods[0]; i++) {
		struct term *t = term_make(floods[i].rows, floods[i].cols);
		AUTO(buf) struct buf in = { .limit = 128 * MB };
		size_t piece = strlen(floods[i].piece);
		double start;

		buf_reserve(&in, floods[i].bytes + 64);
		buf_add_str(&in, floods[i].head);
		while (in.len + piece < floods[i].bytes)
			buf_add(&in, floods[i].piece, piece);
		buf_add_str(&in, floods[i].tail);
		start = cpu_seconds();
		term_feed(t, in.data, in.len);
		if (cpu_seconds() - start > 30)
			fail_msg("%s: took %.1f s", floods[i].name, cpu_seconds() - start);
		if (memory_kept(t) > floods[i].most_memory)
			fail_msg("%s: keeps %zu bytes", floods[i].name, memory_kept(t));
		if (term_fault(t))
			fail_msg("%s: %s", floods[i].name, term_fault(t));
		term_free(t);
	}
}

/* The same gigabyte again and again: nothing may grow. */
static void
test_gigabyte_of_marks(void **state)
{
	struct term *t = term_make(24, 80);
	AUTO(buf) struct buf in = { 0 };
	double start = cpu_seconds();
	unsigned used;

	(void)state;
	while (in.len < 4 * MB)
		buf_add_str(&in, "\xcc\x81\xcc\x82");
	term_feed(t, "e", 1);
	for (size_t sent = 0; sent < (size_t)1024 * MB; sent += in.len) {
		term_feed(t, in.data, in.len);
		/* under sanitizers it is slow: a part of it then says the same */
		if (cpu_seconds() - start > 5)
			break;
	}
	term_row(t, 0, &used);
	assert_int_equal(used, 1);
	assert_true(t->table.count <= CLUSTER_POINTS);
	term_free(t);
}

/* research/multiplexers.md, 3.3. */
static const char *const crashes[] = {
	"\033[38:2:59:66:97;48:2:36:40:59;58:2:224:175:104;4:3m",
	"\033[1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:21:22:23:24:25:26:27:28:29:30:31:"
	"32:33m",
	"\033]8;;http://a\033b\033]8;;\033\\",
	"\033]8;;\033\033\033\\",
	"\033]8;id=",
	"\xe4\xb8\xad\033[1000@\033[1000P",
	"\033[?69h\033[2;2s\xe4\xb8\xad\xe4\xb8\xad",
	"\033[99I\033[99Z\033[3g\t\033[Z",
	"\033[65535;65535H\033[65535L\033[65535M\033[65535@\033[65535P\033[65535X",
	"\033[65535S\033[65535T\033[65535 @\033[65535 A\033[65535'}\033[65535'~",
	"\033[65;0;0;65535;65535$x\033[0;0;65535;65535;1;65535;65535$v",
};

static void
test_crashes(void **state)
{
	static const struct size sizes[] = { { 1, 2 }, { 1, 3 }, { 2, 2 }, { 24, 80 },
		{ 3, 1000 } };

	(void)state;
	for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
		for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
			struct term *t = term_make(sizes[k].rows, sizes[k].cols);

			term_feed(t, crashes[i], strlen(crashes[i]));
			for (unsigned n = 1; n < 40; n += 7) {
				term_resize(t, (struct size){ (uint16_t)(41 - n), (uint16_t)n });
				term_feed(t, crashes[i], strlen(crashes[i]));
				if (term_fault(t))
					fail_msg("%zu: %s", i, term_fault(t));
			}
			term_free(t);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_floods),
		cmocka_unit_test(test_gigabyte_of_marks),
		cmocka_unit_test(test_crashes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
