#include "jail/notify.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "jail/landlock.h"
#include "jail/plan.h"
#include "sandesk/base/auto.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/str.h"

enum {
	PATH_BYTES = 4096,
	THREAD = O_EXCL, /* PIDFD_THREAD, linux/pidfd.h 6.9 */
};

/* One call that waits for its answer. */
struct request {
	uint64_t id;
	pid_t pid; /* the calling thread, as init sees it */
	int call;
	uint64_t args[6];
	bool is_answered;
};

/* A socket call, copied: what is in the caller's memory is not looked at again. */
struct address {
	union {
		struct sockaddr any;
		struct sockaddr_un un;
		struct sockaddr_storage room;
	};
	char end; /* NUL behind the longest path */
	socklen_t len;
};

static void
answer(const struct notify *n, struct request *r, int error)
{
	struct seccomp_notif_resp resp = { .id = r->id, .error = error };

	r->is_answered = true;
	/* ENOENT: the caller was killed meanwhile. */
	(void)ioctl(n->listener, SECCOMP_IOCTL_NOTIF_SEND, &resp);
}

/* A thread that ended gives its number away; asked after everything that was found by the number.
 */
static bool
is_waiting(const struct notify *n, const struct request *r)
{
	uint64_t id = r->id;

	return !ioctl(n->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id);
}

/* The line of /proc/PID/status that begins with `key`; 0 or -ESRCH. */
static int
read_status(pid_t pid, const char *key, char *to, size_t size)
{
	char path[48], text[4096];
	AUTO(fd) int fd = -1;
	ssize_t len;
	char *line;

	snprintf(path, sizeof path, "/proc/%d/status", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? -1 : fd_read_all(fd, text, sizeof text - 1);
	if (len <= 0)
		return -ESRCH;
	text[len] = 0;
	line = strstr(text, key);
	if (!line)
		return -ESRCH;
	line += strlen(key);
	line[strcspn(line, "\n")] = 0;
	str_copy(to, size, line);
	return 0;
}

/* A descriptor of the caller's, as one of ours: the same open file. */
static int
take_descriptor(pid_t pid, int number)
{
	AUTO(fd) int whose = (int)syscall(SYS_pidfd_open, pid, THREAD);
	char leader[32];
	int fd;

	if (whose < 0) { /* before 6.9: a thread's leader, who has the same descriptors */
		if (read_status(pid, "\nTgid:", leader, sizeof leader))
			return -ESRCH;
		whose = (int)syscall(SYS_pidfd_open, (pid_t)strtol(leader, NULL, 10), 0);
	}
	if (whose < 0)
		return -ESRCH;
	fd = (int)syscall(SYS_pidfd_getfd, whose, number, 0);
	return fd < 0 ? -errno : fd;
}

static ssize_t
read_memory(pid_t pid, uint64_t at, void *to, size_t len)
{
	struct iovec here = { to, len }, there = { (void *)(uintptr_t)at, len };
	ssize_t n = process_vm_readv(pid, &here, 1, &there, 1, 0);

	return n < 0 ? -errno : n;
}

/* Page by page, because the path may end just before memory that is not there. */
static int
read_path(pid_t pid, uint64_t at, char *to)
{
	size_t have = 0;

	while (have < PATH_BYTES) {
		size_t step = 4096 - (at + have) % 4096;
		ssize_t n;

		if (step > PATH_BYTES - have)
			step = PATH_BYTES - have;
		n = read_memory(pid, at + have, to + have, step);
		if (n <= 0)
			return -EFAULT;
		if (memchr(to + have, 0, (size_t)n))
			return 0;
		have += (size_t)n;
	}
	return -ENAMETOOLONG;
}

static int
read_address(const struct request *r, struct address *a)
{
	int len = (int)r->args[2];

	if (len < 0 || (size_t)len > sizeof a->room)
		return -EINVAL; /* as the kernel */
	memset(a, 0, sizeof *a);
	a->len = (socklen_t)len;
	if (len && read_memory(r->pid, r->args[1], &a->room, (size_t)len) != len)
		return -EFAULT;
	return 0;
}

static int
option(int socket, int which)
{
	int value = -1;
	socklen_t len = sizeof value;

	return getsockopt(socket, SOL_SOCKET, which, &value, &len) ? -errno : value;
}

static bool
has_path(int socket, const struct address *a)
{
	return option(socket, SO_DOMAIN) == AF_UNIX && a->any.sa_family == AF_UNIX &&
	       a->len > offsetof(struct sockaddr_un, sun_path) && a->un.sun_path[0];
}

/* The devices of all mounts that init sees: nobody inside can add one to its namespace, so that
 * whatever file system is not among them was made inside. */
static void
read_devices(struct notify *n)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char line[2 * PATH_BYTES];
	unsigned major, minor;
	struct stat root;

	n->own = stat("/", &root) ? 0 : root.st_dev;
	n->nhost = 0;
	while (f && n->nhost < NOTIFY_DEVICES && fgets(line, sizeof line, f))
		if (sscanf(line, "%*d %*d %u:%u", &major, &minor) == 2)
			n->host[n->nhost++] = makedev(major, minor);
	n->has_devices = f && n->nhost < NOTIFY_DEVICES;
	if (f)
		fclose(f);
}

