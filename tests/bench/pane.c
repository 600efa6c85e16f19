/* pane.c - what runs inside a measured terminal. Needs nothing but its terminal and the files
 * named.
 *
 *      pane echo                  raw terminal; answers the k-th byte read with the k-th of 432 characters, U+0100 + k
 *      pane cat FILE              raw terminal; for each byte read writes FILE as cat does, clears the screen, prints a marker
 *      pane flood SWITCH          prints lines while the file SWITCH exists, looks every 10 ms when it does not
 *      pane babble SWITCH         both: answers keys as echo does, by the first character of every line that it floods with
 *      pane text BYTES            writes plain lines to standard output; the same bytes on every run
 *
 * Contract:  the markers are "@#@#@#@#" and "%&%&%&%&" in turn. No text has any of their
 *            characters, so a program that draws only what differs must draw all eight cells, and
 *            the marker of an earlier run is not mistaken for this one's. Each echoed character is
 *            new to the screen for 432 keys, for the same reason. All are one column wide. Ends
 *            when its terminal hangs up.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { ECHO_COUNT = 432, BLOCK_BYTES = 4 << 20, COPY_BYTES = 128 << 10 };

static void
put(const char *bytes, size_t count)
{
	while (count > 0) {
		ssize_t n = write(STDOUT_FILENO, bytes, count);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(1);
		bytes += n;
		count -= (size_t)n;
	}
}

static void
put_text(const char *text)
{
	put(text, strlen(text));
}

/* Keys come as bytes and go out unechoed; output keeps the kernel's newline handling, as under any
 * shell. */
static void
make_raw(void)
{
	struct termios t;

	if (tcgetattr(STDIN_FILENO, &t) < 0)
		return;
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
	t.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	tcsetattr(STDIN_FILENO, TCSANOW, &t);
}

static int
run_echo(void)
{
	unsigned long k = 0;
	char keys[256], answer[16];
	ssize_t n;

	make_raw();
	put_text("ready\r\n");
	while ((n = read(STDIN_FILENO, keys, sizeof keys)) > 0)
		for (ssize_t i = 0; i < n; i++, k++) {
			unsigned c = 0x100 + (unsigned)(k % ECHO_COUNT);

			put(answer,
				(size_t)snprintf(answer, sizeof answer, "%s%c%c",
					k % 30 ? "" : "\r\033[K", 0xc0 | c >> 6, 0x80 | (c & 63)));
		}
	return 0;
}

static int
run_cat(const char *path)
{
	static char block[COPY_BYTES];
	bool is_odd = false;
	ssize_t n;
	char go;

	make_raw();
	put_text("ready\r\n");
	for (; read(STDIN_FILENO, &go, 1) == 1; is_odd = !is_odd) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			return 1;
		while ((n = read(fd, block, sizeof block)) > 0)
			put(block, (size_t)n);
		close(fd);
		put_text("\033[0m\033[r\033[2J\033[H");
		put_text(is_odd ? "%&%&%&%&" : "@#@#@#@#");
	}
	return 0;
}

static void __attribute__((noreturn)) run_flood(const char *path)
{
	static char block[8192];
	struct timespec nap = { .tv_nsec = 10000000 };
	size_t used = 0;

	for (int i = 0; used < sizeof block - 100; i++)
		used += (size_t)snprintf(block + used, sizeof block - used,
			"%06d the quick brown fox jumps over the lazy dog and runs away\r\n", i);
	put_text("ready\r\n");
	for (;;)
		if (access(path, F_OK) == 0)
			put(block, used);
		else
			nanosleep(&nap, NULL);
}

/* Lines that begin with the answer to the last key: however few of them a client draws, it shows. */
static void
babble(unsigned long k, int lines)
{
	char block[8192];
	unsigned c = 0x100 + (unsigned)(k % ECHO_COUNT);
	size_t used = 0;

	for (int i = 0; i < lines && used < sizeof block - 100; i++)
		used += (size_t)snprintf(block + used, sizeof block - used,
			"%c%c the quick brown fox jumps over the lazy dog %06d\r\n", 0xc0 | c >> 6,
			0x80 | (c & 63), i);
	put(block, used);
}

static int
run_babble(const char *path)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	unsigned long k = 0;
	char keys[256];

	make_raw();
	put_text("ready\r\n");
	for (;;) {
		bool floods = access(path, F_OK) == 0;
		int ready = poll(&input, 1, floods ? 0 : 10);
		ssize_t n = ready > 0 ? read(STDIN_FILENO, keys, sizeof keys) : 0;

		if (ready > 0 && n <= 0)
			return 0;
		k += (unsigned long)n;
		if (floods || n)
			babble(k + ECHO_COUNT - 1, floods ? 40 : 1);
	}
}

/* xorshift64: the same bytes everywhere. */
static unsigned
roll(uint64_t *state, unsigned below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (unsigned)((*state >> 32) % below);
}

static void
add_word(FILE *f, uint64_t *r)
{
	for (unsigned n = 2 + roll(r, 8); n > 0; n--)
		fputc('a' + (int)roll(r, 26), f);
}

static void
add_ascii(FILE *f, uint64_t *r)
{
	for (unsigned n = 4 + roll(r, 11); n > 0; n--) {
		add_word(f, r);
		fputc(n > 1 ? ' ' : '\n', f);
	}
}

/* A block of 4 MiB again and again: making 100 MB takes no longer than writing them. */
static int
run_text(const char *size)
{
	uint64_t r = 88172645463325252u;
	long long left = strtoll(size, NULL, 10);
	char *block = NULL;
	size_t used = 0;
	FILE *f = open_memstream(&block, &used);

	if (!f)
		return 1;
	while (ftell(f) < BLOCK_BYTES)
		add_ascii(f, &r);
	if (fclose(f) != 0)
		return 1;
	for (; left >= (long long)used; left -= (long long)used)
		put(block, used);
	while (left > 0 && block[left - 1] != '\n') /* whole lines */
		left--;
	put(block, (size_t)left);
	free(block);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "echo") == 0)
		return run_echo();
	if (argc == 3 && strcmp(argv[1], "cat") == 0)
		return run_cat(argv[2]);
	if (argc == 3 && strcmp(argv[1], "flood") == 0)
		run_flood(argv[2]);
	if (argc == 3 && strcmp(argv[1], "babble") == 0)
		return run_babble(argv[2]);
	if (argc == 3 && strcmp(argv[1], "text") == 0)
		return run_text(argv[2]);
	fputs("usage: pane echo | cat FILE | flood SWITCH | babble SWITCH | text BYTES\n", stderr);
	return 2;
}
