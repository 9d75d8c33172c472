//go:build harden_man

// With the tag harden_man this package is the generator of the man page, which
// the build runs and no release ships:
//
//	go run -tags harden_man ./cmd/harden > build/harden.1
//
// It needs the part of cli that urfave_cli_no_docs keeps out of harden itself.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"
)

func main() {
	app := (&Command{}).app(new(int))
	app.HideHelpCommand, app.HideVersion = true, true // the program has neither
	app.Description = "The exit code is 0 where at least one payload was inspected and all are clean, " +
		"1 where at least one was rejected, and 2 where something could not be judged, nothing was inspected, " +
		"or the command line or configuration is wrong. Reports, payloads and what was asked for by name go to stdout, " +
		"everything else to stderr."
	escapeUsages(app.Commands)
	page, err := app.ToManWithSection(1)
	if err != nil {
		fmt.Fprintf(os.Stderr, "harden: making the man page: %v\n", err)
		os.Exit(1)
	}
	fmt.Print(page)
}

// escapeUsages makes the usages of all flags text: cli hands them to a Markdown
// renderer, which takes the stars of a glob for emphasis.
func escapeUsages(commands []*cli.Command) {
	for _, cmd := range commands {
		for i, f := range cmd.Flags {
			if d, ok := f.(cli.DocGenerationFlag); ok {
				cmd.Flags[i] = escapedFlag{d}
			}
		}
		escapeUsages(cmd.Subcommands)
	}
}

// An escapedFlag is a flag whose usage is escaped for Markdown.
type escapedFlag struct{ cli.DocGenerationFlag }

// GetUsage escapes what is not in backquotes, which mark the value's name.
func (f escapedFlag) GetUsage() string {
	parts := strings.Split(f.DocGenerationFlag.GetUsage(), "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer(`*`, `\*`, `_`, `\_`, `<`, `\<`, `[`, `\[`).Replace(parts[i])
	}
	return strings.Join(parts, "`")
}

// IsVisible keeps the flag in the list of its command.
func (f escapedFlag) IsVisible() bool {
	v, ok := f.DocGenerationFlag.(cli.VisibleFlag)
	return !ok || v.IsVisible()
}
