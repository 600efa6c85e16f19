/* table.h - listings for people: columns aligned by what a terminal shows, or one record line by
 * line.
 * Contract:  pure. Text that somebody else chose is escaped; a missing value shows as "-".
 * Units:     `now` is seconds since the epoch, so that "3 min ago" can be tested.
 */
#pragma once

#include <jansson.h>

struct buf;

enum column_kind {
	COLUMN_TEXT,
	COLUMN_NUMBER,
	COLUMN_AGE,    /* seconds since the epoch, shown as the time that has passed */
	COLUMN_SPAN,   /* seconds, shown with the largest unit */
	COLUMN_WORDS,  /* a list of texts, quoted where a shell would need it */
	COLUMN_TARGET, /* DESKTOP/SESSION, of the members desktop and name */
	COLUMN_SIZE,   /* of the members rows and cols */
	COLUMN_BYTES,  /* an amount, shown with the largest unit: 12M */
};

struct column {
	const char *title;
	const char *key; /* a member, or "MEMBER.MEMBER" of one below it */
	enum column_kind kind;
};

/* One line of titles, then one for each object of the list. Nothing for an empty list. */
void table_add(
	struct buf *to, const struct column *columns, size_t n, const json_t *list, double now);

/* "title  value" for each member that is there. */
void table_add_record(
	struct buf *to, const struct column *columns, size_t n, const json_t *object, double now);

/* "3 min ago" */
void table_age(struct buf *to, double then, double now);
