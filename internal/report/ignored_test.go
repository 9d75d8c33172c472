package report

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/rule"
)

// ignoredReport has one violation that was set aside for a hostile reason.
func ignoredReport() *inspect.Report {
	r := inspect.NewReport()
	r.Add(inspect.Payload{Name: "a.gz", Verdict: inspect.Ignored, Layers: []inspect.Layer{}, ViolationCounts: map[string]uint64{"gzip/members": 1},
		Violations: []inspect.Violation{{Rule: "gzip/members", Severity: rule.Error, Kind: rule.Limit, Message: "too many", Ignored: "why\x1b[31m\nnot"}}})
	r.Summary.Ignored = 1
	r.Config = &inspect.ConfigFile{Path: "a\x1b.yaml", SHA256: "00", Loosened: []string{"exclude: \x1b[2J"}}
	return r
}

func TestIgnoredViolationsInText(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Text(&b, ignoredReport(), false))
	require.Contains(t, b.String(), "a.gz: ignored\n  error: gzip/members")
	require.Contains(t, b.String(), `too many (ignored: why\x1b[31m\x0anot)`)
	require.Contains(t, b.String(), "1 payload: 0 clean, 0 rejected, 0 undecided, 1 ignored\n")
	require.Contains(t, b.String(), `configured by a\x1b.yaml (sha256 00)`+"\n"+`  loosened exclude: \x1b[2J`)
	require.NotContains(t, b.String(), "\x1b")
}

func TestIgnoredViolationsAreSuppressedInSARIF(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, writeSARIF(&b, ignoredReport(), Options{}))
	require.Contains(t, b.String(), `"kind": "external"`)
	require.Contains(t, b.String(), `"justification": "why\\x1b[31m\\x0anot"`)
}

func TestIgnoredViolationsAreNoAnnotations(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, writeGitHub(&b, ignoredReport(), Options{}))
	require.Empty(t, b.String())
}
