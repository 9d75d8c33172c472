//go:build !wasip1

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/internal/probe"
	"github.com/harden-input/harden/internal/spell"
)

func (c *Command) probeCommand(code *int) *cli.Command {
	return &cli.Command{
		Name:      "probe",
		Usage:     "run a decoder on the corpus, and tell what hurts it",
		ArgsUsage: "-- CMD [ARG…]",
		UsageText: "harden probe [FLAG…] -- CMD [ARG…]",
		Description: "Runs CMD once for every case, which it gets on stdin, or as a file whose name\n" +
			"stands for {} in the arguments. Reports what crashed it, how long it took and\n" +
			"what memory it needed, compared with what it needs for honest payloads.\n" +
			"Exit code 0: nothing crashed, timed out or went over. 1: something did.\n" +
			"2: CMD cannot be started or does not seem to read the format, or nothing was run.",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "format", Usage: "`FORMAT` of the cases: " + strings.Join(caseFormats, ", ") + "; repeats", DefaultText: "all"},
			&cli.StringSliceFlag{Name: "kind", Usage: "`KIND` of the cases: " + strings.Join(caseKinds, ", ") + "; repeats", DefaultText: "all"},
			&cli.StringSliceFlag{Name: "case", Usage: "`ID` of a case, as in msgpack/array32-4g; repeats"},
			&cli.BoolFlag{Name: "include-large", Usage: "also cases above 4 KiB; some are many GiB"},
			&cli.DurationFlag{Name: "timeout", Usage: "`TIME` that one case may take", Value: 5 * time.Second},
			&cli.StringFlag{Name: "memory", Usage: "`SIZE` of memory that one case may take", Value: "256MiB"},
			&cli.StringFlag{Name: "max-output", Usage: "`SIZE` of stdout and stderr together for one case", Value: "64MiB"},
			&cli.IntFlag{Name: "jobs", Usage: "`N` cases at once; more make times less exact", Value: 1},
			&cli.StringFlag{Name: "output", Usage: "`FORMAT` of the report: " + strings.Join(probeOutputs, ", "), Value: "text"},
			&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "in text and markdown, list every case"},
		},
		Action: func(ctx *cli.Context) error {
			n, err := c.probe(ctx)
			*code = n
			return err
		},
	}
}

func (c *Command) probe(ctx *cli.Context) (int, error) {
	opts, err := probeOptions(ctx)
	if err != nil {
		return ExitUndecided, usageOf(ctx, err)
	}
	write, err := probeWriter(ctx.String("output"), ctx.Bool("verbose"))
	if err != nil {
		return ExitUndecided, usageOf(ctx, err)
	}
	running, stop := signal.NotifyContext(ctx.Context, interrupts()...)
	defer stop()
	rep, err := probe.Run(running, opts)
	if err != nil {
		return ExitUndecided, fmt.Errorf("probe: %w", err)
	}
	if err := write(c.Stdout, rep); err != nil {
		return ExitUndecided, fmt.Errorf("writing the report: %w", err)
	}
	switch rep.Verdict {
	case probe.Unhurt:
		return ExitClean, nil
	case probe.Hurt:
		return ExitRejected, nil
	}
	why := "probe: " + rep.Conclusion
	if rep.Summary.Cases == rep.Summary.Selected {
		why += ": --kind benign --verbose shows how it ends"
	}
	return ExitUndecided, errors.New(why)
}

// interrupts are the signals that end a run early and in order: the end of the
// terminal too, but not under nohup.
func interrupts() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// probeOptions reads the command line.
func probeOptions(ctx *cli.Context) (*probe.Options, error) {
	if !ctx.Args().Present() {
		return nil, errors.New("say what to run, as in harden probe --format gzip -- gzip -t")
	}
	opts := &probe.Options{
		Command:  ctx.Args().Slice(),
		Expected: ctx.StringSlice("format"),
		Timeout:  ctx.Duration("timeout"),
		Jobs:     ctx.Int("jobs"),
	}
	if opts.Timeout <= 0 {
		return nil, fmt.Errorf("--timeout %s: write a time above 0, such as 5s", opts.Timeout)
	}
	if opts.Jobs < 1 {
		return nil, fmt.Errorf("--jobs %d: at least 1", opts.Jobs)
	}
	var err error
	if opts.Memory, err = sizeFlag(ctx, "memory"); err != nil {
		return nil, err
	}
	if opts.MaxOutput, err = sizeFlag(ctx, "max-output"); err != nil {
		return nil, err
	}
	all := corpus.All()
	selection, err := probeSelection(ctx, all)
	if err != nil {
		return nil, err
	}
	opts.Cases = selection.From(all)
	if len(opts.Cases) == 0 {
		return nil, errors.New("no case is of all that --format, --kind and --case ask for; large ones need --include-large")
	}
	opts.Benign = probe.Baseline(all, opts.Cases)
	return opts, nil
}

// sizeFlag reads a number of bytes that has to be given and is not 0.
func sizeFlag(ctx *cli.Context, name string) (uint64, error) {
	n, err := spell.ParseBytes(ctx.String(name))
	if err == nil && n == 0 {
		err = errors.New("write a size above 0, such as 256MiB")
	}
	if err != nil {
		return 0, fmt.Errorf("--%s: %w", name, err)
	}
	return n, nil
}

func probeSelection(ctx *cli.Context, all []corpus.Case) (probe.Selection, error) {
	s := probe.Selection{Formats: ctx.StringSlice("format"), IDs: ctx.StringSlice("case"), Large: ctx.Bool("include-large")}
	for _, f := range s.Formats {
		if err := oneOf("format", f, caseFormats); err != nil {
			return s, err
		}
	}
	for _, k := range ctx.StringSlice("kind") {
		if err := oneOf("kind", k, caseKinds); err != nil {
			return s, err
		}
		s.Kinds = append(s.Kinds, corpus.Kind(k))
	}
	var ids []string
	for _, known := range all {
		ids = append(ids, known.ID)
	}
	for _, id := range s.IDs {
		if err := oneOf("case", id, ids); err != nil {
			return s, err
		}
	}
	return s, nil
}

// oneOf refuses a flag's value that is none of those there are, which it lists
// where they are few.
func oneOf(flag, value string, of []string) error {
	if slices.Contains(of, value) {
		return nil
	}
	if closest := spell.Closest(value, of); closest != "" {
		return fmt.Errorf("--%s %q: did you mean %s?", flag, value, closest)
	}
	if len(of) > 8 {
		return fmt.Errorf("--%s %q: there is none of that name; harden corpus list names all", flag, value)
	}
	return fmt.Errorf("--%s %q: use %s", flag, value, strings.Join(of, ", "))
}

// probeWriter returns what writes a report in a format.
func probeWriter(format string, verbose bool) (func(io.Writer, *probe.Report) error, error) {
	switch format {
	case "text":
		return func(w io.Writer, r *probe.Report) error { return probe.Text(w, r, verbose) }, nil
	case "markdown":
		return func(w io.Writer, r *probe.Report) error { return probe.Markdown(w, r, verbose) }, nil
	case "json":
		return probe.JSON, nil
	case "junit":
		return probe.JUnit, nil
	}
	return nil, oneOf("output", format, probeOutputs)
}
