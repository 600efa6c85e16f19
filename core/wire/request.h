/* request.h - the two halves of a JSON-RPC call that waiting and not waiting clients share.
 * Ownership: request_encode() takes params and returns owned text; NULL when they are not valid UTF-8.
 * Errors:    request_error() gives the daemon's text as it is, and its errno when that is one.
 * Source:    JSON-RPC 2.0, sections 4 and 5. */
#pragma once

#include <jansson.h>

struct err;

char *request_encode(json_int_t id, const char *method, json_t *params);
int request_error(json_t *error, struct err *e);
