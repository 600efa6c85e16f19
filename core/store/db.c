#include "store/db.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"

enum {
	DB_STATEMENTS = 48,
	DB_CHECKED_BYTES = 16 << 20, /* in bigger files damage shows when it is met */
};

struct db {
	sqlite3 *handle;
	char *path;
	size_t count;
	struct {
		const char *sql;
		sqlite3_stmt *stmt;
	} cached[DB_STATEMENTS];
};

/* Row i leads from user_version i to i + 1. Never change a row that was released: append one. */
static const char *const db_migrations[] = {
	"CREATE TABLE desktop ("
	"  id TEXT PRIMARY KEY NOT NULL,"
	"  name TEXT NOT NULL UNIQUE,"
	"  dir TEXT NOT NULL UNIQUE,"
	"  created REAL NOT NULL,"
	"  layout TEXT"
	") WITHOUT ROWID;"
	"CREATE TABLE session ("
	"  id TEXT PRIMARY KEY NOT NULL,"
	"  desktop TEXT NOT NULL REFERENCES desktop(id) ON DELETE CASCADE,"
	"  name TEXT NOT NULL,"
	"  has_pty INTEGER NOT NULL,"
	"  command BLOB NOT NULL,"   /* texts, each with its NUL: argv may hold any byte but NUL */
	"  env_names BLOB NOT NULL," /* names only: values are secrets and never reach the disk */
	"  cwd TEXT NOT NULL,"
	"  status TEXT NOT NULL,"
	"  reason TEXT,"
	"  exit_code INTEGER NOT NULL,"
	"  exit_signal INTEGER NOT NULL,"
	"  started REAL NOT NULL,"
	"  ended REAL NOT NULL,"
	"  rows INTEGER NOT NULL,"
	"  cols INTEGER NOT NULL,"
	"  UNIQUE (desktop, name)"
	") WITHOUT ROWID;",
	"ALTER TABLE session ADD COLUMN cpu_us INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE session ADD COLUMN memory_peak INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE session ADD COLUMN written INTEGER NOT NULL DEFAULT 0;",
	"ALTER TABLE session ADD COLUMN budgets BLOB;", /* KEY=VALUE, each with its NUL */
	"ALTER TABLE desktop ADD COLUMN policy BLOB;"	/* the same */
	"ALTER TABLE session ADD COLUMN policy BLOB;",	/* as it was when the session started */
};

const char *
db_migration(unsigned i)
{
	return i < ARRAY_LEN(db_migrations) ? db_migrations[i] : NULL;
}

unsigned
db_schema(void)
{
	return ARRAY_LEN(db_migrations);
}

/* What a result code means for the person who gave the command. */
static const struct {
	int sqlite;
	int code;
	const char *text;
} db_errors[] = {
	{ SQLITE_FULL, -ENOSPC, "its disk is full; make room and try again" },
	{ SQLITE_READONLY, -EROFS, "cannot be written; make the file and its directory writable" },
	{ SQLITE_CANTOPEN, -EROFS,
		"cannot be opened for writing; make the file and its directory writable" },
	{ SQLITE_PERM, -EROFS,
		"cannot be opened for writing; make the file and its directory writable" },
	{ SQLITE_BUSY, -EBUSY, "is in use by another program; close that one" },
	{ SQLITE_LOCKED, -EBUSY, "is in use by another program; close that one" },
	{ SQLITE_CORRUPT, -EUCLEAN,
		"is damaged; `sandesk daemon stop`, and the next start sets it aside" },
	{ SQLITE_NOTADB, -EUCLEAN,
		"is not a catalog; `sandesk daemon stop`, and the next start sets it aside" },
	{ SQLITE_CONSTRAINT, -EEXIST, "has such an entry already" },
};

static int
db_fail(struct db *db, int rc, struct err *e)
{
	for (size_t i = 0; i < ARRAY_LEN(db_errors); i++)
		if (db_errors[i].sqlite == (rc & 0xff))
			return err_set(e, db_errors[i].code, "catalog %s: %s", db->path,
				db_errors[i].text);
	return err_set(e, -EIO, "catalog %s: %s; check its disk", db->path, sqlite3_errstr(rc));
}

void
db_close(struct db *db)
{
	if (!db)
		return;
	for (size_t i = 0; i < db->count; i++)
		sqlite3_finalize(db->cached[i].stmt);
	sqlite3_close(db->handle);
	mem_free(db->path);
	mem_free(db);
}

