package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/junit"
	"github.com/harden-input/harden/rule"
)

// junit10 is what Jenkins' junit-10.xsd allows in the elements that harden
// writes: attributes, those that must be there, and children.
func junit10() map[string]struct{ attributes, required, children []string } {
	return map[string]struct{ attributes, required, children []string }{
		"": {children: []string{"testsuites"}},
		"testsuites": {attributes: []string{"name", "time", "tests", "failures", "errors"},
			children: []string{"testsuite"}},
		"testsuite": {attributes: []string{"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
			required: []string{"name", "tests", "failures", "errors"},
			children: []string{"testsuite", "properties", "testcase", "system-out", "system-err"}},
		"properties": {children: []string{"property"}},
		"property":   {attributes: []string{"name", "value"}, required: []string{"name", "value"}},
		"testcase": {attributes: []string{"name", "time", "classname", "group"}, required: []string{"name"},
			children: []string{"skipped", "error", "failure", "system-out", "system-err"}},
		"failure":    {attributes: []string{"type", "message"}},
		"error":      {attributes: []string{"type", "message"}},
		"system-out": {},
	}
}

func TestJUnitFollowsThePublishedSchema(t *testing.T) {
	r := corpusReport(t)
	r.Summary.Unlisted = 2
	d := xml.NewDecoder(bytes.NewReader(rendered(t, "junit", r, Options{})))
	within := []string{""}
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			name, allowed := e.Name.Local, junit10()
			require.Contains(t, allowed[within[len(within)-1]].children, name)
			var attributes []string
			for _, a := range e.Attr {
				attributes = append(attributes, a.Name.Local)
			}
			require.Subset(t, allowed[name].attributes, attributes, name)
			require.Subset(t, attributes, allowed[name].required, name)
			within = append(within, name)
		case xml.EndElement:
			within = within[:len(within)-1]
		}
	}
}

// junitOf is r as JUnit, read back.
func junitOf(t *testing.T, r *inspect.Report) junit.Suites {
	t.Helper()
	var s junit.Suites
	require.NoError(t, xml.Unmarshal(rendered(t, "junit", r, Options{}), &s))
	require.Len(t, s.Suites, 1)
	return s
}

func TestJUnitCountsAddUp(t *testing.T) {
	r := corpusReport(t)
	s := junitOf(t, r)
	require.Equal(t, r.Summary.Clean-1+r.Summary.Rejected+r.Summary.Undecided+1, s.Tests) // the one clean record is one case
	require.Equal(t, r.Summary.Rejected, s.Failures)
	require.Equal(t, r.Summary.Undecided, s.Errors)
	require.Len(t, s.Suites[0].Cases, s.Tests)
}

func TestJUnitFailureIsTheWorstViolation(t *testing.T) {
	r := oneViolation("a", 1, inspect.Violation{Rule: "gzip/multi-member", Severity: rule.Note, Message: "note"})
	p := &r.Payloads[0]
	p.Violations = append(p.Violations,
		inspect.Violation{Rule: "gzip/crc-mismatch", Severity: rule.Error, Message: "first"},
		inspect.Violation{Rule: "gzip/isize-forged", Severity: rule.Error, Message: "second"})
	failure := junitOf(t, r).Suites[0].Cases[0].Failure
	require.Equal(t, "gzip/crc-mismatch", failure.Type)
	require.Equal(t, "first", failure.Message)
	require.Equal(t, 3, len(bytes.Split([]byte(failure.Text), []byte("\n"))))
}

// TestJUnitNeverPassesUnlistedRecords keeps out a suite that passes because
// its bad records were too many to list.
func TestJUnitNeverPassesUnlistedRecords(t *testing.T) {
	r := inspect.NewReport()
	r.Summary.Rejected, r.Summary.Unlisted = 2000, 2000
	s := junitOf(t, r)
	require.Equal(t, 1, s.Failures)
	require.True(t, slices.ContainsFunc(s.Suites[0].Cases, func(c junit.Case) bool { return c.Failure != nil }))
}
