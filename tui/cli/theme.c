/* Themes: which there are, and what is wrong in one. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/out.h"
#include "draw/theme-check.h"
#include "draw/theme.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/paths.h"

static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int
is_theme(const struct dirent *d)
{
	const char *end = strrchr(d->d_name, '.');

	return d->d_name[0] != '.' && end && strcmp(end, ".theme") == 0;
}

static void
list_folder(const char *folder, bool is_json, struct buf *to, int *n)
{
	struct dirent **found = NULL;
	int count = scandir(folder, &found, is_theme, by_name);

	for (int i = 0; i < count; i++) {
		int len = (int)strlen(found[i]->d_name) - (int)strlen(".theme");

		if (is_json) {
			buf_addf(to, "%s\n  {\"name\": \"", (*n)++ ? "," : "");
			str_add_json(to, found[i]->d_name, (size_t)len);
			buf_add_str(to, "\", \"folder\": \"");
			str_add_json(to, folder, strlen(folder));
			buf_add_str(to, "\"}");
		} else {
			char name[256];

			snprintf(name, sizeof name, "%.*s", len, found[i]->d_name);
			str_escape(to, name, strlen(name));
			buf_addf(to, "%*s", len < 16 ? 16 - len : 1, "");
			str_escape(to, folder, strlen(folder));
			buf_add_char(to, '\n');
			++*n;
		}
		free(found[i]);
	}
	free(found);
}

int
cli_theme_list(struct cli_call *call)
{
	bool is_json = json_is_true(json_object_get(call->args, "json"));
	AUTO(buf) struct buf text = { 0 };
	struct paths paths;
	struct err e = { 0 };
	char folder[THEME_PATH_BYTES];
	int n = 0;

	if (paths_init(&paths, &e) < 0) {
		out_error(e.msg);
		return EXIT_FAILED;
	}
	buf_add_str(&text, is_json ? "[" : "");
	for (int i = 0; theme_folder(&paths, i, folder); i++)
		list_folder(folder, is_json, &text, &n);
	buf_add_str(&text, is_json ? "\n]\n" : "");
	return out_write(&text);
}

int
cli_theme_check(struct cli_call *call)
{
	const char *file = json_string_value(json_object_get(call->args, "file"));
	AUTO(buf) struct buf text = { 0 };
	struct err e = { 0 };
	int n = theme_check(file, &text, &e);

	if (n < 0) {
		out_error(e.msg);
		return EXIT_FAILED;
	}
	if (!n) {
		str_escape(&text, file, strlen(file));
		buf_add_str(&text, ": nothing is wrong\n");
	}
	out_write(&text);
	return n ? EXIT_FAILED : 0;
}
