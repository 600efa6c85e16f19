/* policy.c - policy show|set|check. */
#include "model/policy.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/call.h"
#include "jail/machine.h"
#include "jail/plan.h"
#include "model/daemon.h"
#include "model/dirs.h"
#include "model/object.h"
#include "model/settings.h"
#include "model/shell.h"
#include "model/target.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/log.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/messages.h"
#include "sandesk/paths.h"
#include "store/catalog.h"

/* A Desktop, and a session where one was named; false when the call has been answered with the reason. */
static bool
find(struct cmd_call *c, struct desktop **ret, struct session **ret_session)
{
	const char *target = call_text(c, "target"), *name = call_text(c, "session");
	struct err e = { 0 };

	*ret_session = NULL;
	if (!target) {
		err_set(&e, -EINVAL, "target: is missing; name a Desktop");
	} else if (target_desktop(&c->daemon->registry, target, ret, &e) == 0) {
		if (!name)
			return true;
		*ret_session = registry_session_by_name(&c->daemon->registry, *ret, name);
		if (*ret_session)
			return true;
		err_set(&e, -ENOENT, "session %s/%s: there is none; sandesk session list %s",
			(*ret)->name, name, (*ret)->name);
	}
	call_fail(c, &e);
	return false;
}

/* ---- show ---- */

static void
add_value(json_t *values, struct buf *text, const char *key, const char *value, const char *from)
{
	json_t *row = json_object();

	json_object_set_new(row, "key", object_text(key));
	json_object_set_new(row, "value", object_text(value));
	json_object_set_new(row, "source", object_text(from));
	json_array_append_new(values, row);
	buf_addf(text, "%-14s %-28s %s\n", key, value, from);
}

static json_t *
values_of(const struct policy *p, struct buf *text)
{
	json_t *values = json_array();

	for (size_t i = 0; i < policy_count(); i++) {
		AUTO(buf) struct buf value = { 0 };

		policy_value(p, i, &value);
		add_value(values, text, policy_key(i), value.len ? value.data : "none",
			policy_source_name((enum policy_source)p->sources[i]));
	}
	return values;
}

/* What a session was started with does not change any more; where each value came from is known no longer. */
static json_t *
values_kept(const struct session *s, struct buf *text)
{
	json_t *values = json_array();
	size_t pos = 0;

	for (const char *pair; (pair = list_next(span_of(&s->policy), &pos));) {
		AUTO(mem) char *key = str_format("%.*s", (int)strcspn(pair, "="), pair);

		add_value(values, text, key, pair + strlen(key) + 1, "as the session started");
	}
	return values;
}

/* The plan of a session that would start now with the user's shell. */
static int
make_plan(struct daemon *d, const struct desktop *desktop, const struct policy *p, struct plan *ret,
	struct err *e)
{
	const struct passwd *user = getpwuid(geteuid());
	const char *shell = shell_choose(getenv("SHELL"), user ? user->pw_shell : NULL);
	AUTO(mem) char **protect = p->has_protect ? list_to_argv(span_of(&p->protect)) : NULL;
	struct jail_policy policy;
	char home[PATH_MAX];

	if (dirs_home(d->paths, desktop->id, home, e) < 0)
		return e->code;
	jail_policy_init(&policy);
	policy_apply(p, protect, &policy);
	policy.desktop_dir = desktop->dir;
	policy.home_dir = home;
	policy.user = user && strcmp(user->pw_name, "root") ? user->pw_name : "user";
	policy.hostname = desktop->name;
	policy.argv = (char *const[]){ (char *)shell, NULL };
	policy.has_pty = true;
	return plan_make(&policy, ret, e);
}

static void
add_notes(const struct plan *plan, json_t *result, struct buf *text)
{
	json_t *notes = json_array();

	for (size_t i = 0; i < plan->nnotes; i++) {
		json_array_append_new(notes, object_text(plan->notes[i]));
		buf_addf(text, "not kept: %s\n", plan->notes[i]);
	}
	json_object_set_new(result, "not_kept", notes);
}

void
cmd_policy_show(struct cmd_call *c)
{
	AUTO(buf) struct buf text = { 0 }, steps = { 0 };
	AUTO(settings) struct settings settings = { 0 };
	AUTO(plan) struct plan plan = { 0 };
	struct desktop *desktop;
	struct session *s;
	struct err e = { 0 };
	json_t *result;

	if (!find(c, &desktop, &s))
		return;
	if (settings_for(&settings, c->daemon->paths->config, desktop,
		    s ? span_of(&s->budgets) : (struct span){ 0 }, &e) < 0 ||
		make_plan(c->daemon, desktop, &settings.policy, &plan, &e) < 0) {
		call_fail(c, &e);
		return;
	}
	result = json_object();
	json_object_set_new(result, "desktop", object_text(desktop->name));
	json_object_set_new(result, "session", s ? object_text(s->name) : json_null());
	json_object_set_new(result, "values",
		s && s->policy.len ? values_kept(s, &text) : values_of(&settings.policy, &text));
	if (s && s->walls_missing)
		buf_addf(&text, "missing walls  %s\n", s->walls_missing);
	json_object_set_new(result, "walls_missing",
		s && s->walls_missing ? object_text(s->walls_missing) : json_null());
	add_notes(&plan, result, &text);
	plan_print(&plan, &steps);
	buf_addf(&text, "\nThe steps of a session that starts now:\n%s", steps.data);
	json_object_set_new(result, "plan", object_text(steps.data));
	json_object_set_new(result, "text", object_text(text.data));
	call_done(c, result);
}

/* ---- set ---- */

