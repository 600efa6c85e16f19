/* capture.h - what `capture` and `commands` messages are answered with. */
#pragma once

struct buf;
struct err;
struct keeper;
struct msg_capture;

/* The keeper has a terminal. -EFBIG when it is more than a message holds, -ENOENT when there is no such
 * output, each with a sentence. */
int capture(struct keeper *k, const struct msg_capture *m, struct buf *to, struct err *e);

/* The list of commands as JSON. */
void capture_commands(struct keeper *k, struct buf *to);
