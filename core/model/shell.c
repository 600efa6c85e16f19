#include "model/shell.h"

#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandesk/base/auto.h"
#include "sandesk/base/str.h"

bool
shell_is_usable(const char *path)
{
	static const char *const inside[] = { "/usr/", "/bin/", "/sbin/", "/opt/" };
	struct stat st;

	for (size_t i = 0; path && i < ARRAY_LEN(inside); i++)
		if (str_has_prefix(path, inside[i]))
			return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
			       access(path, X_OK) == 0;
	return false;
}

const char *
shell_choose(const char *env_shell, const char *passwd_shell)
{
	if (shell_is_usable(env_shell))
		return env_shell;
	return shell_is_usable(passwd_shell) ? passwd_shell : "/bin/sh";
}
