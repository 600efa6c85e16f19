# Where things run out: sessions, disk, namespaces, directories.
bats_require_minimum_version 1.5.0
load helpers

is_asan() { [[ $BUILD == *asan* ]]; }

@test "a thousand sessions of one Desktop asked for at once" {
	local n=1000
	is_asan && n=40 # each process of a sanitizer build takes many times the memory
	[ "$(ulimit -Hn)" -ge $((n + 200)) ] || n=$(($(ulimit -Hn) / 2))
	sandesk new many --dir "$T/many"
	python3 - "$n" <<'PY'
import subprocess, sys
n = int(sys.argv[1])
ps = [subprocess.Popen(["sandesk", "run", "many", "--name", f"s{i}", "--", "cat"], stdout=subprocess.DEVNULL) for i in range(n)]
sys.exit(sum(p.wait() != 0 for p in ps) != 0)
PY
	[ "$(sandesk session list many --json | json "sum(x['status'] == 'working' for x in d)")" = "$n" ]
	sandesk send many/s0 first --enter
	sandesk wait many/s0 --text '^first$' --timeout 30
	sandesk send "many/s$((n - 1))" last --enter
	sandesk wait "many/s$((n - 1))" --text '^last$' --timeout 30
	sandesk desktop remove many --yes
	[ "$(sandesk session list --json)" = "[]" ]
	until_ok -t 60 no_keepers
}
no_keepers() { [ -z "$(ls "$XDG_RUNTIME_DIR/sandesk/keepers")" ]; }

@test "a full disk: clear errors, nothing lost, and on it goes when there is room" {
	[ "$(id -u)" = 0 ] || skip "needs mount: only root can make a small disk"
	unshare -m true 2>/dev/null || skip "needs mount namespaces"
	mkdir -p "$XDG_STATE_HOME"
	cat >"$T/job" <<'JOB'
set -eu
mount -t tmpfs -o size=1m,mode=700 none "$XDG_STATE_HOME"
sandesk new shop --dir "$T/shop"
sandesk run shop --name s -- cat
dd if=/dev/zero of="$XDG_STATE_HOME/ballast" bs=4k 2>/dev/null || :
for i in 1 2 3 4 5 6; do
	status=0; out=$(sandesk new "other$i" --dir "$T/other$i" 2>&1) || status=$?
	[ $status = 0 ] || break
done
test $status = 1
echo "$out"
test "$(echo "$out" | wc -l)" = 1
case $out in sandesk:*[Ss]pace*|sandesk:*full*) ;; *) exit 40 ;; esac
sandesk send shop/s 'still typing' --enter
sandesk wait shop/s --text '^still typing$' --timeout 15
sandesk session list shop --json | grep -q working
rm "$XDG_STATE_HOME/ballast"
sandesk new room --dir "$T/room"
kill -9 "$(sandesk daemon status --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["pid"])')"
sandesk desktop show room >/dev/null
sandesk desktop show shop >/dev/null
sandesk capture shop/s | grep -q 'still typing'
sandesk daemon stop --sessions
JOB
	run unshare -m bash "$T/job"
	echo "$output"
	[ "$status" = 0 ]
}

@test "no user namespaces: says which sysctl, starts nothing" {
	as_user() { unshare -U --map-user=1000 --map-group=1000 --keep-caps "$@"; }
	as_user sh -c 'echo 0 > /proc/sys/user/max_user_namespaces' 2>/dev/null || skip "no user namespace to try this in"
	cat >"$T/job" <<'JOB'
set -u
echo 0 > /proc/sys/user/max_user_namespaces
sandesk new shop --dir "$T/shop"
sandesk run shop --name s -- cat
echo "run: $?"
sandesk exec shop -- true
echo "exec: $?"
sandesk session list shop --json
sandesk daemon stop --sessions
JOB
	run as_user bash "$T/job"
	echo "$output"
	[[ $output == *"sandesk: "*user.max_user_namespaces* ]]
	[[ $output == *"run: 125"* && $output == *"exec: 125"* ]]
	[[ $output == *"[]"* ]]
}

@test "a directory that is removed, replaced, or turned into a symlink under running sessions" {
	sandesk new shop --dir "$T/shop"
	sandesk run shop --name s -- cat
	mv "$T/shop" "$T/moved"
	sandesk send shop/s works --enter
	sandesk wait shop/s --text '^works$' --timeout 15
	run -125 sandesk exec shop -- true
	[[ $output == sandesk:*"$T/shop"* ]]
	mkdir "$T/elsewhere"
	ln -s "$T/elsewhere" "$T/shop"
	run sandesk exec shop -- touch leaked
	[ "$status" != 0 ]
	[ ! -e "$T/elsewhere/leaked" ]
	rm "$T/shop"
	touch "$T/shop"
	run sandesk exec shop -- true
	[ "$status" != 0 ]
	sandesk desktop remove shop --yes
	[ -e "$T/moved" ]
}

@test "output that cannot be written" {
	sandesk new shop --dir "$T/shop"
	run sh -c 'sandesk ls --json >/dev/full'
	[ "$status" = 1 ]
	[[ $output == "sandesk: "*"No space left"* ]]
	run sh -c 'sandesk exec shop -- seq 1 100000 | head -n 1'
	[ "$status" = 0 ]
	[ "${lines[0]}" = 1 ]
}

@test "without HOME, or with a runtime directory of somebody else" {
	run env -u HOME -u XDG_STATE_HOME sandesk ls
	[ "$status" = 1 ]
	[[ $output == sandesk:*HOME* ]]
	if [ "$(id -u)" = 0 ]; then
		mkdir -m 700 "$T/theirs"
		chown 12345 "$T/theirs"
		run env XDG_RUNTIME_DIR="$T/theirs" sandesk ls
	else
		run env XDG_RUNTIME_DIR=/usr sandesk ls
	fi
	[ "$status" = 1 ]
	[ "${#lines[@]}" = 1 ]
	[[ $output == sandesk:*"runtime directory"* ]]
}
