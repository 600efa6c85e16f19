#!/usr/bin/env bats
# Copy mode in a real terminal.
load helpers

numbers() { # a session that has printed 1 to 200 and waits
	sandesk new shop --dir "$T/work"
	sandesk run shop --name n -- sh -c 'for i in $(seq 200); do echo "line $i of words"; done; echo END; exec cat'
	sandesk wait shop/n --text END --timeout 10
	mkdir -p "$XDG_CONFIG_HOME/sandesk"
	printf '[copy]\ncommand = cat > %s/copied\n' "$T" >"$XDG_CONFIG_HOME/sandesk/sandesk.ini"
	outer sandesk attach shop/n
	await END
}
copied() { [ "$(cat "$T/copied" 2>/dev/null)" = "$1" ] || { cat "$T/copied"; return 1; }; }

@test "copy mode: lines are marked and given to the configured command" {
	numbers
	keys C-Space [
	await 'copy mode'
	keys k k 0 V k y
	until_ok copied $'line 199 of words\nline 200 of words'
	await '2 lines copied'
}

@test "copy mode: a search finds what has scrolled away, n goes on, words are marked" {
	numbers
	keys C-Space [
	await 'copy mode'
	keys '?'
	keys -l 'line 4[25] '
	await 'line 45 of words'
	keys Enter n
	await 'line 42 of words'
	keys v e e e y
	until_ok copied 'line 42 of'
}

@test "copy mode: the view stands still while output goes on" {
	numbers
	keys C-Space [
	await 'copy mode'
	keys k V
	sandesk send shop/n 'more and more' --enter
	sandesk send shop/n 'and again' --enter
	sandesk wait shop/n --text 'and again' --timeout 10
	keys y
	until_ok copied END
}

@test "copy mode: a block, and the oldest line" {
	numbers
	keys C-Space [
	await 'copy mode'
	keys g
	await 'line 1 of words'
	keys w C-v j j y
	until_ok copied $'1\n2\n3'
}

@test "copy mode: prompts and a command's output by OSC 133" {
	sandesk new shop --dir "$T/work"
	cat >shell <<-'END'
		p() { printf '\033]133;A\033\\$ \033]133;B\033\\%s\n\033]133;C\033\\' "$1"; }
		p one; echo first output; printf '\033]133;D;0\033\\'
		p two; seq 60; printf '\033]133;D;0\033\\'
		printf '\033]133;A\033\\$ \033]133;B\033\\'; exec cat
	END
	sandesk run shop --name n -- sh shell
	sandesk wait shop/n --text 60 --timeout 10
	mkdir -p "$XDG_CONFIG_HOME/sandesk"
	printf '[copy]\ncommand = cat > %s/copied\n' "$T" >"$XDG_CONFIG_HOME/sandesk/sandesk.ini"
	outer sandesk attach shop/n
	await 60
	keys C-Space [
	await 'copy mode'
	keys [
	await '\$ two'
	keys [
	await '\$ one'
	keys O
	await 'lines --'
	keys y
	until_ok copied 'first output'
}

@test "copy mode: the mouse marks cells, a word, a line" {
	numbers
	mouse() { printf '\033[<%s;%s;%s%s' "$1" "$2" "$3" "$4"; }
	keys -l "$(mouse 0 6 3 M)$(mouse 32 8 3 M)$(mouse 0 8 3 m)"
	await 'copied'
	until_ok grep -qE '^[0-9]+$' "$T/copied"
}

@test "an error in the copy command is told" {
	numbers
	printf '[copy]\ncommand = exit 3\n' >"$XDG_CONFIG_HOME/sandesk/sandesk.ini"
	keys C-Space d
	await outer-status=0
	tmux -L "$OUTER" kill-server
	outer sandesk attach shop/n
	await END
	keys C-Space [
	await 'copy mode'
	keys y
	await 'no text to copy'
	keys k y
	await 'exit status 3'
}