void
db_drop(struct db **db)
{
	db_close(*db);
	*db = NULL;
}

/* Literals have one address, so comparing addresses finds a statement again. */
static int
db_statement(struct db *db, const char *sql, sqlite3_stmt **ret, struct err *e)
{
	sqlite3_stmt *stmt;
	int rc;

	for (size_t i = 0; i < db->count; i++) {
		if (db->cached[i].sql != sql)
			continue;
		*ret = db->cached[i].stmt;
		return 0;
	}
	assert(db->count < DB_STATEMENTS);
	rc = sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL);
	if (rc != SQLITE_OK)
		return db_fail(db, rc, e);
	db->cached[db->count].sql = sql;
	db->cached[db->count++].stmt = stmt;
	*ret = stmt;
	return 0;
}

/* Borrowed until the statement is reset, hence SQLITE_STATIC. */
static void
db_bind(sqlite3_stmt *s, const char *types, va_list ap)
{
	for (int i = 1; types[i - 1]; i++) {
		const void *bytes;

		switch (types[i - 1]) {
		case 't':
			sqlite3_bind_text(s, i, va_arg(ap, const char *), -1, SQLITE_STATIC);
			break;
		case 'b': /* an empty list is an empty blob, not NULL */
			bytes = va_arg(ap, const void *);
			sqlite3_bind_blob64(
				s, i, bytes ? bytes : "", va_arg(ap, size_t), SQLITE_STATIC);
			break;
		case 'i':
			sqlite3_bind_int64(s, i, va_arg(ap, int64_t));
			break;
		case 'd':
			sqlite3_bind_double(s, i, va_arg(ap, double));
			break;
		default:
			assert(!"a type letter of db_run()");
		}
	}
}

int
db_run(struct db *db, struct err *e, const char *sql, const char *types, ...)
{
	sqlite3_stmt *s;
	va_list ap;
	int rc = db_statement(db, sql, &s, e);

	if (rc < 0)
		return rc;
	va_start(ap, types);
	db_bind(s, types, ap);
	va_end(ap);
	rc = sqlite3_step(s);
	sqlite3_reset(s);
	sqlite3_clear_bindings(s);
	return rc == SQLITE_DONE || rc == SQLITE_ROW ? 0 : db_fail(db, rc, e);
}

int
db_query(struct db *db, struct err *e, sqlite3_stmt **ret, const char *sql, const char *types, ...)
{
	va_list ap;
	int rc = db_statement(db, sql, ret, e);

	if (rc < 0)
		return rc;
	va_start(ap, types);
	db_bind(*ret, types, ap);
	va_end(ap);
	return 0;
}

int
db_step(struct db *db, sqlite3_stmt *s, struct err *e)
{
	int rc = sqlite3_step(s);

	if (rc == SQLITE_ROW)
		return 1;
	sqlite3_reset(s);
	sqlite3_clear_bindings(s);
	return rc == SQLITE_DONE ? 0 : db_fail(db, rc, e);
}

static int
db_exec(struct db *db, const char *sql, struct err *e)
{
	int rc = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : db_fail(db, rc, e);
}

int
db_begin(struct db *db, struct err *e)
{
	return db_run(db, e, "BEGIN IMMEDIATE", "");
}

int
db_commit(struct db *db, struct err *e)
{
	int rc = db_run(db, e, "COMMIT", "");

	if (rc < 0)
		db_rollback(db);
	return rc;
}

void
db_rollback(struct db *db)
{
	if (!sqlite3_get_autocommit(db->handle)) /* a full disk may have rolled it back already */
		(void)sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}

