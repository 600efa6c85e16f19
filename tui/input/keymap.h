/* keymap.h - what can follow the prefix key.
 * Contract:  a binding is a key, a command text, a hint and a group; the text runs through the same
 *            executor as what a person types behind ':'. Exactly one prefix key; every other key
 *            goes to the program.
 * Errors:    keymap_load() gives the first wrong line of sandesk.ini with its number; the rest
 *            still applies. A file that is missing is no error.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "sandesk/key.h"

struct err;

enum key_group { GROUP_PANES, GROUP_SESSIONS, GROUP_DESKTOPS, GROUP_OTHER, GROUP_COUNT };

const char *key_group_name(enum key_group g);

enum { KEYMAP_MAX = 128, BINDING_BYTES = 120 };

struct binding {
	struct key key;
	enum key_group group;
	bool is_hidden; /* a second key for the same thing: not in the pop-up */
	char command[BINDING_BYTES];
	char hint[40];
};

/* What becomes of text that a program wants copied (OSC 52). ask: a key of the person copies it. */
enum clipboard_policy { CLIPBOARD_ASK, CLIPBOARD_YES, CLIPBOARD_NO };

struct keymap {
	struct key prefix;
	struct binding rows[KEYMAP_MAX];
	size_t n;
	char theme[64]; /* [look] theme = NAME or a path */
	char copy_command[256]; /* [copy] command: gets what is copied as its input */
	enum clipboard_policy clipboard;
	bool rings_bell; /* [notify] bell = yes: when a session needs somebody */
	bool is_quiet;	 /* [notify] terminal = no: the outer terminal is told nothing */
};

void keymap_default(struct keymap *k);

/* [keys] prefix = C-Space; [bind] KEY = COMMAND TEXT (empty: unbound); [look] theme = NAME;
 * [terminal] clipboard = ask | yes | no; [copy] command = SHELL COMMAND;
 * [notify] bell, terminal = yes | no. */
int keymap_load(struct keymap *k, const char *path, struct err *e);
int keymap_load_text(struct keymap *k, const char *name, const char *text, struct err *e);

const struct binding *keymap_find(const struct keymap *k, struct key key);
bool key_equal(struct key a, struct key b);
