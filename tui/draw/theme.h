/* theme.h - what the parts of the TUI look like: roles, not colours in code.
 * Contract:  built-in looks (colours; without colours for NO_COLOR and monochrome terminals) need
 *            no file. A theme file is lines `role = FOREGROUND [BACKGROUND [ATTRIBUTES]]`, read by
 *            inih; a colour is `default`, a name (red, bright-red), a number of the 256 colours or
 *            #rrggbb; attributes are joined by commas: bold dim italic underline reverse strike.
 *            Nothing is said by colour alone: every status has a sign and a word too.
 * Errors:    theme_load() gives the first wrong line with its number; the other lines apply all the
 *            same.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "draw/surface.h"
#include "sandesk/types.h"

struct err;
struct paths;

/* clang-format off */
#define THEME_ROLES(X) /* id, name, look in colours, look without */                                 \
	X(TEXT, "text", "default default", "default default")                                        \
	X(DIM, "dim", "bright-black default", "default default dim")                                 \
	X(BORDER, "border", "bright-black default", "default default dim")                           \
	X(BORDER_FOCUS, "border-focus", "cyan default bold", "default default bold")                 \
	X(TITLE, "title", "default default", "default default")                                      \
	X(TITLE_FOCUS, "title-focus", "cyan default bold", "default default bold,underline")         \
	X(DESKTOP, "desktop", "default default bold", "default default bold")                        \
	X(SELECTED, "selected", "default 238", "default default underline")                          \
	X(SELECTED_FOCUS, "selected-focus", "black cyan", "default default reverse")                 \
	X(BAR, "bar", "white 236", "default default reverse")                                        \
	X(BAR_STRONG, "bar-strong", "bright-white 236 bold", "default default reverse,bold")         \
	X(BAR_KEY, "bar-key", "cyan 236", "default default reverse,bold")                            \
	X(MESSAGE, "message", "black green", "default default reverse")                              \
	X(ERROR, "error", "bright-white red bold", "default default reverse,bold")                   \
	X(POPUP, "popup", "default 236", "default default")                                          \
	X(POPUP_KEY, "popup-key", "cyan 236 bold", "default default bold")                           \
	X(POPUP_TITLE, "popup-title", "yellow 236 bold", "default default bold,underline")           \
	X(FIELD, "field", "bright-white 236", "default default reverse")                             \
	X(MARKED, "marked", "black cyan", "default default reverse")                                 \
	X(HIT, "hit", "black yellow", "default default underline")                                   \
	X(HIT_HERE, "hit-here", "black bright-green bold", "default default reverse,bold")           \
	X(STARTING, "starting", "yellow default", "default default")                                 \
	X(WORKING, "working", "green default", "default default")                                    \
	X(WAITING, "waiting", "bright-yellow default bold", "default default bold")                  \
	X(DONE, "done", "blue default", "default default dim")                                       \
	X(FAILED, "failed", "bright-red default bold", "default default bold")                       \
	X(STOPPED, "stopped", "bright-black default", "default default dim")
/* clang-format on */

#define X(id, ...) ROLE_##id,
enum theme_role { THEME_ROLES(X) ROLE_COUNT };
#undef X

struct theme {
	struct style role[ROLE_COUNT];
};

void theme_default(struct theme *t, bool has_colours);

int theme_role_of(const char *name); /* -1: there is none */
const char *theme_role_name(enum theme_role r);

/* The folders where themes are looked for, by number, the person's own first; false behind the
 * last. And the file of a theme by its name or path; false: there is none. */
enum { THEME_PATH_BYTES = 4096 + 256 };
bool theme_folder(const struct paths *p, int n, char to[THEME_PATH_BYTES]);
bool theme_find(const struct paths *p, const char *name, char to[THEME_PATH_BYTES]);

/* Parses "FG [BG [ATTRS]]". 0 or -EINVAL with what is wrong. */
int theme_parse_style(const char *text, struct style *ret, struct err *e);

/* Applies the lines of a file or of a text on top of what `t` holds. `name` is for messages. */
int theme_load(struct theme *t, const char *path, struct err *e);
int theme_load_text(struct theme *t, const char *name, const char *text, struct err *e);

/* For terminals with 16 colours or fewer: backgrounds out of the 256 become reverse video, which
 * every terminal shows, and bright black becomes dim. */
void theme_reduce(struct theme *t);

enum theme_role theme_status_role(enum status s);

/* One sign per status, the same width everywhere: '~' starting, '*' working ... */
char theme_status_sign(enum status s);
