#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/call.h"
#include "model/daemon.h"
#include "model/dirs.h"
#include "model/keeper.h"
#include "model/life.h"
#include "model/object.h"
#include "model/target.h"
#include "model/worker.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/log.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/messages.h"
#include "sandesk/paths.h"
#include "store/catalog.h"

enum { LAYOUT_BYTES = 256 << 10 };

/* The Desktop that the call's target names; NULL when the call has been answered with the
 * reason. */
static struct desktop *
desktop_of(struct cmd_call *c)
{
	const char *target = call_text(c, "target");
	struct desktop *d = NULL;
	struct err e = { 0 };

	if (!target)
		err_set(&e, -EINVAL, "target: is missing; name a Desktop");
	else if (target_desktop(&c->daemon->registry, target, &d, &e) == 0)
		return d;
	call_fail(c, &e);
	return NULL;
}

static int
check_new_name(const struct daemon *d, const char *name, struct err *e)
{
	const struct desktop *taken;

	if (name_check("Desktop name", name, e) < 0)
		return -EINVAL;
	taken = registry_desktop_by_name(&d->registry, name);
	if (!taken)
		return 0;
	return err_set(e, -EEXIST, "Desktop %s: exists already, for %.200s; choose another name",
		name, taken->dir);
}

/* ---- create ---- */

static int
prepare_dir(struct cmd_call *c, char dir[PATH_MAX], struct err *e)
{
	const char *given = call_text(c, "dir"), *cwd = call_text(c, "cwd");
	const struct passwd *user = getpwuid(geteuid());
	struct dir_request r = {
		.path = given ? given : cwd,
		.is_forced = call_flag(c, "force"),
		.paths = c->daemon->paths,
		.homes = { getenv("HOME"), user ? user->pw_dir : NULL },
		.umask = c->daemon->umask,
	};
	const struct desktop *owner;
	int rc;

	if (!r.path)
		return err_set(e, -EINVAL, "directory: none given; say --dir PATH");
	rc = dirs_resolve(&r, dir, e);
	if (rc < 0)
		return rc;
	owner = registry_desktop_by_dir(&c->daemon->registry, dir);
	if (owner)
		return err_set(e, -EEXIST,
			"directory %.200s: belongs to Desktop %s already; use that, or choose "
			"another with --dir",
			dir, owner->name);
	return dirs_make(&r, dir, e);
}

static int
store_desktop(struct daemon *d, const struct desktop *desktop, struct err *e)
{
	struct catalog_desktop row = { .id = desktop->id,
		.name = desktop->name,
		.dir = desktop->dir,
		.created = desktop->created };
	char home[PATH_MAX];
	int rc = dirs_home(d->paths, desktop->id, home, e);

	return rc < 0 ? rc : catalog_add_desktop(d->db, &row, e);
}

void
cmd_desktop_create(struct cmd_call *c)
{
	struct daemon *d = c->daemon;
	const char *name = call_text(c, "name");
	struct desktop *desktop;
	char dir[PATH_MAX];
	struct err e = { 0 };

	if (check_new_name(d, name, &e) < 0 || prepare_dir(c, dir, &e) < 0) {
		call_fail(c, &e);
		return;
	}
	desktop = registry_add_desktop(&d->registry, NULL, name, dir);
	if (store_desktop(d, desktop, &e) < 0) {
		err_wrap(&e, "Desktop %s", name);
		registry_remove_desktop(&d->registry, desktop);
		call_fail(c, &e);
		return;
	}
	log_info(d->log, "Desktop %s: made", name);
	call_done(c, object_desktop(&d->registry, desktop));
}

/* ---- looking ---- */

void
cmd_desktop_list(struct cmd_call *c)
{
	call_done(c, object_desktops(&c->daemon->registry));
}

void
cmd_desktop_show(struct cmd_call *c)
{
	struct desktop *desktop = desktop_of(c);

	if (desktop)
		call_done(c, object_desktop(&c->daemon->registry, desktop));
}

/* ---- rename ---- */

static void
tell_keepers(struct daemon *d, const struct desktop *desktop)
{
	for (struct keeper_link *k = d->keepers; k; k = k->next)
		if (k->session && k->session->desktop == desktop)
			keeper_send(k, &(struct msg){ .type = MSG_rename,
					       .rename = { .name = k->session->name,
						       .desktop = desktop->name } });
}

void
cmd_desktop_rename(struct cmd_call *c)
{
	struct desktop *desktop = desktop_of(c);
	const char *to = call_text(c, "to");
	struct daemon *d = c->daemon;
	struct err e = { 0 };

	if (!desktop)
		return;
	if (!str_equal(to, desktop->name) &&
		(check_new_name(d, to, &e) < 0 ||
			catalog_rename_desktop(d->db, desktop->id, to, &e) < 0)) {
		call_fail(c, &e);
		return;
	}
	registry_rename_desktop(&d->registry, desktop, to);
	tell_keepers(d, desktop);
	call_done(c, object_desktop(&d->registry, desktop));
}

