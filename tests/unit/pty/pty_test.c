#include "../../lib/check.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pty/pty.h"
#include "sandesk/base/fd.h"

static void
sizes(void **state)
{
	AUTO(pty) struct pty p = { .fd = -1 };
	AUTO(fd) int slave = -1;
	struct winsize ws;

	(void)state;
	assert_int_equal(pty_open(&p, (struct size){ 24, 80 }, NULL), 0);
	slave = pty_slave(&p, NULL);
	assert_true(slave >= 0 && isatty(slave));
	assert_true(fcntl(p.fd, F_GETFD) & FD_CLOEXEC);
	assert_true(fcntl(slave, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(ioctl(slave, TIOCGWINSZ, &ws), 0);
	assert_true(ws.ws_row == 24 && ws.ws_col == 80);
	assert_int_equal(pty_resize(&p, (struct size){ 50, 132 }), 0);
	assert_int_equal(ioctl(slave, TIOCGWINSZ, &ws), 0);
	assert_true(ws.ws_row == 50 && ws.ws_col == 132);
}

static void
foreground_group(void **state)
{
	AUTO(pty) struct pty p = { .fd = -1 };
	AUTO(fd) int slave = -1;
	int ready[2], go[2], status;
	char byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pty_open(&p, (struct size){ 24, 80 }, NULL), 0);
	slave = pty_slave(&p, NULL);
	assert_true(slave >= 0);
	assert_int_equal(pty_foreground(&p), 0); /* nobody's terminal yet */
	assert_true(!pipe(ready) && !pipe(go));
	pid = fork();
	if (!pid) {
		close(go[1]);
		if (setsid() < 0 || ioctl(slave, TIOCSCTTY, 0) || write(ready[1], "x", 1) != 1)
			_exit(1);
		_exit(read(go[0], &byte, 1) != 0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(pty_foreground(&p), pid);
	close(go[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
closed(void **state)
{
	struct pty p = { .fd = -1 };

	(void)state;
	assert_int_equal(pty_resize(&p, (struct size){ 24, 80 }), -EBADF);
	assert_int_equal(pty_foreground(&p), -EBADF);
	pty_close(&p);
	assert_int_equal(p.fd, -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
		cmocka_unit_test(foreground_group),
		cmocka_unit_test(closed),
	};

	return cmocka_run_group_tests_name("pty/pty", tests, NULL, NULL);
}
