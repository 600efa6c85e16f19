#include "widget/field.h"

#include <string.h>

#include "sandesk/base/str.h"
#include "sandesk/base/utf8.h"

static size_t
char_after(const struct field *f, size_t at)
{
	uint32_t cp;
	size_t n = utf8_decode(f->text + at, f->len - at, &cp);

	at += n ? n : at < f->len;
	while (at < f->len && utf8_decode(f->text + at, f->len - at, &cp) && !utf8_width(cp))
		at += utf8_decode(f->text + at, f->len - at,
			&cp); /* marks belong to the character before them */
	return at;
}

static size_t
char_before(const struct field *f, size_t at)
{
	size_t from = 0, next;

	while ((next = char_after(f, from)) < at)
		from = next;
	return at ? from : 0;
}

static size_t
word_before(const struct field *f, size_t at)
{
	while (at > 0 && f->text[at - 1] == ' ')
		at--;
	while (at > 0 && f->text[at - 1] != ' ')
		at--;
	return at;
}

static void
cut(struct field *f, size_t from, size_t to)
{
	memmove(f->text + from, f->text + to, f->len - to + 1);
	f->len -= to - from;
	f->at = from;
}

void
field_set(struct field *f, const char *text)
{
	f->len = f->at = 0;
	f->text[0] = 0;
	field_insert(f, text, strlen(text));
}

void
field_insert(struct field *f, const char *text, size_t len)
{
	for (size_t i = 0, n; i < len; i += n ? n : 1) {
		uint32_t cp;

		n = utf8_decode(text + i, len - i, &cp);
		if (!n || cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
			continue;
		if (f->len + n >= FIELD_BYTES)
			return;
		memmove(f->text + f->at + n, f->text + f->at, f->len - f->at + 1);
		memcpy(f->text + f->at, text + i, n);
		f->len += n;
		f->at += n;
	}
}

static bool
edit_key(struct field *f, uint32_t code)
{
	switch (code) {
	case KEY_LEFT:
		f->at = char_before(f, f->at);
		return true;
	case KEY_RIGHT:
		f->at = char_after(f, f->at);
		return true;
	case KEY_HOME:
		f->at = 0;
		return true;
	case KEY_END:
		f->at = f->len;
		return true;
	case KEY_BACKSPACE:
		cut(f, char_before(f, f->at), f->at);
		return true;
	case KEY_DELETE:
		cut(f, f->at, char_after(f, f->at));
		return true;
	}
	return false;
}

bool
field_key(struct field *f, struct key k)
{
	static const struct {
		char letter;
		uint32_t code;
	} ctrl[] = { { 'a', KEY_HOME }, { 'e', KEY_END }, { 'b', KEY_LEFT }, { 'f', KEY_RIGHT },
		{ 'd', KEY_DELETE }, { 'h', KEY_BACKSPACE } };
	char text[4];

	if (k.mods == MOD_CTRL) {
		for (size_t i = 0; i < ARRAY_LEN(ctrl); i++)
			if (k.code == (uint32_t)ctrl[i].letter)
				return edit_key(f, ctrl[i].code);
		if (k.code == 'u' || k.code == 'w')
			cut(f, k.code == 'u' ? 0 : word_before(f, f->at), f->at);
		else if (k.code == 'k')
			cut(f, f->at, f->len);
		else
			return false;
		return true;
	}
	if (k.mods & ~MOD_SHIFT)
		return false;
	if (k.code >= KEY_FIRST)
		return edit_key(f, k.code);
	field_insert(f, text, utf8_encode(k.code, text));
	return true;
}

void
field_draw(const struct field *f, struct surface *s, struct area a, struct style style)
{
	size_t from = 0;
	int before = (int)utf8_text_width(f->text, f->at);

	while (before >= a.cols && from < f->at) {
		from = char_after(f, from);
		before = (int)utf8_text_width(f->text + from, f->at - from);
	}
	surface_fill(s, a, style);
	surface_text(s, a, a.row, a.col, style, f->text + from);
	s->cursor = (struct surface_cursor){
		.is_visible = a.cols > 0, .row = (uint16_t)a.row, .col = (uint16_t)(a.col + before)
	};
}
