package main

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/internal/kubewarden"
)

// policyMemory is the soft limit on memory of a policy's answer, in bytes: the
// policy server sets none. What a request of the largest size needs fits.
const policyMemory = 48 << 20

func (c *Command) validateCommand() *cli.Command {
	return c.policyCommand("validate", "answer a Kubewarden policy server: judge the request on stdin",
		func(ctx context.Context) error { return kubewarden.Validate(ctx, c.Stdin, c.Stdout) })
}

func (c *Command) validateSettingsCommand() *cli.Command {
	return c.policyCommand("validate-settings", "answer a Kubewarden policy server: check the policy's settings on stdin",
		func(context.Context) error { return kubewarden.ValidateSettings(c.Stdin, c.Stdout) })
}

// policyCommand is one of the two questions that a policy server asks. The
// answer is on stdout, and the exit code 0 whatever it says: for the server,
// any other one is a policy that does not work.
func (c *Command) policyCommand(name, usage string, answer func(context.Context) error) *cli.Command {
	return &cli.Command{
		Name:        name,
		Usage:       usage,
		ArgsUsage:   " ",
		UsageText:   "harden " + name,
		Description: "Reads JSON from stdin and writes JSON to stdout, as docs/kubewarden.md says.",
		Hidden:      true,
		Action: func(ctx *cli.Context) error {
			if ctx.Args().Present() {
				return &usageError{fmt.Errorf("%s reads stdin and takes no arguments", name), "harden " + name + " --help"}
			}
			defer debug.SetMemoryLimit(debug.SetMemoryLimit(policyMemory))
			return answer(ctx.Context)
		},
	}
}
