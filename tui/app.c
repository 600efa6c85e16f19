/* The outermost ring: the terminal, the loop, the daemon's connection, and when to draw.
 *
 *   bytes -> decoder -> ui        notifications, frames -> ui        ui is dirty -> picture -> back end -> bytes
 *
 * A picture is drawn at once when the last one is FRAME_MS ago or when it answers a key; else a timer waits for the rest of
 * that time, and what happens meanwhile is one picture. While the terminal has not taken the last one, none is drawn. */
#include "app.h"

#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "cli/listing.h"
#include "draw/out.h"
#include "draw/surface.h"
#include "draw/theme.h"
#include "draw/tty.h"
#include "input/answers.h"
#include "input/decoder.h"
#include "input/keymap.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/clock.h"
#include "sandesk/base/err.h"
#include "sandesk/base/fd.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/client.h"
#include "sandesk/loop.h"
#include "sandesk/paths.h"
#include "view/ui.h"

enum {
	FRAME_MS = 33,
	URGENT_MS = 1,
	RECONNECT_MS = 200,
	RECONNECT_MAX_MS = 3000
};

static const int end_signals[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };

struct app {
	const struct app_options *options;
	struct loop *loop;
	struct loop_hook *turn;
	struct loop_timer *frame_timer, *decoder_timer, *reconnect_timer;
	struct loop_signal *signals[ARRAY_LEN(end_signals)];
	struct tty *tty;
	struct out *out;
	struct decoder *decoder;
	struct surface surface;
	struct theme theme;
	enum out_depth depth;
	bool is_light; /* the terminal's background */
	int config_fd;
	struct loop_fd *config_watch;
	struct keymap keymap;
	struct ui *ui;
	struct rpc *rpc;
	struct buf bytes;
	int64_t drawn_ms;
	int reconnect_ms;
	bool is_rpc_lost, has_hung_up;
	struct answers answers;
	bool has_answers;
	char attach_id[ID_BYTES];
	char cwd[PATH_MAX];
};

/* ---- drawing ---- */
static void
draw(struct app *a, int64_t now)
{
	ui_draw(a->ui, &a->surface);
	buf_reset(&a->bytes);
	a->out->ops->frame(a->out, &a->surface, &a->bytes);
	surface_settle(&a->surface);
	tty_write(a->tty, &a->bytes);
	ui_drawn(a->ui);
	a->drawn_ms = now;
}

static void
on_turn(void *arg)
{
	struct app *a = arg;
	int64_t now = loop_now(a->loop), wait;

	if (ui_wants_quit(a->ui) || a->has_hung_up) {
		loop_stop(a->loop);
		return;
	}
	if (!ui_is_dirty(a->ui) || tty_is_busy(a->tty))
		return;
	wait = a->drawn_ms + (ui_is_urgent(a->ui, now) ? URGENT_MS : FRAME_MS) - now;
	if (wait > 0)
		loop_timer_start(a->frame_timer, wait);
	else
		draw(a, now);
}

static void
on_frame_timer(void *arg)
{
	(void)arg; /* it has woken the loop; on_turn() draws */
}

/* ---- the terminal ---- */
static void
tty_input(const void *bytes, size_t len, void *arg)
{
	struct app *a = arg;

	loop_timer_stop(a->decoder_timer);
	decoder_feed(a->decoder, bytes, len);
	if (decoder_waits(a->decoder))
		loop_timer_start(a->decoder_timer, decoder_waits(a->decoder));
}

static void
on_decoder_timer(void *arg)
{
	decoder_expire(((struct app *)arg)->decoder);
}

static void
tty_drained(void *arg)
{
	(void)arg; /* on_turn() draws what has come meanwhile */
}

static void
tell_cell_pixels(struct app *a)
{
	unsigned width, height;

	tty_cell_pixels(a->tty, &width, &height);
	ui_cell_pixels(a->ui, width, height);
}

static void
tty_resized(struct size size, void *arg)
{
	struct app *a = arg;

	a->out->ops->redraw(a->out); /* terminals differ in what they keep on the screen */
	surface_resize(&a->surface, size);
	tell_cell_pixels(a);
	ui_resize(a->ui, size);
}

static void
tty_hangup(void *arg)
{
	((struct app *)arg)->has_hung_up = true;
}

static const struct tty_ops tty_ops = { tty_input, tty_drained, tty_resized, tty_hangup };

static void
on_end_signal(void *arg)
{
	((struct app *)arg)->has_hung_up = true;
}

