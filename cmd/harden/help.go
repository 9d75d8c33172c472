package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"
)

// helpOfAll prints what the commands are.
func (c *Command) helpOfAll(app *cli.App) error {
	return c.printHelp(func(w io.Writer) {
		nameAndUsage(w, app.Name, app.Usage, app.UsageText)
		commandList(w, app.Commands)
		flagList(w, nil)
	})
}

// help prints what a command does and which flags it has.
func (c *Command) help(cmd *cli.Command) error {
	return c.printHelp(func(w io.Writer) {
		nameAndUsage(w, cmd.HelpName, cmd.Usage, cmd.UsageText)
		if cmd.Description != "" {
			fmt.Fprintf(w, "\nDESCRIPTION:\n   %s\n", strings.ReplaceAll(cmd.Description, "\n", "\n   "))
		}
		commandList(w, cmd.Subcommands)
		flagList(w, cmd.VisibleFlags())
	})
}

// printHelp aligns what print writes; its columns end in tabs.
func (c *Command) printHelp(print func(w io.Writer)) error {
	w := tabwriter.NewWriter(c.Stdout, 0, 0, 2, ' ', 0)
	print(w)
	return w.Flush()
}

func nameAndUsage(w io.Writer, name, usage, usageText string) {
	fmt.Fprintf(w, "NAME:\n   %s - %s\n\nUSAGE:\n   %s\n", name, usage, usageText)
}

func commandList(w io.Writer, commands []*cli.Command) {
	if len(commands) == 0 {
		return
	}
	fmt.Fprint(w, "\nCOMMANDS:\n")
	for _, cmd := range visible(commands) {
		fmt.Fprintf(w, "   %s\t%s\n", cmd.Name, cmd.Usage)
	}
}

func flagList(w io.Writer, flags []cli.Flag) {
	fmt.Fprint(w, "\nOPTIONS:\n")
	for _, f := range flags {
		fmt.Fprintf(w, "   %s\n", f)
	}
	fmt.Fprint(w, "   --help, -h\tshow help\n")
}
