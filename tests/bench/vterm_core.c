/* vterm_core.c - libvterm's screen layer, with the ring of lines that a program has to keep itself. */
#include <vterm.h>

#include "core.h"

struct vterm_core {
	VTerm *vt;
	VTermScreenCell *lines[CORE_LINES];
	size_t pushed;
};

static int
push(int cols, const VTermScreenCell *cells, void *arg)
{
	struct vterm_core *v = arg;
	size_t bytes = (size_t)cols * sizeof *cells;
	VTermScreenCell **line = &v->lines[v->pushed++ % CORE_LINES];

	if (!*line)
		*line = malloc(bytes);
	if (*line)
		memcpy(*line, cells, bytes);
	return 1;
}

static const VTermScreenCallbacks callbacks = { .sb_pushline = push };

static void *
vterm_core_open(int rows, int cols)
{
	struct vterm_core *v = calloc(1, sizeof *v);
	VTermScreen *screen;

	if (!v)
		abort();
	v->vt = vterm_new(rows, cols);
	vterm_set_utf8(v->vt, 1);
	screen = vterm_obtain_screen(v->vt);
	vterm_screen_set_callbacks(screen, &callbacks, v);
	vterm_screen_set_damage_merge(screen, VTERM_DAMAGE_SCROLL);
	vterm_screen_enable_altscreen(screen, 1);
	vterm_screen_reset(screen, 1);
	return v;
}

static void
vterm_core_feed(void *core, const char *bytes, size_t len)
{
	struct vterm_core *v = core;

	vterm_input_write(v->vt, bytes, len);
	vterm_screen_flush_damage(vterm_obtain_screen(v->vt));
}

static size_t
vterm_core_lines(void *core)
{
	struct vterm_core *v = core;

	return v->pushed < CORE_LINES ? v->pushed : CORE_LINES;
}

static void
vterm_core_close(void *core)
{
	struct vterm_core *v = core;

	for (size_t i = 0; i < CORE_LINES; i++)
		free(v->lines[i]);
	vterm_free(v->vt);
	free(v);
}

int
main(int argc, char **argv)
{
	static const struct core c = {
		vterm_core_open, vterm_core_feed, vterm_core_lines, vterm_core_close
	};

	return core_main(&c, argc, argv);
}
