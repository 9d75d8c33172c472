package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/report"
)

// An output is one --output: a format, and the file it goes to ("" is stdout).
type output struct {
	format, path string
}

func parseOutputs(values []string) ([]output, error) {
	var all []output
	stdout := 0
	for _, v := range values {
		var o output
		var toFile bool
		o.format, o.path, toFile = strings.Cut(v, ":")
		if o.format != "text" && o.format != "json" {
			return nil, fmt.Errorf("--output %q: the formats are text and json, each with :PATH for a file", v)
		}
		if toFile && o.path == "" {
			return nil, fmt.Errorf("--output %q: a path is missing after the colon", v)
		}
		if !toFile {
			stdout++
		}
		all = append(all, o)
	}
	if stdout > 1 {
		return nil, errors.New("--output: only one report can go to stdout, give the others a path, as in json:report.json")
	}
	return all, nil
}

// write writes the report to every output.
func (c *Command) write(outputs []output, rep *inspect.Report, quiet bool) error {
	for _, o := range outputs {
		if o.path == "" {
			if err := o.render(c.Stdout, rep, quiet); err != nil {
				return fmt.Errorf("writing the report: %w", err)
			}
			continue
		}
		if err := o.writeFile(rep, quiet); err != nil {
			return fmt.Errorf("writing the report to %s: %w", o.path, err)
		}
	}
	return nil
}

func (o output) render(w io.Writer, rep *inspect.Report, quiet bool) error {
	if o.format == "json" {
		return report.JSON(w, rep)
	}
	return report.Text(w, rep, quiet)
}

// writeFile writes beside the target and renames, so that a reader sees the
// whole report or none.
func (o output) writeFile(rep *inspect.Report, quiet bool) error {
	f, err := os.CreateTemp(filepath.Dir(o.path), "."+filepath.Base(o.path)+".*")
	if err != nil {
		return err
	}
	err = errors.Join(o.render(f, rep, quiet), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), o.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
