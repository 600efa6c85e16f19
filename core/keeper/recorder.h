/* recorder.h - `record`: the bytes of a session, with their times, to whoever asks.
 * Contract:  a recorder never slows the session: what it does not take is left out beyond
 *            RECORDER_QUEUE bytes, and when it takes again it gets the whole screen first, so that
 *            the recording is right again from there on. The first message is the screen of now
 *            with its size. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct keeper;
struct msg_record;
struct viewer;

enum { RECORDER_QUEUE = 8 << 20 };

void recorder_begin(struct viewer *v, const struct msg_record *m);
void recorder_cancel(struct viewer *v, uint64_t request);

/* Before the terminal gets the bytes, and after it got a new size. */
void recorder_output(struct keeper *k, const void *bytes, size_t len, uint64_t now_us);
void recorder_resized(struct keeper *k);
