package inspect

import (
	"context"
	"io"
	"slices"
)

// A Record is one record of a stream, judged. It is only valid until the
// function that it was given to returns, Bytes included.
type Record struct {
	// Number counts records from 1; Line is that of NDJSON, from 1, blank
	// lines counted.
	Number, Line uint64
	// Offset counts bytes of the innermost layer; the record is Length bytes
	// long, as far as it was read.
	Offset int64
	Length uint64
	// Bytes is the record as it stands in the stream, without the line feed
	// that LineEnd may be. Of a clean record it is all Length bytes, and no
	// others were measured; of any other it may be less, 64 KiB of a long one.
	Bytes   []byte
	LineEnd string
	Verdict Verdict
	// Violations is bounded, and lists those of clean records as well.
	Violations []Violation
}

// keptOfRejected is how much of a record is kept once it is known to be bad.
const keptOfRejected = 64 << 10

// Sift is [Inspector.InspectInto] for a stream of records without end: each
// gets every record, judged, as soon as it has arrived whole. What stands
// around records (blank lines, what follows malformed msgpack) it does not get.
// Memory does not depend on the number of records, and holds one, up to
// input.max-record-size; where that is none, as long as the longest.
//
// An error of each ends the inspection, and Sift returns it. Any other end is
// in r: a stream that could not be read to its end is undecided, whatever its
// records are. It is an error to sift without Config.Records.
func (ins *Inspector) Sift(ctx context.Context, in Input, r *Report, each func(*Record) error) error {
	if ins.cfg.Records == NoRecords {
		return errNotRecords
	}
	p, s := ins.inspect(ctx, in, recordStream{report: r, each: each})
	if s.refused != nil {
		return s.refused
	}
	if !s.read || p.Verdict != Clean || len(p.Violations) > 0 {
		r.Add(p)
	}
	return nil
}

// magicWindow is how much of a layer is awaited before the first record of a
// stream that may pause: as much as tells one compressed layer from another.
const magicWindow = 2

// A valueReader is what a scanner of msgpack values reads from: it starts the
// time for a value with its first byte, and keeps the value's bytes, of which
// the scanner has read some more ahead.
type valueReader struct {
	r     io.Reader
	clock *recordClock
	keeps bool
	// most is the length in bytes up to which a value is kept whole, 0 being
	// none. Of a longer one only the start is kept, in head.
	most uint64
	head []byte

	from int64  // where the present value starts
	base int64  // offset of kept[0]
	kept []byte // without keeps, empty: then base is where reading has come to
}

func (v *valueReader) Read(p []byte) (int, error) {
	if v.reached() > v.from {
		v.clock.begin()
	}
	n, err := v.r.Read(p[:min(len(p), maxRead)])
	if !v.keeps {
		v.base += int64(n)
		return n, err
	}
	v.dropBefore(v.from)
	// A scanner asks for more while the present value goes on, and reads ahead
	// of it no more than it was given at once: what is kept beyond most and
	// maxRead belongs to a value that is too long.
	if most := v.most + maxRead; v.most != 0 && uint64(len(v.kept)) > most {
		if len(v.head) == 0 {
			v.head = append(v.head, v.kept[:keptOfRejected]...)
		}
		v.dropBefore(v.reached() - maxRead)
	}
	v.kept = append(withRoom(v.kept, n, v.most+2*maxRead), p[:n]...)
	return n, err
}

// reached is the offset up to which was read.
func (v *valueReader) reached() int64 { return v.base + int64(len(v.kept)) }

// dropBefore forgets what is kept before the offset at.
func (v *valueReader) dropBefore(at int64) {
	if at > v.base {
		v.kept = v.kept[:copy(v.kept, v.kept[at-v.base:])]
		v.base = at
	}
}

// value returns the present value, of length bytes, or what is kept of it.
func (v *valueReader) value(length uint64) []byte {
	known := v.head
	if v.base <= v.from {
		known = v.kept[min(v.from-v.base, int64(len(v.kept))):]
	}
	return known[:min(length, uint64(len(known)))]
}

// next says that the present value, of length bytes, has ended.
func (v *valueReader) next(length uint64) {
	v.from += int64(length)
	v.head = v.head[:0]
	v.clock.end()
}

// maxReserved is the most bytes that are reserved for one record at once.
const maxReserved = 64 << 20

// withRoom returns b with room for n bytes more, where that is worth a thought:
// a record that outgrows a line buffer gets room for the longest that is kept,
// most bytes, at once. Growing step by step would keep several copies alive.
// Room that is not used is not touched, and costs no memory.
func withRoom(b []byte, n int, most uint64) []byte {
	if need := len(b) + n; need <= cap(b) || need <= lineBuffer || most > maxReserved || uint64(need) > most {
		return b
	}
	return slices.Grow(b, int(most)-len(b))
}
