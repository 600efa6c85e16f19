/* cast.h - asciicast version 2: one line of JSON for the header, one for each event.
 * Contract:  writing: bytes of a terminal become text (what is no UTF-8 becomes U+FFFD; a character
 *            cut in two by its messages is put together). Reading trusts nothing: a line over
 *            CAST_LINE_BYTES, a size out of range or what is no event is an error with its line
 *            number; events of kinds that we do not know are skipped.
 * Source:    docs.asciinema.org/manual/asciicast/v2
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sandesk/base/buf.h"
#include "sandesk/types.h"

struct err;

enum { CAST_LINE_BYTES = 32 << 20 };

struct cast_writer { /* zeroed at first */
	uint64_t start_us;
	bool has_header;
	char tail[4]; /* of a character that is not complete */
	size_t tail_len;
};

/* The header, at the time that becomes 0. */
void cast_header(
	struct cast_writer *w, struct size size, uint64_t now_us, const char *title, struct buf *to);
void cast_output(
	struct cast_writer *w, uint64_t now_us, const void *bytes, size_t len, struct buf *to);
void cast_resize(struct cast_writer *w, uint64_t now_us, struct size size, struct buf *to);
void cast_marker(struct cast_writer *w, uint64_t now_us, const char *text, struct buf *to);

enum cast_kind { CAST_OUTPUT, CAST_RESIZE, CAST_OTHER };

struct cast_event {
	double seconds;
	enum cast_kind kind;
	struct size size; /* of the header and of CAST_RESIZE */
	struct buf text;  /* of CAST_OUTPUT */
};

struct cast_reader {
	int fd; /* borrowed */
	struct buf in;
	size_t at; /* what of `in` was read */
	unsigned line;
};

void cast_reader_fini(struct cast_reader *r);

/* The size in the header. 0 or -EINVAL. */
int cast_read_header(struct cast_reader *r, struct size *ret, struct err *e);

/* 1, 0 at the end, or a negative errno. The event is the caller's to keep and to buf_fini(); it is
 * used again by the next call. */
int cast_read(struct cast_reader *r, struct cast_event *ret, struct err *e);
