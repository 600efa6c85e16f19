/* keyboard.c - which keyboard protocol a program asked for; keyenc.c carries it out.
 * Source: kitty, "Comprehensive keyboard handling in terminals"; xterm's modifyOtherKeys. */
#include "term/screen.h"
#include "term/sequences.h"

static struct kitty *
kitty_now(struct term *t)
{
	return &t->kitty[t->modes.alternate];
}

void
keyboard_follow(struct term *t)
{
	const struct kitty *k = kitty_now(t);

	t->modes.kitty = k->flags[k->depth];
}

void
keyboard_reset(struct term *t)
{
	memset(t->kitty, 0, sizeof t->kitty);
	t->modes.modify_other = 0;
	keyboard_follow(t);
}

/* Beyond the stack's room the oldest entry goes. */
void
keyboard_push(struct term *t, const struct parser *p)
{
	struct kitty *k = kitty_now(t);

	if (k->depth == KITTY_STACK)
		memmove(k->flags, k->flags + 1, KITTY_STACK);
	else
		k->depth++;
	k->flags[k->depth] = param(p, 0, 0) & TERM_KITTY_MASK;
	keyboard_follow(t);
}

void
keyboard_pop(struct term *t, const struct parser *p)
{
	struct kitty *k = kitty_now(t);
	unsigned n = param(p, 0, 1);

	if (n > k->depth)
		k->flags[0] = 0;
	k->depth = n < k->depth ? (uint8_t)(k->depth - n) : 0;
	keyboard_follow(t);
}

void
keyboard_set(struct term *t, const struct parser *p)
{
	struct kitty *k = kitty_now(t);
	uint8_t *at = &k->flags[k->depth], flags = param(p, 0, 0) & TERM_KITTY_MASK;

	switch (param(p, 1, 1)) {
	case 1:
		*at = flags;
		break;
	case 2:
		*at |= flags;
		break;
	case 3:
		*at &= (uint8_t)~flags;
		break;
	default:
		break;
	}
	keyboard_follow(t);
}

void
keyboard_query(struct term *t, const struct parser *p)
{
	(void)p;
	term_reply(t, "\033[?%uu", t->modes.kitty);
}

enum { MODIFY_OTHER = 4 };

void
keyboard_modify(struct term *t, const struct parser *p)
{
	unsigned value = param(p, 1, 0);

	if ((!p->given && p->count == 1) || (param(p, 0, 0) == MODIFY_OTHER && value <= 2))
		t->modes.modify_other = (uint8_t)value;
}

void
keyboard_modify_off(struct term *t, const struct parser *p)
{
	if (param(p, 0, 0) == MODIFY_OTHER)
		t->modes.modify_other = 0;
}

void
keyboard_modify_query(struct term *t, const struct parser *p)
{
	if (param(p, 0, 0) == MODIFY_OTHER)
		term_reply(t, "\033[>4;%um", t->modes.modify_other);
}
