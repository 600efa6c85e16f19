#include "sandesk/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/str.h"

enum { LOG_LINE_BYTES = 1024 };

int
log_open(struct log *l, const char *path, const char *who)
{
	l->fd = -1;
	str_copy(l->who, sizeof l->who, who);
	if (!str_copy(l->path, sizeof l->path, path))
		return -ENAMETOOLONG;
	l->fd = open(l->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	return l->fd < 0 ? -errno : 0;
}

void
log_close(struct log *l)
{
	fd_drop(&l->fd);
}

static int
log_copy(const struct log *l, const char *to)
{
	AUTO(fd) int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	char bytes[16 << 10];
	off_t at = 0;
	ssize_t n;
	int r = fd < 0 ? -errno : 0;

	while (!r && (n = pread(l->fd, bytes, sizeof bytes, at)) > 0) {
		r = fd_write_all(fd, bytes, (size_t)n);
		at += n;
	}
	return r;
}

/* The file is copied and emptied, not renamed: all who have it open append, and go on in it although
 * they may be unable to open another (keeper/harden.h; there the lock is refused, too). Whoever has
 * the lock moves it; the size is looked at again, because another may just have done so. */
static void
log_rotate(struct log *l)
{
	char old[sizeof l->path + 2];
	struct stat st;

	if (fstat(l->fd, &st) < 0 || st.st_size < LOG_BYTES)
		return;
	if (flock(l->fd, LOCK_EX | LOCK_NB) < 0)
		return;
	snprintf(old, sizeof old, "%s.1", l->path);
	if (fstat(l->fd, &st) == 0 && st.st_size >= LOG_BYTES &&
		(log_copy(l, old) == 0 || st.st_size >= 2 * LOG_BYTES))
		(void)!ftruncate(l->fd, 0);
	flock(l->fd, LOCK_UN);
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
