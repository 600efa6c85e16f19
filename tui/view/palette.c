#include "view/palette.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sandesk/base/str.h"
#include "sandesk/commands.h"
#include "view/actions.h"
#include "view/model.h"

enum { FIT_START, FIT_INSIDE, FIT_LETTERS };

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

int
palette_fit(const char *pattern, const char *text)
{
	size_t len = strlen(pattern);
	const char *p = pattern;

	if (strncasecmp(text, pattern, len) == 0)
		return FIT_START;
	if (strcasestr(text, pattern))
		return FIT_INSIDE;
	for (; *text && *p; text++)
		p += lower(*text) == lower(*p);
	return *p ? -1 : FIT_LETTERS;
}

static void
offer(struct palette *p, const char *typed, const char *line, const char *help, bool wants_more)
{
	int rank = palette_fit(typed, line);
	struct candidate *c = &p->at[p->n];

	if (rank < 0 || p->n == PALETTE_MAX)
		return;
	p->n++;
	c->rank = rank;
	c->wants_more = wants_more;
	snprintf(c->line, sizeof c->line, "%s", line);
	snprintf(c->help, sizeof c->help, "%s", help);
}

static const struct {
	const char *words, *choices, *help;
} actions[] = {
#define X(id, words, choices, help) { words, choices, help },
	TUI_ACTIONS(X)
#undef X
};

static void
offer_action(struct palette *p, const char *typed, size_t i)
{
	char line[PALETTE_TEXT];
	const char *choice = actions[i].choices;

	if (!*choice)
		offer(p, typed, actions[i].words, actions[i].help, false);
	while (*choice) {
		size_t len = strcspn(choice, "|");

		snprintf(line, sizeof line, "%s %.*s", actions[i].words, (int)len, choice);
		offer(p, typed, line, actions[i].help, false);
		choice += len + (choice[len] == '|');
	}
}

static bool
wants_target(const struct command *c)
{
	return c->target == TARGET_DESKTOP || c->target == TARGET_SESSION;
}

/* An argument that must be given: a positional without '?' or '*'. */
static bool
wants_words(const struct command *c)
{
	const char *p = c->args;

	while (*p) {
		size_t len = strcspn(p, " ");

		if (len && p[0] != '-' && p[len - 1] != '?' && p[len - 1] != '*')
			return true;
		p += len + (p[len] == ' ');
	}
	return false;
}

static void
offer_targets(struct palette *p, const struct model *m, const struct command *c, const char *typed)
{
	char line[PALETTE_TEXT];

	for (size_t i = 0; i < m->desktops_n && c->target != TARGET_SESSION; i++) {
		snprintf(line, sizeof line, "%s %s", c->name, m->desktops[i].name);
		offer(p, typed, line, m->desktops[i].dir, wants_words(c));
	}
	for (size_t i = 0; i < m->sessions_n && c->target == TARGET_SESSION; i++) {
		const struct session *s = &m->sessions[i];
		const struct desktop *d = model_desktop(m, s->desktop_id);

		if (!d || s->is_exec)
			continue;
		snprintf(line, sizeof line, "%s %s/%s", c->name, d->name, s->name);
		offer(p, typed, line, status_name(s->status), wants_words(c));
	}
}

static int
by_rank(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank - y->rank;
	if (strlen(x->line) != strlen(y->line))
		return strlen(x->line) < strlen(y->line) ? -1 : 1;
	return strcmp(x->line, y->line);
}

void
palette_fill(struct palette *p, const struct model *m, const char *typed)
{
	p->n = 0;
	for (int id = 0; id < COMMAND_COUNT; id++) {
		const struct command *c = command_at((enum command_id)id);
		size_t len = strlen(c->name);

		if (strncmp(typed, c->name, len) == 0 && typed[len] == ' ')
			offer_targets(p, m, c, typed);
	}
	for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
		offer_action(p, typed, i);
	for (int id = 0; id < COMMAND_COUNT; id++) {
		const struct command *c = command_at((enum command_id)id);

		offer(p, typed, c->name, c->help, wants_target(c) || wants_words(c));
	}
	qsort(p->at, p->n, sizeof p->at[0], by_rank);
}
