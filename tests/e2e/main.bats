# The main job, as the README tells it, from the command line.
bats_require_minimum_version 1.5.0
load helpers

@test "a Desktop with sessions, typed into, read, and ended" {
	sandesk new shop --dir "$T/src/shop"
	[ -d "$T/src/shop" ]
	sandesk run shop --name api -- python3 -m http.server 8000
	sandesk run shop --name sh
	sandesk ls --json | json "[x['name'] for x in d]" | grep -q "\['shop'\]"
	[ "$(sandesk session list shop --json | json "sorted(x['name'] for x in d)")" = "['api', 'sh']" ]
	sandesk session list shop | grep -q api
	sandesk wait shop/sh --text '\$ $' --timeout 15
	sandesk send shop/sh 'echo hello > from-sh.txt' --enter
	sandesk wait shop/sh --text '\$ $' --timeout 15
	sandesk capture shop/sh | grep -q 'echo hello > from-sh.txt'
	until_ok grep -q hello "$T/src/shop/from-sh.txt"
	sandesk session stop shop/api
	is_status shop/api stopped
	sandesk desktop remove shop --yes
	[ "$(cat "$T/src/shop/from-sh.txt")" = hello ]
	[ "$(sandesk ls --json)" = "[]" ]
}

@test "exec has its own stdout, stderr and status" {
	sandesk new shop --dir "$T/src/shop"
	echo from-file >"$T/src/shop/from-sh.txt"
	run sandesk exec shop -- sh -c 'cat from-sh.txt; echo oops >&2; exit 7'
	[ "$status" = 7 ]
	[[ $output == *from-file* && $output == *oops* ]]
	[ "$(sandesk exec shop -- sh -c 'cat from-sh.txt; echo oops >&2' 2>/dev/null)" = from-file ]
	[ "$(sandesk exec shop -- sh -c 'echo oops >&2' 2>&1 >/dev/null)" = oops ]
	[ "$(echo through | sandesk exec shop -- cat)" = through ]
	[ "$(head -c 3000000 /dev/zero | sandesk exec shop -- wc -c)" = 3000000 ]
	[ "$(sandesk exec shop -- head -c 3000000 /dev/zero | wc -c)" = 3000000 ]
	sandesk exec shop -- head -c 1000 /dev/zero >"$T/out"
	[ "$(wc -c <"$T/out")" = 1000 ]
	run sandesk exec shop -- sh -c 'kill -9 $$'
	[ "$status" = 137 ]
	run sandesk exec shop -- sh -c 'kill -TERM $$'
	[ "$status" = 143 ]
}

@test "exec with arguments that no socket takes at once" {
	sandesk new shop --dir "$T/shop"
	big=$(head -c 120000 /dev/zero | tr '\0' x)
	for _ in 1 2 3; do
		run sandesk exec shop -- sh -c 'echo ${#1} ${#2} ${#3}; exit 7' sh "$big" "$big" "$big"
		[ "$output" = "120000 120000 120000" ]
		[ "$status" = 7 ]
	done
}

@test "commands that do not exist or cannot be executed" {
	sandesk new shop --dir "$T/src/shop"
	run -127 sandesk exec shop -- no-such-command
	[[ $output == sandesk:*no-such-command* ]]
	[ "${#lines[@]}" = 1 ]
	echo text >"$T/src/shop/plain"
	run sandesk exec shop -- ./plain
	[ "$status" = 126 ]
	run -127 sandesk run shop --name x -- no-such-command
	[ "$(sandesk session list shop --json)" = "[]" ]
}

@test "wait: text, exit, quiet, time-out" {
	sandesk new shop --dir "$T/src/shop"
	sandesk run shop --name s -- sh -c 'echo ready; read line; echo "got $line"; exit 3'
	sandesk wait shop/s --text '^ready$' --timeout 15
	run sandesk wait shop/s --text never --timeout 0.3
	[ "$status" = 1 ]
	[[ $output == sandesk:* ]]
	sandesk wait shop/s --quiet 0.2 --timeout 15
	sandesk send shop/s 'the answer' --enter
	sandesk wait shop/s --exit --timeout 15
	sandesk capture shop/s | grep -q 'got the answer'
	is_status shop/s failed
	[ "$(field shop/s exit_status)" = 3 ]
	run sandesk wait shop/s --text '(' --timeout 1
	[ "$status" != 0 ]
	[[ $output == *"regular expression"* ]]
}

@test "keys by name, resize, rename, restart, scrollback" {
	sandesk new shop --dir "$T/src/shop"
	sandesk run shop --name cat -- cat
	sandesk send shop/cat 'gone'
	sandesk session keys shop/cat C-u k e p t Enter
	sandesk wait shop/cat --text '^kept$' --timeout 15
	sandesk session keys shop/cat C-c
	sandesk wait shop/cat --exit --timeout 15
	[ "$(field shop/cat exit_status)" = 130 ]
	run sandesk session keys shop/cat NoSuchKey
	[ "$status" != 0 ]
	sandesk session rename shop/cat dog
	sandesk session restart shop/dog
	is_status shop/dog working
	sandesk session kill shop/dog --yes
	is_status shop/dog stopped
	sandesk run shop --name size --size 30x100 -- sh -c 'stty size; read x; stty size; read x'
	sandesk wait shop/size --text '^30 100$' --timeout 15
	sandesk session resize shop/size 10x40
	sandesk send shop/size '' --enter
	sandesk wait shop/size --text '^10 40$' --timeout 15
	sandesk run shop --name many -- sh -c 'seq 1 500; read x'
	sandesk wait shop/many --text '^500$' --timeout 15
	[ "$(sandesk capture shop/many | grep -c '^1$')" = 0 ]
	[ "$(sandesk capture shop/many --history | grep -c '^[0-9][0-9]*$')" = 500 ]
}

