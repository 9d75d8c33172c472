package msgpackcheck

import "github.com/harden-input/harden/rule"

// Measurement holds the facts that a measuring pass found, as far as it got.
type Measurement struct {
	// Complete reports that the pass reached the end: the value ended and so
	// did the input or, in a [Scanner], the record did.
	Complete bool
	// Violations holds every rule that was broken.
	Violations rule.List

	// Consumed is the bytes of the encoding that were looked at.
	Consumed uint64
	// Values counts every scalar, array, map, map key and map value.
	Values uint64
	// Arrays and Maps count the containers, empty ones included.
	Arrays, Maps uint64
	// Strings counts the str values, keys included; StringBytes are their
	// bytes without headers.
	Strings, StringBytes uint64
	// BinBytes and ExtBytes are the bytes inside bin and ext values, without
	// headers.
	BinBytes, ExtBytes uint64
	// Depth is the deepest nesting of arrays and maps; 0 for a lone scalar.
	Depth uint64
	// LargestArray is the most elements, LargestMap the most pairs that one
	// container promised.
	LargestArray, LargestMap uint64
	// LargestString is the bytes of the longest str.
	LargestString uint64
	// DecodedSize estimates the bytes that the finished Go values of
	// [Decoder] keep alive on a 64-bit machine: slices, maps, strings and boxed
	// numbers. It is never below half of them and never above twice. Arrays and
	// maps count in full as soon as their header is read.
	DecodedSize uint64
	// Canonical reports that the shortest encoding was used throughout. It is
	// only true for a complete pass under the check [Canonical].
	Canonical bool
}
