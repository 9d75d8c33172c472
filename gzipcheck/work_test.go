package gzipcheck

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"go/build"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	kgzip "github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
)

// emptyDynamicBlocks is a member of n dynamic blocks of their end alone.
func emptyDynamicBlocks(n int) forge.Gzip {
	return forge.Gzip{Body: func(d *forge.Deflate) {
		codes := forge.CodesFor([]uint{'x', forge.EndOfBlock}, nil)
		for i := range n {
			d.Dynamic(i == n-1, codes)
			d.EndBlock()
		}
	}}
}

// oneLiteralBlocks is a member of n dynamic blocks with one literal each.
func oneLiteralBlocks(n int) forge.Gzip {
	return forge.Gzip{Body: func(d *forge.Deflate) {
		codes := forge.CodesFor([]uint{'x', forge.EndOfBlock}, nil)
		for i := range n {
			d.Dynamic(i == n-1, codes)
			d.Write([]byte("x"))
			d.EndBlock()
		}
	}}
}

func TestWorkRefusesFloods(t *testing.T) {
	for _, tt := range []struct {
		name    string
		payload io.WriterTo
	}{
		{"empty dynamic blocks", emptyDynamicBlocks(100_000)},
		{"dynamic blocks of one literal", oneLiteralBlocks(100_000)},
		{"empty members", forge.Func(func(w io.Writer) error {
			for range 100_000 {
				if _, err := (forge.Gzip{}).WriteTo(w); err != nil {
					return err
				}
			}
			return nil
		})},
		{"empty fixed blocks", forge.Gzip{Body: func(d *forge.Deflate) {
			d.RepeatBits(0b0000000_01_0, 10, 4_000_000) // end of block, fixed, not final
			d.Fixed(true)
			d.EndBlock()
		}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := write(t, tt.payload)
			m, err := Measure(src, DefaultLimits())
			require.ErrorContains(t, err, "gzip/work")
			if tt.name == "empty dynamic blocks" || tt.name == "dynamic blocks of one literal" {
				require.Less(t, m.Compressed, uint64(1<<20), "within 1 MiB")
			}
			_, rm, err := readAll(bytes.NewReader(src), DefaultLimits(), false)
			require.ErrorContains(t, err, "gzip/work")
			require.Equal(t, m.Compressed, rm.Compressed)
			m, err = Measure(src, Limits{})
			require.NoError(t, err)
			require.True(t, m.Complete)
		})
	}
}

// logLines writes n lines as a service would.
func logLines(w io.Writer, n int, after func()) {
	for i := range n {
		fmt.Fprintf(w, `{"time":"2026-03-01T12:%02d:%02d.%03dZ","level":"info","msg":"request served","id":%d}`+"\n", i/60%60, i%60, i%1000, i*7919)
		if after != nil {
			after()
		}
	}
}

// What honest writers make all day must pass.
func TestWorkPassesHonestWriters(t *testing.T) {
	lines := 100_000
	if testing.Short() {
		lines = 1000
	}
	check := func(t *testing.T, src []byte) Measurement {
		t.Helper()
		m, err := Measure(src, DefaultLimits())
		require.NoError(t, err)
		require.True(t, m.Complete)
		return m
	}
	t.Run("sync flush after every log line", func(t *testing.T) {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		logLines(w, lines, func() { _ = w.Flush() })
		require.NoError(t, w.Close())
		check(t, b.Bytes())
	})
	t.Run("sync flush after every log line, another encoder", func(t *testing.T) {
		var b bytes.Buffer
		w := kgzip.NewWriter(&b)
		logLines(w, lines, func() { _ = w.Flush() })
		require.NoError(t, w.Close())
		check(t, b.Bytes())
	})
	t.Run("one member per log line", func(t *testing.T) {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		logLines(w, lines, func() {
			_ = w.Close()
			w.Reset(&b)
		})
		require.NoError(t, w.Close())
		m := check(t, b.Bytes())
		require.Equal(t, uint64(lines+1), m.Members)
	})
	t.Run("BGZF", func(t *testing.T) {
		var text bytes.Buffer
		logLines(&text, lines, nil)
		var b bytes.Buffer
		for block := range slices.Chunk(text.Bytes(), 0xff00/2) {
			_, err := forge.BGZF(forge.Literals(forge.Bytes(block)), 0).WriteTo(&b)
			require.NoError(t, err)
		}
		_, err := forge.BGZFEnd().WriteTo(&b)
		require.NoError(t, err)
		check(t, b.Bytes())
	})
	for _, tool := range [][]string{
		{"pigz", "-c", "-R"}, {"pigz", "-c", "-b", "32"},
		{"gzip", "-c", "--rsyncable"}, {"gzip", "-c", "-1"}, {"gzip", "-c", "-9"}, {"igzip", "-c"}, {"libdeflate-gzip", "-c", "-12"},
	} {
		t.Run(fmt.Sprint(tool), func(t *testing.T) {
			path, err := exec.LookPath(tool[0])
			if err != nil {
				t.Skipf("%s is not installed", tool[0])
			}
			text := filepath.Join(t.TempDir(), "log")
			f, err := os.Create(text)
			require.NoError(t, err)
			w := bufio.NewWriter(f)
			logLines(w, lines, nil)
			goSource(t, w)
			require.NoError(t, w.Flush())
			require.NoError(t, f.Close())
			out, err := exec.Command(path, append(tool[1:], text)...).Output()
			if err != nil {
				t.Skipf("%v: %v", tool, err)
			}
			m := check(t, out)
			info, err := os.Stat(text)
			require.NoError(t, err)
			require.Equal(t, uint64(info.Size()), m.Decompressed)
		})
	}
}

// goSource writes the source of a package of the standard library.
func goSource(t *testing.T, w io.Writer) {
	files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", "net", "http", "*.go"))
	require.NoError(t, err)
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		_, err = w.Write(b)
		require.NoError(t, err)
	}
}
