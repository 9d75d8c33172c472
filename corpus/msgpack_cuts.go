package corpus

import (
	"io"
	"strings"

	"github.com/harden-input/harden/internal/forge"
	"github.com/harden-input/harden/internal/forge/msgpack"
)

// msgpackCuts are values that end too early, each in another place.
func msgpackCuts() []Case {
	// cut returns a case that ends too early.
	cut := func(id, story string, payload io.WriterTo) Case {
		return Case{
			ID: id, Story: story, Kind: Malformed, Verdict: Rejected,
			Rules: []string{"msgpack/truncated"}, CWE: []int{125}, Payload: payload,
		}
	}
	return []Case{
		cut("msgpack/str-cut", "A string of three bytes of which one is there.", forge.Head{Payload: msgpack.Str("abc"), N: 2}),
		cut("msgpack/bin-cut", "Binary data of five bytes of which one is there.", forge.Head{Payload: msgpack.Bin("abcde"), N: 3}),
		cut("msgpack/header-cut", "The header of an array ends in its count.", forge.Head{Payload: msgpack.Array32.Of(0), N: 3}),
		cut("msgpack/ext-header-cut", "A fixext without type or data. Readers that index before they look run past the end.", msgpack.FixExt1),
		cut("msgpack/map-value-missing", "A map of one pair, and only its key.", forge.Sequence{msgpack.MapOf(1), msgpack.Str("a")}),
		cut("msgpack/str8-cut", "A string of 255 bytes of which one is there.", forge.Sequence{msgpack.Str8.Of(255), forge.Bytes("a")}),
		cut("msgpack/str16-cut", "A string of 65535 bytes of which none is there.", msgpack.Str16.Of(65535)),
		cut("msgpack/bin16-cut", "Binary data of 65535 bytes of which one is there.", forge.Sequence{msgpack.Bin16.Of(65535), forge.Bytes("a")}),
		cut("msgpack/ext8-type-missing", "An extension ends before its type.", msgpack.Ext8.Of(1)),
		cut("msgpack/ext16-cut", "An extension of 65535 bytes of which one is there.", forge.Sequence{msgpack.Ext16.Of(65535), forge.Bytes{5, 'a'}}),
		cut("msgpack/fixext16-cut", "An extension of sixteen bytes without its last.", forge.WithoutEnd{Payload: msgpack.FixExt16.Ext(5, "0123456789abcdef"), N: 1}),
		cut("msgpack/timestamp-cut", "A timestamp of eight bytes without its last.", forge.WithoutEnd{Payload: msgpack.Timestamp64(1<<33, 1), N: 1}),
		cut("msgpack/int64-cut", "An integer of eight bytes without its last.", forge.WithoutEnd{Payload: msgpack.Int64.Of(1 << 40), N: 1}),
		cut("msgpack/float64-cut", "A float of eight bytes without its first.", msgpack.Float64),
		cut("msgpack/array16-header-cut", "The header of an array ends in its count.", forge.Head{Payload: msgpack.Array16.Of(1), N: 2}),
		cut("msgpack/map32-header-cut", "The header of a map ends in its count.", forge.Head{Payload: msgpack.Map32.Of(1), N: 4}),
		cut("msgpack/str32-header-cut", "The header of a string ends in its length.", forge.Head{Payload: msgpack.Str32.Of(1), N: 4}),
		cut("msgpack/utf8-cut", "The payload ends in a string, and in a character of three bytes.", forge.Sequence{msgpack.Str8.Of(200), forge.Bytes(strings.Repeat("a", 50) + "\xe2\x82")}),
		cut("msgpack/nested-cut", "A record that ends in the last of its values.", forge.WithoutEnd{
			Payload: msgpack.Map(msgpack.Str("id"), msgpack.Int(7), msgpack.Str("tags"), msgpack.Array(msgpack.Str("a"), msgpack.Str("b"))), N: 1,
		}),
	}
}
