/* landlock.h - a second wall for names, behind mounts and namespaces. Private to core/jail.
 * Contract:  each function restricts the calling process for ever, and its children.
 *            A domain with rules for files can no longer mount (landlock(7)), so that the default
 *            profile, in which inner sandboxes must, gets scopes alone.
 *            Rules only ever allow: nothing can be denied below what is allowed. A Desktop in /tmp
 *            therefore may hold sockets as far as Landlock goes; init refuses them (notify.h).
 * Limits:    what the kernel's ABI does not know is left out; landlock_abi() tells.
 * Source:    landlock(7); Debian 12's headers end at ABI 3.
 */
#pragma once

#include <stdint.h>

#include "sandesk/base/err.h"

enum { LANDLOCK_ABI_SCOPES = 6 };

struct plan;

/* 0: the kernel has none. */
int landlock_abi(void);

/* No signal and no abstract socket leaves the sandbox. 0 where there is no ABI 6. */
int landlock_scopes(struct err *e);

/* Also what may be read, written, run and made where, by the plan's mounts. */
int landlock_files(const struct plan *p, struct err *e);

/* Sockets are made below this directory alone. Negative errno. */
int landlock_make_only_below(int dir);
