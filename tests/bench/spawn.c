/* spawn.c - times commands from outside: from just before posix_spawn to their first instruction
 * and to their reaped exit.
 *
 *      spawn ROUNDS GAP_MS LOG < commands        a command per line, words split by tabs; the first word is its label
 *
 * Contract:  each round runs every command once, in a new random order, so that whatever else the
 *            machine does hits all alike; three rounds more come first and are not counted. A
 *            command's first line on standard output, when it is a number, is the CLOCK_MONOTONIC
 *            nanosecond at which its program began (stamp.c). Standard input is /dev/null, standard
 *            error goes to LOG, standard output is a pipe. Prints for each command and kind: LABEL,
 *            "first" or "exit", then the nanoseconds of each round, split by tabs; and LABEL
 *            "failed" COUNT when there were failures.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS_MAX = 32, WORDS_MAX = 64, WARM_ROUNDS = 3, LIMIT_MS = 10000 };

struct command {
	char *label;
	char *argv[WORDS_MAX];
	int runs, failures;
	long long *first, *exit;
};

static long long
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int
read_commands(struct command *c)
{
	static char line[8192];
	int n = 0;

	while (n < COMMANDS_MAX && fgets(line, sizeof line, stdin)) {
		char *rest = strdup(line), *word;
		int words = 0;

		rest[strcspn(rest, "\n")] = 0;
		c[n].label = strsep(&rest, "\t");
		while ((word = strsep(&rest, "\t")) && words < WORDS_MAX - 1)
			c[n].argv[words++] = word;
		n += words > 0;
	}
	return n;
}

/* Reads until the pipe closes; *ret_stamp is the number on the first line, 0 when there was
 * none. */
static int
read_output(int fd, long long *ret_stamp)
{
	char text[4096], head[64] = "";
	size_t used = 0;
	ssize_t n;

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };

		if (poll(&p, 1, LIMIT_MS) <= 0)
			return -1;
		n = read(fd, text, sizeof text);
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		for (ssize_t i = 0; i < n && used < sizeof head - 1; i++)
			head[used++] = text[i];
	}
	*ret_stamp = strtoll(head, NULL, 10);
	return 0;
}

static int
run_once(struct command *c, int log, long long *ret_first, long long *ret_exit)
{
	posix_spawn_file_actions_t act;
	int out[2], status = 0, r;
	long long start, stamp = 0;
	extern char **environ;
	pid_t pid;

	if (pipe2(out, O_CLOEXEC) < 0)
		return -1;
	posix_spawn_file_actions_init(&act);
	posix_spawn_file_actions_addopen(&act, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&act, out[1], 1);
	posix_spawn_file_actions_adddup2(&act, log, 2);
	start = now_ns();
	r = posix_spawnp(&pid, c->argv[0], &act, NULL, c->argv, environ);
	close(out[1]);
	posix_spawn_file_actions_destroy(&act);
	if (r == 0 && (r = read_output(out[0], &stamp)) < 0)
		kill(pid, SIGKILL);
	close(out[0]);
	if (r > 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	*ret_exit = now_ns() - start;
	*ret_first = stamp > start ? stamp - start : 0;
	return r < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0 ? -1 : 0;
}

static void
run_round(struct command *c, int count, int log, int gap_ms, int is_counted)
{
	struct timespec gap = { .tv_nsec = gap_ms * 1000000L };
	int order[COMMANDS_MAX];
	long long first, end;

	for (int i = 0; i < count; i++) {
		int j = rand() % (i + 1);

		order[i] = order[j];
		order[j] = i;
	}
	for (int i = 0; i < count; i++) {
		struct command *it = &c[order[i]];

		nanosleep(&gap, NULL);
		if (run_once(it, log, &first, &end) < 0) {
			it->failures++;
		} else if (is_counted) {
			it->first[it->runs] = first;
			it->exit[it->runs++] = end;
		}
	}
}

static void
print(const struct command *c, const char *kind, const long long *ns)
{
	printf("%s\t%s", c->label, kind);
	for (int i = 0; i < c->runs; i++)
		printf("\t%lld", ns[i]);
	printf("\n");
}

int
main(int argc, char **argv)
{
	static struct command c[COMMANDS_MAX];
	int rounds, gap_ms, count, log;

	if (argc != 4) {
		fputs("usage: spawn ROUNDS GAP_MS LOG < commands\n", stderr);
		return 2;
	}
	rounds = (int)strtol(argv[1], NULL, 10);
	gap_ms = (int)strtol(argv[2], NULL, 10);
	log = open(argv[3], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	count = read_commands(c);
	if (log < 0 || rounds < 1 || gap_ms < 0 || gap_ms > 900)
		return 2;
	for (int i = 0; i < count; i++) {
		c[i].first = calloc((size_t)rounds, sizeof *c[i].first);
		c[i].exit = calloc((size_t)rounds, sizeof *c[i].exit);
	}
	srand(7);
	for (int r = -WARM_ROUNDS; r < rounds; r++)
		run_round(c, count, log, gap_ms, r >= 0);
	for (int i = 0; i < count; i++) {
		print(&c[i], "first", c[i].first);
		print(&c[i], "exit", c[i].exit);
		if (c[i].failures)
			printf("%s\tfailed\t%d\n", c[i].label, c[i].failures);
	}
	return 0;
}