/* The first column of the first row of a pragma, as text. */
static int
db_pragma(struct db *db, const char *sql, char *to, size_t size, struct err *e)
{
	sqlite3_stmt *s;
	int rc = sqlite3_prepare_v2(db->handle, sql, -1, &s, NULL);

	if (rc != SQLITE_OK)
		return db_fail(db, rc, e);
	rc = sqlite3_step(s);
	if (rc == SQLITE_ROW && sqlite3_column_text(s, 0))
		str_copy(to, size, (const char *)sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	return rc == SQLITE_ROW ? 0 : db_fail(db, rc == SQLITE_DONE ? SQLITE_CORRUPT : rc, e);
}

static int
db_migrate_from(struct db *db, unsigned version, struct err *e)
{
	char sql[48];
	int rc = db_begin(db, e);

	if (rc < 0)
		return rc;
	snprintf(sql, sizeof sql, "PRAGMA user_version = %u", version + 1);
	rc = db_exec(db, db_migrations[version], e);
	if (!rc)
		rc = db_exec(db, sql, e);
	if (!rc)
		return db_commit(db, e);
	db_rollback(db);
	return rc;
}

/* Refuses a newer file before anything is written to it. */
static int
db_migrate(struct db *db, struct err *e)
{
	char text[32] = "";
	int64_t version;
	int rc = db_pragma(db, "PRAGMA user_version", text, sizeof text, e);

	if (rc < 0)
		return rc;
	if (str_to_int(text, 0, INT32_MAX, &version) < 0)
		return db_fail(db, SQLITE_CORRUPT, e);
	if (version > (int64_t)db_schema())
		return err_set(e, -EPROTONOSUPPORT,
			"catalog %s: has version %lld, this sandesk %s knows versions up to %u; "
			"use the newer sandesk, or "
			"move the file away to begin anew",
			db->path, (long long)version, SANDESK_VERSION, db_schema());
	for (unsigned v = (unsigned)version; !rc && v < db_schema(); v++)
		rc = db_migrate_from(db, v, e);
	return rc;
}

static int
db_use_wal(struct db *db, struct err *e)
{
	char mode[16] = "";
	int rc = db_pragma(db, "PRAGMA journal_mode = WAL", mode, sizeof mode, e);

	if (rc < 0)
		return rc;
	return str_equal(mode, "wal") ? 0 : db_fail(db, SQLITE_READONLY, e);
}

static int
db_check(struct db *db, struct err *e)
{
	char verdict[64] = "";
	struct stat st;
	int rc;

	if (stat(db->path, &st) < 0 || st.st_size > DB_CHECKED_BYTES)
		return 0;
	rc = db_pragma(db, "PRAGMA quick_check(1)", verdict, sizeof verdict, e);
	if (rc < 0)
		return rc;
	return str_equal(verdict, "ok") ? 0 : db_fail(db, SQLITE_CORRUPT, e);
}

int
db_open(struct db **ret, const char *path, struct err *e)
{
	static const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
				 SQLITE_OPEN_PRIVATECACHE;
	AUTO(db) struct db *db = mem_new(struct db);
	char mode[16];
	int rc;

	db->path = str_dup(path);
	rc = sqlite3_open_v2(path, &db->handle, flags, NULL);
	if (rc != SQLITE_OK)
		return db_fail(db, rc, e);
	/* before the first read, so that no shared memory file is ever made */
	rc = db_pragma(db, "PRAGMA locking_mode = EXCLUSIVE", mode, sizeof mode, e);
	if (!rc)
		rc = db_exec(db,
			"PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA "
			"trusted_schema = OFF",
			e);
	if (!rc)
		rc = db_check(db, e);
	if (!rc)
		rc = db_migrate(db, e);
	if (!rc)
		rc = db_use_wal(db, e);
	if (rc < 0)
		return rc;
	*ret = mem_take(db);
	return 0;
}

/* PATH.corrupt-TIME, with -2, -3 ... behind it when taken: nothing set aside is overwritten.
 * Owned. */
static char *
aside_name(const char *path)
{
	time_t now = time(NULL);
	char stamp[32];
	struct tm tm;
	char *name;

	gmtime_r(&now, &tm);
	strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &tm);
	name = str_format("%s.corrupt-%s", path, stamp);
	for (unsigned i = 2; access(name, F_OK) == 0; i++) {
		mem_free(name);
		name = str_format("%s.corrupt-%s-%u", path, stamp, i);
	}
	return name;
}

int
db_set_aside(const char *path, struct buf *notice, struct err *e)
{
	static const char *const suffixes[] = { "", "-wal", "-shm" };
	AUTO(mem) char *aside = aside_name(path);

	for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
		AUTO(mem) char *from = str_format("%s%s", path, suffixes[i]);
		AUTO(mem) char *to = str_format("%s%s", aside, suffixes[i]);

		if (rename(from, to) < 0 && errno != ENOENT)
			return err_errno(
				e, -errno, "catalog %s: is damaged and cannot be set aside", path);
	}
	buf_addf(notice,
		"catalog %s: was damaged; it was set aside as %s and a new one begun: running "
		"sessions are found again, "
		"other Desktops have to be made anew",
		path, aside);
	return 0;
}
