package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/corpus"
	"github.com/harden-input/harden/fuzz/target"
	"github.com/harden-input/harden/internal/report"
)

func (c *Command) corpusExportCommand() *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write the cases as files, for a test of one's own or for a fuzzer",
		UsageText: "harden corpus export --to DIR [FLAG…]",
		Description: "files      FORMAT/NAME.EXT and manifest.json, which says what each must get\n" +
			"go-fuzz    corpus/, for go-fuzz -workdir DIR\n" +
			"go-test    testdata/fuzz/TARGET/, for go test -fuzz\n" +
			"libfuzzer  TARGET_seed_corpus.zip and TARGET.dict, as OSS-Fuzz wants them\n" +
			"afl        in/ and FORMAT.dict, for afl-fuzz -i DIR/in -x DIR/FORMAT.dict",
		Flags: append(caseFlags(),
			&cli.StringFlag{Name: "to", Usage: "`DIR` to write into; it is made where it is missing, and has to be empty"},
			&cli.StringFlag{Name: "layout", Usage: "`LAYOUT` of the files: " + strings.Join(layoutNames(), ", "), Value: string(corpus.Files)},
			&cli.BoolFlag{Name: "include-large", Usage: "write large cases too, gigabytes in all; for fuzzers those of up to 1MiB"},
			&cli.BoolFlag{Name: "force", Usage: "write into a directory that is not empty: files of the same name are replaced, others stay"},
		),
		Action: func(ctx *cli.Context) error {
			if ctx.Args().Present() {
				return corpusUsage(ctx, fmt.Errorf("export takes no arguments, got %q: --to names the directory", ctx.Args().First()))
			}
			dir, layout := ctx.String("to"), ctx.String("layout")
			if dir == "" {
				return corpusUsage(ctx, errors.New("say where to write: --to DIR"))
			}
			if err := choice(ctx, "layout", layout, layoutNames()); err != nil {
				return err
			}
			cases, err := chosenCases(ctx)
			if err != nil {
				return err
			}
			if !ctx.Bool("include-large") {
				cases = slices.DeleteFunc(cases, func(c corpus.Case) bool { return c.Large })
			}
			return c.export(corpus.Export{Layout: corpus.Layout(layout), Cases: cases, Targets: exportTargets()}, dir, ctx.Bool("force"))
		},
	}
}

// export writes e below dir and says on stderr what was written and left out.
func (c *Command) export(e corpus.Export, dir string, force bool) error {
	name := report.Name(dir)
	taken, err := e.Taken()
	if err != nil {
		return err
	}
	if len(taken) == 0 {
		return errors.New("corpus export: no case is left to write: large ones need --include-large")
	}
	written, err := e.WriteDir(dir, force)
	switch {
	case errors.Is(err, corpus.ErrNotEmpty):
		return fmt.Errorf("corpus export: %s is not empty: name another directory with --to, or add --force to replace files of the same name in it", name)
	case err != nil:
		return fmt.Errorf("corpus export: after %s in %s: %w", plural(written, "file"), name, err)
	}
	if left := len(e.Cases) - len(taken); left > 0 {
		fmt.Fprintf(c.Stderr, "harden: left out %s above %d bytes, which no fuzzer takes\n", plural(left, "case"), corpus.FuzzSize)
	}
	_, err = fmt.Fprintf(c.Stderr, "harden: wrote %s to %s, %s\n", plural(len(taken), "case"), name, plural(written, "file"))
	return err
}

func layoutNames() []string {
	var names []string
	for _, l := range corpus.Layouts() {
		names = append(names, string(l))
	}
	return names
}

// exportTargets are the fuzz targets of this module, with their dictionaries.
func exportTargets() []corpus.Target {
	var targets []corpus.Target
	for _, t := range target.All() {
		targets = append(targets, corpus.Target{Name: t.Name, Format: t.Format, Dictionary: target.Dictionary(t.Format)})
	}
	return targets
}
