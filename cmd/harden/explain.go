package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/internal/config"
	"github.com/harden-input/harden/internal/report"
)

func (c *Command) explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "say what a rule means, whom it protects and what to do",
		ArgsUsage: "RULE",
		UsageText: "harden explain [FLAG…] RULE",
		Flags:     []cli.Flag{referenceOutput()},
		Action: func(ctx *cli.Context) error {
			json, err := asJSON(ctx)
			if err != nil {
				return err
			}
			if ctx.NArg() != 1 {
				return usageOf(ctx, errors.New("give one rule, such as gzip/isize-forged; harden rules lists all"))
			}
			r, err := config.Rule(ctx.Args().First())
			if err != nil {
				return usageOf(ctx, err)
			}
			if json {
				return report.ExplainJSON(c.Stdout, &r)
			}
			return report.Explain(c.Stdout, &r)
		},
	}
}
