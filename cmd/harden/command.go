package main

import (
	"context"
	"errors"
	"fmt"
	"io"

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
	if err := c.run(ctx, c.app(&code), args); err != nil {
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
	return &cli.App{
		Name:      "harden",
		Usage:     "tell what a payload costs to decode, and whether it lies about it",
		UsageText: "harden COMMAND [FLAG…] [PATH|-…]",
		Commands: []*cli.Command{
			c.inspectCommand(code), c.filterCommand(code), c.decodeCommand(code), c.forgeCommand(), c.corpusCommand(),
			c.probeCommand(code), c.explainCommand(), c.rulesCommand(), c.limitsCommand(), c.configCommand(),
			c.completionCommand(), c.completeCommand(), c.versionCommand(),
			c.validateCommand(), c.validateSettingsCommand(), c.sandboxedCommand(),
		},
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
