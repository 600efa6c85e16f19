/* pack.h - a plan as bytes, for an init that was forked before the plan was made. Private to core/jail.
 * Contract:  both sides are the same image, and the bytes come from our own keeper: plan_unpack()
 *            asserts what a stranger could break. Reasons (`why`) are not carried.
 * Ownership: an unpacked plan points into the bytes, which must live as long; free nothing of it.
 */
#pragma once

#include <stddef.h>

#include "jail/plan.h"

struct buf;

void plan_pack(const struct plan *p, struct buf *to);
void plan_unpack(char *bytes, size_t len, struct plan *ret);
