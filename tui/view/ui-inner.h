/* ui-inner.h - what the files ui*.c share. Nobody else includes it.
 *
 *      +------------+-------------------------------+
 *      | tree       | panes (layout.h)              |      mode NORMAL -- prefix --> PREFIX -- key --> command text
 *      |            |                               |                              (which-key after 300 ms)
 *      |            |                               |      FIELD, QUESTION, TEXT and SCROLL take all keys until they end
 *      +------------+-------------------------------+
 *      | bar, or message, field, question           |
 *      +--------------------------------------------+
 */
#pragma once

#include <sys/types.h>

#include "draw/surface.h"
#include "draw/theme.h"
#include "input/keymap.h"
#include "sandesk/base/buf.h"
#include "sandesk/client.h"
#include "sandesk/loop.h"
#include "view/copy.h"
#include "view/layout.h"
#include "view/model.h"
#include "view/palette.h"
#include "view/pane.h"
#include "view/tree.h"
#include "view/ui.h"
#include "widget/field.h"
#include "widget/textview.h"

struct err;

enum ui_mode { MODE_NORMAL, MODE_PREFIX, MODE_FIELD, MODE_QUESTION, MODE_TEXT, MODE_SCROLL };

enum { UI_TEXT_BYTES = 400, UI_REDIAL_MS = 150, UI_REDIALS_MAX = 40, UI_ECHO_MS = 120, UI_ECHOES = 3 };
enum { UI_HISTORY = 50 };
enum { TREE_MIN_WIDTH = 60 }; /* a screen that is narrower shows the tree or the panes */

/* Copy mode: the focused pane's view is held. */
enum copy_ask { ASK_SEARCH, ASK_HITS, ASK_PROMPTS, ASK_OUTPUT, ASK_TAKE, ASK_COUNT };

struct copying {
	bool is_on, is_typing, has_places;
	struct copy copy;
	struct field pattern;
	char last_pattern[FIELD_BYTES];
	struct copy_place origin; /* of a search that is being typed */
	uint64_t asked[ASK_COUNT]; /* requests that wait for an answer; 0: none */
	bool has_wrapped;
	/* what the mouse began before the places were known, or a copy that waits for them */
	unsigned press_row, press_col, clicks, drag_row, drag_col;
	int64_t press_ms;
	bool is_pressed, is_drag_due, is_take_due;
	enum copy_marking due; /* MARK_NONE: nothing */
	bool is_word_due;
	pid_t command; /* that got the text; 0: none runs */
	struct loop_signal *command_end;
};

typedef void ui_field_fn(struct ui *ui, const char *text);
typedef void ui_answer_fn(struct ui *ui, bool is_yes);

struct ui {
	struct ui_config config;
	struct rpc *rpc;
	struct model model;
	struct tree tree;
	struct size size;
	bool has_outer_focus;

	/* the Desktop that is shown */
	char desktop_id[ID_BYTES];
	struct layout layout;
	struct pane *panes[LAYOUT_PANES]; /* by their number in the layout */
	struct pane_env pane_env;
	int focus; /* pane; -1: none */
	bool is_zoomed, is_loading;
	unsigned layouts_asked; /* answers to layout.get that have not come */
	bool is_emptied;	/* the person closed the last pane: leave it so */
	/* to be shown as soon as the model knows it and its Desktop's layout is there */
	char wanted_session[ID_BYTES];
	struct loop_timer *redial;
	int redials;

	/* places, by ui_place() */
	struct area tree_area, main_area, bar_area;
	struct layout_spots spots;
	bool is_tree_wanted, is_tree_focused;
	int drag_pane; /* where a mouse button went down; -1: nowhere */

	enum ui_mode mode;
	struct loop_timer *which_key;
	bool is_which_key_shown;
	char field_label[UI_TEXT_BYTES];
	struct field field;
	ui_field_fn *field_done;
	enum layout_kind split_kind; /* of the split that waits for its session */
	char kept[FIELD_BYTES];	     /* the answer to the first of two questions */
	char kept_dir[FIELD_BYTES];  /* the answer to the second */
	char kept_id[ID_BYTES];	     /* what a field or question is about */
	char question[UI_TEXT_BYTES];
	ui_answer_fn *question_done;
	char question_method[64];
	json_t *question_params;
	struct textview text;
	char message[UI_TEXT_BYTES];
	bool is_error;

	/* a paste that waits for a yes, and where it goes */
	struct buf paste;
	char paste_session[ID_BYTES];
	/* what a program wants copied, until the person does it or another comes */
	struct buf copy;
	char copy_from[2 * NAME_BYTES];

	struct copying copying;
	/* behind ':' */
	struct palette *palette; /* NULL until it is opened first */
	int palette_at;		 /* the candidate that is chosen; -1: none */
	char *history[UI_HISTORY];
	size_t history_n, history_at;
	const struct command *listed; /* of which the result was asked for last */
	uint64_t requests; /* of keepers, made so far */
	enum ui_mode back_mode; /* where Escape behind the prefix key leads */

