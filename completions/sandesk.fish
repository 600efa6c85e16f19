# fish completion of sandesk, made by "sandesk help --completion fish"

# First column of a listing, without its line of titles.
function __sandesk_names
	sandesk $argv[1] list 2>/dev/null | string replace -r ' .*' '' | tail -n +2
end

# Is the line at its n-th word?
function __sandesk_at
	test (count (commandline -opc)) -eq $argv[1]
end

function __sandesk_noun
	set -l words (commandline -opc)
	test (count $words) -eq 2 -a "$words[2]" = $argv[1]
end

# Is the line of this command, by its name or its short form, and not behind --?
function __sandesk_in
	set -l words (commandline -opc)
	contains -- -- $words; and return 1
	test (count $words) -ge 2 -a "$words[2]" = "$argv[2]"; and return 0
	test "$words[2] $words[3]" = "$argv[1]" -o "$words[2]" = "$argv[1]"
end

# Is the line at the first word behind the command?
function __sandesk_target
	__sandesk_in $argv; or return 1
	set -l words (commandline -opc)
	if test "$words[2]" = "$argv[2]"
		test (count $words) -eq 2
	else
		test (count $words) -eq 3
	end
end

# The command behind --, completed as if it stood alone.
function __sandesk_command
	set -l words (commandline -opc)
	set -e words[1..(contains -i -- -- $words)]
	complete -C (string join ' ' -- (string escape -- $words) (commandline -ct))
end

