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
		broken("msgpack/timestamp-length-2", "A timestamp of two bytes.",
			"msgpack/timestamp", msgpack.FixExt2.Ext(msgpack.TimestampType, "\x00\x01")),
		broken("msgpack/timestamp-length-16", "A timestamp of sixteen bytes.",
			"msgpack/timestamp", msgpack.FixExt16.Ext(msgpack.TimestampType, "0123456789abcdef")),
		broken("msgpack/reserved-byte-key", "The reserved byte in place of a key.",
			"msgpack/reserved-byte", msgpack.Map(msgpack.Reserved, one)),
		broken("msgpack/reserved-byte-after", "The reserved byte after the value.",
			"msgpack/trailing-data", forge.Sequence{msgpack.Array(one), msgpack.Reserved}),
		broken("msgpack/trailing-newline", "A line break after the value, as an editor or echo adds it: it is the integer 10.",
			"msgpack/trailing-data", forge.Sequence{msgpack.Array(one), forge.Bytes("\n")}),
		broken("msgpack/json", "A JSON text under the name of a MessagePack value: its brace is the integer 123.",
			"msgpack/trailing-data", forge.Bytes(`{"a":1}`)),
		broken("msgpack/gzip", "A gzip member under the name of a MessagePack value.",
			"input/format-mismatch", forge.Gzip{Body: forge.Text(greeting)}),
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
		odd("msgpack/key-map", "A key that is a map.", 248,
			msgpack.Map(msgpack.Map(a, one), one), "msgpack/key-type"),
		odd("msgpack/key-ext", "A key that is an extension.", 248,
			msgpack.Map(msgpack.Ext(5, "x"), one), "msgpack/key-type"),
		odd("msgpack/key-float", "A key that is a float, which prints in more than one way.", 436,
			msgpack.Map(msgpack.Float(0.1), one), "msgpack/key-type"),
		odd("msgpack/key-bool", "A key that is a boolean.", 436,
			msgpack.Map(msgpack.True, one), "msgpack/key-type"),
		odd("msgpack/key-twice-zeros", "0.0 and −0.0 as keys: equal, and not the same bytes.", 436,
			msgpack.Map(msgpack.Float(0), one, msgpack.Float(math.Copysign(0, -1)), one), "msgpack/duplicate-key", "msgpack/key-type"),
		odd("msgpack/key-twice-signed", "The key 1 as an unsigned and as a signed integer.", 436,
			msgpack.Map(msgpack.Uint64.Of(1), one, msgpack.Int64.Of(1), one),
			"msgpack/duplicate-key", "msgpack/key-type", "msgpack/non-canonical"),
		odd("msgpack/key-twice-nil", "nil twice as a key.", 436,
			msgpack.Map(msgpack.Nil, one, msgpack.Nil, one), "msgpack/duplicate-key", "msgpack/key-type"),
		odd("msgpack/key-twice-apart", "A key twice, with maps between that have it too.", 436,
			msgpack.Map(a, msgpack.Map(a, one), msgpack.Str("b"), msgpack.Array(msgpack.Map(a, one)), a, one), "msgpack/duplicate-key"),
		odd("msgpack/key-twice-wide", "A key of text twice, once with a length of four bytes.", 436,
			msgpack.Map(a, one, msgpack.Str32.With("a"), one), "msgpack/duplicate-key", "msgpack/non-canonical"),
		odd("msgpack/key-nul", "Two keys that are one where C strings end.", 626,
			msgpack.Map(a, one, msgpack.Str("a\x00b"), one)),
		odd("msgpack/key-proto", "A key that changes the prototype of objects in careless JavaScript.", 1321,
			msgpack.Map(msgpack.Str("__proto__"), msgpack.Map(msgpack.Str("admin"), msgpack.True))),
		odd("msgpack/str-above", "A code point beyond the last, U+110000.", 176,
			msgpack.Str("\xf4\x90\x80\x80"), "msgpack/utf8"),
		odd("msgpack/str-cut-character", "A string that ends in a character of three bytes.", 176,
			msgpack.Str("aaaaaaaaaaaaaaaa\xe2\x82"), "msgpack/utf8"),
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
		odd("msgpack/bin-wide", "A bin of one byte with a length of four.", 436, msgpack.Bin32.With("a"), "msgpack/non-canonical"),
		odd("msgpack/map-wide", "An empty map with a count of two bytes.", 436, msgpack.Map16.Of(0), "msgpack/non-canonical"),
		odd("msgpack/ext-wide", "An extension of one byte with a length, where a format without one exists.", 436, msgpack.Ext8.Ext(5, "x"), "msgpack/non-canonical"),
		odd("msgpack/timestamp-wide", "A timestamp of whole seconds in twelve bytes.", 436, msgpack.Timestamp96(1, 0), "msgpack/non-canonical"),
		odd("msgpack/ext-lz4-array", "An extension of type 98, in which a C# library keeps LZ4 blocks.", 409,
			msgpack.Ext(98, "\x91\xce\x7f\xff\xff\xff"), "msgpack/ext-type"),
		odd("msgpack/ext-typeless", "An extension of type 100, in which a C# library keeps the name of the type to create.", 502,
			msgpack.Ext(100, "System.Object"), "msgpack/ext-type"),
		odd("msgpack/bin-of-bomb", "Binary data that holds 2 MiB of gzip bomb. It is no layer of this payload: whoever opens it has to ask again.", 409,
			binOf(forge.Gzip{Body: forge.Zeros(2 << 20)})),
		odd("msgpack/int-beyond-2-53", "Two integers that differ, and are equal to readers that keep numbers as doubles.", 681,
			msgpack.Array(msgpack.Uint(1<<53), msgpack.Uint(1<<53+1))),
		odd("msgpack/ext-reserved", "An extension of type −2, reserved for the format itself.", 436,
			msgpack.Ext(-2, "abcd"), "msgpack/ext-type"),
		odd("msgpack/ext-lz4", "An extension of type 99, in which a C# library keeps an LZ4 block that states its own size.", 409,
			msgpack.Ext(99, "\xce\x7f\xff\xff\xff"), "msgpack/ext-type"),
	}
}

// binOf returns content as a bin.
func binOf(content io.WriterTo) forge.Sequence {
	size, _ := content.WriteTo(io.Discard)
	return forge.Sequence{msgpack.BinOf(uint32(size)), content}
}
