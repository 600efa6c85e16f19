# vttest's screens, menu by menu: tests/golden/vttest holds each as it was judged by eye; tests/golden/vttest/README says which of
# them are not what vttest asks for, and why. UPDATE=1 writes them anew.
load helpers

# The screens are those of one version; another may ask for others.
VERSION="VT100 test program, version 2.7 (20221229)"

MENUS=${ONLY:-1 2 3 6 7 8 9 11.1 11.2 11.3 11.4 11.5 11.6 11.7 11.8}

# vttest waits for seconds at a time, so all menus are walked at once, each in a session of its own.
setup_file() {
	isolate
	command -v vttest >/dev/null && [ "$(vttest -V)" = "$VERSION" ] || return 0
	sandesk new shop --dir "$T/work" >/dev/null
	for m in $MENUS; do
		# Its 132 columns are 80 here: a session's width is its viewers' affair.
		sandesk run shop --name "vt$m" --size 24x80 -- vttest 24x80.80 >/dev/null
		{
			ONLY=$m python3 "$ROOT/tests/lib/vttest.py" "shop/vt$m" "$ROOT/tests/golden/vttest" >"$T/$m.log" 2>&1
			echo $? >"$T/$m.new" && mv "$T/$m.new" "$T/$m.status"
		} 3>&- &
	done
}
teardown_file() { dismantle; }
setup() { :; }
teardown() { :; }

menu() { # PATH
	command -v vttest >/dev/null || skip "vttest is not installed: no screen of it was compared"
	[ "$(vttest -V)" = "$VERSION" ] || skip "another vttest: $(vttest -V)"
	until_ok -t 400 test -f "$T/$1.status"
	cat "$T/$1.log"
	[ "$(cat "$T/$1.status")" = 0 ]
}

@test "vttest 1: cursor movements" { menu 1; }
@test "vttest 2: screen features" { menu 2; }
@test "vttest 3: character sets" { menu 3; }
@test "vttest 6: reports" { menu 6; }
@test "vttest 7: VT52, which is not there" { menu 7; }
@test "vttest 8: VT102 features" { menu 8; }
@test "vttest 9: known bugs" { menu 9; }
@test "vttest 11.1: VT220" { menu 11.1; }
@test "vttest 11.2: VT320" { menu 11.2; }
@test "vttest 11.3: VT420" { menu 11.3; }
@test "vttest 11.4: VT520" { menu 11.4; }
@test "vttest 11.5: ISO 6429 cursor movement" { menu 11.5; }
@test "vttest 11.6: ISO 6429 colours" { menu 11.6; }
@test "vttest 11.7: other ISO 6429 features" { menu 11.7; }
@test "vttest 11.8: XTERM" { menu 11.8; }
