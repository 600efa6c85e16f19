/* init.c - the sandbox's pid 1: a forked image of the keeper that is never exec'ed.
 * Contract:  reaps everything, forwards signals, reports the command's exact wait status once, and
 * leaves; the kernel kills what is left in its pid namespace. It holds one socket and no memory of
 * its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/inside.h"
#include "jail/notify.h"
#include "jail/pack.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"

enum { COMMAND_STACK = 64 << 10 };

int
inside_send(int socket, const struct message *m)
{
	size_t len = m->kind == MESSAGE_FAILED ? sizeof *m : MESSAGE_SHORT;
	ssize_t n = fd_send(socket, m, len, NULL, 0);

	return n < 0 ? (int)n : 0;
}

/* The text of /proc/PID/FILE, or nothing. */
static void
read_proc(pid_t pid, const char *file, char *text, size_t size)
{
	char path[48];
	AUTO(fd) int fd = -1;
	ssize_t n;

	snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : fd_read_all(fd, text, size - 1);
	text[n > 0 ? n : 0] = 0;
}

/* The group in front of the command's terminal, as the kernel tells it in field 8 of
 * /proc/PID/stat; the command's own group without a terminal. */
static pid_t
foreground(pid_t command)
{
	char text[512];
	const char *rest;
	int group = 0;

	read_proc(command, "stat", text, sizeof text);
	rest = strrchr(text, ')'); /* the name before it may hold anything */
	if (rest && sscanf(rest + 1, " %*c %*d %*d %*d %*d %d", &group) == 1 && group > 0)
		return group;
	return command;
}

static void
forward(const struct message *m, pid_t command)
{
	if (m->kind != MESSAGE_SIGNAL || m->value < 1 || m->value >= NSIG)
		return;
	if (m->target == TARGET_FOREGROUND)
		kill(-foreground(command), m->value);
	else
		kill(-1, m->value);
	if (m->target == TARGET_STOP)
		kill(-1, SIGCONT); /* what is stopped gets its signals when it goes on */
}

/* Reaps whatever has ended. Whether the command was among it. */
static bool
reap(struct notify *n, pid_t command, int *ret_status)
{
	bool is_over = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		notify_reaped(n, pid);
		if (pid == command) {
			*ret_status = status;
			is_over = true;
		}
	}
	return is_over;
}

/* Interactive shells do not end at SIGTERM, but at a hangup. It comes a moment later, because of
 * two pending signals the lower number, SIGHUP, would be what everything else dies of. */
enum { HANGUP_AFTER_MS = 150 };

struct init {
	int socket;
	struct notify notify;
	pid_t command;
	int64_t hangup_at; /* 0: none is due */
};

/* Milliseconds to sleep at most; -1 for ever. A hangup that is due is sent. */
static int
tick(struct init *i)
{
	int64_t left = i->hangup_at ? i->hangup_at - clock_ms() : -1;

	if (!i->hangup_at)
		return -1;
	if (left > 0)
		return (int)left;
	kill(-1, SIGHUP);
	kill(-1, SIGCONT);
	i->hangup_at = 0;
	return -1;
}

static void
tell_usage(int socket)
{
	struct usage_message m = { .kind = MESSAGE_USAGE };

	usage_count("/proc", &m.usage);
	(void)fd_send(socket, &m, sizeof m, NULL, 0); /* a keeper that is gone is seen by hear() */
}

static void
hear(struct init *i)
{
	struct message m;

	if (fd_read_all(i->socket, &m, MESSAGE_SHORT) != MESSAGE_SHORT)
		_exit(1); /* the keeper has gone */
	forward(&m, i->command);
	if (m.kind == MESSAGE_USAGE)
		tell_usage(i->socket);
	if (m.kind == MESSAGE_SIGNAL && m.target == TARGET_STOP)
		i->hangup_at = clock_ms() + HANGUP_AFTER_MS;
}

/* Serves until the command has ended; returns its wait status. */
static int
serve(const struct inside *in, pid_t command)
{
	struct init i = { .socket = in->socket, .command = command };
	struct signalfd_siginfo ignored;
	sigset_t child;
	int status = 0;
	struct pollfd fds[3] = { { .fd = in->socket, .events = POLLIN },
		{ .fd = -1, .events = POLLIN }, { .fd = in->listener, .events = POLLIN } };

	i.notify = (struct notify){
		.plan = &in->plan, .listener = in->listener, .keeper = in->socket
	};
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	fds[1].fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	while (!reap(&i.notify, command, &status)) {
		if (poll(fds, ARRAY_LEN(fds), tick(&i)) <= 0)
			continue;
		while (read(fds[1].fd, &ignored, sizeof ignored) > 0)
			;
		if (fds[0].revents)
			hear(&i);
		if (fds[2].revents && (!(fds[2].revents & POLLIN) || !notify_hear(&i.notify)))
			fds[2].fd = -1;
	}
	return status;
}

static void
close_all_but(const int *keep, size_t n)
{
	unsigned from = 0;
	int next;

	do {
		next = -1;
		for (size_t i = 0; i < n; i++)
			if (keep[i] >= 0 && (unsigned)keep[i] >= from &&
				(next < 0 || keep[i] < next))
				next = keep[i];
		if (next < 0)
			close_range(from, ~0U, 0);
		else if ((unsigned)next > from)
			close_range(from, (unsigned)next - 1, 0);
		from = (unsigned)next + 1;
	} while (next >= 0);
}

/* Handlers point into code of the keeper; what it ignores the command must not. */
static void
default_signals(void)
{
	struct sigaction dfl = { .sa_handler = SIG_DFL };
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (int sig = 1; sig < NSIG; sig++)
		sigaction(sig, &dfl, NULL);
}

