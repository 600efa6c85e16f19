# What a session showed: found, taken out in every form, listed by command, recorded and played again.
load helpers

begin() {
	sandesk new shop --dir "$T/work" >/dev/null
}

# A shell that marks its commands, as shell integrations do.
marked_shell() {
	begin
	cat >"$T/work/rc" <<-'X'
	PS1='\[\033]133;D;$?\a\033]133;A\a\]\$ \[\033]133;B\a\]'
	PS0='\033]133;C\a'
	X
	sandesk run shop --name sh -- bash --norc --noprofile -i >/dev/null
	sandesk send shop/sh '. ./rc; clear' --enter
	sandesk wait shop/sh --text '^\$ $' --timeout 15
}
ran() { [ "$(sandesk session commands shop/sh --json | json "sum(not c['running'] for c in d)")" = "$1" ]; }

@test "search: plain, regular expression, over wrapped lines, in the scrollback" {
	begin
	sandesk run shop --name s --size 10x20 -- sh -c 'for i in $(seq 400); do echo "this is the line number $i of many"; done; echo over; read x'
	sandesk wait shop/s --text '^over' --timeout 15
	run sandesk search shop/s 'number 37 of' --json
	[ "$(json "len(d), d[0]['text'], d[0]['cells']" <<<"$output")" = "(1, 'this is the line number 37 of many', 12)" ]
	[ "$(sandesk search shop/s 'NUMBER 37 of' --json)" = "[]" ]
	[ "$(sandesk search shop/s 'number \d*9 of' --regex --json | json 'len(d)')" = 40 ]
	[ "$(sandesk search shop/s 'number' --limit 3 --json | json "[h['text'][24:28] for h in d]")" = "['398 ', '399 ', '400 ']" ]
	run sandesk search shop/s '(' --regex
	[ "$status" = 1 ]
	[[ $output == sandesk:*"regular expression"* ]]
	# the hit begins on one line and ends on the next
	read -r from to < <(sandesk search shop/s 'number 37 of' --json | json "'%d %d' % (d[0]['line'], d[0]['end_line'] + 1)")
	[ $((to - from)) = 2 ]
	[ "$(sandesk capture shop/s --from "$from" --to "$to")" = $'this is the line num\nber 37 of many' ]
}

@test "narrow and wide again: the scrollback is as it was" {
	begin
	sandesk run shop --name s --size 10x60 -- sh -c 'for i in $(seq 300); do echo "line $i with enough words to be longer than thirty columns"; done; echo over; read x'
	sandesk wait shop/s --text '^over' --timeout 15
	sandesk capture shop/s --history >"$T/before"
	sandesk session resize shop/s 10x30
	sandesk capture shop/s --history >"$T/narrow"
	[ "$(wc -l <"$T/narrow")" = 601 ]
	sandesk session resize shop/s 10x60
	sandesk capture shop/s --history >"$T/after"
	cmp "$T/before" "$T/after"
}

@test "capture as ansi, html, svg and json: hostile text is text" {
	begin
	sandesk run shop --name s --size 5x40 -- sh -c 'printf "\033]0;</title><script>\a\033[1;31m<script>&\033[m\033]8;;javascript:x\033\\\\l\033]8;;\033\\\\\n"; read x'
	sandesk wait shop/s --text 'script' --timeout 15
	[ "$(sandesk capture shop/s --ansi | head -n 1)" = $'\e[0;1;31m<script>&\e[ml' ]
	sandesk capture shop/s --html >"$T/page"
	grep -q '&lt;script&gt;&amp;' "$T/page"
	lacks '<script' <"$T/page"
	lacks 'javascript' <"$T/page"
	sandesk capture shop/s --svg >"$T/picture"
	python3 -c 'import sys,xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$T/picture"
	lacks '<script' <"$T/picture"
	sandesk capture shop/s --json | json "d['rows'], d['cols'], d['lines'][0]['runs'][0]['text'], d['lines'][0]['runs'][0]['fg']" >"$T/out"
	[ "$(cat "$T/out")" = "(5, 40, '<script>&', 1)" ]
	run sandesk capture shop/s --json --html
	[ "$status" = 2 ]
	run sandesk capture shop/s --from 10000
	[ "$status" = 1 ]
	[[ $output == sandesk:*"its lines are 0 to"* ]]
}

