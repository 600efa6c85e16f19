#include "../../lib/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "store/catalog.h"
#include "store/db.h"

static void
memory_is_not_durable(void **state)
{
	struct err e = { 0 };
	struct db *db = NULL;

	(void)state;
	assert_int_equal(db_open(&db, ":memory:", &e), -EROFS);
	assert_null(db);
}

struct found {
	const struct catalog_session *want;
	size_t n;
};

static bool
same_bytes(struct span a, struct span b)
{
	return a.len == b.len && (!a.len || memcmp(a.data, b.data, a.len) == 0);
}

static int
compare(const struct catalog_session *row, void *arg)
{
	struct found *f = arg;
	const struct catalog_session *w = f->want;

	f->n++;
	assert_string_equal(row->id, w->id);
	assert_string_equal(row->desktop_id, w->desktop_id);
	assert_string_equal(row->name, w->name);
	assert_int_equal(row->has_pty, w->has_pty);
	assert_true(same_bytes(row->command, w->command));
	assert_true(same_bytes(row->env_names, w->env_names));
	assert_string_equal(row->cwd, w->cwd);
	assert_int_equal(row->status, w->status);
	assert_true(str_equal(row->reason, w->reason));
	assert_int_equal(row->exit_code, w->exit_code);
	assert_int_equal(row->exit_signal, w->exit_signal);
	assert_true(row->started == w->started && row->ended == w->ended);
	assert_true(size_equal(row->size, w->size));
	return 0;
}

/* The file of one test, in a directory of its own. */
struct file {
	char dir[64];
	char *path;
	struct db *db;
};

static int
file_setup(void **state)
{
	struct file *f = mem_new(struct file);
	struct catalog_desktop row = {
		.id = "d1", .name = "shop", .dir = "/d", .created = 1796079547.25
	};

	str_copy(f->dir, sizeof f->dir, "/tmp/sandesk-catalog-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	f->path = str_format("%s/catalog.db", f->dir);
	assert_int_equal(db_open(&f->db, f->path, NULL), 0);
	assert_int_equal(catalog_add_desktop(f->db, &row, NULL), 0);
	*state = f;
	return 0;
}

static int
file_teardown(void **state)
{
	struct file *f = *state;

	db_close(f->db);
	unlink(f->path);
	assert_int_equal(rmdir(f->dir), 0);
	mem_free(f->path);
	mem_free(f);
	return 0;
}

static void
reopen(struct file *f)
{
	db_close(f->db);
	f->db = NULL;
	assert_int_equal(db_open(&f->db, f->path, NULL), 0);
}

#define LIST(text)                                                                                 \
	{                                                                                          \
		.data = text, .len = sizeof text                                                   \
	}
#define SESSION_IN(cwd_, rows_, cols_, ...)                                                        \
	{                                                                                          \
		.id = "s1", .desktop_id = "d1", .name = "sh", .cwd = cwd_,                         \
		.size = { rows_, cols_ }, __VA_ARGS__                                              \
	}
#define SESSION(...) SESSION_IN("/d", 24, 80, __VA_ARGS__)

static void
sessions_come_back_as_they_were(void **state)
{
	static const struct {
		const char *name;
		struct catalog_session row;
	} rows[] = {
		{ "plain", SESSION(.has_pty = true, .command = LIST("/bin/bash"),
				   .status = STATUS_WORKING) },
		{ "no command, no names", SESSION(.status = STATUS_STARTING) },
		{ "every byte",
			SESSION(.command = LIST(
					"a\0b\n\t\x1b[31m\0\xff\xfe\0'; DROP TABLE session; --")) },
		{ "strange cwd",
			SESSION_IN("/\xf0\x9f\x98\x80/\xff/'\"\n%s", 1, 2, .exit_code = 1) },
		{ "names of variables", SESSION(.env_names = LIST("TOKEN\0HOME")) },
		{ "ended", SESSION(.status = STATUS_FAILED, .reason = "killed by signal 9 (KILL)",
				   .exit_code = 137, .exit_signal = 9, .started = 1796079547.123456,
				   .ended = 1796079548.654321) },
		{ "largest", SESSION_IN("/d", SIZE_MAX_ROWS, SIZE_MAX_COLS, .exit_code = 255) },
	};
	struct file *f = *state;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct found found = { .want = &rows[i].row };

		assert_row(rows[i].name, catalog_put_session(f->db, &rows[i].row, NULL) == 0);
		assert_row(rows[i].name, catalog_put_session(f->db, &rows[i].row, NULL) == 0);
		reopen(f);
		assert_row(rows[i].name, catalog_each_session(f->db, compare, &found, NULL) == 0);
		assert_row(rows[i].name, found.n == 1);
		assert_row(rows[i].name, catalog_remove_session(f->db, "s1", NULL) == 0);
	}
}

