#include "../../lib/check.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "store/catalog.h"
#include "store/db.h"

struct place {
	char dir[64];
	char file[80];
};

static int
setup(void **state)
{
	struct place *p = mem_new(struct place);

	str_copy(p->dir, sizeof p->dir, "/tmp/sandesk-db-XXXXXX");
	assert_non_null(mkdtemp(p->dir));
	snprintf(p->file, sizeof p->file, "%s/catalog.db", p->dir);
	*state = p;
	return 0;
}

static int
teardown(void **state)
{
	struct place *p = *state;
	char pattern[96];
	glob_t found;

	snprintf(pattern, sizeof pattern, "%s/*", p->dir);
	if (glob(pattern, 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			unlink(found.gl_pathv[i]);
		globfree(&found);
	}
	assert_int_equal(rmdir(p->dir), 0);
	mem_free(p);
	return 0;
}

/* A file as sandesk of schema `version` left it. */
static void
make_old(const char *path, unsigned version)
{
	char pragma[48];
	sqlite3 *raw;

	assert_int_equal(sqlite3_open(path, &raw), SQLITE_OK);
	for (unsigned v = 0; v < version; v++)
		assert_int_equal(sqlite3_exec(raw, db_migration(v), NULL, NULL, NULL), SQLITE_OK);
	snprintf(pragma, sizeof pragma, "PRAGMA user_version = %u", version);
	assert_int_equal(sqlite3_exec(raw, pragma, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(raw);
}

static void
fill(const char *path, size_t at, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);
	char junk[512];

	memset(junk, 0xee, sizeof junk);
	assert_true(fd >= 0);
	for (size_t i = 0; i < len; i += sizeof junk)
		assert_int_equal(pwrite(fd, junk, sizeof junk, (off_t)(at + i)), sizeof junk);
	close(fd);
}

static int
count_desktop(const struct catalog_desktop *row, void *arg)
{
	(void)row;
	++*(size_t *)arg;
	return 0;
}

static size_t
desktops_in(struct db *db)
{
	size_t n = 0;

	assert_int_equal(catalog_each_desktop(db, count_desktop, &n, NULL), 0);
	return n;
}

static void
add_desktop(struct db *db, const char *id, const char *name)
{
	AUTO(mem) char *dir = str_format("/d/%s", name);
	struct catalog_desktop row = { .id = id, .name = name, .dir = dir, .created = 1.5 };

	assert_int_equal(catalog_add_desktop(db, &row, NULL), 0);
}

static void
a_fresh_file_is_private_and_lasts(void **state)
{
	struct place *p = *state;
	struct db *db;
	struct stat st;

	umask(077);
	assert_int_equal(db_open(&db, p->file, NULL), 0);
	add_desktop(db, "01", "shop");
	db_close(db);
	assert_int_equal(stat(p->file, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(db_open(&db, p->file, NULL), 0);
	assert_int_equal(desktops_in(db), 1);
	db_close(db);
}

static void
every_past_schema_is_brought_up(void **state)
{
	struct place *p = *state;

	for (unsigned v = 0; v <= db_schema(); v++) {
		struct err e = { 0 };
		char name[32];
		struct db *db;

		snprintf(name, sizeof name, "version %u", v);
		make_old(p->file, v);
		assert_row(name, db_open(&db, p->file, &e) == 0);
		add_desktop(db, "01", "shop");
		assert_row(name, desktops_in(db) == 1);
		db_close(db);
		unlink(p->file);
	}
	assert_null(db_migration(db_schema()));
}

static void
a_newer_file_is_refused_and_left_alone(void **state)
{
	struct place *p = *state;
	struct err e = { 0 };
	char want[64];
	struct db *db = NULL;

	make_old(p->file, db_schema() + 7);
	assert_int_equal(db_open(&db, p->file, &e), -EPROTONOSUPPORT);
	assert_null(db);
	snprintf(want, sizeof want, "has version %u", db_schema() + 7);
	assert_non_null(strstr(e.msg, want));
	snprintf(want, sizeof want, "versions up to %u", db_schema());
	assert_non_null(strstr(e.msg, want));
	assert_int_equal(access(p->file, F_OK), 0);
}

static void
make_good(const char *path)
{
	struct db *db;

	assert_int_equal(db_open(&db, path, NULL), 0);
	add_desktop(db, "01", "shop");
	db_close(db);
}

static void
damage_is_found_and_set_aside(void **state)
{
	static const struct {
		const char *name;
		size_t at, len;
	} rows[] = { { "the header", 0, 512 }, { "all of it", 0, 8192 }, { "a page", 4096, 4096 } };
	struct place *p = *state;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		AUTO(buf) struct buf notice = { 0 };
		struct err e = { 0 };
		struct db *db;

		unlink(p->file);
		make_good(p->file);
		fill(p->file, rows[i].at, rows[i].len);
		assert_row(rows[i].name, db_open(&db, p->file, &e) == -EUCLEAN);
		assert_row(rows[i].name, strstr(e.msg, p->file) != NULL);
		assert_row(rows[i].name, db_set_aside(p->file, &notice, &e) == 0);
		assert_row(rows[i].name, strstr(notice.data, ".corrupt-") != NULL);
		assert_row(rows[i].name, access(p->file, F_OK) < 0);
		assert_row(rows[i].name, db_open(&db, p->file, &e) == 0);
		assert_row(rows[i].name, desktops_in(db) == 0);
		db_close(db);
	}
}

static void
nothing_set_aside_is_overwritten(void **state)
{
	struct place *p = *state;
	AUTO(buf) struct buf notice = { 0 };
	char pattern[96];
	glob_t found;

	for (int i = 0; i < 3; i++) {
		fill(p->file, 0, 512);
		assert_int_equal(db_set_aside(p->file, &notice, NULL), 0);
	}
	snprintf(pattern, sizeof pattern, "%s/catalog.db.corrupt-*", p->dir);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, 3);
	globfree(&found);
}

static void
one_connection_only(void **state)
{
	struct place *p = *state;
	struct db *first, *second = NULL;
	struct err e = { 0 };

	assert_int_equal(db_open(&first, p->file, NULL), 0);
	assert_int_equal(db_open(&second, p->file, &e), -EBUSY);
	assert_null(second);
	db_close(first);
}

static void
a_directory_that_is_not_there(void **state)
{
	struct place *p = *state;
	AUTO(mem) char *path = str_format("%s/missing/catalog.db", p->dir);
	struct err e = { 0 };
	struct db *db;

	assert_int_equal(db_open(&db, path, &e), -EROFS);
	assert_non_null(strstr(e.msg, "writable"));
}

static void
what_was_not_committed_is_not_there(void **state)
{
	struct place *p = *state;
	struct db *db;

	assert_int_equal(db_open(&db, p->file, NULL), 0);
	assert_int_equal(db_begin(db, NULL), 0);
	add_desktop(db, "01", "a");
	db_rollback(db);
	assert_int_equal(desktops_in(db), 0);
	assert_int_equal(db_begin(db, NULL), 0);
	add_desktop(db, "01", "a");
	assert_int_equal(db_commit(db, NULL), 0);
	assert_int_equal(desktops_in(db), 1);
	db_close(db);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_fresh_file_is_private_and_lasts, setup, teardown),
		cmocka_unit_test_setup_teardown(every_past_schema_is_brought_up, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_newer_file_is_refused_and_left_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(damage_is_found_and_set_aside, setup, teardown),
		cmocka_unit_test_setup_teardown(nothing_set_aside_is_overwritten, setup, teardown),
		cmocka_unit_test_setup_teardown(one_connection_only, setup, teardown),
		cmocka_unit_test_setup_teardown(a_directory_that_is_not_there, setup, teardown),
		cmocka_unit_test_setup_teardown(
			what_was_not_committed_is_not_there, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
