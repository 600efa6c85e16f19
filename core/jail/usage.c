#include "jail/usage.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "sandesk/base/fd.h"

enum { TEXT_BYTES = 1024, TMPFS = 0x01021994 /* TMPFS_MAGIC, linux/magic.h */ };

/* utime, stime, cutime and cstime are fields 14 to 17 (proc(5)); the name before them may hold
 * anything. */
static int
add_stat(struct jail_usage *to, const char *stat)
{
	const char *rest = strrchr(stat, ')');
	unsigned long user, system;
	long children_user, children_system;

	if (!rest || sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld",
			     &user, &system, &children_user, &children_system) != 4)
		return -EINVAL;
	to->cpu_us += (user + system + (unsigned long)children_user +
			      (unsigned long)children_system) *
		      (1000000ULL / (unsigned long)sysconf(_SC_CLK_TCK));
	return 0;
}

int
usage_add(struct jail_usage *to, const char *stat, const char *statm, const char *io)
{
	unsigned long resident, shared;
	unsigned long long written;
	const char *line = strstr(io, "\nwrite_bytes:");

	if (add_stat(to, stat) < 0)
		return -EINVAL;
	to->processes++;
	if (sscanf(statm, "%*u %lu %lu", &resident, &shared) == 2 && resident > shared)
		to->memory += (resident - shared) * (unsigned long)sysconf(_SC_PAGESIZE);
	if (line && sscanf(line, "\nwrite_bytes: %llu", &written) == 1)
		to->written += written;
	return 0;
}

static void
read_file(const char *proc, const char *pid, const char *file, char text[TEXT_BYTES])
{
	char path[128];
	AUTO(fd) int fd = -1;
	ssize_t n;

	snprintf(path, sizeof path, "%s/%.16s/%s", proc, pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : fd_read_all(fd, text, TEXT_BYTES - 1);
	text[n > 0 ? n : 0] = 0;
}

static void
add_process(const char *proc, const char *pid, struct jail_usage *to)
{
	char stat[TEXT_BYTES], statm[TEXT_BYTES], io[TEXT_BYTES];

	read_file(proc, pid, "stat", stat);
	read_file(proc, pid, "statm", statm);
	read_file(proc, pid, "io", io);
	(void)usage_add(to, stat, statm, io); /* it may have ended in between: counted with its parent */
}

/* What lies in a file system in memory, which belongs to no process. */
static uint64_t
scratch_bytes(void)
{
	struct statfs fs;

	if (statfs("/tmp", &fs) || fs.f_type != TMPFS)
		return 0;
	return (uint64_t)(fs.f_blocks - fs.f_bfree) * (uint64_t)fs.f_bsize;
}

/* What ended and was init's to bury: its own io file, which would have it, is closed to it. What init
 * itself needs is ours, and counting would else look like a session that is busy. */
static void
add_ended(struct jail_usage *to)
{
	struct rusage ended;
	uint64_t biggest;

	if (getrusage(RUSAGE_CHILDREN, &ended))
		return;
	to->cpu_us += (uint64_t)(ended.ru_utime.tv_sec + ended.ru_stime.tv_sec) * 1000000 +
		      (uint64_t)(ended.ru_utime.tv_usec + ended.ru_stime.tv_usec);
	to->written += (uint64_t)ended.ru_oublock * 512;
	biggest = (uint64_t)ended.ru_maxrss * 1024;
	if (biggest > to->memory_peak)
		to->memory_peak = biggest;
}

void
usage_count(const char *proc, struct jail_usage *ret)
{
	struct dirent *entry;
	DIR *dir = opendir(proc);

	*ret = (struct jail_usage){ 0 };
	while (dir && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]) && strcmp(entry->d_name, "1") != 0)
			add_process(proc, entry->d_name, ret);
	if (dir)
		closedir(dir);
	ret->memory += scratch_bytes();
	ret->memory_peak = ret->memory;
	add_ended(ret);
}
