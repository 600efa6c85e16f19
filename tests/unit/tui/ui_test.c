/* Golden screens: what a person sees at a size after some keys, drawn by the memory back end.
 * `UPDATE=1` writes them anew. No daemon and no keeper are there: panes say so, and everything else
 * works. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "draw/out.h"
#include "draw/theme.h"
#include "input/keymap.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/str.h"
#include "sandesk/loop.h"
#include "sandesk/paths.h"
#include "view/ui-inner.h"

static const char nothing[] = "{\"desktops\":[],\"sessions\":[]}";
static const char some[] =
	"{\"desktops\":[{\"id\":\"0000000000000001\",\"name\":\"shop\",\"dir\":\"/src/shop\"},"
	"{\"id\":\"0000000000000002\",\"name\":\"blog\",\"dir\":\"/src/blog\"}],\"sessions\":["
	"{\"id\":\"0000000000000011\",\"desktop_id\":\"0000000000000001\",\"name\":\"api\","
	"\"status\":\"working\",\"kind\":\"terminal\"},"
	"{\"id\":\"0000000000000012\",\"desktop_id\":\"0000000000000001\",\"name\":\"tests\","
	"\"status\":\"failed\",\"kind\":\"terminal\","
	"\"exit_status\":2},"
	"{\"id\":\"0000000000000013\",\"desktop_id\":\"0000000000000001\",\"name\":\"run-once\","
	"\"status\":\"working\",\"kind\":\"exec\"},"
	"{\"id\":\"0000000000000014\",\"desktop_id\":\"0000000000000002\",\"name\":\"sh\","
	"\"status\":\"done\",\"kind\":\"terminal\","
	"\"exit_status\":0}]}";

static const struct {
	const char *name;
	struct size size;
	const char *world;
	const char *keys; /* names, joined by blanks */
} screens[] = {
	{ "welcome-80x24", { 24, 80 }, nothing, "" },
	{ "welcome-20x6", { 6, 20 }, nothing, "" },
	{ "too-small", { 5, 20 }, some, "" },
	{ "new-desktop", { 24, 80 }, nothing, "Enter" },
	{ "tree-80x24", { 24, 80 }, some, "" },
	{ "tree-40x12", { 12, 40 }, some, "C-Space g Down" },
	{ "tree-on-40x12", { 12, 40 }, some, "C-Space t" },
	{ "tree-folded", { 24, 80 }, some, "C-Space g Home Left" },
	{ "tree-other-desktop", { 24, 80 }, some, "C-Space g End Up Enter" },
	{ "tree-off", { 12, 80 }, some, "C-Space t" },
	{ "help", { 24, 80 }, some, "C-Space ?" },
	{ "help-second-page", { 12, 40 }, some, "C-Space ? PageDown" },
	{ "prompt", { 12, 80 }, some, "C-Space : a b c Left X" },
	{ "prompt-narrow", { 6, 20 }, some, "C-Space c v i m" },
	{ "palette", { 24, 80 }, some, "C-Space : s h o w Up Up" },
	{ "palette-target", { 12, 40 }, some, "C-Space : s e s s i o n Space s h o w Space Tab" },
	{ "palette-prefix", { 12, 80 }, some, "C-Space : z o o C-Space Escape m" },
	{ "no-such-command", { 12, 80 }, some, "C-Space : f o o Enter" },
	{ "message-narrow", { 12, 40 }, some, "C-Space : f r o b n i c a t e Enter" },
	{ "which-key-80x24", { 24, 80 }, some, "C-Space" },
	{ "which-key-40x12", { 12, 40 }, some, "C-Space" },
	{ "which-key-20x6", { 6, 20 }, some, "C-Space" },
	{ "kill-asks", { 12, 80 }, some, "C-Space K" },
	{ "no-daemon", { 12, 80 }, some, "C-Space S" },
	{ "unbound", { 12, 80 }, some, "C-Space F9" },
	{ "rename", { 12, 80 }, some, "C-Space ," },
	{ "wrong-name-stays", { 12, 80 }, nothing, "Enter / Enter" },
	{ "wrong-command-stays", { 12, 80 }, some, "C-Space c v i m ' Enter Enter" },
	{ "closed", { 12, 80 }, some, "C-Space x" },
	{ "split-without-daemon", { 12, 80 }, some, "C-Space g Home Down Enter C-Space %" },
};

