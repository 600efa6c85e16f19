/* A Desktop with four scripted sessions, in a directory of its own, that needs no network. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/out.h"
#include "sandesk/base/buf.h"
#include "sandesk/base/err.h"
#include "sandesk/base/str.h"
#include "sandesk/client.h"
#include "sandesk/paths.h"

#define OSC(state, more) "printf '\\033]7501;state=" state more "\\033\\\\'; "

/* Texts of OSC 7501 are base64, which base64(1) makes. */
static const struct {
	const char *name, *script;
} sessions[] = {
	{ "build",
		"printf '\\033]2;make\\033\\\\'; n=1; while :; do for i in 1 2 3 4 5 6 7 8 9 10; do "
		"printf '\\033]9;4;1;%s\\033\\\\\\033[32m[%3s%%]\\033[0m CC  src/part-%s.c\\n' $((i*10)) "
		"$((i*10)) $i; sleep 0.7; done; printf '\\033]9;4;0\\033\\\\\\033[1mbuild %s: done\\033[0m\\n' "
		"$n; n=$((n+1)); sleep 8; done" },
	{ "tests",
		"n=0; while :; do n=$((n+1)); echo \"run $n\"; for t in cart price stock user; do sleep 0.5; "
		"if [ $t = stock ] && [ $((n % 3)) = 0 ]; then printf '\\033[31mFAIL\\033[0m  %s\\n' $t; "
		"printf '\\a'; else printf '\\033[32mok\\033[0m    %s\\n' $t; fi; done; "
		"echo 'watching for changes'; sleep 6; done" },
	{ "agent-cart",
		"while :; do " OSC("working", "") "echo '> reading cart.py'; sleep 2; "
		"echo '> I want to run: pytest tests/test_cart.py'; m=$(printf 'run pytest?' | base64); "
		"printf '\\033]7501;state=blocked:kind=permission:msg=%s\\033\\\\' \"$m\"; "
		"printf '\\033[1mAllow? [y/n]\\033[0m '; read -r a; " OSC("working", "")
		"case $a in y*) echo 'running'; sleep 2; echo '4 passed';; *) echo 'then not';; esac; "
		OSC("done", "") "printf 'What next? '; read -r a; done" },
	{ "agent-docs",
		"while :; do " OSC("working", "") "echo '> writing README.md'; sleep 5; "
		"m=$(printf 'which licence?' | base64); "
		"printf '\\033]7501;state=blocked:kind=question:msg=%s\\033\\\\' \"$m\"; "
		"printf '\\033[1mWhich licence shall it name?\\033[0m '; read -r a; echo \"It says $a now.\"; "
		OSC("done", "") "printf 'What next? '; read -r a; done" },
};

static int
start_all(struct client *c, const char *name, const char *dir, struct err *e)
{
	int r = client_call(c, "desktop.create", json_pack("{s:s, s:s}", "name", name, "dir", dir),
		NULL, e);

	for (size_t i = 0; i < ARRAY_LEN(sessions) && r >= 0; i++)
		r = client_call(c, "session.start",
			json_pack("{s:s, s:s, s:[s, s, s]}", "target", name, "name",
				sessions[i].name, "cmd", "sh", "-c", sessions[i].script),
			NULL, e);
	return r;
}

static int
open_client(struct client **ret, struct err *e)
{
	struct paths paths;
	int r = paths_init(&paths, e);

	return r < 0 ? r : client_open(ret, &paths, CLIENT_START, e);
}

static void
remove_demo(const char *name, const char *dir)
{
	struct client *c = NULL;
	struct err e = { 0 };

	if (open_client(&c, &e) == 0)
		client_call(c, "desktop.remove", json_pack("{s:s, s:b}", "target", name, "yes", 1), NULL,
			&e);
	client_free(c);
	if (e.msg[0])
		out_error(e.msg);
	else
		(void)rmdir(dir); /* whoever put files there keeps them */
}

int
cli_demo(struct cli_call *call)
{
	const char *tmp = getenv("TMPDIR");
	AUTO(buf) struct buf text = { 0 };
	struct client *c = NULL;
	char dir[512], name[32];
	struct err e = { 0 };
	int r;

	snprintf(dir, sizeof dir, "%s/sandesk-demo-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(dir)) {
		err_errno(&e, -errno, "demo: directory %s", dir);
		out_error(e.msg);
		return EXIT_FAILED;
	}
	snprintf(name, sizeof name, "demo-%s", dir + strlen(dir) - 6);
	r = open_client(&c, &e);
	if (r == 0)
		r = start_all(c, name, dir, &e);
	client_free(c);
	if (r < 0) {
		remove_demo(name, dir);
		out_error(e.msg);
		return EXIT_FAILED;
	}
	if (json_is_true(json_object_get(call->args, "keep"))) {
		buf_addf(&text, "%s\n", name);
		return out_write(&text);
	}
	r = chdir(dir) < 0 ? EXIT_FAILED : cli_open_tui(NULL, false);
	(void)!chdir("/");
	remove_demo(name, dir);
	return r;
}
