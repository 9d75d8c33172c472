package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/config"
	"github.com/harden-input/harden/internal/walk"
	"github.com/harden-input/harden/rule"
)

// maxStale bounds what is printed of an ignore entry, in bytes.
const maxStale = 1 << 10

// pathFlags are the flags that say which payloads are judged.
func pathFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "include", Usage: "`GLOB` of files to judge in directories and lists, such as *.json or data/**/*.gz; repeats"},
		&cli.StringSliceFlag{Name: "exclude", Usage: "`GLOB` of files and directories to leave out there; repeats"},
		&cli.StringFlag{Name: "files-from", Usage: "`FILE` with one path a line, or - for stdin"},
		&cli.BoolFlag{Name: "0", Aliases: []string{"null"}, Usage: "paths in the list of --files-from end in a zero byte, as git ls-files -z writes them"},
		&cli.StringFlag{Name: "on-unknown", Usage: "`WHAT` becomes of files in no known format: skip or undecided", DefaultText: "undecided where named, skip in directories"},
		&cli.StringFlag{Name: "stdin-filename", Usage: "`NAME` of the payload on stdin, whose extension may claim a format"},
		&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "`N` payloads are judged at once", Value: runtime.GOMAXPROCS(0), DefaultText: "one for each CPU"},
		&cli.StringFlag{Name: "shard", Usage: "`I/N`: judge part I of N, chosen by a hash of the path"},
		&cli.BoolFlag{Name: "no-progress", Usage: "no progress bar on a terminal"},
	}
}

// inputs is what the flags of pathFlags and the arguments say.
type inputs struct {
	paths      []string
	list       string // file with paths, "-" for stdin, "" for none
	zero       bool
	finder     *walk.Finder
	shard      walk.Shard
	unknown    inspect.Unknown
	stdinName  string
	jobs       int
	noProgress bool
	ignores    *config.Ignores
}

func newInputs(ctx *cli.Context, settled *config.Resolved) (*inputs, error) {
	in := &inputs{
		paths: ctx.Args().Slice(), list: ctx.String("files-from"), zero: ctx.Bool("0"),
		stdinName: "-", jobs: ctx.Int("jobs"), noProgress: ctx.Bool("no-progress"),
		ignores: settled.File.Ignores(settled.Config.FailOn, time.Now()),
	}
	if len(in.paths) == 0 && in.list == "" && !ctx.Bool("allow-empty") {
		return nil, errors.New("nothing to inspect: give a path, or - for stdin")
	}
	if err := in.checkStdin(ctx); err != nil {
		return nil, err
	}
	if in.jobs < 1 {
		return nil, fmt.Errorf("--jobs %d: use 1 or more", in.jobs)
	}
	if in.jobs > 1 && !hasThreads {
		return nil, fmt.Errorf("--jobs %d: WASI has no threads: use 1, or several instances and --shard", in.jobs)
	}
	if in.zero && in.list == "" {
		return nil, errors.New("-0 says how the paths in a list end: give the list with --files-from")
	}
	var err error
	if ctx.IsSet("on-unknown") {
		if in.unknown, err = inspect.ParseUnknown(ctx.String("on-unknown")); err != nil {
			return nil, err
		}
	}
	if ctx.IsSet("shard") {
		if in.shard, err = walk.ParseShard(ctx.String("shard")); err != nil {
			return nil, err
		}
	}
	opts := walk.Options{Include: globs(ctx.StringSlice("include")), Exclude: globs(ctx.StringSlice("exclude")), Shard: in.shard}
	if settled.File != nil {
		opts.Exclude = append(opts.Exclude, settled.File.Exclude()...)
	}
	in.finder, err = walk.NewFinder(opts)
	return in, err
}

// checkStdin refuses to use stdin twice, or to name it where it is not used.
func (in *inputs) checkStdin(ctx *cli.Context) error {
	uses := 0
	for _, p := range in.paths {
		if p == "-" {
			uses++
		}
	}
	if uses > 1 {
		return errors.New("stdin can be inspected once: - is given twice")
	}
	if uses == 1 && in.list == "-" {
		return errors.New("stdin cannot be both a payload and the list of --files-from")
	}
	if ctx.IsSet("stdin-filename") {
		if uses == 0 {
			return errors.New("--stdin-filename names the payload on stdin: give - as well")
		}
		in.stdinName = ctx.String("stdin-filename")
		if in.stdinName == "" {
			return errors.New("--stdin-filename: the name is empty")
		}
	}
	return nil
}

func globs(patterns []string) []walk.Glob {
	var all []walk.Glob
	for _, p := range patterns {
		all = append(all, walk.Glob{Pattern: p})
	}
	return all
}

// judgeAll judges all inputs, in the order in which they were given. The payloads
// go to out, what is to be said of all to rep.
func (c *Command) judgeAll(ctx context.Context, ins walk.Inspector, in *inputs, rep *inspect.Report, out *reports) error {
	list, err := c.openList(in.list)
	if err != nil {
		return err
	}
	defer list.Close()
	j := &walk.Judge{Inspector: ins, Stdin: c.Stdin, StdinName: in.stdinName, Unknown: in.unknown, Jobs: in.jobs, Outputs: append(c.redirected(), out.files()...)}
	bar := c.startProgress(j, out.stdout, in.noProgress)
	err = j.All(ctx, func(found func(walk.Payload) error) error {
		for _, path := range in.paths {
			if err := in.finder.Named(path, found); err != nil {
				return err
			}
		}
		return walk.ReadList(list, in.zero, func(path string) error { return in.finder.Listed(path, found) })
	}, func(part *inspect.Report) error {
		in.ignores.Apply(part)
		out.add(part)
		part.Payloads = nil
		rep.Merge(part)
		bar.judged(&rep.Summary)
		return nil
	})
	bar.stop()
	if err != nil {
		return err
	}
	for reason, n := range in.finder.Skipped {
		rep.Summary.Skipped[reason] += n
	}
	for _, stale := range in.ignores.Stale(in.shard.IsAll()) {
		fmt.Fprintf(c.Stderr, "harden: %s\n", rule.Excerpt(stale, maxStale))
	}
	if !in.shard.IsAll() {
		fmt.Fprintf(c.Stderr, "harden: shard %s: %d of %d\n", in.shard, in.finder.Mine, in.finder.Total)
	}
	return nil
}

// redirected returns the regular files that stdout and stderr go to.
func (c *Command) redirected() []fs.FileInfo {
	var files []fs.FileInfo
	for _, w := range []io.Writer{c.Stdout, c.Stderr} {
		if f, ok := w.(*os.File); ok {
			if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
				files = append(files, info)
			}
		}
	}
	return files
}

// openList opens the list of --files-from; without one, an empty list.
func (c *Command) openList(path string) (io.ReadCloser, error) {
	switch path {
	case "":
		return io.NopCloser(strings.NewReader("")), nil
	case "-":
		return io.NopCloser(c.Stdin), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--files-from: %w", err)
	}
	return f, nil
}

// sayNothingInspected tells why a run has no verdict to show.
func (c *Command) sayNothingInspected(s *inspect.Summary) {
	if s.Clean+s.Rejected+s.Undecided+s.Ignored > 0 {
		return
	}
	why := "no file was found"
	if len(s.Skipped) > 0 {
		var counts []string
		for reason, n := range s.Skipped {
			counts = append(counts, fmt.Sprintf("%d %s", n, reason))
		}
		slices.Sort(counts)
		why = "all was skipped: " + strings.Join(counts, ", ")
	}
	fmt.Fprintf(c.Stderr, "harden: nothing was inspected: %s; --allow-empty accepts that\n", why)
}
