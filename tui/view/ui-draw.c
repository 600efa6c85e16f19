#include <stdio.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/str.h"
#include "sandesk/base/utf8.h"
#include "sandesk/mirror.h"
#include "view/ui-inner.h"

static struct style
look(const struct ui *ui, enum theme_role role)
{
	return ui->config.theme->role[role];
}

/* ---- panes ---- */

/* What is said of a session that has ended or whose keeper is gone; NULL while all is well. */
static const char *
pane_note(const struct ui *ui, const struct pane *p, char *to, size_t size)
{
	const struct pane_state *st = pane_state(p);
	const struct session *s = model_session(&ui->model, pane_session(p));
	enum status status = st->is_known && pane_is_live(p) ? st->status
			     : s			     ? s->status
							     : st->status;
	const char *more = ui->config.attach_id ? "   Enter: leave" : "";
	char how[260] = "";

	if (!status_is_over(status) && (pane_is_live(p) || (!s && !st->is_known)))
		return NULL;
	if (!status_is_over(status)) {
		snprintf(to, size, "no answer from the keeper of this session; trying again");
		return to;
	}
	if (st->is_known && st->reason[0])
		snprintf(how, sizeof how, ": %s", st->reason);
	else if (s && s->reason)
		snprintf(how, sizeof how, ": %.200s", s->reason);
	else if (st->is_known && st->exit_signal)
		snprintf(how, sizeof how, ", signal %u", st->exit_signal);
	else if (s && s->exit_status >= 0)
		snprintf(how, sizeof how, ", exit status %d", s->exit_status);
	else if (st->is_known)
		snprintf(how, sizeof how, ", exit status %u", st->exit_code);
	snprintf(to, size, "%c %s%s   R: run again%s", theme_status_sign(status),
		status_name(status), how, more);
	return to;
}

static void
draw_title(const struct ui *ui, struct surface *s, const struct layout_spot *spot)
{
	const struct pane *p = ui->panes[spot->pane];
	const struct session *session = model_session(&ui->model, pane_session(p));
	bool has_focus = spot->pane == ui->focus && !ui->is_tree_focused;
	struct style line = look(ui, has_focus ? ROLE_BORDER_FOCUS : ROLE_BORDER);
	struct style name = look(ui, has_focus ? ROLE_TITLE_FOCUS : ROLE_TITLE);
	struct area a = { spot->area.row, spot->area.col, 1, spot->area.cols };
	char text[UI_TEXT_BYTES];
	int end;

	surface_hline(s, a, a.row, a.col, a.cols, line, 0x2500);
	snprintf(text, sizeof text, "%s%c %s ", has_focus ? ">" : " ",
		session ? theme_status_sign(session->status) : ' ', session ? session->name : "?");
	end = surface_text(s, a, a.row, a.col + 1, name, text);
	if (ui->is_zoomed)
		end = surface_text(s, a, a.row, end, name, "[zoom] ");
	snprintf(text, sizeof text, "%s ", pane_state(p)->title);
	if (pane_state(p)->title[0] && end + 4 < a.col + a.cols)
		surface_text(s, (struct area){ a.row, end, 1, a.col + a.cols - end - 1 }, a.row,
			end, look(ui, ROLE_DIM), text);
}

/* The column between two spots that stand side by side. */
static void
draw_gap(const struct ui *ui, struct surface *s, const struct area *a)
{
	bool is_inner = a->col + a->cols < ui->main_area.col + ui->main_area.cols;

	if (is_inner)
		surface_vline(s, ui->main_area, a->row, a->col + a->cols, a->rows,
			look(ui, ROLE_BORDER), 0x2502);
}

