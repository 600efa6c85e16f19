/* registry.h - the Desktops and sessions as the daemon knows them now.
 * Contract:  data only: no connection, no file. Names are unique, a session's within its Desktop;
 *            ids everywhere. Whoever changes an object calls registry_touch_*() so that subscribers
 *            hear of it, once per turn.
 * Ownership: the registry owns its objects; pointers are good until the object is removed.
 * Units:     seconds since the epoch; 0 is "not yet". Lists of texts are as in messages.h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "model/usage.h"
#include "sandesk/base/buf.h"
#include "sandesk/types.h"

struct keeper_link;
struct launch;
struct session;
struct waiting;

struct desktop {
	char id[ID_BYTES];
	char name[NAME_BYTES];
	char *dir; /* canonical */
	double created;
	struct buf policy; /* list of KEY=VALUE: policy set */
	bool is_removing; /* takes no new session */
	bool is_changed;
};

struct session {
	char id[ID_BYTES];
	char name[NAME_BYTES];
	struct desktop *desktop;
	bool has_pty; /* false: exec */
	struct buf command;
	struct buf env_names;
	/* NAME=VALUE, for a restart; memory only; empty for a session that an earlier daemon
	 * started */
	struct buf env;
	struct buf budgets; /* KEY=VALUE, as asked for at its start (policy.h) */
	struct buf policy;  /* KEY=VALUE: all of the policy that it was started with */
	char *cwd;
	enum status status;
	char *reason; /* or NULL */
	char *title;  /* or NULL */
	char *notice; /* the last notification, or NULL */
	unsigned need; /* enum need of the keeper */
	char *why;     /* owned */
	uint64_t notices;
	pid_t pid, keeper_pid;
	int exit_code, exit_signal;
	double started, ended, last_output;
	struct size size;
	unsigned clients;
	struct session_usage usage; /* as counted last; at the end once more */
	char *walls_missing;	    /* names, a blank between; or NULL */
	char *limits;		    /* budgets that are near, in words; or NULL */

	struct keeper_link *keeper; /* its connection; NULL when there is no keeper */
	struct launch *launch; /* until the start has been answered */
	struct waiting *over;  /* who waits for the session's end */
	struct waiting *gone;  /* who waits for the keeper's end */
	bool is_changed, is_unsaved, is_stored, is_finishing;
};

/* What subscribers still have to be told of: objects that are not there any more. */
struct removal {
	bool is_desktop;
	char id[ID_BYTES], name[NAME_BYTES], desktop[NAME_BYTES];
};

struct registry {
	struct desktop **desktops; /* by name */
	size_t ndesktops;
	struct session **sessions; /* by age */
	size_t nsessions;
	struct removal *removals;
	size_t nremovals;
	bool is_changed;	    /* anything to tell */
	void (*changed)(void *arg); /* called when is_changed becomes true; may be NULL */
	void *changed_arg;
};

void registry_fini(struct registry *r);

/* A new object with a fresh id (or the given one), already in the registry. */
struct desktop *registry_add_desktop(
	struct registry *r, const char *id, const char *name, const char *dir);
struct session *registry_add_session(
	struct registry *r, const char *id, struct desktop *d, const char *name);
/* its sessions were removed before */
void registry_remove_desktop(struct registry *r, struct desktop *d);
/* has no keeper and no launch any more */
void registry_remove_session(struct registry *r, struct session *s);
void registry_rename_desktop(struct registry *r, struct desktop *d, const char *name);

void registry_touch_desktop(struct registry *r, struct desktop *d);
void registry_touch_session(struct registry *r, struct session *s);
void registry_clean(struct registry *r); /* everything was told */

struct desktop *registry_desktop_by_id(const struct registry *r, const char *id);
struct desktop *registry_desktop_by_name(const struct registry *r, const char *name);
struct desktop *registry_desktop_by_dir(const struct registry *r, const char *dir);
struct session *registry_session_by_id(const struct registry *r, const char *id);
struct session *registry_session_by_name(
	const struct registry *r, const struct desktop *d, const char *name);

/* Sessions that count: all that run, and ended ones but those of exec. */
bool session_is_listed(const struct session *s);
size_t registry_count_sessions(
	const struct registry *r, const struct desktop *d, bool only_running);

/* The status a shell would see: 128 + n for a signal. Only of a session that is over. */
int session_exit_status(const struct session *s);
