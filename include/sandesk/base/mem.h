/* mem.h - memory.
 * Contract:  mem_alloc() and friends are for our own small objects and abort when there is no
 *            memory: nothing useful can be done then. A size that a peer, a file or a sandbox chose
 *            is held against a limit before it gets here; what grows with it is a buf (buf.h).
 * Ownership: returned memory is the caller's; mem_free() accepts NULL.
 */
#pragma once

#include <stddef.h>

#include "sandesk/base/auto.h"

void *mem_alloc(size_t size);			      /* uninitialised */
void *mem_zero(size_t count, size_t size);	      /* zeroed; checks count * size */
void *mem_grow(void *old, size_t count, size_t size); /* realloc; checks count * size */
void *mem_dup(const void *bytes, size_t size);
void mem_free(void *p);

/* Frees what a pointer variable points to: for AUTO(mem). Takes the address of the variable. */
void mem_drop(void *pointer_to_variable);

#define mem_new(type) ((type *)mem_zero(1, sizeof(type)))

/* Moves ownership out of an AUTO(mem) variable. */
#define mem_take(variable)                                                                         \
	({                                                                                         \
		__typeof__(variable) taken_ = (variable);                                          \
		(variable) = NULL;                                                                 \
		taken_;                                                                            \
	})
