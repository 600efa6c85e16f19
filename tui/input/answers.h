/* answers.h - what the outer terminal says of itself when it is asked (out_queries()).
 * Contract:  answers_take() is fed with every reply and is true at the fence, the primary device
 *            attributes, behind which no answer follows. Nothing is believed that was not said.
 * Source:    xterm's ctlseqs (DECRQM, DA1, DA2, OSC 11, "modifyOtherKeys"); kitty keyboard protocol,
 *            "Detection of support".
 */
#pragma once

#include <stdbool.h>

#include "draw/out.h"

struct reply;

struct answers {
	bool has_sync, has_kitty;
	unsigned model; /* the first number of the secondary device attributes (CSI > c) */
};

bool answers_take(struct answers *a, const struct reply *r);

/* modifyOtherKeys only for those of which it is known that they understand it and nothing else by
 * it: others take it for a style. */
enum out_keys answers_keys(const struct answers *a);

/* Reads the answer about the background (OSC 11), behind the introducer. False: it is none. */
bool answers_background(const char *text, bool *ret_is_dark);
