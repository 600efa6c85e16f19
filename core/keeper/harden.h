/* harden.h - the keeper's own walls, up as soon as its sandbox is.
 * Contract:  afterwards this process has no file system, makes no process, program or socket, looks
 *            into no other process, and gains no privilege: keeper/syscalls.h is the list of what is
 *            left. What it has open it keeps. Its log can fill a disk no further than LOG_BYTES
 *            twice, and a crash of it writes no core and starts no core helper: its memory holds
 *            what was typed. There is no way back.
 *            The name of its socket is therefore the daemon's to remove (model/keeper.h), and its
 *            log's to move (base/log.h).
 *            Landlock is not used: a process in a Landlock domain may not look at the namespaces of
 *            processes outside (ptrace rules), which is how clients are told from sandboxed ones, nor
 *            signal them; without a call that takes a name it has nothing to add.
 *            It stays dumpable: its owner may debug it and read its memory use.
 * Errors:    negative errno; the session must not start then.
 * Source:    seccomp(2), core(5) (a limit of 1 byte), setrlimit(2).
 */
#pragma once

#include <stdbool.h>

#include "sandesk/base/err.h"

/* `peers_by_fd`: of struct peer_home (conn.h). */
int harden_process(bool peers_by_fd, struct err *e);
