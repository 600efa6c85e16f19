#include "front/jsonrpc.h"

#include <errno.h>
#include <stdbool.h>

#include "sandesk/base/err.h"

/* How deep brackets nest. jansson would take 2,048 levels of its own recursion; a request of ours
 * has four. */
static size_t
depth_of(const char *text, size_t len)
{
	size_t depth = 0, deepest = 0;
	bool in_string = false;

	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (in_string) {
			i += c == '\\';
			in_string = c != '"';
			continue;
		}
		in_string = c == '"';
		if (c == '{' || c == '[')
			deepest = ++depth > deepest ? depth : deepest;
		else if ((c == '}' || c == ']') && depth)
			depth--;
	}
	return deepest;
}

static int
parse_root(const char *text, size_t len, json_t **ret, struct err *e)
{
	json_error_t where;

	if (len > REQUEST_BYTES) {
		err_set(e, -E2BIG, "request: has %zu bytes; at most %d are taken", len,
			REQUEST_BYTES);
		return JSONRPC_INVALID;
	}
	if (depth_of(text, len) > REQUEST_DEPTH) {
		err_set(e, -EINVAL, "request: nests deeper than %d; flatten it", REQUEST_DEPTH);
		return JSONRPC_PARSE;
	}
	*ret = json_loadb(text, len, JSON_REJECT_DUPLICATES, &where);
	if (*ret)
		return 0;
	err_set(e, -EINVAL, "request: is not JSON at byte %d: %s", where.position, where.text);
	return JSONRPC_PARSE;
}

static bool
is_id(const json_t *id)
{
	return json_is_string(id) || json_is_integer(id);
}

static int
check_request(struct jsonrpc_request *r, struct err *e)
{
	const char *version = json_string_value(json_object_get(r->root, "jsonrpc"));
	json_t *id = json_object_get(r->root, "id"), *params = json_object_get(r->root, "params");

	r->id = is_id(id) ? id : NULL;
	r->method = json_string_value(json_object_get(r->root, "method"));
	r->params = params;
	if (json_is_array(r->root))
		return err_set(
			e, -EINVAL, "request: batches are not taken; send one request per message");
	if (!json_is_object(r->root))
		return err_set(e, -EINVAL, "request: is not an object");
	if (!version || version[0] != '2' || version[1] != '.' || version[2] != '0' || version[3])
		return err_set(e, -EINVAL, "request: jsonrpc is not \"2.0\"");
	if (!r->id)
		return err_set(e, -EINVAL, "request: has no id; give a number or a text");
	if (!r->method)
		return err_set(e, -EINVAL, "request: has no method; give its name as a text");
	if (params && !json_is_object(params))
		return err_set(e, -EINVAL,
			"request: params are not an object; give the arguments by name");
	return 0;
}

int
jsonrpc_parse(const void *bytes, size_t len, struct jsonrpc_request *ret, struct err *e)
{
	int rc;

	*ret = (struct jsonrpc_request){ 0 };
	rc = parse_root(bytes, len, &ret->root, e);
	if (rc)
		return rc;
	return check_request(ret, e) < 0 ? JSONRPC_INVALID : 0;
}

void
jsonrpc_free(struct jsonrpc_request *r)
{
	json_decref(r->root);
	*r = (struct jsonrpc_request){ 0 };
}

static char *
dump(json_t *o)
{
	char *text = json_dumps(o, JSON_COMPACT);

	json_decref(o);
	return text;
}

char *
jsonrpc_result(json_t *id, json_t *result)
{
	return dump(json_pack("{s:s, s:O, s:O}", "jsonrpc", "2.0", "id", id, "result", result));
}

char *
jsonrpc_error(json_t *id, int code, const struct err *e, int exit_status)
{
	json_t *text = json_string(e->msg);

	return dump(json_pack("{s:s, s:O?, s:{s:i, s:o, s:{s:i, s:i}}}", "jsonrpc", "2.0", "id",
		id ? id : json_null(), "error", "code", code, "message",
		text ? text : json_string("error: its text is not UTF-8; see daemon.log"), "data",
		"errno", e->code < 0 ? -e->code : EIO, "exit_status", exit_status));
}

char *
jsonrpc_notification(const char *method, json_t *params)
{
	return dump(
		json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}
