package gzipcheck

import "github.com/harden-input/harden/rule"

// A Measurement is what a measuring pass found, filled as far as it got. All
// totals are 64-bit on every platform.
type Measurement struct {
	// Complete reports whether the pass reached the end of the input. An
	// incomplete measurement is never clean.
	Complete bool
	// Violations lists what is wrong, in the order of the input.
	Violations rule.List

	// Compressed is how many bytes of input were measured: all of them, or
	// those before the violation that ended the pass.
	Compressed uint64
	// Decompressed is how many bytes the members inflate to.
	Decompressed uint64
	// Members counts the members whose header was read.
	Members uint64
	// LargestMember is the length in bytes of the longest member's content.
	LargestMember uint64
	// LargestHeader is the content of FEXTRA, FNAME and FCOMMENT of the member
	// that has most of it, in bytes.
	LargestHeader uint64
	// StoredBlocks, FixedBlocks and DynamicBlocks count DEFLATE blocks by
	// their type (RFC 1951, 3.2.3).
	StoredBlocks, FixedBlocks, DynamicBlocks uint64
	// Work is the overhead in the units of Limits.MaxWork.
	Work uint64
	// TrailingZeros is how many zero bytes follow the last member.
	TrailingZeros uint64
	// BGZF reports whether the first member has a BGZF extra field.
	BGZF bool
}
