package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/internal/spell"
	"github.com/harden-input/harden/rule"
)

// Command is the harden program with its streams, so that it runs in a test as
// it does in a shell. Stdout carries what was asked for: a report, help, the
// version. Everything else goes to Stderr.
type Command struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Main runs the command line args, whose first element is the program's name,
// and returns the exit code.
func (c *Command) Main(ctx context.Context, args []string) int {
	code := ExitClean
	app := c.app(&code)
	args, err := flagsFirst(app, args)
	if err == nil {
		err = app.RunContext(ctx, args)
	}
	if err != nil {
		c.complain(err)
		return ExitUndecided
	}
	return code
}

// complain prints an error of ours or of the command line.
func (c *Command) complain(err error) {
	fmt.Fprintf(c.Stderr, "harden: %s\n", rule.Excerpt(err.Error(), 4<<10))
	var usage *usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(c.Stderr, "harden: try %s\n", usage.help)
	}
}

// A usageError is a command line that makes no sense.
type usageError struct {
	err  error
	help string // the command that helps
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func (c *Command) app(code *int) *cli.App {
	app := &cli.App{
		Name:      "harden",
		Usage:     "tell what a payload costs to decode, and whether it lies about it",
		UsageText: "harden COMMAND [FLAG…] [PATH|-…]",
		Reader:    c.Stdin,
		Writer:    c.Stdout,
		ErrWriter: c.Stderr,
		// Help is a flag of every command; a command of that name would be
		// one more way to print to stdout what nobody asked for.
		HideHelpCommand:           true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {}, // Main decides how to exit
		Commands: []*cli.Command{
			c.inspectCommand(code), c.filterCommand(code), c.decodeCommand(code), c.forgeCommand(),
			c.explainCommand(), c.rulesCommand(), c.limitsCommand(), c.configCommand(),
			c.completionCommand(), c.completeCommand(), c.versionCommand(), c.sandboxedCommand(),
		},
	}
	app.Action = func(ctx *cli.Context) error {
		if !ctx.Args().Present() {
			return &usageError{errors.New("no command given"), "harden --help"}
		}
		return unknownCommand("harden", app.Commands, ctx.Args().First())
	}
	app.OnUsageError = onUsageError
	handDown(app.Commands)
	return app
}

// handDown gives commands, and those below them, what cli does not.
func handDown(commands []*cli.Command) {
	for _, cmd := range commands {
		cmd.OnUsageError = onUsageError
		cmd.HideHelpCommand = true
		handDown(cmd.Subcommands)
	}
}

// unknownCommand is the error for a name that none of commands has; parent is
// the command line in front of it.
func unknownCommand(parent string, commands []*cli.Command, name string) error {
	var names []string
	for _, cmd := range visible(commands) {
		names = append(names, cmd.Name)
	}
	message := fmt.Sprintf("unknown command %q", name)
	if closest := spell.Closest(name, names); closest != "" {
		message += fmt.Sprintf(": did you mean %s?", closest)
	}
	return &usageError{errors.New(message), parent + " --help"}
}

func onUsageError(ctx *cli.Context, err error, _ bool) error {
	help := "harden --help"
	if ctx.Command != nil && ctx.Command.Name != "" && ctx.Command.Name != ctx.App.Name {
		help = ctx.Command.HelpName + " --help"
	}
	text := strings.Replace(err.Error(), "flag provided but not defined: -", "unknown flag --", 1)
	text = strings.Replace(text, "flag needs an argument: -", "a value is missing after --", 1)
	return &usageError{errors.New(text), help}
}