/* /proc/1/cmdline is open to everybody inside and would show the keeper's. Its place stands in
 * /proc/self/stat, fields 48 and 49 (proc(5)); done while the keeper writes the id maps, so that it
 * costs nothing. */
static void
rename_init(void)
{
	char text[1024];
	unsigned long start = 0, end = 0;
	AUTO(fd) int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : fd_read_all(fd, text, sizeof text - 1);
	char *field = n > 0 ? (text[n] = 0, strrchr(text, ')')) : NULL;

	prctl(PR_SET_NAME, "sandesk-init");
	for (int i = 2; field && i < 48; i++)
		field = strchr(field + 1, ' ');
	if (field && sscanf(field, " %lu %lu", &start, &end) == 2 && start && end > start)
		explicit_bzero((void *)start, end - start);
}

/* A descriptor among 0 to 2 would be overwritten while these are set up. */
static int
move_up(struct inside *in)
{
	for (int i = 0; i < 3; i++) {
		if (in->fds[i] > 2)
			continue;
		in->fds[i] = fcntl(in->fds[i], F_DUPFD_CLOEXEC, 3);
		if (in->fds[i] < 0)
			return err_errno(in->err, -errno, "keep descriptor %d", i);
	}
	return 0;
}

/* Moves what came with the message to its places. */
static void
take_descriptors(struct inside *in, const int *fds, size_t n, size_t nio)
{
	for (size_t i = 0; i < 3; i++)
		in->fds[i] = fds[1 + (i < nio ? i : nio - 1)];
	for (size_t i = 0; i < PLAN_TREES; i++)
		in->trees[i] = 1 + nio + i < n ? fds[1 + nio + i] : -1;
}

static int
read_plan(struct inside *in, int fd)
{
	struct stat st;
	char *bytes;

	if (fstat(fd, &st) || st.st_size <= 0)
		return err_errno(in->err, -errno, "read the plan");
	bytes = mem_alloc((size_t)st.st_size);
	if (fd_read_all(fd, bytes, (size_t)st.st_size) != st.st_size)
		return err_errno(in->err, -errno, "read the plan");
	plan_unpack(bytes, (size_t)st.st_size, &in->plan);
	return 0;
}

/* The keeper says what to be, when it knows; its end of the socket closes when it goes. */
static int
await_plan(struct inside *in)
{
	int fds[FD_PASS_MAX], r;
	size_t n = FD_PASS_MAX;
	struct message go;

	if (fd_recv(in->socket, &go, MESSAGE_SHORT, fds, &n) != MESSAGE_SHORT ||
		go.kind != MESSAGE_GO || go.value < 1 || n < 1 + (size_t)go.value)
		_exit(1);
	take_descriptors(in, fds, n, (size_t)go.value);
	r = in->err->code ? in->err->code : read_plan(in, fds[0]);
	fd_close(fds[0]);
	return r ? r : move_up(in);
}

/* Shares init's memory, so that an error needs no packet; returns only when there was one. */
static int
command_main(void *arg)
{
	struct inside *in = arg;

	steps_run(in, TURN_COMMAND);
	return 1; /* not _exit(): a sanitizer would complain of the borrowed stack, on the caller's stderr */
}

/* vfork: init sleeps until the command was exec'ed or gave up, and no page table is copied. The
 * descriptors are shared until the exec, so that init has the filter's listener. */
static pid_t
start_command(struct inside *in)
{
	char *stack = mmap(NULL, COMMAND_STACK, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	pid_t pid;

	if (stack == MAP_FAILED) {
		err_errno(in->err, JAIL_NOT_BUILT, "memory for the command");
		return -1;
	}
	pid = clone(command_main, stack + COMMAND_STACK,
		CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, in);
	if (pid < 0)
		err_errno(in->err, JAIL_NOT_BUILT, "start a process for the command: %s",
			strerror(errno));
	munmap(stack, COMMAND_STACK);
	return pid;
}

/* They may be secrets, and init lives as long as the session. */
static void
wipe_env(char **env)
{
	for (; *env; env++)
		explicit_bzero(*env, strlen(*env));
}

/* Which of the paths that the plan watches is there now, counted from 1; 0: none is. */
static int
first_appeared(const struct plan *p)
{
	int nth = 0;

	for (size_t i = 0; i < p->nsteps; i++) {
		if (p->steps[i].op != PLAN_WATCH)
			continue;
		nth++;
		if (!faccessat(AT_FDCWD, p->steps[i].to, F_OK, AT_SYMLINK_NOFOLLOW))
			return nth;
	}
	return 0;
}

void
inside_main(struct inside *in)
{
	struct message m = { .kind = MESSAGE_FAILED };
	pid_t command = -1;

	in->err = &m.err;
	in->listener = -1;
	close_all_but(&in->socket, 1);
	default_signals();
	rename_init();
	umask(0);
	steps_run(in, TURN_EARLY); /* an error is told when somebody asks for the sandbox */
	if (!await_plan(in) && !steps_run(in, TURN_INIT))
		command = start_command(in);
	if (m.err.code) {
		if (command < 0 && m.err.code != JAIL_NOT_FOUND &&
			m.err.code != JAIL_NOT_EXECUTABLE)
			m.err.code = JAIL_NOT_BUILT;
		inside_send(in->socket, &m);
		_exit(1);
	}
	close_all_but((const int[]){ in->socket, in->listener }, 2);
	wipe_env(in->plan.env);
	m.kind = MESSAGE_STARTED;
	m.value = (int32_t)in->missing;
	inside_send(in->socket, &m);
	m.value = serve(in, command);
	tell_usage(in->socket);
	m.kind = MESSAGE_EXIT;
	m.target = first_appeared(&in->plan);
	inside_send(in->socket, &m);
	_exit(0);
}
