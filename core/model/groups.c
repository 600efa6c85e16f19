#include "model/groups.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jail/cgroup.h"
#include "model/daemon.h"
#include "model/keeper.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/log.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/loop.h"
#include "sandesk/paths.h"

enum {
	SWEEP_MS = 20,	  /* what was killed is gone by then, mostly */
	SWEEP_TRIES = 12, /* each waits twice as long: 80 s in all */
	TEXT_BYTES = 4 * (PATH_MAX + 32),
};

static void
file_name(const struct daemon *d, char to[PATH_MAX + 16])
{
	snprintf(to, PATH_MAX + 16, "%s/groups", d->paths->runtime);
}

static void
load(struct daemon *d)
{
	char path[PATH_MAX + 16];
	AUTO(fd) int fd = -1;
	ssize_t n;

	file_name(d, path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	d->groups.text = mem_alloc(TEXT_BYTES);
	n = fd_read_all(fd, d->groups.text, TEXT_BYTES - 1);
	d->groups.text[n > 0 ? n : 0] = 0;
}

static void
store(const struct daemon *d)
{
	char path[PATH_MAX + 16];
	AUTO(fd) int fd = -1;

	file_name(d, path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || fd_write_all(fd, d->groups.text, strlen(d->groups.text)) < 0)
		log_warn(d->log, "%s: cannot be written; groups of sessions may stay behind", path);
}

/* A keeper stays with the screen of a session that is over; one that was not heard of yet may have
 * any. */
static bool
is_running(const char *session, void *arg)
{
	const struct daemon *d = arg;

	for (const struct keeper_link *k = d->keepers; k; k = k->next)
		if (str_equal(k->id, session))
			return !k->session || !status_is_over(k->session->status);
	return false;
}

static void
on_sweep(void *arg)
{
	struct daemon *d = arg;
	AUTO(mem) struct cgroups *g = mem_alloc(sizeof *g);

	cgroups_parse(d->groups.text, g);
	if (!cgroups_sweep(g, is_running, d) || d->groups.tries >= SWEEP_TRIES)
		return;
	loop_timer_start(d->groups.sweep, (int64_t)SWEEP_MS << ++d->groups.tries);
}

void
groups_init(struct daemon *d)
{
	d->groups.sweep = loop_timer_new(d->loop, on_sweep, d);
	load(d);
}

/* Sessions go on in their groups; what is empty need not stay. */
void
groups_fini(struct daemon *d)
{
	AUTO(mem) struct cgroups *g = mem_alloc(sizeof *g);
	char path[PATH_MAX + 16];

	loop_timer_free(d->groups.sweep);
	if (!d->groups.text)
		return;
	cgroups_parse(d->groups.text, g);
	if (!cgroups_sweep(g, is_running, d) && cgroups_unclaim(g)) {
		file_name(d, path);
		(void)unlink(path);
	}
	mem_free(d->groups.text);
}

/* A daemon removes what it knows nothing of: what another one has, for another runtime directory, stands
 * elsewhere. */
static void
name_of(const struct daemon *d, char to[NAME_BYTES])
{
	struct stat st = { 0 };

	(void)stat(d->paths->runtime, &st);
	snprintf(to, NAME_BYTES, "sandesk-%u-%llx-%llx", (unsigned)geteuid(),
		(unsigned long long)st.st_dev, (unsigned long long)st.st_ino);
}

const char *
groups_text(struct daemon *d)
{
	AUTO(buf) struct buf text = { 0 };
	AUTO(mem) struct cgroups *g = NULL;
	char name[NAME_BYTES];

	if (d->groups.text)
		return d->groups.text;
	g = mem_alloc(sizeof *g);
	cgroups_here(g);
	name_of(d, name);
	cgroups_claim(g, name);
	cgroups_print(g, &text);
	d->groups.text = str_dup(text.data ? text.data : "");
	store(d);
	return d->groups.text;
}

void
groups_clean(struct daemon *d)
{
	if (!d->groups.text || !d->groups.text[0] || !d->groups.sweep)
		return;
	d->groups.tries = 0;
	loop_timer_start(d->groups.sweep, SWEEP_MS);
}
