/* core.h - what a terminal core is to the bench: each of *_core.c fills in one of these, and main.
 *
 *      X_core speed FILE ROWS COLS BYTES    CPU seconds for the first BYTES of FILE with history on,     bytes seconds
 *                                           fed in pieces of 64 KiB; the best of three
 *      X_core memory ROWS COLS              bytes that 10,000 full lines of history have added to the     bytes lines
 *                                           process, and how many of them are kept
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CORE_LINES = 10000, CORE_CHUNK = 64 << 10, CORE_ROUNDS = 3 };

struct core {
	void *(*open)(int rows, int cols); /* keeps at least CORE_LINES lines of history */
	void (*feed)(void *core, const char *bytes, size_t len);
	size_t (*lines)(void *core); /* of history */
	void (*close)(void *core);
};

static double
core_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static long
core_resident(void)
{
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (!f || fscanf(f, "%*d %ld", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages * sysconf(_SC_PAGESIZE);
}

static int
core_speed(const struct core *c, char **word)
{
	size_t most = strtoul(word[5], NULL, 10), len;
	char *bytes = malloc(most ? most : 1);
	FILE *f = fopen(word[2], "rb");
	double best = 1e9;

	if (!f || !bytes || !(len = fread(bytes, 1, most, f)))
		return 1;
	fclose(f);
	for (int round = 0; round < CORE_ROUNDS; round++) {
		void *core = c->open((int)strtol(word[3], NULL, 10), (int)strtol(word[4], NULL, 10));
		double start = core_seconds(), took;

		for (size_t at = 0; at < len; at += CORE_CHUNK)
			c->feed(core, bytes + at, len - at < CORE_CHUNK ? len - at : CORE_CHUNK);
		took = core_seconds() - start;
		best = took < best ? took : best;
		c->close(core);
	}
	free(bytes);
	printf("%zu %.6f\n", len, best);
	return 0;
}

/* Full lines, each another: the most that plain text costs. */
static int
core_memory(const struct core *c, char **word)
{
	int rows = (int)strtol(word[2], NULL, 10), cols = (int)strtol(word[3], NULL, 10);
	char line[1024];
	void *core;
	long before = core_resident();

	if (cols > (int)sizeof line - 3)
		return 1;
	core = c->open(rows, cols);
	for (int i = 0; i < CORE_LINES + rows; i++) {
		for (int k = 0; k < cols; k++)
			line[k] = (char)('a' + (i * 7 + k * (1 + i % 5)) % 26);
		memcpy(line + cols, "\r\n", 2);
		c->feed(core, line, (size_t)cols + 2);
	}
	printf("%ld %zu\n", core_resident() - before, c->lines(core));
	c->close(core);
	return 0;
}

static int
core_main(const struct core *c, int words, char **word)
{
	if (words == 6 && strcmp(word[1], "speed") == 0)
		return core_speed(c, word);
	if (words == 4 && strcmp(word[1], "memory") == 0)
		return core_memory(c, word);
	fprintf(stderr, "usage: %s speed FILE ROWS COLS BYTES | memory ROWS COLS\n", word[0]);
	return 2;
}
