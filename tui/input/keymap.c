#include "input/keymap.h"

#include <errno.h>
#include <ini.h>
#include <string.h>
#include <strings.h>

#include "sandesk/base/err.h"
#include "sandesk/base/str.h"

static const struct {
	const char *key;
	enum key_group group;
	const char *command, *hint; /* hint "": a second key */
} defaults[] = {
	{ "%", GROUP_PANES, "pane split right", "split right" },
	{ "|", GROUP_PANES, "pane split right", "" },
	{ "\"", GROUP_PANES, "pane split down", "split down" },
	{ "-", GROUP_PANES, "pane split down", "" },
	{ "h", GROUP_PANES, "pane focus left", "focus left" },
	{ "j", GROUP_PANES, "pane focus down", "focus down" },
	{ "k", GROUP_PANES, "pane focus up", "focus up" },
	{ "l", GROUP_PANES, "pane focus right", "focus right" },
	{ "Left", GROUP_PANES, "pane focus left", "" },
	{ "Down", GROUP_PANES, "pane focus down", "" },
	{ "Up", GROUP_PANES, "pane focus up", "" },
	{ "Right", GROUP_PANES, "pane focus right", "" },
	{ "o", GROUP_PANES, "pane focus next", "next pane" },
	{ "Tab", GROUP_PANES, "pane focus next", "" },
	{ "z", GROUP_PANES, "pane zoom", "zoom" },
	{ "x", GROUP_PANES, "pane close", "close pane" },
	{ "PageUp", GROUP_PANES, "pane scroll", "scroll back" },
	{ "[", GROUP_PANES, "pane copy", "copy mode" },
	{ "c", GROUP_SESSIONS, "session new", "new" },
	{ "n", GROUP_SESSIONS, "pane next", "next" },
	{ "p", GROUP_SESSIONS, "pane previous", "previous" },
	{ "a", GROUP_SESSIONS, "session need", "next that needs me" },
	{ "w", GROUP_SESSIONS, "session why", "why this status" },
	{ ",", GROUP_SESSIONS, "rename", "rename" },
	{ "S", GROUP_SESSIONS, "stop", "stop" },
	{ "K", GROUP_SESSIONS, "kill", "kill (asks)" },
	{ "R", GROUP_SESSIONS, "restart", "restart" },
	{ "N", GROUP_DESKTOPS, "desktop new", "new Desktop" },
	{ "t", GROUP_DESKTOPS, "tree toggle", "tree on, off" },
	{ "g", GROUP_DESKTOPS, "tree focus", "go to the tree" },
	{ "d", GROUP_OTHER, "detach", "detach" },
	{ "y", GROUP_OTHER, "clipboard copy", "copy, as asked" },
	{ ":", GROUP_OTHER, "prompt", "command line" },
	{ "r", GROUP_OTHER, "reload", "read settings again" },
	{ "?", GROUP_OTHER, "keys", "help" },
	{ "C-Space", GROUP_OTHER, "prefix", "send the prefix" },
};

static const char *const group_names[GROUP_COUNT] = { "Panes", "Sessions", "Desktops", "Other" };

const char *
key_group_name(enum key_group g)
{
	return (unsigned)g < GROUP_COUNT ? group_names[g] : "";
}

bool
key_equal(struct key a, struct key b)
{
	return a.code == b.code && a.mods == b.mods;
}

static struct binding *
find(const struct keymap *k, struct key key)
{
	for (size_t i = 0; i < k->n; i++)
		if (key_equal(k->rows[i].key, key))
			return (struct binding *)&k->rows[i];
	return NULL;
}

const struct binding *
keymap_find(const struct keymap *k, struct key key)
{
	const struct binding *b = find(k, key);

	return b && b->command[0] ? b : NULL;
}

static int
bind_key(struct keymap *k, struct key key, const char *command, struct err *e)
{
	struct binding *b = find(k, key);

	if (!b && k->n == KEYMAP_MAX)
		return err_set(e, -ENOSPC, "more than %d bindings", KEYMAP_MAX);
	if (!b)
		b = &k->rows[k->n++];
	*b = (struct binding){ .key = key, .group = GROUP_OTHER };
	if (!str_copy(b->command, sizeof b->command, command))
		return err_set(e, -EINVAL, "command text: longer than %d bytes", BINDING_BYTES - 1);
	str_copy(b->hint, sizeof b->hint, command);
	return 0;
}

