#include "sandesk/base/width.h"

#include "sandesk/base/utf8.h"

#include "base/width-table.h"

unsigned
utf8_width(uint32_t cp)
{
	return width_class(cp) & WIDTH_CELLS;
}
