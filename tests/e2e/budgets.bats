# What a session may use: it is held, it is told, and nobody else notices.
bats_require_minimum_version 1.5.0
load helpers

desktop() { sandesk new shop --dir "$T/shop"; }
has_group() { [ -z "$(field "$1" "walls_missing" | grep cgroup)" ]; }
over_at() { sandesk session show --json "$1" | json "d['limits'] or ''" | grep -q "$2"; }
reason() { sandesk session show --json "$1" | json "d['reason'] or ''"; }
usage() { sandesk session show --json "$1" | json "d['usage']['$2']"; }

@test "R01: a fork bomb ends at its cap; others go on" {
	desktop
	sandesk run shop --name other -- cat
	sandesk run shop --name bomb --limit processes=40 -- bash -c 'f() { while :; do sleep 100 & done; }; f 2>/dev/null; cat'
	until_ok at_cap shop/bomb
	[ "$(usage shop/bomb processes)" -le 40 ]
	sandesk send shop/other alive --enter
	sandesk wait shop/other --text '^alive$' --timeout 5
	sandesk exec shop -- true # its cap is its own
	sandesk kill shop/bomb --yes
	is_status shop/bomb stopped
}
at_cap() { [ "$(usage "$1" processes)" -ge 38 ]; }

@test "R02: a memory bomb is killed, its session lives" {
	desktop
	sandesk run shop --name m --limit memory=64M --limit over=kill -- bash --norc
	sandesk send shop/m "python3 -c 'x = bytearray(300 << 20); print(len(x))'; echo st=\$?" --enter
	sandesk wait shop/m --text 'st=[0-9]+' --timeout 20
	sandesk capture shop/m | lacks 314572800
	is_status shop/m working
}

@test "R02: many processes that take memory together are over it, too" {
	desktop
	sandesk run shop --name m --limit memory=96M --limit over=kill -- bash -c \
		'for i in 1 2 3 4; do python3 -c "x = b\"1\" * (48 << 20); import time; time.sleep(60)" & done; wait -n; echo "one ended: $?"; cat'
	until_ok killed_or_over shop/m
	[ "$(usage shop/m memory_peak)" -lt $((200 << 20)) ]
}
killed_or_over() { # the kernel killed some in the group, or the keeper ended the session
	is_status "$1" failed || is_status "$1" stopped || sandesk capture "$1" | grep -q "one ended: 137"
}

@test "R03: a disk filler is stopped at its budget" {
	desktop
	[ "$(stat -f -c %T "$T")" != tmpfs ] || skip "tmpfs: nothing is written to a disk here"
	sandesk run shop --name d --limit disk=16M --limit over=stop -- bash -c \
		'while :; do dd if=/dev/zero of=f bs=1M count=2 2>&1; sleep 0.1; rm f; done'
	until_ok is_status shop/d stopped
	[[ $(reason shop/d) == *disk* ]]
	[ "$(usage shop/d written)" -ge $((16 << 20)) ]
}

@test "R05: a CPU quota holds" {
	desktop
	sandesk run shop --name c --limit cpu_percent=20 -- bash -c 'while :; do :; done'
	has_group shop/c || skip "no control group for CPU here"
	until_ok used shop/c 0.3
	# 0.3 s at 20 % take 1.5 s of time; a whole CPU gives it in 0.3
	[ "$(sandesk session show --json shop/c | json "d['usage']['cpu_seconds'] < 0.5 * (__import__('time').time() - d['started'])")" = true ]
}
used() { [ "$(sandesk session show --json "$1" | json "d['usage']['cpu_seconds'] >= $2")" = true ]; }

@test "run time: told, then paused; resume grants it once more, then it is over again" {
	desktop
	sandesk run shop --name r --limit run_time=2 -- cat
	until_ok is_status shop/r paused
	over_at shop/r "run time"
	sandesk session resume shop/r
	is_status shop/r working
	until_ok is_status shop/r paused
	sandesk session stop shop/r
	is_status shop/r stopped
}

@test "run time: stop and kill say why" {
	desktop
	run -143 sandesk exec shop --limit run_time=1 --limit over=stop -- sleep 60
	run -137 sandesk exec shop --limit run_time=1 --limit over=kill -- sleep 60
	[[ $(sandesk session list shop --all --json | json "d[-1]['reason']") == *"run time"* ]]
}

@test "idle time: output and typing put it off" {
	desktop
	sandesk run shop --name i --limit idle_time=2 --limit over=kill -- bash -c 'for i in 1 2 3 4 5 6 7 8; do sleep 0.5; echo $i; done; cat'
	sandesk wait shop/i --text '^8$' --timeout 10
	is_status shop/i working
	until_ok is_over shop/i
	[[ $(reason shop/i) == *"idle time"* ]]
}
is_over() { is_status "$1" failed || is_status "$1" stopped; }

