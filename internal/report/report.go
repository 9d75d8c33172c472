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
	// Next ends text where there are violations: how to learn more.
	Next string
	// Version is harden's own, for formats that name their maker.
	Version string
}

// A Format is one way to write a report.
type Format struct {
	Name string
	// Doc says in a few words what the format is for.
	Doc string
	// Write writes the whole report. Errors are those of w.
	Write func(w io.Writer, r *inspect.Report, o Options) error
}

// Formats returns every format, the default first.
func Formats() []Format {
	return []Format{
		{"auto", "text, and annotations where GitHub Actions runs it", writeAuto},
		{"text", "for people", writeText},
		{"json", "one JSON object", writeJSON},
		{"ndjson", "one JSON object a line, the summary last", writeNDJSON},
		{"sarif", "SARIF 2.1.0, for code scanning", writeSARIF},
		{"junit", "JUnit XML, a test case for each payload", writeJUnit},
		{"github", "annotations, as workflow commands of GitHub Actions", writeGitHub},
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
