# The keeper's own walls, from outside: what the kernel says of a running one, and what they leave to the daemon.
load helpers

proc_status() { sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status"; }
socket_of() { ls "$XDG_RUNTIME_DIR/sandesk/keepers/$(field "$1" id).sock"; }

@test "a running keeper is behind its filter, whatever kind of session it has" {
	sandesk new shop --dir "$T/shop"
	sandesk run shop --name a -- sh -c 'echo up; exec cat'
	sandesk wait shop/a --text up --timeout 15
	k=$(field shop/a keeper_pid)
	[ "$(proc_status "$k" Seccomp)" = 2 ]
	[ "$(proc_status "$k" NoNewPrivs)" = 1 ]
	grep -q '^Max core file size  *1  *1 ' "/proc/$k/limits"
	sandesk exec shop -- sh -c 'exec sleep 60' &
	until_ok sh -c "sandesk session list shop --json | grep -q '\"exec\"'"
	k=$(sandesk session list shop --json | json "[s['keeper_pid'] for s in d if s['kind'] == 'exec'][0]")
	until_ok test "$(proc_status "$k" Seccomp)" = 2
	kill %1
	wait %1 || :
}

@test "behind its walls a keeper still does all that it is asked" {
	sandesk new shop --dir "$T/shop"
	sandesk run shop --name a -- sh -c 'seq 1 50000; echo up; exec cat'
	sandesk wait shop/a --text up --timeout 15
	sandesk session resize shop/a 50x200
	sandesk send shop/a 'typed' --enter
	sandesk wait shop/a --text typed --timeout 15
	sandesk session keys shop/a C-l
	[ "$(sandesk capture shop/a --history | grep -c '^[0-9][0-9]*$')" -gt 1000 ]
	outer sandesk attach shop/a
	await typed
	sandesk session rename shop/a b
	sandesk session stop shop/b
	is_status shop/b stopped
	sandesk capture shop/b | grep -q typed
	log=$(sandesk daemon status --json | json "d['log']")
	grep -q 'keeper\[[0-9]*\] session shop/b .*stopped' "$log"
	k=$(field shop/b keeper_pid)
	sandesk session remove shop/b --yes
	until_ok gone "$k"
	lacks Sanitizer <"$log" # in such a build: its own end was not hindered either
}

@test "the daemon removes the name of a keeper's socket, also of one that it only adopted" {
	sandesk new shop --dir "$T/shop"
	sandesk run shop --name a -- cat
	s=$(socket_of shop/a)
	kill -9 "$(daemon_pid)"
	until_ok is_status shop/a working
	[ -S "$s" ]
	sandesk session stop shop/a
	sandesk session remove shop/a --yes
	until_ok test ! -e "$s"
}

@test "a keeper that was killed while nobody looked leaves no name once there is a daemon again" {
	sandesk new shop --dir "$T/shop"
	sandesk run shop --name a -- cat
	s=$(socket_of shop/a)
	kill -9 "$(daemon_pid)" "$(field shop/a keeper_pid)"
	until_ok test -n "$(sandesk ls)"
	until_ok test ! -e "$s"
}

@test "git's hooks stay as they are, by rename, by a sibling and by a link; a new one is told in the log" {
	git init -q "$T/shop"
	rm -f "$T"/shop/.git/hooks/*
	sandesk new shop --dir "$T/shop"
	sandesk run shop --name sibling -- cat
	run sandesk exec shop -- sh -c 'mv .git x; echo evil >.git/hooks/pre-commit; ln .git/config y; rm -r .git/hooks'
	[ "$status" != 0 ]
	[ -z "$(ls "$T/shop/.git/hooks")" ]
	[ ! -e "$T/shop/x" ]
	[ ! -e "$T/shop/y" ]
	[ -d "$T/shop/.git/hooks" ]
	sandesk exec shop -- git -c user.name=a -c user.email=a@b commit -q --allow-empty -m works
	sandesk new plain --dir "$T/plain"
	sandesk exec plain -- git init -q .
	log=$(sandesk daemon status --json | json "d['log']")
	until_ok grep -q 'plain/.git/.* was made in it' "$log"
	[ "$(ls -A "$T/plain")" = .git ]
}

@test "a socket or FIFO in the directory is refused, in /tmp it is not" {
	sandesk new shop --dir "$T/shop"
	run sandesk exec shop -- mkfifo p
	[ "$status" != 0 ]
	[ ! -e "$T/shop/p" ]
	sandesk exec shop -- sh -c 'mkfifo /tmp/p && test -p /tmp/p'
	sandesk exec shop -- python3 -c 'import multiprocessing as m; x = m.Manager().dict(); x[1] = 2; assert x[1] == 2'
}
