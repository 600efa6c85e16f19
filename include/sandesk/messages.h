/* messages.h - everything that two of our processes say to each other.
 * Contract:  numbers of messages and fields are never reused; a field that the reader does not know
 *            is skipped, one that the sender left out reads as 0, "" or empty, so one version back
 *            stays compatible (a keeper may live for weeks).
 * Format:    little endian.
 *
 *      frame   +-------------+----------+----------+=========+      field  +-----+-------------+=======+
 *              | length u32  | type u16 | zero u16 | fields  |             | tag | length u32  | bytes |
 *              +-------------+----------+----------+=========+             +-----+-------------+=======+
 *              length: bytes behind the 8 of the header, at most FRAME_BYTES
 *
 *            Kinds of fields: u unsigned and i signed (zigzag) of 0-8 bytes; s text, NUL-terminated; b bytes;
 *            l a list of texts, each NUL-terminated.
 * Ownership: a decoded message borrows the bytes that it was decoded from.
 * Errors:    -EPROTO for what is malformed; 0 from msg_decode() when the frame is not complete yet.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct buf;
struct err;

enum { PROTOCOL_VERSION = 1, FRAME_BYTES = 16 << 20, FRAME_HEADER_BYTES = 8 };

struct span {
	const void *data;
	size_t len;
};

/* ---- both ways, first on every connection ---- */
/* clang-format off */
#define FIELDS_hello(F) F(1, u, version) F(2, s, program) F(3, u, pid)
/* ---- client <-> daemon: one JSON-RPC 2.0 object ---- */
#define FIELDS_rpc(F) F(1, b, body)
/* ---- answers to requests that carry a number ---- */
#define FIELDS_done(F) F(1, u, request)
#define FIELDS_error(F) F(1, u, request) F(2, u, code) F(3, s, text) /* code: errno, positive */
/* ---- daemon -> keeper, once: what to run. Environment values travel here and nowhere else ---- */
#define FIELDS_start(F)                                                                                         \
	F(1, s, session) F(2, s, desktop) F(3, s, name) F(4, s, dir) F(5, s, home) F(6, s, cwd) F(7, l, argv)   \
	F(8, l, env) F(9, u, rows) F(10, u, cols) F(11, u, has_pty) F(12, u, history_bytes) F(13, s, log)       \
	F(14, s, desktop_id) F(15, s, user) F(16, s, lang) F(17, s, shell)                                 \
	F(18, u, keep_history) /* CSI 3 J erases nothing */                                               \
	/* limits of jail/policy.h, 0: not set; groups: cgroups_print(), "" when none is needed */       \
	F(40, s, groups) F(41, u, memory) F(42, u, disk) F(43, u, run_seconds) F(44, u, idle_seconds)     \
	F(45, u, over) F(46, u, cpu_weight) F(47, u, cpu_percent) F(48, u, processes) F(49, u, files)     \
	F(50, u, file_bytes)                                                                                  \
	/* profile: enum jail_profile; protect counts when has_protect is 1; require: bits of enum jail_wall */ \
	F(51, u, profile) F(52, u, special_files) F(53, u, has_protect) F(54, l, protect) F(55, u, require)
/* ---- keeper -> everybody connected, at first and at every change ---- */
#define FIELDS_state(F)                                                                                          \
	F(1, s, session) F(2, s, desktop) F(3, s, name) F(4, u, status) F(5, u, pid) F(6, u, keeper_pid)         \
	F(7, u, exit_code) F(8, u, exit_signal) F(9, s, reason) F(10, u, started_us) F(11, u, ended_us)          \
	F(12, u, rows) F(13, u, cols) F(14, l, argv) F(15, u, has_pty) F(16, s, title) F(17, u, clients)         \
	F(18, s, desktop_id) F(19, l, env_names) F(20, s, cwd) F(21, u, output_us) F(22, u, bells)   \
	F(23, s, dir) F(24, u, notices) F(25, s, notice) /* told so far, and the last of them */           \
	F(40, u, cpu_us) F(41, u, memory) F(42, u, memory_peak) F(43, u, processes) F(44, u, written) /* as counted last */ \
	F(45, s, limits) /* budgets of which more than 80 % are used, in words */                         \
	F(46, s, walls_missing) /* names of jail/walls.h, a blank between */                              \
	F(60, u, need) F(61, s, why) /* enum need, and the fact that decided the status (keeper/status.h) */
