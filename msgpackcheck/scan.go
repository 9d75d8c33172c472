package msgpackcheck

import (
	"hash/maphash"
	"io"
	"math"
	"sync"

	"github.com/harden-input/harden/internal/keyset"
	"github.com/harden-input/harden/internal/refill"
	"github.com/harden-input/harden/rule"
)

const (
	// windowSize is the bytes of input that a reader's window holds.
	windowSize = 64 << 10
	// unknownSize stands for the size of an input that may never end. No
	// input can be longer, so that what is owed stays below 2⁶³.
	unknownSize = math.MaxInt64
	// oversizedBy is how far beyond the rest of the input a str, bin or ext
	// must reach to be called forged rather than cut off.
	oversizedBy = 64 << 10
)

// A scan walks values without recursion. It is the engine behind every entry
// point of the package, working over a window of the input: all of a slice, or
// what was read last of a reader.
//
// Its invariant: what all open containers are still owed, outer + left, is
// never more than the bytes of input left, as far as the input's size is known.
type scan struct {
	buf  []byte
	pos  int   // of the next byte in buf
	base int64 // offset of buf[0] in the input
	size int64 // of the input, or unknownSize

	// A reader's side. For a slice, src.R is nil and ended is true.
	src   refill.Source
	ended bool // the reader has nothing more
	err   error

	lim    Limits // effective: no zero but MaxTrackedKeys and Checks
	checks Checks
	m      Measurement

	// The innermost open container, or the place of the root, which is owed
	// one value.
	left  uint64 // values it is still owed: two for each pair of a map
	isMap bool
	depth int
	outer uint64 // values owed by the containers around it
	// promised counts all values that there will be: 1 + what headers promised.
	promised uint64
	levels   levels // the containers around it

	stopped bool // a violation ended the pass

	trail trail
	keys  keyset.Set
	str   strReader
	sink  *builder // where values go, in a reader that decodes
	// unhurried keeps the fast loop out, for tests and for decoding.
	unhurried bool

	window []byte // backs buf over a reader
}

var scans = sync.Pool{New: func() any { return new(scan) }}

// newScan returns a scan over the slice src, or over r if src is nil.
func newScan(src []byte, r io.Reader, size int64, lim Limits) *scan {
	s := scans.Get().(*scan)
	s.lim, s.checks = lim.effective(), lim.Checks
	s.base, s.pos, s.err, s.sink, s.unhurried = 0, 0, nil, nil, false
	if r == nil {
		s.buf, s.size, s.ended = src, int64(len(src)), true
	} else {
		if s.window == nil {
			s.window = make([]byte, 0, windowSize)
		}
		s.buf, s.size, s.ended = s.window[:0], size, false
		s.src = refill.Source{R: r}
		if size < 0 {
			s.size = unknownSize
		}
	}
	s.start()
	return s
}

// free gives s back. Nothing in the pool keeps the input alive.
func (s *scan) free() {
	s.buf, s.src, s.err, s.sink, s.m = nil, refill.Source{}, nil, nil, Measurement{}
	if len(s.levels.pages) > keptPages {
		s.levels.pages = nil
	}
	scans.Put(s)
}

// start prepares for the next value at the current place.
func (s *scan) start() {
	s.m = Measurement{}
	s.left, s.isMap, s.depth, s.outer, s.promised = 1, false, 0, 0, 1
	s.levels.clear()
	s.stopped = false
	s.trail.clear()
	if s.checks&DuplicateKeys != 0 {
		s.keys.Reset(s.lim.MaxTrackedKeys)
		s.trail.unchecked = false
	}
}

// value walks one value to its end, or until something stops it.
func (s *scan) value() {
	from := s.offset()
	for {
		if !s.unhurried {
			s.run()
		}
		for s.left == 0 && s.depth > 0 {
			s.close()
		}
		if s.left == 0 || s.stopped {
			break
		}
		s.step()
		if s.stopped {
			break
		}
	}
	s.m.Consumed = uint64(s.offset() - from)
	s.m.Values = s.promised - s.outer - s.left
	s.m.Complete = s.left == 0 && s.depth == 0 && !s.stopped
	s.m.Canonical = s.m.Complete && s.checks&Canonical != 0 && s.m.Violations.Count(Rules[nonCanonical].ID) == 0
}

