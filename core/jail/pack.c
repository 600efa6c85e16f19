#include "jail/pack.h"

#include <assert.h>
#include <string.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/mem.h"

/* Fixed parts stand first, texts behind them in the order of use; a text is its bytes and NUL, one
 * that is not there is a single 0xff, which no path or argument begins with by itself: those are
 * escaped by a second 0xff. */
enum { NO_TEXT = 0xff };

struct head {
	size_t nsteps, nargs, nenv;
	struct plan fixed; /* pointers in it mean nothing on the other side */
};

struct reader {
	char *at, *end;
};

static void
put_text(struct buf *to, const char *text)
{
	if (!text || (unsigned char)text[0] == NO_TEXT)
		buf_add_char(to, (char)NO_TEXT);
	buf_add(to, text ? text : "", text ? strlen(text) + 1 : 1);
}

static char *
get_text(struct reader *r)
{
	char *text = r->at;

	assert(r->at < r->end);
	r->at += strlen(r->at) + 1;
	assert(r->at <= r->end);
	if ((unsigned char)text[0] != NO_TEXT)
		return text;
	return text[1] ? text + 1 : NULL;
}

static size_t
count(char *const *list)
{
	size_t n = 0;

	while (list[n])
		n++;
	return n;
}

void
plan_pack(const struct plan *p, struct buf *to)
{
	struct head head = { p->nsteps, count(p->argv), count(p->env), *p };

	buf_add(to, &head, sizeof head);
	buf_add(to, p->steps, p->nsteps * sizeof p->steps[0]);
	for (size_t i = 0; i < p->nsteps; i++) {
		put_text(to, p->steps[i].from);
		put_text(to, p->steps[i].to);
	}
	for (size_t i = 0; i < PLAN_TREES; i++)
		put_text(to, p->trees[i].path);
	put_text(to, p->hostname);
	put_text(to, p->home);
	put_text(to, p->workdir);
	for (size_t i = 0; i < head.nargs; i++)
		put_text(to, p->argv[i]);
	for (size_t i = 0; i < head.nenv; i++)
		put_text(to, p->env[i]);
}

static char **
get_list(struct reader *r, size_t n)
{
	char **list = mem_zero(n + 1, sizeof *list);

	for (size_t i = 0; i < n; i++)
		list[i] = get_text(r);
	return list;
}

void
plan_unpack(char *bytes, size_t len, struct plan *ret)
{
	struct reader r = { bytes, bytes + len };
	struct head head;

	assert(len >= sizeof head);
	memcpy(&head, r.at, sizeof head);
	r.at += sizeof head;
	*ret = head.fixed;
	ret->notes = NULL;
	ret->nnotes = 0;
	ret->steps = mem_dup(r.at, head.nsteps * sizeof ret->steps[0]);
	r.at += head.nsteps * sizeof ret->steps[0];
	for (size_t i = 0; i < head.nsteps; i++) {
		ret->steps[i].from = get_text(&r);
		ret->steps[i].to = get_text(&r);
		ret->steps[i].why = "";
	}
	for (size_t i = 0; i < PLAN_TREES; i++)
		ret->trees[i].path = get_text(&r);
	ret->hostname = get_text(&r);
	ret->home = get_text(&r);
	ret->workdir = get_text(&r);
	ret->argv = get_list(&r, head.nargs);
	ret->env = get_list(&r, head.nenv);
}
