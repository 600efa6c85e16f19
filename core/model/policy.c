#include "model/policy.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "jail/walls.h"
#include "model/budget.h"
#include "sandesk/base/str.h"
#include "sandesk/messages.h"

/* ---- the keys that are not budgets ---- */

static int
set_profile(struct policy *p, const char *value, struct err *e)
{
	if (!str_equal(value, "default") && !str_equal(value, "strict"))
		return err_set(e, -EINVAL,
			"policy profile: \"%.40s\" cannot be; give default or strict", value);
	p->profile = str_equal(value, "strict") ? JAIL_STRICT : JAIL_DEFAULT;
	return 0;
}

static void
get_profile(const struct policy *p, struct buf *to)
{
	buf_add_str(to, p->profile == JAIL_STRICT ? "strict" : "default");
}

static int
set_special_files(struct policy *p, const char *value, struct err *e)
{
	if (!str_equal(value, "yes") && !str_equal(value, "no"))
		return err_set(e, -EINVAL,
			"policy special_files: \"%.40s\" cannot be; give yes or no", value);
	p->allows_special_files = str_equal(value, "yes");
	return 0;
}

static void
get_special_files(const struct policy *p, struct buf *to)
{
	buf_add_str(to, p->allows_special_files ? "yes" : "no");
}

/* Parts between commas; returns the next one's length, and moves *at behind it. */
static size_t
next_part(const char **at, const char **ret_part)
{
	size_t len = strcspn(*at, ",");

	*ret_part = *at;
	*at += len + ((*at)[len] == ',');
	return len;
}

/* Relative, and of whole names: a rule that climbs out or means everything is a mistake. */
static bool
is_below(const char *path, size_t len)
{
	const char *end = path + len;

	if (!len || *path == '/')
		return false;
	for (const char *name = path; name <= end;) {
		const char *slash = memchr(name, '/', (size_t)(end - name));
		size_t n = (size_t)((slash ? slash : end) - name);

		if (!n || (n == 1 && name[0] == '.') ||
			(n == 2 && name[0] == '.' && name[1] == '.'))
			return false;
		name += n + 1;
	}
	return true;
}

static int
set_protect(struct policy *p, const char *value, struct err *e)
{
	const char *part;
	size_t len;

	p->has_protect = true;
	buf_reset(&p->protect);
	if (str_equal(value, "none"))
		return 0;
	do {
		char path[256];

		len = next_part(&value, &part);
		if (len >= sizeof path || !is_below(part, len))
			return err_set(e, -EINVAL,
				"policy protect: \"%.*s\" is not a path below the Desktop's "
				"directory; give such paths with "
				"commas between them, or none",
				len < 40 ? (int)len : 40, part);
		snprintf(path, sizeof path, "%.*s", (int)len, part);
		list_add(&p->protect, path);
	} while (*value);
	return 0;
}

static void
get_protect(const struct policy *p, struct buf *to)
{
	struct jail_policy plain;
	size_t pos = 0, n = 0;

	if (p->has_protect) {
		for (const char *path; (path = list_next(span_of(&p->protect), &pos)); n++)
			buf_addf(to, "%s%s", n ? "," : "", path);
	} else {
		jail_policy_init(&plain);
		for (char *const *path = plain.protect; path && *path; path++, n++)
			buf_addf(to, "%s%s", n ? "," : "", *path);
	}
	if (!n)
		buf_add_str(to, "none");
}

static int
wall_named(const char *name, size_t len)
{
	for (int i = 0; i < WALL_COUNT; i++)
		if (strlen(jail_wall_name((enum jail_wall)i)) == len &&
			memcmp(jail_wall_name((enum jail_wall)i), name, len) == 0)
			return i;
	return -1;
}

static void
add_walls(uint32_t bits, struct buf *to)
{
	const char *between = "";

	for (int i = 0; i < WALL_COUNT; i++) {
		if (!(bits >> i & 1))
			continue;
		buf_addf(to, "%s%s", between, jail_wall_name((enum jail_wall)i));
		between = ",";
	}
}

static int
set_require(struct policy *p, const char *value, struct err *e)
{
	AUTO(buf) struct buf all = { 0 };
	uint32_t bits = 0;

	if (str_equal(value, "all"))
		bits = (1U << WALL_COUNT) - 1;
	else if (!str_equal(value, "none"))
		do {
			const char *part;
			size_t len = next_part(&value, &part);
			int wall = wall_named(part, len);

			if (wall < 0) {
				add_walls(UINT32_MAX, &all);
				return err_set(e, -EINVAL,
					"policy require: \"%.*s\" is no wall; give all, none, or "
					"of %s with commas between them",
					len < 40 ? (int)len : 40, part, all.data);
			}
			bits |= 1U << wall;
		} while (*value);
	p->require = bits;
	return 0;
}

static void
get_require(const struct policy *p, struct buf *to)
{
	if (p->require)
		add_walls(p->require, to);
	else
		buf_add_str(to, "none");
}

