/* syscalls.h - which system calls a sandbox may make: the whole list, in named sets with a reason
 * each.
 * Contract:  what stands in no set is answered ENOSYS, as an older kernel would, so that programs
 *            fall back: new and unknown calls, too. Refusals by argument (syscall_args) go before
 *            the sets: the first row that matches decides. Arguments are compared as 32 bits,
 *            because the kernel takes them so: TIOCSTI | 1 << 32 is TIOCSTI (CVE-2019-7303,
 *            CVE-2019-10063). Reader: core/jail/gen/filter_gen.c, at build time. Another
 *            architecture than the native one is killed: i386 and x32 have other numbers and would
 *            pass a list of ours.
 *            FILTER_STRICT makes the list of the strict profile. What is to be asked is answered by
 *            init (jail/notify.h), where the policy keeps sockets and FIFOs out of what is shared.
 */
#pragma once

#include <errno.h>

#include "jail/filter.h"

static const struct syscall_set syscall_sets[] = {
	{ .name = "files",
		.why = "names are resolved in the sandbox's own tree",
		.calls = { "access", "chdir", "chmod", "chown", "chown32", "close", "close_range",
			"copy_file_range", "creat", "dup", "dup2", "dup3", "faccessat",
			"faccessat2", "fadvise64", "fallocate", "fchdir", "fchmod", "fchmodat",
			"fchown", "fchownat", "fcntl", "fdatasync", "fgetxattr", "flistxattr",
			"flock", "fremovexattr", "fsetxattr", "fstat", "fstatfs", "fsync",
			"ftruncate", "futimesat", "getcwd", "getdents", "getdents64", "getxattr",
			"inotify_add_watch", "inotify_init", "inotify_init1", "inotify_rm_watch",
			"ioctl", "lchown", "lgetxattr", "link", "linkat", "listxattr", "llistxattr",
			"lremovexattr", "lseek", "lsetxattr", "lstat", "mkdir", "mkdirat", "mknod",
			"mknodat", "name_to_handle_at", "newfstatat", "open", "openat", "pread64",
			"preadv", "preadv2", "pwrite64", "pwritev", "pwritev2", "read", "readahead",
			"readlink", "readlinkat", "readv", "removexattr", "rename", "renameat",
			"renameat2", "rmdir", "sendfile", "setxattr", "splice", "stat", "statfs",
			"statx", "symlink", "symlinkat", "sync", "sync_file_range", "syncfs", "tee",
			"truncate", "umask", "unlink", "unlinkat", "utime", "utimensat", "utimes",
			"vmsplice", "write", "writev", NULL } },
	{ .name = "memory",
		.why = "a process's own address space",
		.calls = { "brk", "get_mempolicy", "madvise", "mbind", "membarrier", "memfd_create",
			"mincore", "mlock", "mlock2", "mlockall", "mmap", "mprotect", "mremap",
			"msync", "munlock", "munlockall", "munmap", "pkey_alloc", "pkey_free",
			"pkey_mprotect", "process_madvise", "remap_file_pages", "set_mempolicy",
			NULL } },
	{ .name = "processes",
		.why = "only those of the sandbox's own pid namespace can be named",
		.calls = { "arch_prctl", "clone", "clone3", "execve", "execveat", "exit",
			"exit_group", "fork", "get_robust_list", "get_thread_area", "getpgid",
			"getpgrp", "getpid", "getpriority", "getppid", "getrlimit", "getrusage",
			"getsid", "gettid", "ioprio_get", "ioprio_set", "kcmp", "kill",
			"personality", "pidfd_getfd", "pidfd_open", "pidfd_send_signal", "prctl",
			"prlimit64", "rseq", "sched_get_priority_max", "sched_get_priority_min",
			"sched_getaffinity", "sched_getattr", "sched_getparam",
			"sched_getscheduler", "sched_rr_get_interval", "sched_setaffinity",
			"sched_setattr", "sched_setparam", "sched_setscheduler", "sched_yield",
			"set_robust_list", "set_thread_area", "set_tid_address", "setpgid",
			"setpriority", "setrlimit", "setsid", "tgkill", "times", "tkill", "uname",
			"vfork", "wait4", "waitid", "waitpid", "sysinfo", "getcpu", "getrandom",
			NULL } },
	{ .name = "ids",
		.why = "there is one id to change to, and no capability to take another",
		.calls = { "capget", "capset", "getegid", "geteuid", "getgid", "getgroups",
			"getresgid", "getresuid", "getuid", "setfsgid", "setfsuid", "setgid",
			"setgroups", "setregid", "setresgid", "setresuid", "setreuid", "setuid",
			NULL } },
	{ .name = "signals and time",
		.why = "own process only; clocks can be read, not set",
		.calls = { "alarm", "clock_getres", "clock_gettime", "clock_nanosleep", "futex",
			"futex_waitv", "getitimer", "gettimeofday", "nanosleep", "pause",
			"restart_syscall", "rt_sigaction", "rt_sigpending", "rt_sigprocmask",
			"rt_sigqueueinfo", "rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait",
			"rt_tgsigqueueinfo", "setitimer", "sigaltstack", "signalfd", "signalfd4",
			"time", "timer_create", "timer_delete", "timer_getoverrun", "timer_gettime",
			"timer_settime", "timerfd_create", "timerfd_gettime", "timerfd_settime",
			NULL } },
	{ .name = "waiting",
		.why = "own descriptors only",
		.calls = { "epoll_create", "epoll_create1", "epoll_ctl", "epoll_ctl_old",
			"epoll_pwait", "epoll_pwait2", "epoll_wait", "eventfd", "eventfd2", "pipe",
			"pipe2", "poll", "ppoll", "pselect6", "select", NULL } },
	{ .name = "sockets",
		.why = "families are chosen in syscall_args; the network namespace has loopback "
		       "alone",
		.calls = { "accept", "accept4", "getpeername", "getsockname",
			"getsockopt", "listen", "recvfrom", "recvmmsg", "recvmsg", "sendmmsg",
			"sendmsg", "sendto", "setsockopt", "shutdown", "socket", "socketpair",
			NULL } },
	{ .name = "names of sockets",
		.why = "a socket with a path reaches whoever sees the path, through every network "
		       "namespace: descriptors and live connections of another session or of the "
		       "host could be had by it",
		.refuse = SYSCALL_ASK,
		.calls = { "bind", "connect", NULL } },
	{ .name = "ipc",
		.why = "of the sandbox's own ipc namespace",
		.calls = { "mq_getsetattr", "mq_notify", "mq_open", "mq_timedreceive",
			"mq_timedsend", "mq_unlink", "msgctl", "msgget", "msgrcv", "msgsnd",
			"semctl", "semget", "semop", "semtimedop", "shmat", "shmctl", "shmdt",
			"shmget", NULL } },
	{ .name = "debugging",
		.why = "gdb and strace work on the sandbox's own processes; init is not dumpable, "
		       "so it is not among them",
		.calls = { "process_vm_readv", "process_vm_writev", "ptrace", NULL } },
	{ .name = "inner sandboxes",
#ifdef FILTER_STRICT
		.refuse = EPERM,
#endif
		.why = "an agent's own bubblewrap or browser sandbox must work: each call needs a "
		       "capability that the command does "
		       "not have here, only in a user namespace it makes; what is locked here "
		       "stays locked there "
		       "(mount_namespaces(7))",
		.calls = { "chroot", "fsconfig", "fsmount", "fsopen", "fspick", "mount",
			"mount_setattr", "move_mount", "open_tree", "pivot_root", "setdomainname",
			"sethostname", "setns", "umount", "umount2", "unshare", NULL } },
	{ .name = "own walls",
		.why = "a process may only take rights away from itself",
		.calls = { "landlock_add_rule", "landlock_create_ruleset", "landlock_restrict_self",
			"seccomp", NULL } },
	{ .name = "administration",
		.why = "changes the machine: needs capabilities nobody here has; refused before "
		       "the kernel looks",
		.refuse = EPERM,
		.calls = { "acct", "adjtimex", "bpf", "clock_adjtime", "clock_settime",
			"create_module", "delete_module", "fanotify_init", "fanotify_mark",
			"finit_module", "init_module", "ioperm", "iopl", "kexec_file_load",
			"kexec_load", "lookup_dcookie", "migrate_pages", "move_pages", "nfsservctl",
			"open_by_handle_at", "perf_event_open", "quotactl", "quotactl_fd", "reboot",
			"settimeofday", "stime", "swapoff", "swapon", "sysfs", "syslog", "uselib",
			"userfaultfd", "ustat", "vhangup", NULL } },
	/* Refused with ENOSYS by standing in no set, for these reasons:
	 * io_uring_*          its operations pass by every rule here (socket, connect, openat were
	 * seen to) keyctl, add_key,    keys are not in any namespace but the user's quota is shared
	 * with the host request_key openat2, fchmodat2  their arguments are in memory, where a
	 * filter cannot see setuid bits; libc falls back modify_ldt, vm86    only 16-bit and i386
	 * programs need them */
};

