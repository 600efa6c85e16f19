#include "../../lib/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/registry.h"
#include "model/target.h"
#include "sandesk/base/err.h"
#include "sandesk/base/mem.h"
#include "sandesk/base/str.h"
#include "sandesk/types.h"

static void
add(struct registry *r, struct desktop *d, const char *id, const char *name, bool has_pty,
	enum status status)
{
	struct session *s = registry_add_session(r, id, d, name);

	s->has_pty = has_pty;
	s->status = status;
}

static int
setup(void **state)
{
	struct registry *r = mem_new(struct registry);
	struct desktop *shop = registry_add_desktop(r, "00000000000000d1", "shop", "/shop");
	struct desktop *web = registry_add_desktop(r, "00000000000000d3", "web", "/web");

	registry_add_desktop(r, "00000000000000d2", "shop-old", "/old");
	add(r, shop, "00000000000000a1", "api", true, STATUS_WORKING);
	add(r, shop, "00000000000000a2", "api-2", true, STATUS_DONE);
	add(r, shop, "00000000000000a3", "sh", true, STATUS_WORKING);
	add(r, shop, "00000000000000a4", "make", false, STATUS_DONE);
	add(r, web, "00000000000000a5", "sh", true, STATUS_WORKING);
	*state = r;
	return 0;
}

static int
teardown(void **state)
{
	registry_fini(*state);
	mem_free(*state);
	return 0;
}

static void
desktops(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *want; /* name, or part of the message */
	} rows[] = {
		{ "shop", 0, "shop" },
		{ "shop-", 0, "shop-old" },
		{ "w", 0, "web" },
		{ "web", 0, "web" },
		{ "00000000000000d2", 0, "shop-old" },
		{ "s", -ENOTUNIQ, "shop, shop-old" },
		{ "x", -ENOENT, "shop, shop-old, web" },
		{ "", -ENOENT, "shop, shop-old, web" },
		{ "Shop", -ENOENT, "there is" },
		{ "shop/api", -EINVAL, "DESKTOP/SESSION" },
		{ "00000000000000a1", -ENOENT, "there is" },
		{ "\x1b[31m", -ENOENT, "\\x1b[31m" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct desktop *d = NULL;
		struct err e = { 0 };

		assert_row(
			rows[i].text, target_desktop(*state, rows[i].text, &d, &e) == rows[i].code);
		if (rows[i].code)
			assert_row(rows[i].text, !d && strstr(e.msg, rows[i].want));
		else
			assert_row(rows[i].text, str_equal(d->name, rows[i].want));
	}
}

static void
sessions(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *want; /* id, or part of the message */
	} rows[] = {
		{ "shop/api", 0, "00000000000000a1" },
		{ "shop/api-", 0, "00000000000000a2" },
		{ "shop/s", 0, "00000000000000a3" },
		{ "w/s", 0, "00000000000000a5" },
		{ "00000000000000a5", 0, "00000000000000a5" },
		{ "web/00000000000000a5", 0, "00000000000000a5" },
		{ "shop/make", 0, "00000000000000a4" },
		{ "shop/m", -ENOENT, "api, api-2, sh" },
		{ "shop/ap", -ENOTUNIQ, "api, api-2" },
		{ "shop/x", -ENOENT, "\"shop/x\": does not exist; there is: api, api-2, sh" },
		{ "shop-old/x", -ENOENT, "sandesk run shop-old" },
		{ "shop/", -ENOENT, "there is" },
		{ "s/api", -ENOTUNIQ, "shop, shop-old" },
		{ "nope/api", -ENOENT, "Desktop \"nope\"" },
		{ "shop", -EINVAL, "its sessions: api, api-2, sh" },
		{ "shop-old", -EINVAL, "its sessions: none" },
		{ "/", -ENOENT, "Desktop \"\"" },
		{ "shop/api/more", -ENOENT, "there is" },
		{ "shop/00000000000000a5", -ENOENT, "there is" },
		{ "0123456789012345678901234567890123456789012345678901234567890123456789/x",
			-ENOENT, "too long" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct session *s = NULL;
		struct err e = { 0 };

		assert_row(
			rows[i].text, target_session(*state, rows[i].text, &s, &e) == rows[i].code);
		if (rows[i].code)
			assert_row(rows[i].text, !s && strstr(e.msg, rows[i].want));
		else
			assert_row(rows[i].text, str_equal(s->id, rows[i].want));
	}
}

