#include "../../lib/check.h"

#include "model/shell.h"
#include "sandesk/base/auto.h"
#include "sandesk/base/str.h"

static void
the_first_that_runs_inside(void **state)
{
	static const struct {
		const char *name, *env, *passwd, *want;
	} rows[] = {
		{ "of $SHELL", "/bin/sh", "/usr/bin/env", "/bin/sh" },
		{ "$SHELL is not set", NULL, "/usr/bin/env", "/usr/bin/env" },
		{ "$SHELL is empty", "", "/usr/bin/env", "/usr/bin/env" },
		{ "not there", "/bin/no-such-shell", "/usr/bin/env", "/usr/bin/env" },
		{ "in a home, which no sandbox sees", "/home/me/bin/sh", "/usr/bin/env",
			"/usr/bin/env" },
		{ "not executable", "/etc/passwd", NULL, "/bin/sh" },
		{ "a directory", "/usr/bin", "/bin/no-such-shell", "/bin/sh" },
		{ "relative", "sh", "bin/sh", "/bin/sh" },
		{ "nothing known", NULL, NULL, "/bin/sh" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_row(rows[i].name,
			str_equal(shell_choose(rows[i].env, rows[i].passwd), rows[i].want));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_that_runs_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
