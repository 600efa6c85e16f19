/* csi.c - control characters, ESC and CSI sequences, by table. */
#include "term/screen.h"
#include "term/sequences.h"

static unsigned
limit_top(const struct term *t)
{
	return t->row >= t->region_top ? t->region_top : 0;
}

static unsigned
limit_bottom(const struct term *t)
{
	return t->row <= t->region_bottom ? t->region_bottom : t->size.rows - 1u;
}

static unsigned
limit_left(const struct term *t)
{
	return t->col >= t->left ? t->left : 0;
}

static unsigned
limit_right(const struct term *t)
{
	return t->col <= t->right ? t->right : t->size.cols - 1u;
}

static void
cursor_up(struct term *t, unsigned n)
{
	unsigned top = limit_top(t);

	cursor_goto(t, t->row - top > n ? t->row - n : top, t->col);
}

static void
cursor_down(struct term *t, unsigned n)
{
	unsigned bottom = limit_bottom(t);

	cursor_goto(t, bottom - t->row > n ? t->row + n : bottom, t->col);
}

/* One line back, to the right margin; from the region's first line to its last (xterm's X10R4 form of
 * ?45, as esctest wants it; xterm 383 keeps that for ?1045, which is the same here). */
static void
cursor_wrap_back(struct term *t)
{
	unsigned row = t->row == limit_top(t) ? limit_bottom(t) : t->row - 1;

	cursor_goto(t, row, t->right);
}

static void
cursor_left(struct term *t, unsigned n)
{
	bool is_wrapping = t->modes.reverse_wrap && t->modes.autowrap;

	if (is_wrapping && t->wrap_pending) {
		t->wrap_pending = false; /* it stood behind the last column: that was one */
		n--;
	}
	while (n > t->col - limit_left(t) && is_wrapping) {
		n -= t->col - limit_left(t) + 1;
		cursor_wrap_back(t);
		/* once around is nowhere */
		n %= (t->right - t->left + 1) * (limit_bottom(t) - limit_top(t) + 1);
	}
	cursor_goto(t, t->row, t->col - limit_left(t) > n ? t->col - n : limit_left(t));
}

static void
cursor_right(struct term *t, unsigned n)
{
	unsigned right = limit_right(t);

	cursor_goto(t, t->row, right - t->col > n ? t->col + n : right);
}

static void
cursor_carriage(struct term *t)
{
	cursor_goto(t, t->row, t->modes.origin ? t->left : limit_left(t));
}

/* Row and column as a program means them: from the region's corner in origin mode. */
static void
cursor_address(struct term *t, unsigned row, unsigned col)
{
	if (t->modes.origin) {
		row += t->region_top;
		col += t->left;
		row = row < t->region_bottom ? row : t->region_bottom;
		col = col < t->right ? col : t->right;
	}
	cursor_goto(t, row, col);
}

static unsigned
origin_row(const struct term *t)
{
	return t->modes.origin ? t->row - (t->row > t->region_top ? t->region_top : t->row)
			       : t->row;
}

static unsigned
origin_col(const struct term *t)
{
	return t->modes.origin ? t->col - (t->col > t->left ? t->left : t->col) : t->col;
}

/* -- control characters -- */

static void
tab_forward(struct term *t, unsigned n)
{
	unsigned right = limit_right(t), col = t->col;

	while (n-- && col < right) {
		do
			col++;
		while (col < right && !t->tabs[col]);
	}
	t->can_join = false;
	if (col != t->col)
		cursor_goto(t, t->row, col);
}

/* Forward a tab stops at the right margin; back it does not stop at the left one (xterm). */
static void
tab_back(struct term *t, unsigned n)
{
	unsigned col = t->col;

	while (n-- && col) {
		do
			col--;
		while (col && !t->tabs[col]);
	}
	cursor_goto(t, t->row, col);
}

void
tabs_reset(struct term *t, unsigned from)
{
	for (unsigned i = from; i < t->size.cols; i++)
		t->tabs[i] = i % 8 == 0;
}

static void
charset_shift(struct term *t, uint8_t to)
{
	t->charsets.gl = to;
	print_update(t);
}

