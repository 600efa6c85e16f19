#include "sandesk/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *
mem_check(void *p, size_t size)
{
	if (p || !size)
		return p;
	fprintf(stderr, "sandesk: out of memory: %zu bytes; close sessions or add memory\n", size);
	abort();
}

void *
mem_alloc(size_t size)
{
	return mem_check(malloc(size), size);
}

void *
mem_zero(size_t count, size_t size)
{
	return mem_check(calloc(count, size), count * size);
}

void *
mem_grow(void *old, size_t count, size_t size)
{
	return mem_check(reallocarray(old, count, size), count * size);
}

void *
mem_dup(const void *bytes, size_t size)
{
	void *p = mem_alloc(size ? size : 1);

	if (size)
		memcpy(p, bytes, size);
	return p;
}

void
mem_free(void *p)
{
	free(p);
}

void
mem_drop(void *pointer_to_variable)
{
	void *p;

	memcpy(&p, pointer_to_variable, sizeof p);
	free(p);
}
