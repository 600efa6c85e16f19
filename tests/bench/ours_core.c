/* ours_core.c - core/term. */
#include "core.h"
#include "term/term.h"

static void *
ours_open(int rows, int cols)
{
	return term_new(&(struct term_config){ .size = { (uint16_t)rows, (uint16_t)cols },
		.history_bytes = TERM_HISTORY_BYTES,
		.history_lines = TERM_HISTORY_LINES });
}

static void
ours_feed(void *core, const char *bytes, size_t len)
{
	term_feed(core, bytes, len);
}

static size_t
ours_lines(void *core)
{
	return (size_t)(term_next_line(core) - term_first_line(core));
}

static void
ours_close(void *core)
{
	term_free(core);
}

int
main(int argc, char **argv)
{
	static const struct core c = { ours_open, ours_feed, ours_lines, ours_close };

	return core_main(&c, argc, argv);
}
