/* ui-acts.h - one function for each row of actions.h, and what these files share. Nobody else includes it.
 * Contract:  an action says itself why it cannot be done. `arg` is one of the row's choices, or "".
 */
#pragma once

#include "view/actions.h"
#include "view/ui-inner.h"

#define X(id, words, choices, help) void act_##id(struct ui *ui, const char *arg);
TUI_ACTIONS(X)
#undef X

/* ---- ui-ask.c ---- */
void ui_call_on(struct ui *ui, const char *method, const struct session *s);
struct session *ui_need_session(struct ui *ui); /* NULL: it was said that there is none */
bool ui_may_change(struct ui *ui);		/* false: it was said why not */
/* Calls after a yes. Takes params. */
void ui_ask_call(struct ui *ui, const char *method, json_t *params, const char *text);
void ui_show_text(struct ui *ui, const char *title, const char *text);

/* ---- ui-act-sessions.c ---- */
json_t *ui_start_params(const struct ui *ui, const struct desktop *d);
const struct desktop *ui_target_desktop(const struct ui *ui); /* the tree's or the one shown */
rpc_reply_fn ui_on_started, ui_on_desktop;

/* ---- ui-run.c ---- */
rpc_reply_fn ui_on_explained;
