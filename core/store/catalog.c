#include "store/catalog.h"

#include <errno.h>

#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "store/db.h"

static const char *
column_text(sqlite3_stmt *s, int column)
{
	return (const char *)sqlite3_column_text(s, column);
}

static struct span
column_bytes(sqlite3_stmt *s, int column)
{
	const void *data = sqlite3_column_blob(s, column);

	return (struct span){ .data = data, .len = (size_t)sqlite3_column_bytes(s, column) };
}

int
catalog_each_desktop(struct db *db, catalog_desktop_fn *fn, void *arg, struct err *e)
{
	sqlite3_stmt *s;
	int rc = db_query(db, e, &s, "SELECT id, name, dir, created, policy FROM desktop ORDER BY id", "");

	if (rc < 0)
		return rc;
	while ((rc = db_step(db, s, e)) > 0) {
		struct catalog_desktop row = { .id = column_text(s, 0),
			.name = column_text(s, 1),
			.dir = column_text(s, 2),
			.created = sqlite3_column_double(s, 3),
			.policy = column_bytes(s, 4) };

		rc = fn(&row, arg);
		if (!rc)
			continue;
		sqlite3_reset(s);
		return rc;
	}
	return rc;
}

static struct catalog_session
session_row(sqlite3_stmt *s)
{
	struct catalog_session row = {
		.id = column_text(s, 0),
		.desktop_id = column_text(s, 1),
		.name = column_text(s, 2),
		.has_pty = sqlite3_column_int(s, 3) != 0,
		.command = column_bytes(s, 4),
		.env_names = column_bytes(s, 5),
		.cwd = column_text(s, 6),
		.status = STATUS_FAILED, /* of a status that only a newer sandesk knows */
		.reason = column_text(s, 8),
		.exit_code = sqlite3_column_int(s, 9),
		.exit_signal = sqlite3_column_int(s, 10),
		.started = sqlite3_column_double(s, 11),
		.ended = sqlite3_column_double(s, 12),
		.size = size_clamp(
			(unsigned)sqlite3_column_int(s, 13), (unsigned)sqlite3_column_int(s, 14)),
		.cpu_us = (uint64_t)sqlite3_column_int64(s, 15),
		.memory_peak = (uint64_t)sqlite3_column_int64(s, 16),
		.written = (uint64_t)sqlite3_column_int64(s, 17),
		.budgets = column_bytes(s, 18),
		.policy = column_bytes(s, 19),
	};

	(void)status_parse(column_text(s, 7), &row.status);
	return row;
}

int
catalog_each_session(struct db *db, catalog_session_fn *fn, void *arg, struct err *e)
{
	sqlite3_stmt *s;
	int rc = db_query(db, e, &s,
		"SELECT id, desktop, name, has_pty, command, env_names, cwd, status, reason, "
		"exit_code, exit_signal,"
		" started, ended, rows, cols, cpu_us, memory_peak, written, budgets, policy FROM session ORDER BY id",
		"");

	if (rc < 0)
		return rc;
	while ((rc = db_step(db, s, e)) > 0) {
		struct catalog_session row = session_row(s);

		rc = fn(&row, arg);
		if (!rc)
			continue;
		sqlite3_reset(s);
		return rc;
	}
	return rc;
}

int
catalog_add_desktop(struct db *db, const struct catalog_desktop *row, struct err *e)
{
	return db_run(db, e, "INSERT INTO desktop (id, name, dir, created) VALUES (?, ?, ?, ?)",
		"tttd", row->id, row->name, row->dir, row->created);
}

int
catalog_set_policy(struct db *db, const char *id, struct span policy, struct err *e)
{
	return db_run(db, e, "UPDATE desktop SET policy = ? WHERE id = ?", "bt", policy.data, policy.len, id);
}

int
catalog_rename_desktop(struct db *db, const char *id, const char *name, struct err *e)
{
	return db_run(db, e, "UPDATE desktop SET name = ? WHERE id = ?", "tt", name, id);
}

int
catalog_remove_desktop(struct db *db, const char *id, struct err *e)
{
	return db_run(db, e, "DELETE FROM desktop WHERE id = ?", "t", id);
}

int
catalog_put_session(struct db *db, const struct catalog_session *row, struct err *e)
{
	return db_run(db, e,
		"INSERT INTO session (id, desktop, name, has_pty, command, env_names, cwd, status, "
		"reason, exit_code,"
		" exit_signal, started, ended, rows, cols, cpu_us, memory_peak, written, budgets, policy) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, "
		"?9, ?10, ?11, ?12, ?13,"
		" ?14, ?15, ?16, ?17, ?18, ?19, ?20) ON CONFLICT (id) DO UPDATE SET name = ?3, command = ?5, env_names = "
		"?6, cwd = ?7, status = ?8,"
		" reason = ?9, exit_code = ?10, exit_signal = ?11, started = ?12, ended = ?13, "
		"rows = ?14, cols = ?15, cpu_us = ?16, memory_peak = ?17, written = ?18, budgets = ?19, policy = ?20",
		"tttibbtttiiddiiiiibb", row->id, row->desktop_id, row->name, (int64_t)row->has_pty,
		row->command.data, row->command.len, row->env_names.data, row->env_names.len,
		row->cwd, status_name(row->status), row->reason, (int64_t)row->exit_code,
		(int64_t)row->exit_signal, row->started, row->ended, (int64_t)row->size.rows,
		(int64_t)row->size.cols, (int64_t)row->cpu_us, (int64_t)row->memory_peak,
		(int64_t)row->written, row->budgets.data, row->budgets.len, row->policy.data, row->policy.len);
}

int
catalog_rename_session(struct db *db, const char *id, const char *name, struct err *e)
{
	return db_run(db, e, "UPDATE session SET name = ? WHERE id = ?", "tt", name, id);
}

int
catalog_remove_session(struct db *db, const char *id, struct err *e)
{
	return db_run(db, e, "DELETE FROM session WHERE id = ?", "t", id);
}

int
catalog_set_layout(struct db *db, const char *desktop_id, const char *layout, struct err *e)
{
	return db_run(
		db, e, "UPDATE desktop SET layout = ? WHERE id = ?", "tt", layout, desktop_id);
}

int
catalog_get_layout(struct db *db, const char *desktop_id, char **ret, struct err *e)
{
	AUTO(mem) char *layout = NULL;
	sqlite3_stmt *s;
	int rc = db_query(db, e, &s, "SELECT layout FROM desktop WHERE id = ?", "t", desktop_id);

	if (rc < 0)
		return rc;
	while ((rc = db_step(db, s, e)) > 0) {
		mem_free(layout);
		layout = str_dup(column_text(s, 0));
	}
	if (!rc)
		*ret = mem_take(layout);
	return rc;
}