static void
nothing_there_says_how_to_make_one(void **state)
{
	struct registry empty = { 0 };
	struct desktop *d;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(target_desktop(&empty, "x", &d, &e), -ENOENT);
	assert_non_null(strstr(e.msg, "sandesk new"));
}

static void
a_long_list_is_cut_in_the_message(void **state)
{
	struct registry *r = *state;
	struct desktop *d;
	struct err e = { 0 };
	char name[32];

	for (int i = 0; i < 50; i++) {
		snprintf(name, sizeof name, "many-%02d", i);
		registry_add_desktop(r, NULL, name, name);
	}
	assert_int_equal(target_desktop(r, "many", &d, &e), -ENOTUNIQ);
	assert_non_null(strstr(e.msg, "many-05, ...; write more"));
}

static void
names_of_new_sessions(void **state)
{
	static const struct {
		const char *command, *want;
	} rows[] = {
		{ "/bin/bash", "bash" },
		{ "api", "api-3" },
		{ "/usr/bin/sh", "sh-2" },
		{ "make", "make-2" },
		{ "./run it!", "runit" },
		{ "-x", "x" },
		{ ".hidden", "hidden" },
		{ "/", "session" },
		{ "", "session" },
		{ "\xf0\x9f\x98\x80", "session" },
		{ "01234567890123456789012345678901234567890123456789012345678901234567890123456789"
		  "0",
			"012345678901234567890123456789012345678901234567890123456" },
	};
	const struct desktop *shop = registry_desktop_by_name(*state, "shop");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char name[NAME_BYTES];

		name_for_session(*state, shop, rows[i].command, name);
		assert_row(rows[i].command, str_equal(name, rows[i].want));
		assert_row(rows[i].command, name_check("name", name, NULL) == 0);
	}
}

static void
a_thousand_names_have_no_gap(void **state)
{
	struct registry *r = *state;
	struct desktop *d = registry_desktop_by_name(r, "shop-old");
	char name[NAME_BYTES], want[NAME_BYTES];

	for (unsigned i = 1; i <= 1000; i++) {
		name_for_session(r, d, "sh", name);
		snprintf(want, sizeof want, i == 1 ? "sh" : "sh-%u", i);
		assert_string_equal(name, want);
		registry_add_session(r, NULL, d, name);
	}
	registry_remove_session(r, registry_session_by_name(r, d, "sh-17"));
	name_for_session(r, d, "sh", name);
	assert_string_equal(name, "sh-17");
	while (r->nsessions)
		registry_remove_session(r, r->sessions[r->nsessions - 1]);
}

static void
names_of_desktops_that_come_back(void **state)
{
	char name[NAME_BYTES];

	name_for_desktop(*state, "shop", name);
	assert_string_equal(name, "shop-2");
	name_for_desktop(*state, "new", name);
	assert_string_equal(name, "new");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(desktops, setup, teardown),
		cmocka_unit_test_setup_teardown(sessions, setup, teardown),
		cmocka_unit_test(nothing_there_says_how_to_make_one),
		cmocka_unit_test_setup_teardown(a_long_list_is_cut_in_the_message, setup, teardown),
		cmocka_unit_test_setup_teardown(names_of_new_sessions, setup, teardown),
		cmocka_unit_test_setup_teardown(a_thousand_names_have_no_gap, setup, teardown),
		cmocka_unit_test_setup_teardown(names_of_desktops_that_come_back, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
