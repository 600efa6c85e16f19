/* report.c - what a program may ask about the terminal. A VT420 with colour, selective erase,
 * rectangles, columns and a clipboard; no printer, locator, macros or user-defined keys. */
#include "term/screen.h"
#include "term/sequences.h"

void
report_attributes(struct term *t, const struct parser *p)
{
	if (param(p, 0, 0) == 0)
		term_reply(t, "\033[?64;6;21;22;28;52c");
}

/* As xterm of a version from which programs expect SGR mouse and modifyOtherKeys. */
void
report_attributes2(struct term *t, const struct parser *p)
{
	if (param(p, 0, 0) == 0)
		term_reply(t, "\033[>41;354;0c");
}

void
report_attributes3(struct term *t, const struct parser *p)
{
	if (param(p, 0, 0) == 0)
		term_reply(t, "\033P!|00000000\033\\");
}

void
report_version(struct term *t, const struct parser *p)
{
	if (param(p, 0, 0) == 0)
		term_reply(t, "\033P>|sandesk(%s)\033\\", SANDESK_VERSION);
}

void
report_parameters(struct term *t, const struct parser *p)
{
	if (param(p, 0, 0) <= 1)
		term_reply(t, "\033[%u;1;1;128;128;1;0x", param(p, 0, 0) + 2);
}

static unsigned
cursor_row(const struct term *t)
{
	bool is_below = t->modes.origin && t->row >= t->region_top;

	return t->row - (is_below ? t->region_top : 0) + 1;
}

static unsigned
cursor_col(const struct term *t)
{
	return t->col - (t->modes.origin && t->col >= t->left ? t->left : 0) + 1;
}

void
report_status(struct term *t, const struct parser *p)
{
	if (param(p, 0, 0) == 5)
		term_reply(t, "\033[0n");
	else if (param(p, 0, 0) == 6)
		term_reply(t, "\033[%u;%uR", cursor_row(t), cursor_col(t));
}

static const struct {
	uint16_t ask;
	const char *answer;
} statuses[] = {
	{ 15, "\033[?13n" },	   /* no printer */
	{ 25, "\033[?20n" },	   /* user-defined keys are not locked */
	{ 26, "\033[?27;1;0;0n" }, /* the keyboard is ready */
	{ 53, "\033[?50n" },	   /* no locator */
	{ 55, "\033[?50n" }, { 56, "\033[?57;0n" }, { 62, "\033[0*{" }, /* no room for macros */
	{ 75, "\033[?70n" },						/* no error on the line */
	{ 85, "\033[?83n" }, /* no other session on the line */
};

void
report_status_private(struct term *t, const struct parser *p)
{
	unsigned what = param(p, 0, 0);

	for (size_t i = 0; i < ARRAY_LEN(statuses); i++)
		if (statuses[i].ask == what)
			term_reply(t, "%s", statuses[i].answer);
	if (what == 6)
		term_reply(t, "\033[?%u;%u;1R", cursor_row(t), cursor_col(t));
	else if (what == 63)
		term_reply(t, "\033P%u!~0000\033\\", param(p, 1, 0));
	else if (what == 996)
		term_reply(t, "\033[?997;%un", t->is_dark ? 1 : 2);
}

void
report_size(struct term *t)
{
	if (t->modes.resize_reports)
		term_reply(t, "\033[48;%u;%u;%u;%ut", t->size.rows, t->size.cols,
			(unsigned)t->size.rows * t->cell_height,
			(unsigned)t->size.cols * t->cell_width);
}

/* Nothing inside may move the outer window. Titles are not told: they could be made to type
 * something; the answer is an empty one, so that nobody waits. */
void
report_window(struct term *t, const struct parser *p)
{
	unsigned rows = t->size.rows, cols = t->size.cols, what = param(p, 0, 0);
	bool is_title = param(p, 1, 0) == 0 || param(p, 1, 0) == 2;

	if (what == 11)
		term_reply(t, "\033[1t");
	else if (what == 13)
		term_reply(t, "\033[3;0;0t");
	else if (what == 14 || what == 15)
		term_reply(t, "\033[%u;%u;%ut", what - 10, rows * t->cell_height,
			cols * t->cell_width);
	else if (what == 16)
		term_reply(t, "\033[6;%u;%ut", t->cell_height, t->cell_width);
	else if (what == 18 || what == 19)
		term_reply(t, "\033[%u;%u;%ut", what - 10, rows, cols);
	else if (what == 20 || what == 21)
		term_reply(t, "\033]%c\033\\", what == 20 ? 'L' : 'l');
	else if (what == 22 && is_title)
		title_push(t);
	else if (what == 23 && is_title)
		title_pop(t);
}

/* -- DECRQPSR: the cursor and the tab stops, as VT320 and on tell them -- */

static void
report_cursor(struct term *t)
{
	static const char sets[] = { 'B', '0', 'A', 'A' };
	uint16_t attr = t->pen.cell.attr;
	unsigned style = (attr & ATTR_BOLD ? 1u : 0) + (attr & ATTR_UNDERLINE ? 2u : 0) +
			 (attr & ATTR_BLINK ? 4u : 0) + (attr & ATTR_REVERSE ? 8u : 0);
	unsigned flags = (t->modes.origin ? 1u : 0) + (t->charsets.single == 2 ? 2u : 0) +
			 (t->charsets.single == 3 ? 4u : 0) + (t->wrap_pending ? 8u : 0);
	unsigned sizes = 0;
	char names[5] = { 0 };

	for (unsigned i = 0; i < 4; i++) {
		names[i] = sets[t->charsets.g[i]];
		sizes |= t->charsets.g[i] == CHARSET_LATIN1 ? 1u << i : 0;
	}
	term_reply(t, "\033P1$u%u;%u;1;%c;%c;%c;%u;2;%c;%s\033\\", cursor_row(t), cursor_col(t),
		(int)(0x40 + style), attr & ATTR_PROTECTED ? 'A' : '@', (int)(0x40 + flags),
		t->charsets.gl, (int)(0x40 + sizes), names);
}

/* As long as the screen is wide: more than term_reply() takes. */
static void
report_tabs(struct term *t)
{
	AUTO(buf) struct buf text = { .limit = 6 * SIZE_MAX_COLS };
	const char *before = "\033P2$u";

	for (unsigned i = 0; i < t->size.cols; i++)
		if (t->tabs[i]) {
			buf_addf(&text, "%s%u", before, i + 1);
			before = "/";
		}
	buf_addf(&text, "%s\033\\", text.len ? "" : before);
	buf_add(&t->replies, text.data, text.len);
}

void
report_presentation(struct term *t, const struct parser *p)
{
	if (param(p, 0, 0) == 1)
		report_cursor(t);
	else if (param(p, 0, 0) == 2)
		report_tabs(t);
}