/* ---- remove: sessions, then the private home, then the record. Killed in between, the Desktop is
 *   still there and can be
 * removed again; its directory is never touched. ---- */

static void
forget_desktop(struct daemon *d, struct desktop *desktop)
{
	for (size_t i = d->registry.nsessions; i-- > 0;) {
		struct session *s = d->registry.sessions[i];

		if (s->desktop != desktop)
			continue;
		life_abandon(d, s);
		registry_remove_session(&d->registry, s);
	}
	log_info(d->log, "Desktop %s: removed", desktop->name);
	registry_remove_desktop(&d->registry, desktop);
}

static void
on_home_removed(const struct err *why, void *arg)
{
	struct cmd_call *c = arg;
	struct daemon *d = c->daemon;
	struct desktop *desktop = registry_desktop_by_id(&d->registry, c->desktop_id);
	struct err e = { 0 };

	if (d->is_stopping) {
		err_set(&e, -ESHUTDOWN,
			"the daemon: stopped before the Desktop was removed; try again");
		call_fail(c, &e);
		return;
	}
	if (why) /* what is left lies in our own state directory and harms nobody */
		log_warn(d->log, "Desktop %s: its private home is not all removed: %s",
			desktop->name, why->msg);
	if (catalog_remove_desktop(d->db, desktop->id, &e) < 0) {
		desktop->is_removing = false;
		call_fail(c, &e);
		return;
	}
	forget_desktop(d, desktop);
	call_done(c, NULL);
}

static void
on_session_gone(void *arg)
{
	struct cmd_call *c = arg;
	struct daemon *d = c->daemon;
	AUTO(mem) char *home = NULL;
	struct err e = { 0 };

	if (--c->left)
		return;
	home = str_format("%s/homes/%s", d->paths->state, c->desktop_id);
	if (d->is_stopping)
		on_home_removed(&e, c);
	else if (access(home, F_OK) < 0)
		on_home_removed(NULL, c);
	else if (worker_start(d, "tree.remove", home, on_home_removed, c, &e) < 0)
		on_home_removed(&e, c);
}

void
cmd_desktop_remove(struct cmd_call *c)
{
	struct desktop *desktop = desktop_of(c);
	struct daemon *d = c->daemon;
	struct err e = { 0 };

	if (!desktop)
		return;
	if (desktop->is_removing) {
		err_set(&e, -EBUSY, "Desktop %s: is being removed already", desktop->name);
		call_fail(c, &e);
		return;
	}
	desktop->is_removing = true;
	str_copy(c->desktop_id, sizeof c->desktop_id, desktop->id);
	c->left = 1; /* until all have been asked */
	for (size_t i = 0; i < d->registry.nsessions; i++) {
		if (d->registry.sessions[i]->desktop != desktop)
			continue;
		c->left++;
		session_finish(d, d->registry.sessions[i], GRACE_MS, on_session_gone, c);
	}
	on_session_gone(c);
}

/* ---- layout of the panes: the client's own business, kept for it ---- */

void
cmd_layout_get(struct cmd_call *c)
{
	struct desktop *desktop = desktop_of(c);
	AUTO(mem) char *text = NULL;
	json_t *layout = NULL, *result;
	struct err e = { 0 };

	if (!desktop)
		return;
	if (catalog_get_layout(c->daemon->db, desktop->id, &text, &e) < 0) {
		call_fail(c, &e);
		return;
	}
	if (text)
		layout = json_loads(text, JSON_DECODE_ANY, NULL);
	result = json_object();
	json_object_set_new(result, "layout", layout ? layout : json_null());
	call_done(c, result);
}

void
cmd_layout_set(struct cmd_call *c)
{
	struct desktop *desktop = desktop_of(c);
	const json_t *layout = json_object_get(c->args, "layout");
	char *text = NULL;
	struct err e = { 0 };
	int rc = 0;

	if (!desktop)
		return;
	if (layout && !json_is_null(layout))
		text = json_dumps(layout, JSON_ENCODE_ANY | JSON_COMPACT);
	if (text && strlen(text) > LAYOUT_BYTES)
		rc = err_set(&e, -E2BIG, "layout: has %zu bytes; at most %d are kept", strlen(text),
			LAYOUT_BYTES);
	if (!rc)
		rc = catalog_set_layout(c->daemon->db, desktop->id, text, &e);
	mem_free(text);
	if (rc < 0)
		call_fail(c, &e);
	else
		call_done(c, NULL);
}
