package msgpackcheck

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"

	"github.com/harden-input/harden/rule"
)

// requireSameTree asserts that two decoded trees are equal, NaN being equal to
// NaN. fmt sorts the keys of maps.
func requireSameTree(t testing.TB, want, got any) {
	t.Helper()
	require.Equal(t, fmt.Sprintf("%#v", want), fmt.Sprintf("%#v", got))
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name, input string
		want        any
	}{
		{"nil", "\xc0", nil},
		{"false", "\xc2", false},
		{"true", "\xc3", true},
		{"fixint", "\x7f", int64(127)},
		{"negative fixint", "\xe0", int64(-32)},
		{"uint64 within int64", "\xcf\x7f\xff\xff\xff\xff\xff\xff\xff", int64(math.MaxInt64)},
		{"uint64 above int64", "\xcf\x80\x00\x00\x00\x00\x00\x00\x00", uint64(1 << 63)},
		{"int64", "\xd3\x80\x00\x00\x00\x00\x00\x00\x00", int64(math.MinInt64)},
		{"float32", "\xca\x3f\xc0\x00\x00", 1.5},
		{"float64", "\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00", 1.5},
		{"str", "\xa3abc", "abc"},
		{"str that is not UTF-8", "\xa1\xff", "\xff"},
		{"bin", "\xc4\x02\x01\x02", []byte{1, 2}},
		{"empty bin", "\xc4\x00", []byte{}},
		{"ext", "\xd5\x05\x01\x02", Ext{Type: 5, Data: []byte{1, 2}}},
		{"timestamp", "\xd7\xff\x00\x00\x00\x04\x00\x00\x00\x02", time.Unix(2, 1).UTC()},
		{"array", "\x93\x01\xa1a\xc0", []any{int64(1), "a", nil}},
		{"empty array", "\x90", []any{}},
		{"map of str keys", "\x82\xa1a\x01\xa1b\x90", map[string]any{"a": int64(1), "b": []any{}}},
		{"empty map", "\x80", map[string]any{}},
		{"map of other keys", "\x83\x01\xa1a\xcc\xc8\xa1b\xc0\xa1c", map[any]any{int64(1): "a", int64(200): "b", nil: "c"}},
		{"map whose last key is no str", "\x82\xa1a\x01\x05\x02", map[any]any{"a": int64(1), int64(5): int64(2)}},
		{"timestamp key", "\x81\xd6\xff\x00\x00\x00\x01\xc3", map[any]any{time.Unix(1, 0).UTC(): true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, d := range []Decoder{{}, {AliasBytes: true, InternKeys: true, LastWins: true}} {
				got, err := d.Decode([]byte(c.input))
				require.NoError(t, err)
				require.Equal(t, c.want, got)
				got, err = d.DecodeReader(iotest.OneByteReader(strings.NewReader(c.input)))
				require.NoError(t, err)
				require.Equal(t, c.want, got)
			}
		})
	}
}

func TestDecodeRefusesKeys(t *testing.T) {
	for _, c := range []struct {
		name, input, id string
		offset          int64
		pointer         string
	}{
		{"duplicate", "\x82\xa1a\x01\xa1a\x02", "msgpack/duplicate-key", 4, "/a"},
		{"duplicate integer in two encodings", "\x82\x01\xc0\xcc\x01\xc0", "msgpack/duplicate-key", 3, "/1"},
		{"duplicate in a nested map", "\x92\x01\x81\xa1k\x82\xa1a\x01\xa1a\x02", "msgpack/duplicate-key", 9, "/1/k/a"},
		{"duplicate after a key that is no str", "\x83\xa1a\x01\x05\x01\xa1a\x02", "msgpack/duplicate-key", 6, "/a"},
		{"array", "\x81\x91\x01\x02", "msgpack/key-type", 1, "/<array>"},
		{"map", "\x81\x80\x02", "msgpack/key-type", 1, "/<map>"},
		{"bin", "\x81\xc4\x01a\x02", "msgpack/key-type", 1, "/<bin>"},
		{"ext", "\x81\xd4\x05a\x02", "msgpack/key-type", 1, "/<ext>"},
		{"bin in a nested map", "\x81\xa1k\x82\xa1a\x01\xc4\x01a\x02", "msgpack/key-type", 7, "/k/<bin>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var d Decoder
			_, err := d.Decode([]byte(c.input))
			_, readerErr := d.DecodeReader(iotest.OneByteReader(strings.NewReader(c.input)))
			for _, err := range []error{err, readerErr} {
				var v *rule.Violation
				require.ErrorAs(t, err, &v)
				require.Equal(t, c.id, v.Rule.ID)
				require.Equal(t, c.offset, v.Offset)
				require.Equal(t, c.pointer, v.Pointer)
			}
		})
	}
}

