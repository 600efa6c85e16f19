/* notify.h - init answers the calls whose meaning a filter cannot see. Private to core/jail.
 * Contract:  bind, connect, and mknod of FIFOs and sockets stop in the kernel until init has
 *            answered (seccomp_unotify(2)). Sockets and FIFOs are made, and connected to, only where
 *            no other session and nobody on the host can reach: in memory of the sandbox's own.
 *
 *            Nothing is ever let through after a look at its arguments: another thread could change
 *            them, or the descriptor, or a directory of the path meanwhile. Init does the call
 *            itself, with its own copy of the arguments, on a duplicate of the caller's socket.
 *            What has a path is done by a child of init that stands in the caller's root and
 *            working directory: it may wait, init never does.
 *
 *            A tree of processes has at most one listener (EBUSY): later reasons to listen are rows
 *            of the table in notify.c.
 * Limits:    a domain of Landlock that a program inside puts itself into does not bind init: its
 *            rules for bind and connect do not hold there. SO_PEERCRED of a connection by path
 *            names a process of init's; the ids are the caller's.
 * Source:    seccomp_unotify(2), pidfd_getfd(2), unix(7).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct plan;

enum { NOTIFY_DEVICES = 128, NOTIFY_CHILDREN = 64 };

struct notify {
	const struct plan *plan;
	int listener; /* -1: no filter that asks is installed */
	int keeper;   /* not for children */
	/* File systems that were there when the command began, from the host; read when the first
	 * path is asked about, which most sessions never do. */
	dev_t host[NOTIFY_DEVICES];
	size_t nhost;
	dev_t own;
	bool has_devices;
	struct {
		pid_t pid; /* 0: free */
		uint64_t id;
	} children[NOTIFY_CHILDREN];
};

/* Takes one request, when poll(2) says that there is one. False: there will be no more. */
bool notify_hear(struct notify *n);

/* A child of init has ended: if it owed an answer, that is given, so that nobody waits for ever. */
void notify_reaped(struct notify *n, pid_t pid);
