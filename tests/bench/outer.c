/* outer.c - the outer terminals: runs client programs on ptys of its own, takes what they write at
 * once, and times it. Told what to do by lines on standard input, words split by tabs; each is
 * answered by one line that begins with "ok" or says why not. While it waits for a line all
 * terminals are drained, so that no client ever waits for us.
 *
 *      open NAME ROWS COLS WORD...     runs a command on a new terminal                           ok PID
 *      expect NAME TEXT MS             waits until TEXT was written since the last keys or go     ok
 *      type NAME WORD...               sends the bytes, 60 ms between words; \e and \0 are known  ok
 *      keys NAME COUNT GAP_MS          presses keys in `pane echo`, one after another             ok BYTES NS...
 *      go NAME MARKER MS               one byte to `pane cat`, then waits for its marker          ok BYTES NS
 *      rest MS                         only drains                                                ok
 *      bytes NAME                      bytes written since it was opened                          ok BYTES
 *      close NAME                      hangs up and reaps; SIGKILL after a second                 ok
 *
 * Contract:  it answers what terminals answer and programs ask at start: DA1, and DECRQM of
 *            synchronized output (2026) with "supported, off", as the terminals of our day do. Time
 *            runs from before our write until the read that shows the whole text. Ends with its
 *            standard input; every client is ended by its pid.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	TERMS_MAX = 32,
	WORDS_MAX = 64,
	READ_BYTES = 64 << 10,
	RECENT_BYTES = 256 << 10,
	OVERLAP = 63,
	ECHO_COUNT = 432
};

struct term {
	char name[32];
	int fd; /* -1: free row, or the client is gone */
	pid_t pid;
	unsigned long keys;
	long long bytes;
	/* of recent; fresh: where the last read began, less the overlap */
	size_t used, fresh;
	char recent[RECENT_BYTES];
};

struct outer {
	struct term terms[TERMS_MAX];
	unsigned seed;
};

static long long
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int
number(const char *text)
{
	return (int)strtol(text, NULL, 10);
}

static bool
has(const struct term *t, size_t from, const char *text)
{
	return memmem(t->recent + from, t->used - from, text, strlen(text)) != NULL;
}

