/* pattern.h - a regular expression that a person gave, matched against text that a sandbox printed.
 * Contract:  bounded: a match that needs more than PATTERN_STEPS steps or PATTERN_HEAP_KIB of
 *            memory fails instead of going on. Text that is no UTF-8 is allowed.
 * Lifetime:  a zeroed struct is empty; pattern_compile(), pattern_fini().
 * Source:    pcre2api(3).
 */
#pragma once

#include <stddef.h>

struct err;

enum { PATTERN_STEPS = 100000, PATTERN_HEAP_KIB = 8192 };
enum pattern_flag {
	PATTERN_LITERAL = 1,
	PATTERN_ANY_CASE = 2,
};

struct pattern {
	void *code, *match, *limits;
};

/* -EINVAL with a sentence for what is no expression. */
int pattern_compile(struct pattern *p, const char *text, unsigned flags, struct err *e);
void pattern_fini(struct pattern *p);

/* 1 and where, 0, or -EOVERFLOW when it came to a limit. The text need not be terminated. */
int pattern_find(const struct pattern *p, const char *text, size_t len, size_t from,
	size_t *ret_start, size_t *ret_end);
