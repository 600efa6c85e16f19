#include "jail/jail.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/doctor.h"
#include "jail/inside.h"
#include "jail/outside.h"
#include "sandesk/base/fd.h"

/* What is open while a sandbox is being started. */
struct start {
	struct inside in;
	int ours; /* end of the socket */
	int theirs;
	struct jail jail;
};

static void
start_drop(struct start *s)
{
	for (size_t i = 0; i < PLAN_TREES; i++)
		fd_drop(&s->in.trees[i]);
	fd_drop(&s->ours);
	fd_drop(&s->theirs);
	jail_fini(&s->jail);
}

/* Root's sandboxes have another id than root's terminal and pipes, and could not open them again by
 * /dev/stdout. Pipes have no name that anybody else could hold; a file or a terminal of the
 * caller's is left alone. */
enum { PIPEFS = 0x50495045 }; /* PIPEFS_MAGIC, linux/magic.h */

static bool
is_ours_to_give(const struct jail_io *io, int fd)
{
	struct statfs fs;

	return io->pty >= 0 || (!fstatfs(fd, &fs) && fs.f_type == PIPEFS);
}

static int
give_descriptors(
	const struct start *s, const struct plan *p, const struct jail_io *io, struct err *e)
{
	for (int i = 0; p->is_root && i < 3; i++)
		if (is_ours_to_give(io, s->in.fds[i]) &&
			fchown(s->in.fds[i], p->outer_uid, p->outer_gid))
			return err_errno(e, -errno, "give descriptor %d to the sandbox", i);
	return 0;
}

static int
prepare(struct start *s, const struct plan *p, struct err *e)
{
	int ends[2];
	int r = outside_keyring(e);

	if (!r && p->is_root)
		r = outside_idmapped(p, s->in.trees, e);
	if (r)
		return r;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return err_errno(e, -errno, "make a socket");
	s->ours = ends[0];
	s->theirs = ends[1];
	s->in.socket = s->theirs;
	s->in.peer = s->ours;
	return 0;
}

static int
clone_and_map(struct start *s, const struct plan *p, struct err *e)
{
	struct outside_map map = { p->inner_uid, p->outer_uid, p->inner_gid, p->outer_gid,
		p->is_root };
	s->jail.pid = outside_clone(&s->jail.pidfd);
	if (!s->jail.pid)
		inside_main(&s->in);
	return s->jail.pid < 0 ? jail_explain(s->jail.pid, e)
			       : outside_write_maps(s->jail.pid, &map, e);
}

static int
wait_started(struct start *s, struct err *e)
{
	struct message m = { .kind = MESSAGE_GO };
	int r = inside_send(s->ours, &m);
	ssize_t n;

	do
		n = r ? r : recv(s->ours, &m, sizeof m, 0);
	while (n < 0 && !r && errno == EINTR);
	if (n < MESSAGE_SHORT)
		return err_set(e, JAIL_NOT_BUILT,
			"the sandbox's first process was killed while it was being built (out of "
			"memory?)");
	if (m.kind == MESSAGE_STARTED)
		return 0;
	return err_set(e, m.err.code, "%s", m.err.msg);
}

int
jail_start(const struct plan *plan, const struct jail_io *io, struct jail *ret, struct err *e)
{
	__attribute__((cleanup(start_drop))) struct start s = { .in = { .plan = plan,
									.trees = { -1, -1 } },
		.ours = -1,
		.theirs = -1,
		.jail = { .pidfd = -1, .status_fd = -1 } };
	int r;

	assert(plan->has_pty == (io->pty >= 0));
	for (int i = 0; i < 3; i++)
		s.in.fds[i] = io->pty >= 0 ? io->pty : io->fds[i];
	r = give_descriptors(&s, plan, io, e);
	r = r ? r : prepare(&s, plan, e);
	r = r ? r : clone_and_map(&s, plan, e);
	if (r) {
		err_wrap(e, "build the sandbox");
		if (e)
			e->code = JAIL_NOT_BUILT;
		return JAIL_NOT_BUILT;
	}
	fd_drop(&s.theirs);
	r = wait_started(&s, e);
	if (r)
		return r;
	*ret = s.jail;
	ret->status_fd = fd_take(&s.ours);
	s.jail = (struct jail){ .pidfd = -1, .status_fd = -1 };
	return 0;
}

static int
ask(struct jail *j, int sig, enum signal_target target)
{
	struct message m = { .kind = MESSAGE_SIGNAL, .value = sig, .target = target };
	int r;

	if (sig < 1 || sig >= NSIG)
		return -EINVAL;
	if (!j->pid || j->has_status)
		return -ESRCH;
	r = inside_send(j->status_fd, &m);
	return r == -EPIPE || r == -ECONNRESET || r == -ENOTCONN ? -ESRCH : r;
}

int
jail_signal(struct jail *j, int sig)
{
	return ask(j, sig, TARGET_FOREGROUND);
}

int
jail_signal_all(struct jail *j, int sig)
{
	return ask(j, sig, TARGET_ALL);
}

int
jail_stop(struct jail *j)
{
	return ask(j, SIGTERM, TARGET_STOP);
}

int
jail_kill(struct jail *j)
{
	if (j->pidfd < 0 || !j->pid)
		return -ESRCH;
	return syscall(SYS_pidfd_send_signal, j->pidfd, SIGKILL, NULL, 0) ? -errno : 0;
}

int
jail_exit(struct jail *j, int *ret_status)
{
	struct message m;
	ssize_t n;

	while (!j->has_status) {
		n = recv(j->status_fd, &m, sizeof m, MSG_DONTWAIT);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return -EAGAIN;
		if (n > 0 && m.kind != MESSAGE_EXIT)
			continue;
		j->status = n >= MESSAGE_SHORT ? m.value
					       : SIGKILL; /* no word from init: it was killed */
		j->has_status = true;
	}
	*ret_status = j->status;
	return 0;
}

void
jail_fini(struct jail *j)
{
	siginfo_t info;

	if (j->pid > 0) {
		jail_kill(j);
		while (waitid(P_PIDFD, (id_t)j->pidfd, &info, WEXITED) < 0 && errno == EINTR)
			;
		fd_drop(&j->pidfd);
		fd_drop(&j->status_fd);
	}
	*j = (struct jail){ .pidfd = -1, .status_fd = -1 };
}

void
jail_drop(struct jail *j)
{
	jail_fini(j);
}

int
jail_exit_code(int error)
{
	return error == JAIL_NOT_FOUND ? 127 : error == JAIL_NOT_EXECUTABLE ? 126 : 125;
}

int
jail_status_code(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