@test "a budget that is near is told once" {
	desktop
	sandesk run shop --name n --limit memory=100M -- python3 -c 'x = b"1" * (84 << 20); print("has it", flush=True); input()'
	sandesk wait shop/n --text 'has it' --timeout 10
	until_ok over_at shop/n "memory"
	is_status shop/n working
	sandesk session show shop/n | grep -q '^Limits .*memory [89][0-9]% of 100M'
}

@test "pause: nothing runs, what is typed waits, a daemon killed in between forgets nothing" {
	desktop
	for limit in processes=100 memory=256M; do # without a group of its own, and with one where there is one
		sandesk run shop --name p --limit $limit -- bash -c 'trap "" TERM; (while :; do :; done) & cat'
		sandesk session pause shop/p
		is_status shop/p paused
		local before after
		before=$(usage shop/p cpu_seconds)
		kill -9 "$(daemon_pid)"
		until_ok is_status shop/p paused
		sandesk send shop/p typed --enter
		sandesk wait shop/p --quiet 0.5 --timeout 5
		after=$(usage shop/p cpu_seconds)
		[ "$(python3 -c "print($after - $before < 0.05)")" = True ]
		sandesk session pause shop/p # twice is once
		sandesk session resume shop/p
		sandesk wait shop/p --text '^typed$' --timeout 5
		is_status shop/p working
		sandesk session pause shop/p
		sandesk session kill shop/p --yes
		is_status shop/p stopped
		sandesk session remove shop/p --yes
	done
}

@test "stop ends a paused session by its own signal" {
	desktop
	sandesk run shop --name p -- sleep 1000
	sandesk session pause shop/p
	sandesk session stop shop/p
	[ "$(field shop/p exit_status)" = 143 ]
}

@test "limits that cannot be: one sentence, and nothing was started" {
	desktop
	for bad in memory=0 memory=-1 memory=1 memory=9999T memory= memory x=1 cpu_percent=0 cpu_percent=99999999 run_time=0 \
		over=perhaps processes=2 files=99999999999999999999; do
		run sandesk run shop --limit "$bad"
		[ "$status" != 0 ]
		[ "${#lines[@]}" = 1 ]
		[[ $output == "sandesk: limit "*"${bad%%=*}"* ]]
	done
	mkdir -p "$XDG_CONFIG_HOME/sandesk"
	printf '[limits]\nprocesses = 100\nmemory = lots\n' >"$XDG_CONFIG_HOME/sandesk/sandesk.ini"
	run sandesk run shop
	[ "$status" != 0 ]
	[[ $output == *"sandesk.ini line 3: limit memory: \"lots\""* ]]
	[ "$(sandesk session list shop --json)" = "[]" ]
	printf '[limits]\nprocesses = 50\n' >"$XDG_CONFIG_HOME/sandesk/sandesk.ini"
	[ "$(sandesk exec shop -- bash -c 'ulimit -u')" = 50 ]
	[ "$(sandesk exec shop --limit processes=60 -- bash -c 'ulimit -u')" = 60 ]
}

@test "what a session used stands in its record" {
	desktop
	sandesk run shop --name u --limit memory=200M -- bash -c 'dd if=/dev/zero of=f bs=1M count=8 2>/dev/null; for i in {1..200000}; do :; done; exit 3'
	sandesk wait shop/u --exit --timeout 20
	used shop/u 0.01
	[ "$(usage shop/u memory_peak)" -gt $((1 << 20)) ]
	local was
	was=$(sandesk session show --json shop/u | json "d['usage']")
	sandesk daemon stop --sessions
	[ "$(sandesk session show --json shop/u | json "d['usage']")" = "$was" ]
	[ "$(field shop/u exit_status)" = 3 ]
}

@test "idle sessions with budgets wake nobody" {
	desktop
	sandesk run shop --name i --limit processes=100 --limit run_time=3600 --limit idle_time=3600 --limit disk=1G -- cat
	local pid
	pid=$(field shop/i keeper_pid)
	until_ok sleeps "$pid"
	local init
	init=$(field shop/i pid)
	until_ok sleeps "$init"
}
sleeps() { # no switch in a second
	local a b
	a=$(switches "$1")
	read -rt 1 <> <(:) || :
	b=$(switches "$1")
	[ "$a" = "$b" ]
}
switches() { awk '/ctxt_switches/ { n += $2 } END { print n }' "/proc/$1/status"; }
