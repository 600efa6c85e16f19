/* save.h - from registry to catalog and back.
 * Contract:  a change marks its session; all that is marked is written in one transaction at the
 *            end of the turn, or, when nobody waits for it, within SAVE_MS.
 */
#pragma once

#include <stdbool.h>

struct daemon;
struct err;
struct session;

/* fills the empty registry */
int save_load(struct daemon *d, struct err *e);
void save_mark(struct daemon *d, struct session *s, bool is_waited_for);
void save_run(void *daemon); /* writes what is marked now; for daemon.c's task and timer */
