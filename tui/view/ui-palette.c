/* The line behind ':': what it could become stands above it, what was typed before comes back. */
#include <stdio.h>
#include <string.h>

#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "view/ui-inner.h"

enum { ROWS_SHOWN = 8, LINE_COLS = 34 };

bool
ui_palette_is_on(const struct ui *ui)
{
	return ui->palette && strcmp(ui->field_label, ":") == 0 &&
	       (ui->mode == MODE_FIELD || ui->back_mode == MODE_FIELD);
}

void
ui_palette_open(struct ui *ui)
{
	if (!ui->palette)
		ui->palette = mem_new(struct palette);
	ui->palette_at = -1;
	ui->history_at = ui->history_n;
	palette_fill(ui->palette, &ui->model, ui->field.text);
}

static void
remember(struct ui *ui, const char *text)
{
	if (!*text || (ui->history_n && strcmp(ui->history[ui->history_n - 1], text) == 0))
		return;
	if (ui->history_n == UI_HISTORY) {
		mem_free(ui->history[0]);
		memmove(ui->history, ui->history + 1, --ui->history_n * sizeof ui->history[0]);
	}
	ui->history[ui->history_n++] = str_dup(text);
}

void
ui_palette_fini(struct ui *ui)
{
	for (size_t i = 0; i < ui->history_n; i++)
		mem_free(ui->history[i]);
	mem_free(ui->palette);
}

static void
set_line(struct ui *ui, const char *text, bool wants_more)
{
	char line[FIELD_BYTES];

	snprintf(line, sizeof line, "%s%s", text, wants_more ? " " : "");
	field_set(&ui->field, line);
}

static void
go_in_history(struct ui *ui, int step)
{
	if ((step < 0 && !ui->history_at) || (step > 0 && ui->history_at >= ui->history_n))
		return;
	ui->history_at += (size_t)step;
	set_line(ui, ui->history_at < ui->history_n ? ui->history[ui->history_at] : "", false);
	palette_fill(ui->palette, &ui->model, ui->field.text);
	ui->palette_at = -1;
}

static void
choose(struct ui *ui, int step)
{
	int n = (int)ui->palette->n;

	if (n)
		ui->palette_at = ui->palette_at < 0 ? (step > 0 ? 0 : n - 1)
						    : (ui->palette_at + step + n) % n;
}

static bool
complete(struct ui *ui)
{
	const struct candidate *c = ui->palette->n ? &ui->palette->at[ui->palette_at < 0 ? 0 : ui->palette_at] : NULL;

	if (!c)
		return false;
	set_line(ui, c->line, c->wants_more);
	ui->palette_at = -1;
	palette_fill(ui->palette, &ui->model, ui->field.text);
	return c->wants_more;
}

/* Enter: what was chosen; it stays to be completed while an argument is missing. True: the line is
 * to be run. */
static bool
enter(struct ui *ui)
{
	if (ui->palette_at >= 0 && complete(ui))
		return false;
	remember(ui, ui->field.text);
	return true;
}

bool
ui_palette_key(struct ui *ui, struct key k)
{
	bool is_ctrl = k.mods & MOD_CTRL;

	if (k.code == KEY_ENTER || k.code == KEY_KP_ENTER)
		return !enter(ui);
	if (k.code == KEY_TAB)
		(void)complete(ui);
	else if (k.code == KEY_UP || k.code == KEY_DOWN)
		choose(ui, k.code == KEY_UP ? 1 : -1); /* the best stands at the bottom */
	else if (is_ctrl && (k.code == 'p' || k.code == 'n'))
		go_in_history(ui, k.code == 'p' ? -1 : 1);
	else
		return false;
	return true;
}

void
ui_palette_typed(struct ui *ui)
{
	ui->palette_at = -1;
	palette_fill(ui->palette, &ui->model, ui->field.text);
}

void
ui_palette_draw(const struct ui *ui, struct surface *s)
{
	const struct palette *p = ui->palette;
	const struct theme *t = ui->config.theme;
	int bottom = ui->bar_area.row, n = (int)p->n, shown = n < ROWS_SHOWN ? n : ROWS_SHOWN, top = 0;

	shown = shown < bottom - 1 ? shown : bottom - 1;
	if (ui->palette_at >= shown)
		top = ui->palette_at - shown + 1;
	for (int i = 0; i < shown; i++) {
		const struct candidate *c = &p->at[top + i];
		struct area a = { bottom - 1 - i, 0, 1, ui->size.cols };
		bool is_chosen = top + i == ui->palette_at;
		int col;

		surface_fill(s, a, t->role[is_chosen ? ROLE_SELECTED_FOCUS : ROLE_POPUP]);
		col = surface_text(s, a, a.row, 0, t->role[is_chosen ? ROLE_SELECTED_FOCUS : ROLE_POPUP_KEY], is_chosen ? ">" : " ");
		col = surface_text(s, a, a.row, col, t->role[is_chosen ? ROLE_SELECTED_FOCUS : ROLE_POPUP_KEY], c->line);
		surface_text(s, a, a.row, (col < LINE_COLS ? LINE_COLS : col + 2),
			t->role[is_chosen ? ROLE_SELECTED_FOCUS : ROLE_POPUP], c->help);
	}
}
