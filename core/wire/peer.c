#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandesk/base/err.h"
#include "sandesk/conn.h"

/* 0 and *ret when the namespace of a process can be seen. Linux names a namespace by device and
 * inode (namespaces(7)). */
static int
user_namespace(pid_t pid, struct stat *ret)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/ns/user", (int)pid);
	return stat(path, ret) < 0 ? -errno : 0;
}

int
peer_check(int socket, struct err *e)
{
	struct ucred peer;
	socklen_t len = sizeof peer;
	struct stat theirs, ours;

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &len) < 0)
		return err_errno(e, -errno, "peer");
	if (peer.uid != geteuid())
		return err_set(e, -EPERM, "peer: is user %u; only user %u may connect",
			(unsigned)peer.uid, (unsigned)geteuid());
	if (peer.pid <= 0 || user_namespace(peer.pid, &theirs) < 0 ||
		user_namespace(getpid(), &ours) < 0)
		return err_set(e, -EPERM,
			"peer: its namespaces cannot be seen; connect from outside the sandbox");
	if (theirs.st_ino != ours.st_ino || theirs.st_dev != ours.st_dev)
		return err_set(e, -EPERM,
			"peer: stands in another user namespace; connect from outside the sandbox");
	return 0;
}
