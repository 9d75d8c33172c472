package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The test binary is its own launcher.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == launchArg {
		os.Exit(launch(os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// program returns the path of a program or skips the test.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

func TestLaunch(t *testing.T) {
	l, err := newLauncher(time.Minute)
	require.NoError(t, err)
	t.Run("success", func(t *testing.T) {
		r, err := l.run(program(t, "true"))
		require.NoError(t, err)
		require.Zero(t, r.Exit)
		require.False(t, r.TimedOut)
		require.Positive(t, r.Elapsed)
	})
	t.Run("exit status is a result", func(t *testing.T) {
		r, err := l.run(program(t, "sh"), "-c", "exit 3")
		require.NoError(t, err)
		require.Equal(t, 3, r.Exit)
	})
	t.Run("out of time", func(t *testing.T) {
		short := l
		short.timeout = 50 * time.Millisecond
		r, err := short.run(program(t, "sleep"), "60")
		require.NoError(t, err)
		require.True(t, r.TimedOut)
	})
	t.Run("no such program", func(t *testing.T) {
		_, err := l.run(filepath.Join(t.TempDir(), "missing"))
		require.Error(t, err)
	})
}

// The launcher exists to keep this process's own memory out of its children's.
func TestPeakMemoryIsTheChilds(t *testing.T) {
	l, err := newLauncher(time.Minute)
	require.NoError(t, err)
	large := bytes.Repeat([]byte{1}, 256<<20)
	r, err := l.run(program(t, "true"))
	require.NoError(t, err)
	require.Less(t, r.MaxRSS, int64(64<<20))
	require.Equal(t, byte(1), large[len(large)-1])
}

func TestSummarise(t *testing.T) {
	ms := func(n int) result { return result{Elapsed: time.Duration(n) * time.Millisecond, MaxRSS: int64(n)} }
	require.Equal(t, 3*time.Millisecond, summarise([]result{ms(9), ms(1), ms(3)}).median)
	require.Equal(t, 2*time.Millisecond, summarise([]result{ms(3), ms(1)}).median)
	require.Equal(t, int64(9), summarise([]result{ms(9), ms(1), ms(3)}).maxRSS)
	failed := ms(2)
	failed.Exit = 2
	require.Equal(t, 2, summarise([]result{ms(1), failed, ms(3)}).worst.Exit, "one failure in many runs is told")
}

func TestTimeCell(t *testing.T) {
	took := func(n int) outcome { return outcome{median: time.Duration(n) * time.Millisecond} }
	ended := func(n int, r result) outcome { o := took(n); o.worst = r; return o }
	for _, tt := range []struct {
		name        string
		first       bool
		out, harden outcome
		want        string
	}{
		{"harden itself", true, took(10), took(10), "10.0 ms"},
		{"slower peer", false, took(2000), took(10), "200× (2000 ms)"},
		{"faster peer", false, took(5), took(10), "0.50× (5.0 ms)"},
		{"peer that refuses", false, ended(1, result{Exit: 1}), took(10), "**exit 1** after 1.0 ms"},
		{"peer that dies", false, ended(1, result{Exit: -1}), took(10), "**killed** after 1.0 ms"},
		{"peer that never ends", false, ended(1, result{Exit: -1, TimedOut: true}), took(10), "**out of time** after 1.0 ms"},
		{"harden refuses", true, ended(10, result{Exit: 1}), ended(10, result{Exit: 1}), "**exit 1** after 10.0 ms"},
		{"no ratio to a refusal", false, took(50), ended(10, result{Exit: 1}), "50.0 ms"},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, timeCell(tt.first, tt.out, tt.harden)) })
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1536: "1.5 KiB", 24 << 20: "24 MiB", 1e9: "954 MiB", 1 << 40: "1024 GiB"} {
		require.Equal(t, want, size(n))
	}
}

func TestMissingPeersAreNamed(t *testing.T) {
	found, missing := findPeers(func(name string) (string, error) {
		if name == "gzip" {
			return "/bin/gzip", nil
		}
		return "", exec.ErrNotFound
	})
	require.Len(t, found, 1)
	require.Len(t, missing, 3)
	var out bytes.Buffer
	tools := append([]tool{{name: "harden"}}, found...)
	report(&out, options{}, tools, missing, []row{{outcome: make([]outcome, 2)}}, 0)
	require.Contains(t, out.String(), "igzip is not installed (Debian: apt install isal)")
}

// Every input inflates to the length it is said to have.
func TestInputs(t *testing.T) {
	small := scale{bomb: 100_000, keys: 5000, flood: 1000, source: "src/net/url"}
	for _, in := range inputs(small) {
		t.Run(in.name, func(t *testing.T) {
			program(t, "go")
			dir := t.TempDir()
			made, err := in.ready(dir, io.Discard)
			require.NoError(t, err)
			f, err := os.Open(made.path)
			require.NoError(t, err)
			defer f.Close()
			z, err := gzip.NewReader(f)
			require.NoError(t, err)
			n, err := io.Copy(io.Discard, z)
			require.NoError(t, err)
			require.Equal(t, n, made.inflated)

			var progress bytes.Buffer
			again, err := in.ready(dir, &progress)
			require.NoError(t, err)
			require.Empty(t, progress.String(), "made once only")
			require.Equal(t, made.path, again.path)
			require.Equal(t, made.inflated, again.inflated)
		})
	}
}

// Both ways to make the repetitive object make the same text.
func TestRepetitiveJSON(t *testing.T) {
	var member, text bytes.Buffer
	_, err := repetitiveJSON(5000)(&member)
	require.NoError(t, err)
	require.NoError(t, jsonObject(&text, 5000))
	z, err := gzip.NewReader(&member)
	require.NoError(t, err)
	content, err := io.ReadAll(z)
	require.NoError(t, err)
	require.True(t, bytes.Equal(text.Bytes(), content))
}

func TestUnfinishedInputsAreNotUsed(t *testing.T) {
	dir := t.TempDir()
	broken := errors.New("broken")
	in := input{name: "broken", write: func(w io.Writer) (int64, error) { return 0, broken }}
	_, err := in.ready(dir, io.Discard)
	require.ErrorIs(t, err, broken)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		name    string
		args    []string
		status  int
		out     string
		errText string
	}{
		{"compares", []string{"-harden", "true", "-args", ""}, 0, "| 5000 empty members | 98 KiB | 0 B | ", ""},
		{"harden that refuses", []string{"-harden", "false"}, 0, "**exit 1** after", ""},
		{"no harden", []string{"-harden", filepath.Join(dir, "harden")}, 1, "", "run make build"},
		{"no such input", []string{"-harden", "true", "-only", "xyz"}, 1, "", "no input matches"},
		{"bad flag", []string{"-fast"}, 1, "", "flag provided but not defined: -fast"},
		{"argument", []string{"file"}, 1, "", `unexpected argument "file"`},
		{"bad runs", []string{"-runs", "-1"}, 1, "", "there must be at least one"},
		{"help", []string{"-h"}, 0, "", "-quick"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.out != "" {
				program(t, "true")
				program(t, "false")
			}
			var stdout, stderr bytes.Buffer
			args := append([]string{"-quick", "-dir", dir, "-runs", "2", "-only", "empty members"}, tt.args...)
			require.Equal(t, tt.status, run(args, &stdout, &stderr), stderr.String())
			require.Contains(t, stdout.String(), tt.out)
			require.Contains(t, stderr.String(), tt.errText)
			if tt.status != 0 {
				require.Empty(t, stdout.String())
			}
		})
	}
}
