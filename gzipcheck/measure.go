package gzipcheck

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/harden-input/harden/internal/refill"
	"github.com/harden-input/harden/rule"
)

// windowSize is how much of a stream is looked at in one piece. A scanner and
// a window together stay below the 512 KiB that MeasureReader may use.
const windowSize = 128 << 10

var scanners = sync.Pool{New: func() any { return new(scanner) }}

func getScanner(lim Limits) *scanner {
	s := scanners.Get().(*scanner)
	s.reset(lim)
	return s
}

func putScanner(s *scanner) {
	s.m, s.last = Measurement{}, rule.Violation{} // must not outlive the call in the pool
	scanners.Put(s)
}

var windows = sync.Pool{New: func() any { return new([windowSize]byte) }}

// Measure walks all members of src without decompressing and returns what they
// cost. The error is the first violation whose default severity is error, a
// *rule.Violation; less serious ones are in Violations alone. A clean payload
// costs no allocation.
//
// The CRC-32 is not verified, see [Decoder].
func Measure(src []byte, lim Limits) (Measurement, error) {
	s := getScanner(lim)
	defer putScanner(s)
	s.scan(src, true)
	s.settle()
	m := s.measurement()
	return m, m.Violations.Err()
}

// MeasureReader is Measure for a stream, in constant memory: verdict, rules and
// offsets are those of Measure on the same bytes. size is the number of bytes
// that r will give, −1 where it is unknown.
//
// An error of r, or an input that does not have the size it was said to have,
// is returned as it is and leaves the measurement incomplete. Only io.EOF ends
// the input; a reader that returns nothing a hundred times in a row gives
// io.ErrNoProgress.
func MeasureReader(r io.Reader, size int64, lim Limits) (Measurement, error) {
	s := getScanner(lim)
	defer putScanner(s)
	window := windows.Get().(*[windowSize]byte)
	defer windows.Put(window)
	in := refill.Source{R: r}
	have := 0
	for !s.over() {
		n, err := in.Read(window[have:])
		have += n
		if err != nil && !errors.Is(err, io.EOF) {
			return s.measurement(), err
		}
		last := err != nil
		if last && size >= 0 && s.pos+int64(have) != size {
			return s.measurement(), &SizeError{Said: size, Read: s.pos + int64(have)}
		}
		used := s.scan(window[:have], last)
		have = copy(window[:], window[used:have])
	}
	s.settle()
	m := s.measurement()
	return m, m.Violations.Err()
}

// A SizeError says that an input was not as long as its size was said to be:
// the file changed while it was read.
type SizeError struct {
	Said, Read int64 // bytes
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("the input changed while it was read: %d bytes, said to be %d", e.Read, e.Said)
}
