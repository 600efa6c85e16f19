/* types.h - the few values that every part speaks of.
 * Units:     sizes are rows and columns of terminal cells.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct err;

struct size {
	uint16_t rows;
	uint16_t cols;
};

enum {
	SIZE_MIN_ROWS = 1,
	SIZE_MIN_COLS = 2,
	SIZE_MAX_ROWS = 2000,
	SIZE_MAX_COLS = 5000,
	NAME_BYTES = 65, /* a Desktop's or session's name with its NUL */
	/* 16 hexadecimal digits and NUL: 48 bits of milliseconds since the epoch, 16 random; never
	 * reused */
	ID_BYTES = 17,
};

/* Brings a size into the allowed range. */
struct size size_clamp(unsigned rows, unsigned cols);

static inline bool
size_equal(struct size a, struct size b)
{
	return a.rows == b.rows && a.cols == b.cols;
}

/* What a session is doing. The names stand in status_name() and in every listing. */
#define STATUSES(X)                                                                                \
	X(STARTING, starting)                                                                      \
	X(WORKING, working)                                                                        \
	X(WAITING, waiting)                                                                        \
	X(DONE, done)                                                                              \
	X(FAILED, failed)                                                                          \
	X(STOPPED, stopped)                                                                        \
	X(PAUSED, paused)

#define X(upper, lower) STATUS_##upper,
enum status { STATUSES(X) STATUS_COUNT };
#undef X

const char *status_name(enum status s);
int status_parse(const char *text, enum status *ret); /* 0 or -EINVAL */
/* done, failed or stopped: nothing runs any more */
bool status_is_over(enum status s);

/* Checks a name of a Desktop or session: 1-64 of A-Za-z0-9._-, not starting with '-' or '.'.
 * `what` ("Desktop name") begins the message. 0 or -EINVAL. */
int name_check(const char *what, const char *name, struct err *e);

/* Makes a fresh id. */
void id_new(char ret[ID_BYTES]);
bool id_is_valid(const char *text);
