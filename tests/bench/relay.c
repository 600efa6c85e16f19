/* relay.c - the least that a multiplexer can cost a key: bytes are handed on between the terminal and a pty, unread.
 *
 *      relay COMMAND [ARG ...]       one process between the terminals, as a server that holds the client's terminal itself
 *      relay -2 COMMAND [ARG ...]    two, with a socket between them: a client, and a server that outlives it
 *
 * Contract:  no parsing, no screen, no drawing. What tmux and sandesk take beyond it is theirs; what it takes beyond a bare
 *            pty is the kernel's: a terminal hands bytes on by a worker thread, so that each pty passed costs two wake-ups and
 *            each socket one. Bare pty: 4 wake-ups from key to echo; relay: 8; relay -2: 10.
 */
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

static int
hand_on(int from, int to)
{
	char bytes[65536];
	ssize_t n = read(from, bytes, sizeof bytes);

	for (ssize_t done = 0, k; n > 0 && done < n; done += k)
		if ((k = write(to, bytes + done, (size_t)(n - done))) <= 0)
			return -1;
	return n > 0 ? 0 : -1;
}

/* Both directions until an end closes. */
static int
run(int in, int out, int far)
{
	struct pollfd p[2] = { { .fd = in, .events = POLLIN }, { .fd = far, .events = POLLIN } };

	for (;;) {
		if (poll(p, 2, -1) < 0)
			return 1;
		if (p[0].revents && hand_on(in, far) < 0)
			return 0;
		if (p[1].revents && hand_on(far, out) < 0)
			return 0;
	}
}

static int
open_pty(char **argv)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	int fd;
	pid_t pid;

	ioctl(STDIN_FILENO, TIOCGWINSZ, &size);
	pid = forkpty(&fd, NULL, NULL, &size);
	if (pid == 0) {
		execvp(argv[0], argv);
		_exit(127);
	}
	return pid < 0 ? -1 : fd;
}

int
main(int argc, char **argv)
{
	int is_pair = argc > 1 && strcmp(argv[1], "-2") == 0, ends[2], far;
	struct termios t;

	if (argc < 2 + is_pair) {
		fputs("usage: relay [-2] COMMAND [ARG ...]\n", stderr);
		return 2;
	}
	if (is_pair && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) {
		if (fork() == 0) {
			close(ends[0]);
			far = open_pty(argv + 2);
			return far < 0 ? 1 : run(ends[1], ends[1], far);
		}
		close(ends[1]);
		far = ends[0];
	} else {
		far = open_pty(argv + 1);
	}
	if (far < 0)
		return 1;
	if (tcgetattr(STDIN_FILENO, &t) == 0) {
		cfmakeraw(&t);
		tcsetattr(STDIN_FILENO, TCSANOW, &t);
	}
	return run(STDIN_FILENO, STDOUT_FILENO, far);
}
