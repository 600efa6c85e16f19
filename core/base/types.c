#include "sandesk/types.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "sandesk/base/auto.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/err.h"
#include "sandesk/base/str.h"

static unsigned
clamp(unsigned n, unsigned min, unsigned max)
{
	return n < min ? min : n > max ? max : n;
}

struct size
size_clamp(unsigned rows, unsigned cols)
{
	return (struct size){ .rows = (uint16_t)clamp(rows, SIZE_MIN_ROWS, SIZE_MAX_ROWS),
		.cols = (uint16_t)clamp(cols, SIZE_MIN_COLS, SIZE_MAX_COLS) };
}

#define X(upper, lower) [STATUS_##upper] = #lower,
static const char *const status_names[] = { STATUSES(X) };
#undef X

const char *
status_name(enum status s)
{
	return s < STATUS_COUNT ? status_names[s] : "unknown";
}

int
status_parse(const char *text, enum status *ret)
{
	for (size_t i = 0; i < STATUS_COUNT; i++) {
		if (!str_equal(text, status_names[i]))
			continue;
		*ret = (enum status)i;
		return 0;
	}
	return -EINVAL;
}

bool
status_is_over(enum status s)
{
	return s == STATUS_DONE || s == STATUS_FAILED || s == STATUS_STOPPED;
}

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("._-", c));
}

int
name_check(const char *what, const char *name, struct err *e)
{
	AUTO(buf) struct buf shown = { 0 };
	size_t len = strlen(name);

	if (!len)
		return err_set(e, -EINVAL, "%s: is empty; give 1 to 64 of A-Z a-z 0-9 . _ -", what);
	str_escape(&shown, name, len < 80 ? len : 80);
	if (len >= NAME_BYTES)
		return err_set(e, -EINVAL, "%s: \"%s...\" has %zu bytes; give at most 64", what,
			shown.data, len);
	if (name[0] == '-' || name[0] == '.')
		return err_set(e, -EINVAL,
			"%s: \"%s\" starts with \"%c\"; begin with a letter, a digit or _", what,
			shown.data, name[0]);
	for (size_t i = 0; i < len; i++)
		if (!is_name_char(name[i]))
			return err_set(e, -EINVAL,
				"%s: \"%s\" has a character that is not allowed; use A-Z a-z 0-9 . "
				"_ -",
				what, shown.data);
	return 0;
}

void
id_new(char ret[ID_BYTES])
{
	uint16_t salt = 0;
	uint64_t ms = (uint64_t)(clock_wall() * 1000);

	if (getrandom(&salt, sizeof salt, 0) != sizeof salt)
		salt = (uint16_t)clock_ms();
	snprintf(ret, ID_BYTES, "%012llx%04x", (unsigned long long)(ms & 0xffffffffffff), salt);
}

bool
id_is_valid(const char *text)
{
	return strlen(text) == ID_BYTES - 1 && strspn(text, "0123456789abcdef") == ID_BYTES - 1;
}
