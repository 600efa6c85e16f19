/* sandesk: without words the TUI, with words one command. */
#include <fcntl.h>
#include <unistd.h>

#include "cli/cli.h"

/* A caller may have closed 0, 1 or 2. The next descriptor that is opened, a socket perhaps, would
 * take the number and what is meant for the terminal would go there. The wrong access mode makes a
 * use fail, as that of a closed descriptor would. */
static void
fill_standard_fds(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

int
main(int argc, char **argv)
{
	fill_standard_fds();
	if (argc < 2)
		return cli_open_tui(NULL, false);
	return cli_main((const char *const *)argv + 1, (size_t)argc - 1);
}