static void
press(struct ui *ui, const char *names)
{
	char copy[200], *rest = copy;

	assert_true(str_copy(copy, sizeof copy, names));
	for (char *name = strsep(&rest, " "); name; name = strsep(&rest, " ")) {
		struct key key;

		if (!*name)
			continue;
		assert_int_equal(key_parse(name, &key, NULL), 0);
		ui_key(ui, key);
	}
}

static void
picture(size_t row, bool is_mono, struct buf *to)
{
	struct paths paths = { .runtime = "/nonexistent", .state = "/nonexistent" };
	struct keymap keymap;
	struct theme theme;
	struct loop *loop = loop_new();
	struct ui_config c = { .loop = loop,
		.paths = &paths,
		.theme = &theme,
		.keymap = &keymap,
		.cwd = "/src/shop/my lib" };
	struct out *memory = out_memory.new(NULL, NULL);
	json_t *world = json_loads(screens[row].world, 0, NULL);
	struct surface s;
	struct ui *ui;

	keymap_default(&keymap);
	theme_default(&theme, !is_mono);
	ui = ui_new(&c);
	ui_resize(ui, screens[row].size);
	ui_subscribed(ui, world);
	press(ui, screens[row].keys);
	surface_init(&s, screens[row].size);
	assert_true(ui_is_dirty(ui));
	ui->is_which_key_shown = ui->mode == MODE_PREFIX; /* as after its time */
	ui_draw(ui, &s);
	ui_drawn(ui);
	assert_false(ui_is_dirty(ui));
	out_memory.frame(memory, &s, to);
	out_memory.free(memory);
	surface_fini(&s);
	ui_free(ui);
	json_decref(world);
	loop_free(loop);
}

static void
read_file(const char *path, struct buf *to)
{
	char bytes[4096];
	FILE *f = fopen(path, "re");
	size_t n;

	if (!f)
		return;
	while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
		buf_add(to, bytes, n);
	fclose(f);
}

static void
test_golden(void **state)
{
	const char *update = getenv("UPDATE");

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(screens); i++) {
		AUTO(buf) struct buf got = { 0 }, want = { 0 };
		char path[128];

		snprintf(path, sizeof path, "tests/golden/%s.screen", screens[i].name);
		picture(i, false, &got);
		read_file(path, &want);
		if (update && *update) {
			FILE *f = fopen(path, "we");

			assert_non_null(f);
			fwrite(got.data, 1, got.len, f);
			fclose(f);
		} else if (want.len != got.len || memcmp(want.data, got.data, got.len) != 0) {
			fail_msg("%s: got\n%s", path, got.data);
		}
	}
}

/* Nothing is said by colour alone: without colours the text is the same. */
static void
test_mono_says_the_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(screens); i++) {
		AUTO(buf) struct buf colours = { 0 }, mono = { 0 };

		picture(i, false, &colours);
		picture(i, true, &mono);
		assert_string_equal(colours.data, mono.data);
	}
}

/* At any size, with anything on the screen, nothing is drawn outside (ASan) and nothing crashes. */
static void
test_every_size(void **state)
{
	struct paths paths = { .runtime = "/nonexistent", .state = "/nonexistent" };
	static const char *const keys[] = { "", "C-Space ?", "C-Space : x", "C-Space K",
		"C-Space g", "C-Space %", "C-Space c" };
	struct keymap keymap;
	struct theme theme;
	struct loop *loop = loop_new();
	struct ui_config c = {
		.loop = loop, .paths = &paths, .theme = &theme, .keymap = &keymap, .cwd = "/"
	};
	json_t *world = json_loads(some, 0, NULL);

	(void)state;
	keymap_default(&keymap);
	theme_default(&theme, true);
	for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
		struct ui *ui = ui_new(&c);

		ui_resize(ui, (struct size){ 24, 80 });
		ui_subscribed(ui, world);
		press(ui, keys[k]);
		for (unsigned rows = 1; rows < 40; rows += 3)
			for (unsigned cols = 2; cols < 130; cols += 7) {
				struct size size = size_clamp(rows, cols);
				struct surface s;

				surface_init(&s, size);
				ui_resize(ui, size);
				ui_draw(ui, &s);
				ui_drawn(ui);
				ui_mouse(ui, (struct mouse){ .kind = MOUSE_WHEEL_UP,
						     .row = (uint16_t)(rows / 2),
						     .col = (uint16_t)(cols / 2) });
				surface_fini(&s);
			}
		ui_free(ui);
	}
	json_decref(world);
	loop_free(loop);
}