/* is_shared: of the directory that all sessions of a Desktop have, so that one session's would undo another's. */
static const struct {
	const char *key;
	int (*set)(struct policy *p, const char *value, struct err *e);
	void (*get)(const struct policy *p, struct buf *to);
	bool is_shared;
} keys[] = {
	{ "profile", set_profile, get_profile, false },
	{ "require", set_require, get_require, false },
	{ "protect", set_protect, get_protect, true },
	{ "special_files", set_special_files, get_special_files, true },
};

/* ---- all keys: those above, then the budgets ---- */

size_t
policy_count(void)
{
	return ARRAY_LEN(keys) + budget_count();
}

const char *
policy_key(size_t i)
{
	return i < ARRAY_LEN(keys) ? keys[i].key : budget_key(i - ARRAY_LEN(keys));
}

void
policy_value(const struct policy *p, size_t i, struct buf *to)
{
	struct jail_policy plain;
	struct jail_limits limits = p->limits;

	if (i < ARRAY_LEN(keys)) {
		keys[i].get(p, to);
		return;
	}
	jail_policy_init(&plain);
	limits.processes = limits.processes ? limits.processes : plain.limits.processes;
	limits.files = limits.files ? limits.files : plain.limits.files;
	budget_print(&limits, i - ARRAY_LEN(keys), to);
}

static int
unknown(const char *key, struct err *e)
{
	AUTO(buf) struct buf text = { 0 };

	for (size_t i = 0; i < policy_count(); i++)
		buf_addf(&text, "%s%s", i ? ", " : "", policy_key(i));
	return err_set(e, -EINVAL, "policy \"%.40s\": is not known; there are %s", key, text.data);
}

int
policy_set(struct policy *p, const char *key, const char *value, enum policy_source from,
	struct err *e)
{
	size_t i = 0;
	int r;

	assert(policy_count() <= POLICY_KEYS_MAX);
	while (i < policy_count() && !str_equal(policy_key(i), key))
		i++;
	if (i == policy_count())
		return unknown(key, e);
	if (from == POLICY_SESSION && i < ARRAY_LEN(keys) && keys[i].is_shared)
		return err_set(e, -EINVAL,
			"policy %s: is the same for all sessions of a Desktop; sandesk policy set "
			"DESKTOP %s=...",
			key, key);
	r = i < ARRAY_LEN(keys) ? keys[i].set(p, value, e) : budget_set(&p->limits, key, value, e);
	if (!r)
		p->sources[i] = (uint8_t)from;
	return r;
}

int
policy_set_all(struct policy *p, struct span pairs, enum policy_source from, struct err *e)
{
	size_t pos = 0;
	char key[41];
	int r = 0;

	for (const char *pair; !r && (pair = list_next(pairs, &pos));) {
		const char *equals = strchr(pair, '=');

		snprintf(key, sizeof key, "%.*s", equals ? (int)(equals - pair) : 40, pair);
		r = equals ? policy_set(p, key, equals + 1, from, e)
			   : err_set(e, -EINVAL, "policy \"%.40s\": has no value; give KEY=VALUE",
				     pair);
	}
	return r;
}

void
policy_list(const struct policy *p, struct buf *to)
{
	for (size_t i = 0; i < policy_count(); i++) {
		AUTO(buf) struct buf pair = { 0 };
		size_t key = (size_t)snprintf(NULL, 0, "%s=", policy_key(i));

		buf_addf(&pair, "%s=", policy_key(i));
		policy_value(p, i, &pair);
		if (pair.len > key)
			list_add(to, pair.data);
	}
}

const char *
policy_source_name(enum policy_source source)
{
	static const char *const names[] = { "built in", "sandesk.ini", "sandesk.ini, this Desktop",
		"this Desktop", "this session" };

	return names[source];
}

void
policy_list_put(struct buf *list, const char *key, const char *pair)
{
	AUTO(buf) struct buf kept = { 0 };
	size_t pos = 0, len = strlen(key);

	for (const char *old; (old = list_next(span_of(list), &pos));)
		if (strncmp(old, key, len) != 0 || old[len] != '=')
			list_add(&kept, old);
	if (pair)
		list_add(&kept, pair);
	buf_reset(list);
	buf_add(list, kept.data, kept.len);
}

void
policy_apply(const struct policy *p, char *const *protect, struct jail_policy *to)
{
	const struct jail_limits *l = &p->limits;
	struct jail_limits built_in = to->limits;

	to->profile = p->profile;
	to->allows_special_files = p->allows_special_files;
	to->require = p->require;
	if (protect)
		to->protect = protect;
	to->limits = *l;
	to->limits.processes = l->processes ? l->processes : built_in.processes;
	to->limits.files = l->files ? l->files : built_in.files;
	to->limits.scratch_bytes = built_in.scratch_bytes;
	to->limits.scratch_inodes = built_in.scratch_inodes;
	to->limits.ptys = built_in.ptys;
}

void
policy_fini(struct policy *p)
{
	buf_fini(&p->protect);
}
