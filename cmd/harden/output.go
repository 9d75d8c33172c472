package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/harden-input/harden/internal/report"
	"github.com/harden-input/harden/internal/spell"
)

// outputFlags are the flags that say how and where to a report is written.
func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "output", Usage: "`FORMAT[:PATH]`: " + strings.Join(formatNames(), ", ") + ", to stdout or a file; repeats; auto is text, and annotations in GitHub Actions",
			Value: cli.NewStringSlice("auto"), DefaultText: "auto"},
		&cli.StringFlag{Name: "color", Usage: "`WHEN` text is coloured: auto (on a terminal, NO_COLOR and FORCE_COLOR honoured), always or never", Value: "auto"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "in text, only payloads that are not clean"},
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "in text, what was measured layer by layer, and why each broken rule exists"},
	}
}

func formatNames() []string {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// An output is one --output: a format, and the file it goes to ("" is stdout).
type output struct {
	format, path string
}

func parseOutputs(values []string) ([]output, error) {
	var all []output
	seen := map[string]bool{}
	for _, v := range values {
		o, err := parseOutput(v)
		if err != nil {
			return nil, err
		}
		target := o.path
		if target != "" {
			target = filepath.Clean(target)
		}
		switch {
		case seen[target] && target == "":
			return nil, errors.New("--output: only one report can go to stdout, give the others a path, as in json:report.json")
		case seen[target]:
			return nil, fmt.Errorf("--output %q: another report goes to the same file", v)
		}
		seen[target] = true
		all = append(all, o)
	}
	return all, nil
}

func parseOutput(v string) (output, error) {
	name, path, toFile := strings.Cut(v, ":")
	if _, ok := report.FormatNamed(name); !ok {
		names := formatNames()
		hint := ""
		if closest := spell.Closest(name, names); closest != "" {
			hint = ": did you mean " + closest + "?"
		}
		return output{}, fmt.Errorf("--output %q: unknown format%s (formats: %s; each with :PATH for a file)", v, hint, strings.Join(names, ", "))
	}
	if toFile && path == "" {
		return output{}, fmt.Errorf("--output %q: a path is missing after the colon", v)
	}
	if path == "-" {
		path = "" // as it is written elsewhere
	}
	return output{name, path}, nil
}

// removeOld removes what an earlier run wrote to the files of outputs, so that
// a run that dies leaves no report that is not its own. It removes none where
// one cannot be written: in no directory, what is no regular file, and what is
// among the inputs.
func removeOld(outputs []output, inputs []string) error {
	var old []string
	for _, o := range outputs {
		if o.path == "" {
			continue
		}
		exists, err := o.check(inputs)
		if err != nil {
			return fmt.Errorf("--output %s:%s: %w", o.format, o.path, err)
		}
		if exists {
			old = append(old, o.path)
		}
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("--output: removing the report of an earlier run: %w", err)
		}
	}
	return nil
}

// check reports whether the file of o exists, and why it cannot be written.
func (o output) check(inputs []string) (exists bool, err error) {
	dir, err := os.Stat(filepath.Dir(o.path))
	if err != nil {
		return false, err
	}
	if !dir.IsDir() {
		return false, fmt.Errorf("%s is not a directory", filepath.Dir(o.path))
	}
	info, err := os.Lstat(o.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, replaceable(info, inputs)
}

// replaceable reports why a file that exists must not become a report.
func replaceable(info fs.FileInfo, inputs []string) error {
	if info.Mode()&fs.ModeSymlink != 0 {
		return errors.New("is a symbolic link, and links are not followed: name the file itself")
	}
	if !info.Mode().IsRegular() {
		return errors.New("is not a regular file: a format without a path goes to stdout")
	}
	for _, path := range inputs {
		if in, err := os.Stat(path); err == nil && os.SameFile(in, info) {
			return errors.New("is one of the inputs")
		}
	}
	return nil
}
