# What must live on when something dies.
load helpers

start_two() {
	sandesk new shop --dir "$T/shop"
	sandesk run shop --name a -- sh -c 'seq 1 300; echo a-is-up; exec cat'
	sandesk run shop --name b -- sh -c 'echo b-is-up; exec cat'
	sandesk wait shop/a --text a-is-up --timeout 15
	sandesk wait shop/b --text b-is-up --timeout 15
}

@test "SIGKILL of the daemon: sessions, screens and scrollback go on" {
	start_two
	ka=$(field shop/a keeper_pid)
	kill -9 "$(daemon_pid)"
	kill -0 "$ka"
	[ "$(sandesk session list shop --json | json "[x['status'] for x in d]")" = "['working', 'working']" ]
	[ "$(field shop/a keeper_pid)" = "$ka" ]
	sandesk capture shop/a | grep -q a-is-up
	[ "$(sandesk capture shop/a --history | grep -c '^[0-9][0-9]*$')" = 300 ]
	sandesk send shop/a 'still here' --enter
	sandesk wait shop/a --text '^still here$' --timeout 15
}

@test "SIGKILL of one keeper: its session has failed with its whole tree, the other never notices" {
	sandesk new shop --dir "$T/shop"
	sandesk run shop --name b -- cat
	sandesk run shop --name a -- sh -c 'cat & setsid sh -c "exec cat /dev/zero >/dev/null" & (setsid cat </dev/zero >/dev/null &) ; echo up; wait'
	sandesk wait shop/a --text up --timeout 15
	k=$(field shop/a keeper_pid)
	init=$(field shop/a pid)
	tree=$(descendants "$init")
	[ "$(echo "$tree" | wc -w)" -ge 4 ]
	kill -9 "$k"
	for p in $tree; do until_ok gone "$p"; done
	until_ok is_status shop/a failed
	[[ $(field shop/a reason) == *"signal 9"* ]]
	is_status shop/b working
	sandesk send shop/b 'never noticed' --enter
	sandesk wait shop/b --text 'never noticed' --timeout 15
}

descendants() {
	local todo=$1 all=$1 next p
	while [ -n "$todo" ]; do
		next=
		for p in $todo; do next+=" $(pgrep -P "$p" | tr '\n' ' ')"; done
		todo=$(echo $next); all+=" $todo"
	done
	echo $all
}

@test "a keeper that dies while there is no daemon" {
	start_two
	k=$(field shop/a keeper_pid)
	d=$(daemon_pid)
	kill -9 "$d" "$k"
	until_ok gone "$k"
	until_ok is_status shop/a failed
	[ -n "$(field shop/a reason)" ]
	is_status shop/b working
}

@test "a lost catalog: Desktops and sessions are taken back from their keepers" {
	start_two
	kill -9 "$(daemon_pid)"
	rm -rf "$XDG_STATE_HOME"/sandesk/catalog.db*
	[ "$(sandesk ls --json | json "d[0]['name'], d[0]['dir']")" = "('shop', '$(realpath "$T/shop")')" ]
	is_status shop/a working
	is_status shop/b working
}

@test "a corrupt catalog is set aside and said so" {
	start_two
	kill -9 "$(daemon_pid)"
	head -c 20000 /dev/urandom >"$XDG_STATE_HOME/sandesk/catalog.db"
	rm -f "$XDG_STATE_HOME"/sandesk/catalog.db-*
	run sandesk session list shop
	[ "$status" = 0 ]
	[[ $output == *catalog*corrupt* ]]
	ls "$XDG_STATE_HOME"/sandesk/catalog.db.corrupt-*
	is_status shop/a working
}

@test "a newer catalog is refused with a sentence" {
	sandesk new shop --dir "$T/shop"
	sandesk daemon stop
	until_ok python3 -c 'import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute("pragma user_version=9999"); c.commit(); c.close()' "$XDG_STATE_HOME/sandesk/catalog.db"
	run sandesk ls
	[ "$status" = 1 ]
	[ "${#lines[@]}" = 1 ]
	[[ $output == sandesk:*9999* ]]
}

@test "stale sockets and a runtime directory of the wrong mode" {
	start_two
	kill -9 "$(daemon_pid)"
	python3 -c 'import socket,sys; s=socket.socket(socket.AF_UNIX); s.bind(sys.argv[1])' "$XDG_RUNTIME_DIR/sandesk/keepers/00000000000000aa.sock"
	is_status shop/a working
	[ ! -e "$XDG_RUNTIME_DIR/sandesk/keepers/00000000000000aa.sock" ]
	chmod 755 "$XDG_RUNTIME_DIR/sandesk"
	run sandesk ls
	[ "$status" = 1 ]
	[[ $output == sandesk:*"chmod 700"* ]]
	chmod 700 "$XDG_RUNTIME_DIR/sandesk"
	sandesk ls
}

@test "ended sessions keep their screen until they are removed" {
	sandesk new shop --dir "$T/shop"
	sandesk run shop --name done -- sh -c 'echo the result'
	sandesk wait shop/done --exit --timeout 15
	is_status shop/done done
	sandesk capture shop/done | grep -q 'the result'
	kill -9 "$(daemon_pid)"
	sandesk capture shop/done | grep -q 'the result'
	is_status shop/done done
	sandesk session remove shop/done --yes
	[ "$(sandesk session list shop --json)" = "[]" ]
	until_ok test "$(ls "$XDG_RUNTIME_DIR/sandesk/keepers" | wc -l)" = 0
}

@test "a stopped client does not slow a session" {
	sandesk new shop --dir "$T/shop"
	sandesk run shop --name flood -- sh -c 'seq 1 1000000; echo flood-is-over; exec cat'
	outer sandesk attach shop/flood
	until_ok clients_of shop/flood
	client=$(pgrep -P "$(tmux -L "$OUTER" display-message -p '#{pane_pid}')")
	kill -STOP "$client"
	sandesk wait shop/flood --text flood-is-over --timeout 60
	kill -CONT "$client"
	await flood-is-over
}
clients_of() { [ "$(field "$1" clients)" -ge 1 ]; }
