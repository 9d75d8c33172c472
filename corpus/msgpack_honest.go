package corpus

import (
	"bufio"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/msgpack"
)

// msgpackHonest are values that are odd at most and have nothing against them.
func msgpackHonest() []Case {
	benign := func(id, story string, payload io.WriterTo) Case {
		return Case{ID: id, Story: story, Kind: Benign, Verdict: Clean, Payload: payload}
	}
	a, one := msgpack.Str("a"), msgpack.Int(1)
	text := func(n int) io.WriterTo { return msgpack.Str(strings.Repeat("s", n)) }
	ext := func(n int) io.WriterTo { return msgpack.Ext(5, strings.Repeat("e", n)) }
	nils := func(n int) []io.WriterTo { return slices.Repeat([]io.WriterTo{msgpack.Nil}, n) }
	// texts returns a map of n keys of text.
	texts := func(n uint32) io.WriterTo { return forge.Sequence{msgpack.MapOf(n), keys(int(n))} }
	return []Case{
		benign("msgpack/nil", "One byte.", msgpack.Nil),
		benign("msgpack/every-type", "A value of every type in its shortest form.", msgpack.Array(
			msgpack.Nil, msgpack.False, msgpack.True,
			msgpack.Int(0), msgpack.Int(127), msgpack.Int(128), msgpack.Int(1<<16), msgpack.Uint(math.MaxUint64),
			msgpack.Int(-1), msgpack.Int(-33), msgpack.Int(-129), msgpack.Int(math.MinInt64),
			msgpack.Float32.Of(uint64(math.Float32bits(1.5))), msgpack.Float(math.Pi), msgpack.Float(math.NaN()), msgpack.Float(math.Inf(-1)),
			msgpack.Str("text"), msgpack.Bin("\xff\x00"), msgpack.Ext(5, "x"),
			msgpack.Timestamp32(1), msgpack.Timestamp64(1<<33, 1),
			msgpack.Array(), msgpack.Map(msgpack.Str("a"), msgpack.Map()),
		)),
		benign("msgpack/depth-128", "128 arrays in one another: exactly what the default allows.",
			forge.Sequence{forge.Repeat{Payload: msgpack.ArrayOf(1), N: 128}, msgpack.Nil}),
		benign("msgpack/ext-empty", "An extension of no bytes.", msgpack.Ext(5, "")),
		benign("msgpack/key-empty", "An empty key.", msgpack.Map(msgpack.Str(""), msgpack.Nil)),
		benign("msgpack/bin-not-utf8", "Bytes that are no text, and do not say so.", msgpack.Bin("\xff\xc0\x80")),
		benign("msgpack/nanoseconds-999999999", "The last nanosecond of a second.", msgpack.Timestamp64(1<<33, 999_999_999)),
		benign("msgpack/empty-containers", "An empty array and an empty map in an array.", msgpack.Array(msgpack.Array(), msgpack.Map())),
		benign("msgpack/int-edges", "The first and the last integer of every width.", msgpack.Array(
			msgpack.Int(127), msgpack.Int(128), msgpack.Int(255), msgpack.Int(256), msgpack.Int(65535), msgpack.Int(65536),
			msgpack.Int(math.MaxUint32), msgpack.Int(math.MaxUint32+1), msgpack.Uint(math.MaxUint64),
			msgpack.Int(-32), msgpack.Int(-33), msgpack.Int(-128), msgpack.Int(-129), msgpack.Int(-32768), msgpack.Int(-32769),
			msgpack.Int(math.MinInt32), msgpack.Int(math.MinInt32-1), msgpack.Int(math.MinInt64),
		)),
		benign("msgpack/str-edges", "The longest and the shortest string of every width that fits a seed.", msgpack.Array(
			msgpack.Str(""), text(31), text(32), text(255), text(256),
		)),
		benign("msgpack/bin-edges", "Binary data at the edges of its widths.", msgpack.Array(
			msgpack.Bin(""), msgpack.Bin(strings.Repeat("b", 255)), msgpack.Bin(strings.Repeat("b", 256)),
		)),
		benign("msgpack/ext-edges", "Extensions of every fixed length and at the edges of the others.", msgpack.Array(
			ext(0), ext(1), ext(2), ext(3), ext(4), ext(8), ext(16), ext(17), ext(255), ext(256),
		)),
		benign("msgpack/array-edges", "Arrays of 15 and 16 values.", msgpack.Array(
			msgpack.Array(nils(15)...), msgpack.Array(nils(16)...),
		)),
		benign("msgpack/map-edges", "Maps of 15 and 16 pairs.", forge.Sequence{
			msgpack.ArrayOf(2), texts(15), texts(16),
		}),
		benign("msgpack/str-utf8", "Text in characters of one to four bytes, at the edges of each length.", msgpack.Str("\x00\u007f\u0080\u07ff\u0800\ud7ff\ue000\U00010000\U0010ffff")),
		benign("msgpack/str-utf8-long", "Text that is longer than the steps in which validators look at it, with one character across their edge.", msgpack.Str(strings.Repeat("a", 63)+"\u20ac"+strings.Repeat("a", 100))),
		benign("msgpack/floats", "Floats that no JSON can hold, and such that are whole.", msgpack.Array(
			msgpack.Float(math.NaN()), msgpack.Float(math.Inf(1)), msgpack.Float(math.Inf(-1)), msgpack.Float(1), msgpack.Float(math.Copysign(0, -1)),
			msgpack.Float32.Of(uint64(math.Float32bits(1))),
		)),
		benign("msgpack/timestamp-1969", "A time before 1970, which only the longest form holds.", msgpack.Timestamp96(-1, 999_999_999)),
		benign("msgpack/timestamp-far", "A time beyond the year 292 000 000 000.", msgpack.Timestamp96(math.MaxInt64, 0)),
		benign("msgpack/keys-equal-apart", "The same key in maps beside and inside one another, and never twice in one.", msgpack.Map(
			a, msgpack.Array(msgpack.Map(a, one), msgpack.Map(a, one)), msgpack.Str("b"), msgpack.Map(a, one),
		)),
		{
			ID:      "msgpack/key-nan-twice",
			Story:   "NaN twice as a key: it equals nothing, not even itself.",
			Kind:    Benign,
			Verdict: Clean,
			Rules:   []string{"msgpack/key-type"},
			Payload: msgpack.Map(msgpack.Float(math.NaN()), one, msgpack.Float(math.NaN()), one),
		},
		{
			ID:      "msgpack/keys-int",
			Story:   "Integers as keys, negative and positive, as field numbers of a schema are.",
			Kind:    Benign,
			Verdict: Clean,
			Rules:   []string{"msgpack/key-type"},
			Payload: msgpack.Map(msgpack.Int(1), one, msgpack.Int(-1), one, msgpack.Int(200), one, msgpack.Uint(math.MaxUint64), one),
		},
		large(benign("msgpack/map-262144", "A map of 262 144 pairs: exactly what the default allows.", forge.Sequence{
			msgpack.MapOf(262_144),
			keys(262_144),
		})),
		large(benign("msgpack/maps-empty-1m", "A million empty maps: a byte each, and 64 bytes of memory once Go has decoded them.", forge.Sequence{
			msgpack.ArrayOf(1_000_000),
			forge.Repeat{Payload: msgpack.MapOf(0), N: 1_000_000},
		})),
		large(benign("msgpack/array-1m", "An honest array of a million nils.", forge.Sequence{
			msgpack.ArrayOf(1_000_000),
			forge.Repeat{Payload: msgpack.Nil, N: 1_000_000},
		})),
		large(benign("msgpack/str-1m", "An honest string of 1 MiB.", forge.Sequence{
			msgpack.Str32.Of(1 << 20),
			forge.Fill{Byte: 'a', N: 1 << 20},
		})),
	}
}

// keys returns n pairs without the header of a map: the numbers from 0 as text,
// each with the value nil.
func keys(n int) io.WriterTo {
	return forge.Func(func(w io.Writer) error {
		b := bufio.NewWriter(w)
		for i := range n {
			b.Write(msgpack.Str(strconv.Itoa(i)))
			b.WriteByte(byte(msgpack.Nil))
		}
		return b.Flush()
	})
}
