/* libFuzzer: a line to words, words to a command, bytes to JSON arguments. What words give must
 * pass the check for JSON, and every refusal must say why. */
#include <assert.h>
#include <jansson.h>
#include <string.h>

#include "sandesk/args.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
fuzz_line(const char *line)
{
	char **words = NULL;
	size_t n = 0;
	const struct command *c = NULL;
	json_t *args = NULL;
	struct err e = { 0 };

	if (args_split(line, &words, &n, &e) < 0) {
		assert(e.msg[0]);
		return;
	}
	if (args_parse((const char *const *)words, n, "/home/u", &c, &args, &e) < 0) {
		assert(e.msg[0] && e.code < 0);
	} else if (args) {
		assert(args_check(c, args, &e) == 0);
		json_decref(args);
	}
	mem_free(words);
}

static void
fuzz_json(const uint8_t *data, size_t size)
{
	const struct command *c = command_at((enum command_id)(data[0] % COMMAND_COUNT));
	json_t *args = json_loadb(
		(const char *)data + 1, size - 1, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);
	struct err e = { 0 };

	if (args && args_check(c, args, &e) < 0)
		assert(e.msg[0] && e.code < 0);
	json_decref(args);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO(mem) char *line = mem_zero(size + 1, 1);

	memcpy(line, data, size);
	fuzz_line(line);
	if (size)
		fuzz_json(data, size);
	return 0;
}
