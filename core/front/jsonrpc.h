/* jsonrpc.h - JSON-RPC 2.0 as bytes. Pure.
 * Contract:  what a peer sends is bounded before it is parsed: REQUEST_BYTES, REQUEST_DEPTH. No
 *            batches; a request without an id is refused, because nobody would hear of its failure.
 *            Unknown members are ignored.
 * Ownership: returned texts are the caller's (mem_free); a parsed request is freed by
 *            jsonrpc_free().
 * Errors:    one of enum jsonrpc_code for the peer, and a sentence. The id is kept when it could be
 *            read.
 * Source:    www.jsonrpc.org/specification; RFC 8259.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

struct err;

enum { REQUEST_BYTES = 4 << 20, REQUEST_DEPTH = 32 };

enum jsonrpc_code {
	JSONRPC_PARSE = -32700,
	JSONRPC_INVALID = -32600,
	JSONRPC_METHOD = -32601,
	JSONRPC_OURS = -32000,
};

struct jsonrpc_request {
	json_t *root;
	json_t *id;	    /* borrowed from root; NULL when there is none */
	const char *method; /* the same */
	json_t *params;	    /* the same; NULL when left out */
};

/* 0 or an enum jsonrpc_code. */
int jsonrpc_parse(const void *bytes, size_t len, struct jsonrpc_request *ret, struct err *e);
void jsonrpc_free(struct jsonrpc_request *r);

char *jsonrpc_result(json_t *id, json_t *result);
/* id may be NULL */
char *jsonrpc_error(json_t *id, int code, const struct err *e, int exit_status);
char *jsonrpc_notification(const char *method, json_t *params); /* takes params */
