#include "sandesk/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/str.h"

enum { LOG_LINE_BYTES = 1024 };

static int
log_reopen(struct log *l)
{
	l->fd = open(l->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	return l->fd < 0 ? -errno : 0;
}

int
log_open(struct log *l, const char *path, const char *who)
{
	l->fd = -1;
	str_copy(l->who, sizeof l->who, who);
	if (!str_copy(l->path, sizeof l->path, path))
		return -ENAMETOOLONG;
	return log_reopen(l);
}

void
log_close(struct log *l)
{
	fd_drop(&l->fd);
}

static void
log_rotate(struct log *l)
{
	char old[sizeof l->path + 2];
	struct stat st, named;

	if (fstat(l->fd, &st) < 0 || st.st_size < LOG_BYTES)
		return;
	snprintf(old, sizeof old, "%s.1", l->path);
	/* when another process has moved it already, moving again would lose what it moved */
	if (stat(l->path, &named) == 0 && named.st_ino == st.st_ino && named.st_dev == st.st_dev &&
		rename(l->path, old) < 0)
		return;
	fd_drop(&l->fd);
	log_reopen(l);
}

/* Texts quote what a sandbox named; a line must stay one line, and be harmless in a terminal. What
 * was escaped already is not escaped again. */
static void
log_escape(struct buf *to, const char *text)
{
	for (;;) {
		size_t len = strcspn(text, "\\");

		str_escape(to, text, len);
		if (!text[len])
			return;
		buf_add_char(to, '\\');
		text += len + 1;
	}
}

PRINTF_LIKE(3, 0)
static void
log_line(struct log *l, const char *level, const char *fmt, va_list ap)
{
	AUTO(buf) struct buf safe = { 0 };
	char line[LOG_LINE_BYTES];
	struct timespec t;
	struct tm tm;
	size_t n;

	if (l->fd < 0)
		return;
	clock_gettime(CLOCK_REALTIME, &t);
	gmtime_r(&t.tv_sec, &tm);
	n = strftime(line, sizeof line, "%Y-%m-%dT%H:%M:%S", &tm);
	n += (size_t)snprintf(line + n, sizeof line - n, ".%03ldZ %s %s[%d] ", t.tv_nsec / 1000000,
		level, l->who, (int)getpid());
	vsnprintf(line + n, sizeof line - n, fmt, ap);
	log_escape(&safe, line);
	buf_add_char(&safe, '\n');
	(void)!write(l->fd, safe.data,
		safe.len); /* a full disk must not stop the work that is being logged */
	log_rotate(l);
}

void
log_info(struct log *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_line(l, "info", fmt, ap);
	va_end(ap);
}

void
log_warn(struct log *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_line(l, "WARN", fmt, ap);
	va_end(ap);
}