/* Written as numbers, so that the table does not depend on the headers of the machine that builds
 * it. */
enum {
	ARG_SETID = 06000,	 /* S_ISUID | S_ISGID */
	ARG_CREATE = 0100,	 /* O_CREAT */
	ARG_TMPFILE = 020000000, /* __O_TMPFILE */
	ARG_FMT = 0170000,	 /* S_IFMT */
	ARG_CHR = 0020000,
	ARG_BLK = 0060000,
	ARG_FIFO = 0010000,
	ARG_SOCK = 0140000,
	ARG_NAMESPACES = 0x7e020080, /* CLONE_NEW*, TIME NS CGROUP UTS IPC USER PID NET */
};

#define NO_SETID(name, n)                                                                          \
	{                                                                                          \
		.call = name, .refuse = EPERM, .arg = n, .test = ARG_ANY_BIT, .mask = ARG_SETID,   \
		.why = "a program with these bits would give its owner's rights to whoever runs "  \
		       "it on the host"                                                            \
	}
#define NO_SETID_CREATE(name, flags, n)                                                            \
	{                                                                                          \
		.call = name, .refuse = EPERM, .when = { 1, flags, ARG_CREATE | ARG_TMPFILE, 0 },  \
		.arg = n, .test = ARG_ANY_BIT, .mask = ARG_SETID,                                  \
		.why = "as chmod; looked at only when a file is made, else the argument is noise"  \
	}