void
keymap_default(struct keymap *k)
{
	*k = (struct keymap){ .prefix = { ' ', MOD_CTRL } };
	for (size_t i = 0; i < ARRAY_LEN(defaults); i++) {
		struct binding *b = &k->rows[k->n++];

		key_parse(defaults[i].key, &b->key, NULL);
		b->group = defaults[i].group;
		b->is_hidden = !defaults[i].hint[0];
		str_copy(b->command, sizeof b->command, defaults[i].command);
		str_copy(b->hint, sizeof b->hint, defaults[i].hint);
	}
}

struct load {
	struct keymap *keymap;
	struct err first;
};

/* The key that sends the prefix is the prefix itself, whatever it is. */
static int
set_prefix(struct keymap *k, const char *value, struct err *e)
{
	struct binding *old = find(k, k->prefix);
	struct key key;
	int r = key_parse(value, &key, e);

	if (r < 0)
		return r;
	if (!key.mods && key.code < KEY_FIRST)
		return err_set(e, -EINVAL,
			"prefix \"%.20s\": would make that letter impossible to type; use one with "
			"C- or M-",
			value);
	if (old && strcmp(old->command, "prefix") == 0)
		old->key = key;
	k->prefix = key;
	return 0;
}

static int
set_clipboard(struct keymap *k, const char *value, struct err *e)
{
	static const char *const names[] = {
		[CLIPBOARD_ASK] = "ask", [CLIPBOARD_YES] = "yes", [CLIPBOARD_NO] = "no"
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcasecmp(value, names[i]) == 0) {
			k->clipboard = (enum clipboard_policy)i;
			return 0;
		}
	return err_set(e, -EINVAL, "clipboard \"%.20s\": is not ask, yes or no", value);
}

static int
set_notify(struct keymap *k, const char *name, const char *value, struct err *e)
{
	bool is_on = strcasecmp(value, "yes") == 0;

	if (!is_on && strcasecmp(value, "no") != 0)
		return err_set(e, -EINVAL, "notify %.20s \"%.20s\": is not yes or no", name, value);
	if (strcasecmp(name, "bell") == 0)
		k->rings_bell = is_on;
	else if (strcasecmp(name, "terminal") == 0)
		k->is_quiet = !is_on;
	else
		return err_set(e, -EINVAL, "setting \"%.30s\" of [notify]: is not known", name);
	return 0;
}

static int
take_setting(
	struct keymap *k, const char *section, const char *name, const char *value, struct err *e)
{
	struct key key;
	int r;

	if (strcasecmp(section, "keys") == 0 && strcasecmp(name, "prefix") == 0)
		return set_prefix(k, value, e);
	if (strcasecmp(section, "look") == 0 && strcasecmp(name, "theme") == 0)
		return str_copy(k->theme, sizeof k->theme, value)
			       ? 0
			       : err_set(e, -EINVAL, "theme: the name is too long");
	if (strcasecmp(section, "copy") == 0 && strcasecmp(name, "command") == 0)
		return str_copy(k->copy_command, sizeof k->copy_command, value)
			       ? 0
			       : err_set(e, -EINVAL, "copy command: is longer than %zu bytes",
					 sizeof k->copy_command - 1);
	if (strcasecmp(section, "notify") == 0)
		return set_notify(k, name, value, e);
	if (strcasecmp(section, "terminal") == 0 && strcasecmp(name, "clipboard") == 0)
		return set_clipboard(k, value, e);
	if (strcasecmp(section, "keys") == 0 || strcasecmp(section, "look") == 0 ||
		strcasecmp(section, "copy") == 0)
		return err_set(
			e, -EINVAL, "setting \"%.30s\" of [%.20s]: is not known", name, section);
	if (strcasecmp(section, "bind") != 0)
		return 0; /* another program's section of the same file */
	r = key_parse(name, &key, e);
	return r < 0 ? r : bind_key(k, key, value, e);
}

static int
take_line(void *arg, const char *section, const char *name, const char *value)
{
	struct load *load = arg;
	struct err e = { 0 };

	if (take_setting(load->keymap, section, name, value, &e) == 0)
		return 1;
	if (!load->first.code)
		load->first = e;
	return 0;
}

static int
report(const struct load *load, const char *name, int line, struct err *e)
{
	if (line == 0)
		return 0;
	return err_set(e, -EINVAL, "%s: line %d: %s", name, line,
		load->first.code ? load->first.msg : "is not `name = value`");
}

int
keymap_load(struct keymap *k, const char *path, struct err *e)
{
	struct load load = { .keymap = k };
	int line = ini_parse(path, take_line, &load);

	if (line < 0)
		return errno == ENOENT ? 0 : err_errno(e, -errno, "%s", path);
	return report(&load, path, line, e);
}

int
keymap_load_text(struct keymap *k, const char *name, const char *text, struct err *e)
{
	struct load load = { .keymap = k };

	return report(&load, name, ini_parse_string(text, take_line, &load), e);
}
