package main

import (
	"errors"

	"github.com/urfave/cli/v2"
)

func (c *Command) probeCommand(*int) *cli.Command {
	return &cli.Command{
		Name:            "probe",
		Usage:           "run a decoder on the corpus, and tell what hurts it (not under WASI)",
		SkipFlagParsing: true,
		Action: func(*cli.Context) error {
			return errors.New("probe starts processes, and WASI has none: use a native build of harden")
		},
	}
}
