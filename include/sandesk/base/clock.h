/* clock.h - time.
 * Units:     milliseconds on CLOCK_MONOTONIC for waiting; seconds since the epoch with a fraction
 *            for people.
 * Contract:  code that a test must steer takes the time as an argument; only the edges (loops,
 *            mains) ask here.
 */
#pragma once

#include <stdint.h>

int64_t clock_ms(void);
int64_t clock_us(void); /* the same clock, for budgets */
double clock_wall(void);
