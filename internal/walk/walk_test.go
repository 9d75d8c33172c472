package walk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/inspect"
)

// tree writes files, by path relative to a new directory, which it returns.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	return dir
}

// paths lists what f finds in dir, relative to it.
func paths(t *testing.T, f *Finder, dir string) []string {
	t.Helper()
	var all []string
	require.NoError(t, f.Named(dir, func(p Payload) error {
		require.NoError(t, p.Err)
		rel, err := filepath.Rel(dir, p.Path)
		all = append(all, filepath.ToSlash(rel))
		return err
	}))
	return all
}

func newFinder(t *testing.T, opts Options) *Finder {
	t.Helper()
	f, err := NewFinder(opts)
	require.NoError(t, err)
	return f
}

func TestTreeIsFoundInOrderWithoutGit(t *testing.T) {
	dir := tree(t, map[string]string{"b": "", "a/z": "", "a/b/c": "", ".git/config": "", "sub/.git": "", ".hidden": "", "node_modules/x": ""})
	f := newFinder(t, Options{})
	require.Equal(t, []string{".hidden", "a/b/c", "a/z", "b", "node_modules/x"}, paths(t, f, dir))
	require.Equal(t, map[string]int{".git": 2}, f.Skipped)
}

func TestLinksInATreeAreNotFollowed(t *testing.T) {
	dir := tree(t, map[string]string{"a": "", "sub/b": ""})
	require.NoError(t, os.Symlink("a", filepath.Join(dir, "file")))
	require.NoError(t, os.Symlink("..", filepath.Join(dir, "sub", "up")))
	require.NoError(t, os.Symlink("gone", filepath.Join(dir, "dangling")))
	f := newFinder(t, Options{})
	require.Equal(t, []string{"a", "sub/b"}, paths(t, f, dir))
	require.Equal(t, map[string]int{"symbolic link": 3}, f.Skipped)
}

func TestGlobs(t *testing.T) {
	here, err := os.Getwd()
	require.NoError(t, err)
	for _, tt := range []struct {
		pattern, dir, path string
		want               bool
	}{
		{"*.json", "", "a/b/x.json", true},
		{"*.json", "", "x.json5", false},
		{"vendor", "", "a/vendor", true},
		{"a/*.json", "", "a/x.json", true},
		{"a/*.json", "", "b/a/x.json", false},
		{"**/a/*.json", "", "b/a/x.json", true},
		{"./a/x.json", "", "a/x.json", true},
		{"a/x.json", "", "./a/x.json", true},
		{"a/**", "", "a", true},
		{"a/**", "", "ab", false},
		{"{a,b}/x", "", "b/x", true},
		{"data/x", filepath.Dir(here), "data/x", false},
		{"walk/data/x", filepath.Dir(here), "data/x", true},
		{"walk/data/x", filepath.Dir(here), filepath.Join(here, "data", "x"), true},
	} {
		t.Run(tt.pattern+" "+tt.path, func(t *testing.T) {
			require.Equal(t, tt.want, Glob{Pattern: tt.pattern, Dir: tt.dir}.Matches(filepath.FromSlash(tt.path)))
		})
	}
}

func TestGlobCoversWhatIsInADirectory(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		want          bool
	}{
		{"vendor", "vendor/a/x.json", true},
		{"vendor", "/a/vendor/x.json", true},
		{"a/vendor", "a/vendor/x.json", true},
		{"a/vendor", "b/a/vendor/x.json", false},
		{"x.json", "a/x.json", true},
		{"vendor", "vendors/x.json", false},
		{"vendor", "../vendor", true},
		{"nothing", "../..", false},
	} {
		t.Run(tt.pattern+" "+tt.path, func(t *testing.T) {
			require.Equal(t, tt.want, Glob{Pattern: tt.pattern}.Covers(filepath.FromSlash(tt.path)))
		})
	}
}

func TestShardsPartAllPaths(t *testing.T) {
	counts := map[uint64]int{}
	for n := range 10_000 {
		path := fmt.Sprintf("dir/file-%d.json", n)
		in := 0
		for i := uint64(1); i <= 4; i++ {
			if (Shard{I: i, Of: 4}).has(path) {
				counts[i]++
				in++
			}
		}
		require.Equal(t, 1, in, path)
	}
	for i, n := range counts {
		require.InDelta(t, 2500, n, 250, "shard %d", i)
	}
}

func TestListOfPaths(t *testing.T) {
	for _, tt := range []struct {
		name, list string
		zero       bool
		want       []string
	}{
		{"lines", "a\nb c\n", false, []string{"a", "b c"}},
		{"lines of Windows", "a\r\nb\r\n", false, []string{"a", "b"}},
		{"no last line end", "a\nb", false, []string{"a", "b"}},
		{"empty lines", "\na\n\n", false, []string{"a"}},
		{"zero bytes", "a\x00b\nc\x00", true, []string{"a", "b\nc"}},
		{"no last zero byte", "a\x00b", true, []string{"a", "b"}},
		{"a file named -", "-\n", false, []string{"./-"}},
		{"nothing", "", false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			require.NoError(t, ReadList(strings.NewReader(tt.list), tt.zero, func(p string) error {
				got = append(got, p)
				return nil
			}))
			require.Equal(t, tt.want, got)
		})
	}
}