complete -c sandesk -f
complete -c sandesk -n '__sandesk_at 1' -a 'desktop' -d 'Desktops'
complete -c sandesk -n '__sandesk_at 1' -a 'session' -d 'Sessions'
complete -c sandesk -n '__sandesk_at 1' -a 'policy' -d 'Policies'
complete -c sandesk -n '__sandesk_at 1' -a 'theme' -d 'Themes'
complete -c sandesk -n '__sandesk_at 1' -a 'daemon' -d 'The daemon'
complete -c sandesk -n '__sandesk_at 1' -a 'debug' -d 'For tests'
complete -c sandesk -n '__sandesk_noun desktop' -a 'create' -d 'Make a Desktop: a name for a directory that sessions share; the directory is made when it is missing'
complete -c sandesk -n '__sandesk_at 1' -a 'new' -d 'Make a Desktop: a name for a directory that sessions share; the directory is made when it is missing'
complete -c sandesk -n '__sandesk_in "desktop create" "new"' -l dir -r -a '(__fish_complete_directories)' -d 'its directory, made when missing; without it the current one'
complete -c sandesk -n '__sandesk_in "desktop create" "new"' -l force -d 'allow the home directory itself, or one above it'
complete -c sandesk -n '__sandesk_noun desktop' -a 'list' -d 'List the Desktops'
complete -c sandesk -n '__sandesk_at 1' -a 'ls' -d 'List the Desktops'
complete -c sandesk -n '__sandesk_in "desktop list" "ls"' -l json -d 'print JSON: a list of objects, or one object'
complete -c sandesk -n '__sandesk_noun desktop' -a 'show' -d 'Show one Desktop'
complete -c sandesk -n '__sandesk_in "desktop show" ""' -l json -d 'print JSON: a list of objects, or one object'
complete -c sandesk -n '__sandesk_target "desktop show" ""' -a '(__sandesk_names desktop)'
complete -c sandesk -n '__sandesk_noun desktop' -a 'rename' -d 'Give a Desktop another name'
complete -c sandesk -n '__sandesk_target "desktop rename" ""' -a '(__sandesk_names desktop)'
complete -c sandesk -n '__sandesk_noun desktop' -a 'remove' -d 'Stop a Desktop\'s sessions and forget it; its directory is never touched'
complete -c sandesk -n '__sandesk_in "desktop remove" ""' -l yes -d 'do not ask'
complete -c sandesk -n '__sandesk_target "desktop remove" ""' -a '(__sandesk_names desktop)'
complete -c sandesk -n '__sandesk_noun session' -a 'start' -d 'Start a sandboxed session; without a command the user\'s shell'
complete -c sandesk -n '__sandesk_at 1' -a 'run' -d 'Start a sandboxed session; without a command the user\'s shell'
complete -c sandesk -n '__sandesk_in "session start" "run"' -l name -x -d 'the session\'s name; without it the command\'s own name'
complete -c sandesk -n '__sandesk_in "session start" "run"' -l size -x -d 'rows and columns before the first client is attached'
complete -c sandesk -n '__sandesk_in "session start" "run"' -l dir -r -a '(__fish_complete_directories)' -d 'the working directory; without it the Desktop\'s directory'
complete -c sandesk -n '__sandesk_in "session start" "run"' -l env -x -d 'a variable for the command; NAME alone takes the caller\'s value'
complete -c sandesk -n '__sandesk_in "session start" "run"' -l limit -x -d 'KEY=VALUE: memory, disk, file_size, run_time, idle_time, processes, files, cpu_weight, cpu_percent; over=pause|stop|kill says what using one up does'
complete -c sandesk -n '__sandesk_in "session start" "run"' -l policy -x -d 'KEY=VALUE: profile=default|strict, require, or a limit; `policy show` lists all'
complete -c sandesk -n '__sandesk_target "session start" "run"' -a '(__sandesk_names desktop)'
complete -c sandesk -n '__sandesk_noun session' -a 'list' -d 'List sessions'
complete -c sandesk -n '__sandesk_in "session list" ""' -l all -d 'also those run by exec that have ended'
complete -c sandesk -n '__sandesk_in "session list" ""' -l json -d 'print JSON: a list of objects, or one object'
complete -c sandesk -n '__sandesk_target "session list" ""' -a '(__sandesk_names desktop)'
complete -c sandesk -n '__sandesk_noun session' -a 'show' -d 'Show one session'
complete -c sandesk -n '__sandesk_in "session show" ""' -l json -d 'print JSON: a list of objects, or one object'
complete -c sandesk -n '__sandesk_target "session show" ""' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'attach' -d 'Open one session full screen; the prefix key and d detach'
complete -c sandesk -n '__sandesk_at 1' -a 'attach' -d 'Open one session full screen; the prefix key and d detach'
complete -c sandesk -n '__sandesk_in "session attach" "attach"' -l read-only -d 'watch; keys and mouse do not reach the session'
complete -c sandesk -n '__sandesk_target "session attach" "attach"' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'stop' -d 'End a session: TERM, then KILL after the grace time (5 s)'
complete -c sandesk -n '__sandesk_in "session stop" ""' -l grace -x -d 'how long to wait between TERM and KILL'
complete -c sandesk -n '__sandesk_target "session stop" ""' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'kill' -d 'End a session at once'
complete -c sandesk -n '__sandesk_at 1' -a 'kill' -d 'End a session at once'
complete -c sandesk -n '__sandesk_in "session kill" "kill"' -l yes -d 'do not ask'
complete -c sandesk -n '__sandesk_target "session kill" "kill"' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'pause' -d 'Stop every process of a session where it is, until it is resumed'
complete -c sandesk -n '__sandesk_at 1' -a 'pause' -d 'Stop every process of a session where it is, until it is resumed'
complete -c sandesk -n '__sandesk_target "session pause" "pause"' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'resume' -d 'Let a paused session go on; a budget that it used up is granted once more'
complete -c sandesk -n '__sandesk_at 1' -a 'resume' -d 'Let a paused session go on; a budget that it used up is granted once more'
complete -c sandesk -n '__sandesk_target "session resume" "resume"' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'restart' -d 'Run the command of a session that has ended, or of one that is stopped for it, again'
complete -c sandesk -n '__sandesk_target "session restart" ""' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'rename' -d 'Give a session another name'
complete -c sandesk -n '__sandesk_target "session rename" ""' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'remove' -d 'Stop a session and forget it with its screen and scrollback'
complete -c sandesk -n '__sandesk_in "session remove" ""' -l yes -d 'do not ask'
complete -c sandesk -n '__sandesk_target "session remove" ""' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'send' -d 'Type text into a session'
complete -c sandesk -n '__sandesk_at 1' -a 'send' -d 'Type text into a session'
complete -c sandesk -n '__sandesk_in "session send" "send"' -l enter -d 'press Enter behind it'
complete -c sandesk -n '__sandesk_target "session send" "send"' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'keys' -d 'Press keys in a session, by name'
complete -c sandesk -n '__sandesk_target "session keys" ""' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'capture' -d 'Print the screen of a session, its scrollback, or what its last command printed'
complete -c sandesk -n '__sandesk_at 1' -a 'capture' -d 'Print the screen of a session, its scrollback, or what its last command printed'
complete -c sandesk -n '__sandesk_in "session capture" "capture"' -l history -d 'the scrollback too'
complete -c sandesk -n '__sandesk_in "session capture" "capture"' -l last-output -d 'what the last command printed; the shell must mark its commands (OSC 133)'
complete -c sandesk -n '__sandesk_in "session capture" "capture"' -l from -x -d 'from this line on; search and --json tell the lines'
complete -c sandesk -n '__sandesk_in "session capture" "capture"' -l to -x -d 'up to this line, which is not printed itself'
complete -c sandesk -n '__sandesk_in "session capture" "capture"' -l ansi -d 'with colours and styles, as a terminal shows them'
complete -c sandesk -n '__sandesk_in "session capture" "capture"' -l html -d 'a page that needs no other file'
complete -c sandesk -n '__sandesk_in "session capture" "capture"' -l svg -d 'a picture'
complete -c sandesk -n '__sandesk_in "session capture" "capture"' -l json -d 'rows as runs of text with colours and attributes'
complete -c sandesk -n '__sandesk_target "session capture" "capture"' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'commands' -d 'List what ran in a session\'s shell, how long and with what status (where the shell marks it: OSC 133)'
complete -c sandesk -n '__sandesk_in "session commands" ""' -l json -d 'print JSON: a list of objects, or one object'
complete -c sandesk -n '__sandesk_target "session commands" ""' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'explain' -d 'Tell what each fact says of a session\'s status, and which one decides'
complete -c sandesk -n '__sandesk_in "session explain" ""' -l json -d 'print JSON: a list of objects, or one object'
complete -c sandesk -n '__sandesk_target "session explain" ""' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'record' -d 'Record what a session prints to an asciicast file, until Ctrl-C or its end'
complete -c sandesk -n '__sandesk_in "session record" ""' -l for -x -d 'stop after this time'
complete -c sandesk -n '__sandesk_target "session record" ""' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'replay' -d 'Play an asciicast file; q ends it'
complete -c sandesk -n '__sandesk_in "session replay" ""' -l speed -x -d 'how many times as fast, as in 2 or 0.5'
complete -c sandesk -n '__sandesk_noun session' -a 'search' -d 'Find text in the screen and scrollback of a session'
complete -c sandesk -n '__sandesk_at 1' -a 'search' -d 'Find text in the screen and scrollback of a session'
complete -c sandesk -n '__sandesk_in "session search" "search"' -l regex -d 'the pattern is a regular expression (PCRE2)'
complete -c sandesk -n '__sandesk_in "session search" "search"' -l limit -x -d 'at most so many hits, the newest; without it 1000'
complete -c sandesk -n '__sandesk_in "session search" "search"' -l json -d 'print JSON: a list of objects, or one object'
complete -c sandesk -n '__sandesk_target "session search" "search"' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'wait' -d 'Wait until a session shows a text, ends, or has printed nothing for a time'
complete -c sandesk -n '__sandesk_at 1' -a 'wait' -d 'Wait until a session shows a text, ends, or has printed nothing for a time'
complete -c sandesk -n '__sandesk_in "session wait" "wait"' -l text -x -d 'until the screen shows what this expression (PCRE2) matches'
complete -c sandesk -n '__sandesk_in "session wait" "wait"' -l exit -d 'until the session is over'
complete -c sandesk -n '__sandesk_in "session wait" "wait"' -l quiet -x -d 'until nothing has been printed for so long'
complete -c sandesk -n '__sandesk_in "session wait" "wait"' -l timeout -x -d 'give up after this time, with exit status 1'
complete -c sandesk -n '__sandesk_target "session wait" "wait"' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'resize' -d 'Change the size of a session'
complete -c sandesk -n '__sandesk_target "session resize" ""' -a '(__sandesk_names session)'
complete -c sandesk -n '__sandesk_noun session' -a 'exec' -d 'Run a command in a sandbox to its end; output and exit status are its own'
complete -c sandesk -n '__sandesk_at 1' -a 'exec' -d 'Run a command in a sandbox to its end; output and exit status are its own'
complete -c sandesk -n '__sandesk_in "session exec" "exec"' -l dir -r -a '(__fish_complete_directories)' -d 'the working directory; without it the Desktop\'s directory'
complete -c sandesk -n '__sandesk_in "session exec" "exec"' -l env -x -d 'a variable for the command; NAME alone takes the caller\'s value'
complete -c sandesk -n '__sandesk_in "session exec" "exec"' -l limit -x -d 'KEY=VALUE, as for session start'
complete -c sandesk -n '__sandesk_in "session exec" "exec"' -l policy -x -d 'KEY=VALUE, as for session start'
complete -c sandesk -n '__sandesk_target "session exec" "exec"' -a '(__sandesk_names desktop)'
complete -c sandesk -n '__sandesk_noun policy' -a 'show' -d 'Show what a Desktop\'s sessions may see and do, where each rule comes from, and the steps that build a sandbox'
complete -c sandesk -n '__sandesk_in "policy show" ""' -l session -x -d 'a session: what it was started with'
complete -c sandesk -n '__sandesk_in "policy show" ""' -l json -d 'print JSON: a list of objects, or one object'
complete -c sandesk -n '__sandesk_target "policy show" ""' -a '(__sandesk_names desktop)'
complete -c sandesk -n '__sandesk_noun policy' -a 'set' -d 'Change the policy of a Desktop: KEY=VALUE ...; sessions that run keep theirs until they are restarted'
complete -c sandesk -n '__sandesk_in "policy set" ""' -l unset -x -d 'a key that is to be as if it never had been set'
complete -c sandesk -n '__sandesk_target "policy set" ""' -a '(__sandesk_names desktop)'
complete -c sandesk -n '__sandesk_noun policy' -a 'check' -d 'Say what this machine gives of a Desktop\'s policy'
complete -c sandesk -n '__sandesk_in "policy check" ""' -l json -d 'print JSON: a list of objects, or one object'
complete -c sandesk -n '__sandesk_target "policy check" ""' -a '(__sandesk_names desktop)'
complete -c sandesk -n '__sandesk_noun daemon' -a 'start' -d 'Start the daemon (every command does so by itself)'
complete -c sandesk -n '__sandesk_noun daemon' -a 'stop' -d 'Stop the daemon; sessions go on unless --sessions is given'
complete -c sandesk -n '__sandesk_in "daemon stop" ""' -l sessions -d 'stop all sessions too'
complete -c sandesk -n '__sandesk_noun daemon' -a 'status' -d 'Show the daemon and where it logs'
complete -c sandesk -n '__sandesk_in "daemon status" ""' -l json -d 'print JSON: a list of objects, or one object'
complete -c sandesk -n '__sandesk_noun debug' -a 'screen' -d 'Feed the bytes of standard input to the terminal core and print the screen'
complete -c sandesk -n '__sandesk_in "debug screen" ""' -l size -x -d 'rows and columns of the screen; without it 24x80'
complete -c sandesk -n '__sandesk_at 1' -a 'demo' -d 'Show a Desktop with a build, tests and two agents, in a directory of its own; --keep leaves it there'
complete -c sandesk -n '__sandesk_in "demo" ""' -l keep -d 'open no TUI: print the Desktop\'s name and leave it there'
complete -c sandesk -n '__sandesk_noun theme' -a 'list' -d 'List the themes and where they are'
complete -c sandesk -n '__sandesk_in "theme list" ""' -l json -d 'print JSON: a list of objects, or one object'
complete -c sandesk -n '__sandesk_noun theme' -a 'check' -d 'Tell what is wrong in a theme file: unknown roles, and contrast below 4.5 : 1'
complete -c sandesk -n '__sandesk_at 1' -a 'doctor' -d 'Try every wall of a sandbox on this machine, and tell what mends those that are missing'
complete -c sandesk -n '__sandesk_in "doctor" ""' -l strict -d 'try the walls of the strict profile instead of the default one\'s'
complete -c sandesk -n '__sandesk_in "doctor" ""' -l json -d 'print JSON: a list of objects, or one object'
complete -c sandesk -n '__sandesk_at 1' -a 'version' -d 'Print the version'
complete -c sandesk -n '__sandesk_at 1' -a 'help' -d 'Explain the commands, or one of them; --man prints the manual page, --completion bash|zsh|fish'
complete -c sandesk -n '__sandesk_in "help" ""' -l man -d 'print the manual page'
complete -c sandesk -n '__sandesk_in "help" ""' -l completion -x -a 'bash zsh fish' -d 'print the completions of a shell: bash, zsh or fish'
complete -c sandesk -n 'contains -- -- (commandline -opc)' -a '(__sandesk_command)'
