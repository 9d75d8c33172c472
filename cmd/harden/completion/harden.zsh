#compdef harden
# zsh completion of harden. Install it as a file named _harden in a directory of
# $fpath, or load it with: source <(harden completion zsh)

_harden() {
	local -a candidates
	candidates=("${(@f)$("${words[1]}" complete "${(@)words[2,CURRENT-1]}" "${words[CURRENT]}" 2>/dev/null)}")
	candidates=("${(@)candidates:#}")
	if (( ${#candidates} )); then
		compadd -- "${candidates[@]}"
	else
		_files
	fi
}

if [[ ${funcstack[1]} == _harden ]]; then
	_harden "$@"
else
	compdef _harden harden
fi