func TestListWithAnEndlessPathIsRefused(t *testing.T) {
	for _, zero := range []bool{false, true} {
		err := ReadList(strings.NewReader(strings.Repeat("a", 1<<20)), zero, func(string) error { return nil })
		require.ErrorContains(t, err, "a path in the list is longer than 65536 bytes")
	}
}

func newJudge(t *testing.T, jobs int) *Judge {
	t.Helper()
	ins, err := inspect.New(inspect.Config{Limits: inspect.DefaultLimits()})
	require.NoError(t, err)
	return &Judge{Inspector: ins, Jobs: jobs, StdinName: "-", Stdin: strings.NewReader("[]")}
}

func TestReportsComeInTheOrderOfThePayloads(t *testing.T) {
	files := map[string]string{}
	for n := range 1000 {
		files[fmt.Sprintf("%d/%d.json", n%7, n)] = strings.Repeat(" ", n*n%5000) + "1"
	}
	dir := tree(t, files)
	want := paths(t, newFinder(t, Options{}), dir)
	for _, jobs := range []int{1, 7} {
		j, f := newJudge(t, jobs), newFinder(t, Options{})
		var got []string
		require.NoError(t, j.All(context.Background(), func(found func(Payload) error) error {
			return f.Named(dir, found)
		}, func(r *inspect.Report) error {
			rel, err := filepath.Rel(dir, r.Payloads[0].Name)
			got = append(got, filepath.ToSlash(rel))
			return err
		}))
		require.Equal(t, want, got)
	}
}

func TestErrorsEndAll(t *testing.T) {
	boom := errors.New("boom")
	endless := func(found func(Payload) error) error {
		for {
			if err := found(Payload{Path: "gone.json"}); err != nil {
				return err
			}
		}
	}
	none := func(*inspect.Report) error { return nil }
	require.ErrorIs(t, newJudge(t, 2).All(context.Background(), endless, func(*inspect.Report) error { return boom }), boom)
	require.ErrorIs(t, newJudge(t, 2).All(context.Background(), func(func(Payload) error) error { return boom }, none), boom)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, newJudge(t, 2).All(ctx, endless, none), context.Canceled)
}

// What is ahead of the payload that is waited for must not pile up.
func TestSlowReportHoldsTheRestBack(t *testing.T) {
	j := newJudge(t, 2)
	var found, reported, most atomic.Int64
	require.NoError(t, j.All(context.Background(), func(give func(Payload) error) error {
		for range 10_000 {
			most.Store(max(most.Load(), found.Add(1)-reported.Load()))
			if err := give(Payload{Path: "gone.json"}); err != nil {
				return err
			}
		}
		return nil
	}, func(*inspect.Report) error {
		if reported.Add(1) == 1 {
			time.Sleep(10 * time.Millisecond)
		}
		return nil
	}))
	require.Equal(t, int64(10_000), reported.Load())
	// In the queue, with the one who waits to put in and the one taken out.
	require.LessOrEqual(t, most.Load(), int64(2*ahead+2))
}

func judged(t *testing.T, p Payload) inspect.Payload {
	t.Helper()
	r := inspect.NewReport()
	newJudge(t, 1).Into(context.Background(), p, r)
	require.Len(t, r.Payloads, 1)
	return r.Payloads[0]
}

func TestSizeOverTheLimitIsRefusedWithoutReading(t *testing.T) {
	dir := tree(t, map[string]string{"a.json": strings.Repeat(" ", 1000)})
	ins, err := inspect.New(inspect.Config{Limits: inspect.Limits{Input: inspect.InputLimits{MaxSize: 999}}})
	require.NoError(t, err)
	j, r := &Judge{Inspector: ins}, inspect.NewReport()
	j.Into(context.Background(), Payload{Path: filepath.Join(dir, "a.json")}, r)
	require.Equal(t, "input/size", r.Payloads[0].Violations[0].Rule)
	require.Zero(t, j.Read.Load())
}

func TestDirectoryWhereAFileWasIsUndecided(t *testing.T) {
	p := judged(t, Payload{Path: t.TempDir(), From: Tree})
	require.Equal(t, inspect.Undecided, p.Verdict)
	require.Contains(t, p.Violations[0].Message, "is a directory")
}

func TestLinkWhereAFileWasIsUndecided(t *testing.T) {
	dir := tree(t, map[string]string{"a.json": "1"})
	link := filepath.Join(dir, "b.json")
	require.NoError(t, os.Symlink("a.json", link))
	if noFollow == 0 {
		t.Skip("this platform cannot open a file without following links")
	}
	for _, from := range []Source{Tree, List} {
		require.Equal(t, inspect.Undecided, judged(t, Payload{Path: link, From: from}).Verdict)
	}
	require.Equal(t, inspect.Clean, judged(t, Payload{Path: link}).Verdict)
}

func TestFileThatChangesIsNoticed(t *testing.T) {
	dir := tree(t, map[string]string{"a.json": "1"})
	path := filepath.Join(dir, "a.json")
	f, info, err := openRegular(Payload{Path: path})
	require.NoError(t, err)
	defer f.Close()
	before := stampOf(info)
	require.True(t, unchanged(f, before))
	require.NoError(t, os.WriteFile(path, []byte("12"), 0o644))
	require.False(t, unchanged(f, before))
}
