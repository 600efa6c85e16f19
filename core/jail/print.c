/* print.c - a plan as a person reads it. */
#include <string.h>
#include <sys/sysmacros.h>

#include "jail/plan.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/str.h"

#define X(op, word, phase) [PLAN_##op] = { word, PHASE_##phase },
static const struct {
	const char *word;
	enum plan_phase phase;
} ops[] = { PLAN_OPS(X) };
#undef X

const char *
plan_phase_name(enum plan_phase phase)
{
#define X(upper, lower) #lower,
	static const char *const names[] = { PLAN_PHASES(X) };
#undef X

	return names[phase];
}

enum plan_phase
plan_op_phase(enum plan_op op)
{
	return ops[op].phase;
}

static void
print_number(const struct plan_step *s, struct buf *to)
{
	switch (s->op) {
	case PLAN_DIR:
	case PLAN_SCRATCH:
		buf_addf(to, " mode %04llo", (unsigned long long)s->number);
		break;
	case PLAN_ROOT:
		buf_addf(to, " %llu bytes, %llu inodes", (unsigned long long)s->number,
			(unsigned long long)s->id);
		break;
	case PLAN_DEVICE:
		buf_addf(to, " %u:%u", major(s->number), minor(s->number));
		break;
	case PLAN_PTS:
		buf_addf(to, " max %llu", (unsigned long long)s->number);
		break;
	case PLAN_LIMIT:
		if (s->number == UINT64_MAX)
			buf_add_str(to, " none");
		else
			buf_addf(to, " %llu", (unsigned long long)s->number);
		break;
	default:
		break;
	}
}

/* Texts are shown by their place alone; the rest of a step's `from` is a path or a word. */
static void
print_step(const struct plan_step *s, struct buf *to)
{
	buf_addf(to, "%-9s %-12s", plan_phase_name(ops[s->op].phase), ops[s->op].word);
	if (s->to) {
		buf_add_str(to, " /");
		str_escape(to, s->to, strlen(s->to));
	}
	if (s->from && s->op != PLAN_TEXT) {
		buf_add_str(to, s->to ? " from " : " ");
		str_escape(to, s->from, strlen(s->from));
	}
	print_number(s, to);
	buf_addf(to, "  # %s\n", s->why);
}

void
plan_print(const struct plan *p, struct buf *to)
{
	for (size_t i = 0; i < p->nsteps; i++)
		print_step(&p->steps[i], to);
}
