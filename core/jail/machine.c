#include "jail/machine.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

enum { TEXT_BYTES = 64 << 10 };

/* Owned text of a file of the machine's; NULL when it cannot be read. */
static char *
read_file(const struct machine *m, const char *name)
{
	AUTO(mem) char *path = str_format("%s%s", m->root, name);
	AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text;
	ssize_t n;

	if (fd < 0)
		return NULL;
	text = mem_alloc(TEXT_BYTES + 1);
	n = fd_read_all(fd, text, TEXT_BYTES);
	text[n > 0 ? n : 0] = 0;
	return text;
}

static bool
has_file(const struct machine *m, const char *name)
{
	AUTO(mem) char *path = str_format("%s%s", m->root, name);

	return !access(path, F_OK);
}

static long
setting(const struct machine *m, const char *name, long otherwise)
{
	AUTO(mem) char *path = str_format("/proc/sys/%s", name);
	AUTO(mem) char *text = read_file(m, path);

	return text && *text ? strtol(text, NULL, 10) : otherwise;
}

/* The line of `text` that starts with `start`; NULL when there is none. */
static const char *
line_with(const char *text, const char *start)
{
	size_t len = strlen(start);

	while (text && *text) {
		if (!strncmp(text, start, len))
			return text;
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return NULL;
}

/* ---- what forbids namespaces ---- */

static void
check_limits(const struct machine *m, struct checkup *to)
{
	static const char *const kinds[] = { "user", "mnt", "pid", "net", "ipc", "uts", "cgroup",
		"time" };
	char name[64];

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct check_row *r;

		snprintf(name, sizeof name, "user/max_%s_namespaces", kinds[i]);
		if (setting(m, name, -1) != 0)
			continue;
		r = checkup_add(to, "sysctl", CHECK_MISSING, "namespaces may be made");
		snprintf(r->why, sizeof r->why, "user.max_%s_namespaces is 0", kinds[i]);
		snprintf(r->mend, sizeof r->mend, "sysctl -w user.max_%s_namespaces=15000",
			kinds[i]);
	}
}

static void
check_userns(const struct machine *m, struct checkup *to)
{
	struct check_row *r;

	if (setting(m, "kernel/unprivileged_userns_clone", 1) != 0 || !m->uid)
		return;
	r = checkup_add(to, "sysctl", CHECK_MISSING, "namespaces may be made");
	str_copy(r->why, sizeof r->why, "kernel.unprivileged_userns_clone is 0");
	str_copy(r->mend, sizeof r->mend, "sysctl -w kernel.unprivileged_userns_clone=1");
}

static void
check_apparmor(const struct machine *m, struct checkup *to)
{
	AUTO(mem) char *loaded = read_file(m, "/sys/kernel/security/apparmor/profiles");
	struct check_row *r;

	if (setting(m, "kernel/apparmor_restrict_unprivileged_userns", 0) != 1)
		return;
	if (line_with(loaded, "sandesk ") || (!loaded && has_file(m, "/etc/apparmor.d/sandesk"))) {
		r = checkup_add(to, "apparmor", CHECK_HOLDS, "namespaces may be made");
		str_copy(r->why, sizeof r->why, "its profile for sandesk is there");
		return;
	}
	r = checkup_add(to, "apparmor", CHECK_MISSING, "namespaces may be made");
	str_copy(r->why, sizeof r->why,
		"AppArmor takes the rights out of user namespaces "
		"(kernel.apparmor_restrict_unprivileged_userns is 1)");
	snprintf(r->mend, sizeof r->mend,
		"printf 'abi <abi/4.0>,\\nprofile sandesk %s flags=(unconfined) { userns, }\\n' | "
		"sudo tee /etc/apparmor.d/sandesk && sudo apparmor_parser -r "
		"/etc/apparmor.d/sandesk",
		m->self);
}

static void
check_selinux(const struct machine *m, struct checkup *to)
{
	AUTO(mem) char *enforce = read_file(m, "/sys/fs/selinux/enforce");
	struct check_row *r;

	if (!enforce || *enforce != '1')
		return;
	r = checkup_add(to, "selinux", CHECK_NOT_ASKED, "its policy may forbid namespaces");
	r->is_wall = false;
	str_copy(r->why, sizeof r->why, "SELinux is enforcing; what it refuses is in its log");
	str_copy(r->mend, sizeof r->mend, "ausearch -m avc -ts recent | grep user_namespace");
}

/* ---- containers ---- */

static bool
is_container(const struct machine *m)
{
	return has_file(m, "/.dockerenv") || has_file(m, "/run/.containerenv");
}

static void
check_filter(const struct machine *m, struct checkup *to)
{
	AUTO(mem) char *status = read_file(m, "/proc/self/status");
	struct check_row *r;

	if (!line_with(status, "Seccomp:\t2"))
		return;
	r = checkup_add(
		to, "outer-filter", CHECK_NOT_ASKED, "system calls are not cut off outside");
	r->is_wall = false;
	snprintf(r->why, sizeof r->why, "a seccomp filter already sits on us%s",
		is_container(m) ? ": this is a container" : "");
	str_copy(r->mend, sizeof r->mend,
		"docker run --security-opt seccomp=unconfined, where a wall is missing");
}