@test "two first clients at once start one daemon" {
	for i in 1 2 3 4 5 6; do sandesk new "d$i" --dir "$T/d$i" & done
	wait
	[ "$(sandesk ls --json | json "len(d)")" = 6 ]
	[ "$(leftovers sandesk-daemon | wc -l)" = 1 ]
}

@test "neither daemon nor keeper holds what the first caller had open" {
	exec 9>"$T/lock"
	flock 9
	sandesk new shop --dir "$T/shop"
	sandesk run shop --name a -- cat
	exec 9>&-
	flock -n "$T/lock" true
}

@test "daemon stop leaves sessions, daemon stop --sessions ends them" {
	sandesk new shop --dir "$T/src/shop"
	sandesk run shop --name s -- cat
	k=$(field shop/s keeper_pid)
	d=$(daemon_pid)
	sandesk daemon stop
	until_ok gone "$d"
	kill -0 "$k"
	is_status shop/s working
	[ "$(field shop/s keeper_pid)" = "$k" ]
	d=$(daemon_pid)
	sandesk daemon stop --sessions
	until_ok gone "$d"
	until_ok gone "$k"
	is_status shop/s stopped
}

@test "names, prefixes and targets that are wrong" {
	sandesk new shop --dir "$T/shop"
	sandesk new shopping --dir "$T/shopping"
	for name in '' "$(printf 'x%.0s' {1..65})" a/b $'a\nb' $'\x1b[31m' $'\xff' -x .x; do
		run sandesk new -- "$name"
		[ "$status" -ne 0 ]
		[ "${#lines[@]}" = 1 ]
		[[ $output == sandesk:* && $output != *$'\x1b'* ]]
	done
	run sandesk new shop --dir "$T/other"
	[ "$status" = 1 ]
	[[ $output == *exists* ]]
	run sandesk desktop show sho
	[ "$status" = 1 ]
	[[ $output == *shop*shopping* ]]
	sandesk desktop show shopp --json | json "d['name']" | grep -q '^shopping$'
	sandesk desktop show shop --json | json "d['name']" | grep -q '^shop$'
	run sandesk run nothere -- true
	[ "$status" = 1 ]
	[[ $output == *nothere*shop* ]]
	run sandesk capture shop/nothere
	[ "$status" = 1 ]
	run sandesk frobnicate
	[ "$status" = 2 ]
	run sandesk run shop --frobnicate
	[ "$status" = 2 ]
	run sandesk desktop remove shop
	[ "$status" != 0 ]
	[[ $output == *--yes* ]]
	sandesk ls --json | json "len(d)" | grep -q 2
}

@test "directories that cannot be a Desktop" {
	touch "$T/file"
	run sandesk new f --dir "$T/file"
	[ "$status" = 1 ]
	[[ $output == *"not a directory"* ]]
	run sandesk new root --dir /
	[ "$status" = 1 ]
	run sandesk new home --dir "$HOME"
	[ "$status" = 1 ]
	[[ $output == *--force* ]]
	run sandesk new state --dir "$XDG_STATE_HOME/sandesk/x"
	[ "$status" = 1 ]
	run sandesk new state --dir "$XDG_RUNTIME_DIR/sandesk"
	[ "$status" = 1 ]
	if [ "$(id -u)" != 0 ]; then
		mkdir -m 500 "$T/ro"
		run sandesk new ro --dir "$T/ro"
		[ "$status" = 1 ]
		mkdir -m 000 "$T/no"
		run sandesk new no --dir "$T/no"
		[ "$status" = 1 ]
	fi
	[ "$(sandesk ls --json)" = "[]" ]
	sandesk new gone --dir "$T/gone"
	sandesk run gone --name s -- cat
	rm -rf "$T/gone"
	run sandesk run gone --name t -- cat
	[ "$status" != 0 ]
	[[ $output == sandesk:*gone* ]]
	is_status gone/s working
	sandesk session stop gone/s
}

@test "nothing of a caller's environment reaches a session" {
	sandesk new shop --dir "$T/shop"
	export SECRET_TOKEN=hunter2
	run sandesk exec shop -- env
	[[ $output != *hunter2* ]]
	run sandesk exec shop --env GIVEN=yes --env SECRET_TOKEN -- env
	[[ $output == *GIVEN=yes* && $output == *SECRET_TOKEN=hunter2* ]]
	sandesk run shop --name s --env SECRET_TOKEN -- cat
	sandesk session show shop/s --json | lacks hunter2
	[ "$(field shop/s env)" = "['SECRET_TOKEN']" ]
	sandesk daemon stop
	cat $(find "$XDG_STATE_HOME" "$XDG_RUNTIME_DIR" -type f) | lacks hunter2
	tr '\0' ' ' </proc/"$(field shop/s keeper_pid)"/cmdline | lacks hunter2
}
