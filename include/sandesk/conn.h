/* conn.h - one connection between two of our processes: frames over a unix stream socket, on the
 * loop.
 * Contract:  messages are queued and written once per turn. What the peer does not read is kept up
 *            to CONN_QUEUE_BYTES; at the cap the connection is closed: nobody waits for a peer.
 *            `closed` is called once, never from inside conn_send(); after it conn_send() does
 *            nothing. conn_free() may be called from any callback.
 * Ownership: conn_new() takes fd. The message given to a callback is borrowed until it returns.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct conn;
struct err;
struct loop;
struct msg;

enum { CONN_QUEUE_BYTES = 32 << 20 };

struct conn_ops {
	void (*message)(struct conn *c, const struct msg *m, void *arg);
	void (*closed)(struct conn *c, const char *why, void *arg);
	/* may be NULL: all that was queued is written */
	void (*drained)(struct conn *c, void *arg);
};

struct conn *conn_new(struct loop *l, int fd, const struct conn_ops *ops, void *arg);
/* accepts NULL; what is queued is tried once more without waiting */
void conn_free(struct conn *c);
void conn_send(struct conn *c, const struct msg *m);

/* Sends a message with descriptors (SCM_RIGHTS), which stay the caller's, at once: for a connection that has little queued.
 * 0, or a negative errno: then nothing of the message went out. */
int conn_send_fds(struct conn *c, const struct msg *m, const int *fds, size_t nfds);

size_t conn_queued(const struct conn *c); /* bytes not written yet */
bool conn_is_open(const struct conn *c);
pid_t conn_peer_pid(const struct conn *c);

/* Descriptors that came with the message in hand (SCM_RIGHTS): moves up to `max` out and returns
 * their number. Those that nobody took are closed when no message is half read any more. */
size_t conn_take_fds(struct conn *c, int *to, size_t max);

/* Where we stand ourselves, looked up once by who shall check peers without the file system later. */
struct peer_home {
	uint64_t device, inode; /* name our user namespace (namespaces(7)) */
	bool by_fd;		/* the kernel shows a peer's namespace as a descriptor (Linux 6.11) */
};

int peer_home(struct peer_home *ret); /* 0 or negative errno */

/* Refuses a peer that is not us, or that stands in another user namespace (inside a sandbox). 0 or
 * -EPERM. With `home->by_fd` it names no file.
 * Source: unix(7) SO_PEERCRED, user_namespaces(7), Linux include/uapi/linux/pidfd.h. */
int peer_check_at(int socket, const struct peer_home *home, struct err *e);
int peer_check(int socket, struct err *e); /* looks our own place up first */