struct taken {
	unsigned n;
	char text[64];
};

static bool
take_copy(const void *bytes, size_t len, void *arg)
{
	struct taken *t = arg;

	t->n++;
	snprintf(t->text, sizeof t->text, "%.*s", (int)len, (const char *)bytes);
	return true;
}

struct stage {
	struct paths paths;
	struct keymap keymap;
	struct theme theme;
	struct loop *loop;
	struct taken taken;
	struct ui *ui;
};

static void
stage_open(struct stage *t, enum clipboard_policy policy, bool is_read_only)
{
	json_t *world = json_loads(some, 0, NULL);
	struct ui_config c = { .paths = &t->paths,
		.theme = &t->theme,
		.keymap = &t->keymap,
		.cwd = "/src/shop",
		.is_read_only = is_read_only,
		.copy = take_copy,
		.arg = &t->taken };

	*t = (struct stage){ .paths = { .runtime = "/nonexistent", .state = "/nonexistent" } };
	t->loop = c.loop = loop_new();
	keymap_default(&t->keymap);
	theme_default(&t->theme, true);
	t->keymap.clipboard = policy;
	t->ui = ui_new(&c);
	ui_resize(t->ui, (struct size){ 24, 80 });
	ui_subscribed(t->ui, world);
	json_decref(world);
}

static void
stage_close(struct stage *t)
{
	ui_free(t->ui);
	loop_free(t->loop);
}

