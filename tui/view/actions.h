/* actions.h - what can be done to the view itself, beside the command table: one row each, for
 * keys, for ':' and for help.
 * Contract:  a row is id, words, choices of its one argument ("" for none; joined by |), help. The
 *            function is act_ID() in ui-act-*.c. A text that fits a row is that action; any other
 *            text is a command of the command table.
 */
#pragma once

/* clang-format off */
#define TUI_ACTIONS(X)                                                                                               \
	X(pane_split, "pane split", "right|down", "Show another session of the Desktop beside or below this one")    \
	X(pane_focus, "pane focus", "left|down|up|right|next|previous", "Go to another pane")                        \
	X(pane_zoom, "pane zoom", "", "Show this pane alone, or all again")                                          \
	X(pane_close, "pane close", "", "Close this pane; its session goes on")                                      \
	X(pane_scroll, "pane scroll", "", "Look back at what has scrolled away")                                     \
	X(pane_copy, "pane copy", "", "Mark and copy text, search, go from prompt to prompt")                        \
	X(pane_next, "pane next", "", "Show the Desktop's next session in this pane")                                \
	X(pane_previous, "pane previous", "", "Show the Desktop's previous session in this pane")                    \
	X(session_need, "session need", "", "Go to the next session that asks, or has finished something")                   \
	X(session_explain, "session why", "", "Tell which fact decided the session's status")                               \
	X(session_new, "session new", "", "Start a session in this Desktop")                                         \
	X(desktop_new, "desktop new", "", "Make a Desktop")                                                          \
	X(rename, "rename", "", "Give the session, or the Desktop that the tree stands on, another name")            \
	X(stop, "stop", "", "End the session: TERM, then KILL")                                                      \
	X(kill, "kill", "", "End the session at once, after a question")                                             \
	X(restart, "restart", "", "Run the session's command again")                                                 \
	X(tree_toggle, "tree toggle", "", "Show or hide the tree")                                                   \
	X(tree_focus, "tree focus", "", "Go to the tree")                                                            \
	X(detach, "detach", "", "Leave; every session goes on")                                                      \
	X(clipboard_copy, "clipboard copy", "", "Copy what a program last asked to have copied")                             \
	X(reload, "reload", "", "Read sandesk.ini and the theme again (saving them does it too)")                            \
	X(prompt, "prompt", "", "Type a command")                                                                    \
	X(keys, "keys", "", "Show all keys and actions")                                                             \
	X(prefix, "prefix", "", "Send the prefix key to the program")
/* clang-format on */
