/* key.h - what a person does: keys, mouse, paste. Decoded once by the client, encoded once by the
 * keeper.
 * Contract:  `code` is a Unicode code point for keys that give text (always without Shift applied
 *            being lost: 'A' is 'A'), or one of enum key_code. Modifiers are those that the text
 *            does not show: Ctrl-a is 'a' with MOD_CTRL. What a plain terminal cannot tell is 0:
 *            a zeroed rest is a press of a key of which only `code` is known.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sandesk/base/auto.h"

struct buf;
struct err;

enum key_mod { MOD_SHIFT = 1, MOD_ALT = 2, MOD_CTRL = 4, MOD_SUPER = 8 };

/* Keys without text: id, the name that people write. Numbers are part of the wire format: append
 * only. */
/* clang-format off */
#define KEYS(X)                    \
	X(ENTER, "Enter")          \
	X(TAB, "Tab")              \
	X(BACKSPACE, "Backspace")  \
	X(ESCAPE, "Escape")        \
	X(UP, "Up")                \
	X(DOWN, "Down")            \
	X(RIGHT, "Right")          \
	X(LEFT, "Left")            \
	X(HOME, "Home")            \
	X(END, "End")              \
	X(PAGE_UP, "PageUp")       \
	X(PAGE_DOWN, "PageDown")   \
	X(INSERT, "Insert")        \
	X(DELETE, "Delete")        \
	X(F1, "F1") X(F2, "F2") X(F3, "F3") X(F4, "F4") X(F5, "F5") X(F6, "F6")      \
	X(F7, "F7") X(F8, "F8") X(F9, "F9") X(F10, "F10") X(F11, "F11") X(F12, "F12") \
	X(KP_ENTER, "KPEnter")     \
	X(SPACE, "Space")
/* clang-format on */

enum { KEY_FIRST = 0x110000 }; /* above every code point */

#define X(id, name) KEY_##id,
enum key_code { KEY_BEFORE_FIRST_ = KEY_FIRST - 1, KEYS(X) KEY_LAST };
#undef X

enum key_event { KEY_PRESS, KEY_REPEAT, KEY_RELEASE };

struct key {
	uint32_t code;
	uint8_t mods;  /* enum key_mod */
	uint8_t event; /* enum key_event */
	uint32_t
		unshifted; /* the key's code without Shift: 'a' where `code` is 'A', '1' where '!' */
	uint32_t base;	   /* the key's code in the US layout, where that is another one */
	uint32_t text;	   /* what it types, where that is not `code` */
};

enum mouse_kind {
	MOUSE_PRESS,
	MOUSE_RELEASE,
	MOUSE_DRAG,
	MOUSE_MOVE,
	MOUSE_WHEEL_UP,
	MOUSE_WHEEL_DOWN,
	MOUSE_WHEEL_LEFT,
	MOUSE_WHEEL_RIGHT
};

struct mouse {
	enum mouse_kind kind;
	uint8_t button; /* 1 left, 2 middle, 3 right; 0 for moves and wheels */
	uint8_t mods;
	uint16_t row; /* from 0, in the cells of whoever the event is given to */
	uint16_t col;
};

/* Parses "a", "C-Space", "M-x", "S-Up", "C-M-Delete", "F5", "^C". 0 or -EINVAL with the list of
 * forms in `e`. */
int key_parse(const char *text, struct key *ret, struct err *e);

/* The name of a key as key_parse() reads it, into a small array. */
enum { KEY_NAME_BYTES = 32 };
void key_name(struct key k, char ret[KEY_NAME_BYTES]);