// end judges what follows the one value that was asked for.
func (s *scan) end() {
	if !s.m.Complete || !s.need(1) {
		s.m.Complete = s.m.Complete && s.err == nil
		return
	}
	v := rule.Violation{Unit: rule.UnitBytes, Message: "bytes follow the value"}
	if s.size != unknownSize {
		left := uint64(max(1, s.rest()))
		v.Actual = rule.N(left)
		v.Message = "{actual} bytes follow the value"
		if left == 1 {
			v.Message = "{actual} byte follows the value"
		}
	}
	s.m.Complete, s.m.Canonical = false, false
	s.addAt(trailingData, s.offset(), "", v)
}

// offset returns the offset of the next byte in the input.
func (s *scan) offset() int64 { return s.base + int64(s.pos) }

// rest returns how many bytes are left of the input, at most.
func (s *scan) rest() int64 { return max(0, s.size-s.offset()) }

// need makes n bytes available from pos on, n at most wholeSize. Where the
// input has fewer it returns false.
func (s *scan) need(n int) bool {
	for len(s.buf)-s.pos < n {
		if s.ended || !s.fill() {
			return false
		}
	}
	return true
}

// fill reads more of the input behind what is in the window. It makes room
// only where none is left, so that it moves less than it reads.
func (s *scan) fill() bool {
	if len(s.buf) == cap(s.buf) {
		s.discard()
	}
	n, err := s.src.Read(s.buf[len(s.buf):cap(s.buf)])
	s.buf = s.buf[:len(s.buf)+n]
	if err != nil {
		s.ended = true
		if err != io.EOF {
			s.err = err
		}
		return false
	}
	return true
}

// discard drops what the window holds before pos, after saving the keys there
// that a pointer may still need.
func (s *scan) discard() {
	s.saveKeys()
	n := copy(s.buf, s.buf[s.pos:])
	s.buf = s.buf[:n]
	s.base += int64(s.pos)
	s.pos = 0
}

// strReader judges a str that is longer than the window, chunk by chunk.
type strReader struct {
	tail    [4]byte // an unfinished character of the chunk before
	tailLen int
	hash    maphash.Hash
}

// Measure walks the one value that src must hold and returns what it would
// cost to decode. The error is the first violation whose rule is an error by
// default, a *[rule.Violation]; Measurement.Violations has all of them.
//
// Measure takes time linear in len(src) and at most 8 bytes of memory for every
// nesting level beyond a fixed size, whatever src declares. Without checks a
// clean src costs no allocation.
func Measure(src []byte, lim Limits) (Measurement, error) {
	s := newScan(src, nil, 0, lim)
	s.value()
	s.end()
	m := s.m
	s.free()
	return m, m.Violations.Err()
}

// MeasureReader is [Measure] for input from r, of size bytes, or of any size
// where that is −1. It reads to the end of input, and uses at most 512 KiB, 8
// bytes a nesting level, and 32 to 46 bytes for each tracked key.
//
// The verdict is that of Measure, however the bytes are cut into reads. Where
// the size is unknown, a header can only be called oversized once it promises
// more than any input can hold; a forged one is then refused by a limit, or as
// truncated where the input ends.
//
// Only io.EOF ends the input. Any other error of r, io.ErrUnexpectedEOF
// included, is returned wrapped, and the measurement is incomplete.
func MeasureReader(r io.Reader, size int64, lim Limits) (Measurement, error) {
	s := newScan(nil, r, size, lim)
	s.value()
	s.end()
	m, err := s.m, s.err
	s.free()
	if err != nil {
		return m, err
	}
	return m, m.Violations.Err()
}
