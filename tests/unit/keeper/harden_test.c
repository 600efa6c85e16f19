#include "../../lib/check.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keeper/harden.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/log.h"
#include "sandesk/conn.h"

/* A build with ASan opens files for its reports and traces itself for leaks (keeper/syscalls.h). */
#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED true
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED false
#endif

enum { OK = 0, CANNOT = 99 };

/* What a child finds open when it tries. */
struct stage {
	int socket;  /* not connected */
	int log;     /* append-only */
	int dir;     /* of the file system's root */
	int peer;    /* of a connected pair */
	int pidfd;   /* of itself's parent */
	int ptm;     /* a terminal */
	pid_t other; /* somebody to look into */
	struct sockaddr_un address;
	struct peer_home home;
};

/* What somebody who took the keeper over may try. */
#define TRY(name, call)                                                                            \
	static long name(struct stage *s)                                                          \
	{                                                                                          \
		(void)s;                                                                           \
		return call;                                                                       \
	}
// clang-format off
TRY(try_open, open("/dev/null", O_RDONLY))
TRY(try_openat, openat(s->dir, "dev", O_PATH))
TRY(try_creat, creat("/tmp/sandesk-harden", 0600))
TRY(try_unlink, unlinkat(s->dir, "no-such-name", 0))
TRY(try_rename, rename("/no-such", "/name"))
TRY(try_mkdir, mkdir("/", 0700))
TRY(try_chmod, fchmod(s->log, 0666))
TRY(try_truncate, ftruncate(s->log, 0))
static long
try_stat(struct stage *s)
{
	struct stat st;
	(void)s;
	return stat("/", &st);
}
static long
try_readlink(struct stage *s)
{
	char to[64];
	(void)s;
	return readlink("/proc/self/exe", to, sizeof to);
}
static long
try_getdents(struct stage *s)
{
	char to[512];
	return syscall(SYS_getdents64, s->dir, to, sizeof to);
}
TRY(try_chdir, fchdir(s->dir))
TRY(try_memfd, memfd_create("x", 0))
TRY(try_socket, socket(AF_UNIX, SOCK_STREAM, 0))
TRY(try_inet, socket(AF_INET, SOCK_STREAM, 0))
static long
try_pair(struct stage *s)
{
	int ends[2];
	(void)s;
	return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}
TRY(try_connect, connect(s->socket, (void *)&s->address, sizeof s->address))
TRY(try_bind, bind(s->socket, (void *)&s->address, sizeof s->address))
TRY(try_listen, listen(s->socket, 1))
TRY(try_fork, syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0))
static long
try_clone3(struct stage *s)
{
	struct clone_args a = { .exit_signal = SIGCHLD };
	(void)s;
	return syscall(SYS_clone3, &a, sizeof a);
}
TRY(try_unshare, unshare(CLONE_NEWUSER))
TRY(try_exec, execl("/bin/true", "true", (char *)NULL))
TRY(try_execveat, syscall(SYS_execveat, s->dir, "bin/true", NULL, NULL, 0))
TRY(try_ptrace, ptrace(PTRACE_SEIZE, s->other, 0, 0))
TRY(try_read_memory, syscall(SYS_process_vm_readv, s->other, NULL, 0, NULL, 0, 0))
TRY(try_kill, kill(s->other, 0))
TRY(try_tgkill, syscall(SYS_tgkill, s->other, s->other, 0))
TRY(try_pidfd, syscall(SYS_pidfd_open, s->other, 0))
TRY(try_getfd, syscall(SYS_pidfd_getfd, s->pidfd, 0, 0))
TRY(try_signal, syscall(SYS_pidfd_send_signal, s->pidfd, SIGCONT, NULL, 0))
TRY(try_setns, setns(s->pidfd, CLONE_NEWUSER))
TRY(try_setuid, setuid(getuid()))
static long
try_limit(struct stage *s)
{
	struct rlimit l = { 0, 0 };
	(void)s;
	return setrlimit(RLIMIT_NOFILE, &l);
}
TRY(try_prctl, syscall(SYS_prctl, 4 /* PR_SET_DUMPABLE */, 0, 0, 0, 0))
TRY(try_keyctl, syscall(SYS_keyctl, 0, 0, 0, 0, 0))
TRY(try_io_uring, syscall(SYS_io_uring_setup, 0, NULL))
TRY(try_bpf, syscall(SYS_bpf, 0, NULL, 0))
TRY(try_typing, ioctl(s->ptm, TIOCSTI, "x"))
TRY(try_peer_side, ioctl(s->ptm, TIOCGPTPEER, O_RDWR))
TRY(try_rewrite, fcntl(s->log, F_SETFL, 0))
TRY(try_owner, fcntl(s->peer, F_SETOWN, s->other))
// clang-format on

