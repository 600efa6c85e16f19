/* Copy mode on the screen: what copy.h wants is asked of the keeper, what comes back is given to it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/messages.h"
#include "sandesk/mirror.h"
#include "view/ui-inner.h"

enum { CLICK_MS = 400, HITS_SHOWN = 200, WHEEL_ROWS = 3, HIT_ONE = 1 };

static uint64_t
new_request(struct ui *ui, enum copy_ask what)
{
	ui->copying.asked[what] = ++ui->requests;
	return ui->requests;
}

static void
cancel(struct ui *ui, enum copy_ask what)
{
	struct msg m = { .type = MSG_cancel, .cancel.request = ui->copying.asked[what] };

	if (ui->copying.asked[what] && ui_pane(ui))
		pane_ask(ui_pane(ui), &m);
	ui->copying.asked[what] = 0;
}

/* ---- beginning and ending ---- */
void
ui_copy_begin(struct ui *ui, int lines)
{
	struct copying *c = &ui->copying;
	struct pane *p = ui_pane(ui);

	if (!p || !pane_is_live(p)) {
		ui_message(ui, "copy mode: the session's keeper is not there");
		return;
	}
	ui_leave_modes(ui);
	ui->is_tree_focused = false;
	c->is_on = true;
	c->is_typing = c->has_places = c->has_wrapped = false;
	copy_begin(&c->copy, pane_mirror(p));
	ui->mode = MODE_SCROLL;
	pane_hold(p, lines);
	ui_mark(ui);
}

void
ui_copy_forget(struct ui *ui)
{
	struct copying *c = &ui->copying;

	if (!c->is_on)
		return;
	c->is_on = c->is_typing = c->is_pressed = c->is_drag_due = c->is_take_due = false;
	c->is_word_due = false;
	c->due = MARK_NONE;
	memset(c->asked, 0, sizeof c->asked);
	copy_fini(&c->copy);
	if (ui->mode == MODE_SCROLL)
		ui->mode = MODE_NORMAL;
	if (ui->back_mode == MODE_SCROLL)
		ui->back_mode = MODE_NORMAL;
	ui_mark(ui);
}

void
ui_copy_stop(struct ui *ui)
{
	for (int i = 0; i < ASK_COUNT; i++)
		cancel(ui, (enum copy_ask)i);
	ui_copy_forget(ui);
	if (ui_pane(ui))
		pane_scroll(ui_pane(ui), 0);
}

void
ui_copy_fini(struct ui *ui)
{
	ui_copy_forget(ui);
	loop_signal_free(ui->copying.command_end);
}

/* ---- searching ---- */
static void
ask_search(struct ui *ui, enum copy_ask what, const char *pattern, struct copy_place from,
	bool is_backwards, uint64_t limit)
{
	struct msg m = { .type = MSG_search };

	if (!*pattern)
		return;
	cancel(ui, what);
	m.search = (struct msg_search){ .request = new_request(ui, what),
		.pattern = pattern,
		.flags = SEARCH_REGEX | SEARCH_FROM | (is_backwards ? SEARCH_BACKWARDS : 0),
		.limit = limit,
		.line = from.line,
		.col = from.cell };
	pane_ask(ui_pane(ui), &m);
}

static const char *
pattern_now(const struct ui *ui)
{
	return ui->copying.is_typing ? ui->copying.pattern.text : ui->copying.last_pattern;
}

/* What of the pattern can be seen. */
static void
ask_hits(struct ui *ui)
{
	struct copying *c = &ui->copying;
	struct copy_place top;

	if (!*pattern_now(ui))
		copy_set_hits(&c->copy, NULL, 0);
	else if (copy_place_at(&c->copy, 0, 0, &top))
		ask_search(ui, ASK_HITS, pattern_now(ui), top, false, HITS_SHOWN);
}

