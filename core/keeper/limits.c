#include "keeper/limits.h"

#include <stdio.h>
#include <string.h>

#include "keeper/keeper.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/conn.h"
#include "sandesk/loop.h"

enum {
	LOOK_MS = 250,	    /* between counts while something happens */
	PATIENCE_MS = 1000, /* an init that is busy or frozen: what was counted last must do */
	BUSY_PERCENT = 1,   /* of one CPU: less is nothing */
	FAR_PERCENT = 50,   /* of a budget: below it a silent session is not looked at */
};

struct usage_asker {
	struct usage_asker *next;
	struct viewer *viewer;
	uint64_t request;
};

static const char *const names[LIMIT_KINDS] = { "memory", "disk", "run time", "idle time" };

static unsigned
percent(const struct limit *l)
{
	return l->granted ? (unsigned)(l->used * 100.0 / (double)l->granted) : 0;
}

/* ---- saying it ---- */

static void
add_amount(char *to, size_t size, enum limit_kind kind, uint64_t n)
{
	static const char units[] = "BKMGT";
	size_t u = 0;
	double amount = (double)n;

	if (kind == LIMIT_RUN || kind == LIMIT_IDLE) {
		snprintf(to, size, "%llu s", (unsigned long long)n);
		return;
	}
	for (; amount >= 1024 && units[u + 1]; u++)
		amount /= 1024;
	snprintf(to, size, amount < 10 && u ? "%.1f%c" : "%.0f%c", amount, units[u]);
}

static void
make_text(struct limits *l)
{
	size_t at = 0;
	char amount[24];

	l->text[0] = 0;
	for (size_t i = 0; i < LIMIT_KINDS && at < sizeof l->text; i++) {
		const struct limit *of = &l->of[i];

		if (!of->is_near && !of->is_over)
			continue;
		add_amount(amount, sizeof amount, (enum limit_kind)i, of->granted);
		at += (size_t)snprintf(l->text + at, sizeof l->text - at, "%s%s %u%% of %s",
			at ? ", " : "", names[i], percent(of), amount);
	}
}

/* ---- budgets ---- */

static void
go_over(struct keeper *k, enum limit_kind kind)
{
	struct limits *l = &k->limits;
	char amount[24];

	add_amount(amount, sizeof amount, kind, l->of[kind].granted);
	snprintf(l->reason, sizeof l->reason, "%s: used up its %s", names[kind], amount);
	log_info(&k->log, "session %s/%s: %s", k->desktop, k->name, l->reason);
	if (l->over == JAIL_OVER_PAUSE) {
		(void)run_pause(k, true);
		l->reason[0] = 0; /* nothing ended by it */
	} else {
		run_end(k, l->over == JAIL_OVER_STOP ? KEEPER_GRACE_MS : 0);
	}
}

/* A crossing back is one below a margin: a use that wavers around the mark is told once. */
static void
measure(struct keeper *k, enum limit_kind kind, uint64_t used)
{
	struct limit *of = &k->limits.of[kind];
	bool was_near = of->is_near;

	of->used = used;
	if (!of->granted || !k->end_watch)
		return;
	if (percent(of) >= LIMIT_WARN_PERCENT)
		of->is_near = true;
	else if (percent(of) < LIMIT_WARN_PERCENT - 10)
		of->is_near = of->is_over = false;
	if (of->is_near != was_near)
		keeper_tell_state(k);
	if (percent(of) < 100 || of->is_over || k->is_stopping)
		return;
	of->is_over = true;
	keeper_tell_state(k);
	go_over(k, kind);
}

/* Budgets that only counting can hold. */
static bool
must_look(const struct limits *l)
{
	return l->of[LIMIT_MEMORY].granted || l->of[LIMIT_DISK].granted;
}

static bool
is_near_one(const struct limits *l)
{
	return percent(&l->of[LIMIT_MEMORY]) >= FAR_PERCENT ||
	       percent(&l->of[LIMIT_DISK]) >= FAR_PERCENT;
}

static void
count_soon(struct keeper *k)
{
	if (must_look(&k->limits) && k->end_watch && !k->is_paused &&
		!loop_timer_is_running(k->limits.look))
		loop_timer_start(k->limits.look, LOOK_MS);
}

/* A frozen init answers nobody: what was counted before holds, because nothing runs. */
static void
ask(struct keeper *k)
{
	if (k->is_paused && k->group.freeze >= 0)
		return;
	if (!k->limits.is_asking && jail_ask_usage(&k->jail) == 0)
		k->limits.is_asking = true;
}

static void
on_look(void *arg)
{
	ask(arg);
}

static void
answer_askers(struct keeper *k)
{
	struct limits *l = &k->limits;

	loop_timer_stop(l->patience);
	if (!l->askers)
		return;
	for (struct viewer *v = k->viewers; v; v = v->next)
		keeper_send_state(k, v); /* before the answer */
	while (l->askers) {
		struct usage_asker *a = l->askers;
		struct msg m = { .type = MSG_done, .done.request = a->request };

		l->askers = a->next;
		conn_send(a->viewer->conn, &m);
		mem_free(a);
	}
}

static void
on_patience(void *arg)
{
	answer_askers(arg);
}

