/* What a typed line could become: the first candidate, by rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sandesk/base/str.h"
#include "view/model.h"
#include "view/palette.h"

static const char world[] =
	"{\"desktops\":[{\"id\":\"0000000000000001\",\"name\":\"shop\",\"dir\":\"/s\"}],"
	"\"sessions\":[{\"id\":\"0000000000000011\",\"desktop_id\":\"0000000000000001\","
	"\"name\":\"api\",\"status\":\"working\",\"kind\":\"terminal\"}]}";

static const struct {
	const char *typed, *first; /* NULL: none */
	bool wants_more;
} rows[] = {
	{ "pane zoom", "pane zoom", false },
	{ "zoom", "pane zoom", false },
	{ "split r", "pane split right", false },
	{ "sess sh", "session show", true },
	{ "session show ", "session show shop/api", false },
	{ "session show ap", "session show shop/api", false },
	{ "session rename s", "session rename shop/api", true },
	{ "desktop remove ", "desktop remove shop", false },
	{ "DAEMON STAT", "daemon status", false },
	{ "xyzzy", NULL, false },
};

static void
test_rows(void **state)
{
	static struct palette p;
	json_t *everything = json_loads(world, 0, NULL);
	struct model m = { 0 };

	(void)state;
	model_replace(&m, everything);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		palette_fill(&p, &m, rows[i].typed);
		if (!rows[i].first && p.n)
			fail_msg("%s: %s", rows[i].typed, p.at[0].line);
		if (rows[i].first && (!p.n || strcmp(p.at[0].line, rows[i].first) != 0 ||
					     p.at[0].wants_more != rows[i].wants_more))
			fail_msg("%s: %s", rows[i].typed, p.n ? p.at[0].line : "nothing");
	}
	model_fini(&m);
	json_decref(everything);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
