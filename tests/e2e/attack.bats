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
