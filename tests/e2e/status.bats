#!/usr/bin/env bats
# What a session is doing, why, and who needs somebody.
load helpers

@test "status: an agent that asks waits, and says why" {
	sandesk new shop --dir "$T/work"
	sandesk run shop --name agent -- sh -c 'printf "\033]7501;state=blocked:kind=permission:msg=cnVuIHRlc3Rz\033\\"; exec cat'
	until_ok is_status shop/agent waiting
	[ "$(field shop/agent need)" = asks ]
	sandesk session explain shop/agent | grep -E '^report \(OSC 7501\) +yes +waiting +asks +asks for permission: run tests'
	[ "$(sandesk session explain shop/agent --json | json "sum(x['decides'] == 'yes' for x in d)")" = 1 ]
}

@test "status: the key goes to the session that asks; the outer terminal is told once" {
	sandesk new shop --dir "$T/work"
	sandesk run shop --name one -- sh -c 'echo FIRST; exec cat'
	sandesk run shop --name agent -- sh -c 'read x; printf "\033]7501;state=blocked:kind=question\033\\"; echo ASKED; exec cat'
	outer sandesk
	await FIRST
	tmux -L "$OUTER" pipe-pane -o "cat > $T/bytes"
	sandesk send shop/agent go --enter
	await 'shop/agent: asks a question'
	until_ok grep -aq '9;shop/agent: asks a question' "$T/bytes"
	[ "$(grep -ac ']9;shop/agent' "$T/bytes")" = 1 ]
	keys C-Space a
	await ASKED
	keys C-Space w
	await 'report .OSC 7501. +waiting +asks a question'
}

@test "settings: saving sandesk.ini is enough; a mistake is told with its line; listings are tables" {
	mkdir -p "$XDG_CONFIG_HOME/sandesk"
	sandesk new shop --dir "$T/work"
	sandesk run shop --name one -- sh -c 'echo FIRST; exec cat'
	outer sandesk
	await FIRST
	printf '[keys]\nprefix = C-b\n' >"$XDG_CONFIG_HOME/sandesk/sandesk.ini"
	await 'were read again'
	keys C-b :
	keys -l 'session list'
	keys Enter
	await 'SESSION +STATUS'
	keys q
	printf '[keys]\nprefix = C-b\nnonsense = 1\n' >"$XDG_CONFIG_HOME/sandesk/sandesk.ini"
	await 'line 3'
}

@test "palette: completion by Tab, history, a key for the prefix while typing" {
	sandesk new shop --dir "$T/work"
	sandesk run shop --name one -- sh -c 'echo FIRST; exec cat'
	outer sandesk
	await FIRST
	keys C-Space :
	keys -l 'session sho'
	await 'session show +Show one session'
	keys Tab Tab
	await ':session show shop/one'
	keys Enter
	await 'Session +shop/one'
	keys q
	keys C-Space :
	keys C-p
	await ':session show shop/one'
	keys C-Space d
	await outer-status=0
}

@test "attached to one session the keys of panes are not offered" {
	sandesk new shop --dir "$T/work"
	sandesk run shop --name one -- sh -c 'echo FIRST; exec cat'
	outer sandesk attach shop/one
	await FIRST
	keys C-Space
	await 'copy mode'
	screen | lacks 'split right'
	screen | lacks 'go to the tree'
}

@test "demo: four sessions, two of them ask; nothing is left behind" {
	outer -c 100 "TMPDIR=$T sandesk demo"
	await 'agent-cart'
	await 'agent-c[^ ]* .*waiting'
	keys C-Space a
	await 'Allow|licence'
	keys C-Space d
	await outer-status=0
	[ "$(sandesk ls --json | json 'len(d)')" = 0 ]
	[ -z "$(ls -d "$T"/sandesk-demo-* 2>/dev/null)" ]
}
