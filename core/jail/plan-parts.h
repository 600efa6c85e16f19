/* plan-parts.h - what the files that make a plan share. Private to core/jail.
 * Ownership: everything is copied but `why`, which is static.
 */
#pragma once

#include "jail/plan.h"

/* A step as it is written down. */
struct plan_draft {
	enum plan_op op;
	const char *from, *to, *why;
	uint64_t number, id;
};

void plan_add(struct plan *p, struct plan_draft d);

/* Something that the policy asks for and this machine or this directory does not give. */
void plan_note(struct plan *p, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Whether `path` is `dir` or lies below it. */
bool plan_lies_in(const char *path, const char *dir);

/* protect.c: the steps that keep the policy's protected paths as they are. Never fails: a rule that
 * cannot be kept is a note. */
void plan_protect(struct plan *p, const struct jail_policy *policy);
