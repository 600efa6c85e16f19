#include "../../lib/check.h"

#include <signal.h>
#include <unistd.h>

#include "sandesk/loop.h"

struct seen {
	char text[64];
	size_t n;
	struct loop_task *task;
	struct loop_hook *other;
	struct loop *loop;
};

static void
note(struct seen *s, char c)
{
	s->text[s->n++] = c;
}

static void
hook_a(void *arg)
{
	struct seen *s = arg;

	note(s, 'a');
	if (s->task)
		loop_task_queue(s->task);
}

static void
hook_b(void *arg)
{
	note(arg, 'b');
}

static void
task_t(void *arg)
{
	note(arg, 't');
}

static void
hook_removing_the_next(void *arg)
{
	struct seen *s = arg;

	note(s, 'r');
	loop_hook_free(s->other);
	s->other = NULL;
}

static void
stopper(void *arg)
{
	struct seen *s = arg;

	note(s, 'x');
	loop_stop(s->loop);
}

static void
hooks_run_in_order_and_tasks_after_them(void **state)
{
	struct seen s = { .loop = loop_new() };
	struct loop_hook *a = loop_hook_new(s.loop, hook_a, &s),
			 *b = loop_hook_new(s.loop, hook_b, &s);
	struct loop_timer *timer = loop_timer_new(s.loop, stopper, &s);

	(void)state;
	s.task = loop_task_new(s.loop, task_t, &s);
	loop_timer_start(timer, 0);
	loop_run(s.loop);
	assert_string_equal(s.text, "xabt"); /* the timer, then the end of its turn */
	loop_task_free(s.task);
	loop_hook_free(a);
	loop_hook_free(b);
	loop_timer_free(timer);
	loop_free(s.loop);
}

static void
a_hook_may_remove_the_next_one(void **state)
{
	struct seen s = { .loop = loop_new() };
	struct loop_hook *r = loop_hook_new(s.loop, hook_removing_the_next, &s);

	(void)state;
	s.other = loop_hook_new(s.loop, hook_b, &s);
	loop_turn(s.loop);
	assert_true(s.n >= 1 && s.text[0] == 'r');
	for (size_t i = 0; i < s.n; i++)
		assert_int_not_equal(s.text[i], 'b');
	loop_hook_free(r);
	loop_free(s.loop);
}

static void
on_readable(int fd, int events, void *arg)
{
	struct seen *s = arg;
	char c;

	assert_true(events & LOOP_READ);
	assert_int_equal(read(fd, &c, 1), 1);
	note(s, c);
}

static void
descriptors_are_watched_until_told_otherwise(void **state)
{
	struct seen s = { .loop = loop_new() };
	struct loop_fd *w;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	w = loop_fd_new(s.loop, ends[0], LOOP_READ, on_readable, &s);
	assert_int_equal(write(ends[1], "12", 2), 2);
	loop_turn(s.loop);
	loop_turn(s.loop);
	assert_string_equal(s.text, "12");
	loop_fd_set(w, 0);
	assert_int_equal(write(ends[1], "3", 1), 1);
	loop_turn(s.loop);
	assert_string_equal(s.text, "12");
	loop_fd_set(w, LOOP_READ);
	loop_turn(s.loop);
	assert_string_equal(s.text, "123");
	loop_fd_free(w);
	close(ends[0]);
	close(ends[1]);
	loop_free(s.loop);
}

static void
signals_become_callbacks(void **state)
{
	struct seen s = { .loop = loop_new() };
	struct loop_signal *sig = loop_signal_new(s.loop, SIGUSR1, stopper, &s);

	(void)state;
	raise(SIGUSR1);
	loop_run(s.loop);
	assert_string_equal(s.text, "x");
	loop_signal_free(sig);
	loop_free(s.loop);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(hooks_run_in_order_and_tasks_after_them),
		cmocka_unit_test(a_hook_may_remove_the_next_one),
		cmocka_unit_test(descriptors_are_watched_until_told_otherwise),
		cmocka_unit_test(signals_become_callbacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