func TestLastWins(t *testing.T) {
	d := Decoder{LastWins: true}
	for _, c := range []struct {
		input string
		want  any
	}{
		{"\x82\xa1a\x01\xa1a\x02", map[string]any{"a": int64(2)}},
		{"\x82\x01\x01\xcc\x01\x02", map[any]any{int64(1): int64(2)}},
	} {
		got, err := d.Decode([]byte(c.input))
		require.NoError(t, err)
		require.Equal(t, c.want, got)
		got, err = d.DecodeReader(strings.NewReader(c.input))
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
}

func TestAliasBytesReferToTheSource(t *testing.T) {
	src := []byte("\x92\xc4\x01a\xd4\x05b")
	alias, err := (&Decoder{AliasBytes: true}).Decode(src)
	require.NoError(t, err)
	copied, err := (&Decoder{}).Decode(src)
	require.NoError(t, err)
	src[3], src[6] = 'x', 'y'
	require.Equal(t, []any{[]byte("x"), Ext{5, []byte("y")}}, alias)
	require.Equal(t, []any{[]byte("a"), Ext{5, []byte("b")}}, copied)
	first := alias.([]any)[0].([]byte)
	_ = append(first, 'z')
	require.Equal(t, byte(0xd4), src[4], "appending to an alias must not write into the source")
}

func TestInternKeysAllocatesLess(t *testing.T) {
	src := msgp.AppendArrayHeader(nil, 1000)
	for range 1000 {
		src = append(src, "\x82\xa5first\x01\xa6second\x02"...)
	}
	for how, decode := range map[string]func(d Decoder) (any, error){
		"Decode":       func(d Decoder) (any, error) { return d.Decode(src) },
		"DecodeReader": func(d Decoder) (any, error) { return d.DecodeReader(bytes.NewReader(src)) },
		"Stream": func(d Decoder) (any, error) {
			st := d.Stream(bytes.NewReader(src))
			defer st.Close()
			require.True(t, st.Next())
			return st.Value()
		},
	} {
		t.Run(how, func(t *testing.T) {
			allocs := func(d Decoder) float64 {
				return testing.AllocsPerRun(3, func() {
					_, err := decode(d)
					require.NoError(t, err)
				})
			}
			require.Less(t, allocs(Decoder{InternKeys: true}), allocs(Decoder{})-1900)
		})
	}
}

func TestDecodeReaderGrowsToLongValues(t *testing.T) {
	for _, doc := range append(realDocuments(t), samples()...) {
		if m, err := Measure(doc.data, DefaultLimits().with(KeyType)); err != nil || m.Violations.Count("msgpack/key-type") > 0 {
			continue
		}
		d := Decoder{Limits: DefaultLimits(), LastWins: true}
		want, err := d.Decode(doc.data)
		require.NoError(t, err)
		for _, r := range []io.Reader{bytes.NewReader(doc.data), cutting{bytes.NewReader(doc.data), 1000}} {
			got, err := d.DecodeReader(r)
			require.NoError(t, err)
			requireSameTree(t, want, got)
		}
	}
}

func TestStream(t *testing.T) {
	// A duplicate key ends its record and no other; 0xc1 ends them all.
	const input = "\x01\x82\xa1a\x01\xa1a\x02\x91\x03\xd4\xff\x00\xa1b\x92\x01\xc1\x05"
	d := Decoder{Limits: DefaultLimits()}
	for _, c := range []struct {
		name   string
		stream *Stream
	}{
		{"slice", d.StreamBytes([]byte(input))},
		{"reader", d.Stream(iotest.OneByteReader(strings.NewReader(input)))},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []any
			for c.stream.Next() {
				v, err := c.stream.Value()
				if err != nil {
					v = fmt.Sprintf("%s at %d", err.(*rule.Violation).Rule.ID, c.stream.Offset())
				}
				got = append(got, v)
			}
			require.Equal(t, []any{
				int64(1), "msgpack/duplicate-key at 1", []any{int64(3)}, "msgpack/timestamp at 10", "b", "msgpack/reserved-byte at 15",
			}, got)
			requireRule(t, c.stream.Err(), "msgpack/reserved-byte")
			c.stream.Close()
			require.False(t, c.stream.Next())
		})
	}
}

func TestStreamEndsCleanly(t *testing.T) {
	var d Decoder
	st := d.Stream(strings.NewReader("\x01\x02"))
	require.True(t, st.Next())
	require.True(t, st.Next())
	require.False(t, st.Next())
	require.NoError(t, st.Err())
	st.Close()
	require.NoError(t, st.Err())
}
