#include <stdlib.h>
#include <string.h>

#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "view/ui-acts.h"

/* ---- calls to the daemon ---- */
static void
on_done(json_t *result, const struct err *error, void *arg)
{
	(void)result;
	if (error)
		ui_error(arg, error->msg);
}

static void
add_locale(json_t *params)
{
	static const char *const names[] = { "LANG", "LC_ALL", "LC_CTYPE", "LC_COLLATE",
		"LC_MESSAGES", "LC_TIME", "LC_NUMERIC", "LC_MONETARY", "TZ" };
	json_t *locale = json_object();

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			json_object_set_new(locale, names[i], json_string(value));
	}
	json_object_set_new(params, "locale", locale);
}

void
ui_call(struct ui *ui, const char *method, json_t *params, rpc_reply_fn *fn)
{
	if (!ui->rpc) {
		json_decref(params);
		ui_error(ui, "the daemon does not answer; reconnecting: try again in a moment");
		return;
	}
	json_object_set_new(params, "cwd", json_string(ui->config.cwd));
	add_locale(params);
	rpc_call(ui->rpc, method, params, fn ? fn : on_done, ui);
}

char *
ui_target_text(const struct ui *ui, const struct session *s)
{
	const struct desktop *d = model_desktop(&ui->model, s->desktop_id);

	return str_format("%s/%s", d ? d->name : "", s->name);
}

void
ui_call_on(struct ui *ui, const char *method, const struct session *s)
{
	AUTO(mem) char *target = ui_target_text(ui, s);

	ui_call(ui, method, json_pack("{s:s}", "target", target), NULL);
}

struct session *
ui_need_session(struct ui *ui)
{
	struct session *s = ui_target(ui);

	if (!s)
		ui_error(ui, "there is no session here; make one with the prefix key and c");
	return s;
}

bool
ui_may_change(struct ui *ui)
{
	if (ui->config.is_read_only)
		ui_error(ui, "this client is read-only");
	return !ui->config.is_read_only;
}

/* ---- asking ---- */
void
ui_ask_field(struct ui *ui, const char *label, const char *value, ui_field_fn *done)
{
	ui_leave_modes(ui);
	str_copy(ui->field_label, sizeof ui->field_label, label);
	field_set(&ui->field, value);
	ui->field_done = done;
	ui->mode = MODE_FIELD;
	ui_mark(ui);
}

void
ui_ask(struct ui *ui, const char *question, ui_answer_fn *done)
{
	ui_leave_modes(ui);
	str_copy(ui->question, sizeof ui->question, question);
	ui->question_done = done;
	ui->mode = MODE_QUESTION;
	ui_mark(ui);
}

static void
call_if_yes(struct ui *ui, bool is_yes)
{
	json_t *params = ui->question_params;

	ui->question_params = NULL;
	if (!is_yes) {
		json_decref(params);
		return;
	}
	json_object_set_new(params, "yes", json_true());
	ui_call(ui, ui->question_method, params, NULL);
}

void
ui_ask_call(struct ui *ui, const char *method, json_t *params, const char *text)
{
	str_copy(ui->question_method, sizeof ui->question_method, method);
	json_decref(ui->question_params);
	ui->question_params = params;
	ui_ask(ui, text, call_if_yes);
}

void
ui_answer(struct ui *ui, bool is_yes)
{
	ui_leave_modes(ui);
	ui->question_done(ui, is_yes);
}

void
ui_show_text(struct ui *ui, const char *title, const char *text)
{
	ui_leave_modes(ui);
	textview_set(&ui->text, title, text);
	ui->mode = MODE_TEXT;
	ui_mark(ui);
}
