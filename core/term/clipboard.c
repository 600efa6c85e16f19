/* clipboard.c - OSC 52: what a program wants copied. It is decoded and kept for the owner, who has
 * the policy; what a clipboard holds is never told to a program. */
#include "term/screen.h"
#include "term/sequences.h"

static int
sextet(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

long
base64_decode(char *to, const char *text, size_t len)
{
	unsigned bits = 0;
	uint32_t held = 0;
	long n = 0;

	for (unsigned i = 0; i < 2 && len && text[len - 1] == '='; i++)
		len--;
	if (len % 4 == 1)
		return -1;
	for (size_t i = 0; i < len; i++) {
		int v = sextet(text[i]);

		if (v < 0)
			return -1;
		held = held << 6 | (uint32_t)v;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			to[n++] = (char)(held >> bits);
		}
	}
	return n;
}

void
clipboard_write(struct term *t, char *text)
{
	const char *which = osc_field(&text, ';');
	size_t len = strlen(text);
	struct buf *to = &t->clipboard;
	char names[16];
	long n;

	if (strcmp(text, "?") == 0 || strspn(which, "cpqs01234567") != strlen(which))
		return;
	buf_fini(to); /* the last one may have been large */
	*to = (struct buf){ .limit = TERM_CLIPBOARD_BYTES };
	if (buf_reserve(to, len + 1) < 0)
		return;
	n = base64_decode(to->data, text, len);
	if (n < 0)
		return;
	to->len = (size_t)n;
	to->data[n] = 0;
	text_strip(names, sizeof names, which, strlen(which));
	term_event(t, TERM_EVENT_CLIPBOARD, (int32_t)n, NULL, 0);
	memcpy(term_newest_event(t)->id, names, sizeof names);
}
