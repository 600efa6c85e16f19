# Sessions end, however they resist and whoever dies meanwhile; nothing of them stays.
bats_require_minimum_version 1.5.0
load helpers

# Whatever is left of this test's sessions: their commands name its directory, their groups its runtime directory.
left() {
	local f p me=$BASHPID
	for f in /proc/[0-9]*; do
		p=${f#/proc/}
		[ "$p" != "$me" ] && [ "$p" != "$$" ] || continue
		[[ $(readlink "$f/cwd" 2>/dev/null) == "$T/desk"* ]] && echo "process $p: $(tr '\0' ' ' <"$f/cmdline")"
	done
	find /sys/fs/cgroup -path "*/sandesk-$(id -u)-*$(printf %x "$(stat -c %i "$XDG_RUNTIME_DIR/sandesk")")*" -type d 2>/dev/null || :
	grep -F "$T" /proc/self/mountinfo || :
	ls -A "$XDG_RUNTIME_DIR/sandesk/keepers"
	leftovers
	return 0
}
nothing_left() { local l; l=$(left); [ -z "$l" ] || { echo "$l"; return 1; }; }

# Each resists in another way.
resist() {
	cat <<'PROGRAMS'
exec sleep 1000
trap "" TERM HUP INT; while :; do sleep 1; done
(setsid sh -c "sleep 1000 & sleep 1000" </dev/null >/dev/null 2>&1 &); sleep 1000
trap "" TERM; sleep 1000 & kill -STOP $!; (trap "" TERM HUP; kill -STOP $BASHPID) & wait; sleep 1000
kill -STOP $$; sleep 1000
while :; do (sleep 0.01 &); done
python3 -c "import os,time,signal; [signal.signal(s, signal.SIG_IGN) for s in (1,2,15)]; os.fork(); os.setsid() if os.getpid() != os.getpgid(0) else 0; time.sleep(1000)"
mkdir -p deep; cd deep; sleep 1000 & disown; exec sleep 1000
PROGRAMS
}

@test "what is left is seen" {
	sandesk new shop --dir "$T/desk"
	sandesk run shop --name s --limit memory=64M -- sleep 1000
	left | grep -q "process .*sleep 1000"
	left | grep -q "$(field shop/s id).sock"
	[ "$(id -u)" != 0 ] || [ ! -w /sys/fs/cgroup ] || left | grep -q "/sandesk-0-.*/$(field shop/s id)"
}

@test "stop: whatever resists is gone within 2 s after the grace time" {
	sandesk new shop --dir "$T/desk"
	local i=0 began
	while read -r program; do
		i=$((i + 1))
		sandesk run shop --name "s$i" -- bash -c "$program"
	done < <(resist)
	[ "$i" = 8 ]
	began=$(date +%s%N)
	for ((n = 1; n <= i; n++)); do sandesk session stop "shop/s$n" --grace 500ms & done
	wait
	[ $((($(date +%s%N) - began) / 1000000)) -lt 2500 ]
	for ((n = 1; n <= i; n++)); do is_status "shop/s$n" stopped; done
	sandesk daemon stop --sessions
	until_ok nothing_left
}

@test "exit status: exact, 128 + n for a signal, 137 for KILL" {
	sandesk new shop --dir "$T/desk"
	for n in 0 1 3 126 127 255; do run -$n sandesk exec shop -- sh -c "exit $n"; done
	for n in 1 2 3 6 9 10 14 15; do run -$((128 + n)) sandesk exec shop -- sh -c "kill -$n \$\$"; done
	sandesk run shop --name k -- sleep 1000
	sandesk session kill shop/k --yes
	[ "$(field shop/k exit_status)" = 137 ]
	sandesk run shop --name t -- sleep 1000
	sandesk session stop shop/t
	[ "$(field shop/t exit_status)" = 143 ]
}

pid_of_daemon() { sandesk daemon status | awk '/^Pid/ { print $2 }'; }

# end SESSION HOW: ends it so; the daemon or the keeper may die by it.
end() {
	local keeper
	keeper=$(sandesk session show "$1" | awk '/^Keeper pid/ { print $3 }')
	case $2 in
	0) sandesk session stop "$1" --grace 100ms ;;
	1) sandesk session kill "$1" --yes ;;
	2) kill -9 "$keeper" ;;
	3) sandesk session pause "$1" && kill -9 "$keeper" ;;
	4) kill -9 "$(pid_of_daemon)"; kill -9 "$keeper" ;;
	5) sandesk session stop "$1" --grace 5s & kill -9 "$(pid_of_daemon)"; wait $!; kill -9 "$keeper" ;;
	6) sandesk session pause "$1"; kill -9 "$(pid_of_daemon)"; sandesk session kill "$1" --yes ;;
	7) sandesk session remove "$1" --yes ;;
	8) kill "$keeper" ;;
	9) sandesk session restart "$1"; sandesk session kill "$1" --yes ;;
	esac >/dev/null 2>&1 || :
}

@test "100 sessions begun and ended anyhow: nothing stays" {
	sandesk new shop --dir "$T/desk"
	cp /proc/self/mountinfo "$T/mounts"
	mapfile -t programs < <(resist)
	RANDOM=7
	for ((n = 0; n < 100; n++)); do
		local limit=processes=200
		[ $((n % 3)) = 0 ] && limit=memory=128M
		sandesk run shop --name "s$n" --limit "$limit" -- bash -c "${programs[n % 8]}" >/dev/null || [ $((n % 3)) != 0 ]
		end "shop/s$n" $((RANDOM % 10))
	done
	sandesk daemon stop --sessions
	until_ok -t 30 nothing_left
	sed "s/ $$ / /" /proc/self/mountinfo | diff - <(sed "s/ $$ / /" "$T/mounts")
}
