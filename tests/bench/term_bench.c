/* term_bench.c - speed of the terminal core alone: CPU MB/s for each file given, at two sizes, with
 * history on.
 *
 *     term_bench FILE ...       corpora made by shared/bench/gen-corpora.py */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "term/term.h"

enum { CHUNK = 64 << 10, ROUNDS = 3, MOST = 512 << 20 };

static double
cpu_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double
run(const char *bytes, size_t len, struct size size)
{
	double best = 1e9;

	for (int round = 0; round < ROUNDS; round++) {
		struct term *t = term_new(
			&(struct term_config){ size, TERM_HISTORY_BYTES, TERM_HISTORY_LINES });
		double start = cpu_seconds(), took;

		for (size_t at = 0; at < len; at += CHUNK)
			term_feed(t, bytes + at, len - at < CHUNK ? len - at : CHUNK);
		took = cpu_seconds() - start;
		best = took < best ? took : best;
		term_free(t);
	}
	return (double)len / 1e6 / best;
}

int
main(int argc, char **argv)
{
	static const struct size sizes[] = { { 24, 80 }, { 50, 200 } };

	printf("%-24s %12s %12s\n", "CPU MB/s", "80x24", "200x50");
	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");
		char *bytes = malloc(MOST);
		size_t len = f && bytes ? fread(bytes, 1, MOST, f) : 0;

		if (!len) {
			fprintf(stderr, "term_bench: cannot read %s\n", argv[i]);
			return 1;
		}
		fclose(f);
		printf("%-24s %12.0f %12.0f\n", argv[i], run(bytes, len, sizes[0]),
			run(bytes, len, sizes[1]));
		free(bytes);
	}
	return 0;
}
