/* Any bytes of the outer terminal, at two splits: the events must be the same, and every event must
 * be sane. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "input/decoder.h"
#include "sandesk/base/buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
record(const struct event *e, void *arg)
{
	struct buf *to = arg;
	char name[KEY_NAME_BYTES] = "";

	switch (e->kind) {
	case EVENT_KEY:
		assert(e->key.code && e->key.code < KEY_LAST);
		key_name(e->key, name);
		buf_addf(to, "key %s\n", name);
		break;
	case EVENT_MOUSE:
		assert(e->mouse.button <= 3);
		buf_addf(to, "mouse %d %u %u %u\n", e->mouse.kind, e->mouse.button, e->mouse.row,
			e->mouse.col);
		break;
	case EVENT_PASTE:
		buf_addf(to, "paste %zu\n", e->paste.len);
		buf_add(to, e->paste.data, e->paste.len);
		break;
	case EVENT_FOCUS:
		buf_addf(to, "focus %d\n", e->has_focus);
		break;
	case EVENT_STRING:
		assert(!e->string.text[e->string.len]);
		buf_addf(to, "string %c %zu\n", e->string.introducer, e->string.len);
		break;
	case EVENT_REPLY:
		assert(e->reply.n <= 8);
		buf_addf(to, "reply %u %c\n", e->reply.n, e->reply.final);
		break;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO(buf) struct buf whole = { 0 }, split = { 0 };
	struct decoder *a = decoder_new(record, &whole), *b = decoder_new(record, &split);
	bool expects = size && (data[0] & 1);

	decoder_expect_strings(a, expects);
	decoder_expect_strings(b, expects);
	decoder_feed(a, data, size);
	for (size_t i = 0; i < size; i++)
		decoder_feed(b, data + i, 1);
	if (decoder_waits(a))
		decoder_expire(a);
	if (decoder_waits(b))
		decoder_expire(b);
	assert(whole.len == split.len &&
		(!whole.len || memcmp(whole.data, split.data, whole.len) == 0));
	decoder_free(a);
	decoder_free(b);
	return 0;
}
