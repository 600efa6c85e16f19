/* sandesk-keeper: owns one session. The daemon starts it with 1 and 2 on the log and its connection on
 * 3, some before they are needed (core/model/spare.h); the `start` message says what to run, and
 * brings the descriptors of a session without a terminal. */
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keeper/keeper.h"
#include "sandesk/base/fd.h"
#include "sandesk/loop.h"

enum { FD_DAEMON = 3 };

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

	umask(077);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	fd_set_cloexec(FD_DAEMON, true);
	if (chdir("/") < 0 || paths_init(&paths, &e) < 0) {
		fprintf(stderr, "sandesk-keeper: %s\n", e.msg[0] ? e.msg : "cannot go to /");
		return 1;
	}
	loop = loop_new();
	k = keeper_new(loop, &paths);
	k->has_walls = true;
	keeper_add_viewer(k, FD_DAEMON);
	run_prepare(k);
	term = loop_signal_new(loop, SIGTERM, on_term, k);
	loop_run(loop);
	loop_signal_free(term);
	keeper_free(k);
	loop_free(loop);
	return 0;
}