void
control_dispatch(struct term *t, uint8_t c)
{
	switch (c) {
	case 0x07:
		term_event(t, TERM_EVENT_BELL, 0, NULL, 0);
		break;
	case 0x08:
		cursor_left(t, 1);
		break;
	case 0x09:
		tab_forward(t, 1);
		break;
	case 0x0a:
	case 0x0b:
	case 0x0c:
		/* Whatever ran on from here before, the line ends now. */
		screen_row(t, t->row)->flags &= (uint16_t)~ROW_WRAPPED;
		cursor_index(t);
		if (t->modes.newline)
			cursor_carriage(t);
		break;
	case 0x0d:
		cursor_carriage(t);
		break;
	case 0x0e:
		charset_shift(t, 1);
		break;
	case 0x0f:
		charset_shift(t, 0);
		break;
	default:
		break;
	}
}

/* -- ESC -- */

static void
screen_align(struct term *t)
{
	t->region_top = t->left = 0;
	t->region_bottom = t->size.rows - 1u;
	t->right = t->size.cols - 1u;
	for (unsigned row = 0; row < t->size.rows; row++) {
		struct row *r = screen_row(t, row);

		r->used = 0;
		row_reach(r, t->size.cols);
		for (unsigned i = 0; i < t->size.cols; i++)
			r->cells[i].ch = 'E';
		r->flags = 0;
		row_touch(t, r);
	}
	cursor_goto(t, 0, 0);
	print_update(t);
}

static void
esc_plain(struct term *t, uint8_t final)
{
	switch (final) {
	case '7':
		cursor_save(t);
		break;
	case '8':
		cursor_restore(t);
		break;
	case 'D':
		cursor_index(t);
		break;
	case 'E':
		cursor_index(t); /* first: a cursor outside the margins scrolls nothing */
		cursor_carriage(t);
		break;
	case 'H':
		t->tabs[t->col] = 1;
		break;
	case 'M':
		cursor_reverse_index(t);
		break;
	case 'Z': /* DECID */
		report_attributes(t, &t->parser);
		break;
	case 'c':
		term_reset(t);
		notify_reset(t);
		break;
	case '=':
	case '>':
		t->modes.app_keypad = final == '=';
		break;
	case '6':
		columns_back(t);
		break;
	case '9':
		columns_forward(t);
		break;
	case 'N':
	case 'O':
		t->charsets.single = final == 'N' ? 2 : 3;
		print_update(t);
		break;
	case 'n':
	case 'o':
		charset_shift(t, final == 'n' ? 2 : 3);
		break;
	default:
		break;
	}
}

/* '2' is the line graphics of DEC's alternate character ROM; what we do not have is ASCII. Of the sets
 * of 96 there is Latin-1. */
static uint8_t
charset_of(uint8_t final, bool is_96)
{
	if (is_96)
		return final == 'A' ? CHARSET_LATIN1 : CHARSET_ASCII;
	if (final == '0' || final == '2')
		return CHARSET_GRAPHICS;
	return final == 'A' ? CHARSET_UK : CHARSET_ASCII;
}

void
esc_dispatch(struct term *t, uint8_t final)
{
	static const char sets[] = "()*+ -./"; /* G0 to G3 of 94 characters; none, G1 to G3 of 96 */
	const struct parser *p = &t->parser;
	const char *g = p->inter_count == 1 ? strchr(sets, p->inter[0]) : NULL;
	size_t at = g ? (size_t)(g - sets) : 0;

	if (p->inter_count == 0) {
		esc_plain(t, final);
	} else if (p->inter_count == 1 && p->inter[0] == '#' && final == '8') {
		screen_align(t);
	} else if (g && *g != ' ') {
		t->charsets.g[at % 4] = charset_of(final, at >= 4);
		print_update(t);
	}
}

/* -- CSI without a mark -- */

static void
csi_ich(struct term *t, const struct parser *p)
{
	screen_insert_cells(t, param(p, 0, 1));
	t->wrap_pending = false;
}

static void
csi_cuu(struct term *t, const struct parser *p)
{
	cursor_up(t, param(p, 0, 1));
}

static void
csi_cud(struct term *t, const struct parser *p)
{
	cursor_down(t, param(p, 0, 1));
}

static void
csi_cuf(struct term *t, const struct parser *p)
{
	cursor_right(t, param(p, 0, 1));
}

static void
csi_cub(struct term *t, const struct parser *p)
{
	cursor_left(t, param(p, 0, 1));
}

static void
csi_cnl(struct term *t, const struct parser *p)
{
	cursor_down(t, param(p, 0, 1));
	cursor_carriage(t);
}

