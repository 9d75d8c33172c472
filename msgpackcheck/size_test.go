package msgpackcheck

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"
)

// live returns the heap bytes that the decoded trees of src keep alive, each.
func live(t *testing.T, d *Decoder, src []byte) uint64 {
	t.Helper()
	copies := max(2, 512<<10/(len(src)+1))
	kept := make([]any, copies)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range kept {
		v, err := d.Decode(src)
		require.NoError(t, err)
		kept[i] = v
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return (after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)) / uint64(copies)
}

func TestDecodedSizeAgainstHeap(t *testing.T) {
	if bits := 32 << (^uint(0) >> 63); bits != 64 {
		t.Skip("the estimate is of 64-bit machines")
	}
	array := func(n int, element string) []byte {
		return append(msgp.AppendArrayHeader(nil, uint32(n)), strings.Repeat(element, n)...)
	}
	keyed := func(n int, value string) []byte {
		b := msgp.AppendMapHeader(nil, uint32(n))
		for i := range n {
			b = append(msgp.AppendInt(b, 1000+i), value...)
		}
		return b
	}
	named := func(n int, value string) []byte {
		b := msgp.AppendMapHeader(nil, uint32(n))
		for i := range n {
			b = append(msgp.AppendString(b, strings.Repeat("k", i%3)+string(rune(0x4e00+i))), value...)
		}
		return b
	}
	docs := realDocuments(t)
	docs = append(docs,
		document{"empty arrays", array(5000, "\x90")},
		document{"empty maps", array(5000, "\x80")},
		document{"arrays of one", array(5000, "\x91\xc0")},
		document{"maps of one", array(1000, "\x81\xa1a\x01")},
		document{"maps of two long keys", array(1000, "\x82\xb4abcdefghijklmnopqrst\x01\xb4bcdefghijklmnopqrstu\x01")},
		document{"nils", array(5000, "\xc0")},
		document{"fixints", array(5000, "\x01")},
		document{"negative fixints", array(5000, "\xff")},
		document{"uint8", array(5000, "\xcc\xff")},
		document{"int64", array(5000, "\xd3\xff\x00\x00\x00\x00\x00\x00\x00")},
		document{"floats", array(5000, "\xcb\x3f\xf8\x00\x00\x00\x00\x00\x01")},
		document{"empty strings", array(5000, "\xa0")},
		document{"strings of one byte", array(5000, "\xa1a")},
		document{"strings of 17 bytes", array(5000, "\xb1aaaaaaaaaaaaaaaaa")},
		document{"strings of 33 bytes", array(5000, "\xd9\x21"+strings.Repeat("a", 33))},
		document{"strings of 1025 bytes", array(500, "\xda\x04\x01"+strings.Repeat("a", 1025))},
		document{"empty bins", array(5000, "\xc4\x00")},
		document{"bins of one byte", array(5000, "\xc4\x01a")},
		document{"bins of 100 bytes", array(5000, "\xc4\x64"+strings.Repeat("a", 100))},
		document{"exts of no bytes", array(5000, "\xc7\x00\x05")},
		document{"exts of one byte", array(5000, "\xd4\x05a")},
		document{"exts of 16 bytes", array(5000, "\xd8\x05aaaaaaaaaaaaaaaa")},
		document{"timestamps", array(5000, "\xd6\xff\x00\x00\x00\x01")},
		document{"timestamps with nanoseconds", array(5000, "\xd7\xff\x00\x00\x00\x04\x00\x00\x00\x02")},
		document{"nested arrays", append([]byte(strings.Repeat("\x91", 5000)), 0xc0)},
		document{"nested maps", append([]byte(strings.Repeat("\x81\xa1a", 5000)), 0xc0)},
	)
	for _, n := range []int{1, 7, 8, 9, 14, 15, 28, 29, 100, 225, 1000, 1500, 5000} {
		docs = append(docs,
			document{"map of str keys to nil", named(n, "\xc0")},
			document{"map of str keys to strings", named(n, "\xa3abc")},
			document{"map of int keys to nil", keyed(n, "\xc0")},
			document{"map of int keys to ints", keyed(n, "\xcd\x12\x34")})
	}
	for _, doc := range docs {
		t.Run(doc.name, func(t *testing.T) {
			m, err := Measure(doc.data, Limits{})
			require.NoError(t, err)
			actual := live(t, &Decoder{LastWins: true}, doc.data)
			ratio := float64(m.DecodedSize) / float64(actual)
			t.Logf("estimated %d, live %d: %.2f", m.DecodedSize, actual, ratio)
			require.GreaterOrEqual(t, ratio, 0.5)
			require.LessOrEqual(t, ratio, 2.0)
		})
	}
}
