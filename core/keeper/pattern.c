#define PCRE2_CODE_UNIT_WIDTH 8

#include "keeper/pattern.h"

#include <errno.h>
#include <pcre2.h>

#include "sandesk/base/err.h"

int
pattern_compile(struct pattern *p, const char *text, unsigned flags, struct err *e)
{
	uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
	PCRE2_UCHAR said[128];
	PCRE2_SIZE at;
	int code;

	options |= flags & PATTERN_LITERAL ? PCRE2_LITERAL : PCRE2_MULTILINE;
	if (flags & PATTERN_ANY_CASE)
		options |= PCRE2_CASELESS;
	p->code = pcre2_compile(
		(PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, options, &code, &at, NULL);
	if (!p->code) {
		pcre2_get_error_message(code, said, sizeof said);
		return err_set(e, -EINVAL,
			"regular expression \"%.80s\": %s at character %zu; see pcre2pattern(3)",
			text, (char *)said, at + 1);
	}
	p->match = pcre2_match_data_create_from_pattern(p->code, NULL);
	p->limits = pcre2_match_context_create(NULL);
	pcre2_set_match_limit(p->limits, PATTERN_STEPS);
	pcre2_set_heap_limit(p->limits, PATTERN_HEAP_KIB);
	return 0;
}

void
pattern_fini(struct pattern *p)
{
	pcre2_match_context_free(p->limits);
	pcre2_match_data_free(p->match);
	pcre2_code_free(p->code);
	*p = (struct pattern){ 0 };
}

int
pattern_find(const struct pattern *p, const char *text, size_t len, size_t from, size_t *ret_start,
	size_t *ret_end)
{
	int n = pcre2_match(p->code, (PCRE2_SPTR)(text ? text : ""), len, from, 0, p->match,
		p->limits);
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(p->match);

	if (n < 0)
		return n == PCRE2_ERROR_NOMATCH ? 0 : -EOVERFLOW;
	*ret_start = at[0];
	*ret_end = at[1];
	return 1;
}