static void
csi_cpl(struct term *t, const struct parser *p)
{
	cursor_up(t, param(p, 0, 1));
	cursor_carriage(t);
}

static void
csi_cha(struct term *t, const struct parser *p)
{
	cursor_address(t, origin_row(t), param(p, 0, 1) - 1);
}

static void
csi_cup(struct term *t, const struct parser *p)
{
	cursor_address(t, param(p, 0, 1) - 1, param(p, 1, 1) - 1);
}

static void
csi_vpa(struct term *t, const struct parser *p)
{
	cursor_address(t, param(p, 0, 1) - 1, origin_col(t));
}

static void
csi_hpr(struct term *t, const struct parser *p)
{
	cursor_address(t, origin_row(t), origin_col(t) + param(p, 0, 1));
}

static void
csi_vpr(struct term *t, const struct parser *p)
{
	cursor_address(t, origin_row(t) + param(p, 0, 1), origin_col(t));
}

static void
csi_cht(struct term *t, const struct parser *p)
{
	tab_forward(t, param(p, 0, 1));
}

static void
csi_cbt(struct term *t, const struct parser *p)
{
	tab_back(t, param(p, 0, 1));
}

/* From the cursor on. After a character in the last column the cursor stands behind it (grep and ls
 * rely on that: they end a coloured word with CSI K), so there is nothing to erase in its row. */
static void
erase_rest(struct term *t, bool keep_protected)
{
	if (!t->wrap_pending)
		screen_erase(t, t->row, t->col, t->size.cols, keep_protected);
}

static void
erase_display(struct term *t, unsigned how, bool keep_protected)
{
	unsigned first = how == 0 ? t->row + 1 : 0, last = how == 1 ? t->row : t->size.rows;

	if (how == 3 && !keep_protected && t->on == &t->main && !t->keeps_history) {
		history_clear(&t->history);
		t->is_changed = true;
	}
	if (how > 2)
		return;
	if (how == 0)
		erase_rest(t, keep_protected);
	for (unsigned row = first; row < last; row++)
		screen_erase(t, row, 0, t->size.cols, keep_protected);
	if (how == 1)
		screen_erase(t, t->row, 0, t->col + 1, keep_protected);
}

static void
erase_line(struct term *t, unsigned how, bool keep_protected)
{
	if (how == 0)
		erase_rest(t, keep_protected);
	else if (how <= 2)
		screen_erase(t, t->row, 0, how == 1 ? t->col + 1 : t->size.cols, keep_protected);
}

static void
csi_ed(struct term *t, const struct parser *p)
{
	erase_display(t, param(p, 0, 0), false);
}

static void
csi_el(struct term *t, const struct parser *p)
{
	erase_line(t, param(p, 0, 0), false);
}

static void
csi_ech(struct term *t, const struct parser *p)
{
	unsigned n = param(p, 0, 1), room = t->size.cols - t->col;

	screen_erase(t, t->row, t->col, t->col + (n < room ? n : room), false);
	t->wrap_pending = false;
}

static bool
in_region(const struct term *t)
{
	return t->row >= t->region_top && t->row <= t->region_bottom && t->col >= t->left &&
	       t->col <= t->right;
}

/* A region that begins below the top never gives lines to history; nor does deleting lines inside
 * it. */
static void
csi_il(struct term *t, const struct parser *p)
{
	if (!in_region(t))
		return;
	screen_scroll_down(t, t->row, t->region_bottom, param(p, 0, 1));
	cursor_goto(t, t->row, t->left);
}

static void
csi_dl(struct term *t, const struct parser *p)
{
	if (!in_region(t))
		return;
	screen_delete_lines(t, t->row, t->region_bottom, param(p, 0, 1));
	cursor_goto(t, t->row, t->left);
}

static void
csi_dch(struct term *t, const struct parser *p)
{
	screen_delete_cells(t, param(p, 0, 1));
	t->wrap_pending = false;
}

static void
csi_su(struct term *t, const struct parser *p)
{
	screen_scroll_up(t, t->region_top, t->region_bottom, param(p, 0, 1));
	t->wrap_pending = false;
}

static void
csi_sd(struct term *t, const struct parser *p)
{
	if (p->count > 1)
		return; /* xterm's highlight tracking */
	screen_scroll_down(t, t->region_top, t->region_bottom, param(p, 0, 1));
	t->wrap_pending = false;
}

