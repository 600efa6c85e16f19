/* check.h - cmocka and what it wants included before it. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Asserts with the name of the row that failed. */
#define assert_row(name, condition)                                                                \
	do {                                                                                       \
		if (!(condition))                                                                  \
			fail_msg("row \"%s\": %s", (name), #condition);                            \
	} while (0)
