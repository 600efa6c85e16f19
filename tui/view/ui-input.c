#include <string.h>

#include "sandesk/base/str.h"
#include "sandesk/messages.h"
#include "sandesk/mirror.h"
#include "view/ui-inner.h"

void
ui_message(struct ui *ui, const char *text)
{
	str_copy(ui->message, sizeof ui->message, text);
	ui->is_error = false;
	ui_mark(ui);
}

void
ui_error(struct ui *ui, const char *text)
{
	ui_message(ui, text);
	ui->is_error = true;
}

void
ui_leave_modes(struct ui *ui)
{
	if (ui->copying.is_on)
		ui_copy_stop(ui);
	ui->mode = ui->back_mode = MODE_NORMAL;
	ui->is_which_key_shown = false;
	loop_timer_stop(ui->which_key);
	textview_fini(&ui->text);
	ui_mark(ui);
}

/* ---- keys, by mode ---- */
static void
enter_prefix(struct ui *ui)
{
	ui->back_mode = ui->mode; /* what is typed or marked stays there until another key decides */
	ui->mode = MODE_PREFIX;
	loop_timer_start(ui->which_key, UI_WHICH_KEY_MS);
}

static void
key_prefix(struct ui *ui, struct key k)
{
	const struct binding *b = keymap_find(ui->config.keymap, k);
	char name[KEY_NAME_BYTES], text[UI_TEXT_BYTES] = "no key: ";

	if (k.code == KEY_ESCAPE && !b) {
		ui->mode = ui->back_mode;
		ui->back_mode = MODE_NORMAL;
		ui->is_which_key_shown = false;
		loop_timer_stop(ui->which_key);
		return;
	}
	ui_leave_modes(ui);
	if (b) {
		ui_run(ui, b->command);
		return;
	}
	key_name(k, name);
	str_copy(text + strlen(text), sizeof text - strlen(text), name);
	ui_message(ui, text);
}

static void
key_field(struct ui *ui, struct key k)
{
	ui_field_fn *done = ui->field_done;
	char text[FIELD_BYTES];

	if (ui_palette_is_on(ui) && ui_palette_key(ui, k))
		return;
	if (k.code == KEY_ESCAPE || key_equal(k, (struct key){ .code = 'c', .mods = MOD_CTRL }) ||
		key_equal(k, (struct key){ .code = 'g', .mods = MOD_CTRL })) {
		ui_leave_modes(ui);
	} else if (k.code == KEY_ENTER || k.code == KEY_KP_ENTER) {
		memcpy(text, ui->field.text, sizeof text);
		ui_leave_modes(ui);
		done(ui, text);
	} else {
		field_key(&ui->field, k);
		if (ui_palette_is_on(ui))
			ui_palette_typed(ui);
	}
}

void
ui_open_row(struct ui *ui)
{
	struct tree_row r;

	if (!tree_selected(&ui->tree, &ui->model, &r))
		return;
	ui->is_emptied = false;
	if (r.session) {
		ui->is_tree_focused = false;
		ui_show_session(ui, r.session->id);
	} else if (strcmp(r.desktop->id, ui->desktop_id) != 0) {
		ui_show_desktop(ui, r.desktop->id);
	} else {
		r.desktop->is_folded = !r.desktop->is_folded;
	}
	ui_place(ui);
}

static void
key_tree(struct ui *ui, struct key k)
{
	switch (tree_key(&ui->tree, &ui->model, k)) {
	case TREE_OPEN:
		ui_open_row(ui);
		break;
	case TREE_LEAVE:
		if (ui->focus >= 0)
			ui_set_focus(ui, ui->focus);
		break;
	case TREE_UNKNOWN: /* the tree needs no prefix: its rows take no text */
		if (keymap_find(ui->config.keymap, k))
			ui_run(ui, keymap_find(ui->config.keymap, k)->command);
		break;
	default:
		break;
	}
}

