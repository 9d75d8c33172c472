package gzipcheck

import (
	"bufio"
	"errors"
	"hash/crc32"
	"io"

	"github.com/harden-input/harden/internal/refill"
	"github.com/harden-input/harden/rule"
)

// A Reader decompresses a stream of members under limits. Compressed bytes are
// measured before they are inflated, so that a limit is enforced before its
// cost is paid; trailers are verified against length and CRC-32.
//
// A Reader is not safe for concurrent use. Close it, so that what it took from
// pools returns there.
type Reader struct {
	in     refill.Source
	s      *scanner
	f      *inflater
	feed   *bufio.Reader // the present member's body, as far as it was measured
	window *[windowSize]byte
	// window[begin:measured] was measured and not yet inflated,
	// window[measured:end] was not yet measured.
	begin, measured, end int

	collect   bool
	inMember  bool   // the inflater is in a member's body
	crc       uint32 // of the present member's content so far
	delivered uint64 // bytes returned by Read
	inputEOF  bool
	err       error // what Read returns from now on
}

// NewReader returns a Reader of the gzip stream r that refuses what is above
// lim. It reads nothing yet.
func NewReader(r io.Reader, lim Limits) *Reader {
	z := &Reader{
		in:     refill.Source{R: r},
		s:      getScanner(lim),
		f:      getInflater(),
		window: windows.Get().(*[windowSize]byte),
	}
	z.feed = bufio.NewReaderSize((*bodyFeed)(z), 4<<10)
	return z
}

// CollectAll makes Read go on past violations after which reading can go on
// (a forged ISIZE, a wrong CRC-32): they are found in Measurement alone. By
// default Read returns the first violation whose default severity is error.
func (z *Reader) CollectAll(on bool) { z.collect = on }

// errClosed is what Read returns after Close.
var errClosed = errors.New("gzipcheck: read from a closed reader")

// Read returns content. At the end of the last member it returns io.EOF; a
// *rule.Violation where the payload is at fault, after all content that comes
// before the violation; else an error of the underlying reader, wrapped.
func (z *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, z.err
	}
	for z.err == nil {
		if !z.inMember {
			z.err = z.nextMember()
			continue
		}
		n, err := z.f.flate.Read(p)
		z.crc = crc32.Update(z.crc, crc32.IEEETable, p[:n])
		z.delivered += uint64(n)
		if err != nil {
			z.err = z.endMember(err)
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, z.err
}

// Measurement returns what was found so far. Violations holds only what Read
// has come to; the measuring pass may be ahead of it by a window.
func (z *Reader) Measurement() Measurement {
	if z.s == nil {
		return Measurement{}
	}
	m := z.s.measurement()
	if !m.Complete {
		m.Decompressed = z.delivered
	}
	return m
}

// Close releases what the Reader holds. It does not close the underlying
// reader. Later calls of Read fail; a second Close does nothing.
func (z *Reader) Close() error {
	if z.s == nil {
		return nil
	}
	putScanner(z.s)
	z.f.put()
	windows.Put(z.window)
	z.s, z.f, z.window, z.feed = nil, nil, nil, nil
	z.in, z.err = refill.Source{}, errClosed
	return nil
}

// nextMember reads on until the next member's body begins. It returns io.EOF
// where the payload has ended.
func (z *Reader) nextMember() error {
	for z.s.section != inBody {
		if err := z.advance(); err != nil {
			return err
		}
		z.begin = z.measured
		if z.s.over() {
			if z.s.section == atEnd {
				return io.EOF
			}
			return z.violation()
		}
	}
	z.feed.Reset((*bodyFeed)(z))
	if err := z.f.flate.Reset(z.feed, nil); err != nil {
		return errDisagree("a member", err)
	}
	z.inMember, z.crc = true, 0
	return nil
}

// endMember is called when the inflater returned err: io.EOF at the end of a
// body, or what ended it early.
func (z *Reader) endMember(err error) error {
	z.inMember = false
	// The inflater may see an invalid symbol in fewer bits than the measuring
	// pass, which has the say: it goes on to its own end.
	for z.s.section == inBody {
		z.begin = z.measured
		if err := z.advance(); err != nil {
			return err
		}
	}
	if z.s.over() { // by the violation that cut the body short
		return z.violation()
	}
	if err != io.EOF {
		return errDisagree("a member", err)
	}
	for z.s.section == inTrailer {
		if err := z.advance(); err != nil {
			return err
		}
		z.begin = z.measured
	}
	if z.s.section == stopped {
		return z.violation()
	}
	if v := checkSum(z.crc, z.s.trailer[:], z.s.pos-trailerSize); v != nil {
		z.s.m.Violations.Add(*v.(*rule.Violation))
	}
	if z.collect {
		return nil
	}
	return z.violation()
}

// violation returns the first violation that is an error, if there is one.
func (z *Reader) violation() error {
	z.s.settle()
	return z.s.m.Violations.Err()
}

// advance makes one step of the measuring pass, reading input as it is needed.
func (z *Reader) advance() error {
	before := z.s.section
	z.measured += z.s.step(z.window[z.measured:z.end], z.inputEOF)
	if z.s.section != before {
		return nil
	}
	if z.inputEOF {
		z.s.cutOff(z.end - z.measured)
		return nil
	}
	if z.begin == z.measured { // nothing waits to be inflated: the window may move
		z.end = copy(z.window[:], z.window[z.measured:z.end])
		z.begin, z.measured = 0, 0
	}
	if z.end == len(z.window) {
		return nil
	}
	n, err := z.in.Read(z.window[z.end:])
	z.end += n
	if errors.Is(err, io.EOF) {
		z.inputEOF = true
		return nil
	}
	return err
}

// bodyFeed gives the inflater the measured bytes of the present member's body
// and io.EOF behind them.
type bodyFeed Reader

func (b *bodyFeed) Read(p []byte) (int, error) {
	z := (*Reader)(b)
	for z.begin == z.measured {
		if z.s.section != inBody {
			return 0, io.EOF
		}
		if err := z.advance(); err != nil {
			return 0, err
		}
	}
	n := copy(p, z.window[z.begin:z.measured])
	z.begin += n
	return n, nil
}