/* Whether a directory, or a socket, lies in memory that only this sandbox has. An overlay may have
 * its upper layer anywhere, so that no file system but a tmpfs is believed. */
static bool
is_private(struct notify *n, int fd)
{
	struct statfs fs;
	struct stat st;

	if (!n->has_devices)
		read_devices(n);
	if (!n->has_devices || fstat(fd, &st) || fstatfs(fd, &fs))
		return false;
	if (st.st_dev == n->own)
		return true;
	for (size_t i = 0; i < n->nhost; i++)
		if (n->host[i] == st.st_dev)
			return false;
	return fs.f_type == TMPFS_MAGIC;
}

/* As whom and from where the caller looks at paths. */
struct view {
	int root, cwd; /* owned */
	uid_t uid;
	gid_t gid;
	mode_t umask;
};

static void
view_drop(struct view *v)
{
	fd_drop(&v->root);
	fd_drop(&v->cwd);
}

static int
open_link(pid_t pid, const char *name)
{
	char path[48];
	int fd;

	snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int
look(const struct request *r, struct view *v)
{
	char uids[96], gids[96], mask[16];

	v->root = open_link(r->pid, "root");
	v->cwd = open_link(r->pid, "cwd");
	if (v->root < 0 || v->cwd < 0)
		return -EACCES;
	if (read_status(r->pid, "\nUid:", uids, sizeof uids) ||
		read_status(r->pid, "\nGid:", gids, sizeof gids) ||
		read_status(r->pid, "\nUmask:", mask, sizeof mask) ||
		sscanf(uids, "%*u %*u %*u %u", &v->uid) != 1 ||
		sscanf(gids, "%*u %*u %*u %u", &v->gid) != 1)
		return -ESRCH;
	v->umask = (mode_t)strtoul(mask, NULL, 8);
	return 0;
}

/* Stands where the caller stands. The ids are checked, because setfsuid(2) tells no error. */
static int
take_place(const struct view *v)
{
	if (fchdir(v->root) || chroot(".") || fchdir(v->cwd))
		return -errno;
	umask(v->umask);
	setfsgid(v->gid);
	setfsuid(v->uid);
	return (gid_t)setfsgid((gid_t)-1) == v->gid && (uid_t)setfsuid((uid_t)-1) == v->uid
		       ? 0
		       : -EACCES;
}

/* Links of /proc would lead to what is init's. */
static int
open_place(const char *path, uint64_t flags)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC | flags,
		.resolve = RESOLVE_NO_MAGICLINKS };
	int fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);

	return fd < 0 ? -errno : fd;
}

/* The directory of what is to be made, and its name in it. `path` is cut in two. */
static int
open_parent(char *path, const char **ret_name)
{
	char *slash = strrchr(path, '/');

	*ret_name = slash ? slash + 1 : path;
	if (!slash)
		return open_place(".", O_DIRECTORY);
	if (slash == path)
		return open_place("/", O_DIRECTORY);
	*slash = 0;
	return open_place(path, O_DIRECTORY);
}