/* A pane whose session has ended takes no text. */
static bool
key_ended(struct ui *ui, const struct pane *p, struct key k)
{
	const struct pane_state *st = pane_state(p);
	const struct session *s = ui_session(ui);

	if (!(st->is_known ? status_is_over(st->status) : s && status_is_over(s->status)))
		return false;
	if (k.code == 'R' || k.code == 'r')
		ui_run(ui, "restart");
	else if (ui->config.attach_id &&
		 (k.code == KEY_ENTER || k.code == 'q' || k.code == KEY_ESCAPE))
		ui->wants_quit = true;
	return true;
}

static void
key_normal(struct ui *ui, struct key k)
{
	struct pane *p = ui_pane(ui);

	if (key_equal(k, ui->config.keymap->prefix)) {
		enter_prefix(ui);
	} else if (!ui->model.desktops_n && ui->model.is_known && !ui->config.attach_id) {
		if (k.code == KEY_ENTER)
			ui_new_desktop(ui);
	} else if (ui->is_tree_focused || !p) {
		if (!ui->config.attach_id)
			key_tree(ui, k);
	} else if (!key_ended(ui, p, k)) {
		pane_key(p, k);
		ui_expect_echo(ui);
	}
}

void
ui_key(struct ui *ui, struct key k)
{
	bool had_message = ui->message[0] != 0;

	ui->message[0] = 0;
	if (had_message)
		ui_mark(ui);
	if (key_equal(k, ui->config.keymap->prefix) &&
		(ui->mode == MODE_FIELD || ui->mode == MODE_SCROLL)) {
		enter_prefix(ui);
		ui_mark(ui);
		return;
	}
	switch (ui->mode) {
	case MODE_NORMAL:
		key_normal(ui, k);
		return; /* what a program does with the key comes as a frame */
	case MODE_PREFIX:
		key_prefix(ui, k);
		break;
	case MODE_FIELD:
		key_field(ui, k);
		break;
	case MODE_QUESTION:
		ui_answer(ui, k.code == 'y' || k.code == 'Y');
		break;
	case MODE_TEXT:
		if (!textview_key(&ui->text, k))
			ui_leave_modes(ui);
		break;
	case MODE_SCROLL:
		ui_copy_key(ui, k);
		break;
	}
	ui_mark(ui);
}

void
ui_paste(struct ui *ui, const char *bytes, size_t len, bool is_cut)
{
	struct pane *p = ui_pane(ui);

	if (ui->mode == MODE_FIELD) {
		field_insert(&ui->field, bytes, len);
		if (ui_palette_is_on(ui))
			ui_palette_typed(ui);
		ui_mark(ui);
	} else if (ui->copying.is_typing) {
		field_insert(&ui->copying.pattern, bytes, len);
		ui_mark(ui);
	} else if (ui->mode == MODE_NORMAL && p && !ui->is_tree_focused) {
		ui_paste_into(ui, p, bytes, len);
		if (is_cut)
			ui_error(ui, "the paste was too long: its end was left out; paste it in "
				     "parts or copy a file");
	}
}

void
ui_focus(struct ui *ui, bool has_focus)
{
	ui->has_outer_focus = has_focus;
	if (ui_pane(ui))
		pane_focus(ui_pane(ui), has_focus);
}

static void
tell_outer(struct ui *ui)
{
	for (int i = 0; i < LAYOUT_PANES; i++)
		if (ui->panes[i])
			pane_tell_outer(ui->panes[i]);
}

void
ui_cell_pixels(struct ui *ui, unsigned width, unsigned height)
{
	struct outer_terminal *o = &ui->pane_env.outer;

	if (o->cell_width == width && o->cell_height == height)
		return;
	o->cell_width = width;
	o->cell_height = height;
	tell_outer(ui);
}

void
ui_background(struct ui *ui, bool is_dark)
{
	ui->pane_env.outer.scheme = is_dark ? OUTER_DARK : OUTER_LIGHT;
	tell_outer(ui);
	ui_mark(ui); /* another theme may have been chosen */
}
