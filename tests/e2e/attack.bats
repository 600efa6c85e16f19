# What a hostile program in a sandbox, or a hostile peer, tries.
bats_require_minimum_version 1.5.0
load helpers

@test "a script that a shell reads from a pipe is not continued by the sandbox" {
	sandesk new shop --dir "$T/shop"
	cat >"$T/script" <<'JOB'
sandesk exec shop -- sh -c 'echo "touch \$T/escaped" >/proc/self/fd/0'
echo the end
JOB
	run sh -c 'cat "$T/script" | sh'
	[ ! -e "$T/escaped" ]
}

@test "what others wrote into the pipe of the output is not read by the sandbox" {
	sandesk new shop --dir "$T/shop"
	stages() {
		{ echo a secret; sandesk exec shop -- timeout 1 sh -c 'cat </proc/self/fd/1 >stolen' || :; : >"$T/done"; } |
			{ until_ok test -e "$T/done"; cat; }
	}
	run stages
	[[ $output == *"a secret"* ]]
	[ ! -s "$T/shop/stolen" ]
}

@test "pipes carry every byte in both directions" {
	sandesk new shop --dir "$T/shop"
	head -c 5000000 /dev/urandom >"$T/bytes"
	[ "$(cat "$T/bytes" | sandesk exec shop -- cat | md5sum)" = "$(md5sum <"$T/bytes")" ]
	[ "$(sandesk exec shop -- cat <"$T/bytes" | md5sum)" = "$(md5sum <"$T/bytes")" ]
	[ "$(sandesk exec shop -- sh -c 'yes | head -n 2000000' | wc -l)" = 2000000 ]
}

@test "a crash inside starts no program of the host" {
	sandesk new shop --dir "$T/shop"
	# 0 forbids a file only; 1 is what the kernel takes for "no helper either" (core(5), fs/coredump.c)
	[ "$(ulimit -Hc)" != 0 ] || skip "the caller may have no limit but 0"
	[ "$(sandesk exec shop -- grep -c 'Max core file size *1 *1 ' /proc/self/limits)" = 1 ]
}

@test "what a sandbox's command is called cannot write to the log's reader" {
	sandesk new shop --dir "$T/shop"
	run -127 sandesk exec shop -- "$(printf 'no\033]2;x\007\nforged')"
	until_ok grep -q 'failed: no.*forged' "$XDG_STATE_HOME/sandesk/daemon.log"
	lacks "$(printf '\033')" <"$XDG_STATE_HOME/sandesk/daemon.log"
}

@test "a long command line keeps its descriptors" {
	sandesk new shop --dir "$T/shop"
	[ "$(sandesk exec shop -- sh -c 'echo $#' x $(seq 1 4000))" = 4000 ]
	[ "$(sandesk exec shop -- sh -c 'echo ${#1}' x "$(head -c 100000 /dev/zero | tr '\0' a)")" = 100000 ]
}

@test "a keeper that takes no connection does not keep a new daemon from starting" {
	sandesk new shop --dir "$T/shop"
	sandesk run shop --name s -- cat
	kill -9 "$(daemon_pid)"
	python3 - "$XDG_RUNTIME_DIR/sandesk/keepers/00000000000000aa.sock" <<'PY'
import socket, subprocess, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen(0)
held = []
while True: # until its queue is full
    s = socket.socket(socket.AF_UNIX)
    s.setblocking(False)
    held.append(s)
    try:
        s.connect(sys.argv[1])
    except BlockingIOError:
        break
sys.exit(subprocess.call(["sandesk", "ls"]))
PY
	is_status shop/s working
}
