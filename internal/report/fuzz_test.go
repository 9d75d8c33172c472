package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/junit"
	"github.com/harden-input/harden/rule"
)

// FuzzRenderers gives every format a name and texts that a sender chose, as if
// no checker had escaped them. Nothing may come out that a terminal or a CI log
// could take for more than text.
func FuzzRenderers(f *testing.F) {
	for _, s := range []string{
		"a.gz", "-", "", "::error::boom", "##[error]boom", "##vso[task.complete]", "a\n::set-env name=x::y", "\r::error::",
		"\x1b]0;owned\a", "\u009b31m", "\u202e", "\u2028", "\ufeff", "\xff", "\U000e0041", "]]>", "</testcase>", "\x00", "%0A::error::", `\`, `"`, "####",
		"{{declared}}", "--- folded", "  ::error::",
	} {
		f.Add(s, "message", "/a/0")
		f.Add("a.gz", s, "/a")
		f.Add("a.gz", "message", s)
	}
	f.Fuzz(func(t *testing.T, name, message, pointer string) {
		r := oneViolation(name, 1, inspect.Violation{Rule: "json/duplicate-key", Severity: rule.Error, Kind: rule.Suspicious,
			Message: message, Pointer: &pointer, Declared: rule.N(1 << 20), Unit: rule.UnitBytes})
		r.Payloads[0].Layers[0].Note = message
		r.Payloads[0].ViolationCounts["json/duplicate-key"] = 2
		r.Summary.Skipped["unrecognised"] = 1
		for _, format := range Formats() {
			text := rendered(t, format.Name, r, Options{Verbose: true, Annotations: true, Next: "next", Version: "v1"})
			requirePlain(t, format.Name, text)
			require.NoError(t, wellFormed(format.Name, text), "%s: %q", format.Name, text)
		}
	})
}

// requirePlain fails where text holds what could steer a terminal or a CI log.
func requirePlain(t *testing.T, format string, text []byte) {
	t.Helper()
	steers := func(c rune) bool { return c != '\n' && !unicode.IsPrint(c) || unicode.Is(unicode.Cf, c) }
	if !utf8.Valid(text) || bytes.ContainsFunc(text, steers) || bytes.Contains(text, []byte("##")) {
		t.Fatalf("%s: %q", format, text)
	}
	start := lineStart(format)
	for line := range bytes.Lines(text) {
		if !start.Match(line) {
			t.Fatalf("%s: a line starts as it must not: %q", format, line)
		}
	}
}

// lineStart is how the lines of a format may start: with text of ours, or with
// what no CI log takes for a command.
func lineStart(format string) *regexp.Regexp {
	const ours = `( {2,4}[a-z…]|[\pL\pN./_\\])`
	annotation := `::(error|notice) (file=[^:,]*,)?title=json/duplicate-key::`
	switch format {
	case "auto":
		return regexp.MustCompile(`^(` + ours + `|` + annotation + `)`)
	case "text":
		return regexp.MustCompile(`^` + ours)
	case "github":
		return regexp.MustCompile(`^` + annotation)
	case "junit":
		return regexp.MustCompile(`^( *<|[0-9]+ more of )`)
	}
	return regexp.MustCompile(`^ *["{}\[\]]`)
}

// wellFormed parses what claims to be in a language.
func wellFormed(format string, text []byte) error {
	switch format {
	case "json", "sarif", "ndjson":
		d := json.NewDecoder(bytes.NewReader(text))
		for {
			var value any
			if err := d.Decode(&value); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	case "junit":
		return xml.Unmarshal(text, new(junit.Suites))
	}
	return nil
}
