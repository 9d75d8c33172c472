package msgpackcheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/build"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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
	dir := filepath.Join(build.Default.GOROOT, "src/encoding/json/internal/jsontest/testdata")
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

// random returns an encoded value made of every kind, at most depth levels
// deep, in encodings that are often longer than needed.
func random(r *rand.Rand, depth int) []byte {
	payload := func(first byte, n int, typ ...byte) []byte {
		b := sized(nil, first+byte(r.IntN(3)), n)
		return append(append(b, typ...), bytes.Repeat([]byte{byte('a' + r.IntN(3))}, n)...)
	}
	kinds := 14
	if depth == 0 {
		kinds = 11
	}
	switch r.IntN(kinds) {
	case 0:
		return []byte{[]byte{0xc0, 0xc2, 0xc3}[r.IntN(3)]}
	case 1, 2:
		return []byte{byte(r.IntN(128))}
	case 3:
		return []byte{0xe0 + byte(r.IntN(32))}
	case 4: // a number of fixed size
		c := 0xca + byte(r.IntN(10))
		b := []byte{c}
		for range headers[c].inline {
			b = append(b, byte(r.IntN(256)))
		}
		return b
	case 5, 6, 7:
		s := "abcäöü日本語😀0123456789abcdefghijklmnopqrstuvwxyz"
		return msgp.AppendString(nil, s[:r.IntN(len(s))])
	case 8:
		return payload(0xd9, r.IntN(100))
	case 9:
		return payload(0xc4, r.IntN(100))
	case 10:
		if r.IntN(2) == 0 {
			return msgp.AppendTimeExt(nil, time.Unix(r.Int64N(1<<36), r.Int64N(2)*r.Int64N(1e9)))
		}
		return payload(0xc7, r.IntN(20), byte(r.IntN(128)))
	case 11, 12:
		n := r.IntN(20)
		b := msgp.AppendArrayHeader(nil, uint32(n))
		for range n {
			b = append(b, random(r, depth-1)...)
		}
		return b
	}
	n := r.IntN(10)
	b := msgp.AppendMapHeader(nil, uint32(n))
	for range n {
		if r.IntN(4) > 0 {
			b = msgp.AppendString(b, fmt.Sprint("key", r.IntN(20)))
		} else {
			b = append(b, random(r, min(1, depth-1))...)
		}
		b = append(b, random(r, depth-1)...)
	}
	return b
}

// sized appends a header of the given first byte and the length n.
func sized(b []byte, first byte, n int) []byte {
	b = append(b, first)
	for i := int(headers[first].field) - 1; i >= 0; i-- {
		b = append(b, byte(n>>(8*i)))
	}
	return b
}

// randomDocuments returns n documents, always the same.
func randomDocuments(n int) (docs []document) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		docs = append(docs, document{fmt.Sprint("random ", i), random(r, 1+i%6)})
	}
	return docs
}
