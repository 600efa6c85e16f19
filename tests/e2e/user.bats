# The same as an ordinary user: when the tests run as root, this file repeats the main job under an unprivileged id.
load helpers

@test "the main job as an ordinary user" {
	[ "$(id -u)" = 0 ] || skip "not root: every other test ran as an ordinary user already"
	command -v setpriv >/dev/null || skip "setpriv (util-linux) is not here"
	mkdir "$T/bin"
	cp "$BUILD"/sandesk "$BUILD"/sandesk-daemon "$BUILD"/sandesk-keeper "$BUILD"/sandesk-worker "$T/bin"
	chmod 755 "$T" "$T/bin"
	chown -R 54321:54321 "$HOME" "$XDG_RUNTIME_DIR" "$T/work"
	mkdir "$T/state" "$T/config"
	chown 54321:54321 "$T/state" "$T/config"
	cat >"$T/job" <<'JOB'
set -eux
cd "$T/work"
sandesk new shop --dir "$T/work/shop"
sandesk run shop --name sh -- bash
sandesk wait shop/sh --text '\$ $' --timeout 20
sandesk send shop/sh 'id -u > uid; hostname > host' --enter
sandesk wait shop/sh --text 'host\n.*\$ $' --timeout 20
test "$(cat shop/uid)" = 54321
test "$(cat shop/host)" = shop
test "$(stat -c %u:%g shop/uid)" = 54321:54321
status=0; sandesk exec shop -- sh -c 'exit 9' || status=$?
test $status = 9
if sandesk exec shop -- sh -c 'cat /etc/shadow'; then exit 50; fi
if sandesk exec shop -- sh -c 'touch /usr/x'; then exit 51; fi
test "$(sandesk exec shop -- sh -c 'ls /sys/class/net 2>/dev/null | wc -l; cat /proc/net/dev | grep -c :')" = "0
1"
kill -9 "$(sandesk daemon status --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["pid"])')"
sandesk capture shop/sh | grep -q host
sandesk desktop remove shop --yes
test -f shop/uid
sandesk daemon stop --sessions
JOB
	PATH=$T/bin:$PATH run setpriv --reuid 54321 --regid 54321 --clear-groups bash "$T/job"
	echo "$output"
	[ "$status" = 0 ]
}