/* What a program wants copied goes nowhere without a key of the person, unless the settings say so. */
static void
test_copies(void **state)
{
	static const struct {
		enum clipboard_policy policy;
		bool is_read_only;
		unsigned at_once, after_the_key;
	} rows[] = { { CLIPBOARD_ASK, false, 0, 1 }, { CLIPBOARD_YES, false, 1, 1 },
		{ CLIPBOARD_NO, false, 0, 0 }, { CLIPBOARD_YES, true, 0, 0 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct stage t;

		stage_open(&t, rows[i].policy, rows[i].is_read_only);
		ui_copies(ui_pane(t.ui), "rm\033[2J", 6, t.ui);
		assert_int_equal(t.taken.n, rows[i].at_once);
		assert_null(strchr(t.ui->message, '\033'));
		assert_int_equal(t.ui->message[0] != 0,
			rows[i].policy != CLIPBOARD_NO && !rows[i].is_read_only);
		press(t.ui, "y C-Space y");
		assert_int_equal(t.taken.n, rows[i].after_the_key);
		if (t.taken.n)
			assert_string_equal(t.taken.text, "rm\033[2J");
		press(t.ui, "C-Space y"); /* once */
		assert_int_equal(t.taken.n, rows[i].after_the_key);
		stage_close(&t);
	}
}

static void
test_pastes(void **state)
{
	static const struct {
		const char *text, *question;
	} rows[] = { { "one", "" }, { "ls\n", "Paste 1 line into shop/api?" },
		{ "a\r\nb\rc\n", "Paste 3 lines into shop/api?" },
		{ "a\n\nb", "Paste 3 lines into shop/api?" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct stage t;

		stage_open(&t, CLIPBOARD_ASK, false);
		ui_paste(t.ui, rows[i].text, strlen(rows[i].text), false);
		assert_int_equal(t.ui->mode, rows[i].question[0] ? MODE_QUESTION : MODE_NORMAL);
		assert_true(str_has_prefix(t.ui->question, rows[i].question));
		press(t.ui, i % 2 ? "y" : "n");
		assert_int_equal(t.ui->mode, MODE_NORMAL);
		assert_int_equal(t.ui->paste.len, 0);
		stage_close(&t);
	}
}

/* A notification of a session that is not shown is said, and marked until it is shown. */
static void
test_unread(void **state)
{
	json_t *changed =
		json_loads("{\"id\":\"0000000000000012\",\"desktop_id\":"
			   "\"0000000000000001\",\"name\":\"tests\",\"status\":\"working\","
			   "\"kind\":\"terminal\",\"notices\":1,\"notice\":\"ready\"}",
			0, NULL);
	const struct session *s;
	struct stage t;

	(void)state;
	stage_open(&t, CLIPBOARD_ASK, false);
	ui_notified(t.ui, "session.changed", changed);
	assert_string_equal(t.ui->message, "shop/tests says: ready");
	s = model_session(&t.ui->model, "0000000000000012");
	assert_true(s->notices > s->notices_seen);
	ui_show_session(t.ui, "0000000000000012");
	assert_true(s->notices == s->notices_seen);
	json_decref(changed);
	stage_close(&t);
}

static void
change_limits(struct stage *t, const char *status, const char *limits)
{
	char text[400];
	json_t *changed;

	snprintf(text, sizeof text,
		"{\"id\":\"0000000000000012\",\"desktop_id\":\"0000000000000001\",\"name\":"
		"\"tests\","
		"\"status\":\"%s\",\"kind\":\"terminal\",\"limits\":%s%s%s}",
		status, limits ? "\"" : "", limits ? limits : "null", limits ? "\"" : "");
	changed = json_loads(text, 0, NULL);
	assert_non_null(changed);
	ui_message(t->ui, "");
	ui_notified(t->ui, "session.changed", changed);
	json_decref(changed);
}

/* A budget that comes near is said once; that it paused the session, once more. */
static void
test_limits(void **state)
{
	struct stage t;

	(void)state;
	stage_open(&t, CLIPBOARD_ASK, false);
	change_limits(&t, "working", NULL);
	assert_string_equal(t.ui->message, "");
	change_limits(&t, "working", "memory 83% of 512M");
	assert_string_equal(t.ui->message, "shop/tests: memory 83% of 512M");
	change_limits(&t, "working", "memory 90% of 512M");
	assert_string_equal(t.ui->message, "");
	change_limits(&t, "paused", "memory 101% of 512M");
	assert_string_equal(t.ui->message,
		"shop/tests is paused: memory 101% of 512M; session resume grants it once more");
	change_limits(&t, "paused", "memory 101% of 512M");
	assert_string_equal(t.ui->message, "");
	stage_close(&t);
}

/* The tree has a badge beside a session whose machine lacks walls. */
static void
test_missing_walls(void **state)
{
	static const struct {
		const char *status, *walls, *note;
	} rows[] = {
		{ "working", "[\"cgroup\"]", "*-t -1 wall " },
		{ "working", "[\"landlock\",\"cgroup\"]", "*-t -2 walls " },
		{ "working", "[]", "* t  " },
		{ "working", "null", "* t  " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		AUTO(buf) struct buf text = { 0 };
		struct out *memory = out_memory.new(NULL, NULL);
		struct size size = { 24, 200 };
		struct surface s;
		struct stage t;
		char change[300];
		json_t *changed;

		snprintf(change, sizeof change,
			"{\"id\":\"0000000000000012\",\"desktop_id\":\"0000000000000001\",\"name\":"
			"\"t\",\"status\":\"%s\","
			"\"kind\":\"terminal\",\"walls_missing\":%s}",
			rows[i].status, rows[i].walls);
		changed = json_loads(change, 0, NULL);
		assert_non_null(changed);
		stage_open(&t, CLIPBOARD_ASK, false);
		ui_resize(t.ui, size);
		ui_notified(t.ui, "session.changed", changed);
		surface_init(&s, size);
		ui_draw(t.ui, &s);
		out_memory.frame(memory, &s, &text);
		if (!strstr(text.data, rows[i].note))
			fail_msg("%s: no \"%s\" in:\n%s", rows[i].walls, rows[i].note, text.data);
		out_memory.free(memory);
		surface_fini(&s);
		json_decref(changed);
		stage_close(&t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_mono_says_the_same),
		cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_pastes),
		cmocka_unit_test(test_unread),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_missing_walls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
