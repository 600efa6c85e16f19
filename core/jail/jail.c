#include "jail/jail.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/doctor.h"
#include "jail/inside.h"
#include "jail/outside.h"
#include "jail/pack.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

static const struct jail jail_none = { .own_map = -1, .pidfd = -1, .status_fd = -1 };

static int
not_built(struct err *e)
{
	err_wrap(e, "build the sandbox");
	if (e)
		e->code = JAIL_NOT_BUILT;
	return JAIL_NOT_BUILT;
}

static int
prepare(struct jail *j, struct err *e)
{
	struct plan ids = { 0 };
	struct inside in = { .trees = { -1, -1 } };
	struct outside_map map, own;
	int ends[2], r = outside_keyring(e);

	if (r)
		return r;
	plan_choose_ids(&ids, geteuid(), getegid());
	map = (struct outside_map){ ids.inner_uid, ids.outer_uid, ids.inner_gid, ids.outer_gid,
		ids.is_root };
	own = (struct outside_map){ geteuid(), ids.outer_uid, getegid(), ids.outer_gid, true };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return err_errno(e, -errno, "make a socket");
	j->status_fd = ends[0];
	in.socket = ends[1];
	j->pid = outside_clone(&j->pidfd);
	if (!j->pid) {
		in.missing = j->pidfd == OUTSIDE_NO_TIME ? 1u << WALL_TIME : 0;
		inside_main(&in);
	}
	fd_close(ends[1]);
	r = j->pid < 0 ? jail_explain(j->pid, e) : outside_write_maps(j->pid, &map, e);
	if (!r && ids.is_root)
		j->own_map = r = outside_id_map(&own, e);
	return r < 0 ? r : 0;
}

