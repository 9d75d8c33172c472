package corpus

import (
	"io"
	"math"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/msgpack"
)

// msgpackValues are values that the format forbids or that decoders disagree on.
func msgpackValues() []Case {
	broken := func(id, story, rule string, payload io.WriterTo) Case {
		return Case{
			ID: id, Story: story, Kind: Malformed, Verdict: Rejected, Rules: []string{rule},
			References: []string{msgpackSpec}, Payload: payload,
		}
	}
	// odd returns a case that is well-formed and suspicious.
	odd := func(id, story string, cwe int, payload io.WriterTo, rules ...string) Case {
		return Case{
			ID: id, Story: story, Kind: Hostile, Verdict: Clean, Rules: rules,
			CWE: []int{cwe}, Payload: payload,
		}
	}
	a, one := msgpack.Str("a"), msgpack.Int(1)
	return []Case{
		{
			ID:      "msgpack/empty-file",
			Story:   "No bytes at all.",
			Kind:    Malformed,
			Verdict: Undecided,
			Rules:   []string{"input/empty"},
			Payload: forge.Bytes{},
		},
		broken("msgpack/reserved-byte", "The one byte that never starts a value. A reader that takes it for an incomplete one buffers for ever.",
			"msgpack/reserved-byte", msgpack.Reserved),
		broken("msgpack/reserved-byte-inside", "The reserved byte as the first of two values.",
			"msgpack/reserved-byte", msgpack.Array(msgpack.Reserved, one)),
		broken("msgpack/trailing-value", "A second value after the one asked for. Many decoders do not look.",
			"msgpack/trailing-data", forge.Sequence{msgpack.Nil, msgpack.Nil}),
		broken("msgpack/timestamp-nanoseconds-64", "A timestamp whose nanoseconds are more than a second.",
			"msgpack/timestamp", msgpack.Timestamp64(1, 1<<30-1)),
		broken("msgpack/timestamp-nanoseconds-96", "A timestamp whose nanoseconds are more than four seconds.",
			"msgpack/timestamp", msgpack.Timestamp96(1<<40, math.MaxUint32)),
		broken("msgpack/timestamp-length-1", "A timestamp of one byte.",
			"msgpack/timestamp", msgpack.Ext(msgpack.TimestampType, "\x01")),
		broken("msgpack/timestamp-length-5", "A timestamp of five bytes.",
			"msgpack/timestamp", msgpack.Ext(msgpack.TimestampType, "12345")),
		broken("msgpack/timestamp-length-0", "A timestamp of no bytes.",
			"msgpack/timestamp", msgpack.Ext(msgpack.TimestampType, "")),
		odd("msgpack/key-twice", "A key twice: the first reader keeps one value, the second the other.", 436,
			msgpack.Map(a, one, a, msgpack.Int(2)), "msgpack/duplicate-key"),
		odd("msgpack/key-twice-widths", "The key 1 in one byte and in two: equal in value, not in bytes. Some decoders keep both.", 436,
			msgpack.Map(one, one, msgpack.Uint8.Of(1), msgpack.Int(2)),
			"msgpack/duplicate-key", "msgpack/key-type", "msgpack/non-canonical"),
		odd("msgpack/key-twice-str-bin", "The same key as str and as bin, which many decoders do not tell apart.", 436,
			msgpack.Map(a, one, msgpack.Bin("a"), msgpack.Int(2)), "msgpack/duplicate-key", "msgpack/key-type"),
		odd("msgpack/key-bin", "A key of binary data, which cannot be hashed in Go: a decoder that does not ask panics.", 248,
			msgpack.Map(msgpack.Bin("a"), one), "msgpack/key-type"),
		odd("msgpack/key-array", "A key that is an array.", 248,
			msgpack.Map(msgpack.Array(one), one), "msgpack/key-type"),
		odd("msgpack/key-nil", "A key that is nil: an error, an empty string or nil, by decoder.", 436,
			msgpack.Map(msgpack.Nil, one), "msgpack/key-type"),
		odd("msgpack/str-not-utf8", "A string that is not UTF-8.", 176,
			msgpack.Str("\xff"), "msgpack/utf8"),
		odd("msgpack/str-overlong", "A zero byte in two bytes, which UTF-8 forbids and careless decoders accept.", 176,
			msgpack.Str("\xc0\x80"), "msgpack/utf8"),
		odd("msgpack/str-surrogate", "Half of a surrogate pair in three bytes.", 176,
			msgpack.Str("\xed\xa0\x80"), "msgpack/utf8"),
		odd("msgpack/int-wide", "1 in nine bytes.", 436, msgpack.Uint64.Of(1), "msgpack/non-canonical"),
		odd("msgpack/int-signed", "5 as a signed integer.", 436, msgpack.Int8.Of(5), "msgpack/non-canonical"),
		odd("msgpack/str-wide", "A string of one byte with a length of four.", 436, msgpack.Str32.With("a"), "msgpack/non-canonical"),
		odd("msgpack/array-wide", "An empty array with a count of four bytes.", 436, msgpack.Array32.Of(0), "msgpack/non-canonical"),
		odd("msgpack/ext-reserved", "An extension of type −2, reserved for the format itself.", 436,
			msgpack.Ext(-2, "abcd"), "msgpack/ext-type"),
		odd("msgpack/ext-lz4", "An extension of type 99, in which a C# library keeps an LZ4 block that states its own size.", 409,
			msgpack.Ext(99, "\xce\x7f\xff\xff\xff"), "msgpack/ext-type"),
	}
}

// msgpackHonest are values that are odd at most and have nothing against them.
func msgpackHonest() []Case {
	benign := func(id, story string, payload io.WriterTo) Case {
		return Case{ID: id, Story: story, Kind: Benign, Verdict: Clean, Payload: payload}
	}
	large := func(c Case) Case {
		c.Large = true
		return c
	}
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
