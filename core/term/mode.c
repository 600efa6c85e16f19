/* mode.c - set, reset and report modes; the alternate screen; resets. */
#include "term/screen.h"

#include <stddef.h>

#include "sandesk/base/mem.h"

/* Modes that are one flag and nothing else. */
static const struct {
	uint16_t number;
	bool is_private;
	size_t at;
} flags[] = {
	{ 4, false, offsetof(struct term_modes, insert) },
	{ 20, false, offsetof(struct term_modes, newline) },
	{ 1, true, offsetof(struct term_modes, app_cursor) },
	{ 3, true, offsetof(struct term_modes, columns) },
	{ 5, true, offsetof(struct term_modes, reverse_screen) },
	{ 6, true, offsetof(struct term_modes, origin) },
	{ 7, true, offsetof(struct term_modes, autowrap) },
	{ 12, true, offsetof(struct term_modes, cursor_blink) },
	{ 25, true, offsetof(struct term_modes, cursor_visible) },
	{ 40, true, offsetof(struct term_modes, allows_columns) },
	{ 45, true, offsetof(struct term_modes, reverse_wrap) },
	{ 66, true, offsetof(struct term_modes, app_keypad) },
	{ 67, true, offsetof(struct term_modes, backspace_is_bs) },
	{ 69, true, offsetof(struct term_modes, margins) },
	{ 95, true, offsetof(struct term_modes, columns_keep) },
	{ 1004, true, offsetof(struct term_modes, focus_events) },
	{ 1006, true, offsetof(struct term_modes, mouse_sgr) },
	{ 1007, true, offsetof(struct term_modes, alternate_scroll) },
	{ 1016, true, offsetof(struct term_modes, mouse_pixels) },
	{ 1045, true, offsetof(struct term_modes, reverse_wrap) },
	{ 2004, true, offsetof(struct term_modes, bracketed_paste) },
	{ 2026, true, offsetof(struct term_modes, synchronized) },
	{ 2031, true, offsetof(struct term_modes, colour_reports) },
	{ 2048, true, offsetof(struct term_modes, resize_reports) },
};
_Static_assert(ARRAY_LEN(flags) <= 64, "saved_modes has a bit for each");

/* Modes of a keyboard, printer or display that are not here: what is set is remembered and told
 * back, as programs that check expect it. */
static const struct {
	uint16_t number;
	bool is_private;
} inert[] = { { 2, false }, { 12, false }, { 4, true }, { 8, true }, { 18, true }, { 19, true },
	{ 42, true } };
enum { INERT_AUTOREPEAT = 3, INERT_ECHO = 1 }; /* on at first: DECARM, SRM */

/* ECMA-48 modes that nobody has: always reset. */
static const uint8_t never[] = { 1, 5, 7, 10, 11, 13, 14, 15, 16, 17, 18, 19 };

static const struct {
	uint16_t number;
	enum term_mouse mouse;
} mice[] = { { 9, TERM_MOUSE_X10 }, { 1000, TERM_MOUSE_CLICK }, { 1002, TERM_MOUSE_DRAG },
	{ 1003, TERM_MOUSE_ALL } };

static bool *
mode_flag(struct term *t, bool is_private, unsigned mode)
{
	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		if (flags[i].number == mode && flags[i].is_private == is_private)
			return (bool *)((char *)&t->modes + flags[i].at);
	return NULL;
}

static int
mode_inert(bool is_private, unsigned mode)
{
	for (size_t i = 0; i < ARRAY_LEN(inert); i++)
		if (inert[i].number == mode && inert[i].is_private == is_private)
			return (int)i;
	return -1;
}

static enum term_mouse
mode_mouse(unsigned mode)
{
	for (size_t i = 0; i < ARRAY_LEN(mice); i++)
		if (mice[i].number == mode)
			return mice[i].mouse;
	return TERM_MOUSE_NONE;
}

static void
screen_clear(struct term *t)
{
	for (unsigned row = 0; row < t->size.rows; row++)
		screen_erase(t, row, 0, t->size.cols, false);
}

void
mode_alternate(struct term *t, bool on, bool clear)
{
	if (t->modes.alternate == on)
		return;
	if (!on && clear)
		screen_clear(t);
	t->modes.alternate = on;
	t->on = on ? &t->alt : &t->main;
	keyboard_follow(t);
	screen_make(t, t->on);
	if (on && clear)
		screen_clear(t);
	t->can_join = false;
	t->is_changed = true;
}

static void
margins_reset(struct term *t)
{
	t->left = 0;
	t->right = t->size.cols - 1u;
}

/* DECCOLM: the width is the client's affair and stays; the rest is done, as programs count on an
 * empty screen. Only where a program allowed it first (?40, as xterm has it): terminfo's reset
 * strings hold ?3l, and `tput init` must not clear the screen. */
static void
mode_columns(struct term *t)
{
	if (t->modes.columns_keep)
		return;
	t->region_top = 0;
	t->region_bottom = t->size.rows - 1u;
	margins_reset(t);
	print_update(t);
	screen_clear(t);
	cursor_goto(t, 0, 0);
}

