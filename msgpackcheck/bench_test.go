package msgpackcheck

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"
	"github.com/vmihailenco/msgpack/v5"
)

// BenchmarkMeasure compares Measure, with limits and with more and more checks,
// with what other packages offer to walk a value: tinylib/msgp's Skip of a
// slice, alone and with utf8.Valid of every string, and vmihailenco/msgpack's
// Skip. Neither of these has limits, and the second has no bounds on depth.
func BenchmarkMeasure(b *testing.B) {
	lim := Limits{
		MaxDepth: 10_000, MaxValues: 1 << 40, MaxDecodedSize: 1 << 50, MaxArrayLength: 1 << 30,
		MaxMapLength: 1 << 30, MaxStrLength: 1 << 30, MaxBinLength: 1 << 30, MaxExtLength: 1 << 30,
	}
	ours := func(checks Checks) func([]byte) error {
		lim := lim
		lim.Checks = checks
		return func(src []byte) error {
			_, err := Measure(src, lim)
			return err
		}
	}
	for _, doc := range append(realDocuments(b), shapes()...) {
		spans := stringSpans(b, doc.data)
		for _, walk := range []struct {
			name string
			walk func(src []byte) error
		}{
			{"ours", ours(0)},
			{"msgp.Skip", func(src []byte) error { _, err := msgp.Skip(src); return err }},
			{"vmihailenco.Skip", func(src []byte) error { return msgpack.NewDecoder(bytes.NewReader(src)).Skip() }},
			{"ours-utf8", ours(UTF8)},
			{"msgp.Skip-utf8.Valid", func(src []byte) error {
				for _, s := range spans {
					if !utf8.Valid(src[s[0]:s[1]]) {
						return nil
					}
				}
				_, err := msgp.Skip(src)
				return err
			}},
			{"ours-all", ours(AllChecks)},
		} {
			b.Run(strings.ReplaceAll(doc.name, " ", "_")+"/"+walk.name, func(b *testing.B) {
				b.SetBytes(int64(len(doc.data)))
				b.ReportAllocs()
				for b.Loop() {
					require.NoError(b, walk.walk(doc.data))
				}
			})
		}
	}
}

// stringSpans returns where the bytes of each str of src lie.
func stringSpans(t testing.TB, src []byte) (spans [][2]int) {
	for p := 0; p < len(src); {
		h := headers[src[p]]
		p += int(h.size)
		n := 0
		switch h.kind {
		case arrayKind, mapKind:
			continue
		case strKind, binKind, extKind:
			n = int(h.length(src[p-int(h.size):]))
		default:
			n = int(h.inline)
		}
		if h.kind == strKind {
			spans = append(spans, [2]int{p, p + n})
		}
		p += n
	}
	return spans
}
