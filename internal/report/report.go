// Package report writes what inspect found, in every format of the command
// line: for people, for programs, and for the pages of a CI system.
//
//	format, ok := report.FormatNamed("sarif")
//	…
//	err := format.Write(os.Stdout, rep, report.Options{Version: "v1.2.3"})
//
// A payload and its name are in the hands of whoever sent it. Whatever a
// terminal or a CI log could take for a command is escaped in every format.
package report

import (
	"io"

	"github.com/harden-input/harden/inspect"
)

// Options say how a report is written. A format leaves alone what does not
// concern it.
type Options struct {
	// Quiet leaves clean payloads and the summary out of text.
	Quiet bool
	// Verbose adds to text what was measured layer by layer, and what the
	// rules that were broken are about.
	Verbose bool
	// Color marks verdicts and severities of text with the escape sequences
	// of terminals.
	Color bool
	// Annotations adds annotations for GitHub to the format auto.
	Annotations bool
	// Next ends text where a payload was rejected: how to learn more.
	Next string
	// Version is harden's own, for formats that name their maker.
	Version string
}

// A Format is one way to write a report.
type Format struct {
	Name string
	// Write writes the whole report. Errors are those of w.
	Write func(w io.Writer, r *inspect.Report, o Options) error
}

// Formats returns every format, the default first: text and, where Options ask
// for them, annotations.
func Formats() []Format {
	return []Format{
		{"auto", writeAuto},
		{"text", writeText},
		{"json", writeJSON},
		{"ndjson", writeNDJSON},
		{"sarif", writeSARIF},
		{"junit", writeJUnit},
		{"github", writeGitHub},
	}
}

// FormatNamed returns the format with this name.
func FormatNamed(name string) (f Format, ok bool) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// writeAuto writes what is of use where harden runs.
func writeAuto(w io.Writer, r *inspect.Report, o Options) error {
	if err := writeText(w, r, o); err != nil || !o.Annotations {
		return err
	}
	return writeGitHub(w, r, o)
}
