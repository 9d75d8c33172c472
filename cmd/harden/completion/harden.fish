# fish completion of harden. Install it as ~/.config/fish/completions/harden.fish

function __harden_complete
    set -l before (commandline --tokens-expanded --current-process --cut-at-cursor 2>/dev/null
        or commandline --tokenize --current-process --cut-at-cursor)
    set -l current (commandline --current-token --cut-at-cursor)
    harden complete $before[2..-1] "$current" 2>/dev/null | string match --invert ''
end

complete --command harden --arguments '(__harden_complete)'