static void
csi_rep(struct term *t, const struct parser *p)
{
	unsigned n = param(p, 0, 1), most = t->size.rows * t->size.cols;

	if (t->can_join) /* ECMA-48 8.3.103: only what was printed just before */
		print_again(t, n < most ? n : most);
}

static void
csi_tbc(struct term *t, const struct parser *p)
{
	if (param(p, 0, 0) == 0)
		t->tabs[t->col] = 0;
	else if (param(p, 0, 0) == 3)
		memset(t->tabs, 0, t->size.cols);
}

static void
csi_modes(struct term *t, const struct parser *p, bool on)
{
	for (unsigned i = 0; i < p->count; i++)
		mode_set(t, p->private_mark == '?', p->params[i], on);
}

static void
csi_sm(struct term *t, const struct parser *p)
{
	csi_modes(t, p, true);
}

static void
csi_rm(struct term *t, const struct parser *p)
{
	csi_modes(t, p, false);
}

static void
csi_sgr(struct term *t, const struct parser *p)
{
	(void)p;
	sgr_apply(t);
}

static void
csi_stbm(struct term *t, const struct parser *p)
{
	unsigned top = param(p, 0, 1), bottom = param(p, 1, t->size.rows);

	if (bottom > t->size.rows)
		bottom = t->size.rows;
	if (top >= bottom && !(t->size.rows == 1 && top == 1))
		return;
	t->region_top = top - 1;
	t->region_bottom = bottom - 1;
	cursor_address(t, 0, 0);
}

/* CSI s is DECSLRM when there are margins, and "save cursor" when not. */
static void
csi_slrm(struct term *t, const struct parser *p)
{
	unsigned left = param(p, 0, 1), right = param(p, 1, t->size.cols);

	if (!t->modes.margins) {
		if (p->count == 1 && !p->given)
			cursor_save(t);
		return;
	}
	if (right > t->size.cols)
		right = t->size.cols;
	if (left >= right)
		return;
	t->left = left - 1;
	t->right = right - 1;
	print_update(t);
	cursor_address(t, 0, 0);
}

static void
csi_rc(struct term *t, const struct parser *p)
{
	if (p->count == 1 && !p->given)
		cursor_restore(t);
}

static csi_fn *const csi_plain[0x40] = {
	['@' - 0x40] = csi_ich,
	['A' - 0x40] = csi_cuu,
	['B' - 0x40] = csi_cud,
	['C' - 0x40] = csi_cuf,
	['D' - 0x40] = csi_cub,
	['E' - 0x40] = csi_cnl,
	['F' - 0x40] = csi_cpl,
	['G' - 0x40] = csi_cha,
	['H' - 0x40] = csi_cup,
	['I' - 0x40] = csi_cht,
	['J' - 0x40] = csi_ed,
	['K' - 0x40] = csi_el,
	['L' - 0x40] = csi_il,
	['M' - 0x40] = csi_dl,
	['P' - 0x40] = csi_dch,
	['S' - 0x40] = csi_su,
	['T' - 0x40] = csi_sd,
	['X' - 0x40] = csi_ech,
	['Z' - 0x40] = csi_cbt,
	['`' - 0x40] = csi_cha,
	['a' - 0x40] = csi_hpr,
	['b' - 0x40] = csi_rep,
	['c' - 0x40] = report_attributes,
	['d' - 0x40] = csi_vpa,
	['e' - 0x40] = csi_vpr,
	['f' - 0x40] = csi_cup,
	['g' - 0x40] = csi_tbc,
	['h' - 0x40] = csi_sm,
	['l' - 0x40] = csi_rm,
	['m' - 0x40] = csi_sgr,
	['n' - 0x40] = report_status,
	['r' - 0x40] = csi_stbm,
	['s' - 0x40] = csi_slrm,
	['t' - 0x40] = report_window,
	['u' - 0x40] = csi_rc,
	['x' - 0x40] = report_parameters,
};

/* -- CSI with marks -- */

static void
csi_sed(struct term *t, const struct parser *p)
{
	erase_display(t, param(p, 0, 0), true);
}

static void
csi_sel(struct term *t, const struct parser *p)
{
	erase_line(t, param(p, 0, 0), true);
}

static void
csi_soft_reset(struct term *t, const struct parser *p)
{
	(void)p;
	mode_soft_reset(t);
}

