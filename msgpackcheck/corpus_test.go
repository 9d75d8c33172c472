package msgpackcheck

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"
)

// document is a named payload.
type document struct {
	name string
	data []byte
}

// realDocuments returns the JSON files of the Go distribution as msgpack.
func realDocuments(t testing.TB) []document {
	t.Helper()
	dir := filepath.Join(runtime.GOROOT(), "src/encoding/json/internal/jsontest/testdata")
	files, err := filepath.Glob(filepath.Join(dir, "*.json.zst"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skipf("no JSON files in %s", dir)
	}
	slices.Sort(files)
	var docs []document
	for _, file := range files {
		packed, err := os.ReadFile(file)
		require.NoError(t, err)
		z, err := zstd.NewReader(bytes.NewReader(packed))
		require.NoError(t, err)
		text, err := io.ReadAll(z)
		z.Close()
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(file), ".json.zst")
		docs = append(docs, document{name, fromJSON(t, text)})
	}
	return docs
}

// fromJSON encodes a JSON text as msgpack, whole numbers as integers.
func fromJSON(t testing.TB, text []byte) []byte {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	b, err := msgp.AppendIntf(nil, wholeNumbers(v))
	require.NoError(t, err)
	return b
}

// wholeNumbers replaces every json.Number in v by an int64 or a float64.
func wholeNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = wholeNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = wholeNumbers(v[k])
		}
	}
	return v
}

// shapes returns documents that are all of one kind of value.
func shapes() []document {
	array := func(n int, one func(b []byte, i int) []byte) []byte {
		b := msgp.AppendArrayHeader(nil, uint32(n))
		for i := range n {
			b = one(b, i)
		}
		return b
	}
	return []document{
		{"small ints", array(1_000_000, func(b []byte, i int) []byte { return msgp.AppendInt(b, i%100) })},
		{"ints", array(200_000, func(b []byte, i int) []byte { return msgp.AppendInt64(b, int64(i)*int64(i)*7919%(1<<(i%50+1))) })},
		{"floats", array(100_000, func(b []byte, i int) []byte { return msgp.AppendFloat64(b, float64(i)/3) })},
		{"short strings", array(100_000, func(b []byte, i int) []byte { return msgp.AppendString(b, "abcdefghijklmnop"[:i%17]) })},
		{"maps", array(100_000, func(b []byte, i int) []byte {
			b = msgp.AppendMapHeader(b, 2)
			b = msgp.AppendInt(msgp.AppendString(b, "id"), i)
			return msgp.AppendBool(msgp.AppendString(b, "valid"), i%2 == 0)
		})},
		{"empty maps", array(1_000_000, func(b []byte, _ int) []byte { return msgp.AppendMapHeader(b, 0) })},
		{"timestamps", array(100_000, func(b []byte, i int) []byte { return append(b, 0xd6, 0xff, byte(i), 1, 2, 3) })},
		{"one bin of 64 MiB", msgp.AppendBytes(nil, make([]byte, 64<<20))},
	}
}
