package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/report"
	"github.com/harden-input/harden/rule"
)

func (c *Command) filterCommand(code *int) *cli.Command {
	return &cli.Command{
		Name:      "filter",
		Usage:     "hand stdin on, unchanged, only if it is clean",
		ArgsUsage: "-- CMD [ARG…]",
		UsageText: "harden filter --as CHAIN [FLAG…] [-- CMD [ARG…]]",
		Description: "Reads stdin whole, judges it, and only then writes it to stdout, or starts CMD with it on stdin.\n" +
			"With --records, judges one record after the other, hands on the clean ones and goes on.\n" +
			"Exit code 0: all clean. 1: something rejected. 2: something could not be judged, or not be handed on.\n" +
			"With CMD, and everything clean: CMD's own.",
		Flags: append(gateFlags("required, but for --records"),
			&cli.BoolFlag{Name: "decompress", Usage: "hand on what is inside the outermost gzip"},
			&cli.BoolFlag{Name: "all", Usage: "with --decompress, what is inside every gzip"},
			&cli.StringFlag{Name: "rejects", Usage: "with --records, `FILE` for the records that are not clean, one line of JSON each"},
			&cli.StringFlag{Name: "rejects-max", Usage: "`SIZE` of that file from which on they are only counted, or none", Value: "64MiB"},
			&cli.IntFlag{Name: "exit-code", Usage: "`N`: exit code where something is rejected, 1 or 3 to 125", Value: ExitRejected},
			&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "report on stderr also where there is nothing but notes"},
		),
		Action: func(ctx *cli.Context) error {
			n, err := c.filter(ctx)
			*code = n
			return err
		},
	}
}

func (c *Command) filter(ctx *cli.Context) (int, error) {
	usage := func(err error) (int, error) {
		return ExitUndecided, &usageError{err, "harden filter --help"}
	}
	cfg, err := gateConfig(ctx)
	if err != nil {
		return usage(err)
	}
	rejectedCode := ctx.Int("exit-code")
	if err := checkRejectedCode(rejectedCode); err != nil {
		return usage(err)
	}
	ins, err := inspect.New(cfg)
	if err != nil {
		return usage(err)
	}
	peel, err := peelFlags(ctx, cfg.Chain.CompressedLayers())
	if err != nil {
		return usage(err)
	}
	to, err := c.consumer(ctx)
	if err != nil {
		return usage(err)
	}
	if cfg.Records != inspect.NoRecords {
		s := sieve{command: c, ins: ins, to: to, rejectedCode: rejectedCode, verbose: ctx.Bool("verbose")}
		return s.run(ctx)
	}
	if ctx.IsSet("rejects") || ctx.IsSet("rejects-max") {
		return usage(errors.New("--rejects and --rejects-max are about records: add --records"))
	}

	rep := inspect.NewReport()
	p, held := ins.InspectHeld(ctx.Context, "-", c.Stdin)
	rep.Add(p)
	if err := c.reportTo(c.Stderr, rep, ctx.Bool("verbose")); err != nil {
		return ExitUndecided, err
	}
	if n := exitCode(&rep.Summary, rejectedCode, false); n != ExitClean {
		c.sumUp(&rep.Summary)
		return n, nil
	}
	content, _, err := ins.Peel(&p, held, min(peel, p.CompressedLayers()))
	if err != nil {
		return ExitUndecided, err
	}
	defer content.Close()
	return handOn(to, content)
}

// gateFlags are those of judgingFlags, with as, which has no default here.
func gateFlags(required string) []cli.Flag {
	flags := judgingFlags()
	for _, f := range flags {
		if as, ok := f.(*cli.StringFlag); ok && as.Name == "as" {
			as.DefaultText = required
		}
	}
	return flags
}

// gateConfig reads the flags that judge, for commands that stand between a
// sender and a consumer: both must agree on what the bytes are, so the chain
// must be named, and a key that stands twice is an error unless the profile or
// a flag says something else of it.
func gateConfig(ctx *cli.Context) (inspect.Config, error) {
	if !ctx.IsSet("as") && ctx.String("records") == "" {
		return inspect.Config{}, errors.New("--as is missing: name what the consumer will take the bytes for, as in --as gzip+json (or auto, to detect it)")
	}
	cfg, err := judging(ctx)
	if err != nil {
		return cfg, err
	}
	if cfg.Chain.IsAuto() {
		cfg.Chain = cfg.Records.Chain()
	}
	for _, id := range []string{"json/duplicate-key", "json/duplicate-unchecked", "msgpack/duplicate-key", "msgpack/duplicate-unchecked"} {
		if _, set := cfg.Severities[id]; !set {
			cfg.Severities[id] = rule.Error
		}
	}
	return cfg, nil
}

// peelFlags returns how many compressed layers to take off, at most, of a
// payload that may have up to layers of them.
func peelFlags(ctx *cli.Context, layers int) (int, error) {
	as := ctx.String("as")
	switch {
	case ctx.Bool("all") && !ctx.Bool("decompress"):
		return 0, errors.New("--all says what to decompress: add --decompress")
	case ctx.Bool("decompress") && layers == 0:
		return 0, fmt.Errorf("--decompress: --as %s names no compressed layer", as)
	case ctx.String("records") != "" && layers > 1 && !ctx.Bool("all"):
		return 0, fmt.Errorf("records inside %s can only be handed on out of every layer: add --decompress --all", as)
	case ctx.String("records") != "" && layers > 0 && !ctx.Bool("decompress"):
		return 0, fmt.Errorf("records inside %s can only be handed on decompressed: add --decompress", as)
	case ctx.Bool("all"):
		return layers, nil
	case ctx.Bool("decompress"):
		return 1, nil
	}
	return 0, nil
}

// reportTo writes the report where there is something to say: more than notes.
func (c *Command) reportTo(w io.Writer, rep *inspect.Report, verbose bool) error {
	told := verbose
	for i := range rep.Payloads {
		p := &rep.Payloads[i]
		told = told || p.Verdict != inspect.Clean ||
			slices.ContainsFunc(p.Violations, func(v inspect.Violation) bool { return v.Severity >= rule.Warning })
	}
	if !told {
		return nil
	}
	if err := report.Text(w, rep, false); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// sumUp is the last line of every run that is not all clean.
func (c *Command) sumUp(s *inspect.Summary) {
	fmt.Fprintf(c.Stderr, "harden: rejected %d, undecided %d\n", s.Rejected, s.Undecided)
}