static long
try_code(struct stage *s)
{
	void *p = mmap(
		NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)s;
	return p == MAP_FAILED ? -1 : 0;
}

static long
try_make_code(struct stage *s)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)s;
	return mprotect(p, 4096, PROT_READ | PROT_EXEC);
}

/* Each must be refused by the filter. */
static const struct {
	const char *name;
	long (*act)(struct stage *s);
	bool is_open_to_sanitizers;
} refused[] = {
	{ "open", try_open, true },
	{ "openat of an open directory", try_openat, true },
	{ "creat", try_creat, false },
	{ "unlinkat", try_unlink, false },
	{ "rename", try_rename, false },
	{ "mkdir", try_mkdir, false },
	{ "fchmod", try_chmod, false },
	{ "ftruncate of the log", try_truncate, false },
	{ "stat", try_stat, true },
	{ "readlink", try_readlink, true },
	{ "getdents64", try_getdents, true },
	{ "fchdir", try_chdir, false },
	{ "memfd_create", try_memfd, false },
	{ "socket of AF_UNIX", try_socket, false },
	{ "socket of AF_INET", try_inet, false },
	{ "socketpair", try_pair, false },
	{ "connect", try_connect, false },
	{ "bind", try_bind, false },
	{ "listen", try_listen, false },
	{ "fork", try_fork, true },
	{ "clone3", try_clone3, true },
	{ "unshare", try_unshare, false },
	{ "execve", try_exec, false },
	{ "execveat", try_execveat, false },
	{ "ptrace", try_ptrace, true },
	{ "process_vm_readv", try_read_memory, false },
	{ "kill", try_kill, true },
	{ "tgkill", try_tgkill, true },
	{ "pidfd_open", try_pidfd, false },
	{ "pidfd_getfd", try_getfd, false },
	{ "pidfd_send_signal of anything but SIGKILL", try_signal, false },
	{ "setns", try_setns, false },
	{ "setuid", try_setuid, false },
	{ "setrlimit", try_limit, true },
	{ "prctl", try_prctl, true },
	{ "keyctl", try_keyctl, false },
	{ "io_uring_setup", try_io_uring, false },
	{ "bpf", try_bpf, false },
	{ "TIOCSTI", try_typing, false },
	{ "TIOCGPTPEER", try_peer_side, false },
	{ "taking O_APPEND from the log", try_rewrite, false },
	{ "F_SETOWN", try_owner, false },
	{ "mmap of code", try_code, false },
	{ "mprotect to code", try_make_code, false },
};

static struct stage
stage_make(void)
{
	struct stage s = { .address = {
				   .sun_family = AF_UNIX, .sun_path = "/tmp/sandesk-no-such" } };
	int ends[2];

	assert_int_equal(peer_home(&s.home), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	s.peer = ends[0];
	s.socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	s.dir = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	s.log = open("/dev/null", O_WRONLY | O_APPEND | O_CLOEXEC);
	s.ptm = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	s.other = getpid();
	s.pidfd = (int)syscall(SYS_pidfd_open, s.other, 0);
	assert_true(s.socket >= 0 && s.dir >= 0 && s.log >= 0 && s.ptm >= 0 && s.pidfd >= 0);
	return s;
}

static void
stage_end(struct stage *s)
{
	fd_close(s->socket);
	fd_close(s->dir);
	fd_close(s->log);
	fd_close(s->ptm);
	fd_close(s->pidfd);
	fd_close(s->peer);
}

/* 0 when the call was refused as the filter refuses, else its errno, or CANNOT when it was done. */
static int
try_behind_walls(struct stage *s, bool by_fd, long (*act)(struct stage *))
{
	struct err e = { 0 };

	if (harden_process(by_fd, &e) < 0)
		return CANNOT - 1;
	errno = 0;
	if (act(s) >= 0)
		return CANNOT;
	return errno == ENOSYS || errno == EPERM ? OK : errno;
}

/* The exit status of a child that does it; _exit, because at exit LSan of the child would run. */
static int
in_child(struct stage *s, bool by_fd, long (*act)(struct stage *))
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(try_behind_walls(s, by_fd, act));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void
what_an_attacker_wants_is_refused(void **state)
{
	struct stage s = stage_make();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		bool open_to_names = refused[i].act == try_stat; /* by an older kernel's filter */

		if (IS_SANITIZED && refused[i].is_open_to_sanitizers)
			continue;
		assert_row(refused[i].name, in_child(&s, true, refused[i].act) == OK);
		if (!open_to_names)
			assert_row(refused[i].name, in_child(&s, false, refused[i].act) == OK);
	}
	stage_end(&s);
}