/* All that the terminal can is known: the fence has come. */
static void
take_answers(struct app *a)
{
	const struct out_ops *ops = a->out->ops;
	enum out_keys keys = answers_keys(&a->answers);

	if (a->has_answers)
		return;
	a->has_answers = true;
	decoder_expect_strings(a->decoder, false);
	if (ops->set_sync)
		ops->set_sync(a->out, a->answers.has_sync);
	if (!ops->set_keys || keys == OUT_KEYS_PLAIN)
		return;
	tty_set_rescue(a->tty, out_rescue(ops, keys));
	buf_reset(&a->bytes);
	ops->set_keys(a->out, keys, &a->bytes);
	tty_write(a->tty, &a->bytes);
}

/* ---- configuration ---- */
/* Reads sandesk.ini and the theme. What is wrong there is said on the screen and stops nothing. */
static void
load_settings(struct app *a, enum out_depth depth, struct err *e)
{
	bool has_colours = depth != DEPTH_MONO;
	char path[THEME_PATH_BYTES];

	keymap_default(&a->keymap);
	theme_default(&a->theme, has_colours);
	keymap_load(&a->keymap, a->options->paths->config, e);
	if (!a->keymap.theme[0] && a->is_light) /* chosen by the terminal's background */
		str_copy(a->keymap.theme, sizeof a->keymap.theme, "light");
	if (!a->keymap.theme[0] || !has_colours)
		path[0] = 0;
	else if (theme_find(a->options->paths, a->keymap.theme, path))
		theme_load(&a->theme, path, e->code ? NULL : e);
	else if (!e->code)
		err_set(e, -ENOENT,
			"theme %.60s: is not there; put a file themes/NAME.theme beside "
			"sandesk.ini",
			a->keymap.theme);
	if (depth < DEPTH_256)
		theme_reduce(&a->theme);
}

static void
reload(void *arg)
{
	struct app *a = arg;
	struct err e = { 0 };

	load_settings(a, a->depth, &e);
	if (e.code)
		ui_error(a->ui, e.msg);
	else
		ui_message(a->ui, "configuration and theme were read again");
}

/* A light theme for a light background, unless one is configured. */
static void
take_background(struct app *a, bool is_dark)
{
	struct err e = { 0 };
	bool was_light = a->is_light;

	a->is_light = !is_dark;
	ui_background(a->ui, is_dark);
	if (a->is_light != was_light)
		load_settings(a, a->depth, &e); /* what is wrong there was said at the start */
}

/* Somebody saved a file beside sandesk.ini or among the themes. */
static void
on_config(int fd, int events, void *arg)
{
	char bytes[4096] __attribute__((aligned(8)));

	(void)events;
	while (read(fd, bytes, sizeof bytes) > 0)
		;
	reload(arg);
}

static void
watch_config(struct app *a)
{
	const char *slash = strrchr(a->options->paths->config, '/');
	const uint32_t what = IN_CLOSE_WRITE | IN_MOVED_TO;
	char folder[THEME_PATH_BYTES];

	a->config_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (a->config_fd < 0)
		return; /* the action `reload` does it then */
	snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - a->options->paths->config) : 0,
		a->options->paths->config);
	(void)inotify_add_watch(a->config_fd, folder, what);
	if (theme_folder(a->options->paths, 0, folder))
		(void)inotify_add_watch(a->config_fd, folder, what);
	a->config_watch = loop_fd_new(a->loop, a->config_fd, LOOP_READ, on_config, a);
}

static void
take_reply(struct app *a, const struct reply *r)
{
	if (r->prefix == '?' && r->final == 'n' && r->params[0] == 997)
		take_background(a, r->params[1] != 2); /* it changes its colours */
	else if (answers_take(&a->answers, r))
		take_answers(a);
}

static void
take_string(struct app *a, char introducer, const char *text)
{
	bool is_dark;

	if (introducer == ']' && answers_background(text, &is_dark))
		take_background(a, is_dark);
}

static void
on_event(const struct event *e, void *arg)
{
	struct app *a = arg;

	switch (e->kind) {
	case EVENT_KEY:
		ui_key(a->ui, e->key);
		break;
	case EVENT_MOUSE:
		ui_mouse(a->ui, e->mouse);
		break;
	case EVENT_PASTE:
		ui_paste(a->ui, e->paste.data, e->paste.len, e->paste.is_cut);
		break;
	case EVENT_FOCUS:
		ui_focus(a->ui, e->has_focus);
		break;
	case EVENT_REPLY:
		take_reply(a, &e->reply);
		break;
	case EVENT_STRING:
		take_string(a, e->string.introducer, e->string.text);
		break;
	}
}

