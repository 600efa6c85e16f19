/* Frames: whatever arrives is decoded or refused, and what was decoded can be encoded and decoded
 * to the same again. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/messages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = { 0 };
	struct msg m, again;
	ssize_t n;

	for (size_t pos = 0; (n = msg_decode(data + pos, size - pos, &m, &e)) > 0;
		pos += (size_t)n) {
		AUTO(buf) struct buf first = { 0 };
		AUTO(buf) struct buf second = { 0 };

		assert(msg_encode(&first, &m) == 0);
		assert(msg_decode(first.data, first.len, &again, NULL) == (ssize_t)first.len);
		assert(msg_encode(&second, &again) == 0);
		assert(first.len == second.len &&
			__builtin_memcmp(first.data, second.data, first.len) == 0);
	}
	return 0;
}
