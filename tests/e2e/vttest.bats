# vttest's screens, menu by menu: tests/golden/vttest holds each as it was judged by eye; tests/golden/vttest/README says which of
# them are not what vttest asks for, and why. UPDATE=1 writes them anew.
load helpers

# The screens are those of one version; another may ask for others.
VERSION="VT100 test program, version 2.7 (20221229)"

menu() { # PATH
	command -v vttest >/dev/null || skip "vttest is not installed: no screen of it was compared"
	[ "$(vttest -V)" = "$VERSION" ] || skip "another vttest: $(vttest -V)"
	sandesk new shop --dir "$T/work" >/dev/null
	# Its 132 columns are 80 here: a session's width is its viewers' affair.
	sandesk run shop --name vt --size 24x80 -- vttest 24x80.80 >/dev/null
	ONLY=$1 python3 "$ROOT/tests/lib/vttest.py" shop/vt "$ROOT/tests/golden/vttest"
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
