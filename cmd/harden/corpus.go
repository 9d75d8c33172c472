package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/internal/spell"
)

func (c *Command) corpusCommand() *cli.Command {
	cmd := &cli.Command{
		Name:      "corpus",
		Usage:     "list, show and export the payloads that decoders should be tested with",
		UsageText: "harden corpus list|show|export",
		Description: "Every case is hostile, malformed or benign, and has the verdict that inspect gives it\n" +
			"under the default profile.",
		Subcommands: []*cli.Command{c.corpusListCommand(), c.corpusShowCommand(), c.corpusExportCommand()},
	}
	cmd.Action = func(ctx *cli.Context) error {
		if !ctx.Args().Present() {
			return &usageError{errors.New("say what to do with the corpus: list, show or export"), "harden corpus --help"}
		}
		return unknownCommand("harden corpus", cmd.Subcommands, ctx.Args().First())
	}
	return cmd
}

// corpusUsage is err as a mistake in the command line of a corpus command.
func corpusUsage(ctx *cli.Context, err error) error {
	return &usageError{err, "harden corpus " + ctx.Command.Name + " --help"}
}

// caseFlags choose cases; chosenCases reads them.
func caseFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "format", Usage: "only cases whose outermost format is `FORMAT`: " + strings.Join(caseFormats, ", ") + " (repeatable)"},
		&cli.StringSliceFlag{Name: "kind", Usage: "only cases of this `KIND`: " + strings.Join(caseKinds, ", ") + " (repeatable)"},
	}
}

// What --format and --kind of a case may be.
var (
	caseFormats = []string{"gzip", "json", "msgpack"}
	caseKinds   = []string{string(corpus.Hostile), string(corpus.Malformed), string(corpus.Benign)}
)

// chosenCases returns the cases that --format and --kind leave, sorted by ID.
func chosenCases(ctx *cli.Context) ([]corpus.Case, error) {
	formats, err := choices(ctx, "format", caseFormats)
	if err != nil {
		return nil, err
	}
	kinds, err := choices(ctx, "kind", caseKinds)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(corpus.All(), func(c corpus.Case) bool {
		return !slices.Contains(formats, c.Format()) || !slices.Contains(kinds, string(c.Kind))
	}), nil
}

// choices returns the values of a repeatable flag, each one of all, and all of
// them where it is not given.
func choices(ctx *cli.Context, flag string, all []string) ([]string, error) {
	if !ctx.IsSet(flag) {
		return all, nil
	}
	given := ctx.StringSlice(flag)
	for _, value := range given {
		if err := choice(ctx, flag, value, all); err != nil {
			return nil, err
		}
	}
	return given, nil
}

// choice refuses a value of a flag that is not one of all.
func choice(ctx *cli.Context, flag, value string, all []string) error {
	if slices.Contains(all, value) {
		return nil
	}
	message := fmt.Sprintf("--%s %q: use %s", flag, value, strings.Join(all, ", "))
	if closest := spell.Closest(value, all); closest != "" {
		message += fmt.Sprintf(": did you mean %s?", closest)
	}
	return corpusUsage(ctx, errors.New(message))
}

// sizeOf returns the size of a payload as it is written beside others.
func sizeOf(e corpus.Entry) string {
	if e.Large {
		return "large"
	}
	return fmt.Sprint(e.Size)
}

// plural returns "1 case", "2 cases".
func plural[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