static void
search_again(struct ui *ui, bool is_backwards)
{
	struct copying *c = &ui->copying;
	struct copy_place from = copy_cursor(&c->copy);

	if (!c->last_pattern[0]) {
		ui_message(ui, "nothing was searched yet: / or ?");
		return;
	}
	from.cell += !is_backwards;
	c->has_wrapped = false;
	c->copy.is_backwards = is_backwards;
	ask_search(ui, ASK_SEARCH, c->last_pattern, from, is_backwards, HIT_ONE);
}

static struct copy_hit
hit_of(const json_t *o)
{
	return (struct copy_hit){
		{ (uint64_t)json_integer_value(json_object_get(o, "line")),
			(unsigned)json_integer_value(json_object_get(o, "col")) },
		{ (uint64_t)json_integer_value(json_object_get(o, "end_line")),
			(unsigned)json_integer_value(json_object_get(o, "end_col")) }
	};
}

static void
go_to(struct ui *ui, struct copy_place to)
{
	struct copy *c = &ui->copying.copy;
	unsigned row, col;

	copy_go(c, to);
	if (copy_find(c, to, &row, &col))
		copy_settle(c);
	else
		pane_show(ui_pane(ui), to.line);
}

/* From the other end once, as vi does. */
static void
search_from_other_end(struct ui *ui)
{
	struct copying *c = &ui->copying;
	bool is_backwards = c->copy.is_backwards;
	struct copy_place from = { is_backwards ? UINT64_MAX >> 1 : 0, 0 };

	if (c->has_wrapped) {
		ui_message(ui, "not found");
		return;
	}
	c->has_wrapped = true;
	ask_search(ui, ASK_SEARCH, pattern_now(ui), from, is_backwards, HIT_ONE);
}

static void
found(struct ui *ui, const json_t *result)
{
	const json_t *hits = json_object_get(result, "hits");

	if (!json_array_size(hits)) {
		search_from_other_end(ui);
		return;
	}
	if (ui->copying.has_wrapped && !ui->copying.is_typing)
		ui_message(ui, "search went on from the other end");
	go_to(ui, hit_of(json_array_get(hits, 0)).at);
	ask_hits(ui);
}

static void
mark_hits(struct ui *ui, const json_t *result)
{
	const json_t *list = json_object_get(result, "hits"), *o;
	size_t n = json_array_size(list), i;
	struct copy_hit *hits = n ? mem_grow(NULL, n, sizeof *hits) : NULL;

	json_array_foreach (list, i, o)
		hits[i] = hit_of(o);
	copy_set_hits(&ui->copying.copy, hits, n);
}

/* ---- prompts and commands ---- */
static void
ask_commands(struct ui *ui, enum copy_ask what)
{
	struct msg m = { .type = MSG_commands };

	m.commands.request = new_request(ui, what);
	pane_ask(ui_pane(ui), &m);
}

static uint64_t
line_of(const json_t *o, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(o, key));
}

static void
go_to_prompt(struct ui *ui, const json_t *list)
{
	uint64_t here = copy_cursor(&ui->copying.copy).line, best = 0;
	bool is_back = ui->copying.copy.is_backwards, has_best = false;
	const json_t *o;
	size_t i;

	json_array_foreach (list, i, o) {
		uint64_t line = line_of(o, "prompt_line");

		if (line < ui->copying.copy.first || (is_back ? line >= here : line <= here))
			continue;
		if (!has_best || (is_back ? line > best : line < best))
			best = line;
		has_best = true;
	}
	if (has_best)
		go_to(ui, (struct copy_place){ best, 0 });
	else
		ui_message(ui, json_array_size(list)
				       ? "no prompt there"
				       : "no prompt is known: the shell prints no OSC 133");
}