/* ---- the daemon ---- */
static void
on_subscribed(json_t *result, const struct err *error, void *arg)
{
	struct app *a = arg;

	if (error)
		ui_error(a->ui, error->msg);
	else
		ui_subscribed(a->ui, result);
}

static void
rpc_notified(const char *method, json_t *params, void *arg)
{
	ui_notified(((struct app *)arg)->ui, method, params);
}

static void
rpc_closed(const char *why, void *arg)
{
	struct app *a = arg;

	(void)why;
	a->is_rpc_lost = true;
	ui_connect(a->ui, NULL);
	ui_message(a->ui, "the daemon is gone; sessions go on; reconnecting");
	loop_timer_start(a->reconnect_timer, RECONNECT_MS);
}

static const struct rpc_ops rpc_ops = { rpc_notified, rpc_closed };

static int
connect_daemon(struct app *a, struct err *e)
{
	struct client *c;
	int fd, r = client_open(&c, a->options->paths, CLIENT_START, e);

	if (r < 0)
		return r;
	fd = client_take_fd(c);
	client_free(c);
	a->rpc = rpc_new(a->loop, fd, &rpc_ops, a);
	a->is_rpc_lost = false;
	return 0;
}

static void
subscribe(struct app *a)
{
	ui_connect(a->ui, a->rpc);
	rpc_call(a->rpc, "subscribe", json_object(), on_subscribed, a);
}

static void
on_reconnect(void *arg)
{
	struct app *a = arg;
	struct err e = { 0 };

	if (a->is_rpc_lost) {
		rpc_free(a->rpc);
		a->rpc = NULL;
	}
	if (connect_daemon(a, &e) == 0) {
		a->reconnect_ms = RECONNECT_MS;
		ui_message(a->ui, "connected to a new daemon");
		subscribe(a);
		return;
	}
	ui_error(a->ui, e.msg);
	a->reconnect_ms =
		a->reconnect_ms * 2 < RECONNECT_MAX_MS ? a->reconnect_ms * 2 : RECONNECT_MAX_MS;
	loop_timer_start(a->reconnect_timer, a->reconnect_ms);
}

/* The session to be shown full screen, by a call of its own before the terminal is touched: errors are plain lines then. */
static int
resolve_target(struct app *a, struct err *e)
{
	struct client *c;
	json_t *found = NULL;
	const char *id;
	int r;

	if (!a->options->attach_target)
		return 0;
	r = client_open(&c, a->options->paths, CLIENT_START, e);
	if (r < 0)
		return r;
	r = client_call(c, "session.show",
		json_pack("{s:s, s:s}", "target", a->options->attach_target, "cwd", a->cwd), &found,
		e);
	id = json_string_value(json_object_get(found, "id"));
	if (r == 0 && !str_copy(a->attach_id, sizeof a->attach_id, id ? id : ""))
		r = err_set(e, -EPROTO, "session %s: the daemon's answer has no id",
			a->options->attach_target);
	json_decref(found);
	client_free(c);
	return r < 0 ? r : 0;
}

/* ---- setting up ---- */
static void
set_locale(bool is_utf8)
{
	setlocale(LC_CTYPE, "");
	if (is_utf8 && strcasecmp(nl_langinfo(CODESET), "UTF-8") != 0)
		setlocale(LC_CTYPE, "C.UTF-8"); /* the named one is not installed here */
}

static int
open_terminal(struct app *a, struct err *e, struct err *settings)
{
	struct out_config config = { 0 };
	const struct out_ops *ops = NULL;
	int r;

	a->tty = tty_new(a->loop, &tty_ops, a, e);
	if (!a->tty)
		return e->code;
	r = out_probe(&config, &ops, e);
	if (r < 0)
		return r;
	config.size = tty_size(a->tty);
	set_locale(config.is_utf8);
	a->depth = config.depth;
	load_settings(a, a->depth, settings);
	surface_init(&a->surface, config.size);
	a->out = ops->new (&config, e);
	return a->out ? 0 : e->code;
}

static bool
copy(const void *bytes, size_t len, void *arg)
{
	struct app *a = arg;

	buf_reset(&a->bytes);
	if (!out_clipboard(a->out->ops, bytes, len, &a->bytes))
		return false;
	tty_write(a->tty, &a->bytes);
	return true;
}

/* Text has no control characters: it went through the daemon, which lets none pass. */
static void
notify(const char *text, void *arg)
{
	struct app *a = arg;

	buf_reset(&a->bytes);
	if (!a->keymap.is_quiet)
		out_notify(a->out->ops, text, &a->bytes);
	if (a->keymap.rings_bell)
		buf_add_char(&a->bytes, '\a');
	if (a->bytes.len)
		tty_write(a->tty, &a->bytes);
}