static void
answer_queries(const struct term *t)
{
	static const struct {
		const char *query, *answer;
	} rows[] = {
		{ "\033[c", "\033[?62;22c" },
		{ "\033[0c", "\033[?62;22c" },
		{ "\033[?2026$p", "\033[?2026;2$y" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (has(t, t->fresh, rows[i].query) &&
			write(t->fd, rows[i].answer, strlen(rows[i].answer)) < 0)
			return;
}

static void
take(struct term *t)
{
	size_t keep = RECENT_BYTES / 4;
	ssize_t n;

	if (t->used + READ_BYTES > RECENT_BYTES) {
		memmove(t->recent, t->recent + t->used - keep, keep);
		t->used = keep;
	}
	n = read(t->fd, t->recent + t->used, READ_BYTES);
	if (n <= 0) { /* EIO: the last program on it is gone */
		close(t->fd);
		t->fd = -1;
		return;
	}
	t->fresh = t->used > OVERLAP ? t->used - OVERLAP : 0;
	t->used += (size_t)n;
	t->bytes += n;
	if (n < 4096) /* a flood asks nothing */
		answer_queries(t);
}

/* Drains all terminals until `until`, until `t` (when given) shows `text`, or until standard input
 * has something (when asked). */
static bool
drain(struct outer *o, long long until, struct term *t, const char *text, bool stops_at_input)
{
	struct pollfd p[TERMS_MAX + 1];

	for (;;) {
		long long left = until - now_ns();
		struct timespec wait = { .tv_sec = left / 1000000000,
			.tv_nsec = left % 1000000000 };

		if (left <= 0 || (t && t->fd < 0))
			return false;
		for (int i = 0; i < TERMS_MAX; i++)
			p[i] = (struct pollfd){ .fd = o->terms[i].fd, .events = POLLIN };
		p[TERMS_MAX] = (struct pollfd){ .fd = stops_at_input ? STDIN_FILENO : -1,
			.events = POLLIN };
		if (ppoll(p, TERMS_MAX + 1, &wait, NULL) <= 0)
			continue;
		for (int i = 0; i < TERMS_MAX; i++)
			if (p[i].revents)
				take(&o->terms[i]);
		if (t && p[t - o->terms].revents && has(t, t->fresh, text))
			return true;
		if (p[TERMS_MAX].revents)
			return true;
	}
}

static void
rest(struct outer *o, double ms)
{
	drain(o, now_ns() + (long long)(ms * 1e6), NULL, NULL, false);
}

static void
forget(struct term *t)
{
	t->used = t->fresh = 0;
}

static void
run_open(struct outer *o, int words, char **word)
{
	struct winsize size = { .ws_row = (unsigned short)number(word[2]),
		.ws_col = (unsigned short)number(word[3]) };
	struct term *t = o->terms;

	while (t < o->terms + TERMS_MAX && t->pid)
		t++;
	if (t == o->terms + TERMS_MAX || words < 5) {
		printf("no room\n");
		return;
	}
	memset(t, 0, sizeof *t);
	snprintf(t->name, sizeof t->name, "%s", word[1]);
	t->pid = forkpty(&t->fd, NULL, NULL, &size);
	if (t->pid == 0) {
		signal(SIGPIPE, SIG_DFL);
		execvp(word[4], word + 4);
		_exit(127);
	}
	fcntl(t->fd, F_SETFD, FD_CLOEXEC);
	printf("ok\t%d\n", (int)t->pid);
}

static void
run_expect(struct outer *o, struct term *t, const char *text, int ms)
{
	if (has(t, 0, text) || drain(o, now_ns() + ms * 1000000LL, t, text, false))
		printf("ok\n");
	else
		printf("'%s' did not show%s\n", text, t->fd < 0 ? ": the client has ended" : "");
}

static size_t
unescape(const char *from, char *to)
{
	size_t n = 0;

	for (; *from; from++)
		if (from[0] == '\\' && from[1] == 'e')
			to[n++] = '\033', from++;
		else if (from[0] == '\\' && from[1] == '0')
			to[n++] = '\0', from++;
		else if (from[0] == '\\' && from[1] == 'r')
			to[n++] = '\r', from++;
		else
			to[n++] = *from;
	return n;
}

static void
run_type(struct outer *o, struct term *t, int words, char **word)
{
	char bytes[1024];

	forget(t);
	for (int i = 2; i < words; i++) {
		size_t n = strlen(word[i]) < sizeof bytes ? unescape(word[i], bytes) : 0;

		if (write(t->fd, bytes, n) != (ssize_t)n)
			break;
		rest(o, 60);
	}
	printf("ok\n");
}

/* One key; nanoseconds until its answer was read, -1 when it never came. */
static long long
press(struct outer *o, struct term *t)
{
	unsigned c = 0x100 + (unsigned)(t->keys++ % ECHO_COUNT);
	char text[3] = { (char)(0xc0 | c >> 6), (char)(0x80 | (c & 63)) };
	long long start;

	forget(t);
	start = now_ns();
	if (write(t->fd, "a", 1) != 1 || !drain(o, start + 3000000000LL, t, text, false))
		return -1;
	return now_ns() - start;
}

static void
run_keys(struct outer *o, struct term *t, int count, int gap_ms)
{
	long long ns[4096], before = t->bytes;
	int n = 0;

	for (; n < count && n < (int)(sizeof ns / sizeof *ns); n++) {
		/* uneven gaps: never in step with anybody's frames */
		o->seed = o->seed * 1103515245u + 12345;
		rest(o, gap_ms * (0.5 + (o->seed >> 16) % 1000 / 1000.0));
		if (t->fd < 0 || (ns[n] = press(o, t)) < 0)
			break;
	}
	if (n < count) {
		printf("key %d of %d was not answered%s\n", n + 1, count,
			t->fd < 0 ? ": the client has ended" : "");
		return;
	}
	printf("ok\t%lld", t->bytes - before);
	for (int i = 0; i < n; i++)
		printf("\t%lld", ns[i]);
	printf("\n");
}

static void
run_go(struct outer *o, struct term *t, const char *marker, int ms)
{
	long long before = t->bytes, start = now_ns();

	forget(t);
	if (write(t->fd, "g", 1) == 1 && drain(o, start + ms * 1000000LL, t, marker, false))
		printf("ok\t%lld\t%lld\n", t->bytes - before, now_ns() - start);
	else
		printf("the marker did not show%s\n", t->fd < 0 ? ": the client has ended" : "");
}

static void
hang_up(struct outer *o, struct term *t)
{
	long long end = now_ns() + 1000000000LL;

	/* closing would do, but a client that restores its terminal should still have one */
	kill(t->pid, SIGHUP);
	while (waitpid(t->pid, NULL, WNOHANG) == 0) {
		if (now_ns() > end) {
			kill(t->pid, SIGKILL);
			waitpid(t->pid, NULL, 0);
			break;
		}
		rest(o, 5);
	}
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	t->pid = 0;
}

static struct term *
find(struct outer *o, const char *name)
{
	for (struct term *t = o->terms; t < o->terms + TERMS_MAX; t++)
		if (t->pid && strcmp(t->name, name) == 0)
			return t;
	return NULL;
}

static void
run_line(struct outer *o, int words, char **word)
{
	struct term *t = words > 1 ? find(o, word[1]) : NULL;

	if (words >= 5 && strcmp(word[0], "open") == 0)
		run_open(o, words, word);
	else if (words == 2 && strcmp(word[0], "rest") == 0)
		rest(o, strtod(word[1], NULL)), printf("ok\n");
	else if (!t)
		printf("no such terminal\n");
	else if (words == 4 && strcmp(word[0], "expect") == 0)
		run_expect(o, t, word[2], number(word[3]));
	else if (words >= 3 && strcmp(word[0], "type") == 0)
		run_type(o, t, words, word);
	else if (words == 4 && strcmp(word[0], "keys") == 0)
		run_keys(o, t, number(word[2]), number(word[3]));
	else if (words == 4 && strcmp(word[0], "go") == 0)
		run_go(o, t, word[2], number(word[3]));
	else if (strcmp(word[0], "bytes") == 0)
		printf("ok\t%lld\n", t->bytes);
	else if (strcmp(word[0], "close") == 0)
		hang_up(o, t), printf("ok\n");
	else
		printf("what?\n");
}

int
main(void)
{
	static struct outer o = { .seed = 12345 };
	static char line[65536];
	size_t used = 0;

	signal(SIGPIPE, SIG_IGN);
	setvbuf(stdout, NULL, _IOLBF, 1 << 16);
	for (int i = 0; i < TERMS_MAX; i++)
		o.terms[i].fd = -1;
	for (;;) {
		char *end = memchr(line, '\n', used), *rest_of, *word[WORDS_MAX];
		int words = 0;
		ssize_t n;

		if (!end) {
			drain(&o, now_ns() + 3600000000000LL, NULL, NULL, true);
			n = read(STDIN_FILENO, line + used, sizeof line - used);
			if (n <= 0)
				break;
			used += (size_t)n;
			continue;
		}
		*end = 0;
		rest_of = line;
		while (words < WORDS_MAX - 1 && (word[words] = strsep(&rest_of, "\t")))
			words++;
		word[words] = NULL;
		run_line(&o, words, word);
		used -= (size_t)(end + 1 - line);
		memmove(line, end + 1, used);
	}
	for (struct term *t = o.terms; t < o.terms + TERMS_MAX; t++)
		if (t->pid)
			hang_up(&o, t);
	return 0;
}