@test "commands: what ran, with what status, what it printed" {
	marked_shell
	sandesk send shop/sh 'seq 3' --enter
	until_ok ran 1
	[ "$(sandesk capture shop/sh --last-output)" = $'1\n2\n3' ]
	sandesk send shop/sh 'sh -c "echo bad; exit 7"' --enter
	until_ok ran 2
	[ "$(sandesk session commands shop/sh --json | json "d[-1]['command'], d[-1]['status'], d[-1]['lost']")" = "('sh -c \"echo bad; exit 7\"', 7, False)" ]
	[ "$(sandesk capture shop/sh --last-output)" = bad ]
	sandesk session resize shop/sh 8x15
	sandesk session resize shop/sh 24x80
	[ "$(sandesk capture shop/sh --last-output)" = bad ]
	sandesk session commands shop/sh | grep -q 'seq 3'
}

@test "a shell without marks: said in words" {
	begin
	sandesk run shop --name s -- cat
	[ "$(sandesk session commands shop/s --json)" = "[]" ]
	run sandesk capture shop/s --last-output
	[ "$status" = 1 ]
	[[ $output == sandesk:*"OSC 133"* ]]
}

@test "record to the session's end, replay as text and on a terminal" {
	begin
	sandesk run shop --name s --size 8x40 -- sh -c 'echo begin; read x; printf "\033[32mgr\303\274n\033[m \033]52;c;AAAA\a\n"; echo end'
	sandesk wait shop/s --text begin --timeout 15
	sandesk session record shop/s tape &
	recorder=$!
	until_ok grep -q begin tape
	sandesk send shop/s x --enter
	wait "$recorder"
	head -n 1 tape | json "d['version'], d['width'], d['height'], d['title']" >"$T/out"
	[ "$(cat "$T/out")" = "(2, 40, 8, 'shop/s')" ]
	python3 -c 'import json; [json.loads(l) for l in open("tape")]'
	sandesk session replay tape >"$T/out"
	[ "$(tail -n 2 "$T/out")" = $'grün\nend' ]
	outer -r 10 -c 50 sandesk session replay tape --speed 100
	await 'outer-status=0'
	run sandesk session record shop/s tape
	[ "$status" = 1 ]
	[[ $output == sandesk:*"has ended"* ]]
	run sandesk session replay /etc/passwd
	[ "$status" = 1 ]
	[[ $output == sandesk:*"asciicast"* ]]
}

@test "record: a time, and a flood that is faster than the file" {
	begin
	sandesk run shop --name s -- sh -c 'yes 0123456789012345678901234567890123456789012345678901234567890123456789'
	sandesk session record shop/s tape --for 1
	python3 -c 'import json; e=[json.loads(l) for l in open("tape")][1:]; assert len(e) > 10 and e[-1][0] < 5, e[-1][0]'
	sandesk session replay tape | grep -q '^01234567890123456789'
	sandesk wait shop/s --text 0123 --timeout 5
}

@test "CSI 3 J erases the scrollback only where the configuration says so" {
	begin
	sandesk run shop --name kept --size 5x40 -- sh -c 'seq 50; printf "\033[3Jover\n"; read x'
	sandesk wait shop/kept --text over --timeout 15
	sandesk capture shop/kept --history | grep -qx 7
	mkdir -p "$XDG_CONFIG_HOME/sandesk"
	printf '[terminal]\nerase_history = yes\n' >"$XDG_CONFIG_HOME/sandesk/sandesk.ini"
	sandesk run shop --name erased --size 5x40 -- sh -c 'seq 50; printf "\033[3Jover\n"; read x'
	sandesk wait shop/erased --text over --timeout 15
	[ "$(sandesk capture shop/erased --history | grep -cx 7)" = 0 ]
}
