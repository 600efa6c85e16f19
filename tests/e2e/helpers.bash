# helpers.bash - an isolated sandesk for one test, tmux as the outer terminal, and waiting without sleeping.

setup() { isolate; }
teardown() { dismantle; }

isolate() {
	export ROOT=$BATS_TEST_DIRNAME/../..
	export BUILD=${BUILD:-$ROOT/build/out}
	export PATH=$BUILD:$PATH
	T=$(mktemp -d "${TMPDIR:-/tmp}/sandesk-e2e.XXXXXX")
	export T HOME=$T/home XDG_RUNTIME_DIR=$T/run XDG_STATE_HOME=$T/state XDG_CONFIG_HOME=$T/config
	export SHELL=/bin/bash PS1='$ ' LANG=C.UTF-8 TERM=xterm-256color
	unset SANDESK_SESSION SANDESK_DESKTOP TMUX NO_COLOR COLORTERM
	mkdir -p "$HOME" "$T/work"
	mkdir -m 700 "$XDG_RUNTIME_DIR"
	cd "$T/work" || return 1
}

dismantle() {
	[ -n "${OUTER:-}" ] && tmux -L "$OUTER" kill-server 2>/dev/null
	sandesk daemon stop --sessions >/dev/null 2>&1
	# What a broken run left is ended by what only our processes have: this test's runtime directory in their environment.
	for p in $(leftovers); do kill -9 "$p" 2>/dev/null; done
	rm -rf "$T"
}

leftovers() { # [PROGRAM]
	grep -alz "^XDG_RUNTIME_DIR=$XDG_RUNTIME_DIR\$" /proc/[0-9]*/environ 2>/dev/null | while read -r f; do
		p=${f#/proc/}; p=${p%/environ}
		case $(readlink "/proc/$p/exe" 2>/dev/null) in */${1:-sandesk-}*) echo "$p" ;; esac
	done
}

# until_ok [-t SECONDS] CMD...: runs CMD until it succeeds; fails with its last output after the deadline.
until_ok() {
	local limit=15
	[ "$1" = -t ] && { limit=$2; shift 2; }
	local end=$((SECONDS + limit)) out
	while ! out=$("$@" 2>&1); do
		if [ "$SECONDS" -ge "$end" ]; then
			echo "still not true after $limit s: $*"; echo "$out"
			return 1
		fi
		read -rt 0.05 <> <(:) || :
	done
	[ -z "$out" ] || echo "$out"
}

# json EXPRESSION: evaluates a Python expression on the document from stdin, as `d`.
json() { python3 -c 'import json,sys; d=json.load(sys.stdin); r=eval(sys.argv[1]); print(r if not isinstance(r,bool) else str(r).lower())' "$1"; }
field() { sandesk session show --json "$1" | json "d['$2']"; }
is_status() { [ "$(field "$1" status)" = "$2" ]; }
daemon_pid() { sandesk daemon status --json | json "d['pid']"; }
gone() { ! kill -0 "$1" 2>/dev/null || [ "$(ps -o stat= -p "$1" | cut -c1)" = Z ]; }

# The outer terminal: a tmux server of the test's own.
outer() { # outer [-r ROWS] [-c COLS] CMD...
	local rows=24 cols=80
	while :; do case $1 in -r) rows=$2; shift 2 ;; -c) cols=$2; shift 2 ;; *) break ;; esac; done
	OUTER=e2e-$BASHPID-$RANDOM
	tmux -L "$OUTER" -f /dev/null new-session -d -x "$cols" -y "$rows" "$*; echo outer-status=\$?; exec cat"
	tmux -L "$OUTER" set -g default-terminal "${OUTER_TERM:-tmux-256color}"
}
screen() { tmux -L "$OUTER" capture-pane -p; }
keys() { tmux -L "$OUTER" send-keys "$@"; }
shows() { screen | grep -qE "$@" || { screen; return 1; }; }
await() { until_ok shows "$@"; }
# lacks TEXT: fails when the text stands in what comes in ("!" in front of a command fails nothing in a test).
lacks() { local all; all=$(tr -d '\0'); if grep -qaF -- "$1" <<<"$all"; then echo "found: $1"; return 1; fi; }
