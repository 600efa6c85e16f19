/* tsm_core.c - libtsm. It does not say how many lines it keeps: as many as it was asked to. */
#include <libtsm.h>

#include "core.h"

struct tsm_core {
	struct tsm_screen *screen;
	struct tsm_vte *vte;
};

static void
forget_reply(struct tsm_vte *vte, const char *bytes, size_t len, void *arg)
{
	(void)vte;
	(void)bytes;
	(void)len;
	(void)arg;
}

static void *
tsm_core_open(int rows, int cols)
{
	struct tsm_core *t = calloc(1, sizeof *t);

	if (!t || tsm_screen_new(&t->screen, NULL, NULL) ||
		tsm_screen_resize(t->screen, (unsigned)cols, (unsigned)rows) ||
		tsm_vte_new(&t->vte, t->screen, forget_reply, NULL, NULL, NULL))
		abort();
	tsm_screen_set_max_sb(t->screen, CORE_LINES);
	return t;
}

static void
tsm_core_feed(void *core, const char *bytes, size_t len)
{
	struct tsm_core *t = core;

	tsm_vte_input(t->vte, bytes, len);
}

static size_t
tsm_core_lines(void *core)
{
	(void)core;
	return CORE_LINES;
}

static void
tsm_core_close(void *core)
{
	struct tsm_core *t = core;

	tsm_vte_unref(t->vte);
	tsm_screen_unref(t->screen);
	free(t);
}

int
main(int argc, char **argv)
{
	static const struct core c = { tsm_core_open, tsm_core_feed, tsm_core_lines, tsm_core_close };

	return core_main(&c, argc, argv);
}
