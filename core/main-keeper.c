/* sandesk-keeper: owns one session. Started by the daemon with
 *      1, 2  the log        3  the daemon's connection
 *      4-6   standard input, output and error of the command, and 7 the caller's connection, when there is no terminal
 * The `start` message on 3 says what to run. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keeper/keeper.h"
#include "sandesk/base/fd.h"
#include "sandesk/loop.h"

enum { FD_DAEMON = 3, FD_LAST = 7 };

static void
on_term(void *arg)
{
	run_quit(arg);
}

int
main(void)
{
	struct err e = { 0 };
	struct paths paths;
	struct loop *loop;
	struct keeper *k;
	struct loop_signal *term;
	/* asked before anything of ours takes the number */
	bool has_caller = fcntl(FD_LAST, F_GETFD) >= 0;

	umask(077);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	for (int fd = FD_DAEMON; fd <= FD_LAST; fd++)
		fd_set_cloexec(fd, true);
	if (chdir("/") < 0 || paths_init(&paths, &e) < 0) {
		fprintf(stderr, "sandesk-keeper: %s\n", e.msg[0] ? e.msg : "cannot go to /");
		return 1;
	}
	loop = loop_new();
	k = keeper_new(loop, &paths);
	keeper_add_viewer(k, FD_DAEMON);
	if (has_caller)
		keeper_add_viewer(k, FD_LAST)->is_owner = true;
	term = loop_signal_new(loop, SIGTERM, on_term, k);
	loop_run(loop);
	loop_signal_free(term);
	keeper_free(k);
	loop_free(loop);
	return 0;
}
