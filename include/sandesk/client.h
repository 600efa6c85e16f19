/* client.h - talking to the daemon and to keepers from a client.
 * Contract:  client_open() starts the daemon when none answers and `CLIENT_START` is given; two
 *            clients at once start one (the daemon holds daemon.lock). client_call() waits for its
 *            answer; what the daemon says meanwhile is dropped. rpc_* is the same without waiting,
 *            for a client with a loop.
 * Errors:    those of the daemon come back as they are: the text is one line for a person, the code
 *            a negative errno.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

struct err;
struct loop;
struct paths;
struct client;
struct rpc;

enum client_flag { CLIENT_START = 1 };

int client_open(struct client **ret, const struct paths *p, unsigned flags, struct err *e);
void client_free(struct client *c);

/* Calls a method. `params` is taken. The result is owned by the caller (json_decref); ret may be
 * NULL. */
int client_call(struct client *c, const char *method, json_t *params, json_t **ret, struct err *e);

/* The same, sending descriptors along. They stay the caller's. */
int client_call_fds(struct client *c, const char *method, json_t *params, const int *fds,
	size_t nfds, json_t **ret, struct err *e);

/* The exit status that the last failed call asks a CLI for: 1, or what the error's data says (125,
 * 126, 127). */
int client_exit_status(const struct client *c);

/* Moves the connected socket out, to be used with conn_new() or rpc_new(). */
int client_take_fd(struct client *c);

/* Connects to the keeper of a session by its id. A descriptor for conn_new(), or a negative
 * errno. */
int client_dial(const struct paths *p, const char *session_id, struct err *e);

/* ---- with a loop ---- */
/* result borrowed; NULL when error is set */
typedef void rpc_reply_fn(json_t *result, const struct err *error, void *arg);

struct rpc_ops {
	/* session.changed and the like; borrowed */
	void (*notified)(const char *method, json_t *params, void *arg);
	/* every pending reply got an error before */
	void (*closed)(const char *why, void *arg);
};

struct rpc *rpc_new(struct loop *l, int fd, const struct rpc_ops *ops, void *arg); /* takes fd */
void rpc_free(struct rpc *r);
/* takes params */
void rpc_call(struct rpc *r, const char *method, json_t *params, rpc_reply_fn *fn, void *arg);
