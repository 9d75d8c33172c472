// Benchpeers times harden's measuring pass against the gzip testers people have
// installed, as whole processes over the same files:
//
//	go run ./internal/benchpeers -quick
//
// Inputs are made once into -dir: real text, binary and JSON as gzip -6 writes
// them, bombs, and floods of tiny blocks. They are used again until that folder
// is removed. The tools take turns on each input, so
// that a slow moment of the machine hits all of them, and the median of the runs
// counts. Ratios mean something, seconds are those of this machine.
//
// The result is Markdown on standard output; progress goes to standard error.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == launchArg {
		os.Exit(launch(os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

type options struct {
	harden, args string
	dir          string
	quick        bool
	runs         int
	only         *regexp.Regexp
	timeout      time.Duration
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("benchpeers", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.harden, "harden", "./harden", "path of harden, or of a program to stand in for it")
	flags.StringVar(&o.args, "args", "inspect --shallow --profile unlimited", "its arguments, split at spaces; the file comes last")
	flags.StringVar(&o.dir, "dir", "build/bench-data", "where inputs are kept between runs")
	flags.BoolVar(&o.quick, "quick", false, "small inputs and few runs")
	flags.IntVar(&o.runs, "runs", 0, "runs of each tool on each input (default 7, quick 3)")
	flags.DurationVar(&o.timeout, "timeout", 5*time.Minute, "how long one run may take")
	only := flags.String("only", "", "inputs whose name matches this regular expression")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if o.runs == 0 {
		o.runs = 7
		if o.quick {
			o.runs = 3
		}
	}
	if o.runs < 0 {
		return o, fmt.Errorf("-runs %d: there must be at least one", o.runs)
	}
	var err error
	o.only, err = regexp.Compile(*only)
	return o, err
}

// run is main with its surroundings as arguments. It returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err == nil {
		err = bench(o, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintln(stderr, "benchpeers:", err)
		return 1
	}
	return 0
}

func bench(o options, stdout, stderr io.Writer) error {
	harden, err := exec.LookPath(o.harden)
	if err != nil {
		return fmt.Errorf("no harden at %s: run make build, or name it with -harden: %w", o.harden, err)
	}
	tools := []tool{{name: "harden", path: harden, args: strings.Fields(o.args)}}
	found, missing := findPeers(exec.LookPath)
	tools = append(tools, found...)

	start, err := newLauncher(o.timeout)
	if err != nil {
		return err
	}
	floor, err := start.floor()
	if err != nil {
		return err
	}
	var rows []row
	s, dir := scaleOf(o.quick, o.dir)
	for _, in := range inputs(s) {
		if !o.only.MatchString(in.name) {
			continue
		}
		made, err := in.ready(dir, stderr)
		if err != nil {
			return fmt.Errorf("making %s: %w", in.name, err)
		}
		fmt.Fprintf(stderr, "timing %s\n", in.name)
		r, err := compare(start, tools, made, o.runs)
		if err != nil {
			return err
		}
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		return fmt.Errorf("no input matches %q", o.only)
	}
	report(stdout, o, tools, missing, rows, floor)
	return nil
}
