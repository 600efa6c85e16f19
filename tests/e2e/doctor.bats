# The table of walls: that it tries them, tells of what is missing, and leaves nothing behind.
load helpers

doctor() { sandesk doctor --json "$@" || :; }
state_of() { json "[w['state'] for w in d['walls'] if w['name'] == '$1'][0]"; }

# Every wall that could be tried by what is forbidden; a machine may lack cgroups, time namespaces and new Landlock.
always="directories processes files home system special-files devices setuid protect mounts namespaces first-process
	capabilities new-privileges descriptors environment network abstract-sockets sockets keyring calls typing
	process-limit scratch-limit cores"

@test "doctor proves the walls of the default profile" {
	doctor >table
	for w in $always; do
		[ "$(state_of "$w" <table)" = holds ] || { echo "$w"; cat table; return 1; }
	done
	[ "$(state_of nesting <table)" = "not asked for" ]
	[ "$(state_of proc-masks <table)" = "not asked for" ]
	[ "$(json "all(w['why'] for w in d['walls'])" <table)" = true ]
}

@test "doctor proves the walls of the strict profile, and tells of agents' own sandboxes" {
	doctor --strict >table
	for w in $always nesting proc-masks; do
		[ "$(state_of "$w" <table)" = holds ] || { echo "$w"; cat table; return 1; }
	done
	json "[w['mend'] for w in d['walls'] if w['name'] == 'codex'][0]" <table | grep -q danger-full-access
}

@test "the exit status is that of the table" {
	status=0
	sandesk doctor --json >table || status=$?
	[ "$(json "d['whole']" <table)" = "$([ $status = 0 ] && echo true || echo false)" ]
	[ "$(json "d['whole'] == (not [w for w in d['walls'] if w['kind'] == 'wall' and w['state'] in ('missing', 'weaker')])" \
		<table)" = true ]
	run sandesk doctor
	[ "$status" = "$([ "$(json "d['whole']" <table)" = true ] && echo 0 || echo 1)" ]
	grep -q '^processes  *holds ' <<<"$output"
}

@test "doctor leaves nothing behind and starts no daemon" {
	doctor >table
	[ "$(ls "$XDG_STATE_HOME/sandesk")" = "" ]
	[ "$(ls "$XDG_RUNTIME_DIR/sandesk")" = keepers ]
	[ -z "$(leftovers)" ]
	run sandesk daemon status
	[ "$status" = 1 ]
}

@test "without user namespaces doctor says which setting forbids them, and what mends it" {
	command -v unshare >/dev/null || skip "unshare (util-linux) is not here"
	unshare -Ur true || skip "no user namespaces to take them away in"
	cat >inside <<-'EOT'
		echo 0 >/proc/sys/user/max_user_namespaces
		sandesk doctor --json
		echo $? >status
	EOT
	unshare -Ur bash ./inside >table
	[ "$(cat status)" = 1 ]
	[ "$(state_of sandbox <table)" = missing ]
	[ "$(state_of sysctl <table)" = missing ]
	json "[w['mend'] for w in d['walls'] if w['name'] == 'sysctl'][0]" <table |
		grep -q 'sysctl -w user.max_user_namespaces='
	[ "$(json "d['whole']" <table)" = false ]
}

@test "a runtime directory that others may enter is a row of the table" {
	mkdir -m 755 "$XDG_RUNTIME_DIR/sandesk"
	run sandesk doctor
	[ "$status" = 1 ]
	grep -q '^directories  *missing ' <<<"$output"
	grep -q 'chmod 700 ' <<<"$output"
	grep -q '^processes  *holds ' <<<"$output"
}

@test "the attempts are real: outside of a sandbox they reach what they try" {
	command -v unshare >/dev/null || skip "unshare (util-linux) is not here"
	unshare -rm true || skip "no user namespaces to try it in"
	echo secret >"$T/secret"
	mkdir -p .git/hooks
	export DOCTOR_SECRET=$T/secret DOCTOR_PID=$$ DOCTOR_LEAK=1
	DOCTOR_HOME=$(stat -c %d:%i "$HOME"):$HOME
	DOCTOR_NAMESPACES=$(for n in user mnt pid net ipc uts cgroup time; do readlink /proc/self/ns/$n; done | tr '\n' ' ')
	export DOCTOR_HOME DOCTOR_NAMESPACES
	for w in processes files home special-files setuid protect namespaces environment; do
		sandesk-keeper attempts $w | grep "^$w	open	" || { echo "$w was held outside"; sandesk-keeper attempts $w; return 1; }
	done
	unshare -rm sandesk-keeper attempts mounts | grep '^mounts	open	'
	unshare -rm sandesk-keeper attempts capabilities | grep '^capabilities	open	'
	sandesk-keeper attempts descriptors 9</dev/null | grep '^descriptors	open	'
	[ "$(ls -A)" = .git ]
}
