#include "sandesk/base/width.h"

#include "sandesk/base/auto.h"
#include "sandesk/base/utf8.h"

struct span {
	uint32_t first, last;
};

#include "base/width-table.h"

unsigned
utf8_width(uint32_t cp)
{
	return width_class(cp) & WIDTH_CELLS;
}

static bool
is_in(const struct span *spans, size_t count, uint32_t cp)
{
	for (size_t i = 0; i < count && spans[i].first <= cp; i++)
		if (cp <= spans[i].last)
			return true;
	return false;
}

enum width_script
width_script(uint32_t cp)
{
	if (cp < 0x900)
		return SCRIPT_NONE;
	if (cp < 0x1000) {
		if (is_in(viramas, ARRAY_LEN(viramas), cp))
			return SCRIPT_LINKER;
		if (is_in(consonants, ARRAY_LEN(consonants), cp))
			return SCRIPT_CONSONANT;
	}
	if ((cp >= 0x1100 && cp <= 0x115f) || (cp >= 0xa960 && cp <= 0xa97c))
		return SCRIPT_HANGUL_INITIAL;
	if (cp >= 0xac00 && cp <= 0xd7a3)
		return SCRIPT_HANGUL_SYLLABLE;
	return is_in(spacing_marks, ARRAY_LEN(spacing_marks), cp) ? SCRIPT_SPACING_MARK
								  : SCRIPT_NONE;
}
