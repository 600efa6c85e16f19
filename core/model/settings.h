/* settings.h - what sandesk.ini says to the daemon.
 * Contract:  read anew for each session that starts, so a change needs no restart. A file that is
 *            missing, or a line that says nothing to us, leaves what holds without it.
 *
 *   [terminal]
 *   erase_history = no     may a program's CSI 3 J (`clear` sends it, and agents that repaint) erase
 *                          the scrollback? Without it no: what an agent printed stays readable.
 */
#pragma once

#include <stdbool.h>

struct settings {
	bool erases_history;
};

void settings_load(struct settings *s, const char *path);
