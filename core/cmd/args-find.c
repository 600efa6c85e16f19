#include "cmd/args-parts.h"

#include <errno.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

enum { SHOWN_BYTES = 60 };

void
args_add_shown(struct buf *to, const char *text)
{
	size_t len = strlen(text);

	str_escape(to, text, len < SHOWN_BYTES ? len : SHOWN_BYTES);
	if (len > SHOWN_BYTES)
		buf_add_str(to, "...");
}

bool
args_is_noun(const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; len && i < COMMAND_COUNT; i++) {
		const char *name = command_at((enum command_id)i)->name;

		if (str_has_prefix(name, word) && name[len] == ' ')
			return true;
	}
	return false;
}

static void
add_verbs(struct buf *to, const char *noun)
{
	size_t len = strlen(noun);
	const char *between = "";

	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const char *name = command_at((enum command_id)i)->name;

		if (!str_has_prefix(name, noun) || name[len] != ' ')
			continue;
		buf_addf(to, "%s%s", between, name + len + 1);
		between = ", ";
	}
}

static int
unknown_command(const char *const *words, size_t n, struct err *e)
{
	AUTO(buf) struct buf shown = { 0 }, offer = { 0 };
	AUTO(mem)
	char *two = n > 1 ? str_format("%.60s %.60s", words[0], words[1]) : str_dup(words[0]);
	struct near near = { 0 };

	if (args_is_noun(words[0]) && n < 2) {
		add_verbs(&offer, words[0]);
		return err_set(e, -EINVAL, "%s: a word is missing behind it; give one of %s",
			words[0], offer.data);
	}
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_at((enum command_id)i);
		bool is_pair = strchr(c->name, ' ');

		if (is_pair ||
			!args_is_noun(
				words[0])) /* a noun that is right is not a mistake for another word */
			near_try(&near, is_pair ? two : words[0], c->name);
		near_try(&near, words[0], c->short_name);
		if (strchr(c->name, ' ') && !c->short_name[0] && !args_is_noun(words[0]))
			near_try_word(&near, words[0], strchr(c->name, ' ') + 1, c->name);
	}
	args_add_shown(&shown, args_is_noun(words[0]) ? two : words[0]);
	if (near.n)
		near_add(&near, "", &offer);
	if (near.n)
		return err_set(
			e, -EINVAL, "%s: no such command; nearest: %s", shown.data, offer.data);
	if (args_is_noun(words[0])) {
		add_verbs(&offer, words[0]);
		return err_set(e, -EINVAL, "%s: no such command; behind %s stands one of %s",
			shown.data, words[0], offer.data);
	}
	return err_set(e, -EINVAL, "%s: no such command; \"sandesk help\" lists them all",
		shown.data ? shown.data : "(empty word)");
}

/* How many of the words name this command: 0 when they do not. */
static size_t
words_naming(const struct command *c, const char *const *words, size_t n)
{
	size_t len = strlen(words[0]);

	if (str_equal(c->name, words[0]) ||
		(c->short_name[0] && str_equal(c->short_name, words[0])))
		return 1;
	if (n < 2 || !str_has_prefix(c->name, words[0]) || c->name[len] != ' ')
		return 0;
	return str_equal(c->name + len + 1, words[1]) ? 2 : 0;
}

int
args_find_command(const char *const *words, size_t n, const struct command **ret, size_t *ret_used,
	struct err *e)
{
	if (!n)
		return err_set(e, -EINVAL, "command: is missing; \"sandesk help\" lists them all");
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *c = command_at((enum command_id)i);
		size_t used = words_naming(c, words, n);

		if (!used)
			continue;
		*ret = c;
		*ret_used = used;
		return 0;
	}
	return unknown_command(words, n, e);
}
