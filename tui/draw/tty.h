/* tty.h - the outer terminal: raw mode, bytes in, bytes out, never waiting.
 * Contract:  what is written goes out as the terminal takes it; while something is left,
 *            tty_is_busy() is true and nobody should draw: the newest picture follows when
 *            `drained` is called. The descriptors are opened anew, so that non-blocking mode does
 *            not leak to the shell that shares the old ones. tty_close() gives the terminal back;
 *            so does a handler for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT.
 * Ownership: tty_new() returns owned; the loop is borrowed.
 * Errors:    -ENOTTY when standard input or output is no terminal.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "sandesk/types.h"

struct buf;
struct err;
struct loop;
struct tty;

struct tty_ops {
	void (*input)(const void *bytes, size_t len, void *arg);
	void (*drained)(void *arg);
	void (*resized)(struct size size, void *arg);
	void (*hangup)(void *arg); /* the terminal went away */
};

/* Checks and opens; changes nothing yet. */
struct tty *tty_new(struct loop *l, const struct tty_ops *ops, void *arg, struct err *e);
void tty_free(struct tty *t); /* accepts NULL */

/* Raw mode from here on. `rescue` is written by the crash handler; it must outlive the terminal. */
int tty_start(struct tty *t, const char *rescue, struct err *e);

/* Writes what is queued and `last`, waiting at most a second, and gives the terminal's modes
 * back. */
void tty_stop(struct tty *t, const struct buf *last);

/* What the crash handler writes from now on. */
void tty_set_rescue(struct tty *t, const char *rescue);

struct size tty_size(const struct tty *t);
/* of one cell; 0 where the terminal does not say */
void tty_cell_pixels(const struct tty *t, unsigned *ret_width, unsigned *ret_height);
void tty_write(struct tty *t, const struct buf *bytes);
bool tty_is_busy(const struct tty *t);