/* What a flag's change does beside being remembered. */
static void
mode_follow(struct term *t, unsigned mode, bool on)
{
	if (mode == 6)
		cursor_goto(t, on ? t->region_top : 0, on ? t->left : 0);
	else if (mode == 69)
		margins_reset(t);
	else if (mode == 7 && !on)
		t->wrap_pending = false;
	else if (mode == 3)
		mode_columns(t);
	else if (mode == 2048 && on)
		report_size(t);
	print_update(t);
}

void
mode_set(struct term *t, bool is_private, unsigned mode, bool on)
{
	bool *flag = mode_flag(t, is_private, mode);
	enum term_mouse mouse = mode_mouse(mode);
	int quiet = mode_inert(is_private, mode);

	if (is_private && mode == 3 && !t->modes.allows_columns)
		return;
	if (flag) {
		*flag = on;
		if (is_private || mode == 4)
			mode_follow(t, is_private ? mode : 0, on);
		return;
	}
	if (quiet >= 0)
		t->inert_modes =
			on ? t->inert_modes | 1u << quiet : t->inert_modes & ~(1u << quiet);
	if (!is_private)
		return;
	if (mouse) {
		t->modes.mouse = on ? mouse : TERM_MOUSE_NONE;
	} else if (mode == 47) {
		mode_alternate(t, on, false);
	} else if (mode == 1047) {
		mode_alternate(t, on, !on);
	} else if (mode == 1048) {
		on ? cursor_save(t) : cursor_restore(t);
	} else if (mode == 1049 && on != t->modes.alternate) {
		if (on)
			cursor_save(t);
		mode_alternate(t, on, on);
		if (!on)
			cursor_restore(t);
	}
}

void
mode_report(struct term *t, bool is_private, unsigned mode)
{
	const bool *flag = mode_flag(t, is_private, mode);
	enum term_mouse mouse = mode_mouse(mode);
	int quiet = mode_inert(is_private, mode);
	unsigned value = 0;

	if (flag)
		value = *flag ? 1 : 2;
	else if (quiet >= 0)
		value = t->inert_modes >> quiet & 1 ? 1 : 2;
	else if (!is_private)
		value = mode < 256 && memchr(never, (int)mode, sizeof never) ? 4 : 0;
	else if (is_private && mouse)
		value = t->modes.mouse == mouse ? 1 : 2;
	else if (is_private && (mode == 47 || mode == 1047 || mode == 1049))
		value = t->modes.alternate ? 1 : 2;
	else if (is_private && mode == 1048)
		value = 1;
	else if (is_private && (mode == 2027 || mode == 2))
		value = 3; /* characters are always clusters; no VT52 */
	else if (is_private && (mode == 60 || mode == 1001 || mode == 1005 || mode == 1015))
		value = 4;
	term_reply(t, "\033[%s%u;%u$y", is_private ? "?" : "", mode, value);
}

void
mode_save(struct term *t, unsigned mode)
{
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		uint64_t bit = (uint64_t)1 << i;

		if (flags[i].number == mode && flags[i].is_private)
			t->saved_modes = *mode_flag(t, true, mode) ? t->saved_modes | bit
								   : t->saved_modes & ~bit;
	}
}

void
mode_restore(struct term *t, unsigned mode)
{
	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		if (flags[i].number == mode && flags[i].is_private)
			mode_set(t, true, mode, t->saved_modes >> i & 1);
}

static const struct term_modes modes_first = {
	.autowrap = true, .cursor_visible = true, .alternate_scroll = true
};

static void
soft_state(struct term *t)
{
	t->region_top = 0;
	t->region_bottom = t->size.rows - 1u;
	margins_reset(t);
	t->charsets = (struct charsets){ 0 };
	t->extent = 0;
	t->level = 64;
	t->wrap_pending = false;
	t->can_join = false;
	t->pen = (struct pen){ 0 };
	t->last_ch = 0;
	t->on->saved = (struct saved_cursor){ 0 };
	pen_update(t);
	print_update(t);
}

void
mode_soft_reset(struct term *t)
{
	t->modes.insert = t->modes.origin = t->modes.app_cursor = t->modes.app_keypad =
		t->modes.margins = t->modes.reverse_wrap = false;
	t->modes.autowrap = t->modes.cursor_visible = true;
	soft_state(t);
}

void
term_reset(struct term *t)
{
	mode_alternate(t, false, false);
	if (t->alt.rows)
		screen_free(t, &t->alt);
	t->modes = modes_first;
	t->inert_modes = 1u << INERT_AUTOREPEAT | 1u << INERT_ECHO;
	t->saved_modes = 0;
	t->checksum = 0;
	mem_free(t->palette);
	t->palette = NULL;
	keyboard_reset(t);
	soft_state(t);
	t->alt.saved = (struct saved_cursor){ 0 };
	screen_clear(t);
	cursor_goto(t, 0, 0);
	tabs_reset(t, 0);
	while (t->title_depth)
		title_pop(t);
	term_set_title(t, "", 0);
	t->version++;
}
