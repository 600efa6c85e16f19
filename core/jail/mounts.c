/* mounts.c - the sandbox's file system, from the inside of its mount namespace.
 * Contract:  the new root is mounted over / and is the working directory: a path without a leading
 *            slash is the sandbox's, one with it is the host's. Nothing of the host is hidden by it
 *            until the pivot, wherever a Desktop lies.
 * Source:    mount_setattr(2), open_tree(2), move_mount(2), pivot_root(2); each trap is explained
 *            where it lies.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "jail/inside.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/str.h"

static int
fail(struct inside *in, const struct plan_step *s)
{
	return err_errno(in->err, -errno, "%s /%s",
		s->op == PLAN_BIND_RO || s->op == PLAN_BIND_RW ? "mount" : "make",
		s->to ? s->to : "");
}

static int
open_place(const char *path, uint64_t flags, uint64_t more)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC | flags,
		.resolve = RESOLVE_NO_SYMLINKS | more };

	return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

static int
open_no_symlinks(const char *path, uint64_t more)
{
	return open_place(path, O_DIRECTORY, more);
}

static int
restrict_mount(int tree, uint64_t set)
{
	struct mount_attr attr = { .attr_set = set };

	return mount_setattr(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attr, sizeof attr);
}

static int
make_root(struct inside *in, const struct plan_step *s)
{
	char size[32], inodes[32];
	AUTO(fd) int fs = -1;
	AUTO(fd) int root = -1;

	snprintf(size, sizeof size, "%llu", (unsigned long long)s->number);
	snprintf(inodes, sizeof inodes, "%llu", (unsigned long long)s->id);
	/* What is mounted later must not reach the host's namespace, nor the host's unmounts ours.
	 */
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return err_errno(in->err, -errno,
			"make the mounts private (in LXC set nesting=1; in Docker use an AppArmor "
			"profile that allows mount)");
	fs = fsopen("tmpfs", FSOPEN_CLOEXEC);
	if (fs < 0 || fsconfig(fs, FSCONFIG_SET_STRING, "source", "sandesk", 0) ||
		fsconfig(fs, FSCONFIG_SET_STRING, "size", size, 0) ||
		fsconfig(fs, FSCONFIG_SET_STRING, "nr_inodes", inodes, 0) ||
		fsconfig(fs, FSCONFIG_SET_STRING, "mode", "0755", 0) ||
		fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		return fail(in, s);
	root = fsmount(fs, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	if (root < 0 || move_mount(root, "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH) ||
		fchdir(root))
		return fail(in, s);
	return 0;
}

static int
make_dir(struct inside *in, const struct plan_step *s)
{
	return mkdir(s->to, (mode_t)s->number) && errno != EEXIST ? fail(in, s) : 0;
}

static int
make_link(struct inside *in, const struct plan_step *s)
{
	return symlink(s->from, s->to) ? fail(in, s) : 0;
}

static int
make_text(struct inside *in, const struct plan_step *s)
{
	AUTO(fd) int fd = open(s->to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)s->number);

	if (fd < 0 || fd_write_all(fd, s->from, strlen(s->from)))
		return fail(in, s);
	return 0;
}

enum { COPY_STEP = 8 << 10 }; /* stack pages of a forked image are copied when they are touched */

/* Gone or unreadable since the plan was made: as if it had never been there. */
static int
make_copy(struct inside *in, const struct plan_step *s)
{
	char bytes[COPY_STEP];
	AUTO(fd) int from = open(s->from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	AUTO(fd) int to = -1;
	ssize_t n;

	if (from < 0)
		return 0;
	to = open(s->to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)s->number);
	if (to < 0)
		return fail(in, s);
	do {
		n = read(from, bytes, sizeof bytes);
		if (n < 0 || fd_write_all(to, bytes, (size_t)n))
			return fail(in, s);
	} while (n == COPY_STEP);
	return 0;
}

/* Read-only before it is attached, with everything below it in one call: no submount stays
 * writable. */
static int
bind_ro(struct inside *in, const struct plan_step *s)
{
	AUTO(fd)
	int tree = open_tree(AT_FDCWD, s->from, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);

	if (tree < 0)
		return errno == ENOENT || errno == EACCES ? 0 : fail(in, s);
	if (restrict_mount(tree, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV) ||
		move_mount(tree, "", AT_FDCWD, s->to, MOVE_MOUNT_F_EMPTY_PATH))
		return fail(in, s);
	return 0;
}

/* The very directory of the plan: it may have been renamed or replaced by a symlink meanwhile. */
static int
open_planned(struct inside *in, const struct plan_tree *t)
{
	AUTO(fd) int dir = open_no_symlinks(t->path, 0);
	struct stat st;

	if (dir < 0 || fstat(dir, &st))
		return err_errno(in->err, -errno, "open %s", t->path);
	if (st.st_dev != t->dev || st.st_ino != t->ino)
		return err_set(in->err, -ESTALE,
			"%s: was replaced by another directory just now; try again", t->path);
	return open_tree(
		dir, "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | AT_RECURSIVE);
}

static int
bind_rw(struct inside *in, const struct plan_step *s)
{
	AUTO(fd) int tree = in->trees[s->id];
	AUTO(fd) int at = -1;

	in->trees[s->id] = -1;
	if (tree < 0) {
		tree = open_planned(in, &in->plan.trees[s->id]);
		if (tree < -1)
			return tree;
		if (tree < 0 || restrict_mount(tree, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV))
			return fail(in, s);
	}
	at = open_no_symlinks(s->to, RESOLVE_IN_ROOT);
	if (at < 0 ||
		move_mount(tree, "", at, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH))
		return fail(in, s);
	return 0;
}

static int
bind_node(struct inside *in, const struct plan_step *s, const char *from)
{
	AUTO(fd) int point = open(s->to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	return point < 0 || mount(from, s->to, NULL, MS_BIND, NULL) ? fail(in, s) : 0;
}

static int
bind_device(struct inside *in, const struct plan_step *s)
{
	struct stat st;

	if (stat(s->from, &st))
		return fail(in, s);
	if (!S_ISCHR(st.st_mode) || st.st_rdev != s->number)
		return err_set(in->err, -ENODEV,
			"%s: is not the device of that name; mend the host's /dev", s->from);
	return bind_node(in, s, s->from);
}

/* The name comes from the kernel; without one in this mount namespace ttyname(3) fails inside, and
 * nothing else does. */
static int
bind_console(struct inside *in, const struct plan_step *s)
{
	char link[32], path[64];
	struct stat named, opened;
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", in->fds[0]);
	n = readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = 0;
	if (n <= 0 || stat(path, &named) || fstat(in->fds[0], &opened) ||
		named.st_ino != opened.st_ino || named.st_dev != opened.st_dev)
		return 0;
	return bind_node(in, s, path);
}

/* A writable window into the root's own memory: one file system, so that one size and one inode
 * count cover them all. */
static int
bind_scratch(struct inside *in, const struct plan_step *s)
{
	if (mkdir(s->to, (mode_t)s->number) || mount(s->to, s->to, NULL, MS_BIND, NULL))
		return fail(in, s);
	return 0;
}

static int
mount_pts(struct inside *in, const struct plan_step *s)
{
	char options[80];

	snprintf(options, sizeof options, "newinstance,ptmxmode=0666,mode=0620,max=%llu",
		(unsigned long long)s->number);
	return mount("devpts", s->to, "devpts", MS_NOSUID | MS_NOEXEC, options) ? fail(in, s) : 0;
}

static int
mount_proc(struct inside *in, const struct plan_step *s)
{
	if (!mount("proc", s->to, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		return 0;
	if (errno == EPERM)
		return err_set(in->err, -EPERM,
			"mount a fresh /proc: refused, because this machine's own /proc is masked "
			"(a container?); start it with "
			"Docker's --security-opt systempaths=unconfined, podman's unmask=/proc/* "
			"or procMount: Unmasked");
	return fail(in, s);
}

/* Mounts a place of the new root over itself. 1: it is not there. */
static int
bind_self(struct inside *in, const struct plan_step *s, uint64_t attributes)
{
	AUTO(fd) int at = open_place(s->to, 0, RESOLVE_IN_ROOT);
	AUTO(fd) int tree = -1;

	if (at < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 1 : fail(in, s);
	tree = open_tree(
		at, "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | AT_RECURSIVE);
	if (tree < 0 || restrict_mount(tree, attributes) ||
		move_mount(tree, "", at, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH))
		return fail(in, s);
	return 0;
}

enum { HARMLESS = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV };

/* Moved since the plan was made: no reason not to start, but to be told. */
static int
tell_gone(struct inside *in, int r)
{
	if (r > 0)
		in->missing |= 1u << WALL_PROTECT;
	return r > 0 ? 0 : r;
}

static int
pin(struct inside *in, const struct plan_step *s)
{
	return tell_gone(in, bind_self(in, s, HARMLESS));
}

static int
protect(struct inside *in, const struct plan_step *s)
{
	return tell_gone(in, bind_self(in, s, HARMLESS | MOUNT_ATTR_RDONLY));
}

static int
freeze(struct inside *in, const struct plan_step *s)
{
	int r = bind_self(in, s, HARMLESS | MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC);

	return r > 0 ? 0 : r; /* this kernel does not have it */
}

/* What covers a name must be the null device and nothing that was put in its place
 * (CVE-2025-31133): looked at where it stands. */
static int
mask(struct inside *in, const struct plan_step *s)
{
	struct stat st;

	if (access(s->to, F_OK))
		return 0;
	if (mount("dev/null", s->to, NULL, MS_BIND, NULL) || lstat(s->to, &st))
		return fail(in, s);
	if (!S_ISCHR(st.st_mode) || st.st_rdev != makedev(1, 3))
		return err_set(in->err, -ENODEV,
			"mask /%s: /dev/null is not the null device; mend the host's /dev", s->to);
	return 0;
}

/* Counts for what is made inside this user namespace, which stays as it is. */
static int
no_nesting(struct inside *in, const struct plan_step *s)
{
	AUTO(fd) int fd = open("proc/sys/user/max_user_namespaces", O_WRONLY | O_CLOEXEC);

	(void)s;
	if (fd < 0 || fd_write_all(fd, "0", 1))
		return err_errno(in->err, -errno, "forbid user namespaces inside");
	return 0;
}

static int (*const mount_ops[PLAN_OP_COUNT])(struct inside *, const struct plan_step *) = {
	[PLAN_ROOT] = make_root,
	[PLAN_DIR] = make_dir,
	[PLAN_LINK] = make_link,
	[PLAN_TEXT] = make_text,
	[PLAN_COPY] = make_copy,
	[PLAN_BIND_RO] = bind_ro,
	[PLAN_BIND_RW] = bind_rw,
	[PLAN_DEVICE] = bind_device,
	[PLAN_CONSOLE] = bind_console,
	[PLAN_SCRATCH] = bind_scratch,
	[PLAN_PTS] = mount_pts,
	[PLAN_PROC] = mount_proc,
	[PLAN_NO_NESTING] = no_nesting,
	[PLAN_MASK] = mask,
	[PLAN_FREEZE] = freeze,
	[PLAN_PIN] = pin,
	[PLAN_PROTECT] = protect,
};

int
mounts_run(struct inside *in)
{
	int r = 0;

	for (size_t i = 0; !r && i < in->plan.nsteps; i++) {
		const struct plan_step *s = &in->plan.steps[i];

		if (mount_ops[s->op])
			r = mount_ops[s->op](in, s);
	}
	return r;
}

/* The old root is stacked over the new one by the pivot and is what "." then unmounts:
 * pivot_root(2), NOTES. */
int
mounts_pivot(struct inside *in)
{
	struct mount_attr attr = { .attr_set = MOUNT_ATTR_RDONLY };

	if (syscall(SYS_pivot_root, ".", "."))
		return err_errno(in->err, -errno,
			"pivot_root (a root file system in an initramfs cannot be left)");
	if (umount2(".", MNT_DETACH))
		return err_errno(in->err, -errno, "detach the host's root");
	if (chdir("/") || mount_setattr(AT_FDCWD, "/", 0, &attr, sizeof attr))
		return err_errno(in->err, -errno, "make the new root read-only");
	return 0;
}