/* A fresh /proc is refused where the machine's own has something mounted over it (mount_too_revealing
 * in the kernel). */
static void
check_proc(const struct machine *m, struct checkup *to)
{
	AUTO(mem) char *mounts = read_file(m, "/proc/self/mountinfo");
	const char *at = mounts ? strstr(mounts, " /proc/") : NULL;
	struct check_row *r;

	while (at && str_has_prefix(at, " /proc/sys/fs/binfmt_misc "))
		at = strstr(at + 1, " /proc/");
	if (!at)
		return;
	at++;
	r = checkup_add(to, "outer-proc", CHECK_MISSING, "a fresh /proc may be mounted");
	snprintf(r->why, sizeof r->why, "%.*s is masked: this is a container",
		(int)strcspn(at, " "), at);
	str_copy(r->mend, sizeof r->mend,
		"docker run --security-opt systempaths=unconfined (podman: --security-opt "
		"unmask=ALL; Kubernetes: procMount: Unmasked)");
}

/* ---- what is not needed by the default profile, or only advice ---- */

static bool
has_range(const struct machine *m, const char *file)
{
	AUTO(mem) char *text = read_file(m, file);
	AUTO(mem) char *by_name = str_format("%s:", m->user ? m->user : "");
	AUTO(mem) char *by_id = str_format("%u:", m->uid);

	return (m->user && line_with(text, by_name)) || line_with(text, by_id);
}

static void
check_root_inside(const struct machine *m, struct checkup *to)
{
	struct check_row *r = checkup_add(to, "root-inside", CHECK_NOT_ASKED,
		"package managers inside, as root of the sandbox");
	bool has_helpers = has_file(m, "/usr/bin/newuidmap") && has_file(m, "/usr/bin/newgidmap");

	r->is_wall = false;
	if (!m->uid) {
		str_copy(r->why, sizeof r->why, "can be had: root gives out reserved ids");
	} else if (!has_helpers) {
		str_copy(r->why, sizeof r->why, "newuidmap and newgidmap are not here");
		str_copy(r->mend, sizeof r->mend, "apt-get install uidmap");
	} else if (!has_range(m, "/etc/subuid") || !has_range(m, "/etc/subgid")) {
		snprintf(r->why, sizeof r->why, "/etc/subuid or /etc/subgid has no ids for %s",
			m->user ? m->user : "this user");
		snprintf(r->mend, sizeof r->mend,
			"sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 %s",
			m->user ? m->user : "USER");
	} else {
		str_copy(r->why, sizeof r->why, "can be had: /etc/subuid and newuidmap are there");
	}
}

static void
check_linger(const struct machine *m, struct checkup *to)
{
	AUTO(mem) char *mark = str_format("/var/lib/systemd/linger/%s", m->user ? m->user : "");
	struct check_row *r;

	if (!m->uid || !m->user || !has_file(m, "/run/systemd/system"))
		return;
	r = checkup_add(to, "linger", CHECK_HOLDS, "sessions go on when you log out");
	r->is_wall = false;
	str_copy(r->why, sizeof r->why, "is on for this user");
	if (has_file(m, mark))
		return;
	r->state = CHECK_WEAKER;
	str_copy(r->why, sizeof r->why,
		"is off: at the last logout systemd removes the runtime directory, and may end "
		"what runs");
	str_copy(r->mend, sizeof r->mend, "loginctl enable-linger");
}

/* Each agent's own switch for its inner sandbox, which cannot work where nesting is forbidden. */
static void
check_agents(enum jail_profile profile, struct checkup *to)
{
	static const struct {
		const char *agent, *off;
	} agents[] = {
		{ "codex", "codex -s danger-full-access" },
		{ "claude", "{\"sandbox\": {\"enabled\": false}} in ~/.claude/settings.json" },
		{ "chromium", "chromium --no-sandbox" },
	};

	for (size_t i = 0; profile == JAIL_STRICT && i < ARRAY_LEN(agents); i++) {
		struct check_row *r = checkup_add(to, agents[i].agent, CHECK_NOT_ASKED,
			"its own sandbox cannot work in strict");

		r->is_wall = false;
		str_copy(r->why, sizeof r->why, "strict forbids sandboxes inside; switch it off");
		str_copy(r->mend, sizeof r->mend, agents[i].off);
	}
}

void
machine_check(const struct machine *m, enum jail_profile profile, struct checkup *to)
{
	check_limits(m, to);
	check_userns(m, to);
	check_apparmor(m, to);
	check_selinux(m, to);
	check_filter(m, to);
	check_proc(m, to);
	check_root_inside(m, to);
	check_linger(m, to);
	check_agents(profile, to);
}
