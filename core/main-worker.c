/* sandesk-worker - one slow job of the daemon's, then the end.
 *
 * Descriptor 3 is the daemon: a `job` comes in, `progress` goes out now and then, `result` at the
 * end. Jobs:
 *
 *   tree.remove   removes the directory `path` with all that is in it. What stands there was made by a sandbox and is
 *                 hostile: nothing is followed, everything is reached by descriptor from its parent, and a tree of any depth
 *                 needs DEPTH_MAX descriptors: what lies deeper is first moved up to the top.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/str.h"
#include "sandesk/messages.h"

enum { DAEMON_FD = 3, READ_BYTES = 4096, DEPTH_MAX = 64, PROGRESS_EVERY = 4096 };

struct removal {
	int top_fd;
	uint64_t removed;
	uint64_t moved; /* directories brought up: makes their names unique */
	int failure;	/* the first one */
};

static void
say(const struct msg *m)
{
	AUTO(buf) struct buf bytes = { 0 };

	if (msg_encode(&bytes, m) == 0)
		(void)fd_write_all(
			DAEMON_FD, bytes.data, bytes.len); /* a daemon that is gone hears no more */
}

static void
count_removed(struct removal *r)
{
	if (++r->removed % PROGRESS_EVERY == 0)
		say(&(struct msg){ .type = MSG_progress,
			.progress = { .count = r->removed, .text = "removed" } });
}

static void
note_failure(struct removal *r)
{
	if (!r->failure)
		r->failure = -errno;
}

/* A directory entry as a descriptor, however its mode was set; never through a symlink. -1 when it
 * is no directory. */
static int
open_dir(int parent, const char *name)
{
	AUTO(fd) int handle = openat(parent, name, O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
	char self[32];

	if (handle < 0)
		return -1;
	snprintf(self, sizeof self, "/proc/self/fd/%d", handle);
	(void)chmod(self, 0700); /* ours, but for an owner that only root could have set */
	return openat(handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void remove_inside(struct removal *r, int fd, unsigned depth);

static bool
is_dot(const char *name)
{
	return str_equal(name, ".") || str_equal(name, "..");
}

static void
bring_up(struct removal *r, int parent, const char *name)
{
	char fresh[64];
	int fd = open_dir(parent, name); /* its mode must let its ".." be changed */

	fd_close(fd);
	do
		snprintf(fresh, sizeof fresh, ".sandesk-removed-%llu",
			(unsigned long long)r->moved++);
	while (faccessat(r->top_fd, fresh, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
	if (renameat(parent, name, r->top_fd, fresh) < 0)
		note_failure(r);
}

static void
remove_entry(struct removal *r, int parent, const char *name, unsigned depth)
{
	int fd;

	if (unlinkat(parent, name, 0) == 0) {
		count_removed(r);
		return;
	}
	if (errno != EISDIR && errno != EPERM) {
		note_failure(r);
		return;
	}
	if (depth >= DEPTH_MAX) {
		bring_up(r, parent, name);
		return;
	}
	fd = open_dir(parent, name);
	if (fd >= 0)
		remove_inside(r, fd, depth + 1);
	if (unlinkat(parent, name, AT_REMOVEDIR) == 0)
		count_removed(r);
	else
		note_failure(r);
}

/* Takes fd. */
static void
remove_inside(struct removal *r, int fd, unsigned depth)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		note_failure(r);
		fd_close(fd);
		return;
	}
	while ((entry = readdir(dir)))
		if (!is_dot(entry->d_name))
			remove_entry(r, dirfd(dir), entry->d_name, depth);
	closedir(dir);
}

/* Several passes: each brings what lay too deep up to the top, for the next. */
static int
remove_tree(const char *path, struct removal *r, struct err *e)
{
	uint64_t moved;

	r->top_fd = open_dir(AT_FDCWD, path);
	if (r->top_fd < 0)
		return errno == ENOENT ? 0 : err_errno(e, -errno, "%s", path);
	do {
		int again = openat(r->top_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		moved = r->moved;
		r->failure = 0;
		if (again >= 0)
			remove_inside(r, again, 0);
		else
			note_failure(r);
	} while (r->moved != moved);
	fd_drop(&r->top_fd);
	if (rmdir(path) == 0)
		return 0;
	return err_errno(e, r->failure ? r->failure : -errno, "%s: not all could be removed", path);
}

static void
run_job(const struct msg_job *job)
{
	struct removal r = { .top_fd = -1 };
	struct err e = { 0 };
	int rc;

	if (str_equal(job->kind, "tree.remove"))
		rc = remove_tree(job->path, &r, &e);
	else
		rc = err_set(&e, -ENOSYS, "job %.60s: is not known", job->kind);
	say(&(struct msg){
		.type = MSG_result, .result = { .code = (uint64_t)-rc, .text = e.msg } });
}

int
main(void)
{
	AUTO(buf) struct buf in = { .limit = FRAME_BYTES };
	struct err e = { 0 };
	struct msg m;

	signal(SIGPIPE, SIG_IGN); /* the job is done even when the daemon has gone */
	for (;;) {
		ssize_t used, n;

		while ((used = msg_decode(in.data, in.len, &m, &e)) > 0) {
			if (m.type == MSG_job) {
				run_job(&m.job);
				return 0;
			}
			buf_cut(&in, (size_t)used);
		}
		if (used < 0 || buf_reserve(&in, READ_BYTES) < 0)
			return 1;
		n = read(DAEMON_FD, in.data + in.len, READ_BYTES);
		if (n <= 0)
			return 1;
		in.len += (size_t)n;
	}
}
