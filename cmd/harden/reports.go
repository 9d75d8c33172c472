package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/report"
)

// reports are those of one run, written while payloads are judged: what was
// written is not kept.
type reports struct {
	all    []*openReport
	stdout *screen
}

// An openReport is one of them. After its first error it takes nothing more.
type openReport struct {
	w    report.Writer
	path string   // "": stdout
	file *os.File // beside path, until all is written
	err  error
}

// openReports begins the report of every output. One that fails keeps no other
// from being written.
func (c *Command) openReports(outputs []output, opts report.Options) *reports {
	r := &reports{stdout: &screen{w: c.Stdout}}
	for _, o := range outputs {
		f, _ := report.FormatNamed(o.format) // parseOutput made sure that it exists
		rep := &openReport{path: o.path}
		if o.path == "" {
			rep.w = f.New(r.stdout, opts)
		} else if rep.file, rep.err = createBeside(o.path); rep.err == nil {
			plain := opts
			plain.Color, plain.Annotations, plain.AtOnce = false, false, false
			rep.w = f.New(rep.file, plain)
		}
		r.all = append(r.all, rep)
	}
	return r
}

// createBeside creates a file to be renamed to path, so that a reader sees the
// whole report or none. The name cannot be guessed and must be new, so that
// nobody can put a link in the way.
func createBeside(path string) (*os.File, error) {
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text())
	return os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// files returns what the reports are written to meanwhile.
func (r *reports) files() []fs.FileInfo {
	var all []fs.FileInfo
	for _, rep := range r.all {
		if rep.file != nil {
			if info, err := rep.file.Stat(); err == nil {
				all = append(all, info)
			}
		}
	}
	return all
}

// add writes the payloads of part.
func (r *reports) add(part *inspect.Report) {
	for _, rep := range r.all {
		for i := range part.Payloads {
			if rep.err == nil {
				rep.err = rep.w.Payload(&part.Payloads[i])
			}
		}
	}
}

// end completes every report with what whole says of the run.
func (r *reports) end(whole *inspect.Report) error {
	var failed error
	for _, rep := range r.all {
		err := rep.end(whole)
		switch {
		case err == nil:
			continue
		case rep.path == "":
			err = fmt.Errorf("writing the report: %w", err)
		default:
			err = fmt.Errorf("writing the report to %s: %w", rep.path, err)
		}
		if failed != nil {
			err = fmt.Errorf("%w; %w", failed, err)
		}
		failed = err
	}
	return failed
}

func (r *openReport) end(whole *inspect.Report) error {
	if r.err == nil {
		r.err = r.w.End(whole)
	}
	if r.file == nil {
		return r.err
	}
	temp := r.file.Name()
	err := errors.Join(r.err, r.file.Close())
	r.file = nil
	if err == nil {
		err = os.Rename(temp, r.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

// discard removes what was written to files by a run that did not come to its
// end. After end it does nothing.
func (r *reports) discard() {
	for _, rep := range r.all {
		if rep.file != nil {
			// Nothing more can be done about what cannot be removed.
			_ = rep.file.Close()
			_ = os.Remove(rep.file.Name())
			rep.file = nil
		}
	}
}
