#include "keeper/find.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "keeper/keeper.h"
#include "keeper/pattern.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/conn.h"
#include "sandesk/loop.h"
#include "term/search.h"

enum { FINDS_MAX = 16, HITS_AT_ONCE = 256 };

struct find {
	struct find *next;
	struct viewer *viewer;
	uint64_t request;
	struct search search;
	struct pattern pattern;
	char *text; /* owned: the plain text */
	size_t limit, count;
	struct buf out;
	struct loop_timer *more; /* the next portion */
};

static void
find_free(struct find *f)
{
	struct find **at = &f->viewer->keeper->finds;

	while (*at != f)
		at = &(*at)->next;
	*at = f->next;
	loop_timer_free(f->more);
	pattern_fini(&f->pattern);
	mem_free(f->text);
	buf_fini(&f->out);
	mem_free(f);
}

static void
find_fail(struct viewer *v, uint64_t request, const struct err *e)
{
	conn_send(v->conn,
		&(struct msg){ .type = MSG_error,
			.error = { .request = request,
				.code = (uint64_t)-e->code,
				.text = e->msg } });
}

static void
add_hit(struct find *f, const struct search_hit *hit)
{
	AUTO(buf) struct buf line = { 0 };
	size_t len;

	search_line(f->viewer->keeper->term, hit->at.line, &line);
	len = line.len < FIND_LINE_BYTES ? line.len : FIND_LINE_BYTES;
	while (len < line.len && len && (line.data[len] & 0xc0) == 0x80)
		len--;
	buf_addf(&f->out,
		"%s{\"line\":%llu,\"col\":%u,\"end_line\":%llu,\"end_col\":%u,\"cells\":%u,"
		"\"text\":\"",
		f->count++ ? "," : "", (unsigned long long)hit->at.line, (unsigned)hit->at.col,
		(unsigned long long)hit->end.line, (unsigned)hit->end.col, (unsigned)hit->cells);
	str_add_json(&f->out, line.data ? line.data : "", len);
	buf_add_str(&f->out, "\"}");
}

static void
find_answer(struct find *f)
{
	struct msg reply = { .type = MSG_captured, .captured.request = f->request };
	struct err e = { 0 };

	buf_addf(&f->out, "],\"more\":%s}", f->search.is_done ? "false" : "true");
	reply.captured.text = span_of(&f->out);
	if (f->out.is_full) {
		err_set(&e, -EFBIG, "the hits are larger than a message; give a smaller --limit");
		find_fail(f->viewer, f->request, &e);
	} else {
		conn_send(f->viewer->conn, &reply);
	}
	find_free(f);
}

/* One portion. */
static void
find_go_on(void *arg)
{
	struct find *f = arg;
	struct search_hit hits[HITS_AT_ONCE];
	size_t left = f->limit - f->count;
	struct err e = { 0 };
	int n = term_search(f->viewer->keeper->term, &f->search, hits,
		left < HITS_AT_ONCE ? left : HITS_AT_ONCE);

	if (n < 0) {
		err_set(&e, n,
			n == -EOVERFLOW ? "the expression takes too many steps; make it simpler"
					: "the pattern is empty or too long");
		find_fail(f->viewer, f->request, &e);
		find_free(f);
		return;
	}
	for (int i = 0; i < n; i++)
		add_hit(f, &hits[i]);
	if (f->search.is_done || f->count == f->limit || f->out.is_full)
		find_answer(f);
	else
		loop_timer_start(f->more, 0);
}

static int
match(const char *text, size_t len, size_t from, size_t *ret_start, size_t *ret_end, void *arg)
{
	return pattern_find(arg, text, len, from, ret_start, ret_end);
}

static bool
is_ascii(const char *text)
{
	for (; *text; text++)
		if (*text & 0x80)
			return false;
	return true;
}

/* Plain ASCII is looked for by the core; everything else by PCRE2, which knows the cases of all
 * letters. */
static int
find_prepare(struct find *f, const struct msg_search *m, struct err *e)
{
	size_t len = strlen(m->pattern);
	bool is_regex = m->flags & SEARCH_REGEX,
	     any_case = search_any_case(m->pattern, len, is_regex);

	f->search = (struct search){ .any_case = any_case,
		.is_backwards = m->flags & SEARCH_BACKWARDS,
		.most_lines = FIND_LINES };
	if (m->flags & SEARCH_FROM)
		f->search.from = (struct search_place){ m->line, (uint32_t)m->col };
	else if (f->search.is_backwards)
		f->search.from = search_end(f->viewer->keeper->term);
	if (!len || len > SEARCH_TEXT_BYTES)
		return err_set(e, -EINVAL, "the pattern has %zu bytes; give 1 to %d", len,
			SEARCH_TEXT_BYTES);
	if (!is_regex && is_ascii(m->pattern)) {
		f->text = str_dup(m->pattern);
		f->search.text = f->text;
		f->search.len = len;
		return 0;
	}
	f->search.match = match;
	f->search.arg = &f->pattern;
	return pattern_compile(&f->pattern, m->pattern,
		(is_regex ? 0 : PATTERN_LITERAL) | (any_case ? PATTERN_ANY_CASE : 0), e);
}

static unsigned
count_finds(const struct keeper *k)
{
	unsigned n = 0;

	for (const struct find *f = k->finds; f; f = f->next)
		n++;
	return n;
}

void
find_begin(struct viewer *v, const struct msg_search *m)
{
	struct keeper *k = v->keeper;
	struct err e = { 0 };
	struct find *f;

	if (!k->term || count_finds(k) >= FINDS_MAX) {
		err_set(&e, -EBUSY, "session %s/%s: %s", k->desktop, k->name,
			k->term ? "is being searched by too many already; try again"
				: "has no terminal; it was started by exec");
		find_fail(v, m->request, &e);
		return;
	}
	f = mem_new(struct find);
	*f = (struct find){ .next = k->finds, .viewer = v, .request = m->request };
	k->finds = f;
	f->out.limit = FRAME_BYTES - 4096;
	f->limit = m->limit ? m->limit : FIND_HITS;
	if (f->limit > FIND_HITS_MAX)
		f->limit = FIND_HITS_MAX;
	if (find_prepare(f, m, &e) < 0) {
		find_fail(v, m->request, &e);
		find_free(f);
		return;
	}
	f->more = loop_timer_new(k->loop, find_go_on, f);
	buf_add_str(&f->out, "{\"hits\":[");
	find_go_on(f);
}

void
find_cancel(struct viewer *v, uint64_t request)
{
	for (struct find *f = v->keeper->finds; f; f = f->next)
		if (f->viewer == v && f->request == request) {
			find_free(f);
			return;
		}
}

void
find_forget_viewer(struct viewer *v)
{
	for (struct find *f = v->keeper->finds, *next; f; f = next) {
		next = f->next;
		if (f->viewer == v)
			find_free(f);
	}
}
