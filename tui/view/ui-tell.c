#include <stdio.h>
#include <string.h>

#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/mirror.h"
#include "view/ui-inner.h"

enum { COPY_SHOWN_BYTES = 30 };

/* ---- notifications ---- */
static void
notice_of(struct ui *ui, const struct session *s, const char *text, unsigned dropped)
{
	AUTO(mem) char *target = ui_target_text(ui, s), *line = NULL;

	if (ui->mode != MODE_NORMAL && ui->mode != MODE_SCROLL)
		return; /* a person is busy with the last row; the tree marks what is unread */
	if (dropped)
		line = str_format("%s says: %s (and %u before it)", target, text, dropped);
	else
		line = str_format("%s says: %s", target, text);
	ui_message(ui, line);
}

void
ui_noticed(struct pane *p, const char *text, unsigned dropped, void *arg)
{
	struct ui *ui = arg;
	const struct session *s = model_session(&ui->model, pane_session(p));

	if (s)
		notice_of(ui, s, text, dropped);
}

void
ui_tell_hidden(struct ui *ui, const char *session_id, uint64_t before)
{
	const struct session *s = model_session(&ui->model, session_id);

	if (s && s->notices > before && s->notice && !ui_is_shown(ui, session_id))
		notice_of(ui, s, s->notice, 0);
}

/* ---- limits ---- */
void
ui_tell_limits(struct ui *ui, const char *session_id, bool was_near, enum status before)
{
	const struct session *s = model_session(&ui->model, session_id);
	AUTO(mem) char *target = s ? ui_target_text(ui, s) : NULL, *line = NULL;
	bool is_paused = s && s->status == STATUS_PAUSED && before != STATUS_PAUSED;

	if (!s || !s->limits || (was_near && !is_paused) ||
		(ui->mode != MODE_NORMAL && ui->mode != MODE_SCROLL))
		return;
	line = is_paused ? str_format("%s is paused: %s; session resume grants it once more", target,
				   s->limits)
			 : str_format("%s: %s", target, s->limits);
	ui_message(ui, line);
}

static const char *
need_words(const struct session *s)
{
	const char *colon = s->why ? strstr(s->why, ": ") : NULL;

	return colon ? colon + 2 : s->need == NEEDS_ANSWER ? "asks" : "has finished";
}

/* Once per event: when a session comes to need more than it did. */
void
ui_tell_need(struct ui *ui, const char *session_id, unsigned before)
{
	const struct session *s = model_session(&ui->model, session_id);
	AUTO(mem) char *target = NULL, *line = NULL;
	bool is_looked_at = s && ui->has_outer_focus && ui_session(ui) == s;

	if (!s || s->is_exec || s->need <= before || is_looked_at)
		return;
	target = ui_target_text(ui, s);
	line = str_format("%s: %s", target, need_words(s));
	if (ui->config.notify)
		ui->config.notify(line, ui->config.arg);
	if (ui->mode == MODE_NORMAL && ui_session(ui) != s)
		ui_message(ui, line);
}

/* ---- the clipboard ---- */
void
ui_copy(struct ui *ui)
{
	char text[UI_TEXT_BYTES];

	if (!ui->copy.len) {
		ui_message(ui, "no program asks for a copy");
		return;
	}
	if (ui->config.copy && ui->config.copy(ui->copy.data, ui->copy.len, ui->config.arg)) {
		snprintf(text, sizeof text, "%zu bytes from %s are in the clipboard", ui->copy.len,
			ui->copy_from);
		ui_message(ui, text);
	} else {
		ui_error(ui, "clipboard: this terminal takes no text for it (OSC 52)");
	}
	buf_fini(&ui->copy);
}

static void
offer_copy(struct ui *ui)
{
	size_t len = ui->copy.len < COPY_SHOWN_BYTES ? ui->copy.len : COPY_SHOWN_BYTES;
	AUTO(buf) struct buf text = { 0 };
	char prefix[KEY_NAME_BYTES];

	key_name(ui->config.keymap->prefix, prefix);
	buf_addf(&text, "%s wants %zu bytes in the clipboard: \"", ui->copy_from, ui->copy.len);
	str_escape(&text, ui->copy.data, len);
	buf_addf(&text, "%s\"; %s y copies", len < ui->copy.len ? "..." : "", prefix);
	ui_message(ui, text.data);
}

/* No question box: a program could make one appear under the fingers of somebody who types. */
void
ui_copies(struct pane *p, const void *bytes, size_t len, void *arg)
{
	struct ui *ui = arg;
	const struct session *s = model_session(&ui->model, pane_session(p));
	AUTO(mem) char *target = s ? ui_target_text(ui, s) : NULL;

	if (!s || !len || ui->config.is_read_only || ui->config.keymap->clipboard == CLIPBOARD_NO)
		return;
	buf_reset(&ui->copy);
	buf_add(&ui->copy, bytes, len);
	str_copy(ui->copy_from, sizeof ui->copy_from, target);
	if (ui->config.keymap->clipboard == CLIPBOARD_YES)
		ui_copy(ui);
	else if (ui->mode == MODE_NORMAL || ui->mode == MODE_SCROLL)
		offer_copy(ui);
	ui_mark(ui);
}

/* ---- pastes ---- */
static size_t
count_lines(const char *bytes, size_t len)
{
	size_t n = len > 0;

	for (size_t i = 0; i + 1 < len; i++)
		n += bytes[i] == '\n' || (bytes[i] == '\r' && bytes[i + 1] != '\n');
	return n;
}

static void
paste_if_yes(struct ui *ui, bool is_yes)
{
	struct pane *p = ui_pane(ui);

	if (is_yes && p && strcmp(pane_session(p), ui->paste_session) == 0) {
		pane_paste(p, ui->paste.data, ui->paste.len);
		ui_expect_echo(ui);
	}
	buf_fini(&ui->paste);
}

static bool
takes_lines_as_enter(const struct pane *p, const char *bytes, size_t len)
{
	return !(mirror_modes(pane_mirror(p)) & MIRROR_BRACKETED_PASTE) &&
	       (memchr(bytes, '\n', len) || memchr(bytes, '\r', len));
}

void
ui_paste_into(struct ui *ui, struct pane *p, const char *bytes, size_t len)
{
	const struct session *s = model_session(&ui->model, pane_session(p));
	AUTO(mem) char *target = s ? ui_target_text(ui, s) : NULL, *text = NULL;
	size_t lines = count_lines(bytes, len);

	if (!s || ui->config.is_read_only || !takes_lines_as_enter(p, bytes, len)) {
		pane_paste(p, bytes, len);
		ui_expect_echo(ui);
		return;
	}
	buf_reset(&ui->paste);
	if (buf_add(&ui->paste, bytes, len) < 0)
		return;
	str_copy(ui->paste_session, sizeof ui->paste_session, s->id);
	text = str_format("Paste %zu line%s into %s? The program takes each line as Enter", lines,
		lines == 1 ? "" : "s", target);
	ui_ask(ui, text, paste_if_yes);
}
