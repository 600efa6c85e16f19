/* shell.h - the command of a session that names none.
 * Contract:  the user's shell: $SHELL, else of the passwd entry, else /bin/sh; the first that can
 *            be run inside a sandbox, where only the system's own directories are to be seen.
 */
#pragma once

#include <stdbool.h>

const char *shell_choose(const char *env_shell, const char *passwd_shell);
bool shell_is_usable(const char *path);