int
jail_prepare(struct jail *ret, struct err *e)
{
	AUTO(jail) struct jail j = jail_none;

	if (prepare(&j, e) < 0)
		return not_built(e);
	*ret = j;
	j = jail_none;
	return 0;
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

/* What travels with MESSAGE_GO; the trees are ours to close. */
struct luggage {
	int plan;
	int trees[PLAN_TREES];
	int fds[FD_PASS_MAX];
	size_t nio, n;
};

static void
luggage_drop(struct luggage *l)
{
	fd_drop(&l->plan);
	for (size_t i = 0; i < PLAN_TREES; i++)
		fd_drop(&l->trees[i]);
}

/* Of any size, and gone with its last descriptor: it holds the environment. */
static int
pack(const struct plan *p, struct luggage *l, struct err *e)
{
	AUTO(buf) struct buf bytes = { 0 };
	int r;

	plan_pack(p, &bytes);
	l->plan = memfd_create("plan", MFD_CLOEXEC);
	r = l->plan < 0 ? -errno : fd_write_all(l->plan, bytes.data, bytes.len);
	if (!r && lseek(l->plan, 0, SEEK_SET) < 0)
		r = -errno;
	explicit_bzero(bytes.data, bytes.len);
	return r ? err_errno(e, r, "hand the plan over") : 0;
}

static int
gather(const struct jail *j, const struct plan *p, const struct jail_io *io, struct luggage *l,
	struct err *e)
{
	int r = pack(p, l, e);

	if (!r && p->is_root)
		r = outside_idmapped(p, j->own_map, l->trees, e);
	l->fds[l->n++] = l->plan;
	l->nio = io->pty >= 0 ? 1 : 3;
	for (size_t i = 0; !r && i < l->nio; i++) {
		int fd = io->pty >= 0 ? io->pty : io->fds[i];

		if (p->is_root && is_ours_to_give(io, fd) && fchown(fd, p->outer_uid, p->outer_gid))
			r = err_errno(e, -errno, "give descriptor %zu to the sandbox", i);
		l->fds[l->n++] = fd;
	}
	for (size_t i = 0; p->is_root && i < PLAN_TREES; i++)
		l->fds[l->n++] = l->trees[i];
	return r;
}

static int
send_off(const struct jail *j, const struct plan *p, const struct jail_io *io, struct err *e)
{
	AUTO(luggage) struct luggage l = { .plan = -1, .trees = { -1, -1 } };
	struct message go = { .kind = MESSAGE_GO };
	ssize_t n;
	int r = gather(j, p, io, &l, e);

	if (r)
		return not_built(e);
	go.value = (int)l.nio;
	n = fd_send(j->status_fd, &go, MESSAGE_SHORT, l.fds, l.n);
	if (n >= 0)
		return 0;
	err_errno(e, (int)n, "tell the sandbox's first process what to be");
	return not_built(e);
}

static int
wait_started(struct jail *j, struct err *e)
{
	struct message m;
	ssize_t n;

	do
		n = recv(j->status_fd, &m, sizeof m, 0);
	while (n < 0 && errno == EINTR);
	if (n < MESSAGE_SHORT)
		return err_set(e, JAIL_NOT_BUILT,
			"the sandbox's first process was killed while it was being built (out of "
			"memory?)");
	if (m.kind == MESSAGE_STARTED) {
		j->missing = (uint32_t)m.value;
		return 0;
	}
	return err_set(e, m.err.code, "%s", m.err.msg);
}

static void
remember_watched(struct jail *j, const struct plan *p)
{
	for (size_t i = 0; i < p->nsteps; i++) {
		if (p->steps[i].op != PLAN_WATCH)
			continue;
		j->watched = mem_grow(j->watched, j->nwatched + 1, sizeof *j->watched);
		j->watched[j->nwatched++] = str_dup(p->steps[i].to);
	}
}

const char *
jail_appeared(const struct jail *j)
{
	return j->appeared > 0 && (size_t)j->appeared <= j->nwatched ? j->watched[j->appeared - 1]
								     : NULL;
}

int
jail_run(struct jail *j, const struct plan *plan, const struct jail_io *io, struct err *e)
{
	int r;

	assert(plan->has_pty == (io->pty >= 0));
	r = send_off(j, plan, io, e);
	r = r ? r : wait_started(j, e);
	fd_drop(&j->own_map);
	if (r)
		jail_fini(j);
	else
		remember_watched(j, plan);
	return r;
}

int
jail_start(const struct plan *plan, const struct jail_io *io, struct jail *ret, struct err *e)
{
	struct jail j;
	int r = jail_prepare(&j, e);

	r = r ? r : jail_run(&j, plan, io, e);
	if (!r)
		*ret = j;
	return r;
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
jail_ask_usage(struct jail *j)
{
	struct message m = { .kind = MESSAGE_USAGE };
	int r = j->pid && !j->has_status ? inside_send(j->status_fd, &m) : -ESRCH;

	return r < 0 ? -ESRCH : 0;
}

bool
jail_hear(struct jail *j)
{
	int status;

	return j->pid && !j->has_status && jail_exit(j, &status) == -EAGAIN;
}

/* What an earlier look saw at its highest is not lost by a later one. */
static void
take_usage(struct jail *j, const struct usage_message *m, ssize_t len)
{
	uint64_t peak = j->usage.memory_peak;

	if (len < (ssize_t)sizeof *m)
		return;
	j->usage = m->usage;
	if (j->usage.memory_peak < peak)
		j->usage.memory_peak = peak;
	j->answers++;
}

int
jail_exit(struct jail *j, int *ret_status)
{
	union {
		struct message plain;
		struct usage_message usage;
	} m;
	ssize_t n;

	while (!j->has_status) {
		n = recv(j->status_fd, &m, sizeof m, MSG_DONTWAIT);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return -EAGAIN;
		if (n > 0 && m.plain.kind == MESSAGE_USAGE)
			take_usage(j, &m.usage, n);
		if (n > 0 && m.plain.kind != MESSAGE_EXIT)
			continue;
		j->status = n >= MESSAGE_SHORT ? m.plain.value
					       : SIGKILL; /* no word from init: it was killed */
		j->appeared = n >= MESSAGE_SHORT ? m.plain.target : 0;
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
		fd_drop(&j->own_map);
	}
	for (size_t i = 0; i < j->nwatched; i++)
		mem_free(j->watched[i]);
	mem_free(j->watched);
	*j = jail_none;
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
