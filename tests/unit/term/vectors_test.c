/* Recordings of what programs wrote, and the screens that must come of it:
 * shared/vectors/alacritty-ref. */
#include "helper.h"

#include <dirent.h>

enum part { TEXT, ATTRS };

/* Where we differ on purpose: the whole picture, or only the attributes. */
static const struct {
	const char *name;
	enum part part;
	const char *reason;
} differ[] = {
	{ "deccolm_reset", TEXT,
		"DECCOLM does nothing unless ?40 allows it, as xterm has it; the recording's "
		"clears" },
	{ "decaln_reset", TEXT,
		"DECALN moves the cursor home, as DEC STD 070 and xterm have it; the recording "
		"leaves it" },
	{ "saved_cursor_alt", TEXT,
		"the picture shows names in line graphics that were not renamed as the recording's "
		"were" },
	{ "underline", ATTRS,
		"SGR 21 is a double underline, as ECMA-48 has it; the recording ends bold by it" },
};

static char *
read_file(const char *folder, const char *name, const char *suffix, size_t *ret_len)
{
	char path[512];
	AUTO(buf) struct buf b = { 0 };
	char part[4096];
	size_t n;
	FILE *f;

	snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
	f = fopen(path, "rb");
	if (!f)
		fail_msg("cannot open %s", path);
	while ((n = fread(part, 1, sizeof part, f)) > 0)
		buf_add(&b, part, n);
	fclose(f);
	*ret_len = b.len;
	return buf_take(&b);
}

/* The lines of a picture that are (or are not) attributes. */
static char *
lines_of(const char *picture, enum part part)
{
	AUTO(buf) struct buf out = { 0 };

	while (*picture) {
		const char *end = strchr(picture, '\n');
		size_t n = end ? (size_t)(end - picture) + 1 : strlen(picture);

		if ((strncmp(picture, "attr ", 5) == 0) == (part == ATTRS))
			buf_add(&out, picture, n);
		picture += n;
	}
	return buf_take(&out);
}

static bool
is_same(const char *a, const char *b, enum part part)
{
	AUTO(mem) char *x = lines_of(a, part), *y = lines_of(b, part);

	return strcmp(x, y) == 0;
}

static const char *
why_differs(const char *name, enum part part)
{
	for (size_t i = 0; i < sizeof differ / sizeof differ[0]; i++)
		if (strcmp(differ[i].name, name) == 0 && differ[i].part <= part)
			return differ[i].reason;
	return NULL;
}

struct count {
	unsigned all, text, both, wrong;
};

static void
run_one(const char *folder, const char *name, struct count *count)
{
	size_t len, screen_len;
	AUTO(mem) char *bytes = read_file(folder, name, ".rec", &len);
	AUTO(mem) char *want = read_file(folder, name, ".screen", &screen_len);
	AUTO(buf) struct buf got = { 0 };
	unsigned rows, cols;
	bool text, attrs;

	assert_int_equal(sscanf(want, "size %u %u", &rows, &cols), 2);
	assert_int_equal(
		term_dump(bytes, len, (struct size){ (uint16_t)rows, (uint16_t)cols }, &got), 0);
	text = is_same(got.data, want, TEXT);
	attrs = is_same(got.data, want, ATTRS);
	count->all++;
	count->text += text;
	count->both += text && attrs;
	if (!text && why_differs(name, TEXT)) {
		print_message("differs on purpose: %s: %s\n", name, why_differs(name, TEXT));
	} else if (text && !attrs && why_differs(name, ATTRS)) {
		print_message("differs on purpose, in attributes: %s: %s\n", name,
			why_differs(name, ATTRS));
	} else if (!text || !attrs) {
		print_error(
			"%s: the %s differs; got:\n%s", name, text ? "style" : "text", got.data);
		count->wrong++;
	}
}

static void
test_vectors(void **state)
{
	const char *root =
		getenv("SANDESK_VECTORS") ? getenv("SANDESK_VECTORS") : "../shared/vectors";
	struct count count = { 0 };
	char folder[400], name[128];
	struct dirent *d;
	DIR *dir;

	(void)state;
	snprintf(folder, sizeof folder, "%s/alacritty-ref", root);
	dir = opendir(folder);
	if (!dir) {
		print_message(
			"skipped: THERE ARE NO RECORDINGS in %s; set SANDESK_VECTORS\n", folder);
		skip();
	}
	while ((d = readdir(dir))) {
		const char *dot = strstr(d->d_name, ".rec");

		if (!dot || dot[4])
			continue;
		snprintf(name, sizeof name, "%.*s", (int)(dot - d->d_name), d->d_name);
		run_one(folder, name, &count);
	}
	closedir(dir);
	print_message("recordings: %u; text as recorded: %u; text and attributes: %u\n", count.all,
		count.text, count.both);
	assert_int_equal(count.wrong, 0);
	assert_true(count.all > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_vectors) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