/* The command whose prompt or output the cursor stands in: the last that begins above it. */
static void
mark_output(struct ui *ui, const json_t *list)
{
	struct copy *c = &ui->copying.copy;
	uint64_t here = copy_cursor(c).line, from, to;
	const json_t *o, *best = NULL;
	size_t i;

	json_array_foreach (list, i, o)
		if (line_of(o, "prompt_line") <= here && !json_is_true(json_object_get(o, "lost")))
			best = o;
	from = line_of(best, "output_from");
	to = line_of(best, "output_to");
	if (!best || to <= from) {
		ui_message(ui, best ? "that command printed nothing"
				    : "no command is known here: the shell prints no OSC 133");
		return;
	}
	c->marking = MARK_LINES;
	c->other_mark = (struct copy_place){ from, 0 };
	c->has_other_mark = true;
	go_to(ui, (struct copy_place){ to - 1, 0 });
}

/* ---- copying ---- */
static void
take(struct ui *ui)
{
	struct copy *c = &ui->copying.copy;
	struct copy_place from, to;
	struct msg m = { .type = MSG_capture };

	if (!ui->copying.has_places) {
		ui_error(ui, "copy mode: this session runs under an older keeper; it can only be "
			     "scrolled");
		return;
	}
	copy_range(c, &from, &to);
	m.capture = (struct msg_capture){ .request = new_request(ui, ASK_TAKE),
		.flags = CAPTURE_CELLS | (c->marking == MARK_BLOCK ? CAPTURE_BLOCK : 0),
		.from = from.line,
		.to = to.line,
		.from_cell = from.cell,
		.to_cell = to.cell };
	pane_ask(ui_pane(ui), &m);
}

