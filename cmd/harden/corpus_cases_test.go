package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/corpus"
)

// inspected runs harden inspect on args and returns its report and exit code.
func inspected(t *testing.T, stdin io.Reader, args ...string) (report inspectReport, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := Command{Stdin: stdin, Stdout: &stdout, Stderr: &stderr}
	code = c.Main(context.Background(), append([]string{"harden", "inspect", "--output", "json"}, args...))
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &report), "%s", stderr.String())
	return report, code
}

// An inspectReport is what a program reads of a report, written down here so
// that the test knows the names that are a contract.
type inspectReport struct {
	Payloads []struct {
		Name    string         `json:"name"`
		Verdict corpus.Verdict `json:"verdict"`
		Counts  map[string]int `json:"violation_counts"`
	} `json:"payloads"`
}

var exitCodeOf = map[corpus.Verdict]int{
	corpus.Clean: ExitClean, corpus.Rejected: ExitRejected, corpus.Undecided: ExitUndecided,
}

// The command judges every seed as its case states, all in one run.
func TestCommandJudgesSeeds(t *testing.T) {
	var cases []corpus.Case
	var files []string
	for _, c := range corpus.All() {
		if !c.Large {
			cases = append(cases, c)
			files = append(files, filepath.Join("..", "..", "corpus", filepath.FromSlash(c.FileName())))
		}
	}
	report, code := inspected(t, nil, files...)
	require.Equal(t, ExitUndecided, code, "some cases are undecided, which outranks rejected")
	require.Len(t, report.Payloads, len(cases))
	for i, p := range report.Payloads {
		c := cases[i]
		require.Contains(t, filepath.ToSlash(p.Name), c.FileName())
		require.Equal(t, c.Verdict, p.Verdict, c.ID)
		require.ElementsMatch(t, c.Rules, slices.Collect(maps.Keys(p.Counts)), c.ID)
	}
}

// The command judges every large case as it states, from stdin.
func TestCommandJudgesLargeCases(t *testing.T) {
	if testing.Short() {
		t.Skip("streams gigabytes")
	}
	for _, c := range corpus.All() {
		if !c.Large {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			if slices.Contains(c.Rules, "input/size") {
				t.Skip("only a file has its size before it is read")
			}
			r := c.Open()
			defer r.Close()
			report, code := inspected(t, r, "-", "--stdin-filename", c.FileName())
			require.Equal(t, exitCodeOf[c.Verdict], code)
			require.Len(t, report.Payloads, 1)
			require.Equal(t, c.Verdict, report.Payloads[0].Verdict)
			require.ElementsMatch(t, c.Rules, slices.Collect(maps.Keys(report.Payloads[0].Counts)))
		})
	}
}
