/* mirror_fuzz.c - a hostile keeper: bodies, each behind its length in two bytes, to one mirror. */
#include <stdint.h>
#include <stdlib.h>

#include "sandesk/mirror.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CELLS_MAX = 1 << 20 };

static void
check_mirror(const struct mirror *m)
{
	struct size size = mirror_size(m);
	struct mirror_cursor cursor = mirror_cursor(m);
	char text[MIRROR_CLUSTER_BYTES];

	if (size.rows && (cursor.row >= size.rows || cursor.col >= size.cols))
		abort();
	if ((size_t)size.rows * size.cols > CELLS_MAX)
		return; /* looking at all of it would only make the fuzzer slow */
	for (unsigned row = 0; row < size.rows; row++) {
		const struct cell *c = mirror_row(m, row);

		for (unsigned col = 0; col < size.cols; col++) {
			if (mirror_cluster(m, c[col].ch, text, sizeof text) > sizeof text)
				abort();
			if (c[col].attr & ATTR_WIDE &&
				(col + 1u == size.cols || !(c[col + 1].attr & ATTR_SPACER)))
				abort();
			mirror_link(m, mirror_ext(m, c[col].ext).link);
		}
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *at = data, *end = data + size;
	struct mirror *m = mirror_new();

	while (end - at > 2) {
		size_t n = (size_t)at[0] | (size_t)at[1] << 8, left = (size_t)(end - at) - 2;

		at += 2;
		n = n < left ? n : left;
		mirror_apply(m, at, n, NULL);
		check_mirror(m);
		at += n;
	}
	mirror_free(m);
	return 0;
}
