# bash completion of sandesk, made by "sandesk help --completion bash"

# First column of a listing, without its line of titles.
_sandesk_names()
{
	local name rest
	sandesk "$1" list 2>/dev/null | {
		read -r rest
		while read -r name rest; do
			printf '%s\n' "$name"
		done
	}
}

_sandesk()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	local verbs='' first=2 command=${COMP_WORDS[1]} target=none options='' i

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W 'desktop session policy theme daemon debug new ls run attach kill pause resume send capture search wait exec demo doctor version help' -- "$cur"))
		return
	fi
	case $command in
	desktop) verbs='create list show rename remove' first=3 command="${COMP_WORDS[1]} ${COMP_WORDS[2]}" ;;
	session) verbs='start list show attach stop kill pause resume restart rename remove send keys capture commands explain record replay search wait resize exec' first=3 command="${COMP_WORDS[1]} ${COMP_WORDS[2]}" ;;
	policy) verbs='show set check' first=3 command="${COMP_WORDS[1]} ${COMP_WORDS[2]}" ;;
	theme) verbs='list check' first=3 command="${COMP_WORDS[1]} ${COMP_WORDS[2]}" ;;
	daemon) verbs='start stop status' first=3 command="${COMP_WORDS[1]} ${COMP_WORDS[2]}" ;;
	debug) verbs='screen' first=3 command="${COMP_WORDS[1]} ${COMP_WORDS[2]}" ;;
	esac
	if [ -n "$verbs" ] && [ "$COMP_CWORD" -eq 2 ]; then
		COMPREPLY=($(compgen -W "$verbs" -- "$cur"))
		return
	fi
	case $command in
	'desktop create'|new) target=none options='--dir --force --help' ;;
	'desktop list'|ls) target=none options='--json --help' ;;
	'desktop show') target=desktop options='--json --help' ;;
	'desktop rename') target=desktop options='--help' ;;
	'desktop remove') target=desktop options='--yes --help' ;;
	'session start'|run) target=desktop options='--name --size --dir --env --limit --policy --help' ;;
	'session list') target=desktop options='--all --json --help' ;;
	'session show') target=session options='--json --help' ;;
	'session attach'|attach) target=session options='--read-only --help' ;;
	'session stop') target=session options='--grace --help' ;;
	'session kill'|kill) target=session options='--yes --help' ;;
	'session pause'|pause) target=session options='--help' ;;
	'session resume'|resume) target=session options='--help' ;;
	'session restart') target=session options='--help' ;;
	'session rename') target=session options='--help' ;;
	'session remove') target=session options='--yes --help' ;;
	'session send'|send) target=session options='--enter --help' ;;
	'session keys') target=session options='--help' ;;
	'session capture'|capture) target=session options='--history --last-output --from --to --ansi --html --svg --json --help' ;;
	'session commands') target=session options='--json --help' ;;
	'session explain') target=session options='--json --help' ;;
	'session record') target=session options='--for --help' ;;
	'session replay') target=none options='--speed --help' ;;
	'session search'|search) target=session options='--regex --limit --json --help' ;;
	'session wait'|wait) target=session options='--text --exit --quiet --timeout --help' ;;
	'session resize') target=session options='--help' ;;
	'session exec'|exec) target=desktop options='--dir --env --limit --policy --help' ;;
	'policy show') target=desktop options='--session --json --help' ;;
	'policy set') target=desktop options='--unset --help' ;;
	'policy check') target=desktop options='--json --help' ;;
	'daemon start') target=none options='--help' ;;
	'daemon stop') target=none options='--sessions --help' ;;
	'daemon status') target=none options='--json --help' ;;
	'debug screen') target=none options='--size --help' ;;
	'demo') target=none options='--keep --help' ;;
	'theme list') target=none options='--json --help' ;;
	'theme check') target=none options='--help' ;;
	'doctor') target=none options='--strict --json --help' ;;
	'version') target=none options='--help' ;;
	'help') target=none options='--man --completion --help' ;;
	esac
	for ((i = first; i < COMP_CWORD; i++)); do
		if [ "${COMP_WORDS[i]}" = -- ]; then
			if [ $((i + 1)) -eq "$COMP_CWORD" ]; then
				COMPREPLY=($(compgen -c -- "$cur"))
			fi
			return
		fi
	done
	case $prev in
	--dir) COMPREPLY=($(compgen -d -- "$cur")); return ;;
	--completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$cur")); return ;;
	--name|--size|--env|--limit|--policy|--grace|--from|--to|--for|--speed|--text|--quiet|--timeout|--session|--unset|--completion) return ;;
	esac
	if [ "${cur:0:1}" = - ]; then
		COMPREPLY=($(compgen -W "$options" -- "$cur"))
	elif [ "$target" != none ] && [ "$COMP_CWORD" -eq "$first" ]; then
		COMPREPLY=($(compgen -W "$(_sandesk_names "$target")" -- "$cur"))
	fi
}

complete -o default -F _sandesk sandesk
