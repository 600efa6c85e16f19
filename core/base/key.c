#include "sandesk/key.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sandesk/base/err.h"
#include "sandesk/base/str.h"
#include "sandesk/base/utf8.h"

#define X(id, name) name,
static const char *const key_names[] = { KEYS(X) };
#undef X

static const struct {
	char letter;
	uint8_t mod;
} key_mods[] = { { 'C', MOD_CTRL }, { 'M', MOD_ALT }, { 'A', MOD_ALT }, { 'S', MOD_SHIFT },
	{ 'D', MOD_SUPER } };

static const struct {
	const char *name;
	enum key_code code;
} key_aliases[] = { { "Esc", KEY_ESCAPE }, { "Return", KEY_ENTER }, { "BSpace", KEY_BACKSPACE },
	{ "Del", KEY_DELETE }, { "PgUp", KEY_PAGE_UP }, { "PgDn", KEY_PAGE_DOWN },
	{ "Ins", KEY_INSERT } };

static uint8_t
mod_of(char letter)
{
	for (size_t i = 0; i < ARRAY_LEN(key_mods); i++)
		if (key_mods[i].letter == letter)
			return key_mods[i].mod;
	return 0;
}

static uint32_t
code_of(const char *text)
{
	uint32_t cp;

	for (size_t i = 0; i < ARRAY_LEN(key_names); i++)
		if (strcasecmp(text, key_names[i]) == 0)
			return KEY_FIRST + (uint32_t)i;
	for (size_t i = 0; i < ARRAY_LEN(key_aliases); i++)
		if (strcasecmp(text, key_aliases[i].name) == 0)
			return key_aliases[i].code;
	if (text[0] && utf8_decode(text, strlen(text), &cp) == strlen(text) && cp >= 0x20 &&
		cp != 0x7f)
		return cp;
	return 0;
}

int
key_parse(const char *text, struct key *ret, struct err *e)
{
	const char *rest = text;
	struct key k = { 0 };

	if (rest[0] == '^' && rest[1] && !rest[2]) {
		k.mods = MOD_CTRL;
		rest++;
	}
	while (rest[0] && rest[1] == '-' && rest[2] && mod_of(rest[0])) {
		k.mods |= mod_of(rest[0]);
		rest += 2;
	}
	k.code = code_of(rest);
	if (!k.code)
		return err_set(e, -EINVAL,
			"key \"%.40s\": is not known; write it like a, C-a, M-x, S-Up, Enter, "
			"Escape or F5",
			text);
	if (k.code == KEY_SPACE)
		k.code = ' ';
	if ((k.mods & MOD_CTRL) && k.code >= 'A' && k.code <= 'Z')
		k.code += 'a' - 'A';
	*ret = k;
	return 0;
}

void
key_name(struct key k, char ret[KEY_NAME_BYTES])
{
	char text[5] = { 0 };
	const char *name = text;

	if (k.code >= KEY_FIRST && k.code < KEY_LAST)
		name = key_names[k.code - KEY_FIRST];
	else if (k.code == ' ')
		name = "Space";
	else
		utf8_encode(k.code, text);
	snprintf(ret, KEY_NAME_BYTES, "%s%s%s%s%s", k.mods & MOD_CTRL ? "C-" : "",
		k.mods & MOD_ALT ? "M-" : "", k.mods & MOD_SUPER ? "D-" : "",
		k.mods & MOD_SHIFT ? "S-" : "", name);
}
