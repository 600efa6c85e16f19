#include "sandesk/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

PRINTF_LIKE(2, 0)
static size_t
describe(struct err *e, const char *fmt, va_list ap)
{
	vsnprintf(e->msg, sizeof e->msg, fmt, ap);
	return strlen(e->msg);
}

int
err_set(struct err *e, int code, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return code;
	e->code = code;
	va_start(ap, fmt);
	describe(e, fmt, ap);
	va_end(ap);
	return code;
}

int
err_errno(struct err *e, int code, const char *fmt, ...)
{
	size_t used;
	va_list ap;

	if (!e)
		return code;
	e->code = code;
	va_start(ap, fmt);
	used = describe(e, fmt, ap);
	va_end(ap);
	snprintf(e->msg + used, sizeof e->msg - used, ": %s", strerror(-code));
	return code;
}

int
err_wrap(struct err *e, const char *fmt, ...)
{
	char inner[ERR_MSG_BYTES];
	size_t used;
	va_list ap;

	if (!e)
		return -1;
	memcpy(inner, e->msg, sizeof inner);
	va_start(ap, fmt);
	used = describe(e, fmt, ap);
	va_end(ap);
	snprintf(e->msg + used, sizeof e->msg - used, ": %.*s", (int)(sizeof inner - 1), inner);
	return e->code;
}