/* ---- client -> keeper: seeing ---- */
#define FIELDS_attach(F) F(1, u, rows) F(2, u, cols) F(3, u, flags) /* enum attach_flag; 0x0: keep the session's size */
#define FIELDS_detach(F)
#define FIELDS_frame(F) F(1, u, seq) F(2, b, body) /* keeper -> client; body: mirror_apply(); at most one is not acknowledged */
#define FIELDS_ack(F) F(1, u, seq)
/* up is positive; 0: back to the live screen, or (with a flag: enum scroll_flag) no move by lines */
#define FIELDS_scroll(F) F(1, i, lines) F(2, u, flags) F(3, u, line)
/* keeper -> client, before the frame that it is about and while the view is held: where its rows come from (term/pick.h) */
#define FIELDS_places(F) F(1, b, rows) F(2, u, first) F(3, u, next) /* lines of history: [first, next) */
/* ---- keeper -> client: what a program wants people to get. Text without control characters; `dropped` came too soon
 * before it. The clipboard goes to whoever acted last only; `which`: letters of OSC 52 ---- */
#define FIELDS_notice(F) F(1, s, text) F(2, u, dropped)
#define FIELDS_clipboard(F) F(1, b, bytes) F(2, s, which)
/* ---- client -> keeper: its own terminal. scheme: enum outer_scheme; pixels of one cell, 0: not known ---- */
#define FIELDS_outer(F) F(1, u, scheme) F(2, u, cell_width) F(3, u, cell_height)
/* ---- client -> keeper: acting ---- */
#define FIELDS_resize(F) F(1, u, request) F(2, u, rows) F(3, u, cols)
#define FIELDS_key(F) F(1, u, code) F(2, u, mods)
#define FIELDS_mouse(F) F(1, u, kind) F(2, u, button) F(3, u, mods) F(4, u, row) F(5, u, col)
#define FIELDS_paste(F) F(1, b, bytes)
#define FIELDS_focus(F) F(1, u, has_focus)
#define FIELDS_text(F) F(1, u, request) F(2, b, bytes) F(3, u, enter)
#define FIELDS_keys(F) F(1, u, request) F(2, l, names)
#define FIELDS_signal(F) F(1, u, request) F(2, u, number)
#define FIELDS_stop(F) F(1, u, request) F(2, u, grace_ms) /* grace_ms 0: KILL at once; answered when the session is over */
#define FIELDS_quit(F)                                    /* the keeper ends itself, and its session if it still runs */
#define FIELDS_pause(F) F(1, u, request) /* answered when every process stands still */
#define FIELDS_resume(F) F(1, u, request)
#define FIELDS_usage(F) F(1, u, request) /* counts: a `state` with the figures, then `done` */
#define FIELDS_rename(F) F(1, u, request) F(2, s, name) F(3, s, desktop)
/* ---- client <-> keeper: reading ---- */
/* format: enum export_format (text, ansi, html, svg, json). Lines [from, to) with CAPTURE_RANGE; one command's output with
 * CAPTURE_LAST_OUTPUT. */
#define FIELDS_capture(F)                                                                                        \
	F(1, u, request) F(2, u, history) F(3, u, format) F(4, u, flags) F(5, u, from) F(6, u, to)               \
	F(7, u, from_cell) F(8, u, to_cell) /* with CAPTURE_CELLS: plain text up to and with that cell of line `to` */
#define FIELDS_captured(F) F(1, u, request) F(2, b, text)
#define FIELDS_wait(F) F(1, u, request) F(2, u, kind) F(3, s, pattern) F(4, u, quiet_ms) F(5, u, timeout_ms)
#define FIELDS_waited(F) F(1, u, request) F(2, u, outcome) F(3, s, text) /* enum wait_outcome */
#define FIELDS_cancel(F) F(1, u, request)
/* Hits from a place on, backwards the last first. limit 0: the keeper's own. Answered by `captured`: {"hits": [{"line",
 * "col", "end_line", "end_col", "cells", "text"}], "more": bool}. Without SEARCH_FROM
 * from one end to the other. */
#define FIELDS_search(F)                                                                                         \
	F(1, u, request) F(2, s, pattern) F(3, u, flags) F(4, u, limit) F(5, u, line) F(6, u, col)
/* ---- daemon <-> worker ---- */
#define FIELDS_job(F) F(1, s, kind) F(2, s, path)
#define FIELDS_progress(F) F(1, u, count) F(2, u, total) F(3, s, text)
#define FIELDS_result(F) F(1, u, code) F(2, s, text)

