package fuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"unicode"
	"unicode/utf8"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/report"
	"github.com/harden-input/harden/rule"
)

// Renderers holds of every report format that it is well-formed, and that no
// name, message or pointer puts anything into it that a terminal or a CI log
// could take for more than text, even if no checker had escaped it.
func Renderers(data []byte) int {
	if len(data) > longestText {
		return unwanted // more of the same, in seven formats
	}
	s := string(data)
	written(inspected(s, data))
	written(reportOf(s, "message", "/a/0"))
	written(reportOf("a.gz", s, "/a"))
	written(reportOf("a.gz", "message", s))
	return ordinary
}

// longestText bounds, in bytes, the names and messages that are tried.
const longestText = 512

// inspected is the report on a payload that bears its own content as its name.
func inspected(name string, data []byte) *inspect.Report {
	rep := inspect.NewReport()
	autoInspector().InspectInto(context.Background(), inspect.Bytes(name, data), rep)
	return rep
}

// brokenRule is the rule that is broken in reports made here.
const brokenRule = "json/duplicate-key"

// reportOf is the report on one rejected payload.
func reportOf(name, message, pointer string) *inspect.Report {
	rep := inspect.NewReport()
	rep.Add(inspect.Payload{
		Name: name, Verdict: inspect.Rejected,
		Layers: []inspect.Layer{{Format: "json", DetectedBy: "name", Checked: []string{}, Note: message}},
		Violations: []inspect.Violation{{
			Rule: brokenRule, Severity: rule.Error, Kind: rule.Suspicious, Message: message, Pointer: &pointer,
			Declared: rule.N(1 << 20), Unit: rule.UnitBytes,
		}},
		ViolationCounts: map[string]uint64{brokenRule: 2},
	})
	rep.Summary.Skipped["unrecognised"] = 1
	return rep
}

func written(rep *inspect.Report) {
	for _, f := range report.Formats() {
		var b bytes.Buffer
		o := report.Options{Verbose: true, Annotations: true, Next: "next", Version: "v1"}
		if err := f.Write(&b, rep, o); err != nil {
			broken("%s: %v", f.Name, err)
		}
		requirePlain(f.Name, b.Bytes())
		if err := wellFormed(f.Name, b.Bytes()); err != nil {
			broken("%s: %v in %q", f.Name, err, b.Bytes())
		}
	}
}

// requirePlain holds that text has nothing that could steer a terminal or a CI
// log.
func requirePlain(format string, text []byte) {
	steers := func(c rune) bool { return c != '\n' && !unicode.IsPrint(c) || unicode.Is(unicode.Cf, c) }
	if !utf8.Valid(text) || bytes.ContainsFunc(text, steers) || bytes.Contains(text, []byte("##")) {
		broken("%s: not plain text: %q", format, text)
	}
	start := lineStart(format)
	for line := range bytes.Lines(text) {
		if !start.Match(line) {
			broken("%s: a line starts as it must not: %q", format, line)
		}
	}
}

const (
	ourText    = `( {2,4}[a-z…]|[\pL\pN./_\\])`
	annotation = `::(error|warning|notice) (file=[^:,]*,)?(line=[0-9]+,)?(col=[0-9]+,)?title=(harden|[a-z]+/[a-z0-9-]+)::`
)

var (
	textLine       = regexp.MustCompile(`^` + ourText)
	annotationLine = regexp.MustCompile(`^` + annotation)
	eitherLine     = regexp.MustCompile(`^(` + ourText + `|` + annotation + `)`)
	xmlLine        = regexp.MustCompile(`^( *<|[0-9]+ more of |(note|warning|error): [a-z]+/)`)
	jsonLine       = regexp.MustCompile(`^ *["{}\[\]]`)
)

// lineStart is how the lines of a format may start: with text of ours, or with
// what no CI log takes for a command.
func lineStart(format string) *regexp.Regexp {
	switch format {
	case "auto":
		return eitherLine
	case "text":
		return textLine
	case "github":
		return annotationLine
	case "junit":
		return xmlLine
	}
	return jsonLine
}

// wellFormed parses what claims to be in a language.
func wellFormed(format string, text []byte) error {
	var next func() error
	switch format {
	case "json", "sarif", "ndjson":
		d := json.NewDecoder(bytes.NewReader(text))
		next = func() error { return d.Decode(new(any)) }
	case "junit":
		d := xml.NewDecoder(bytes.NewReader(text))
		next = func() error {
			_, err := d.Token()
			return err
		}
	case "text", "auto", "github":
		return nil
	default:
		return fmt.Errorf("nothing is known of the format %q", format)
	}
	for {
		if err := next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
