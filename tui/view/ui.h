/* ui.h - everything that is on the screen, and what keys and the mouse do to it.
 * Contract:  knows no terminal: app.c hands in decoded events and takes pictures (ui_draw) when
 *            is_dirty says that one is due; after a picture went out it calls ui_drawn(), which is
 *            when frames are acknowledged. Nothing is called from inside ui_draw().
 * Ownership: ui_new() returns owned; what `config` points to outlives it. The daemon's connection
 *            is app.c's: ui_connect(NULL) when it is gone.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "sandesk/key.h"
#include "sandesk/types.h"

struct buf;
struct command;
struct keymap;
struct loop;
struct paths;
struct rpc;
struct surface;
struct theme;
struct ui;

struct ui_config {
	struct loop *loop;
	const struct paths *paths;
	const struct theme *theme;
	const struct keymap *keymap;
	const char *cwd;
	const char *attach_id; /* full screen on this session; NULL: tree and panes */
	bool is_read_only;
	/* takes text to the outer terminal's clipboard; false: it has none. May be NULL */
	bool (*copy)(const void *bytes, size_t len, void *arg);
	/* tells the outer terminal that a session needs somebody; may be NULL */
	void (*notify)(const char *text, void *arg);
	/* reads sandesk.ini and the theme again, and says so; may be NULL */
	void (*reload)(void *arg);
	/* a command's result as the CLI prints it; NULL: as it came */
	void (*list)(struct buf *to, const struct command *c, const json_t *result, void *arg);
	void *arg;
};

enum { UI_MIN_ROWS = 6, UI_MIN_COLS = 20, UI_WHICH_KEY_MS = 300 };

struct ui *ui_new(const struct ui_config *c);
void ui_free(struct ui *ui);

/* ---- the daemon ---- */
void ui_connect(struct ui *ui, struct rpc *rpc);
void ui_subscribed(struct ui *ui, const json_t *everything);
void ui_notified(struct ui *ui, const char *method, const json_t *params);

/* ---- the person ---- */
void ui_resize(struct ui *ui, struct size size);
void ui_key(struct ui *ui, struct key key);
void ui_mouse(struct ui *ui, struct mouse mouse);
void ui_paste(struct ui *ui, const char *bytes, size_t len, bool is_cut);
void ui_focus(struct ui *ui, bool has_focus);	  /* of the outer terminal */
/* of the outer terminal; 0 of each: not known */
void ui_cell_pixels(struct ui *ui, unsigned width, unsigned height);
void ui_background(struct ui *ui, bool is_dark);
void ui_message(struct ui *ui, const char *text); /* stays until a key */
void ui_error(struct ui *ui, const char *text);

/* ---- the picture ---- */
bool ui_is_dirty(const struct ui *ui);
/* what changed answers a key: do not let it wait */
bool ui_is_urgent(const struct ui *ui, int64_t now);
void ui_draw(struct ui *ui, struct surface *s);
void ui_drawn(struct ui *ui);
bool ui_wants_quit(const struct ui *ui);
