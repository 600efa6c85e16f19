#include <assert.h>
#include <errno.h>
#include <string.h>

#include "sandesk/args.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"

enum { SPLIT_BYTES = 1 << 20 }; /* a line is typed by a person or stands in a configuration file */

/*
 *             blank          other, quote, backslash
 *   between --------> between   --------------------> in a word --blank--> between
 *
 *   in a word: '...' takes all as it is; "..." takes a backslash before " \ $ ` only;
 *              a backslash takes the next byte.
 */
struct split {
	const char *line;
	char *to; /* never longer than the line */
	struct err *e;
};

static int
split_quoted(struct split *s, char quote)
{
	const char *start = s->line++;

	while (*s->line && *s->line != quote) {
		if (quote == '"' && *s->line == '\\' && s->line[1] && strchr("\"\\$`", s->line[1]))
			s->line++;
		*s->to++ = *s->line++;
	}
	if (!*s->line)
		return err_set(
			s->e, -EINVAL, "quote: %.20s has no closing %c; add it", start, quote);
	s->line++;
	return 0;
}

static int
split_word(struct split *s)
{
	while (*s->line && !strchr(" \t\n\r", *s->line)) {
		if (*s->line == '\'' || *s->line == '"') {
			if (split_quoted(s, *s->line) < 0)
				return -EINVAL;
			continue;
		}
		if (*s->line == '\\' && !*++s->line)
			return err_set(s->e, -EINVAL,
				"backslash: nothing follows it; write \\\\ for a backslash itself");
		*s->to++ = *s->line++;
	}
	*s->to++ = 0;
	return 0;
}

int
args_split(const char *line, char ***ret, size_t *ret_n, struct err *e)
{
	size_t len = strlen(line), room = len / 2 + 2, n = 0;
	AUTO(mem) char **words = NULL;
	struct split s = { .line = line, .e = e };

	if (len > SPLIT_BYTES)
		return err_set(
			e, -EINVAL, "line: has %zu bytes; give at most %d", len, SPLIT_BYTES);
	words = mem_zero(room * sizeof *words + len + 2, 1);
	s.to = (char *)(words + room);
	for (;;) {
		s.line += strspn(s.line, " \t\n\r");
		if (!*s.line)
			break;
		assert(n + 1 < room);
		words[n++] = s.to;
		if (split_word(&s) < 0)
			return -EINVAL;
	}
	*ret = mem_take(words);
	*ret_n = n;
	return 0;
}