/* Makes the socket's name. The whole path goes to the kernel once more, because getsockname(2) must
 * give it back as it was; Landlock sees to it that nothing is made beside the directory that was
 * looked at, where a link was changed meanwhile. Whoever has one of datagrams needs no connection,
 * so that for those the name alone is given, from within the directory. */
static int
bind_path(struct notify *n, int socket, struct address *a)
{
	char path[sizeof a->room + 1];
	const char *name;
	AUTO(fd) int parent = -1;

	str_copy(path, sizeof path, a->un.sun_path);
	parent = open_parent(path, &name);
	if (parent < 0)
		return parent;
	if (!is_private(n, parent))
		return -EACCES;
	if (option(socket, SO_TYPE) == SOCK_DGRAM) {
		if (fchdir(parent))
			return -errno;
		memmove(a->un.sun_path, name, strlen(name) + 1);
		a->len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name) + 1);
	} else {
		(void)landlock_make_only_below(parent);
	}
	return bind(socket, &a->any, a->len) ? -errno : 0;
}

/* The very socket that was looked at, by its descriptor: /proc is init's own again. */
static int
connect_path(struct notify *n, int socket, const struct address *a, int own_root)
{
	AUTO(fd) int target = open_place(a->un.sun_path, 0);
	struct sockaddr_un by_fd = { .sun_family = AF_UNIX };

	if (target < 0)
		return target;
	if (!is_private(n, target))
		return -EACCES;
	if (fchdir(own_root) || chroot("."))
		return -errno;
	snprintf(by_fd.sun_path, sizeof by_fd.sun_path, "/proc/self/fd/%d", target);
	return connect(socket, (struct sockaddr *)&by_fd, sizeof by_fd) ? -errno : 0;
}

static int
make_node(struct notify *n, char *path, mode_t mode)
{
	const char *name;
	AUTO(fd) int parent = open_parent(path, &name);

	if (parent < 0)
		return parent;
	if (!*name)
		return -ENOENT;
	if (!is_private(n, parent))
		return -EACCES;
	return mknodat(parent, name, mode, 0) ? -errno : 0;
}

/* Begins a child that answers; init goes on. A raw call: libuv's handlers for fork(3), which are part of
 * this image, would close descriptors that are ours by now. -EAGAIN: no process or no place is left,
 * which bind(2) and connect(2) say, too. */
