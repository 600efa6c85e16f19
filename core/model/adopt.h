/* adopt.h - finding the keepers that an earlier daemon left running.
 * Contract:  every socket in the keepers' directory is dialled once; those that nobody listens at
 *            are removed. The daemon is ready when each has sent its state, or after ADOPT_MS; a
 *            late one is still adopted. A session whose record was lost comes back from what its
 *            keeper says, and so does its Desktop.
 */
#pragma once

struct daemon;
struct keeper_link;
struct msg_state;

void adopt_begin(struct daemon *d);

/* The keeper said its first state, or is gone. */
void adopt_heard(struct keeper_link *k);

/* Makes the session that a keeper without a record speaks of. -EINVAL when it makes no sense. */
int adopt_session(struct keeper_link *k, const struct msg_state *st);
