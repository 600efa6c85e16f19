# What programs want of the terminal itself: clipboard, notifications, keys, pastes. tmux is the outer terminal.
load helpers

with_cat() { # with_cat NAME SCRIPT
	[ -d "$T/shop" ] || sandesk new shop --dir "$T/shop"
	sandesk run shop --name "$1" -- sh -c "$2"
}

settings() { mkdir -p "$XDG_CONFIG_HOME/sandesk"; printf '[terminal]\nclipboard = %s\n' "$1" >"$XDG_CONFIG_HOME/sandesk/sandesk.ini"; }
wide() { # an outer terminal that takes OSC 52 and the newer keys
	outer -c 100 "$@"
	tmux -L "$OUTER" set -s set-clipboard on
}
copied() { [ "$(tmux -L "$OUTER" show-buffer 2>/dev/null)" = "$1" ]; }
copies='while read x; do printf "\033]52;c;aGVsbG8gd29ybGQ=\007asked\n"; done'

@test "clipboard: by default the program asks and a key of the person copies" {
	with_cat one "echo up; $copies"
	wide sandesk attach shop/one
	await up
	keys Enter
	await 'shop/one wants 11 bytes in the clipboard: "hello world"'
	run copied 'hello world'
	[ "$status" != 0 ]
	keys C-Space
	keys y
	until_ok copied 'hello world'
}

@test "clipboard = yes copies and says so; no says nothing" {
	with_cat one "echo up; $copies"
	settings yes
	wide sandesk attach shop/one
	await up
	keys Enter
	until_ok copied 'hello world'
	await '11 bytes from shop/one are in the clipboard'
	tmux -L "$OUTER" kill-server
	settings no
	wide sandesk attach shop/one
	await asked
	keys Enter
	await 'asked$'
	until_ok [ "$(sandesk capture shop/one | grep -c asked)" = 2 ]
	run copied 'hello world'
	[ "$status" != 0 ]
	screen | lacks clipboard
}

@test "clipboard: a read-only client is not asked" {
	with_cat one "echo up; $copies"
	wide sandesk attach --read-only shop/one
	await up
	sandesk send shop/one '' --enter
	await asked
	screen | lacks clipboard
}

@test "a paste of lines is asked about unless the program has bracketed paste" {
	with_cat one 'echo up; exec cat'
	wide sandesk attach shop/one
	await up
	tmux -L "$OUTER" set-buffer "$(printf 'first\nsecond\nthird')"
	tmux -L "$OUTER" paste-buffer -p
	await 'Paste 3 lines into shop/one\? The program takes each line as Enter'
	keys n
	tmux -L "$OUTER" set-buffer 'one line'
	tmux -L "$OUTER" paste-buffer -p
	await 'one line'
	sandesk capture shop/one | lacks second
	keys Enter
	tmux -L "$OUTER" set-buffer "$(printf 'first\nsecond\nthird')"
	tmux -L "$OUTER" paste-buffer -p
	await 'Paste 3 lines'
	keys y
	await third
	with_cat two 'stty raw -echo; printf "\033[?2004hup"; exec cat -v'
	tmux -L "$OUTER" kill-server
	wide sandesk attach shop/two
	await up
	tmux -L "$OUTER" set-buffer "$(printf 'first\nsecond')"
	tmux -L "$OUTER" paste-buffer -p
	await '200~first\^Msecond.*201~'
}

@test "a paste of 10 MB goes through" {
	with_cat one 'stty raw -echo; printf "\033[?2004hup"; head -c 10000012 | tr -dc n | wc -c; exec cat'
	wide sandesk attach shop/one
	await up
	head -c 5000000 /dev/zero | sed 's/\x0/an/g' >"$T/large"
	tmux -L "$OUTER" load-buffer "$T/large"
	tmux -L "$OUTER" paste-buffer -p
	await 5000000
}

@test "notifications: in the message line, and a mark in the tree for a session that is not shown" {
	with_cat one 'echo up; exec cat'
	wide sandesk
	await up
	with_cat two 'echo two-up; read x; printf "\033]777;notify;Build;it is \302\233done\007"; exec cat'
	sandesk send shop/two '' --enter
	await 'shop/two says: Build: it is done'
	await 'two !'
	[ "$(field shop/two notices)" = 1 ]
	[ "$(field shop/two notice)" = 'Build: it is done' ]
}

@test "titles: what is hostile is left out, here and in listings" {
	with_cat one 'printf "\033]2;ti\001t\302\233le\342\200\256x\007up"; exec cat'
	wide sandesk
	await titlex
	[ "$(field shop/one title)" = titlex ]
}

@test "Shift+Enter and C-. reach a program that asked for them; the outer terminal gets its keys back" {
	with_cat one 'stty raw -echo; printf "\033[>1uup"; exec cat -v'
	sandesk wait shop/one --text up --timeout 15
	sandesk session keys shop/one S-Enter C-.
	sandesk wait shop/one --text '\^\[\[13;2u\^\[\[46;5u' --timeout 15
	OUTER=e2e-$BASHPID-$RANDOM
	tmux -L "$OUTER" -f /dev/null new-session -d -x 100 -y 24 "exec cat" \; set -s extended-keys on
	tmux -L "$OUTER" respawn-pane -k "TERM=tmux-256color sandesk attach shop/one; echo outer-status=\$?; exec cat -v"
	await up
	until_ok extended
	keys S-Enter
	sandesk wait shop/one --text '13;2u.*13;2u' --timeout 15
	keys C-Space
	keys d
	await outer-status=0
	keys S-Enter z
	await 'z$' # without the mode tmux writes the key's name
	screen | lacks '13;2u'
}
# tmux tells a pane's mode only by what it sends: CSI u while it is on.
extended() { keys C-Enter; sandesk capture shop/one | grep -q '13;5u'; }
