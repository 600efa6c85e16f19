#include "widget/textview.h"

#include <stdio.h>
#include <string.h>

#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

void
textview_fini(struct textview *v)
{
	mem_free(v->title);
	mem_free(v->text);
	*v = (struct textview){ 0 };
}

void
textview_set(struct textview *v, const char *title, const char *text)
{
	textview_fini(v);
	v->title = str_dup(title);
	v->text = str_dup(text);
	for (const char *p = text; *p; v->lines++) {
		const char *end = strchr(p, '\n');

		p = end ? end + 1 : p + strlen(p);
	}
	v->page = 1;
}

static void
clamp_top(struct textview *v)
{
	if (v->top > v->lines - v->page)
		v->top = v->lines - v->page;
	if (v->top < 0)
		v->top = 0;
}

bool
textview_key(struct textview *v, struct key k)
{
	switch (k.code) {
	case KEY_UP:
	case 'k':
		v->top--;
		break;
	case KEY_DOWN:
	case 'j':
		v->top++;
		break;
	case KEY_PAGE_UP:
		v->top -= v->page;
		break;
	case KEY_PAGE_DOWN:
	case ' ':
		v->top += v->page;
		break;
	case KEY_HOME:
	case 'g':
		v->top = 0;
		break;
	case KEY_END:
	case 'G':
		v->top = v->lines;
		break;
	default:
		return false;
	}
	clamp_top(v);
	return true;
}

void
textview_draw(struct textview *v, struct surface *s, struct area a, const struct theme *t)
{
	const char *p = v->text;
	char foot[64];

	v->page = a.rows > 2 ? a.rows - 2 : 1;
	clamp_top(v);
	surface_fill(s, a, t->role[ROLE_POPUP]);
	surface_text(s, a, a.row, a.col + 1, t->role[ROLE_POPUP_TITLE], v->title);
	for (int line = 0; *p && line < v->top + v->page; line++) {
		size_t len = strcspn(p, "\n");
		bool is_heading = p[0] == '#';

		if (line >= v->top && is_heading)
			surface_textn(s, a, a.row + 1 + line - v->top, a.col + 1,
				t->role[ROLE_POPUP_KEY], p + 1, len - 1);
		else if (line >= v->top)
			surface_textn(s, a, a.row + 1 + line - v->top, a.col + 1,
				t->role[ROLE_POPUP], p, len);
		p += len + (p[len] == '\n');
	}
	snprintf(foot, sizeof foot, "%d-%d of %d  arrows, PageUp, PageDown; q closes",
		v->top + (v->lines > 0), v->top + v->page < v->lines ? v->top + v->page : v->lines,
		v->lines);
	surface_text(s, a, a.row + a.rows - 1, a.col + 1, t->role[ROLE_POPUP_KEY], foot);
	s->cursor = (struct surface_cursor){ .is_visible = true,
		.row = (uint16_t)(a.row + (a.rows > 1)),
		.col = (uint16_t)(a.col + 1) };
}
