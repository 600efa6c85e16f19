# What sessions may see and do, from sandesk.ini, `policy set` and `run --policy`: which wins, what is refused, and that it holds.
load helpers

config() { mkdir -p "$XDG_CONFIG_HOME/sandesk"; cat >"$XDG_CONFIG_HOME/sandesk/sandesk.ini"; }
value() { sandesk policy show shop --json | json "[v['value'] + ', ' + v['source'] for v in d['values'] if v['key'] == '$1'][0]"; }

@test "policy: each place wins over the one before, key by key" {
	sandesk new shop --dir "$T/work" >/dev/null
	[ "$(value profile)" = "default, built in" ]
	printf '[policy shop]\nprofile = default\n\n[policy]\nprofile = strict\nover = kill\n' | config
	[ "$(value profile)" = "default, sandesk.ini, this Desktop" ]
	[ "$(value over)" = "kill, sandesk.ini" ]
	sandesk policy set shop profile=strict run_time=1h
	[ "$(value profile)" = "strict, this Desktop" ]
	[ "$(value run_time)" = "3600s, this Desktop" ]
	sandesk policy set shop --unset profile
	[ "$(value profile)" = "default, sandesk.ini, this Desktop" ]
}

@test "policy: strict forbids namespaces inside, default does not" {
	sandesk new shop --dir "$T/work" >/dev/null
	sandesk exec shop -- unshare -U true
	sandesk policy set shop profile=strict
	run sandesk exec shop -- unshare -U true
	[ "$status" != 0 ]
	sandesk exec shop --policy profile=default -- unshare -U true
}

@test "policy: a protected path of one's own cannot be written" {
	sandesk new shop --dir "$T/work" >/dev/null
	mkdir "$T/work/keep"; echo one >"$T/work/keep/file"
	sandesk policy set shop protect=keep
	run sandesk exec shop -- sh -c 'echo two >keep/file'
	[ "$status" != 0 ]
	run sandesk exec shop -- mv keep gone
	[ "$status" != 0 ]
	[ "$(cat "$T/work/keep/file")" = one ]
	# One session without the rule could move the path for all of them.
	run sandesk exec shop --policy protect=none -- true
	[ "$status" != 0 ]
	[[ $output == *"the same for all sessions of a Desktop"* ]]
	sandesk policy set shop protect=none
	sandesk exec shop -- sh -c 'echo two >keep/file'
	[ "$(cat "$T/work/keep/file")" = two ]
}

@test "policy: a session keeps its own until it is restarted, and that is said" {
	sandesk new shop --dir "$T/work" >/dev/null
	sandesk run shop --name a -- sleep 1000 >/dev/null
	run sandesk policy set shop profile=strict
	[[ $output == *"shop/a keeps the policy"*"sandesk session restart shop/a"* ]]
	kill -9 "$(daemon_pid)"
	sandesk policy show shop --session a | grep -qE '^profile +default'
	sandesk session restart shop/a >/dev/null
	sandesk policy show shop --session a | grep -qE '^profile +strict'
	run sandesk policy set shop profile=strict
	[ "$output" = "policy of shop: set" ]
}

@test "policy: a wall that is required and missing stops the start" {
	sandesk new shop --dir "$T/work" >/dev/null
	sandesk run shop --name probe --limit memory=64M -- sleep 1000 >/dev/null
	if [[ $(field shop/probe walls_missing) == *cgroup* ]]; then
		sandesk policy set shop require=cgroup memory=64M
		run sandesk exec shop -- touch ran
		[ "$status" = 125 ]
		[[ $output == *"wall cgroup: the policy requires it"*"sandesk doctor"* ]]
		[ ! -e "$T/work/ran" ]
	else
		sandesk policy set shop require=cgroup memory=64M
		sandesk exec shop -- touch ran
		[ -e "$T/work/ran" ]
	fi
}

@test "policy: the plan is told step by step, each with its reason" {
	sandesk new shop --dir "$T/work" >/dev/null
	sandesk policy show shop >"$T/plan"
	grep -qE "bind-rw +$T/work .*# " "$T/plan"
	grep -qE '^seccomp +seccomp .*# ' "$T/plan"
	sandesk policy check shop | grep -qE '^policy +holds'
}

@test "policy: what cannot be is one sentence, and nothing is changed" {
	sandesk new shop --dir "$T/work" >/dev/null
	for bad in profil=x profile=lax protect=../x protect=/etc protect= require=moat memory=0 memory=-1 memory=999999T \
		special_files=perhaps over=ask novalue; do
		run sandesk policy set shop "$bad"
		[ "$status" = 1 ]
		[ "${#lines[@]}" = 1 ]
		[[ $output == "sandesk: "* ]]
		run sandesk run shop --policy "$bad" -- true
		[ "$status" = 1 ]
		[ "${#lines[@]}" = 1 ]
	done
	run sandesk policy set shop
	[ "$status" = 2 ]
	[ "$(value profile)" = "default, built in" ]
	printf '[terminal]\nerase_history = no\n[policy]\nprofile = lax\n' | config
	run sandesk run shop -- true
	[[ $output == *"sandesk.ini line 4: policy profile"* ]]
	[ "$(sandesk session list shop --json | json 'len(d)')" = 0 ]
}
