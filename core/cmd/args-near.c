#include "cmd/args-parts.h"

#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/str.h"

enum {
	NEAR_BYTES = 40, /* longer words have no near neighbour in the table */
	NEAR_EDITS = 3,	 /* more than that is another word */
};

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Edits (insert, delete, replace, swap of neighbours) between two short words. */
static unsigned
distance(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);
	unsigned d[NEAR_BYTES + 1][NEAR_BYTES + 1];

	if (na > NEAR_BYTES || nb > NEAR_BYTES)
		return NEAR_BYTES;
	for (size_t i = 0; i <= na; i++)
		d[i][0] = (unsigned)i;
	for (size_t j = 0; j <= nb; j++)
		d[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++)
		for (size_t j = 1; j <= nb; j++) {
			unsigned same = a[i - 1] == b[j - 1] ? 0 : 1;

			d[i][j] = least(
				least(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + same);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[na][nb];
}

void
near_try(struct near *near, const char *typed, const char *name)
{
	near_try_word(near, typed, name, name);
}

void
near_try_word(struct near *near, const char *typed, const char *word, const char *name)
{
	unsigned far = least((unsigned)(strlen(typed) + 3) / 4, NEAR_EDITS),
		 d = distance(typed, word);

	if (!*word || !*typed)
		return;
	if (d && str_has_prefix(word, typed))
		d = 1;
	if (d > far || (near->n && d > near->distance))
		return;
	if (d < near->distance)
		near->n = 0;
	near->distance = d;
	if (near->n < NEAR_NAMES)
		near->names[near->n++] = name;
}

void
near_add(const struct near *near, const char *prefix, struct buf *to)
{
	for (size_t i = 0; i < near->n; i++)
		buf_addf(to, "%s%s%s", i ? ", " : "", prefix, near->names[i]);
}
