/* The memory back end: the screen as text, for tests and golden files. */
#include "draw/out.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/mem.h"

static struct out *
memory_new(const struct out_config *c, struct err *e)
{
	struct out *o = mem_new(struct out);

	(void)c;
	(void)e;
	o->ops = &out_memory;
	return o;
}

static void
memory_free(struct out *o)
{
	mem_free(o);
}

static void
memory_nothing(struct out *o, struct buf *to)
{
	(void)o;
	(void)to;
}

static void
memory_row(const struct surface *s, const struct cell *row, struct buf *to)
{
	char text[CLUSTER_BYTES];
	size_t end = s->size.cols;

	while (end > 0 && row[end - 1].ch == ' ')
		end--;
	buf_add_char(to, '|');
	for (size_t c = 0; c < end; c++)
		if (!(row[c].attr & ATTR_SPACER))
			buf_add(to, text, surface_cell_text(s, row + c, text));
	buf_add_char(to, '\n');
}

static void
memory_frame(struct out *o, const struct surface *s, struct buf *to)
{
	(void)o;
	for (unsigned r = 0; r < s->size.rows; r++)
		memory_row(s, surface_row(s, r), to);
	if (s->cursor.is_visible)
		buf_addf(to, "cursor %u %u\n", s->cursor.row, s->cursor.col);
}

static void
memory_redraw(struct out *o)
{
	(void)o;
}

const struct out_ops out_memory = {
	.name = "memory",
	.new = memory_new,
	.free = memory_free,
	.start = memory_nothing,
	.frame = memory_frame,
	.stop = memory_nothing,
	.redraw = memory_redraw,
};
