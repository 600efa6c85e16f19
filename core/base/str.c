#include "sandesk/base/str.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/utf8.h"

bool
str_equal(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

bool
str_has_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

char *
str_dup(const char *text)
{
	return text ? mem_dup(text, strlen(text) + 1) : NULL;
}

char *
str_format(const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	text = mem_alloc((size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return text;
}

bool
str_copy(char *to, size_t size, const char *from)
{
	size_t len = strlen(from), n = len < size ? len : size - 1;

	memcpy(to, from, n);
	to[n] = 0;
	return n == len;
}

int
str_to_int(const char *text, int64_t min, int64_t max, int64_t *ret)
{
	char *end;
	long long n;

	if (!text[0] || text[0] == ' ' || text[0] == '\t' || text[0] == '+')
		return -EINVAL;
	errno = 0;
	n = strtoll(text, &end, 10);
	if (*end || end == text)
		return -EINVAL;
	if (errno == ERANGE || n < min || n > max)
		return -ERANGE;
	*ret = n;
	return 0;
}

/* Units of time that a person may write behind a number. */
static const struct {
	const char *name;
	double ms;
} str_units[] = { { "", 1000 }, { "s", 1000 }, { "ms", 1 }, { "m", 60e3 }, { "h", 3600e3 } };

int
str_to_ms(const char *text, int64_t *ret_ms)
{
	static const double year_ms = 366.0 * 24 * 3600e3;
	char *end;
	double n;

	if (!(text[0] >= '0' && text[0] <= '9') && text[0] != '.')
		return -EINVAL;
	n = strtod(text, &end);
	for (size_t i = 0; i < ARRAY_LEN(str_units); i++) {
		if (strcmp(end, str_units[i].name) != 0)
			continue;
		if (!(n * str_units[i].ms <= year_ms))
			return -ERANGE;
		*ret_ms = (int64_t)(n * str_units[i].ms + 0.5);
		return 0;
	}
	return -EINVAL;
}

static bool
is_hazard(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || (cp >= 0x202a && cp <= 0x202e) ||
	       (cp >= 0x2066 && cp <= 0x2069) || cp == 0x200e || cp == 0x200f || cp == 0x2028 ||
	       cp == 0x2029;
}

void
str_escape(struct buf *to, const char *text, size_t len)
{
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		uint32_t cp;

		n = utf8_decode(text + i, len - i, &cp);
		if (!n) {
			buf_addf(to, "\\x%02x", (unsigned char)text[i]);
			n = 1;
		} else if (cp == '\\') {
			buf_add_str(to, "\\\\");
		} else if (is_hazard(cp)) {
			buf_addf(to, cp < 0x80 ? "\\x%02x" : "\\u{%04x}", cp);
		} else {
			buf_add(to, text + i, n);
		}
	}
}

void
str_add_json(struct buf *to, const char *text, size_t len)
{
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		uint32_t cp;

		for (n = 0; i + n < len && (unsigned char)(text[i + n] - 0x20) < 0x5f &&
			    text[i + n] != '"' && text[i + n] != '\\';)
			n++; /* plain ASCII in one go */
		if (n) {
			buf_add(to, text + i, n);
			continue;
		}
		n = utf8_decode(text + i, len - i, &cp);
		if (!n) {
			buf_add_str(to, "\xef\xbf\xbd");
			n = 1;
		} else if (cp == '"' || cp == '\\') {
			buf_add_char(to, '\\');
			buf_add_char(to, (char)cp);
		} else if (cp == '\n') {
			buf_add_str(to, "\\n");
		} else if (cp == '\r') {
			buf_add_str(to, "\\r");
		} else if (is_hazard(cp)) {
			buf_addf(to, "\\u%04x", cp);
		} else {
			buf_add(to, text + i, n);
		}
	}
}
