/* object.h - Desktops and sessions as JSON, as every listing and notification shows them.
 * Contract:  field names never change their meaning. Text that is not UTF-8 comes escaped by
 *            str_escape(). Times are seconds since the epoch with a fraction; what is not known yet
 *            is null.
 * Ownership: returned values are the caller's.
 */
#pragma once

#include <jansson.h>

#include "model/registry.h"

json_t *object_desktop(const struct registry *r, const struct desktop *d);
json_t *object_session(const struct session *s);
json_t *object_removal(const struct removal *r);

/* All Desktops; the sessions of one, or of all when it is NULL, by Desktop and age; ended exec ones
 * only with `all`. */
json_t *object_desktops(const struct registry *r);
json_t *object_sessions(const struct registry *r, const struct desktop *d, bool all);

/* Any bytes as a JSON string; NULL as null. */
json_t *object_text(const char *text);
