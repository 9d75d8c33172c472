// Package msgpackcheck tells what a MessagePack payload costs to decode, and
// whether it lies about that cost, before anything is decoded.
//
//	m, err := msgpackcheck.Measure(payload, msgpackcheck.DefaultLimits())
//	if err != nil {
//		return err // msgpack/header-oversized at byte 0: array header promises …
//	}
//	log.Printf("%d values, about %d bytes decoded", m.Values, m.DecodedSize)
//
// An array header of five bytes can promise 2³² − 1 values. Decoders that
// believe it allocate 64 GiB; decoders that cap what they allocate, or compare
// each header with the bytes left, are beaten by nesting. Measure counts the
// values that all open containers are still owed. Each takes a byte at least, so
// the count can never exceed the bytes left, and the first header that makes it
// do so is refused, whatever the nesting. The pass needs no recursion, 8 bytes a
// nesting level, and for a clean payload no allocation.
//
// Because a measured structure holds what it promises, [Decoder] allocates
// every slice and map once, at its true size. [Decoder.DecodeReader] does nearly
// as well for input whose length is not known.
//
// [Scanner] measures, and [Stream] decodes, values that follow each other in one
// input.
//
// [Limits] says what a payload may cost; its zero value allows everything that
// is well formed. [Checks] look for what is legal and suspicious: duplicate keys,
// keys that are no str, strings that are not UTF-8, encodings longer than
// needed. Every finding is a *[rule.Violation] of one of [Rules] in
// Measurement.Violations; the error that Measure returns is the first of them
// whose rule is an error by default.
//
// The format is that of the MessagePack specification
// (https://github.com/msgpack/msgpack/blob/master/spec.md), timestamps included.
package msgpackcheck
