#include "input/answers.h"

#include <stdlib.h>
#include <string.h>

#include "input/decoder.h"
#include "sandesk/base/str.h"

bool
answers_take(struct answers *a, const struct reply *r)
{
	if (r->prefix == '?' && r->intermediate == '$' && r->final == 'y' && r->params[0] == 2026)
		a->has_sync = r->params[1] == 1 || r->params[1] == 2;
	else if (r->prefix == '?' && r->final == 'u')
		a->has_kitty = true;
	else if (r->prefix == '>' && r->final == 'c')
		a->model = r->params[0];
	return r->prefix == '?' && r->final == 'c';
}

enum out_keys
answers_keys(const struct answers *a)
{
	enum { XTERM = 41, MINTTY = 77, TMUX = 84 };

	if (a->has_kitty)
		return OUT_KEYS_KITTY;
	return a->model == XTERM || a->model == MINTTY || a->model == TMUX ? OUT_KEYS_OTHER
									   : OUT_KEYS_PLAIN;
}

/* One part of rgb:R/G/B, one to four hexadecimal digits, as 0 to 255; -1: it is none. */
static int
colour_part(const char **text)
{
	char *end;
	unsigned long v = strtoul(*text, &end, 16), most = 0;

	for (const char *p = *text; p < end && p < *text + 5; p++)
		most = most << 4 | 15;
	if (!most || most > 0xffff || v > most)
		return -1;
	*text = end;
	return (int)(v * 255 / most);
}

bool
answers_background(const char *text, bool *ret_is_dark)
{
	int part[3];

	if (!str_has_prefix(text, "11;rgb:"))
		return false;
	text += strlen("11;rgb:");
	for (int i = 0; i < 3; i++) {
		part[i] = colour_part(&text);
		if (part[i] < 0 || *text != (i < 2 ? '/' : 0))
			return false;
		text += i < 2;
	}
	*ret_is_dark = 299 * part[0] + 587 * part[1] + 114 * part[2] < 127500;
	return true;
}