	bool is_dirty, is_echo_due, wants_quit;
	bool is_whole_due; /* more than frames of panes changed: the whole picture is made anew */
	int64_t key_ms;	   /* when the last key went to a program */
	int echoes_left; /* pictures that may still come early for it: a flood must not ride on a key */
};

/* ---- ui.c ---- */
void ui_mark(struct ui *ui);
void ui_expect_echo(struct ui *ui); /* something went to a program: its answer is urgent */
/* a keeper should answer for it */
bool ui_should_live(const struct ui *ui, const struct pane *p);

/* ---- ui-layout.c ---- */
void ui_show_desktop(struct ui *ui, const char *id);
void ui_show_session(struct ui *ui, const char *id);
void ui_show_something(struct ui *ui); /* any session of the Desktop, one that runs if there is one */
void ui_show_wanted(struct ui *ui);
void ui_save_layout(struct ui *ui);

/* ---- ui-panes.c ---- */
void ui_place(struct ui *ui);
int ui_make_pane(struct ui *ui, const char *session_id); /* -1: there are too many */
void ui_add_first(struct ui *ui, const char *session_id);
void ui_drop_pane(struct ui *ui, int pane);
void ui_drop_panes(struct ui *ui);
int ui_pane_showing(const struct ui *ui, const char *session_id); /* -1: none */
void ui_put_in_pane(struct ui *ui, const char *session_id); /* into the focused pane */
int ui_split(struct ui *ui, enum layout_kind kind, const char *session_id, struct err *e);
void ui_close_pane(struct ui *ui, int pane);
void ui_set_focus(struct ui *ui, int pane);
void ui_leave_modes(struct ui *ui);
struct pane *ui_pane(const struct ui *ui);	 /* the focused one, or NULL */
struct session *ui_session(const struct ui *ui); /* the focused pane's; or NULL */
/* what stop, kill, rename mean: the tree's row or the pane's */
struct session *ui_target(const struct ui *ui);
bool ui_is_shown(const struct ui *ui, const char *session_id);
bool ui_has_titles(const struct ui *ui);
/* a spot without its title row */
struct area ui_content(const struct ui *ui, struct area spot);

/* ---- ui-input.c, ui-which-key.c ---- */
void ui_open_row(struct ui *ui); /* the tree's */
void ui_draw_which_key(const struct ui *ui, struct surface *s);

/* ---- ui-tell.c: notifications, the clipboard, pastes that are asked about ---- */
void ui_noticed(struct pane *p, const char *text, unsigned dropped, void *arg);
void ui_copies(struct pane *p, const void *bytes, size_t len, void *arg);
void ui_copy(struct ui *ui);		   /* what waits */
void ui_tell_need(struct ui *ui, const char *session_id, unsigned before);
void ui_tell_hidden(struct ui *ui, const char *session_id, uint64_t before);
/* A budget of a session came near, or paused it. */
void ui_tell_limits(
	struct ui *ui, const char *session_id, bool was_near, enum status before);
/* Pastes, or asks first: text with newlines for a program that takes them as the Enter key. */
void ui_paste_into(struct ui *ui, struct pane *p, const char *bytes, size_t len);

/* ---- ui-copy.c: copy mode ---- */
void ui_copy_begin(struct ui *ui, int lines); /* in the focused pane, so many lines up */
void ui_copy_stop(struct ui *ui);	      /* the view follows again */
void ui_copy_forget(struct ui *ui);	      /* the pane goes away */
void ui_copy_fini(struct ui *ui);
void ui_copy_key(struct ui *ui, struct key k);
/* A mouse event over the focused pane's content `a`. False: it means nothing here. */
bool ui_copy_mouse(struct ui *ui, struct mouse m, struct area a);
void ui_copy_placed(struct pane *p, const struct pane_places *places, void *arg);
void ui_copy_answered(struct pane *p, uint64_t request, const char *text, size_t len,
	const char *why, void *arg);
void ui_copy_changed(struct ui *ui); /* a frame came */
void ui_copy_draw(const struct ui *ui, struct surface *s, struct area a);
void ui_copy_draw_bar(const struct ui *ui, struct surface *s);

/* ---- ui-palette.c ---- */
bool ui_palette_is_on(const struct ui *ui);
void ui_palette_open(struct ui *ui);
bool ui_palette_key(struct ui *ui, struct key k); /* true: the key was for it */
void ui_palette_typed(struct ui *ui);		  /* the line is another */
void ui_palette_draw(const struct ui *ui, struct surface *s);
void ui_palette_fini(struct ui *ui);

/* ---- ui-ask.c, ui-run.c, ui-act-*.c ---- */
void ui_ask(struct ui *ui, const char *question, ui_answer_fn *done);
/* "DESKTOP/SESSION", to be freed */
char *ui_target_text(const struct ui *ui, const struct session *s);
void ui_run(struct ui *ui, const char *command_text);
/* the reply's arg is the ui */
void ui_call(struct ui *ui, const char *method, json_t *params, rpc_reply_fn *fn);
void ui_ask_field(struct ui *ui, const char *label, const char *value, ui_field_fn *done);
void ui_answer(struct ui *ui, bool is_yes);
void ui_new_desktop(struct ui *ui);
void ui_show_help(struct ui *ui);
