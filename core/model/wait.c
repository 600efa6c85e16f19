#include "model/wait.h"

#include <stddef.h>

#include "sandesk/base/mem.h"

struct waiting {
	struct waiting *next;
	wait_fn *fn;
	void *arg;
};

void
wait_add(struct waiting **list, wait_fn *fn, void *arg)
{
	struct waiting *w = mem_new(struct waiting);

	*w = (struct waiting){ .fn = fn, .arg = arg };
	while (*list)
		list = &(*list)->next;
	*list = w;
}

void
wait_fire(struct waiting **list)
{
	struct waiting *w = *list;

	*list = NULL;
	while (w) {
		struct waiting *next = w->next;
		wait_fn *fn = w->fn;
		void *arg = w->arg;

		mem_free(w);
		fn(arg);
		w = next;
	}
}
