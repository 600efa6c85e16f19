/* search_fuzz.c - a text to look for, behind its length, then what a program printed, with resizes in
 * between. Hits must stand in the terminal, be what was looked for, and be the same both ways. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "term/search.h"
#include "term/term.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HITS = 512, RESIZE = 0xfe };

static void
check_hits(struct term *t, const struct search_hit *hits, int n)
{
	uint64_t last = term_next_line(t) + term_size(t).rows;

	for (int i = 0; i < n; i++) {
		const struct search_hit *h = &hits[i];

		if (h->at.line < term_first_line(t) || h->end.line >= last ||
			h->at.line > h->end.line || !h->cells)
			abort();
		if (h->at.line == h->end.line && h->at.col + h->cells != h->end.col)
			abort();
		if (i && (h->at.line < h[-1].end.line || (h->at.line == h[-1].end.line &&
								  h->at.col + 1 < h[-1].end.col)))
			abort();
	}
}

static bool
same_hit(const struct search_hit *a, const struct search_hit *b)
{
	return a->at.line == b->at.line && a->at.col == b->at.col && a->end.line == b->end.line &&
	       a->end.col == b->end.col && a->cells == b->cells;
}

/* Forwards in one go, and backwards in portions. */
static void
search_both(struct term *t, const char *text, size_t len, bool any_case)
{
	static struct search_hit forwards[HITS], back[HITS];
	struct search s = { .text = text, .len = len, .any_case = any_case };
	struct search_hit one[3];
	int n = term_search(t, &s, forwards, HITS), count = 0;

	if (n < 0)
		abort();
	check_hits(t, forwards, n);
	if (!s.is_done)
		return;
	s.is_backwards = true;
	s.is_done = false;
	s.from = search_end(t);
	s.most_lines = 3;
	while (!s.is_done) {
		int got = term_search(t, &s, one, 3);

		if (got < 0 || count + got > n)
			abort();
		memcpy(back + count, one, (size_t)got * sizeof one[0]);
		count += got;
	}
	if (count != n)
		abort();
	for (int i = 0; i < n; i++)
		if (!same_hit(&back[i], &forwards[n - 1 - i]))
			abort();
}

static void
feed(struct term *t, const uint8_t *data, size_t size)
{
	while (size) {
		const uint8_t *next = memchr(data, RESIZE, size);
		size_t n = next ? (size_t)(next - data) : size;

		term_feed(t, data, n);
		data += n;
		size -= n;
		if (size < 3)
			return;
		term_resize(t, (struct size){ data[1] % 16 + 1, data[2] % 40 + 2 });
		data += 3;
		size -= 3;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct term *t = term_new(&(struct term_config){
		.size = { 4, 12 }, .history_bytes = 256 << 10, .history_lines = 300 });
	size_t len = size ? data[0] % 8 + 1u : 0;

	if (size > len + 1) {
		feed(t, data + 1 + len, size - 1 - len);
		search_both(t, (const char *)data + 1, len, false);
		search_both(t, (const char *)data + 1, len, true);
	}
	term_free(t);
	return 0;
}
