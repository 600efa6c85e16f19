/* out.h - back ends: from the compositor's grid to bytes for the outer terminal.
 * Contract:  a back end is pure: it turns the difference between the last picture and this one into
 *            bytes and does no I/O; tty.h writes them. `start` takes the terminal over (alternate
 *            screen, mouse, paste), `stop` gives it back as it was. `redraw` forgets what is on the
 *            terminal, so that the next frame draws everything.
 *              direct  xterm-like terminals: colours by `depth`, underline styles, synchronized output when found
 *              curses  everything else that terminfo knows and that can place the cursor
 *              memory  tests: a frame is the screen as text, lines as they are, blanks at the end cut
 * Ownership: out_new() returns owned. Buffers are the caller's; bytes are appended.
 */
#pragma once

#include <stdbool.h>

#include "draw/surface.h"

struct buf;
struct err;
struct out;

/* How keys are asked for that the old forms cannot tell apart (Shift+Enter, Ctrl+.). */
enum out_keys { OUT_KEYS_PLAIN, OUT_KEYS_OTHER /* modifyOtherKeys */, OUT_KEYS_KITTY };

enum out_depth { DEPTH_MONO, DEPTH_8, DEPTH_16, DEPTH_256, DEPTH_RGB };

struct out_config {
	const char *term; /* TERM */
	enum out_depth depth;
	bool is_utf8;
	bool has_underline_styles;
	bool has_scroll_region;
	struct size size;
};

struct out_ops {
	const char *name;
	struct out *(*new)(const struct out_config *c, struct err *e);
	void (*free)(struct out *o);
	void (*start)(struct out *o, struct buf *to);
	void (*frame)(struct out *o, const struct surface *s, struct buf *to);
	void (*stop)(struct out *o, struct buf *to);
	void (*redraw)(struct out *o);
	void (*set_sync)(struct out *o, bool is_supported); /* may be NULL */
	/* may be NULL; once, between start and stop, which undoes it */
	void (*set_keys)(struct out *o, enum out_keys keys, struct buf *to);
};

struct out { /* every back end's struct begins with this */
	const struct out_ops *ops;
};

extern const struct out_ops out_direct, out_curses, out_memory;

/* Chooses the back end and fills the configuration from TERM, COLORTERM, NO_COLOR, the locale and
 * terminfo. -ENOTTY with one line when TERM is unset, dumb or unknown. `*config`'s size is left
 * alone. */
int out_probe(struct out_config *config, const struct out_ops **ret, struct err *e);

/* Queries whose answers tell what the terminal can do; a DA1 request at the end is the fence. ""
 * for back ends that ask nothing. */
const char *out_queries(const struct out_ops *ops);

/* Text for the terminal's clipboard, encoded anew. False: this back end knows no way. */
bool out_clipboard(const struct out_ops *ops, const void *bytes, size_t len, struct buf *to);

/* The bytes that make a terminal notify its person: OSC 777 where it is known to be the one that is
 * understood, else OSC 9; through tmux by its passthrough. Nothing when the back end has none. */
void out_notify(const struct out_ops *ops, const char *text, struct buf *to);

/* The bytes that give a terminal back in a crash, when nothing of ours may be trusted any more. */
const char *out_rescue(const struct out_ops *ops, enum out_keys keys);

/* A character for terminals without UTF-8: lines become + - |, the rest '?'. */
char out_ascii(uint32_t cp);

/* The colour that is nearest to `c` with that depth; default stays default. */
uint32_t out_reduce(uint32_t c, enum out_depth depth);

/* terminfo, without taking the terminal over. Implemented beside the curses back end. */
struct terminfo {
	int colours; /* -1: not known */
	bool can_address;
	bool has_underline_styles;
};
int terminfo_probe(const char *term, struct terminfo *ret, struct err *e);