/* The Desktop's list as it would be; checked, with all that the file says. */
static int
new_list(struct cmd_call *c, const struct desktop *desktop, struct buf *ret, struct err *e)
{
	AUTO(settings) struct settings settings = { 0 };
	struct desktop changed = { 0 };
	const json_t *item;
	size_t i;

	buf_add(ret, desktop->policy.data, desktop->policy.len);
	json_array_foreach (json_object_get(c->args, "unset"), i, item)
		policy_list_put(ret, json_string_value(item), NULL);
	json_array_foreach (json_object_get(c->args, "pairs"), i, item) {
		const char *pair = json_string_value(item);
		AUTO(mem) char *key = str_format("%.*s", (int)strcspn(pair, "="), pair);

		if (!strchr(pair, '='))
			return err_set(
				e, -EINVAL, "policy \"%.40s\": has no value; give KEY=VALUE", pair);
		policy_list_put(ret, key, pair);
	}
	if (ret->len > POLICY_BYTES)
		return err_set(e, -E2BIG, "policy: is longer than %d bytes", POLICY_BYTES);
	changed.policy = *ret;
	str_copy(changed.name, sizeof changed.name, desktop->name);
	return settings_for(&settings, c->daemon->paths->config, &changed, (struct span){ 0 }, e);
}

/* Sessions that run with something else than what would hold for them now. */
static json_t *
stale_sessions(struct daemon *d, const struct desktop *desktop, struct buf *text)
{
	json_t *names = json_array();

	for (size_t i = 0; i < d->registry.nsessions; i++) {
		const struct session *s = d->registry.sessions[i];
		AUTO(settings) struct settings settings = { 0 };
		AUTO(buf) struct buf now = { 0 };
		AUTO(mem) char *name = str_format("%s/%s", desktop->name, s->name);
		struct err e = { 0 };

		if (s->desktop != desktop || status_is_over(s->status) || !s->policy.len)
			continue;
		if (settings_for(&settings, d->paths->config, desktop, span_of(&s->budgets), &e) ==
			0)
			policy_list(&settings.policy, &now);
		if (now.len == s->policy.len && memcmp(now.data, s->policy.data, now.len) == 0)
			continue;
		json_array_append_new(names, object_text(name));
		buf_addf(text,
			"%s keeps the policy that it was started with; to change it: sandesk "
			"session restart %s\n",
			name, name);
	}
	return names;
}

void
cmd_policy_set(struct cmd_call *c)
{
	AUTO(buf) struct buf list = { 0 }, text = { 0 };
	struct desktop *desktop;
	struct session *none;
	struct err e = { 0 };
	json_t *result;

	if (!find(c, &desktop, &none))
		return;
	if (!json_array_size(json_object_get(c->args, "pairs")) &&
		!json_array_size(json_object_get(c->args, "unset"))) {
		err_set(&e, -EINVAL,
			"policy set: nothing is to be set; give KEY=VALUE, or --unset KEY");
		call_fail_status(c, &e, 2);
		return;
	}
	if (new_list(c, desktop, &list, &e) < 0 ||
		catalog_set_policy(c->daemon->db, desktop->id, span_of(&list), &e) < 0) {
		call_fail(c, &e);
		return;
	}
	buf_reset(&desktop->policy);
	buf_add(&desktop->policy, list.data, list.len);
	log_info(c->daemon->log, "Desktop %s: its policy was changed", desktop->name);
	buf_addf(&text, "policy of %s: set\n", desktop->name);
	result = json_object();
	json_object_set_new(result, "desktop", object_text(desktop->name));
	json_object_set_new(result, "restart", stale_sessions(c->daemon, desktop, &text));
	json_object_set_new(result, "text", object_text(text.data));
	call_done(c, result);
}

/* ---- check ---- */

static void
add_check(json_t *rows, const char *what, const char *state, const char *why, const char *mend)
{
	json_t *row = json_object();

	json_object_set_new(row, "what", object_text(what));
	json_object_set_new(row, "state", object_text(state));
	json_object_set_new(row, "why", object_text(why));
	json_object_set_new(row, "mend", object_text(mend));
	json_array_append_new(rows, row);
}

void
cmd_policy_check(struct cmd_call *c)
{
	AUTO(settings) struct settings settings = { 0 };
	AUTO(plan) struct plan plan = { 0 };
	AUTO(mem) struct checkup *checkup = mem_zero(1, sizeof *checkup);
	const struct passwd *user = getpwuid(geteuid());
	struct machine machine = {
		.root = "", .self = c->daemon->paths->libexec, .uid = geteuid()
	};
	struct desktop *desktop;
	struct session *none;
	struct err e = { 0 };
	json_t *rows;

	if (!find(c, &desktop, &none))
		return;
	if (settings_for(&settings, c->daemon->paths->config, desktop, (struct span){ 0 }, &e) <
			0 ||
		make_plan(c->daemon, desktop, &settings.policy, &plan, &e) < 0) {
		call_fail(c, &e);
		return;
	}
	rows = json_array();
	add_check(rows, "policy", "holds", "every value can be, and a plan can be made", "");
	for (size_t i = 0; i < plan.nnotes; i++)
		add_check(rows, "protect", "missing", plan.notes[i], "");
	machine.user = user ? user->pw_name : NULL;
	machine_check(&machine, settings.policy.profile, checkup);
	for (size_t i = 0; i < checkup->n; i++)
		add_check(rows, checkup->rows[i].name, check_state_name(checkup->rows[i].state),
			checkup->rows[i].why, checkup->rows[i].mend);
	call_done(c, rows);
}
