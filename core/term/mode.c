/* mode.c - set, reset and report modes; the alternate screen; resets. */
#include "term/screen.h"

#include <stddef.h>

/* Modes that are one flag and nothing else. */
static const struct {
	uint16_t number;
	bool is_private;
	size_t at;
} flags[] = {
	{ 4, false, offsetof(struct term_modes, insert) },
	{ 20, false, offsetof(struct term_modes, newline) },
	{ 1, true, offsetof(struct term_modes, app_cursor) },
	{ 5, true, offsetof(struct term_modes, reverse_screen) },
	{ 6, true, offsetof(struct term_modes, origin) },
	{ 7, true, offsetof(struct term_modes, autowrap) },
	{ 12, true, offsetof(struct term_modes, cursor_blink) },
	{ 25, true, offsetof(struct term_modes, cursor_visible) },
	{ 45, true, offsetof(struct term_modes, reverse_wrap) },
	{ 66, true, offsetof(struct term_modes, app_keypad) },
	{ 69, true, offsetof(struct term_modes, margins) },
	{ 1004, true, offsetof(struct term_modes, focus_events) },
	{ 1006, true, offsetof(struct term_modes, mouse_sgr) },
	{ 2004, true, offsetof(struct term_modes, bracketed_paste) },
	{ 2026, true, offsetof(struct term_modes, synchronized) },
};

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
 * empty screen. */
static void
mode_columns(struct term *t)
{
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
	print_update(t);
}

void
mode_set(struct term *t, bool is_private, unsigned mode, bool on)
{
	bool *flag = mode_flag(t, is_private, mode);
	enum term_mouse mouse = mode_mouse(mode);

	if (flag) {
		*flag = on;
		if (is_private || mode == 4)
			mode_follow(t, is_private ? mode : 0, on);
		return;
	}
	if (!is_private)
		return;
	if (mouse) {
		t->modes.mouse = on ? mouse : TERM_MOUSE_NONE;
	} else if (mode == 3) {
		mode_columns(t);
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
	unsigned value = 0;

	if (flag)
		value = *flag ? 1 : 2;
	else if (is_private && mouse)
		value = t->modes.mouse == mouse ? 1 : 2;
	else if (is_private && (mode == 47 || mode == 1047 || mode == 1049))
		value = t->modes.alternate ? 1 : 2;
	else if (is_private && mode == 1048)
		value = 1;
	else if (is_private && mode == 2027)
		value = 3; /* characters are always clusters */
	else if (is_private && (mode == 3 || mode == 1005 || mode == 1015))
		value = 4;
	term_reply(t, "\033[%s%u;%u$y", is_private ? "?" : "", mode, value);
}

static const struct term_modes modes_first = { .autowrap = true, .cursor_visible = true };

static void
soft_state(struct term *t)
{
	t->region_top = 0;
	t->region_bottom = t->size.rows - 1u;
	margins_reset(t);
	t->graphics[0] = t->graphics[1] = false;
	t->charset = 0;
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
		t->modes.margins = false;
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
