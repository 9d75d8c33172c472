// Package report writes what inspect found, in every format of the command
// line: for people, for programs, and for the pages of a CI system.
//
//	format, ok := report.FormatNamed("sarif")
//	…
//	err := format.Write(os.Stdout, rep, report.Options{Version: "v1.2.3"})
//
// or, payload by payload while they are judged, with the [Writer] of format.New.
//
// A payload and its name are in the hands of whoever sent it. Whatever a
// terminal or a CI log could take for a command is escaped in every format.
package report

import (
	"io"
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
	// AtOnce hands on each payload of text as it comes, for who watches.
	AtOnce bool
	// Next ends text where a payload was rejected: how to learn more.
	Next string
	// Version is harden's own, for formats that name their maker.
	Version string
}

// A Format is one way to write a report.
type Format struct {
	Name string
	// New returns a Writer of one report to w.
	New func(w io.Writer, o Options) Writer
}

// Formats returns every format, the default first: text and, where Options ask
// for them, annotations.
func Formats() []Format {
	return []Format{
		{"auto", newAuto},
		{"text", newText},
		{"json", newJSON},
		{"ndjson", newNDJSON},
		{"sarif", collecting(hasViolations, writeSARIF)},
		{"junit", collecting(every, writeJUnit)},
		{"github", newGitHub},
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

// newAuto writes what is of use where harden runs.
func newAuto(w io.Writer, o Options) Writer {
	text := newText(w, o)
	if !o.Annotations {
		return text
	}
	return both{text, collecting(hasViolations, writeGitHub)(w, o)}
}
