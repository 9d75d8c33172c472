package main

import (
	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/internal/report"
)

func (c *Command) rulesCommand() *cli.Command {
	return &cli.Command{
		Name:      "rules",
		Usage:     "list all rules",
		UsageText: "harden rules [FLAG…]",
		Flags:     []cli.Flag{profileFlag(), referenceOutput()},
		Action: func(ctx *cli.Context) error {
			if err := noArguments(ctx); err != nil {
				return err
			}
			json, err := asJSON(ctx)
			if err != nil {
				return err
			}
			p, err := profileOf(ctx)
			if err != nil {
				return err
			}
			if json {
				return report.RulesJSON(c.Stdout, p)
			}
			return report.RuleTable(c.Stdout, p)
		},
	}
}