static void
csi_cursor_style(struct term *t, const struct parser *p)
{
	unsigned style = param(p, 0, 0);

	if (style > 6)
		return;
	t->modes.cursor_shape = style <= 2   ? TERM_CURSOR_BLOCK
				: style <= 4 ? TERM_CURSOR_UNDERLINE
					     : TERM_CURSOR_BAR;
	t->modes.cursor_blink = style % 2 == 1;
}

static void
csi_protect(struct term *t, const struct parser *p)
{
	t->pen.cell.attr &= (uint16_t)~ATTR_PROTECTED;
	if (param(p, 0, 0) == 1)
		t->pen.cell.attr |= ATTR_PROTECTED;
	pen_update(t);
}

static void
csi_request_mode(struct term *t, const struct parser *p)
{
	mode_report(t, p->private_mark == '?', param(p, 0, 0));
}

static void
csi_level(struct term *t, const struct parser *p)
{
	unsigned level = param(p, 0, 61);

	if (level < 61 || level > 65)
		return;
	mode_soft_reset(t);
	t->level = level < 64 ? (uint8_t)level : 64;
}

/* DECST8C */
static void
csi_tabs(struct term *t, const struct parser *p)
{
	if (param(p, 0, 0) == 5)
		tabs_reset(t, 0);
}

static void
csi_save_modes(struct term *t, const struct parser *p)
{
	for (unsigned i = 0; i < p->count; i++)
		mode_save(t, p->params[i]);
}

static void
csi_restore_modes(struct term *t, const struct parser *p)
{
	for (unsigned i = 0; i < p->count; i++)
		mode_restore(t, p->params[i]);
}

static const struct {
	char mark, inter, final;
	csi_fn *run;
} csi_marked[] = {
	{ '?', 0, 'h', csi_sm }, /* the most common first */
	{ '?', 0, 'l', csi_rm },
	{ '?', 0, 'J', csi_sed },
	{ '?', 0, 'K', csi_sel },
	{ '?', 0, 'W', csi_tabs },
	{ '?', 0, 'm', keyboard_modify_query },
	{ '?', 0, 'n', report_status_private },
	{ '?', 0, 'r', csi_restore_modes },
	{ '?', 0, 's', csi_save_modes },
	{ '?', 0, 'u', keyboard_query },
	{ '>', 0, 'c', report_attributes2 },
	{ '>', 0, 'm', keyboard_modify },
	{ '>', 0, 'n', keyboard_modify_off },
	{ '>', 0, 'q', report_version },
	{ '>', 0, 'u', keyboard_push },
	{ '<', 0, 'u', keyboard_pop },
	{ '=', 0, 'c', report_attributes3 },
	{ '=', 0, 'u', keyboard_set },
	{ 0, ' ', '@', columns_scroll_left },
	{ 0, ' ', 'A', columns_scroll_right },
	{ 0, ' ', 'q', csi_cursor_style },
	{ 0, '!', 'p', csi_soft_reset },
	{ 0, '"', 'p', csi_level },
	{ 0, '"', 'q', csi_protect },
	{ 0, '#', 'y', rect_checksum_bits },
	{ 0, '$', 'p', csi_request_mode },
	{ '?', '$', 'p', csi_request_mode },
	{ 0, '$', 'r', rect_change },
	{ 0, '$', 't', rect_reverse },
	{ 0, '$', 'v', rect_copy },
	{ 0, '$', 'w', report_presentation },
	{ 0, '$', 'x', rect_fill },
	{ 0, '$', 'z', rect_erase },
	{ 0, '$', '{', rect_erase_selective },
	{ 0, '\'', '}', columns_insert },
	{ 0, '\'', '~', columns_delete },
	{ 0, '*', 'x', rect_extent },
	{ 0, '*', 'y', rect_checksum },
};

void
csi_dispatch(struct term *t, uint8_t final)
{
	const struct parser *p = &t->parser;
	csi_fn *run = NULL;

	if (final != 'm' && final != 'b')
		t->can_join = false;
	if (!p->private_mark && !p->inter_count) {
		run = csi_plain[final - 0x40];
	} else if (p->inter_count <= 1) {
		for (size_t i = 0; i < ARRAY_LEN(csi_marked); i++)
			if (csi_marked[i].mark == (char)p->private_mark &&
				csi_marked[i].inter == (char)p->inter[0] &&
				csi_marked[i].final == (char) final)
				run = csi_marked[i].run;
	}
	if (run)
		run(t, p);
}
