/* db.h - the one connection to the catalog's SQLite file.
 * Contract:  exactly one connection per process and one process per file (locking_mode=EXCLUSIVE):
 *            SQLite 3.40.1 has the WAL-reset bug, which needs two. WAL, synchronous=FULL: what
 *            db_commit() accepted survives a power cut. The schema is `user_version`; older files
 *            are brought up step by step, each step in one transaction; a newer file is refused and
 *            not touched.
 * Ownership: statements belong to the connection and are prepared once per SQL text; the text must
 *            be a literal.
 * Errors:    -EUCLEAN corrupt, -EPROTONOSUPPORT newer, -ENOSPC, -EROFS, -EBUSY, -EIO, -EEXIST (a
 *            UNIQUE rule); the message names the file and what to do.
 * Source:    sqlite.org/wal.html, sqlite.org/rescode.html.
 */
#pragma once

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "sandesk/base/auto.h"

struct buf;
struct db;
struct err;

int db_open(struct db **ret, const char *path, struct err *e);
void db_close(struct db *db); /* accepts NULL */
void db_drop(struct db **db);

/* Renames a corrupt file to PATH.corrupt-TIME, with its -wal and -shm, and adds a sentence about
 * that to `notice`. */
int db_set_aside(const char *path, struct buf *notice, struct err *e);

/* The steps of the schema: SQL that leads from version i to i + 1; NULL behind the last. Append
 * only. */
const char *db_migration(unsigned i);
unsigned db_schema(void);

/* Runs a statement without rows. `types` has one letter per parameter: t text (NULL allowed), b
 * bytes (pointer, size_t), i int64_t, d double. */
int db_run(struct db *db, struct err *e, const char *sql, const char *types, ...);

/* Starts a statement with rows; db_step() gives 1 for a row, 0 behind the last one, or an error. */
int db_query(
	struct db *db, struct err *e, sqlite3_stmt **ret, const char *sql, const char *types, ...);
int db_step(struct db *db, sqlite3_stmt *s, struct err *e);

/* Several changes at once. A commit that fails is rolled back. */
int db_begin(struct db *db, struct err *e);
int db_commit(struct db *db, struct err *e);
void db_rollback(struct db *db);
