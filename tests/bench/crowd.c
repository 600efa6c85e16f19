/* crowd.c - the least that many sandboxes with a terminal each can cost: starts them all at once.
 *
 *      crowd COUNT AT_ONCE COMMAND [ARG ...]     "%" in an argument becomes the number of the session
 *
 * Contract:  each COMMAND gets a pty of its own as 0, 1 and 2 and as controlling terminal, and is up
 *            once it has printed "$ "; AT_ONCE are on their way at a time. Prints the nanoseconds
 *            until the last was up, then holds them until standard input ends, and ends them.
 *            Exit status 1 when one did not come up in a minute.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SESSIONS_MAX = 1000, WORDS_MAX = 48, WORD_BYTES = 512, LIMIT_MS = 60000 };

struct session {
	pid_t pid;
	int pty;
	char last; /* byte printed */
	int is_up;
};

static long long
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void
become(int slave, char **argv, int number)
{
	static char words[WORDS_MAX][WORD_BYTES];
	char *own[WORDS_MAX + 1] = { 0 };

	setsid();
	ioctl(slave, TIOCSCTTY, 0);
	for (int fd = 0; fd < 3; fd++)
		dup2(slave, fd);
	for (int i = 0; argv[i] && i < WORDS_MAX; i++) {
		char *mark = strchr(argv[i], '%');

		if (mark)
			snprintf(words[i], WORD_BYTES, "%.*s%d%s", (int)(mark - argv[i]), argv[i],
				number, mark + 1);
		own[i] = mark ? words[i] : argv[i];
	}
	execvp(own[0], own);
	_exit(127);
}

static int
start(struct session *s, char **argv, int number)
{
	int slave;

	s->pty = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (s->pty < 0 || unlockpt(s->pty))
		return -1;
	slave = ioctl(s->pty, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0)
		return -1;
	s->pid = vfork();
	if (!s->pid)
		become(slave, argv, number);
	close(slave);
	return s->pid < 0 ? -1 : 0;
}

/* 1: just came up. -1: it is gone. */
static int
hear(struct session *s)
{
	char text[4096];
	ssize_t n = read(s->pty, text, sizeof text);
	int was_up = s->is_up;

	if (n <= 0)
		return -1;
	for (ssize_t i = 0; i < n; s->last = text[i++])
		s->is_up |= text[i] == ' ' && (i ? text[i - 1] : s->last) == '$';
	return s->is_up && !was_up;
}

int
main(int argc, char **argv)
{
	static struct session all[SESSIONS_MAX];
	static struct pollfd polls[SESSIONS_MAX];
	int count = argc > 3 ? (int)strtol(argv[1], NULL, 10) : 0, started = 0, up = 0;
	int at_once = argc > 3 ? (int)strtol(argv[2], NULL, 10) : 0;
	long long begin = now_ns();
	char byte;

	if (count < 1 || count > SESSIONS_MAX || at_once < 1)
		return 2;
	while (up < count) {
		while (started < count && started - up < at_once) {
			if (start(&all[started], argv + 3, started))
				return 1;
			polls[started] = (struct pollfd){ all[started].pty, POLLIN, 0 };
			started++;
		}
		if (poll(polls, (nfds_t)started, LIMIT_MS) <= 0)
			break;
		for (int i = 0; i < started; i++)
			if (polls[i].revents) {
				int r = hear(&all[i]);

				up += r > 0;
				if (r < 0)
					polls[i].fd = -1;
			}
	}
	printf("%lld\n", now_ns() - begin);
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	for (int i = 0; i < started; i++)
		kill(all[i].pid, SIGKILL);
	for (int i = 0; i < started; i++)
		waitpid(all[i].pid, NULL, 0);
	return up < count;
}
