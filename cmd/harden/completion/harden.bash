# bash completion of harden. Load it with: source <(harden completion bash)
# Words are handed to harden as they are and never evaluated.

_harden() {
	local cur=${COMP_WORDS[COMP_CWORD]} line
	COMPREPLY=()
	while IFS= read -r line; do
		if [[ -n $line ]]; then
			COMPREPLY+=("$line")
		fi
	done < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$cur" 2>/dev/null)
	if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
		compopt -o nospace 2>/dev/null || true
	fi
}

complete -o default -F _harden harden