#define NO_DEVICE(name, n)                                                                         \
	{                                                                                          \
		.call = name, .refuse = EPERM, .arg = n, .test = ARG_IS_ONE_OF, .mask = ARG_FMT,   \
		.values = { ARG_CHR, ARG_BLK }, .nvalues = 2, .why = "device nodes"                \
	}

#define ASK_NODE(name, n)                                                                          \
	{                                                                                          \
		.call = name, .refuse = SYSCALL_ASK, .arg = n, .test = ARG_IS_ONE_OF,              \
		.mask = ARG_FMT, .values = { ARG_FIFO, ARG_SOCK }, .nvalues = 2,                   \
		.why = "as sockets with a path"                                                    \
	}
#define NO_DATAGRAMS(name)                                                                         \
	{                                                                                          \
		.call = name, .refuse = EPROTONOSUPPORT, .when = { 1, 0, 0xffffffff, 1 },          \
		.arg = 1, .test = ARG_IS_ONE_OF, .mask = 0xf, .values = { 2, 3 }, .nvalues = 2,    \
		.why = "UNIX datagrams name whom they go to in memory, at each message"            \
	}

static const struct syscall_arg syscall_args[] = {
	{ .call = "ioctl",
		.refuse = EPERM,
		.arg = 1,
		.test = ARG_IS_ONE_OF,
		.mask = 0xffffffff,
		.values = { 0x5412, 0x541c, 0x5423 },
		.nvalues = 3,
		.why = "TIOCSTI and TIOCLINUX type into a terminal (CVE-2017-5226, "
		       "CVE-2023-28100); TIOCSETD loads line "
		       "disciplines" },
	{ .call = "socket",
		.refuse = EAFNOSUPPORT,
		.arg = 0,
		.test = ARG_IS_NONE_OF,
		.mask = 0xffffffff,
		.values = { 1, 2, 10, 16 },
		.nvalues = 4,
		.why = "UNIX, INET, INET6, NETLINK; VSOCK is in no namespace, PACKET, ALG, XDP and "
		       "the rest are attack surface" },
	{ .call = "socket",
		.refuse = EPROTONOSUPPORT,
		.when = { 1, 0, 0xffffffff, 16 },
		.arg = 2,
		.test = ARG_IS_NONE_OF,
		.mask = 0xffffffff,
		.values = { 0 },
		.nvalues = 1,
		.why = "NETLINK_ROUTE alone: libc lists interfaces with it" },
	{ .call = "socketpair",
		.refuse = EAFNOSUPPORT,
		.arg = 0,
		.test = ARG_IS_NONE_OF,
		.mask = 0xffffffff,
		.values = { 1 },
		.nvalues = 1,
		.why = "the kernel makes UNIX pairs only, but for families that are refused "
		       "above" },
	{ .call = "personality",
		.refuse = EPERM,
		.arg = 0,
		.test = ARG_IS_NONE_OF,
		.mask = 0xffffffff,
		.values = { 0, 0x8, 0x20000, 0x20008, 0x40000, 0xffffffff },
		.nvalues = 6,
		.why = "normal, 32-bit uname, old uname, and no address randomisation for "
		       "debuggers, of oneself; nothing that "
		       "makes memory executable or maps page 0" },
	NO_SETID("chmod", 1),
	NO_SETID("fchmod", 1),
	NO_SETID("fchmodat", 2),
	NO_SETID("creat", 1),
	NO_SETID("mknod", 1),
	NO_SETID("mknodat", 2),
	NO_SETID_CREATE("open", 1, 2),
	NO_SETID_CREATE("openat", 2, 3),
	NO_DEVICE("mknod", 1),
	NO_DEVICE("mknodat", 2),
	ASK_NODE("mknod", 1),
	ASK_NODE("mknodat", 2),
#ifdef FILTER_STRICT
	NO_DATAGRAMS("socket"),
	NO_DATAGRAMS("socketpair"),
	{ .call = "clone",
		.refuse = EPERM,
		.arg = 0,
		.test = ARG_ANY_BIT,
		.mask = ARG_NAMESPACES,
		.why = "no namespaces inside; clone3, whose flags are in memory, is refused by "
		       "max_user_namespaces" },
#endif
};
