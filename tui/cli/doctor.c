/* `sandesk doctor`: the table of walls. The keeper's program tries them (core/main-keeper.c), since
 * it is what starts sandboxes; no daemon is needed, nor disturbed. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/out.h"
#include "cli/table.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/str.h"
#include "sandesk/client.h"
#include "sandesk/paths.h"

extern char **environ;

enum { TABLE_BYTES = 256 << 10, FIELDS = 6 };

static const char *const field_names[FIELDS] = { "name", "state", "kind", "what", "why", "mend" };

/* ---- what the keeper's program says ---- */

/* "a\tb\tc..." as an object; the text is cut up. */
static json_t *
row_of_line(char *line)
{
	json_t *row = json_object();

	for (size_t i = 0; i < FIELDS; i++) {
		size_t len = strcspn(line, "\t");
		bool is_last = !line[len];

		line[len] = 0;
		json_object_set_new(row, field_names[i], json_string(line));
		line += is_last ? len : len + 1;
	}
	return row;
}

static void
add_rows(json_t *walls, char *text)
{
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = 0;
		json_array_append_new(walls, row_of_line(line));
	}
}

static int
start_program(const char *path, char *const argv[], pid_t *ret_pid, int *ret_from)
{
	posix_spawn_file_actions_t files;
	int ends[2], rc;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
	rc = posix_spawn(ret_pid, path, &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	close(ends[1]);
	*ret_from = ends[0];
	return -rc;
}

static int
ask_program(const char *path, const char *profile, const char *dir, json_t *walls, struct err *e)
{
	char *argv[] = { (char *)path, (char *)"doctor", (char *)profile, (char *)dir, NULL };
	AUTO(buf) struct buf text = { .limit = TABLE_BYTES + 1 };
	AUTO(fd) int from = -1;
	int status = 0, rc;
	ssize_t n;
	pid_t pid;

	rc = start_program(path, argv, &pid, &from);
	if (rc < 0)
		return err_errno(e, rc, "%s: cannot be started", path);
	buf_reserve(&text, TABLE_BYTES);
	n = fd_read_all(from, text.data, TABLE_BYTES - 1);
	text.data[n > 0 ? n : 0] = 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (n <= 0 || !WIFEXITED(status) || WEXITSTATUS(status))
		return err_set(e, -EPROTO, "%s doctor: ended without a table (status 0x%x)", path,
			(unsigned)status);
	add_rows(walls, text.data);
	return 0;
}

/* ---- what the client can see by itself ---- */

static void
add_row(json_t *walls, const char *const fields[FIELDS])
{
	json_t *row = json_object();

	for (size_t i = 0; i < FIELDS; i++)
		json_object_set_new(row, field_names[i], json_string(fields[i]));
	json_array_append_new(walls, row);
}

static void
add_directories(json_t *walls, const struct paths *paths, int rc, const struct err *why)
{
	const char *mend = strstr(why->msg, "; ");
	AUTO(buf) struct buf reason = { 0 };

	if (rc < 0)
		buf_add(&reason, why->msg, mend ? (size_t)(mend - why->msg) : strlen(why->msg));
	else
		buf_addf(&reason, "%s and %s", paths->runtime, paths->state);
	add_row(walls, (const char *const[]){ "directories", rc < 0 ? "missing" : "holds", "wall",
			       "runtime and state directories are ours alone", reason.data,
			       rc < 0 && mend ? mend + 2 : "" });
}

/* A daemon of another version still starts sessions of its own kind. */
static void
add_daemon(json_t *walls, const struct paths *paths)
{
	struct client *client = NULL;
	json_t *status = NULL;
	const char *version = NULL;
	bool is_same;

	if (client_open(&client, paths, 0, NULL) == 0 &&
		client_call(client, "daemon.status", json_object(), &status, NULL) == 0)
		version = json_string_value(json_object_get(status, "version"));
	if (version) {
		is_same = str_equal(version, SANDESK_VERSION);
		add_row(walls, (const char *const[]){ "daemon", is_same ? "holds" : "weaker",
				       "advice", "the daemon is of this version", version,
				       is_same ? "" : "sandesk daemon stop" });
	}
	json_decref(status);
	client_free(client);
}

/* ---- the answer ---- */

static bool
is_missing(const json_t *row)
{
	const char *state = json_string_value(json_object_get(row, "state"));

	return str_equal(json_string_value(json_object_get(row, "kind")), "wall") &&
	       (str_equal(state, "missing") || str_equal(state, "weaker"));
}

static size_t
count_missing(const json_t *walls)
{
	const json_t *row;
	size_t i, n = 0;

	json_array_foreach (walls, i, row)
		n += is_missing(row);
	return n;
}

static void
add_json(struct buf *to, const char *profile, json_t *walls)
{
	struct utsname u = { 0 };
	json_t *all;
	char *text;

	uname(&u);
	all = json_pack("{s:s, s:b, s:s, s:s, s:O}", "profile", profile, "whole",
		count_missing(walls) == 0, "version", SANDESK_VERSION, "kernel", u.release, "walls",
		walls);
	text = json_dumps(all, JSON_INDENT(2) | JSON_ENSURE_ASCII);
	buf_addf(to, "%s\n", text ? text : "null");
	free(text);
	json_decref(all);
}

static void
add_mends(struct buf *to, const json_t *walls)
{
	const json_t *row;
	size_t i;

	json_array_foreach (walls, i, row) {
		const char *mend = json_string_value(json_object_get(row, "mend"));

		if (mend && *mend)
			buf_addf(to, "\n%s: %s:\n    %s\n",
				json_string_value(json_object_get(row, "name")),
				json_string_value(json_object_get(row, "why")), mend);
	}
}

static void
add_text(struct buf *to, const char *profile, const json_t *walls)
{
	static const struct column columns[] = { { "WALL", "name", COLUMN_TEXT },
		{ "STATE", "state", COLUMN_TEXT }, { "WHAT IT HOLDS", "what", COLUMN_TEXT },
		{ "PROOF", "why", COLUMN_TEXT } };
	size_t missing = count_missing(walls);
	struct utsname u = { 0 };

	uname(&u);
	table_add(to, columns, ARRAY_LEN(columns), walls, clock_wall());
	add_mends(to, walls);
	buf_addf(to, "\nsandesk %s, kernel %s: ", SANDESK_VERSION, u.release);
	if (missing)
		buf_addf(to, "%zu of the walls of the %s profile %s missing or weaker\n", missing,
			profile, missing == 1 ? "is" : "are");
	else
		buf_addf(to, "the %s profile is whole\n", profile);
}

int
cli_doctor(struct cli_call *call)
{
	const char *profile =
		json_is_true(json_object_get(call->args, "strict")) ? "strict" : "default";
	AUTO(buf) struct buf text = { 0 };
	json_t *walls = json_array();
	struct err dirs = { 0 }, e = { 0 };
	struct paths paths;
	char program[PATH_MAX];
	int rc = paths_init(&paths, &dirs), status;

	add_directories(walls, &paths, rc, &dirs);
	if (paths_program(&paths, "sandesk-keeper", program, sizeof program, &e) == 0)
		ask_program(program, profile, rc < 0 ? "/tmp" : paths.state, walls, &e);
	if (e.code < 0)
		add_row(walls, (const char *const[]){ "programs", "missing", "wall",
				       "the sandbox can be tried", e.msg, "" });
	if (rc == 0)
		add_daemon(walls, &paths);
	if (json_is_true(json_object_get(call->args, "json")))
		add_json(&text, profile, walls);
	else
		add_text(&text, profile, walls);
	status = out_write(&text);
	if (!status && count_missing(walls))
		status = EXIT_FAILED;
	json_decref(walls);
	return status;
}
