package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/catalog"
)

// completionScripts are what the shells run. Each asks "harden complete" for
// the words that may follow and never evaluates what stands on the command line.
//
// cli's own completion is not used: it answers to a hidden last argument of
// every command, so that a file of that name would end an inspection with exit
// code 0.
var completionScripts = []struct{ shell, script string }{
	{"bash", bashCompletion},
	{"zsh", zshCompletion},
	{"fish", fishCompletion},
	{"powershell", powershellCompletion},
}

//go:embed completion/harden.bash
var bashCompletion string

//go:embed completion/harden.zsh
var zshCompletion string

//go:embed completion/harden.fish
var fishCompletion string

//go:embed completion/harden.ps1
var powershellCompletion string

func (c *Command) completionCommand() *cli.Command {
	var shells []string
	for _, s := range completionScripts {
		shells = append(shells, s.shell)
	}
	return &cli.Command{
		Name:      "completion",
		Usage:     "print the completion script of a shell",
		UsageText: "harden completion " + strings.Join(shells, "|"),
		Description: "bash: source <(harden completion bash)\n" +
			"zsh: harden completion zsh > \"${fpath[1]}/_harden\"\n" +
			"fish: harden completion fish > ~/.config/fish/completions/harden.fish\n" +
			"powershell: harden completion powershell | Out-String | Invoke-Expression",
		Action: func(ctx *cli.Context) error {
			i := slices.Index(shells, ctx.Args().First())
			if i < 0 || ctx.Args().Len() != 1 {
				return &usageError{errors.New("name one shell: " + strings.Join(shells, ", ")), "harden completion --help"}
			}
			_, err := io.WriteString(c.Stdout, completionScripts[i].script)
			return err
		},
	}
}

// completeCommand prints, one on a line, the words that may stand where the
// last of its arguments stands; the others are the words before it, without the
// program's name. A "*" at the end of the last one is left out: PowerShell drops
// arguments that are empty.
func (c *Command) completeCommand() *cli.Command {
	return &cli.Command{
		Name:            "complete",
		Usage:           "print what may follow on a command line",
		Hidden:          true,
		SkipFlagParsing: true,
		Action: func(ctx *cli.Context) error {
			args := ctx.Args().Slice()
			if len(args) == 0 {
				return nil
			}
			last := len(args) - 1
			for _, word := range candidates(ctx.App, args[:last], strings.TrimSuffix(args[last], "*")) {
				if _, err := fmt.Fprintln(c.Stdout, word); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// candidates returns the words that start with prefix and may follow those in
// before. Where a path may follow it returns nothing: shells complete paths.
func candidates(app *cli.App, before []string, prefix string) []string {
	var words []string
	commands, flags := app.VisibleCommands(), []cli.Flag(nil)
	var values []string // of the flag that comes last in before
	for _, word := range before {
		if len(values) > 0 {
			values = nil
			continue
		}
		if word == "--" {
			return nil
		}
		if name, isFlag := flagName(word); isFlag {
			values = flagValues(before[0], flags, name)
			continue
		}
		for _, cmd := range commands {
			if cmd.HasName(word) {
				commands, flags = visible(cmd.Subcommands), cmd.VisibleFlags()
				break
			}
		}
	}
	switch {
	case len(values) > 0:
		words = values
	case strings.HasPrefix(prefix, "-"):
		for _, f := range flags {
			words = append(words, dashed(f.Names()[0]))
		}
		if flags == nil {
			words = append(words, "--help")
		}
	default:
		for _, cmd := range commands {
			words = append(words, cmd.Name)
		}
		words = append(words, operands(strings.Join(before, " "))...)
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" || !strings.HasPrefix(w, prefix) })
}

// operands returns what a command can be asked about, where that can be listed.
func operands(command string) []string {
	var words []string
	switch command {
	case "completion":
		for _, s := range completionScripts {
			words = append(words, s.shell)
		}
	case "config":
		words = []string{"show"}
	case "corpus show":
		for _, c := range corpus.All() {
			words = append(words, c.ID)
		}
	case "explain":
		for _, r := range catalog.Rules() {
			words = append(words, r.ID)
		}
	}
	return words
}

func visible(commands []*cli.Command) []*cli.Command {
	return slices.DeleteFunc(slices.Clone(commands), func(c *cli.Command) bool { return c.Hidden })
}

// dashed returns a flag's name as it is written.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// flagName returns the name of a flag whose value is the next word.
func flagName(word string) (name string, ok bool) {
	name = strings.TrimLeft(word, "-")
	return name, strings.HasPrefix(word, "-") && word != "-" && !strings.Contains(name, "=")
}

// What --output of probe may be.
var probeOutputs = []string{"text", "json", "junit", "markdown"}

// flagValues returns what may follow the flag of a command, or one empty word where it takes
// a value that cannot be listed.
func flagValues(command string, flags []cli.Flag, name string) []string {
	i := slices.IndexFunc(flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
	if i < 0 {
		return nil
	}
	if d, ok := flags[i].(cli.DocGenerationFlag); !ok || !d.TakesValue() {
		return nil
	}
	var words []string
	switch name {
	case "profile":
		for _, p := range inspect.Profiles() {
			words = append(words, p.Name)
		}
	case "limit":
		for _, f := range inspect.LimitTable() {
			words = append(words, f.Key+"=")
		}
	case "severity":
		for _, r := range inspect.Rules() {
			if !r.Undecided {
				words = append(words, r.ID+"=")
			}
		}
	case "fail-on":
		words = []string{"note", "warning", "error"}
	case "as":
		words = []string{"auto", "json", "msgpack", "gzip", "gzip+json", "gzip+msgpack", "gzip?+json", "gzip?+msgpack"}
	case "records":
		words = []string{"ndjson", "msgpack"}
	case "output":
		words = []string{"text", "json"}
		if command == "probe" {
			words = probeOutputs
		} else if _, ok := flags[i].(*cli.StringSliceFlag); ok {
			words = formatNames()
		}
	case "format":
		words = caseFormats
	case "kind":
		words = caseKinds
	case "layout":
		words = layoutNames()
	case "color":
		words = []string{"auto", "always", "never"}
	case "on-unknown":
		words = []string{"skip", "undecided"}
	case "block-type":
		words = blockTypes
	default:
		words = []string{""}
	}
	return words
}
