package msgpackcheck

import "github.com/harden-input/harden/rule"

// The places of the rules in Rules.
const (
	headerOversized = iota
	truncated
	reservedByte
	timestamp
	trailingData
	depth
	values
	decodedSize
	arrayLength
	mapLength
	strLength
	binLength
	extLength
	invalidUTF8
	duplicateKey
	duplicateUnchecked
	keyType
	extType
	nonCanonical
)

const spec = "https://github.com/msgpack/msgpack/blob/master/spec.md"

// Rules are the rules that this package raises.
var Rules = []rule.Rule{
	headerOversized: {
		ID: "msgpack/header-oversized", Default: rule.Error, Kind: rule.Forged, Stops: true,
		Title: "a header promises more than the rest of the payload can hold",
		Why: "An array or map header states how many values follow, a str, bin or ext header how many bytes. " +
			"Decoders that allocate what the header states can be made to ask for 64 GiB by five bytes, and in most languages that ends the process. " +
			"Every value takes at least one byte, so the values that all open containers are still owed can never be more than the bytes left: " +
			"counting them together also catches headers that look modest alone and multiply by nesting.",
		Fix: "Refuse the payload: it is forged or was cut off. A decoder of your own should allocate only for values whose bytes are there, " +
			"counting what all open containers are owed, not one header at a time.",
		CWE: []int{130, 770, 789},
		References: []string{spec, "CVE-2026-21452", "https://github.com/msgpack/msgpack-python/issues/97",
			"https://github.com/vmihailenco/msgpack/issues/401"},
	},
	truncated: {
		ID: "msgpack/truncated", Default: rule.Error, Kind: rule.Truncated, Stops: true,
		Title: "the payload ends inside a value or before a promised one",
		Why: "A payload that was cut off is not what its sender wrote. Decoders differ: some report it, some wait for more bytes, " +
			"some return the part they have.",
		Fix:        "Fetch the payload again, and check how it was transported: a length limit or a closed connection usually cut it.",
		CWE:        []int{130, 239},
		References: []string{spec},
	},
	reservedByte: {
		ID: "msgpack/reserved-byte", Default: rule.Error, Kind: rule.Malformed, Stops: true,
		Title: "the byte 0xc1 stands where a value should start",
		Why: "0xc1 is never used by MessagePack, so nothing after it can be understood. " +
			"A decoder that takes it for an incomplete value waits and buffers for ever.",
		Fix:        "Refuse the payload. Check that it is MessagePack at all, and not another binary format.",
		CWE:        []int{20},
		References: []string{spec + "#formats", "CVE-2026-107299"},
	},
	timestamp: {
		ID: "msgpack/timestamp", Default: rule.Error, Kind: rule.Malformed,
		Title: "an ext of type -1 is not a timestamp",
		Why: "Type -1 is reserved for timestamps of 4, 8 or 12 bytes with at most 999999999 nanoseconds. " +
			"Decoders disagree about anything else: some refuse it, some carry the excess into the seconds, some hand on raw bytes, " +
			"so that two systems read two times.",
		Fix:        "Refuse the payload, or mend its encoder to write one of the three forms.",
		CWE:        []int{20, 436},
		References: []string{spec + "#timestamp-extension-type"},
	},
	trailingData: {
		ID: "msgpack/trailing-data", Default: rule.Error, Kind: rule.Malformed, Stops: true,
		Title: "bytes follow the value",
		Why: "One value was asked for. Some decoders ignore what follows it, some refuse it and some read it as the next value, " +
			"so that what one system checked is not what the next one uses.",
		Fix:        "Refuse the payload, or judge it as a stream of records where several values are meant.",
		CWE:        []int{20, 436},
		References: []string{spec},
	},
	depth: limitRule("depth", "arrays and maps nest too deep",
		"Most decoders, and most code that walks decoded values, recurse. Two megabytes of nested one-element arrays overflow the stack, "+
			"which in Go and in many other languages ends the process and cannot be caught.",
		[]int{674}, "CVE-2026-90472", "CVE-2026-48506"),
	values: limitRule("values", "too many values",
		"Each value costs a decoder an allocation or a slot of 16 bytes and more, for as little as one byte of payload.",
		[]int{770}),
	decodedSize: limitRule("decoded-size", "the decoded values would take too much memory",
		"Decoded values are larger than their encoding: a million empty maps are one megabyte of payload and sixty of memory.",
		[]int{409, 770}),
	arrayLength: limitRule("array-length", "an array is too long",
		"Code behind the decoder loops over arrays, and databases and templates multiply the cost of every element.",
		[]int{770}),
	mapLength: limitRule("map-length", "a map has too many pairs",
		"Maps are the dearest values to decode, and hash tables without a random seed turn quadratic on chosen keys.",
		[]int{407, 770}),
	strLength: limitRule("str-length", "a str is too long",
		"Strings are copied, converted and logged by what is behind the decoder, each time at their full length.",
		[]int{770}),
	binLength: limitRule("bin-length", "a bin is too long",
		"Binary data is copied by what is behind the decoder, each time at its full length.",
		[]int{770}, "CVE-2026-21452"),
	extLength: limitRule("ext-length", "an ext is too long",
		"Ext data is handed to a second decoder, chosen by the payload, at its full length.",
		[]int{770}, "CVE-2026-21452"),
	invalidUTF8: {
		ID: "msgpack/utf8", Default: rule.Warning, Kind: rule.Suspicious,
		Title: "a str is not UTF-8",
		Why: "The specification leaves such a str to the implementation. Decoders hand it on, replace bytes, return raw bytes or fail, " +
			"so that a check on one side and a use on the other see different text.",
		Fix:        "Encode binary data as bin. Refuse the payload where text is compared, stored or shown.",
		CWE:        []int{176, 436},
		References: []string{spec + "#str-format-family", "RFC 3629"},
	},
	duplicateKey: {
		ID: "msgpack/duplicate-key", Default: rule.Warning, Kind: rule.Suspicious,
		Title: "a map holds a key twice",
		Why: "The specification says nothing about it. Most decoders keep the last value, some the first, some both. " +
			"A check that sees one value lets the other one through. Integers are compared by value over all encodings, " +
			"str and bin by their bytes.",
		Fix:        "Refuse the payload, or mend its encoder: no honest map needs a key twice.",
		CWE:        []int{436, 694},
		References: []string{spec + "#map-format-family"},
	},
	duplicateUnchecked: {
		ID: "msgpack/duplicate-unchecked", Default: rule.Warning, Kind: rule.Limit, LimitKey: "msgpack.max-tracked-keys",
		Title:      "there are more keys than the check for duplicates may remember",
		Why:        "The check is not complete: a key beyond the limit may be a duplicate that nobody saw.",
		Fix:        "Raise msgpack.max-tracked-keys, or lower msgpack.max-map-length so that such maps are refused.",
		CWE:        []int{436, 770},
		References: []string{spec + "#map-format-family"},
	},
	keyType: {
		ID: "msgpack/key-type", Default: rule.Warning, Kind: rule.Suspicious,
		Title: "a map key is not a str",
		Why: "Every value may be a key in MessagePack, and hardly any language agrees: arrays, maps, bin and ext cannot be keys of a Go map " +
			"or a Python dict, and a decoder that does not expect them can panic. Numbers and nil become text in some languages and collide with it.",
		Fix:        "Encode keys as str.",
		CWE:        []int{20, 248, 436},
		References: []string{spec + "#map-format-family"},
	},
	extType: {
		ID: "msgpack/ext-type", Default: rule.Warning, Kind: rule.Suspicious,
		Title: "an ext type is reserved or known to hold an encoding of its own",
		Why: "Types -2 to -128 are reserved for future use by the specification. MessagePack for C# uses 98 and 99 for LZ4 blocks, which declare their " +
			"decompressed length, and 100 for values that name the type to create: each is a second decoder that the payload can start.",
		Fix:        "Refuse these types unless both sides agreed on them, and bound what the second decoder may allocate.",
		CWE:        []int{409, 502},
		References: []string{spec + "#extension-types", "CVE-2026-48510"},
	},
	nonCanonical: {
		ID: "msgpack/non-canonical", Default: rule.Note, Kind: rule.Suspicious,
		Title: "a value takes a longer encoding than it needs",
		Why: "The specification asks for the shortest encoding and allows the others. Where payloads are signed, hashed or compared as bytes, " +
			"one value with several encodings is several values.",
		Fix:        "Encode again with the shortest forms before comparing, or refuse the payload where it must be canonical.",
		CWE:        []int{436},
		References: []string{spec + "#serialization-type-to-format-conversion"},
	},
}

// limitRule returns the rule that guards the limit msgpack.max-name.
func limitRule(name, title, why string, cwe []int, references ...string) rule.Rule {
	key := "msgpack.max-" + name
	return rule.Rule{
		ID: "msgpack/" + name, Default: rule.Error, Kind: rule.Limit, Stops: true, LimitKey: key,
		Title: title, Why: why,
		Fix: "Refuse the payload. If honest payloads are like this, raise " + key + ".",
		CWE: cwe, References: append([]string{spec + "#limitation"}, references...),
	}
}
