# Everyday work must not notice the walls: each tool that is installed does its job in a default session, as whoever runs
# the tests and, where that is root, as an ordinary user too.
load helpers

setup() {
	isolate
	sandesk new shop --dir "$T/work/shop" >/dev/null
}

teardown() {
	[ -d "$T/other" ] && as_other sandesk daemon stop --sessions >/dev/null 2>&1
	dismantle
}

OTHER=54321

as_other() { # CMD...: as an ordinary user with directories and programs of its own
	env PATH="$T/other/bin:$PATH" HOME="$T/other/home" XDG_RUNTIME_DIR="$T/other/run" XDG_STATE_HOME="$T/other/state" \
		XDG_CONFIG_HOME="$T/other/config" setpriv --reuid $OTHER --regid $OTHER --clear-groups "$@"
}

make_other() {
	[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || return 1
	[ -d "$T/other" ] && return 0
	chmod 755 "$T"
	mkdir -p "$T"/other/{bin,home,run,state,config,shop}
	cp "$BUILD"/sandesk "$BUILD"/sandesk-daemon "$BUILD"/sandesk-keeper "$BUILD"/sandesk-worker "$T/other/bin"
	chown -R $OTHER:$OTHER "$T/other"
	chmod 700 "$T/other/run"
	cd "$T/other" || return 1
	as_other sandesk new shop --dir "$T/other/shop" >/dev/null
}

needs() { # TOOL...: skips, loudly, unless a session has them all
	for tool in "$@"; do
		sandesk exec shop -- sh -c "command -v $tool" >/dev/null || skip "$tool is not installed"
	done
}

# work SCRIPT: runs it in a session of either kind, and shows what it said when it failed.
work() {
	local status=0
	sandesk exec shop -- bash -ec "$1" </dev/null || status=$?
	[ $status = 0 ] || { echo "as uid $(id -u): status $status"; return 1; }
	make_other || return 0
	as_other sandesk exec shop -- bash -ec "$1" </dev/null || status=$?
	[ $status = 0 ] || { echo "as an ordinary user: status $status"; return 1; }
}

# work_shown TEXT SCRIPT: in a session with a terminal, which must come to show the text.
work_shown() {
	sandesk run shop --name t -- bash -c "$2"
	sandesk wait shop/t --text "$1" --timeout 30 || { sandesk capture shop/t; return 1; }
	make_other || return 0
	as_other sandesk run shop --name t -- bash -c "$2"
	as_other sandesk wait shop/t --text "$1" --timeout 30 || { as_other sandesk capture shop/t; return 1; }
}

@test "git: clone from a local repository, commit, branch, merge, worktree, gc" {
	needs git
	work '
		export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
		git init -q -b main one; cd one; echo 1 >f; git add f; git commit -qm first; cd ..
		git clone -q one two; cd two; git switch -qc more; echo 2 >>f; git commit -qam second
		git switch -q main; git merge -q more; git push -q origin more; git worktree add -q ../three more
		git gc -q; git fsck; test "$(git -C ../one log --format=%s more | head -1)" = second; git status --short'
}

@test "make and gcc: a program of two files, in parallel, and run" {
	needs make gcc
	work '
		printf "int two(void); int main(void) { return two() - 2; }\n" >main.c
		printf "int two(void) { return 2; }\n" >two.c
		printf "prog: main.o two.o\n\t\$(CC) -o \$@ \$^\n" >Makefile
		make -j4 >log; ./prog; gcc -pipe -flto -O2 -o all main.c two.c; ./all'
}

@test "gdb: a breakpoint in an own program" {
	needs gdb gcc
	work '
		printf "int deep(int n) { return n; }\nint main(void) { return deep(41); }\n" >d.c
		gcc -g -O0 -o d d.c
		gdb -q -batch -ex "break deep" -ex run -ex "print n + 1" -ex continue ./d >log 2>&1 || { cat log; exit 1; }
		grep -q "= 42" log || { cat log; exit 1; }'
}

@test "strace: an own child, and its threads" {
	needs strace
	work 'strace -f -o log sh -c "echo hi; true | cat" >out; grep -q "write(1, \"hi" log; test "$(cat out)" = hi'
}

@test "python3: multiprocessing, threads, shared memory, asyncio's children" {
	needs python3
	cat >"$T/work/shop/mp.py" <<-'EOP'
		import asyncio, multiprocessing as mp, multiprocessing.shared_memory as sm, tempfile, sqlite3
		def f(x): return x * x
		async def child():
		    p = await asyncio.create_subprocess_exec("echo", "hi", stdout=asyncio.subprocess.PIPE)
		    return (await p.communicate())[0]
		if __name__ == "__main__":
		    for method in mp.get_all_start_methods():
		        with mp.get_context(method).Pool(3) as p: assert sum(p.map(f, range(100))) == 328350
		    with mp.Manager() as m: assert list(m.list([1, 2])) == [1, 2]
		    s = sm.SharedMemory(create=True, size=1 << 20); s.buf[0] = 7; s.close(); s.unlink()
		    assert asyncio.run(child()) == b"hi\n"
		    tempfile.TemporaryFile().write(b"x")
		    print("done")
	EOP
	chmod 644 "$T/work/shop/mp.py"
	make_other && cp "$T/work/shop/mp.py" "$T/other/shop"
	work 'test "$(python3 mp.py)" = done'
}

@test "pip: a folder into a virtual environment" {
	needs python3
	sandesk exec shop -- python3 -c 'import ensurepip, venv' 2>/dev/null || skip "python3-venv is not installed"
	work '
		python3 -m venv v
		mkdir -p pkg/hello; echo "def hi(): return 42" >pkg/hello/__init__.py
		printf "from setuptools import setup\nsetup(name=\"hello\", version=\"1\", packages=[\"hello\"])\n" >pkg/setup.py
		v/bin/pip install -q --no-index --no-build-isolation ./pkg 2>log || { cat log; exit 1; }
		v/bin/python -c "import hello; assert hello.hi() == 42"'
}

@test "node: a worker, a child, a server on the own loopback" {
	needs node
	cat >"$T/work/shop/n.js" <<-'EOJ'
		const { Worker, isMainThread, parentPort } = require("worker_threads");
		if (!isMainThread) { parentPort.postMessage(41); return; }
		const cp = require("child_process"), http = require("http"), fs = require("fs");
		if (cp.spawnSync("echo", ["hi"]).stdout.toString() !== "hi\n") throw "spawnSync";
		new Worker(__filename).on("message", (n) => {
			const s = http.createServer((q, a) => a.end("ok" + (n + 1))).listen(0, "127.0.0.1", () =>
				http.get({ port: s.address().port }, (a) => a.on("data", (d) => { console.log(String(d)); s.close(); })));
		});
	EOJ
	chmod 644 "$T/work/shop/n.js"
	make_other && cp "$T/work/shop/n.js" "$T/other/shop"
	work 'test "$(node n.js)" = ok42'
}

@test "npm: install from a folder" {
	needs npm node
	work '
		mkdir -p dep app
		echo "{\"name\":\"dep\",\"version\":\"1.0.0\",\"main\":\"i.js\"}" >dep/package.json; echo "module.exports = 42" >dep/i.js
		echo "{\"name\":\"app\",\"version\":\"1.0.0\"}" >app/package.json
		cd app; npm install --offline --no-audit --no-fund --silent ../dep; node -e "if (require(\"dep\") !== 42) throw 1"'
}

@test "ssh-keygen: a key, and ssh-agent with it" {
	needs ssh-keygen
	work '
		ssh-keygen -q -t ed25519 -N "" -f key; ssh-keygen -lf key.pub >/dev/null
		eval "$(ssh-agent)" >/dev/null; ssh-add -q key; ssh-add -l | grep -q ED25519; kill "$SSH_AGENT_PID"'
}

@test "tmux: a server, a window, its text" {
	needs tmux
	work '
		tmux -L t -f /dev/null new-session -d -x 80 -y 24 "echo in-tmux; exec cat"
		for i in $(seq 100); do tmux -L t capture-pane -p | grep -q in-tmux && break; sleep 0.05; done
		tmux -L t capture-pane -p | grep -q in-tmux; tmux -L t kill-server'
}

@test "vim: edits a file and keeps its undo" {
	needs vim
	work 'echo one >f; vim -Nu NONE -es -c "set undofile undodir=. | s/one/two/" -c wq f </dev/null; test "$(cat f)" = two'
}

@test "less and man on a terminal" {
	needs less
	work_shown 'line 1$' 'seq -f "line %g" 200 | less'
	sandesk exec shop -- sh -c 'command -v man >/dev/null && test -e "$(man -w man 2>/dev/null)"' || return 0
	work 'MANPAGER=cat man man | grep -qi manual'
}

@test "sqlite3: a database with a write-ahead log, two writers" {
	needs sqlite3
	work '
		sqlite3 d.db "pragma journal_mode = wal; create table t (n)" >/dev/null
		for i in 1 2 3 4; do sqlite3 -cmd ".timeout 9000" d.db "insert into t values ($i)" & done; wait
		test "$(sqlite3 d.db "select sum(n) from t")" = 10'
}

@test "bubblewrap inside: all namespaces and a proc of its own" {
	needs bwrap
	work '
		test "$(bwrap --unshare-all --ro-bind / / --proc /proc --dev /dev --tmpfs /tmp sh -c "echo \$\$; touch /tmp/x" )" = 2
		if bwrap --unshare-all --ro-bind / / --proc /proc touch ./not 2>log; then exit 1; fi
		bwrap --unshare-all --dev-bind / / --proc /proc touch ./yes; test -e yes'
}

@test "chromium: headless, with its own sandbox on" {
	for tool in chromium chromium-browser google-chrome none; do
		[ $tool = none ] && skip "chromium is not installed"
		sandesk exec shop -- sh -c "command -v $tool" >/dev/null && break
	done
	work "
		echo '<p id=x>1</p><script>x.textContent = 6 * 7 + \"!\"</script>' >p.html
		timeout 120 $tool --headless --disable-gpu --dump-dom \"file://\$PWD/p.html\" >dom 2>log || { tail -5 log; exit 1; }
		grep -q '42!' dom || { tail -5 log; exit 1; }"
}

@test "a shell's jobs: background, stop, continue, pipes, here documents, process substitution" {
	needs bash
	work '
		set -m; sleep 60 & kill -STOP %1; kill -CONT %1; kill %1; wait %1 || test $? = 143
		diff <(seq 3) <(printf "1\n2\n3\n"); mkfifo /tmp/p; (echo via >/tmp/p &); test "$(cat /tmp/p)" = via
		test "$(cat <<<x)" = x; ulimit -n >/dev/null; trap "exit 0" TERM; kill $$'
}

@test "archives, rsync-like copies, locks, sparse files and attributes" {
	work '
		mkdir a; echo 1 >a/f; ln a/f a/g; ln -s f a/h; truncate -s 10M a/sparse; touch -d 2001-01-01 a/f; chmod 640 a/f
		tar cf t.tar a; mkdir b; tar xf t.tar -C b; cp -a a c; diff -r a b/a; diff -r a c
		test "$(stat -c %h c/f)" = 2; flock a/f true; split -b 4M t.tar /tmp/s.; install -m 755 a/f d; find . -newer a/f >/dev/null'
}
