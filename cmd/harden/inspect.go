package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/config"
)

func (c *Command) inspectCommand(code *int) *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Usage:     "judge files, or stdin given as -",
		ArgsUsage: "PATH|-…",
		UsageText: "harden inspect [FLAG…] PATH|-…",
		Description: "Measures every payload without decoding it and prints a report.\n" +
			"Exit code 0: all clean. 1: at least one rejected. 2: something could not be judged.",
		Flags: slices.Concat(judgingFlags(), pathFlags(), outputFlags(), sandboxFlags(), []cli.Flag{trustFlag(),
			&cli.BoolFlag{Name: "shallow", Usage: "measure the outermost layer, inflate nothing"},
			&cli.IntFlag{Name: "exit-code", Usage: "`N`: exit code where a payload is rejected, 1 or 3 to 125", Value: ExitRejected},
			&cli.BoolFlag{Name: "allow-empty", Usage: "exit 0 where nothing was inspected"},
		}),
		Action: func(ctx *cli.Context) error {
			n, err := c.inspect(ctx)
			*code = n
			return err
		},
	}
}

// judgingFlags are the flags that say how payloads are judged.
func judgingFlags() []cli.Flag {
	return append(configFlags(),
		&cli.StringFlag{Name: "as", Usage: "`CHAIN`: what the layers are, such as json, gzip+json or gzip?+msgpack; auto detects", Value: "auto"},
		&cli.StringFlag{Name: "records", Usage: "`KIND`: ndjson or msgpack, judge each record by itself"},
		&cli.StringFlag{Name: "profile", Usage: "`NAME`: default, gateway, opa, jackson, bulk, unlimited or strict", Value: "default"},
		&cli.StringSliceFlag{Name: "limit", Usage: "`KEY=VALUE`: one limit, such as gzip.max-members=16; none lifts it; repeats"},
		&cli.DurationFlag{Name: "timeout", Usage: "`DURATION` for each payload, short for --limit input.max-time=DURATION"},
		&cli.StringSliceFlag{Name: "severity", Usage: "`RULE=LEVEL`: off, note, warning or error; repeats"},
		&cli.StringFlag{Name: "fail-on", Usage: "`LEVEL` from which a violation rejects: note, warning or error", Value: "error"},
	)
}

// flagSettings reads the flags of judgingFlags, but for the configuration file.
func flagSettings(ctx *cli.Context) (config.Settings, error) {
	limits := ctx.StringSlice("limit")
	if ctx.IsSet("timeout") {
		if ctx.Duration("timeout") <= 0 {
			return config.Settings{}, errors.New("--timeout: write a duration above 0; --limit input.max-time=none waits for ever")
		}
		limits = append(limits, "input.max-time="+ctx.Duration("timeout").String())
	}
	settings := config.Settings{
		Limits:     limits,
		Severities: ctx.StringSlice("severity"),
		Chain:      ctx.String("as"),
		Records:    ctx.String("records"),
	}
	// Only what was written wins over a configuration file.
	if ctx.IsSet("profile") {
		settings.Profile = ctx.String("profile")
	}
	if ctx.IsSet("fail-on") {
		settings.FailOn = ctx.String("fail-on")
	}
	return settings, nil
}

func (c *Command) inspect(ctx *cli.Context) (int, error) {
	usage := func(err error) (int, error) {
		return ExitUndecided, &usageError{err, "harden inspect --help"}
	}
	outputs, err := parseOutputs(ctx.StringSlice("output"))
	if err == nil {
		// Before anything else can fail: what is there is of an earlier run.
		err = removeOld(outputs, ctx.Args().Slice())
	}
	if err != nil {
		return usage(err)
	}
	opts, err := c.reportOptions(ctx)
	if err != nil {
		return usage(err)
	}
	settled, err := settle(ctx, true)
	if err != nil {
		return ExitUndecided, err
	}
	cfg := settled.Config
	cfg.Shallow = ctx.Bool("shallow")
	rejectedCode := ctx.Int("exit-code")
	if err := checkRejectedCode(rejectedCode); err != nil {
		return usage(err)
	}
	box, err := parseSandbox(ctx)
	if err != nil {
		return usage(err)
	}
	in, err := newInputs(ctx, settled)
	if err != nil {
		return usage(err)
	}
	ins, stop, err := box.inspector(ctx.Context, cfg)
	if err != nil {
		return usage(err)
	}
	defer stop()
	rep := inspect.NewReport()
	rep.Config = settled.Reported()
	run := ctx.Context
	if slices.ContainsFunc(outputs, func(o output) bool { return o.path != "" }) {
		// Who interrupts a run finds no half of a report. Others are spared the
		// thread that waits for signals.
		caught, stop := signal.NotifyContext(run, os.Interrupt, syscall.SIGTERM)
		defer stop()
		run = caught
	}
	opts.AtOnce = isTerminal(c.Stdout)
	out := c.openReports(outputs, opts)
	defer out.discard()
	err = c.judgeAll(run, ins, in, rep, out)
	if run.Err() != nil {
		err = errors.New("interrupted before all was judged")
	}
	if err != nil {
		return ExitUndecided, err
	}
	if err := out.end(rep); err != nil {
		return ExitUndecided, err
	}
	code := exitCode(&rep.Summary, rejectedCode, ctx.Bool("allow-empty"))
	if code != ExitClean {
		c.sayNothingInspected(&rep.Summary)
		fmt.Fprintf(c.Stderr, "harden: rejected %d, undecided %d\n", rep.Summary.Rejected, rep.Summary.Undecided)
	}
	return code, nil
}

// exitCode is the contract of exit.go.
func exitCode(s *inspect.Summary, rejectedCode int, allowEmpty bool) int {
	switch {
	case s.Undecided > 0:
		return ExitUndecided
	case s.Rejected > 0:
		return rejectedCode
	case s.Clean+s.Ignored == 0 && !allowEmpty:
		return ExitUndecided
	}
	return ExitClean
}
