package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/config"
	"github.com/harden-input/harden/internal/report"
)

// configFlags are the flags that say which configuration file holds.
func configFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "config", Usage: "configuration `FILE`; wins over " + config.EnvName},
		&cli.BoolFlag{Name: "no-config", Usage: "use no configuration file"},
	}
}

// trustFlag belongs to the commands that look for a configuration file.
func trustFlag() cli.Flag {
	return &cli.BoolFlag{Name: "trust-config", Usage: "let the " + config.FileName + " that is found loosen limits and ignore files; without it, it may only tighten"}
}

// judging reads the flags of judgingFlags and the configuration file that was
// named, for commands that stand between two programs: they look for none.
func judging(ctx *cli.Context) (inspect.Config, error) {
	r, err := settle(ctx, false)
	if err != nil {
		return inspect.Config{}, err
	}
	return r.Config, nil
}

// settle reads the flags of judgingFlags and the configuration file that
// holds, which is looked for only where discover is set. Its error is a
// usageError where the command line is at fault, and not the file.
func settle(ctx *cli.Context, discover bool) (*config.Resolved, error) {
	settings, err := flagSettings(ctx)
	if err != nil {
		return nil, usageOf(ctx, err)
	}
	if ctx.IsSet("config") && ctx.String("config") == "" {
		return nil, usageOf(ctx, errors.New("--config: the name of the file is empty"))
	}
	if ctx.Bool("no-config") && ctx.IsSet("config") {
		return nil, usageOf(ctx, errors.New("--config and --no-config contradict each other"))
	}
	settings.File, err = config.Search{
		Named: ctx.String("config"), Env: os.Getenv(config.EnvName), None: ctx.Bool("no-config"),
		Discover: discover, Trust: ctx.Bool("trust-config"),
	}.File()
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	r, err := settings.Resolve()
	var looser *config.LooseningError
	if err != nil && !errors.As(err, &looser) {
		return nil, usageOf(ctx, err)
	}
	return r, err
}

func (c *Command) configCommand() *cli.Command {
	return &cli.Command{
		Name:      "config",
		Usage:     "show which settings hold, and where each comes from",
		ArgsUsage: "show",
		UsageText: "harden config show [FLAG…]",
		Description: "Takes the flags of inspect that say how payloads are judged, and prints what they,\n" +
			"the configuration file and the profile come to.",
		Flags: append(judgingFlags(), trustFlag(), referenceOutput()),
		Action: func(ctx *cli.Context) error {
			if ctx.NArg() != 1 || ctx.Args().First() != "show" {
				return usageOf(ctx, errors.New("write harden config show"))
			}
			json, err := asJSON(ctx)
			if err != nil {
				return err
			}
			r, err := settle(ctx, true)
			if err != nil {
				return err
			}
			if _, err := inspect.New(r.Config); err != nil {
				return usageOf(ctx, err)
			}
			if json {
				return report.SettingsJSON(c.Stdout, r)
			}
			return report.Settings(c.Stdout, r)
		},
	}
}
