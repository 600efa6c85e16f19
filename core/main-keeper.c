/* sandesk-keeper: owns one session. The daemon starts it with 1 and 2 on the log and its connection on
 * 3, some before they are needed (core/model/spare.h); the `start` message says what to run, and
 * brings the descriptors of a session without a terminal.
 *
 * It is also what doctor runs: `sandesk-keeper doctor default|strict DIRECTORY` prints the table of
 * walls, one line of fields for each (check_line() below), and `sandesk-keeper attempts [NAME]` is
 * what that starts inside. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/attempts.h"
#include "jail/checkup.h"
#include "keeper/keeper.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/str.h"
#include "sandesk/loop.h"

enum { FD_DAEMON = 3 };

static void
on_term(void *arg)
{
	run_quit(arg);
}

/* NAME STATE wall|advice WHAT WHY MEND, with a tab between them; escaped, so that no text has one. */
static void
check_line(const struct check_row *r, struct buf *to)
{
	const char *fields[] = { r->name, check_state_name(r->state),
		r->is_wall ? "wall" : "advice", r->what, r->why, r->mend };

	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		str_escape(to, fields[i], strlen(fields[i]));
		buf_add_char(to, i + 1 < ARRAY_LEN(fields) ? '\t' : '\n');
	}
}

static int
doctor_main(const char *profile, const char *dir)
{
	AUTO(buf) struct buf text = { 0 };
	struct checkup table = { 0 };
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = 0;
	checkup_run(&table, str_equal(profile, "strict") ? JAIL_STRICT : JAIL_DEFAULT, dir, self);
	for (size_t i = 0; i < table.n; i++)
		check_line(&table.rows[i], &text);
	return fd_write_all(STDOUT_FILENO, text.data, text.len) ? 1 : 0;
}

static int
keeper_main(void)
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

int
main(int argc, char **argv)
{
	if (argc == 4 && str_equal(argv[1], "doctor"))
		return doctor_main(argv[2], argv[3]);
	if (argc > 1 && str_equal(argv[1], "attempts"))
		return attempts_main(argc > 2 ? argv[2] : NULL);
	return keeper_main();
}