/* A new count is there. */
static void
take_count(struct keeper *k)
{
	struct limits *l = &k->limits;
	const struct jail_usage *u = &k->jail.usage;
	bool is_busy = u->cpu_us - l->cpu_us > LOOK_MS * 1000 * BUSY_PERCENT / 100 ||
		       k->output_us != l->output_us || u->memory > l->memory;

	l->is_asking = false;
	l->cpu_us = u->cpu_us;
	l->output_us = k->output_us;
	l->memory = u->memory;
	measure(k, LIMIT_MEMORY, u->memory);
	measure(k, LIMIT_DISK, u->written);
	if (is_busy || is_near_one(l))
		count_soon(k);
	make_text(l);
	answer_askers(k);
}

static void
on_word(int fd, int events, void *arg)
{
	(void)fd;
	(void)events;
	limits_hear(arg);
}

void
limits_hear(struct keeper *k)
{
	bool goes_on = jail_hear(&k->jail);

	if (k->jail.answers != k->limits.answers) {
		k->limits.answers = k->jail.answers;
		take_count(k);
	}
	if (goes_on)
		return;
	loop_fd_free(k->limits.watch);
	k->limits.watch = NULL;
}

/* ---- run time, idle time ---- */

static int64_t
next_of(const struct limit *of, int64_t begun_ms)
{
	int64_t whole = begun_ms + (int64_t)of->granted * 1000;

	return of->is_near ? whole : begun_ms + (int64_t)of->granted * 10 * LIMIT_WARN_PERCENT;
}

/* One timer for both: at the first moment at which there may be something to say. */
static void
set_clock(struct keeper *k)
{
	struct limits *l = &k->limits;
	int64_t at = INT64_MAX, now = loop_now(k->loop);

	if (!k->end_watch || k->is_paused) {
		loop_timer_stop(l->clock);
		return;
	}
	if (l->of[LIMIT_RUN].granted && !l->of[LIMIT_RUN].is_over)
		at = next_of(&l->of[LIMIT_RUN], l->begun_ms);
	if (l->of[LIMIT_IDLE].granted && !l->of[LIMIT_IDLE].is_over) {
		int64_t idle = next_of(&l->of[LIMIT_IDLE], l->active_ms);

		at = idle < at ? idle : at;
	}
	if (at != INT64_MAX)
		loop_timer_start(l->clock, at > now ? at - now : 1);
}

static void
on_clock(void *arg)
{
	struct keeper *k = arg;
	struct limits *l = &k->limits;
	int64_t now = loop_now(k->loop);

	measure(k, LIMIT_RUN, (uint64_t)(now - l->begun_ms) / 1000);
	measure(k, LIMIT_IDLE, (uint64_t)(now - l->active_ms) / 1000);
	make_text(l);
	set_clock(k);
}

/* ---- for the keeper ---- */

void
limits_init(struct keeper *k)
{
	k->limits.look = loop_timer_new(k->loop, on_look, k);
	k->limits.clock = loop_timer_new(k->loop, on_clock, k);
	k->limits.patience = loop_timer_new(k->loop, on_patience, k);
}

void
limits_fini(struct keeper *k)
{
	limits_end(k);
	loop_timer_free(k->limits.look);
	loop_timer_free(k->limits.clock);
	loop_timer_free(k->limits.patience);
}

void
limits_start(struct keeper *k, const struct jail_limits *of)
{
	struct limits *l = &k->limits;
	const uint64_t budgets[LIMIT_KINDS] = { of->memory_bytes, of->disk_bytes, of->run_seconds,
		of->idle_seconds };

	for (size_t i = 0; i < LIMIT_KINDS; i++)
		l->of[i].budget = l->of[i].granted = budgets[i];
	l->over = of->over;
	l->begun_ms = l->active_ms = loop_now(k->loop);
	l->watch = loop_fd_new(k->loop, k->jail.status_fd, LOOP_READ, on_word, k);
	count_soon(k);
	set_clock(k);
}

void
limits_end(struct keeper *k)
{
	loop_fd_free(k->limits.watch);
	k->limits.watch = NULL;
	loop_timer_stop(k->limits.look);
	loop_timer_stop(k->limits.clock);
	answer_askers(k);
}

/* The idle clock is not set anew at each output: when it rings it looks how long ago the last was. */
void
limits_active(struct keeper *k)
{
	k->limits.active_ms = loop_now(k->loop);
	if (k->limits.of[LIMIT_IDLE].is_near && !k->is_paused)
		on_clock(k);
	count_soon(k);
}

void
limits_resumed(struct keeper *k)
{
	struct limits *l = &k->limits;

	l->active_ms = loop_now(k->loop);
	for (size_t i = 0; i < LIMIT_KINDS; i++) {
		if (!l->of[i].is_over)
			continue;
		l->of[i].granted += l->of[i].budget;
		l->of[i].is_over = l->of[i].is_near = false;
	}
	make_text(l);
	count_soon(k);
	set_clock(k);
}

void
limits_ask(struct viewer *v, uint64_t request)
{
	struct keeper *k = v->keeper;
	struct usage_asker *a = mem_new(struct usage_asker);

	*a = (struct usage_asker){ .next = k->limits.askers, .viewer = v, .request = request };
	k->limits.askers = a;
	ask(k);
	if (!k->limits.is_asking)
		answer_askers(k);
	else
		loop_timer_start(k->limits.patience, PATIENCE_MS);
}

void
limits_forget_viewer(struct keeper *k, const struct viewer *v)
{
	for (struct usage_asker **at = &k->limits.askers; *at;) {
		struct usage_asker *a = *at;

		if (a->viewer != v) {
			at = &a->next;
			continue;
		}
		*at = a->next;
		mem_free(a);
	}
}
