package gzipcheck

import (
	"bytes"
	"go/build"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	kgzip "github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/jsonbench"
)

// benchPayload is one input of the benchmarks, made when it is first needed.
type benchPayload struct {
	name  string
	bytes func() []byte
	// flood says that the input's length, not its content's, is what counts.
	flood bool
}

// benchPayloads are honest data and bombs. Floods run with limits off.
func benchPayloads(tb testing.TB) []benchPayload {
	return []benchPayload{
		{name: "source", bytes: sync.OnceValue(func() []byte { return zipped(goSources()) })},
		{name: "binary", bytes: sync.OnceValue(func() []byte { return zipped(goBinary()) })},
		{name: "json", bytes: sync.OnceValue(func() []byte {
			var b []byte
			for _, f := range jsonbench.GoFiles(tb) {
				b = append(b, f.Text...)
			}
			return zipped(b)
		})},
		{name: "zeros-1GB", bytes: sync.OnceValue(func() []byte { return forged(forge.Gzip{Body: forge.Zeros(1 << 30)}) })},
		{name: "empty-dynamic-blocks", flood: true, bytes: sync.OnceValue(func() []byte { return forged(emptyDynamicBlocks(100_000)) })},
		{name: "one-literal-blocks", flood: true, bytes: sync.OnceValue(func() []byte { return forged(oneLiteralBlocks(100_000)) })},
		{name: "empty-fixed-blocks", flood: true, bytes: sync.OnceValue(func() []byte {
			return forged(forge.Gzip{Body: func(d *forge.Deflate) {
				d.RepeatBits(0b0000000_01_0, 10, 800_000)
				d.Fixed(true)
				d.EndBlock()
			}})
		})},
		{name: "empty-members", flood: true, bytes: sync.OnceValue(func() []byte {
			return bytes.Repeat(forged(forge.Gzip{}), 50_000)
		})},
	}
}

func forged(p io.WriterTo) []byte {
	var b bytes.Buffer
	if _, err := p.WriteTo(&b); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func zipped(content []byte) []byte {
	var b bytes.Buffer
	w := kgzip.NewWriter(&b)
	if _, err := w.Write(content); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// goSources is the source of the Go compiler and runtime, some 30 MB.
func goSources() []byte {
	var b bytes.Buffer
	for _, dir := range []string{"runtime", "net", "crypto", "cmd/compile"} {
		_ = filepath.WalkDir(filepath.Join(build.Default.GOROOT, "src", dir), func(path string, d os.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".go" {
				text, _ := os.ReadFile(path)
				b.Write(text)
			}
			return nil
		})
	}
	return b.Bytes()
}

func goBinary() []byte {
	b, _ := os.ReadFile(filepath.Join(build.Default.GOROOT, "bin", "go"))
	return b
}

// ways are the entry points that are compared.
var ways = []struct {
	name string
	run  func(b *testing.B, src, dst []byte)
}{
	{"Measure", func(b *testing.B, src, _ []byte) {
		_, err := Measure(src, Limits{})
		require.NoError(b, err)
	}},
	{"MeasureReader", func(b *testing.B, src, _ []byte) {
		_, err := MeasureReader(bytes.NewReader(src), int64(len(src)), Limits{})
		require.NoError(b, err)
	}},
	{"Decode", func(b *testing.B, src, dst []byte) {
		_, err := NewDecoder(Limits{}).Decode(dst, src)
		require.NoError(b, err)
	}},
	{"Reader", func(b *testing.B, src, _ []byte) {
		z := NewReader(bytes.NewReader(src), Limits{})
		defer z.Close()
		_, err := io.Copy(io.Discard, z)
		require.NoError(b, err)
	}},
	{"klauspost", func(b *testing.B, src, _ []byte) {
		z, err := kgzip.NewReader(bytes.NewReader(src))
		require.NoError(b, err)
		_, err = io.Copy(io.Discard, z)
		require.NoError(b, err)
	}},
}

// Bytes per second are of content, for floods of input.
func BenchmarkGzip(b *testing.B) {
	for _, p := range benchPayloads(b) {
		for _, way := range ways {
			b.Run(p.name+"/"+way.name, func(b *testing.B) {
				src := p.bytes()
				m, err := Measure(src, Limits{})
				require.NoError(b, err)
				var dst []byte
				if way.name == "Decode" {
					dst = make([]byte, 0, m.Decompressed)
				}
				b.SetBytes(int64(m.Decompressed))
				if p.flood {
					b.SetBytes(int64(len(src)))
				}
				b.ReportAllocs()
				for b.Loop() {
					way.run(b, src, dst)
				}
			})
		}
	}
}

// A refusal costs the same whatever is declared.
func BenchmarkRefuseForgedTrailer(b *testing.B) {
	src := forged(forge.Gzip{Body: forge.Text("hello"), Trailer: isize(1<<32 - 1)})
	d := NewDecoder(DefaultLimits())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Decode(nil, src); err == nil {
			b.Fatal("a forged trailer passed")
		}
	}
}