static void
on_child(void *arg)
{
	struct ui *ui = arg;
	char text[UI_TEXT_BYTES];
	int status = 0;

	if (!ui->copying.command || waitpid(ui->copying.command, &status, WNOHANG) <= 0)
		return;
	ui->copying.command = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	snprintf(text, sizeof text, "[copy] command \"%.200s\": %s %d",
		ui->config.keymap->copy_command, WIFEXITED(status) ? "exit status" : "signal",
		WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	ui_error(ui, text);
}

static int
start_command(struct ui *ui, int input, pid_t *ret)
{
	const char *argv[] = { "sh", "-c", ui->config.keymap->copy_command, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none;
	int r;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, input, 0);
	posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addclosefrom_np(&files, 3);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
	r = posix_spawn(ret, "/bin/sh", &files, &attr, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return -r;
}

/* Gives the text to the configured command, as its input. The client runs it: it is the person's. */
static bool
pipe_to_command(struct ui *ui, const char *text, size_t len)
{
	AUTO(fd) int input = memfd_create("copy", MFD_CLOEXEC);

	if (ui->copying.command) {
		ui_error(ui, "the [copy] command for the text before still runs");
		return false;
	}
	if (!ui->copying.command_end)
		ui->copying.command_end =
			loop_signal_new(ui->config.loop, SIGCHLD, on_child, ui);
	if (input < 0 || fd_write_all(input, text, len) < 0 || lseek(input, 0, SEEK_SET) < 0 ||
		start_command(ui, input, &ui->copying.command) < 0) {
		ui->copying.command = 0;
		ui_error(ui, "the [copy] command could not be started");
		return false;
	}
	return true;
}

static void
took(struct ui *ui, const char *text, size_t len)
{
	bool has_command = ui->config.keymap->copy_command[0], is_given, is_copied;
	size_t lines = 1;
	char words[UI_TEXT_BYTES];

	if (!len) {
		ui_message(ui, "there is no text to copy");
		return;
	}
	is_given = has_command && pipe_to_command(ui, text, len);
	is_copied = ui->config.copy && ui->config.copy(text, len, ui->config.arg);

	for (size_t i = 0; i < len; i++)
		lines += text[i] == '\n';
	ui_leave_modes(ui);
	if (!is_copied && !has_command) {
		ui_error(ui, "clipboard: this terminal takes no text for it (OSC 52); set [copy] "
			     "command in sandesk.ini");
		return;
	}
	if (has_command && !is_given)
		return;
	snprintf(words, sizeof words, "%zu %s copied%s", lines == 1 ? len : lines,
		lines > 1 ? "lines" : "bytes", is_given ? ", also to the [copy] command" : "");
	ui_message(ui, words);
}

/* ---- answers ---- */
static void
answered(struct ui *ui, enum copy_ask what, const char *text, size_t len)
{
	json_t *result = what == ASK_TAKE ? NULL : json_loadb(text, len, 0, NULL);

	if (what == ASK_TAKE)
		took(ui, text, len);
	else if (what == ASK_SEARCH)
		found(ui, result);
	else if (what == ASK_HITS)
		mark_hits(ui, result);
	else if (what == ASK_PROMPTS)
		go_to_prompt(ui, result);
	else if (what == ASK_OUTPUT)
		mark_output(ui, result);
	json_decref(result);
}

void
ui_copy_answered(struct pane *p, uint64_t request, const char *text, size_t len, const char *why,
	void *arg)
{
	struct ui *ui = arg;
	struct copying *c = &ui->copying;

	if (!c->is_on || p != ui_pane(ui))
		return;
	for (int i = 0; i < ASK_COUNT; i++) {
		if (c->asked[i] != request)
			continue;
		c->asked[i] = 0;
		if (text)
			answered(ui, (enum copy_ask)i, text, len);
		else if (i != ASK_HITS) /* half of a pattern is often none */
			ui_error(ui, why);
		ui_mark(ui);
		return;
	}
}

void
ui_copy_placed(struct pane *p, const struct pane_places *places, void *arg)
{
	struct ui *ui = arg;
	struct copying *c = &ui->copying;

	if (c->is_on && p == ui_pane(ui))
		c->has_places |= copy_places(
			&c->copy, places->rows, places->len, places->first, places->next);
}

/* What the mouse did before the view was held. */
static void
do_what_is_due(struct ui *ui)
{
	struct copying *c = &ui->copying;

	if (!c->has_places)
		return;
	if (c->is_word_due)
		copy_mark_word(&c->copy, c->press_row, c->press_col);
	else if (c->due != MARK_NONE)
		copy_mark(&c->copy, c->due, c->press_row, c->press_col);
	if (c->is_drag_due)
		copy_drag(&c->copy, c->drag_row, c->drag_col);
	c->is_word_due = c->is_drag_due = false;
	c->due = MARK_NONE;
	if (c->is_take_due)
		take(ui);
	c->is_take_due = false;
}

void
ui_copy_changed(struct ui *ui)
{
	if (!ui->copying.is_on)
		return;
	copy_settle(&ui->copying.copy);
	do_what_is_due(ui);
	if (*pattern_now(ui) && !ui->copying.asked[ASK_HITS])
		ask_hits(ui);
	ui_mark(ui);
}

/* ---- keys ---- */
static void
type_pattern(struct ui *ui)
{
	struct copying *c = &ui->copying;

	c->is_typing = true;
	c->origin = copy_cursor(&c->copy);
	field_set(&c->pattern, "");
	copy_set_hits(&c->copy, NULL, 0);
}

static void
key_pattern(struct ui *ui, struct key k)
{
	struct copying *c = &ui->copying;
	bool is_end = k.code == KEY_ENTER || k.code == KEY_KP_ENTER;

	if (k.code == KEY_ESCAPE || key_equal(k, (struct key){ .code = 'c', .mods = MOD_CTRL }) ||
		key_equal(k, (struct key){ .code = 'g', .mods = MOD_CTRL })) {
		c->is_typing = false;
		cancel(ui, ASK_SEARCH);
		go_to(ui, c->origin);
		ask_hits(ui);
	} else if (is_end) {
		c->is_typing = false;
		if (c->pattern.len)
			str_copy(c->last_pattern, sizeof c->last_pattern, c->pattern.text);
		ask_hits(ui);
	} else if (field_key(&c->pattern, k)) {
		struct copy_place from = c->origin;

		from.cell += !c->copy.was_backwards;
		c->has_wrapped = false;
		c->copy.is_backwards = c->copy.was_backwards;
		ask_search(ui, ASK_SEARCH, c->pattern.text, from, c->copy.is_backwards, HIT_ONE);
		if (!c->pattern.len)
			copy_set_hits(&c->copy, NULL, 0);
	}
}

static void
obey(struct ui *ui, enum copy_want want)
{
	struct copy *c = &ui->copying.copy;
	struct pane *p = ui_pane(ui);

	switch (want) {
	case COPY_SCROLL:
		pane_hold(p, c->lines);
		break;
	case COPY_SHOW:
		pane_show(p, c->goal.line);
		break;
	case COPY_TAKE:
		take(ui);
		break;
	case COPY_TYPE:
		type_pattern(ui);
		break;
	case COPY_AGAIN:
		search_again(ui, c->is_backwards);
		break;
	case COPY_PROMPT:
		ask_commands(ui, ASK_PROMPTS);
		break;
	case COPY_OUTPUT:
		ask_commands(ui, ASK_OUTPUT);
		break;
	case COPY_END:
		ui_leave_modes(ui);
		break;
	case COPY_NOTHING:
		break;
	}
}

void
ui_copy_key(struct ui *ui, struct key k)
{
	ui_expect_echo(ui);
	if (ui->copying.is_typing)
		key_pattern(ui, k);
	else
		obey(ui, copy_key(&ui->copying.copy, k));
}

/* ---- the mouse ---- */
static void
press(struct ui *ui, struct mouse m, struct area a)
{
	struct copying *c = &ui->copying;
	unsigned row = (unsigned)(m.row - a.row), col = (unsigned)(m.col - a.col);
	int64_t now = loop_now(ui->config.loop);
	bool is_again = c->clicks && now - c->press_ms < CLICK_MS && c->press_row == row &&
			c->press_col == col;

	c->clicks = is_again ? c->clicks % 3 + 1 : 1;
	c->press_ms = now;
	c->press_row = row;
	c->press_col = col;
	c->is_pressed = true;
	if (c->is_on && c->clicks == 1)
		c->copy.marking = MARK_NONE;
	if (c->is_on)
		copy_drag(&c->copy, row, col);
	if (c->clicks == 1)
		return;
	if (!c->is_on)
		ui_copy_begin(ui, 0);
	c->is_pressed = true;
	c->is_word_due = c->clicks == 2;
	c->due = c->clicks == 3 ? MARK_LINES : MARK_NONE;
	do_what_is_due(ui);
}

static void
drag(struct ui *ui, struct mouse m, struct area a)
{
	struct copying *c = &ui->copying;
	int row = m.row - a.row, col = m.col - a.col;

	if (!c->is_on) {
		ui_copy_begin(ui, 0);
		if (!c->is_on)
			return;
	}
	c->is_pressed = true;
	if (c->copy.marking == MARK_NONE && c->due == MARK_NONE && !c->is_word_due)
		c->due = m.mods & MOD_ALT ? MARK_BLOCK : MARK_CELLS;
	if (row < 0 || row >= a.rows)
		pane_hold(ui_pane(ui), row < 0 ? 1 : -1);
	c->drag_row = (unsigned)(row < 0 ? 0 : row >= a.rows ? a.rows - 1 : row);
	c->drag_col = (unsigned)(col < 0 ? 0 : col >= a.cols ? a.cols - 1 : col);
	c->is_drag_due = true;
	c->clicks = 1;
	do_what_is_due(ui);
}

bool
ui_copy_mouse(struct ui *ui, struct mouse m, struct area a)
{
	struct copying *c = &ui->copying;

	if (c->is_on && (m.kind == MOUSE_WHEEL_UP || m.kind == MOUSE_WHEEL_DOWN)) {
		pane_hold(ui_pane(ui), m.kind == MOUSE_WHEEL_UP ? WHEEL_ROWS : -WHEEL_ROWS);
		return true;
	}
	if (m.kind == MOUSE_PRESS && m.button == 1 && area_holds(a, m.row, m.col)) {
		press(ui, m, a);
	} else if (m.kind == MOUSE_DRAG && c->is_pressed) {
		drag(ui, m, a);
	} else if (m.kind == MOUSE_RELEASE && c->is_pressed) {
		c->is_pressed = false;
		c->is_take_due = c->is_on && (c->copy.marking || c->due || c->is_word_due) &&
				 c->clicks != 2; /* a third click may come */
		if (c->is_on)
			do_what_is_due(ui);
	} else {
		return false;
	}
	ui_mark(ui);
	return true;
}

/* ---- drawing ---- */
static void
paint(struct cell *cell, const struct style *look)
{
	const uint16_t kept = ATTR_WIDE | ATTR_SPACER;

	cell->fg = look->fg;
	cell->bg = look->bg;
	cell->attr = (uint16_t)((cell->attr & kept) | look->attr);
}

void
ui_copy_draw(const struct ui *ui, struct surface *s, struct area a)
{
	const struct theme *t = ui->config.theme;
	const struct copy *c = &ui->copying.copy;
	struct size size = mirror_size(c->mirror);

	for (int row = 0; row < a.rows && row < size.rows; row++) {
		struct cell *cells = surface_row(s, (unsigned)(a.row + row)) + a.col;

		for (int col = 0; col < a.cols && col < size.cols; col++) {
			int hit = copy_hit_at(c, (unsigned)row, (unsigned)col);

			if (copy_is_marked(c, (unsigned)row, (unsigned)col))
				paint(&cells[col], &t->role[ROLE_MARKED]);
			else if (hit)
				paint(&cells[col], &t->role[hit == 2 ? ROLE_HIT_HERE : ROLE_HIT]);
		}
	}
	if ((int)c->row < a.rows && (int)c->col < a.cols)
		s->cursor = (struct surface_cursor){ .is_visible = true,
			.row = (uint16_t)(a.row + (int)c->row),
			.col = (uint16_t)(a.col + (int)c->col) };
}

static const char *const marking_names[] = { "", "-- cells --", "-- lines --", "-- block --" };

void
ui_copy_draw_bar(const struct ui *ui, struct surface *s)
{
	const struct copying *c = &ui->copying;
	const struct theme *t = ui->config.theme;
	struct area a = ui->bar_area;
	uint64_t up = mirror_scroll(c->copy.mirror), all = mirror_history_lines(c->copy.mirror);
	char right[80];
	int col;

	surface_fill(s, a, t->role[ROLE_BAR]);
	if (c->is_typing) {
		col = surface_text(s, a, a.row, 0, t->role[ROLE_BAR_STRONG],
			c->copy.was_backwards ? "?" : "/");
		field_draw(&c->pattern, s, (struct area){ a.row, col, 1, a.cols - col },
			t->role[ROLE_FIELD]);
		return;
	}
	col = surface_text(s, a, a.row, 1, t->role[ROLE_BAR_STRONG], "copy mode ");
	if (c->copy.marking)
		col = surface_text(s, a, a.row, col, t->role[ROLE_BAR_KEY],
			marking_names[c->copy.marking]);
	else
		col = surface_text(s, a, a.row, col, t->role[ROLE_BAR],
			"v V C-v: mark  y: copy  / ?: search  [ ]: prompts  q: end");
	snprintf(right, sizeof right, " %llu of %llu lines up ", (unsigned long long)up,
		(unsigned long long)all);
	if (a.cols - (int)strlen(right) > 12)
		surface_text(s, a, a.row, a.cols - (int)strlen(right), t->role[ROLE_BAR_KEY], right);
}
