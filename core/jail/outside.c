/* outside.c - clone, id maps, keyring, idmapped mounts: what needs the caller's own rights. */
#include "jail/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandesk/base/fd.h"

enum {
	ALL_NAMESPACES = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
			 CLONE_NEWUTS | CLONE_NEWCGROUP
};

/* Docker answers clone3 with ENOSYS on purpose, so that programs fall back (moby#42681): only what
 * clone then says counts; it has no bit for a time namespace. The raw calls, with no stack, behave as fork: the child goes on here with
 * a copy of everything. It must begin dumpable: else its id maps would be root's files, which an
 * ordinary user cannot write. */
pid_t
outside_clone(int *ret_pidfd)
{
	int pidfd = -1;
	struct clone_args args = { .flags = ALL_NAMESPACES | CLONE_NEWTIME | CLONE_PIDFD,
		.pidfd = (uint64_t)(uintptr_t)&pidfd,
		.exit_signal = SIGCHLD };
	int was_dumpable = prctl(PR_GET_DUMPABLE), error;
	bool has_time;
	long pid;

	if (was_dumpable != 1)
		prctl(PR_SET_DUMPABLE, 1);
	pid = syscall(SYS_clone3, &args, sizeof args);
	has_time = pid >= 0;
	if (pid < 0 && errno == EINVAL) { /* no CONFIG_TIME_NS: clocks are those of the host */
		args.flags &= ~(uint64_t)CLONE_NEWTIME;
		pid = syscall(SYS_clone3, &args, sizeof args);
	}
	if (pid < 0 && errno == ENOSYS)
		pid = syscall(
			SYS_clone, ALL_NAMESPACES | CLONE_PIDFD | SIGCHLD, NULL, &pidfd, NULL, 0);
	error = errno;
	if (pid && was_dumpable != 1)
		prctl(PR_SET_DUMPABLE, was_dumpable);
	if (pid < 0)
		return -error;
	*ret_pidfd = pid ? pidfd : has_time ? -1 : OUTSIDE_NO_TIME;
	return (pid_t)pid;
}

static int
write_proc(pid_t pid, const char *file, const char *text, struct err *e)
{
	char path[64];
	AUTO(fd) int fd = -1;

	snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		return err_errno(e, -errno, "write the sandbox's %s", file);
	return 0;
}

int
outside_write_maps(pid_t pid, const struct outside_map *map, struct err *e)
{
	char uids[48], gids[48];
	int r = 0;

	snprintf(uids, sizeof uids, "%u %u 1\n", map->inner_uid, map->outer_uid);
	snprintf(gids, sizeof gids, "%u %u 1\n", map->inner_gid, map->outer_gid);
	if (!map->is_root) /* else the kernel refuses the group map: user_namespaces(7) */
		r = write_proc(pid, "setgroups", "deny", e);
	r = r ? r : write_proc(pid, "uid_map", uids, e);
	return r ? r : write_proc(pid, "gid_map", gids, e);
}

/* A user namespace does not change the session keyring, and what is in the caller's could be read
 * inside. An own keyring for each sandbox would use up the user's quota at 200 of them
 * (keyrings(7), maxkeys); this one is empty, found by its name, and nothing can be put into it,
 * because the filter refuses the key calls. */
int
outside_keyring(struct err *e)
{
	enum {
		ALL_TO_OWNER = 0x3f3f0000
	}; /* possessor and user: view, read, write, search, link, setattr */
	long ring = syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, "sandesk-empty", 0, 0, 0);

	if (ring < 0 && errno == ENOSYS)
		return 0; /* a kernel without keys has none to show */
	if (ring < 0)
		return err_errno(
			e, -errno, "leave the session keyring (is kernel.keys.maxkeys used up?)");
	syscall(SYS_keyctl, KEYCTL_SETPERM, ring, ALL_TO_OWNER, 0, 0);
	return 0;
}

/* Holds a user namespace until the end of the pipe is closed. Shares memory and stack rules of
 * vfork: raw calls only. */
static int
hold_namespace(void *arg)
{
	const int *pipe = arg;
	char byte;

	close(pipe[1]);
	while (read(pipe[0], &byte, 1) < 0)
		;
	return 0;
}

enum { HELPER_STACK = 16 << 10 };

int
outside_id_map(const struct outside_map *map, struct err *e)
{
	int ends[2], fd = -1, r;
	char path[64];
	pid_t pid;
	char *stack = mmap(NULL, HELPER_STACK, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	if (stack == MAP_FAILED || pipe2(ends, O_CLOEXEC))
		return err_errno(e, -errno, "prepare an id map");
	pid = clone(hold_namespace, stack + HELPER_STACK, CLONE_VM | CLONE_NEWUSER | SIGCHLD, ends);
	r = pid < 0 ? err_errno(e, -errno, "make a user namespace for an id map")
		    : outside_write_maps(pid, map, e);
	if (!r) {
		snprintf(path, sizeof path, "/proc/%d/ns/user", pid);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		r = fd < 0 ? err_errno(e, -errno, "open an id map") : fd;
	}
	close(ends[0]);
	close(ends[1]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	munmap(stack, HELPER_STACK);
	return r;
}

static int
open_tree_of(const struct plan_tree *t, struct err *e)
{
	struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS };
	AUTO(fd) int dir = (int)syscall(SYS_openat2, AT_FDCWD, t->path, &how, sizeof how);
	struct stat st;
	int tree;

	if (dir < 0 || fstat(dir, &st))
		return err_errno(e, -errno, "open %s", t->path);
	if (st.st_dev != t->dev || st.st_ino != t->ino)
		return err_set(e, -ESTALE,
			"%s: was replaced by another directory just now; try again", t->path);
	tree = open_tree(
		dir, "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | AT_RECURSIVE);
	return tree < 0 ? err_errno(e, -errno, "take the mount of %s", t->path) : tree;
}

static int
set_map(const struct plan_tree *t, int tree, int ids, struct err *e)
{
	struct mount_attr attr = { .attr_set =
					   MOUNT_ATTR_IDMAP | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
		.userns_fd = (uint64_t)ids };

	if (!mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attr, sizeof attr))
		return 0;
	return err_errno(e, -errno,
		"%s: its file system cannot map ids, so that a sandbox of root could not keep the "
		"files' owner; run sandesk as an "
		"ordinary user, or move the directory to ext4, xfs, btrfs or tmpfs",
		t->path);
}

static int
idmap_tree(const struct plan *p, const struct plan_tree *t, int own_map, int *ret, struct err *e)
{
	struct outside_map map = { t->uid, p->outer_uid, t->gid, p->outer_gid, true };
	AUTO(fd) int other = -1;
	bool is_own = t->uid == geteuid() && t->gid == getegid();

	if (!is_own && (other = outside_id_map(&map, e)) < 0)
		return other;
	*ret = open_tree_of(t, e);
	return *ret < 0 ? *ret : set_map(t, *ret, is_own ? own_map : other, e);
}

int
outside_idmapped(const struct plan *p, int own_map, int fds[PLAN_TREES], struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < PLAN_TREES; i++)
		r = idmap_tree(p, &p->trees[i], own_map, &fds[i], e);
	return r;
}
