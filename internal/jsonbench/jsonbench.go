// Package jsonbench has the JSON texts that benchmarks measure: the ones that
// Go itself is measured with, and ones made to order. It is for tests.
package jsonbench

import (
	"fmt"
	"go/build"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// A Text is one JSON text and what to call it.
type Text struct {
	Name string
	Text []byte
}

// GoFiles returns the seven files of encoding/json's benchmarks, which come
// with the Go source tree. Where they are missing the test is skipped.
func GoFiles(tb testing.TB) []Text {
	tb.Helper()
	// The tree of the running toolchain, not of the one that built the test.
	dir := filepath.Join(build.Default.GOROOT, "src/encoding/json/internal/jsontest/testdata") //nolint:staticcheck // tests run where they are built
	paths, err := filepath.Glob(filepath.Join(dir, "*.json.zst"))
	if err != nil {
		tb.Fatal(err)
	}
	if len(paths) == 0 {
		tb.Skip("Go's JSON files are not at " + dir)
	}
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		tb.Fatal(err)
	}
	defer decoder.Close()
	texts := make([]Text, len(paths))
	for i, path := range paths {
		compressed, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		text, err := decoder.DecodeAll(compressed, nil)
		if err != nil {
			tb.Fatal(err)
		}
		texts[i] = Text{strings.TrimSuffix(filepath.Base(path), ".json.zst"), text}
	}
	return texts
}

// Records returns at least size bytes of newline-delimited JSON, one event of
// a web server's log a line. It is the same in every run.
func Records(size int) []byte {
	random := rand.New(rand.NewPCG(1, 1))
	methods := []string{"GET", "GET", "GET", "POST", "PUT", "DELETE"}
	paths := []string{"/", "/api/v1/orders", "/api/v1/orders/%d/items", "/static/app.%d.js", "/login", "/Übersicht/%d"}
	levels := []string{"info", "info", "info", "warning", "error"}
	var b strings.Builder
	b.Grow(size + 512)
	for b.Len() < size {
		n := random.IntN(100_000)
		path := paths[random.IntN(len(paths))]
		if strings.Contains(path, "%d") {
			path = fmt.Sprintf(path, n)
		}
		fmt.Fprintf(&b, `{"time":"2026-%02d-%02dT%02d:%02d:%02d.%06dZ","level":%q,"message":"request \"%d\" served","http":{"method":%q,"path":%q,"status":%d,"bytes":%d,"took_ms":%d.%03d},"client":{"ip":"10.%d.%d.%d","agent":"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"},"retry":%t,"trace":"%016x%016x"}`+"\n",
			1+random.IntN(12), 1+random.IntN(28), random.IntN(24), random.IntN(60), random.IntN(60), random.IntN(1_000_000),
			levels[random.IntN(len(levels))], n, methods[random.IntN(len(methods))], path, 200+random.IntN(4)*100, random.IntN(1<<20),
			random.IntN(3000), random.IntN(1000), random.IntN(256), random.IntN(256), random.IntN(256), n%7 == 0, random.Uint64(), random.Uint64())
	}
	return []byte(b.String())
}

// Log returns one JSON text of at least size bytes: an array of such events.
func Log(size int) []byte {
	text := Records(size)
	text = text[:len(text)-1]
	for i, c := range text {
		if c == '\n' {
			text[i] = ','
		}
	}
	return append(append([]byte{'['}, text...), ']')
}
