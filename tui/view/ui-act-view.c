/* What can be done to the view: tree, settings, command line, help. */
#include "view/ui-acts.h"

void
act_tree_toggle(struct ui *ui, const char *arg)
{
	(void)arg;
	/* there it stands instead of the panes, so what toggles is who has the focus */
	if (ui->size.cols < TREE_MIN_WIDTH && ui->focus >= 0) {
		ui->is_tree_focused = !ui->is_tree_focused && !ui->config.attach_id;
		ui_place(ui);
		return;
	}
	ui->is_tree_wanted = !ui->is_tree_wanted && !ui->config.attach_id;
	if (!ui->is_tree_wanted && ui->focus >= 0)
		ui->is_tree_focused = false;
	ui_place(ui);
}

void
act_tree_focus(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->config.attach_id)
		return;
	ui->is_tree_wanted = ui->is_tree_focused = true;
	ui_place(ui);
}

void
act_detach(struct ui *ui, const char *arg)
{
	(void)arg;
	ui->wants_quit = true;
}

static void
run_typed(struct ui *ui, const char *text)
{
	if (*text)
		ui_run(ui, text);
}

void
act_clipboard_copy(struct ui *ui, const char *arg)
{
	(void)arg;
	ui_copy(ui);
}

void
act_prompt(struct ui *ui, const char *arg)
{
	(void)arg;
	ui_ask_field(ui, ":", "", run_typed);
	ui_palette_open(ui);
}

void
act_reload(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui->config.reload)
		ui->config.reload(ui->config.arg);
}

void
act_keys(struct ui *ui, const char *arg)
{
	(void)arg;
	ui_show_help(ui);
}

void
act_prefix(struct ui *ui, const char *arg)
{
	(void)arg;
	if (ui_pane(ui))
		pane_key(ui_pane(ui), ui->config.keymap->prefix);
}
