/* syscalls.h - which system calls a running keeper may make: the whole list, in sets with a reason
 * each.
 * Contract:  what stands in no set is answered ENOSYS: names of files, new descriptors for them,
 *            sockets, processes, programs, other processes' memory, keys, limits, privileges. Found
 *            by tracing everything a keeper does from `start` to its end; tests/unit/keeper/
 *            harden_test.c tries what must be refused, every end-to-end test what must not.
 *            A keeper reads what a sandbox prints. Who took it over by that holds the session's
 *            terminal and the connections of its clients, and can end processes that connect to it
 *            (it gets their pidfds), but cannot read or change a file, start anything or talk to
 *            anybody else.
 * Reader:    core/jail/gen/filter_gen.c, at build time, with
 *            FILTER_BY_NAME    for kernels before 6.11, which show a peer's namespace by a name in
 *                              /proc only: then names, sizes and times of files can be asked for
 *            FILTER_SANITIZED  for builds with ASan: its reports read /proc, and its search for
 *                              leaks is a thread that traces the process
 */
#pragma once

#include <errno.h>

#include "jail/filter.h"

static const struct syscall_set syscall_sets[] = {
	{ .name = "open descriptors",
		.why = "terminal, connections, log, libuv's own; none is made from a name any more",
		.calls = { "close", "fcntl", "fstat", "ioctl", "pread64", "read", "readv", "write",
			"writev", NULL } },
	{ .name = "connections",
		.why = "new clients come by the listening socket alone",
		.calls = { "accept4", "getsockopt", "recvfrom", "recvmsg", "sendmsg", "sendto",
			"shutdown", NULL } },
	{ .name = "waiting",
		.why = "libuv's loop",
		.calls = { "epoll_ctl", "epoll_pwait", "epoll_wait", "futex", "poll", "ppoll",
			NULL } },
	{ .name = "memory",
		.why = "grid and history; never executable",
		.calls = { "brk", "madvise", "mmap", "mprotect", "mremap", "munmap", NULL } },
	{ .name = "time and chance",
		.why = "no effect; mostly answered without the kernel",
		.calls = { "clock_getres", "clock_gettime", "getrandom", "gettimeofday", "time",
			NULL } },
	{ .name = "itself",
		.why = "who am I, handlers of its own signals, the end",
		.calls = { "exit", "exit_group", "getegid", "geteuid", "getgid", "getpid", "gettid",
			"getuid", "restart_syscall", "rt_sigaction", "rt_sigprocmask",
			"rt_sigreturn", NULL } },
	{ .name = "its sandbox",
		.why = "end it and learn how it ended",
		.calls = { "pidfd_send_signal", "waitid", NULL } },
#ifdef FILTER_BY_NAME
	{ .name = "peers",
		.why = "in which user namespace a client stands, on an older kernel",
		.calls = { "newfstatat", "stat", NULL } },
#endif
#ifdef FILTER_SANITIZED
	{ .name = "sanitizers",
		.why = "reports and the search for leaks",
		.calls = { "clone", "clone3", "dup", "getcwd", "getppid", "getrlimit", "kill",
			"lseek", "open", "openat", "pipe", "pipe2", "prctl", "prlimit64", "ptrace",
			"readlink", "readlinkat", "getdents", "getdents64", "rseq", "sched_getaffinity",
			"sched_yield", "set_robust_list", "sigaltstack", "sysinfo", "tgkill",
			"tkill", "wait4",
#ifndef FILTER_BY_NAME
			"newfstatat", "stat",
#endif
			NULL } },
#endif
};

/* Written as numbers, so that the table does not depend on the headers of the machine that builds
 * it. */
enum {
	ARG_SWINSZ = 0x5414,
	ARG_GPGRP = 0x540f,
	ARG_FIONBIO = 0x5421,
	ARG_USER_NAMESPACE = 0xff09, /* PIDFD_GET_USER_NAMESPACE */
	ARG_GETFD = 1,
	ARG_SETFD = 2,
	ARG_GETFL = 3,
	ARG_EXEC = 4, /* PROT_EXEC */
	ARG_KILL = 9,
};

static const struct syscall_arg syscall_args[] = {
	{ .call = "ioctl",
		.refuse = EPERM,
		.arg = 1,
		.test = ARG_IS_NONE_OF,
		.mask = 0xffffffff,
		.values = { ARG_SWINSZ, ARG_GPGRP, ARG_FIONBIO, ARG_USER_NAMESPACE },
		.nvalues = 4,
		.why = "size and foreground of the terminal, libuv's non-blocking mode, clients' "
		       "namespaces; nothing types into a terminal" },
	{ .call = "fcntl",
		.refuse = EPERM,
		.arg = 1,
		.test = ARG_IS_NONE_OF,
		.mask = 0xffffffff,
		.values = { ARG_GETFD, ARG_SETFD, ARG_GETFL },
		.nvalues = 3,
		.why = "the log stays append-only; F_SETOWN would send signals" },
	{ .call = "mmap",
		.refuse = EPERM,
		.arg = 2,
		.test = ARG_ANY_BIT,
		.mask = ARG_EXEC,
		.why = "no new code" },
	{ .call = "mprotect",
		.refuse = EPERM,
		.arg = 2,
		.test = ARG_ANY_BIT,
		.mask = ARG_EXEC,
		.why = "no new code" },
	{ .call = "pidfd_send_signal",
		.refuse = EPERM,
		.arg = 1,
		.test = ARG_IS_NONE_OF,
		.mask = 0xffffffff,
		.values = { ARG_KILL },
		.nvalues = 1,
		.why = "what it ends, it ends for good" },
};