static pid_t
begin_child(struct notify *n, struct request *r)
{
	size_t at = 0;
	pid_t pid;

	while (at < NOTIFY_CHILDREN && n->children[at].pid)
		at++;
	pid = at == NOTIFY_CHILDREN ? -1
				    : (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (!pid) {
		close(n->keeper);
		return 0;
	}
	if (pid < 0)
		answer(n, r, -EAGAIN);
	else
		n->children[at].pid = pid, n->children[at].id = r->id;
	r->is_answered = true;
	return pid;
}

void
notify_reaped(struct notify *n, pid_t pid)
{
	for (size_t i = 0; i < NOTIFY_CHILDREN; i++) {
		struct request r = { .id = n->children[i].id };

		if (n->children[i].pid != pid)
			continue;
		n->children[i].pid = 0;
		answer(n, &r, -EAGAIN);
	}
}

static int
socket_child(struct notify *n, const struct request *r, int socket, struct address *a)
{
	AUTO(view) struct view v = { -1, -1, 0, 0, 0 };
	AUTO(fd) int own_root = -1;
	int error = look(r, &v);

	if (!n->has_devices)
		read_devices(n);
	own_root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (!error && !is_waiting(n, r))
		error = -ESRCH;
	error = error ? error : take_place(&v);
	if (error)
		return error;
	return r->call == SYS_bind ? bind_path(n, socket, a) : connect_path(n, socket, a, own_root);
}

/* Where the caller's relative paths of mknodat(2) begin. */
static int
stand_at(const struct request *r, struct view *v)
{
	int dir = (int)r->args[0], fd;

	if (r->call != SYS_mknodat || dir == AT_FDCWD)
		return 0;
	fd = take_descriptor(r->pid, dir);
	if (fd < 0)
		return fd;
	fd_close(v->cwd);
	v->cwd = fd;
	return 0;
}

static int
node_child(struct notify *n, const struct request *r)
{
	int first = r->call == SYS_mknodat;
	AUTO(view) struct view v = { -1, -1, 0, 0, 0 };
	char path[PATH_BYTES];
	int error = look(r, &v);

	if (!n->has_devices)
		read_devices(n);
	error = error ? error : read_path(r->pid, r->args[first], path);
	if (!error && path[0] != '/')
		error = stand_at(r, &v);
	if (!error && !is_waiting(n, r))
		error = -ESRCH;
	error = error ? error : take_place(&v);
	return error ? error : make_node(n, path, (mode_t)r->args[first + 1]);
}

static void
answer_node(struct notify *n, struct request *r)
{
	if (!begin_child(n, r)) {
		answer(n, r, node_child(n, r));
		_exit(0);
	}
}

/* Ends a connection that has begun, where the caller would wait for it. */
static void
finish_connect(struct notify *n, struct request *r, int socket, const struct address *a)
{
	if (!begin_child(n, r)) {
		answer(n, r, connect(socket, &a->any, a->len) ? -errno : 0);
		_exit(0);
	}
}

/* Without waiting, whatever the caller's socket says; on loopback it is then mostly done. What is
 * not done goes on in a child. */
static void
connect_here(struct notify *n, struct request *r, int socket, const struct address *a)
{
	int flags = fcntl(socket, F_GETFL), error;
	struct pollfd done = { .fd = socket, .events = POLLOUT };
	bool waits = flags >= 0 && !(flags & O_NONBLOCK);

	if (waits)
		fcntl(socket, F_SETFL, flags | O_NONBLOCK);
	error = connect(socket, &a->any, a->len) ? -errno : 0;
	if (waits && error == -EINPROGRESS && poll(&done, 1, 0) == 1)
		error = connect(socket, &a->any, a->len) ? -errno : 0;
	if (waits)
		fcntl(socket, F_SETFL, flags);
	if (waits && (error == -EINPROGRESS || error == -EALREADY || error == -EAGAIN))
		finish_connect(n, r, socket, a);
	else
		answer(n, r, error);
}

static void
answer_socket(struct notify *n, struct request *r)
{
	AUTO(fd) int socket = take_descriptor(r->pid, (int)r->args[0]);
	struct address a;
	int error = socket < 0 ? socket : read_address(r, &a);

	if (!is_waiting(n, r)) {
		r->is_answered = true;
		return;
	}
	if (error) {
		answer(n, r, error);
		return;
	}
	if (!has_path(socket, &a)) {
		if (r->call == SYS_connect)
			connect_here(n, r, socket, &a);
		else
			answer(n, r, bind(socket, &a.any, a.len) ? -errno : 0);
		return;
	}
	if (!begin_child(n, r)) {
		answer(n, r, socket_child(n, r, socket, &a));
		_exit(0);
	}
}

/* Which call is answered how. */
static const struct {
	int call;
	void (*run)(struct notify *n, struct request *r);
} calls[] = {
	{ SYS_bind, answer_socket },
	{ SYS_connect, answer_socket },
#ifdef SYS_mknod
	{ SYS_mknod, answer_node },
#endif
	{ SYS_mknodat, answer_node },
};

bool
notify_hear(struct notify *n)
{
	struct seccomp_notif in = { 0 };
	struct request r;

	if (ioctl(n->listener, SECCOMP_IOCTL_NOTIF_RECV, &in))
		return errno == ENOENT || errno == EINTR;
	r = (struct request){ .id = in.id, .pid = (pid_t)in.pid, .call = in.data.nr };
	for (size_t i = 0; i < ARRAY_LEN(r.args); i++)
		r.args[i] = in.data.args[i];
	for (size_t i = 0; i < ARRAY_LEN(calls); i++)
		if (calls[i].call == r.call)
			calls[i].run(n, &r);
	if (!r.is_answered)
		answer(n, &r, -ENOSYS);
	return true;
}
