#include "sandesk/base/utf8.h"

#include <string.h>

#include "sandesk/base/auto.h"

size_t
utf8_decode(const char *text, size_t len, uint32_t *ret_cp)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const uint8_t *s = (const uint8_t *)text;
	uint32_t cp;
	size_t n;

	if (!len)
		return 0;
	if (s[0] < 0x80) {
		*ret_cp = s[0];
		return 1;
	}
	n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	if (s[0] < 0xc2 || s[0] > 0xf4 || n > len)
		return 0;
	cp = s[0] & (0x7f >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		cp = cp << 6 | (s[i] & 0x3f);
	}
	if (cp < smallest[n] || cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		return 0;
	*ret_cp = cp;
	return n;
}

size_t
utf8_encode(uint32_t cp, char to[4])
{
	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = 0xfffd;
	if (cp < 0x80) {
		to[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		to[0] = (char)(0xc0 | cp >> 6);
		to[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		to[0] = (char)(0xe0 | cp >> 12);
		to[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		to[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | cp >> 18);
	to[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	to[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	to[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

bool
utf8_is_valid(const char *text, size_t len)
{
	uint32_t cp;
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		n = utf8_decode(text + i, len - i, &cp);
		if (!n)
			return false;
	}
	return true;
}

size_t
utf8_text_width(const char *text, size_t len)
{
	size_t width = 0, n;
	uint32_t cp;

	for (size_t i = 0; i < len; i += n) {
		n = utf8_decode(text + i, len - i, &cp);
		width += n ? utf8_width(cp) : 1;
		n = n ? n : 1;
	}
	return width;
}

size_t
utf8_cut(const char *text, size_t most)
{
	size_t n = 0, room = strnlen(text, most), len;
	uint32_t cp;

	while ((len = utf8_decode(text + n, room - n, &cp)) > 0)
		n += len;
	return n;
}
