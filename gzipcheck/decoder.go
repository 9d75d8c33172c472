package gzipcheck

import (
	"hash/crc32"
	"math"

	"github.com/harden-input/harden/rule"
)

// A Decoder decompresses gzip payloads that are in memory: it measures first,
// allocates exactly once, then inflates. It is immutable and safe for
// concurrent use.
type Decoder struct {
	lim Limits
}

// NewDecoder returns a Decoder that refuses what is above lim.
func NewDecoder(lim Limits) *Decoder { return &Decoder{lim: lim} }

// Decode appends the content of all members of src to dst and returns the
// result. dst grows at most once, by exactly the measured length; nothing is
// allocated for a payload that is refused by measuring, whatever it declares.
//
// The error is a *rule.Violation where the payload is at fault: every rule of
// [Measure], and gzip/crc-mismatch, which is found last. Decode then returns
// dst as it was given.
func (d *Decoder) Decode(dst, src []byte) ([]byte, error) {
	m, err := Measure(src, d.lim)
	if err != nil {
		return dst, err
	}
	if m.Decompressed > uint64(math.MaxInt-len(dst)) {
		return dst, &rule.Violation{Rule: &decompressedSize, Unit: rule.UnitBytes,
			Actual: rule.N(m.Decompressed), LimitValue: rule.N(math.MaxInt),
			Message: "content of {actual} bytes does not fit into memory on this platform"}
	}
	out := dst
	if size := int(m.Decompressed); cap(out)-len(out) < size {
		out = make([]byte, len(dst), len(dst)+size)
		copy(out, dst)
	}
	// The capacity is cut to the measured size, so that a spare byte of dst's
	// array can never be written.
	out = out[: len(dst) : len(dst)+int(m.Decompressed)]
	out, err = inflateMembers(out, src, m.Members)
	if err != nil {
		return dst, err
	}
	return out, nil
}

// inflateMembers inflates the members of a payload that was measured and found
// sound.
func inflateMembers(out, src []byte, members uint64) ([]byte, error) {
	f := getInflater()
	defer f.put()
	rest := src
	for range members {
		f.header = header{}
		n, _ := f.header.parse(rest, 0, func(headerProblem) {})
		start := len(out)
		var err error
		out, rest, err = f.appendMember(out, rest[n:])
		if err != nil {
			return nil, err
		}
		at := int64(len(src) - len(rest))
		if err := checkSum(crc32.ChecksumIEEE(out[start:]), rest[:trailerSize], at); err != nil {
			return nil, err
		}
		rest = rest[trailerSize:]
	}
	return out, nil
}

// checkSum compares a member's checksum with the one that its trailer, at
// offset at, states.
func checkSum(sum uint32, trailer []byte, at int64) error {
	stated := uint32(trailer[0]) | uint32(trailer[1])<<8 | uint32(trailer[2])<<16 | uint32(trailer[3])<<24
	if stated == sum {
		return nil
	}
	return &rule.Violation{Rule: &crcMismatch, Offset: at,
		Declared: rule.N(uint64(stated)), Actual: rule.N(uint64(sum)),
		Message: "trailer declares CRC-32 {declared}, the content has {actual}"}
}