static void
draw_panes(const struct ui *ui, struct surface *s)
{
	char note[UI_TEXT_BYTES];

	for (size_t i = 0; i < ui->spots.n; i++) {
		const struct layout_spot *spot = &ui->spots.at[i];
		bool has_focus = spot->pane == ui->focus && !ui->is_tree_focused &&
				 (ui->mode == MODE_NORMAL || ui->mode == MODE_PREFIX);

		if (!ui->panes[spot->pane] || !spot->area.rows || !spot->area.cols)
			continue;
		pane_draw(ui->panes[spot->pane], s, ui_content(ui, spot->area), ui->config.theme,
			pane_note(ui, ui->panes[spot->pane], note, sizeof note), has_focus);
		if (ui->copying.is_on && spot->pane == ui->focus)
			ui_copy_draw(ui, s, ui_content(ui, spot->area));
		if (ui_has_titles(ui))
			draw_title(ui, s, spot);
		draw_gap(ui, s, &spot->area);
	}
}

/* ---- nothing to show yet ---- */
static void
draw_lines(const struct ui *ui, struct surface *s, const char *const *lines, size_t n)
{
	struct area a = ui->main_area;
	int row = a.row + (a.rows > (int)n ? (a.rows - (int)n) / 2 : 0);

	for (size_t i = 0; i < n; i++) {
		int width = (int)utf8_text_width(lines[i], strlen(lines[i]));

		surface_text(s, a, row + (int)i,
			a.col + (a.cols > width ? (a.cols - width) / 2 : 0),
			look(ui, i ? ROLE_TEXT : ROLE_TITLE_FOCUS), lines[i]);
	}
}

static void
draw_empty(const struct ui *ui, struct surface *s)
{
	char prefix[KEY_NAME_BYTES], keys[160], more[160];

	key_name(ui->config.keymap->prefix, prefix);
	if (!ui->model.is_known) {
		draw_lines(ui, s, (const char *const[]){ "Waiting for the daemon..." }, 1);
	} else if (!ui->model.desktops_n) {
		snprintf(keys, sizeof keys, "%s ? shows all keys; %s d leaves.", prefix, prefix);
		draw_lines(ui, s,
			(const char *const[]){ "Welcome to sandesk", "", "There is no Desktop yet.",
				"It is a directory for sandboxed sessions that survive.", "",
				"Press Enter to make one.", keys },
			7);
	} else if (!ui->is_loading) {
		snprintf(keys, sizeof keys, "%s c: new session", prefix);
		snprintf(more, sizeof more, "%s g: the tree", prefix);
		draw_lines(
			ui, s, (const char *const[]){ "No session is shown", "", keys, more }, 4);
	}
}

/* ---- the last row ---- */
static int
bar_text(const struct ui *ui, struct surface *s, int col, enum theme_role role, const char *text)
{
	return surface_text(s, ui->bar_area, ui->bar_area.row, col, look(ui, role), text);
}

static void
draw_bar_right(const struct ui *ui, struct surface *s, int from)
{
	const struct pane *p = ui_pane(ui);
	char text[UI_TEXT_BYTES] = "", prefix[KEY_NAME_BYTES];
	size_t n = 0;
	int col;

	if (p && mirror_scroll(pane_mirror(p)))
		n += (size_t)snprintf(text + n, sizeof text - n, "[%llu lines up] ",
			(unsigned long long)mirror_scroll(pane_mirror(p)));
	if (p && pane_state(p)->clients > 1)
		n += (size_t)snprintf(
			text + n, sizeof text - n, "%u clients ", pane_state(p)->clients);
	if (ui->is_zoomed)
		n += (size_t)snprintf(text + n, sizeof text - n, "[zoom] ");
	if (ui->copy.len)
		n += (size_t)snprintf(text + n, sizeof text - n, "[y: copy] ");
	if (ui->config.is_read_only)
		n += (size_t)snprintf(text + n, sizeof text - n, "read-only ");
	if (!ui->rpc)
		n += (size_t)snprintf(text + n, sizeof text - n, "no daemon ");
	key_name(ui->config.keymap->prefix, prefix);
	snprintf(text + n, sizeof text - n, "%s ?: help ", prefix);
	col = ui->bar_area.cols - (int)strlen(text);
	if (col > from)
		bar_text(ui, s, col, ROLE_BAR_KEY, text);
}

