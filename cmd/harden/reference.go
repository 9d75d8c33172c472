package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/config"
)

// referenceOutput is the flag of the commands that print what harden knows.
func referenceOutput() cli.Flag {
	return &cli.StringFlag{Name: "output", Usage: "`FORMAT`: text or json", Value: "text"}
}

// asJSON reads the flag referenceOutput.
func asJSON(ctx *cli.Context) (bool, error) {
	switch format := ctx.String("output"); format {
	case "text", "json":
		return format == "json", nil
	default:
		return false, usageOf(ctx, fmt.Errorf("--output %q: use text or json", format))
	}
}

// noArguments refuses arguments of a command that takes none.
func noArguments(ctx *cli.Context) error {
	if ctx.Args().Present() {
		return usageOf(ctx, fmt.Errorf("%s takes no arguments, got %q", ctx.Command.Name, ctx.Args().First()))
	}
	return nil
}

// usageOf is err as a mistake in the command line of ctx's command.
func usageOf(ctx *cli.Context, err error) error {
	return &usageError{err, "harden " + ctx.Command.Name + " --help"}
}

// profileFlag chooses a profile where no payload is judged.
func profileFlag() cli.Flag {
	return &cli.StringFlag{Name: "profile", Usage: "`NAME` of the profile", Value: "default"}
}

func profileOf(ctx *cli.Context) (*inspect.Profile, error) {
	p, err := config.Profile(ctx.String("profile"))
	if err != nil {
		return nil, usageOf(ctx, err)
	}
	return &p, nil
}
