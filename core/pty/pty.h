/* pty.h - the master side of a pseudo terminal.
 * Contract:  the slave is opened from the master (TIOCGPTPEER), never by path: a path could name
 *            another terminal by then, and /dev/pts of somebody else's mount namespace.
 * Ownership: pty_close() closes the master; a slave fd belongs to who asked for it.
 * Units:     sizes are rows and columns of cells.
 * Source:    pty(7), ioctl_tty(2).
 */
#pragma once

#include <sys/types.h>

#include "sandesk/base/auto.h"
#include "sandesk/base/err.h"
#include "sandesk/types.h"

struct pty {
	int fd; /* master, close-on-exec; -1: none */
};

int pty_open(struct pty *p, struct size size, struct err *e);
void pty_close(struct pty *p);
void pty_drop(struct pty *p); /* for AUTO(pty) */

/* An owned fd of the slave side, close-on-exec, not made the controlling terminal; or negative
 * errno. */
int pty_slave(const struct pty *p, struct err *e);

/* Tells the kernel the new size; the foreground group gets SIGWINCH. 0 or negative errno. */
int pty_resize(const struct pty *p, struct size size);

/* The foreground process group, as seen from here; 0 when it is none of this pid namespace; or
 * negative errno. */
pid_t pty_foreground(const struct pty *p);