static void
draw_bar(const struct ui *ui, struct surface *s)
{
	const struct desktop *d = model_desktop(&ui->model, ui->desktop_id);
	const struct session *session = ui_session(ui);
	char text[UI_TEXT_BYTES];
	int col;

	surface_fill(s, ui->bar_area, look(ui, ROLE_BAR));
	if (ui->copying.is_on) {
		ui_copy_draw_bar(ui, s);
		return;
	}
	snprintf(text, sizeof text, " %s", d ? d->name : "sandesk");
	col = bar_text(ui, s, 0, ROLE_BAR_STRONG, text);
	if (session) {
		snprintf(text, sizeof text, " / %s", session->name);
		col = bar_text(ui, s, col, ROLE_BAR_STRONG, text);
		col = bar_text(ui, s, col, ROLE_BAR, "  ");
		/* how it ended stands here too: its pane may be too narrow for it */
		if (!status_is_over(session->status) || !ui_pane(ui) ||
			!pane_note(ui, ui_pane(ui), text, sizeof text))
			snprintf(text, sizeof text, "%c %s", theme_status_sign(session->status),
				status_name(session->status));
		col = bar_text(ui, s, col, ROLE_BAR, text);
		col = bar_text(ui, s, col, ROLE_BAR, "  ");
		if (ui_pane(ui) && pane_state(ui_pane(ui))->title[0])
			col = bar_text(ui, s, col, ROLE_BAR, pane_state(ui_pane(ui))->title);
	}
	draw_bar_right(ui, s, col);
}

static void
draw_field(const struct ui *ui, struct surface *s)
{
	bool is_command = strcmp(ui->field_label, ":") == 0;
	int col;

	if (is_command && ui->palette)
		ui_palette_draw(ui, s);
	surface_fill(s, ui->bar_area, look(ui, ROLE_BAR));
	col = bar_text(ui, s, 0, ROLE_BAR_STRONG, ui->field_label);
	if (!is_command)
		col = bar_text(ui, s, col, ROLE_BAR_STRONG, ": ");
	if (col > ui->bar_area.cols * 2 / 3) /* a long label stands above on a narrow screen */
		col = 0;
	if (col == 0) {
		struct area above = { ui->bar_area.row - 1, 0, 1, ui->bar_area.cols };

		surface_fill(s, above, look(ui, ROLE_BAR));
		surface_text(s, above, above.row, 0, look(ui, ROLE_BAR_STRONG), ui->field_label);
	}
	field_draw(&ui->field, s,
		(struct area){ ui->bar_area.row, col, 1, ui->bar_area.cols - col },
		look(ui, ROLE_FIELD));
}

static void
draw_question(const struct ui *ui, struct surface *s)
{
	int width = (int)utf8_text_width(ui->question, strlen(ui->question)) + 6;
	struct area a;

	width = width < 24 ? 24 : width;
	if (width > ui->size.cols)
		width = ui->size.cols;
	a = (struct area){ (ui->size.rows - 5) / 2, (ui->size.cols - width) / 2, 5, width };
	surface_fill(s, a, look(ui, ROLE_POPUP));
	surface_box(s, a, look(ui, ROLE_POPUP));
	surface_text(s, (struct area){ a.row, a.col + 1, 5, width - 2 }, a.row + 1, a.col + 2,
		look(ui, ROLE_POPUP_TITLE), ui->question);
	surface_text(s, a, a.row + 3, a.col + 2, look(ui, ROLE_POPUP_KEY), "y: yes   n: no");
	s->cursor = (struct surface_cursor){
		.is_visible = true, .row = (uint16_t)(a.row + 3), .col = (uint16_t)(a.col + 2)
	};
}

/* ---- all ---- */
/* The bytes of the next row of a text: up to its last blank, or of a word that is longer than that. */
static size_t
row_bytes(const char *p, int cols)
{
	size_t n = 0, blank = 0;
	uint32_t cp;

	while (p[n] && (int)utf8_text_width(p, n) < cols) {
		size_t len = utf8_decode(p + n, strlen(p + n), &cp);

		n += len ? len : 1;
		blank = p[n] == ' ' ? n : blank;
	}
	return p[n] && blank ? blank : n;
}

