/* pane.h - one session on the screen: a connection to its keeper and a mirror of what it shows.
 * Contract:  frames are acknowledged by pane_drawn() and not before, so a keeper never sends more
 *            than what will be seen, and always the newest state. The pane outlives its keeper: it
 *            says what happened, and pane_dial() tries again. The size that the session should have
 *            is told once it is known, and whenever it changes; a session whose size belongs to
 *            another client is shown from its upper left corner.
 * Ownership: pane_new() returns owned; what `env` points to outlives the pane.
 */
#pragma once

#include <stdbool.h>

#include "draw/surface.h"
#include "draw/theme.h"
#include "sandesk/key.h"
#include "sandesk/types.h"

struct loop;
struct mirror;
struct msg;
struct pane;
struct paths;

/* What sessions are told of the terminal that shows them (messages.h: outer). */
struct outer_terminal {
	unsigned scheme; /* enum outer_scheme */
	unsigned cell_width, cell_height; /* pixels; 0: not known */
};

struct pane_places {
	const void *rows; /* copy_places() */
	size_t len;
	uint64_t first, next;
};

struct pane_env {
	struct loop *loop;
	const struct paths *paths;
	bool is_read_only;
	void (*changed)(struct pane *p, void *arg); /* a frame or a state came */
	void (*lost)(struct pane *p, void *arg);    /* the keeper hung up */
	void (*noticed)(struct pane *p, const char *text, unsigned dropped, void *arg);
	/* the program wants text copied */
	void (*copies)(struct pane *p, const void *bytes, size_t len, void *arg);
	/* the view is held: where its rows come from, before the frame that shows them */
	void (*placed)(struct pane *p, const struct pane_places *places, void *arg);
	/* what pane_ask() asked; text NULL: it failed, and why */
	void (*answered)(struct pane *p, uint64_t request, const char *text, size_t len,
		const char *why, void *arg);
	struct outer_terminal outer;
	void *arg;
};

struct pane *pane_new(const struct pane_env *env, const char *session_id);
void pane_free(struct pane *p); /* accepts NULL */
const char *pane_session(const struct pane *p);

/* Connects when there is no connection. False: no keeper answers. */
bool pane_dial(struct pane *p);
bool pane_is_live(const struct pane *p);

void pane_set_size(struct pane *p, struct size size);
void pane_drawn(struct pane *p);
void pane_tell_outer(struct pane *p); /* env->outer has changed */

void pane_key(struct pane *p, struct key key);
void pane_mouse(struct pane *p, struct mouse mouse);
void pane_paste(struct pane *p, const char *bytes, size_t len);
void pane_focus(struct pane *p, bool has_focus);
void pane_scroll(struct pane *p, int lines); /* up is positive; 0: back to the newest */
/* Moves a view that stands still whatever is printed, until pane_scroll(); 0: holds it where it is. */
void pane_hold(struct pane *p, int lines);
void pane_show(struct pane *p, uint64_t line); /* holds it so that the line is seen */
/* Sends a search, capture or commands message. False: nobody is there to answer. */
bool pane_ask(struct pane *p, const struct msg *m);

/* What the keeper said last. */
struct pane_state {
	bool is_known;
	enum status status;
	unsigned exit_code, exit_signal, clients;
	char reason[200];
	char title[128];
	struct size size;
};
const struct pane_state *pane_state(const struct pane *p);
const struct mirror *pane_mirror(const struct pane *p);

/* Draws the session into an area; the cursor too when the pane has the focus. `note` (or NULL)
 * stands on the last row. */
void pane_draw(const struct pane *p, struct surface *s, struct area a, const struct theme *t,
	const char *note, bool has_focus);

/* Only what frames have changed since pane_drawn(). pane_is_changed() tells whether more than that
 * is to be drawn. */
void pane_draw_changes(const struct pane *p, struct surface *s, struct area a, bool has_focus);
bool pane_is_changed(const struct pane *p);