/* what ran, by the shell's marks. Answered by `captured`: [{"number", "command", "cwd", "status", "running", "started",
 * "ended", "seconds", "prompt_line", "output_from", "output_to", "lost"}] */
#define FIELDS_commands(F) F(1, u, request)
/* what each fact says of the status. Answered by `captured`: [{"fact", "says", "status", "need", "decides"}] */
#define FIELDS_explain(F) F(1, u, request)
/* everything that the session prints from now on, after what its screen shows now; until `cancel` of that request */
#define FIELDS_record(F) F(1, u, request)
/* keeper -> client: bytes as they came at `time_us` since the epoch, or (rows not 0) a new size; `lost` bytes were left
 * out before because the client was too slow: bytes then begin with the whole screen */
#define FIELDS_output(F) F(1, u, request) F(2, u, time_us) F(3, b, bytes) F(4, u, rows) F(5, u, cols) F(6, u, lost)

#define MESSAGES(X)  \
	X(1, hello)  \
	X(2, rpc)    \
	X(3, done)   \
	X(4, error)  \
	X(10, start) \
	X(11, state) \
	X(20, attach) X(21, detach) X(22, frame) X(23, ack) X(24, scroll) X(25, notice)                  \
	X(26, clipboard) X(27, outer) X(28, places)                                                                    \
	X(30, resize) X(31, key) X(32, mouse) X(33, paste) X(34, focus) X(35, text) X(36, keys)          \
	X(37, signal) X(38, stop) X(39, quit) X(40, rename) X(41, pause) X(42, resume) X(43, usage)                                             \
	X(50, capture) X(51, captured) X(52, wait) X(53, waited) X(54, cancel)                           \
	X(55, search) X(56, commands) X(57, record) X(58, output) X(59, explain)                                        \
	X(60, job) X(61, progress) X(62, result)
/* clang-format on */

#define X(number, name) MSG_##name = number,
enum msg_type { MESSAGES(X) MSG_TYPE_END };
#undef X

enum outer_scheme { OUTER_UNKNOWN, OUTER_DARK, OUTER_LIGHT };
enum attach_flag { ATTACH_READ_ONLY = 1, ATTACH_SETS_SIZE = 2 };
enum search_flag { SEARCH_REGEX = 1, SEARCH_BACKWARDS = 2, SEARCH_FROM = 4 /* line and col are given */ };
/* HOLD: the view stands still and is told its places, until a scroll without; SHOW: moves so that `line` is seen */
enum scroll_flag { SCROLL_HOLD = 1, SCROLL_SHOW = 2 };
enum capture_flag {
	CAPTURE_RANGE = 1,
	CAPTURE_LAST_OUTPUT = 2,
	CAPTURE_JOIN = 4,
	CAPTURE_CELLS = 8,
	CAPTURE_BLOCK = 16 /* with CELLS: the same cells of each line */
};
enum wait_kind { WAIT_TEXT, WAIT_EXIT, WAIT_QUIET };
/* ENDED: the session was over before it happened */
enum wait_outcome { WAIT_MET, WAIT_TIMED_OUT, WAIT_ENDED };

#define FIELD_TYPE_u uint64_t
#define FIELD_TYPE_i int64_t
#define FIELD_TYPE_s const char *
#define FIELD_TYPE_b struct span
#define FIELD_TYPE_l struct span
#define FIELD(tag, kind, name) FIELD_TYPE_##kind name;
#define X(number, name)                                                                            \
	struct msg_##name {                                                                        \
		FIELDS_##name(FIELD)                                                               \
	};
MESSAGES(X)
#undef X
#undef FIELD

struct msg {
	enum msg_type type;
	union {
#define X(number, name) struct msg_##name name;
		MESSAGES(X)
#undef X
	};
};

/* Appends one whole frame. 0 or -ENOBUFS (over FRAME_BYTES or the buffer's limit; nothing was added
 * then). */
int msg_encode(struct buf *to, const struct msg *m);

/* Decodes the first frame of `bytes`. Returns its length, 0 when it is not complete, or -EPROTO. An
 * unknown type gives a message of that type with nothing in it. */
ssize_t msg_decode(const void *bytes, size_t len, struct msg *ret, struct err *e);

const char *msg_name(enum msg_type type);

/* Lists: walks with `pos` from 0; NULL at the end. */
const char *list_next(struct span list, size_t *pos);
size_t list_count(struct span list);
void list_add(struct buf *to, const char *text);
struct span span_of(const struct buf *b);

/* A NULL-terminated array of pointers into the list, for exec. Owned: mem_free(). */
char **list_to_argv(struct span list);
