package main

import (
	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/report"
)

func (c *Command) limitsCommand() *cli.Command {
	return &cli.Command{
		Name:      "limits",
		Usage:     "list the limits of all profiles side by side",
		UsageText: "harden limits [FLAG…]",
		Flags:     []cli.Flag{referenceOutput()},
		Action: func(ctx *cli.Context) error {
			if err := noArguments(ctx); err != nil {
				return err
			}
			json, err := asJSON(ctx)
			if err != nil {
				return err
			}
			if json {
				return report.LimitsJSON(c.Stdout, inspect.Profiles())
			}
			return report.LimitTable(c.Stdout, inspect.Profiles())
		},
	}
}
