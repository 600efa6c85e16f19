# The TUI in a real terminal: tmux is the outer one.
load helpers

with_shop() {
	sandesk new shop --dir "$T/shop"
	sandesk run shop --name one -- sh -c 'echo one-is-up; exec cat'
	sandesk run shop --name two -- sh -c 'echo two-is-up; exec cat'
}

@test "attach: full screen on one session, prefix d detaches, the session goes on" {
	with_shop
	outer sandesk attach shop/one
	await one-is-up
	keys 'typed by a person' Enter
	await '^typed by a person'
	keys C-Space
	keys d
	await outer-status=0
	shows '^detached from shop/one, which goes on'
	is_status shop/one working
	sandesk capture shop/one | grep -q 'typed by a person'
}

@test "the tree shows Desktops and sessions, a pane is live" {
	with_shop
	outer sandesk
	await shop
	await one
	await two
	keys C-Space
	keys '?'
	await 'pane split right'
	keys q
	await one-is-up
}

@test "no Desktop yet: offers to make one" {
	outer sandesk
	await -i desktop
	keys Enter
	until_ok one_desktop
}
one_desktop() { keys Enter; [ "$(sandesk ls --json | json "len(d)")" = 1 ]; }

@test "SIGKILL of the TUI loses nothing" {
	with_shop
	outer sandesk attach shop/one
	await one-is-up
	kill -9 "$(pgrep -P "$(tmux -L "$OUTER" display-message -p '#{pane_pid}')")"
	is_status shop/one working
	sandesk send shop/one 'after the kill' --enter
	sandesk wait shop/one --text '^after the kill$' --timeout 15
}

@test "resize of the outer terminal, down to too small and back" {
	with_shop
	outer sandesk attach shop/one
	await one-is-up
	tmux -L "$OUTER" resize-window -x 18 -y 5
	await '20x6'
	tmux -L "$OUTER" resize-window -x 60 -y 20
	await one-is-up
}

@test "other outer terminals: screen, linux, vt100, NO_COLOR" {
	with_shop
	for term in screen linux vt100 xterm-256color; do
		OUTER_TERM=$term outer env TERM=$term sandesk attach shop/one
		await one-is-up
		tmux -L "$OUTER" kill-server
	done
	outer env NO_COLOR=1 sandesk attach shop/one
	await one-is-up
}

@test "terminals that cannot be used are refused in one line" {
	with_shop
	for term in '' dumb no-such-terminal; do
		outer env TERM=$term sandesk
		await outer-status=1
		shows '^sandesk: '
		tmux -L "$OUTER" kill-server
	done
	run sandesk attach shop/one </dev/null
	[ "$status" = 1 ]
	[[ $output == sandesk:*terminal* ]]
}
