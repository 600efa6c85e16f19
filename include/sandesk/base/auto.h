/* auto.h - scope exits by the cleanup attribute.
 * Contract:  AUTO(x) declares a variable whose x_drop() runs when its scope ends; x_drop() accepts
 *            the empty value.
 * Ownership: success paths move the value out (fd_take(), mem_take()) on their last lines.
 * Source:    GCC manual, "Common Variable Attributes", cleanup.
 */
#pragma once

#define AUTO(kind) __attribute__((cleanup(kind##_drop)))

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define PRINTF_LIKE(fmt, first) __attribute__((format(printf, fmt, first)))
