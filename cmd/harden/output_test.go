package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
	"github.com/harden-input/harden/internal/report"
)

// writeReports writes a report on nothing to outputs.
func (c *Command) writeReports(outputs ...output) error {
	out := c.openReports(outputs, report.Options{})
	defer out.discard()
	return out.end(inspect.NewReport())
}

func TestFailedOutputKeepsNoOtherFromBeingWritten(t *testing.T) {
	dir := t.TempDir()
	var stdout bytes.Buffer
	c := Command{Stdout: &stdout}
	whole := filepath.Join(dir, "whole.json")
	err := c.writeReports(
		output{"json", filepath.Join(dir, "gone", "a.json")},
		output{"json", whole},
		output{"json", filepath.Join(dir, "gone", "b.json")},
		output{"text", ""},
	)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "a.json")
	require.ErrorContains(t, err, "b.json")
	require.NotContains(t, err.Error(), "\n")
	require.FileExists(t, whole)
	require.Equal(t, "0 payloads: 0 clean, 0 rejected, 0 undecided\n", stdout.String())
}

func TestFailedRenameLeavesNoTemporaryFile(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "report.json")
	require.NoError(t, os.MkdirAll(filepath.Join(target, "inside"), 0o755))
	require.Error(t, (&Command{}).writeReports(output{"json", target}))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

func TestInterruptedRunLeavesNoReport(t *testing.T) {
	dir := t.TempDir()
	ctx, interrupt := context.WithCancel(context.Background())
	c := Command{Stdin: interrupting{interrupt}, Stdout: io.Discard, Stderr: io.Discard}
	require.Equal(t, ExitUndecided, c.Main(ctx, []string{"harden", "inspect", "-", "--output", "json:" + filepath.Join(dir, "report.json")}))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// interrupting is input during which the run is interrupted.
type interrupting struct{ interrupt func() }

func (r interrupting) Read([]byte) (int, error) {
	r.interrupt()
	select {}
}

// TestReportFileIsReadableAsOthersAre keeps out reports that the next step of a
// CI job may not read, because the checker ran as another user.
func TestReportFileIsReadableAsOthersAre(t *testing.T) {
	dir := t.TempDir()
	plain, target := filepath.Join(dir, "plain"), filepath.Join(dir, "report.json")
	f, err := os.Create(plain)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.NoError(t, (&Command{}).writeReports(output{"json", target}))
	want, err := os.Stat(plain)
	require.NoError(t, err)
	got, err := os.Stat(target)
	require.NoError(t, err)
	require.Equal(t, want.Mode(), got.Mode())
}

func TestDocumentationShowsRealOutput(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	text, err := os.ReadFile(filepath.Join("docs", "report.md"))
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "$ harden inspect corpus/gzip/isize-4g.gz\n")
	require.True(t, found)
	example, _, found := strings.Cut(rest, "```")
	require.True(t, found)

	t.Setenv("GITHUB_ACTIONS", "")
	t.Setenv("FORCE_COLOR", "")
	var stdout, stderr bytes.Buffer
	c := Command{Stdout: &stdout, Stderr: &stderr}
	require.Equal(t, ExitRejected, c.Main(context.Background(), []string{"harden", "inspect", "corpus/gzip/isize-4g.gz"}))
	require.Equal(t, example, stdout.String())
}
