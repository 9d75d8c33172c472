package msgpackcheck

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"
	"github.com/vmihailenco/msgpack/v5"
)

// trusting decodes without measuring: it believes headers as far as its
// policy says, and finds out on the way whether the values are there. It is the
// decoder that BenchmarkPreallocation compares with, alike in everything else.
type trusting struct {
	b              []byte
	slots, entries func(n int) int
}

var errShort = errors.New("input ends inside a value")

func (t *trusting) value() (any, error) {
	if len(t.b) == 0 {
		return nil, errShort
	}
	b := t.b
	c := b[0]
	if c < 0x80 {
		t.b = b[1:]
		return int64(c), nil
	}
	h := headers[c]
	if len(b) < int(h.size+h.inline) && h.kind != arrayKind && h.kind != mapKind || len(b) < int(h.size) {
		return nil, errShort
	}
	n := int(h.length(b))
	switch h.kind {
	case strKind:
		if len(b)-int(h.size) < n {
			return nil, errShort
		}
		t.b = b[int(h.size)+n:]
		return string(b[h.size:][:n]), nil
	case arrayKind:
		t.b = b[h.size:]
		a := make([]any, 0, t.slots(n))
		for range n {
			v, err := t.value()
			if err != nil {
				return nil, err
			}
			a = append(a, v)
		}
		return a, nil
	case mapKind:
		t.b = b[h.size:]
		m := make(map[string]any, t.entries(n))
		for range n {
			k, err := t.value()
			if err != nil {
				return nil, err
			}
			key, ok := k.(string)
			if !ok {
				return nil, errors.New("a key that is no str")
			}
			if m[key], err = t.value(); err != nil {
				return nil, err
			}
		}
		return m, nil
	}
	t.b = b[h.size+h.inline:]
	return scalar(h, b), nil
}

// BenchmarkPreallocation is the table of the change to msgpack-perl that capped
// preallocation: what does it cost not to believe a header? (a) believes it,
// (b) never does, (c) does up to a cap, (d) is Decoder, which measures first.
func BenchmarkPreallocation(b *testing.B) {
	policy := func(slots, entries func(n int) int) func([]byte) (any, error) {
		return func(src []byte) (any, error) { return (&trusting{src, slots, entries}).value() }
	}
	all := func(n int) int { return n }
	none := func(int) int { return 0 }
	d := Decoder{Limits: DefaultLimits()}
	for _, kind := range []string{"array", "map"} {
		for n := 2; n <= 16384; n *= 2 {
			src := integers(kind, n)
			for _, way := range []struct {
				name   string
				decode func([]byte) (any, error)
			}{
				{"a", policy(all, all)},
				{"b", policy(none, none)},
				{"c", policy(func(n int) int { return min(n, 4096) }, func(n int) int { return min(n, 65536) })},
				{"d", d.Decode},
			} {
				b.Run(fmt.Sprintf("%s/%d/%s", kind, n, way.name), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if _, err := way.decode(src); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// integers returns an array or map of n integers.
func integers(kind string, n int) []byte {
	if kind == "array" {
		b := msgp.AppendArrayHeader(nil, uint32(n))
		for i := range n {
			b = msgp.AppendInt(b, i)
		}
		return b
	}
	b := msgp.AppendMapHeader(nil, uint32(n))
	for i := range n {
		b = msgp.AppendInt(msgp.AppendString(b, fmt.Sprint("key", i)), i)
	}
	return b
}

// BenchmarkDecode compares Decoder, which measures first, with decoders that
// believe the input.
func BenchmarkDecode(b *testing.B) {
	d := Decoder{Limits: Limits{MaxDepth: 1000, MaxValues: 1 << 40}}
	interning := d
	interning.InternKeys = true
	for _, doc := range realDocuments(b) {
		for _, way := range []struct {
			name   string
			decode func([]byte) (any, error)
		}{
			{"ours", d.Decode},
			{"ours-interning", interning.Decode},
			{"msgp.ReadIntfBytes", func(src []byte) (any, error) { v, _, err := msgp.ReadIntfBytes(src); return v, err }},
			{"vmihailenco.Unmarshal", func(src []byte) (v any, err error) { err = msgpack.Unmarshal(src, &v); return v, err }},
		} {
			b.Run(strings.ReplaceAll(doc.name, " ", "_")+"/"+way.name, func(b *testing.B) {
				b.SetBytes(int64(len(doc.data)))
				b.ReportAllocs()
				for b.Loop() {
					_, err := way.decode(doc.data)
					require.NoError(b, err)
				}
			})
		}
	}
}