/* The same calls are not refused without walls: else the test above could not fail. */
static void
the_same_works_without_walls(void **state)
{
	static const struct {
		const char *name;
		long (*act)(struct stage *);
	} rows[] = {
		{ "open", try_open },
		{ "openat", try_openat },
		{ "stat", try_stat },
		{ "socket", try_socket },
		{ "memfd", try_memfd },
		{ "fork", try_fork },
		{ "kill", try_kill },
		{ "pidfd", try_pidfd },
		{ "code", try_code },
		{ "make code", try_make_code },
		{ "rewrite", try_rewrite },
		{ "signal", try_signal },
		{ "other side", try_peer_side },
	};
	struct stage s = stage_make();
	int status;

	(void)state;
	grantpt(s.ptm);
	unlockpt(s.ptm);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(rows[i].act(&s) >= 0 ? 0 : 1);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_row(rows[i].name, status == 0);
	}
	stage_end(&s);
}

static long
use_peer(struct stage *s)
{
	return peer_check_at(s->peer, &s->home, NULL);
}

static long
use_connection(struct stage *s)
{
	char byte;
	size_t n = 0;

	(void)s;
	return fd_send(s->peer, "x", 1, NULL, 0) == 1 &&
	       fd_recv(s->peer, &byte, 1, NULL, &n) == -EAGAIN;
}

static long
use_memory(struct stage *s)
{
	char *p = malloc(8 << 20), *more;

	(void)s;
	if (!p)
		return 0;
	memset(p, 1, 8 << 20);
	more = realloc(p, 32 << 20);
	free(more ? more : p);
	return more != NULL;
}

static long
use_kill(struct stage *s)
{
	return syscall(SYS_pidfd_send_signal, s->pidfd, SIGKILL, NULL, 0) == 0;
}

static int
allowed_in_child(struct stage *s, bool by_fd, long (*act)(struct stage *))
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(harden_process(by_fd, NULL) < 0 ? 2 : act(s) ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static long
peer_is_good(struct stage *s)
{
	return use_peer(s) == 0;
}

static void
what_a_keeper_needs_is_left(void **state)
{
	struct stage s = stage_make();
	int status;
	pid_t victim;

	(void)state;
	fd_set_nonblock(s.peer, true);
	assert_int_equal(allowed_in_child(&s, s.home.by_fd, peer_is_good), 0);
	assert_int_equal(allowed_in_child(&s, true, use_connection), 0);
	assert_int_equal(allowed_in_child(&s, true, use_memory), 0);
	victim = fork();
	if (victim == 0)
		for (;;)
			pause();
	fd_close(s.pidfd);
	s.pidfd = (int)syscall(SYS_pidfd_open, victim, 0);
	assert_int_equal(allowed_in_child(&s, true, use_kill), 0);
	assert_int_equal(waitpid(victim, &status, 0), victim);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	s.home.by_fd = false; /* as on an older kernel */
	assert_int_equal(allowed_in_child(&s, false, peer_is_good), 0);
	stage_end(&s);
}

/* The wall is not in the way of dying. */
static void
an_abort_still_ends_it(void **state)
{
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		signal(SIGSEGV, SIG_DFL); /* cmocka's handlers would go on with its tests */
		signal(SIGABRT, SIG_DFL);
		if (harden_process(true, NULL) == 0)
			abort();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) || WEXITSTATUS(status));
	assert_false(WIFSIGNALED(status) && WCOREDUMP(status));
}

static int
fill_log(const char *path)
{
	struct log log;
	struct stat st;

	if (log_open(&log, path, "test") < 0 || harden_process(true, NULL) < 0)
		return 2;
	for (int i = 0; i < 20; i++)
		log_warn(&log, "a line");
	if (syscall(SYS_fstat, log.fd, &st) < 0 || st.st_size > 2 * LOG_BYTES)
		return 3;
	return log.fd >= 0 ? 0 : 4;
}

/* A keeper logs into a full file, and again into the one that the daemon emptied. */
static void
the_log_has_an_end(void **state)
{
	char path[] = "/tmp/sandesk-harden-test.XXXXXX", old[64];
	int fd = mkstemp(path), status;
	struct stat st;
	struct log daemon;
	pid_t pid;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 2 * LOG_BYTES - 100), 0);
	pid = fork();
	if (pid == 0)
		_exit(fill_log(path));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_true(st.st_size > 2 * LOG_BYTES - 100); /* some of it was written */
	assert_int_equal(log_open(&daemon, path, "daemon"), 0);
	log_info(&daemon, "moves it");
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 0);
	log_close(&daemon);
	snprintf(old, sizeof old, "%s.1", path);
	unlink(old);
	unlink(path);
	fd_close(fd);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_an_attacker_wants_is_refused),
		cmocka_unit_test(the_same_works_without_walls),
		cmocka_unit_test(what_a_keeper_needs_is_left),
		cmocka_unit_test(an_abort_still_ends_it),
		cmocka_unit_test(the_log_has_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
