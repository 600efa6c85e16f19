#include "wire/request.h"

#include <errno.h>

#include "sandesk/base/err.h"

enum { ERRNO_MAX = 4095 }; /* the largest that a system call returns */

char *
request_encode(json_int_t id, const char *method, json_t *params)
{
	json_t *request = json_pack("{s:s, s:I, s:s, s:o}", "jsonrpc", "2.0", "id", id, "method",
		method, "params", params ? params : json_object());
	char *body = request ? json_dumps(request, JSON_COMPACT) : NULL;

	json_decref(request);
	return body;
}

int
request_error(json_t *error, struct err *e)
{
	json_t *data = json_object_get(error, "data");
	json_int_t number = json_integer_value(json_object_get(data, "errno"));
	const char *text = json_string_value(json_object_get(error, "message"));

	return err_set(e, number > 0 && number <= ERRNO_MAX ? (int)-number : -EIO, "%s",
		text ? text : "the daemon refused");
}