static void
draw_message(const struct ui *ui, struct surface *s)
{
	struct style style = look(ui, ui->is_error ? ROLE_ERROR : ROLE_MESSAGE);
	int cols = ui->size.cols, most = ui->size.rows / 2, rows = 0;
	struct area a;
	const char *p;

	for (p = ui->message; *p && rows < most; rows++, p += *p == ' ')
		p += row_bytes(p, cols - 2);
	/* above a field that is being filled in: the message says what was wrong with it */
	a = (struct area){ ui->size.rows - rows - (ui->mode == MODE_FIELD), 0, rows, cols };
	surface_fill(s, a, style);
	p = ui->message;
	for (int r = 0; r < rows; r++, p += *p == ' ') {
		size_t n = row_bytes(p, cols - 2);

		surface_textn(s, a, a.row + r, 1, style, p, n);
		p += n;
	}
}

static void
draw_tree(struct ui *ui, struct surface *s)
{
	struct tree_look l = { ui->config.theme, ui->desktop_id,
		ui_pane(ui) ? pane_session(ui_pane(ui)) : "",
		ui->is_tree_focused && (ui->mode == MODE_NORMAL || ui->mode == MODE_PREFIX) };

	if (!ui->tree_area.cols)
		return;
	tree_draw(&ui->tree, &ui->model, s, ui->tree_area, &l);
	if (ui->tree_area.cols < ui->size.cols)
		surface_vline(s, surface_area(s), 0, ui->tree_area.cols, ui->tree_area.rows,
			look(ui, ui->is_tree_focused ? ROLE_BORDER_FOCUS : ROLE_BORDER), 0x2502);
}

static void
draw_bottom(struct ui *ui, struct surface *s)
{
	if (ui->mode == MODE_FIELD || ui->back_mode == MODE_FIELD)
		draw_field(ui, s);
	else if (!ui->config.attach_id || ui->copying.is_on)
		draw_bar(ui, s);
	if (ui->mode == MODE_QUESTION)
		draw_question(ui, s);
	if (ui->is_which_key_shown)
		ui_draw_which_key(ui, s);
	if (ui->message[0])
		draw_message(ui, s);
}

/* Frames of panes that nothing covers: most pictures are this. */
static bool
draw_changes(const struct ui *ui, struct surface *s)
{
	bool is_covered = ui->message[0] || ui->is_which_key_shown || ui->copying.is_on ||
			  (ui->mode != MODE_NORMAL && ui->mode != MODE_PREFIX) ||
			  ui->is_tree_focused || ui->tree_area.cols == ui->size.cols ||
			  ui->size.rows < UI_MIN_ROWS || ui->size.cols < UI_MIN_COLS;

	if (ui->is_whole_due || is_covered || !surface_resume(s))
		return false;
	for (size_t i = 0; i < ui->spots.n; i++) {
		const struct layout_spot *spot = &ui->spots.at[i];

		if (ui->panes[spot->pane] && spot->area.rows && spot->area.cols)
			pane_draw_changes(ui->panes[spot->pane], s, ui_content(ui, spot->area),
				spot->pane == ui->focus);
	}
	return true;
}

void
ui_draw(struct ui *ui, struct surface *s)
{
	if (draw_changes(ui, s))
		return;
	surface_begin(s, look(ui, ROLE_TEXT));
	if (ui->size.rows < UI_MIN_ROWS || ui->size.cols < UI_MIN_COLS) {
		surface_text(s, surface_area(s), 0, 0, look(ui, ROLE_TEXT), "20x6 needed");
		return;
	}
	if (layout_is_empty(&ui->layout))
		draw_empty(ui, s);
	else if (ui->tree_area.cols < ui->size.cols)
		draw_panes(ui, s);
	draw_tree(ui, s);
	draw_bottom(ui, s);
	if (ui->mode == MODE_TEXT)
		textview_draw(&ui->text, s, surface_area(s), ui->config.theme);
}
