/* start_bench.c - request to first instruction: the jail by itself, the bare floor, bubblewrap;
 * alternating, in one run; "spare" is the jail with processes and namespaces made before.
 * Contract:  usage: start_bench FLOOR STAMP DIR HOME [ROUNDS]. DIR must hold STAMP. Prints median,
 *            10th and 90th percentile in microseconds. Floor and jail are counted from their own
 *            first act, bubblewrap from the spawn, as a command is.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "jail/jail.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"

extern char **environ;

static double
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* The stamp in microseconds; stops the program when there was none. */
static double
read_stamp(int fd)
{
	char text[64];
	ssize_t n = fd_read_all(fd, text, sizeof text - 1);

	if (n <= 0) {
		fprintf(stderr, "start_bench: no stamp came: the sandbox did not start\n");
		exit(1);
	}
	text[n] = 0;
	return strtod(text, NULL) / 1e3;
}

static double
round_program(char *const argv[], bool has_own_start)
{
	int out[2], err[2];
	posix_spawn_file_actions_t actions;
	double start = now_us(), stamp;
	pid_t pid;

	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		exit(1);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, out[1], 1);
	posix_spawn_file_actions_adddup2(&actions, err[1], 2);
	if (posix_spawn(&pid, argv[0], &actions, NULL, argv, environ)) {
		fprintf(stderr, "start_bench: %s cannot be run\n", argv[0]);
		exit(1);
	}
	close(out[1]);
	close(err[1]);
	stamp = read_stamp(out[0]);
	if (has_own_start)
		start = read_stamp(err[0]);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(out[0]);
	close(err[0]);
	posix_spawn_file_actions_destroy(&actions);
	return stamp - start;
}

/* is_spare: what can be done before anything is known of the command was done before. */
static double
round_jail(const struct jail_policy *policy, bool is_spare)
{
	AUTO(plan) struct plan plan = { 0 };
	AUTO(jail) struct jail jail = { 0 };
	struct timespec rest = { .tv_nsec = 3000000 };
	struct err e = { 0 };
	double start, stamp;
	int out[2], r;

	if (pipe2(out, O_CLOEXEC))
		exit(1);
	struct jail_io io = { .pty = -1, .fds = { out[0], out[1], 2 } };
	r = is_spare ? jail_prepare(&jail, &e) : 0;
	if (is_spare)
		nanosleep(&rest, NULL); /* its first process comes to its wait */
	start = now_us();
	r = r ? r : plan_make(policy, &plan, &e);
	r = r ? r : is_spare ? jail_run(&jail, &plan, &io, &e) : jail_start(&plan, &io, &jail, &e);
	if (r) {
		fprintf(stderr, "start_bench: %s\n", e.msg);
		exit(1);
	}
	close(out[1]);
	stamp = read_stamp(out[0]);
	close(out[0]);
	return stamp - start;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
report(const char *name, double *us, size_t n, double base)
{
	qsort(us, n, sizeof *us, by_value);
	printf("%-8s median %7.0f us  p10 %7.0f  p90 %7.0f  %5.2f x floor\n", name, us[n / 2],
		us[n / 10], us[n * 9 / 10], us[n / 2] / base);
}

int
main(int argc, char **argv)
{
	size_t rounds = argc > 5 ? (size_t)atol(argv[5]) : 41;
	char *const floor[] = { argv[1], argv[3], argv[2], NULL };
	char *const command[] = { argv[2], NULL };
	char *const bwrap[] = { "/usr/bin/bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc",
		"/proc", "--dev", "/dev", "--tmpfs", "/mnt", "--bind", argv[3], argv[3], argv[2],
		NULL };
	bool has_bwrap = !access(bwrap[0], X_OK);
	struct jail_policy policy;

	if (argc < 5 || !rounds)
		return 2;
	AUTO(mem) double *us = mem_zero(4 * rounds, sizeof *us);
	jail_policy_init(&policy);
	policy.desktop_dir = argv[3];
	policy.home_dir = argv[4];
	policy.user = "dev";
	policy.hostname = "bench";
	policy.argv = command;
	for (size_t i = 0; i < rounds; i++) {
		us[i] = round_program(floor, true);
		us[rounds + i] = round_jail(&policy, false);
		us[3 * rounds + i] = round_jail(&policy, true);
		us[2 * rounds + i] = has_bwrap ? round_program(bwrap, false) : 0;
	}
	qsort(us, rounds, sizeof *us, by_value);
	report("floor", us, rounds, us[rounds / 2]);
	report("jail", us + rounds, rounds, us[rounds / 2]);
	report("spare", us + 3 * rounds, rounds, us[rounds / 2]);
	if (has_bwrap)
		report("bwrap", us + 2 * rounds, rounds, us[rounds / 2]);
	return 0;
}
