#include "model/budget.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/str.h"

enum unit { UNIT_COUNT, UNIT_BYTES, UNIT_SECONDS, UNIT_OVER };

/* max 0: what the machine has */
static const struct {
	const char *key;
	size_t offset, size;
	enum unit unit;
	uint64_t min, max;
	const char *range;
} keys[] = {
#define FIELD(name) offsetof(struct jail_limits, name), sizeof(((struct jail_limits *)0)->name)
	{ "memory", FIELD(memory_bytes), UNIT_BYTES, 4 << 20, 0, "4M to what the machine has" },
	{ "disk", FIELD(disk_bytes), UNIT_BYTES, 1 << 20, 1ULL << 50, "1M to 1024T" },
	{ "file_size", FIELD(file_bytes), UNIT_BYTES, 1 << 20, 1ULL << 50, "1M to 1024T" },
	{ "run_time", FIELD(run_seconds), UNIT_SECONDS, 1, 31536000, "1 s to 365 d" },
	{ "idle_time", FIELD(idle_seconds), UNIT_SECONDS, 1, 31536000, "1 s to 365 d" },
	{ "processes", FIELD(processes), UNIT_COUNT, 4, 1 << 22, "4 to 4194304" },
	{ "files", FIELD(files), UNIT_COUNT, 16, 1 << 20, "16 to 1048576" },
	{ "cpu_weight", FIELD(cpu_weight), UNIT_COUNT, 1, 10000, "1 to 10000; 100 is usual" },
	{ "cpu_percent", FIELD(cpu_percent), UNIT_COUNT, 1, 0,
		"1 to 100 for each CPU of the machine" },
	{ "over", FIELD(over), UNIT_OVER, 0, 2, "pause, stop or kill" },
#undef FIELD
};

static uint64_t
most(size_t i)
{
	if (keys[i].max)
		return keys[i].max;
	if (keys[i].unit == UNIT_BYTES)
		return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	return 100 * (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
}

static bool
read_bytes(const char *value, uint64_t *ret)
{
	static const char units[] = "BKMGT";
	char *end;
	const char *unit;

	errno = 0;
	*ret = strtoull(value, &end, 10);
	if (end == value || errno || value[0] < '0' || value[0] > '9')
		return false;
	if (!*end)
		return true;
	unit = strchr(units, *end >= 'a' ? *end - 'a' + 'A' : *end);
	if (!unit || (end[1] && strcasecmp(end + 1, "iB") != 0))
		return false;
	for (size_t i = 0; i < (size_t)(unit - units); i++) {
		if (*ret > UINT64_MAX >> 10)
			return false;
		*ret <<= 10;
	}
	return true;
}

static const char *const over_words[] = {
	[JAIL_OVER_PAUSE] = "pause", [JAIL_OVER_STOP] = "stop", [JAIL_OVER_KILL] = "kill"
};

static bool
read_over(const char *value, uint64_t *ret)
{
	for (*ret = 0; *ret < ARRAY_LEN(over_words); ++*ret)
		if (str_equal(value, over_words[*ret]))
			return true;
	return false;
}

static bool
read_value(enum unit unit, const char *value, uint64_t *ret)
{
	int64_t n;

	switch (unit) {
	case UNIT_BYTES:
		return read_bytes(value, ret);
	case UNIT_OVER:
		return read_over(value, ret);
	case UNIT_SECONDS:
		if (str_to_ms(value, &n) < 0 || n < 0)
			return false;
		*ret = (uint64_t)n / 1000;
		return true;
	case UNIT_COUNT:
		break;
	}
	if (str_to_int(value, 0, INT64_MAX, &n) < 0)
		return false;
	*ret = (uint64_t)n;
	return true;
}

static int
unknown(const char *key, struct err *e)
{
	AUTO(buf) struct buf text = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		buf_addf(&text, "%s%s", i ? ", " : "", keys[i].key);
	return err_set(e, -EINVAL, "limit \"%.40s\": is not known; there are %s", key, text.data);
}

int
budget_set(struct jail_limits *l, const char *key, const char *value, struct err *e)
{
	uint64_t n;
	size_t i = 0;

	while (i < ARRAY_LEN(keys) && !str_equal(keys[i].key, key))
		i++;
	if (i == ARRAY_LEN(keys))
		return unknown(key, e);
	if (!read_value(keys[i].unit, value, &n) || n < keys[i].min || n > most(i))
		return err_set(e, -EINVAL, "limit %s: \"%.40s\" cannot be; give %s", key, value,
			keys[i].range);
	if (keys[i].size == sizeof(uint64_t))
		memcpy((char *)l + keys[i].offset, &n, sizeof n);
	else
		memcpy((char *)l + keys[i].offset, &(uint32_t){ (uint32_t)n }, sizeof(uint32_t));
	return 0;
}

size_t
budget_count(void)
{
	return ARRAY_LEN(keys);
}

const char *
budget_key(size_t i)
{
	return keys[i].key;
}

void
budget_print(const struct jail_limits *l, size_t i, struct buf *to)
{
	const char *at = (const char *)l + keys[i].offset;
	unsigned scale = 0;
	uint32_t small;
	uint64_t n;

	memcpy(&small, at, sizeof small);
	n = small;
	if (keys[i].size == sizeof n)
		memcpy(&n, at, sizeof n);
	if (keys[i].unit == UNIT_OVER) {
		buf_add_str(to, over_words[n < ARRAY_LEN(over_words) ? n : 0]);
		return;
	}
	if (!n)
		return;
	while (keys[i].unit == UNIT_BYTES && scale < 4 && n % 1024 == 0) {
		n /= 1024;
		scale++;
	}
	buf_addf(to, "%llu%s", (unsigned long long)n,
		keys[i].unit == UNIT_SECONDS
			? "s"
			: (const char *const[]){ "", "K", "M", "G", "T" }[scale]);
}

int
budget_set_all(struct jail_limits *l, struct span pairs, struct err *e)
{
	size_t pos = 0;
	char key[41];
	int r = 0;

	for (const char *pair; !r && (pair = list_next(pairs, &pos));) {
		const char *equals = strchr(pair, '=');

		snprintf(key, sizeof key, "%.*s", equals ? (int)(equals - pair) : 40, pair);
		r = equals ? budget_set(l, key, equals + 1, e)
			   : err_set(e, -EINVAL, "limit \"%.40s\": has no value; give KEY=VALUE",
				     pair);
	}
	return r;
}