static void
list(struct buf *to, const struct command *c, const json_t *result, void *arg)
{
	const char *hint = listing_hint(c, result);

	(void)arg;
	if (hint)
		buf_add_str(to, hint);
	else
		listing_add(to, c, result, false, clock_wall());
}

static void
start(struct app *a, const struct err *settings)
{
	struct ui_config c = { .loop = a->loop,
		.paths = a->options->paths,
		.theme = &a->theme,
		.keymap = &a->keymap,
		.cwd = a->cwd,
		.attach_id = a->attach_id[0] ? a->attach_id : NULL,
		.is_read_only = a->options->is_read_only,
		.copy = copy,
		.notify = notify,
		.reload = reload,
		.list = list,
		.arg = a };

	a->decoder = decoder_new(on_event, a);
	a->ui = ui_new(&c);
	ui_resize(a->ui, a->surface.size);
	if (settings->code)
		ui_error(a->ui, settings->msg);
	watch_config(a);
	a->turn = loop_hook_new(a->loop, on_turn, a);
	a->frame_timer = loop_timer_new(a->loop, on_frame_timer, a);
	a->decoder_timer = loop_timer_new(a->loop, on_decoder_timer, a);
	a->reconnect_timer = loop_timer_new(a->loop, on_reconnect, a);
	a->reconnect_ms = RECONNECT_MS;
	for (size_t i = 0; i < ARRAY_LEN(end_signals); i++)
		a->signals[i] = loop_signal_new(a->loop, end_signals[i], on_end_signal, a);
	subscribe(a);
}

static int
take_terminal(struct app *a, struct err *e)
{
	int r;

	signal(SIGTSTP,
		SIG_IGN); /* Ctrl-Z is the session's; a stop from outside would leave a raw terminal behind */
	signal(SIGPIPE, SIG_IGN);
	r = tty_start(a->tty, out_rescue(a->out->ops, OUT_KEYS_PLAIN), e);
	if (r < 0)
		return r;
	buf_reset(&a->bytes);
	a->out->ops->start(a->out, &a->bytes);
	buf_add_str(&a->bytes, out_queries(a->out->ops));
	decoder_expect_strings(a->decoder, *out_queries(a->out->ops));
	tty_write(a->tty, &a->bytes);
	tty_resized(tty_size(a->tty), a); /* it may have changed before anybody listened */
	return 0;
}

static void
app_fini(struct app *a)
{
	AUTO(buf) struct buf last = { 0 };

	if (a->out)
		a->out->ops->stop(a->out, &last);
	if (a->tty)
		tty_stop(a->tty, &last);
	rpc_free(a->rpc);
	ui_free(a->ui);
	decoder_free(a->decoder);
	loop_fd_free(a->config_watch);
	fd_drop(&a->config_fd);
	loop_timer_free(a->frame_timer);
	loop_timer_free(a->decoder_timer);
	loop_timer_free(a->reconnect_timer);
	loop_hook_free(a->turn);
	for (size_t i = 0; i < ARRAY_LEN(end_signals); i++)
		loop_signal_free(a->signals[i]);
	if (a->out)
		a->out->ops->free(a->out);
	tty_free(a->tty);
	surface_fini(&a->surface);
	buf_fini(&a->bytes);
	loop_free(a->loop);
}

static int
run(struct app *a, struct err *e)
{
	struct err settings = { 0 };
	int r;

	a->loop = loop_new();
	r = open_terminal(a, e, &settings);
	if (r == 0)
		r = resolve_target(a, e);
	if (r == 0)
		r = connect_daemon(a, e);
	if (r < 0)
		return r;
	start(a, &settings);
	r = take_terminal(a, e);
	if (r == 0)
		loop_run(a->loop);
	return r;
}

int
app_main(const struct app_options *o, struct err *e)
{
	const char *inside = getenv("SANDESK_SESSION");
	struct app *a;
	int r;

	if (inside && *inside) {
		err_set(e, -EBUSY,
			"this is session %.80s: sandesk does not nest; use the commands (sandesk "
			"help), or open another "
			"terminal",
			inside);
		return 1;
	}
	a = mem_new(struct app);
	a->config_fd = -1;
	a->options = o;
	if (!getcwd(a->cwd, sizeof a->cwd))
		str_copy(a->cwd, sizeof a->cwd, "/");
	r = run(a, e);
	app_fini(a);
	mem_free(a);
	return r < 0 ? 1 : 0;
}
