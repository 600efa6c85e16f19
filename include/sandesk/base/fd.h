/* fd.h - file descriptors.
 * Contract:  every descriptor of ours is close-on-exec from birth. -1 is "none".
 * Errors:    negative errno. EINTR is retried inside.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "sandesk/base/auto.h"

void fd_close(int fd); /* accepts -1; keeps errno */
void fd_drop(int *fd); /* for AUTO(fd) */
int fd_take(int *fd);  /* moves out; *fd is -1 then */
int fd_set_nonblock(int fd, bool on);
int fd_set_cloexec(int fd, bool on);

/* Writes or reads all of it, blocking. Reading returns how much there was until the end of the
 * file. */
int fd_write_all(int fd, const void *bytes, size_t len);
ssize_t fd_read_all(int fd, void *to, size_t len);

enum { FD_PASS_MAX = 8 };

/* Sends one message of bytes and up to FD_PASS_MAX descriptors over a unix socket (SCM_RIGHTS,
 * unix(7)). */
ssize_t fd_send(int socket, const void *bytes, size_t len, const int *fds, size_t nfds);

/* Receives bytes and descriptors; *nfds says how many fit on entry and how many came on return.
 * Extra ones are closed. */
ssize_t fd_recv(int socket, void *to, size_t len, int *fds, size_t *nfds);