static int
count(const struct catalog_session *row, void *arg)
{
	(void)row;
	++*(size_t *)arg;
	return 0;
}

static void
a_desktop_takes_its_sessions_along(void **state)
{
	static const struct catalog_session row = SESSION(.status = STATUS_DONE);
	struct file *f = *state;
	size_t n = 0;

	assert_int_equal(catalog_put_session(f->db, &row, NULL), 0);
	assert_int_equal(catalog_remove_desktop(f->db, "d1", NULL), 0);
	assert_int_equal(catalog_each_session(f->db, count, &n, NULL), 0);
	assert_int_equal(n, 0);
}

static void
names_and_directories_are_taken_once(void **state)
{
	struct file *f = *state;
	struct catalog_desktop rows[] = { { .id = "d2", .name = "shop", .dir = "/e" },
		{ .id = "d2", .name = "x", .dir = "/d" },
		{ .id = "d1", .name = "y", .dir = "/f" } };
	struct catalog_session first = SESSION(.status = STATUS_DONE), second = first;
	struct err e = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_row(rows[i].name, catalog_add_desktop(f->db, &rows[i], &e) == -EEXIST);
	second.id = "s2";
	assert_int_equal(catalog_put_session(f->db, &first, NULL), 0);
	assert_int_equal(catalog_put_session(f->db, &second, &e), -EEXIST);
	second.desktop_id = "nobody";
	second.name = "other";
	assert_int_equal(catalog_put_session(f->db, &second, &e), -EEXIST);
}

static int
name_of(const struct catalog_session *row, void *arg)
{
	return str_copy(arg, NAME_BYTES, row->name) ? 0 : -1;
}

static void
renaming(void **state)
{
	static const struct catalog_session row = SESSION(.status = STATUS_DONE);
	struct file *f = *state;
	char name[NAME_BYTES] = "";

	assert_int_equal(catalog_put_session(f->db, &row, NULL), 0);
	assert_int_equal(catalog_rename_session(f->db, "s1", "api", NULL), 0);
	assert_int_equal(catalog_each_session(f->db, name_of, name, NULL), 0);
	assert_string_equal(name, "api");
	assert_int_equal(catalog_rename_desktop(f->db, "d1", "other", NULL), 0);
}

static void
layouts(void **state)
{
	struct file *f = *state;
	char *text = NULL;

	assert_int_equal(catalog_get_layout(f->db, "d1", &text, NULL), 0);
	assert_null(text);
	assert_int_equal(catalog_set_layout(f->db, "d1", "{\"a\":[1]}", NULL), 0);
	reopen(f);
	assert_int_equal(catalog_get_layout(f->db, "d1", &text, NULL), 0);
	assert_string_equal(text, "{\"a\":[1]}");
	mem_free(text);
	text = NULL;
	assert_int_equal(catalog_set_layout(f->db, "d1", NULL, NULL), 0);
	assert_int_equal(catalog_get_layout(f->db, "d1", &text, NULL), 0);
	assert_null(text);
	assert_int_equal(catalog_get_layout(f->db, "nobody", &text, NULL), 0);
	assert_null(text);
}

static int
stop_at_once(const struct catalog_session *row, void *arg)
{
	(void)row;
	++*(size_t *)arg;
	return 7;
}

static void
walking_can_be_stopped(void **state)
{
	static const struct catalog_session row = SESSION(.status = STATUS_DONE);
	struct file *f = *state;
	size_t n = 0;

	assert_int_equal(catalog_put_session(f->db, &row, NULL), 0);
	assert_int_equal(catalog_each_session(f->db, stop_at_once, &n, NULL), 7);
	assert_int_equal(catalog_each_session(f->db, count, &n, NULL), 0);
	assert_int_equal(n, 2);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_not_durable),
		cmocka_unit_test_setup_teardown(
			sessions_come_back_as_they_were, file_setup, file_teardown),
		cmocka_unit_test_setup_teardown(
			a_desktop_takes_its_sessions_along, file_setup, file_teardown),
		cmocka_unit_test_setup_teardown(
			names_and_directories_are_taken_once, file_setup, file_teardown),
		cmocka_unit_test_setup_teardown(renaming, file_setup, file_teardown),
		cmocka_unit_test_setup_teardown(layouts, file_setup, file_teardown),
		cmocka_unit_test_setup_teardown(walking_can_be_stopped, file_setup, file_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
