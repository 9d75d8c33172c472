package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/internal/guest"
)

// sandboxedCommand is what package sandbox calls in an instance of harden.wasm.
// It is not for people, and help does not list it.
func (c *Command) sandboxedCommand() *cli.Command {
	return &cli.Command{
		Name:      "sandboxed",
		Hidden:    true,
		Usage:     "judge one payload for a host: see docs/sandbox.md",
		ArgsUsage: "SETTINGS NAME PATH|-",
		UsageText: "harden sandboxed --abi | -- SETTINGS NAME PATH|-",
		Flags:     []cli.Flag{&cli.BoolFlag{Name: "abi", Usage: "print the version of the interface"}},
		Action: func(ctx *cli.Context) error {
			if ctx.Bool("abi") {
				_, err := fmt.Fprintln(c.Stdout, guest.ABI)
				return err
			}
			if ctx.NArg() != 3 {
				return usageOf(ctx, errors.New("give the settings as JSON, the payload's name, and its path"))
			}
			var j guest.Judge
			_, err := c.Stdout.Write(j.File([]byte(ctx.Args().Get(0)), ctx.Args().Get(1), ctx.Args().Get(2)))
			return err
		},
	}
}
