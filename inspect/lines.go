package inspect

import (
	"bytes"
	"io"
	"math"
)

// lineBuffer is from which length on a line is judged as it is read, instead
// of in one piece.
const lineBuffer = 256 << 10

// lines splits a stream into lines in constant memory. After next, whole
// returns the line if it is shorter than lineBuffer; else Read gives its bytes
// and skip drops the rest.
type lines struct {
	number uint64 // of the present line, from 1
	at     int64  // where it starts in the stream

	r          io.Reader
	clock      *recordClock
	buf        []byte
	start, end int   // what is in buf and not yet used
	offset     int64 // in the stream, of buf[start]
	err        error // what ended the stream, io.EOF included

	line    []byte // the present line without its line feed, if isWhole
	isWhole bool
	open    bool   // a long line has not been read to its end
	seen    uint64 // bytes of a long line so far
	most    uint64 // bytes of a long line that Read gives, 0: all
	last    byte   // the last byte of a long line so far
	feed    bool   // the line ended in a line feed

	// What is kept of a long line, for who wants the records: nothing unless
	// keeps, and no more than keepMost bytes.
	keeps    bool
	keepMost uint64
	kept     []byte
}

func newLines(r io.Reader, clock *recordClock) *lines {
	return &lines{r: r, clock: clock, buf: make([]byte, lineBuffer)}
}

// next goes to the next line that is not blank. It returns false at the end of
// the stream; failure tells whether that is a regular one.
func (l *lines) next() bool {
	for l.advance() {
		if !l.isWhole || !blank(l.line) {
			return true
		}
	}
	return false
}

// blank reports whether a line holds nothing but JSON's white space.
func blank(line []byte) bool {
	return len(line) == 0 || line[0] <= ' ' && len(bytes.Trim(line, " \t\r")) == 0
}

// advance goes to the next line.
func (l *lines) advance() bool {
	l.line, l.isWhole, l.seen, l.most, l.last, l.feed = nil, false, 0, 0, 0, false
	l.kept = l.kept[:0]
	l.clock.end()
	for scanned := 0; ; {
		rest := l.buf[l.start:l.end]
		if i := bytes.IndexByte(rest[scanned:], '\n'); i >= 0 {
			l.take(scanned+i, true)
			return true
		}
		scanned = len(rest)
		switch {
		case scanned == len(l.buf):
			l.number++
			l.at, l.open = l.offset, true
			return true
		case l.err == nil:
			if scanned > 0 {
				l.clock.begin()
			}
			l.fill()
		case l.err == io.EOF && scanned > 0:
			l.take(scanned, false)
			return true
		default:
			return false
		}
	}
}

// take makes the next n bytes the present line.
func (l *lines) take(n int, feed bool) {
	l.number++
	l.at = l.offset
	l.line, l.isWhole, l.feed = l.buf[l.start:l.start+n], true, feed
	l.use(n)
	if feed {
		l.use(1)
	}
}

func (l *lines) use(n int) {
	l.start += n
	l.offset += int64(n)
}

// fill reads more into buf, moving what is in it to the front.
func (l *lines) fill() {
	if l.start > 0 {
		l.end = copy(l.buf, l.buf[l.start:l.end])
		l.start = 0
	}
	n, err := l.r.Read(l.buf[l.end:])
	l.end += n
	l.err = err
}

// whole returns the present line without its line feed, if it is in memory.
func (l *lines) whole() ([]byte, bool) { return l.line, l.isWhole }

// stopAt makes Read end a long line after most bytes, 0 being no limit.
func (l *lines) stopAt(most uint64) { l.most = most }

// Read gives the bytes of a long line, and io.EOF at its end.
func (l *lines) Read(p []byte) (int, error) {
	if l.most != 0 {
		p = p[:min(uint64(len(p)), l.most-min(l.seen, l.most))]
	}
	part := l.more()
	if len(part) == 0 || len(p) == 0 {
		if l.failure() != nil {
			return 0, l.err
		}
		return 0, io.EOF
	}
	n := copy(p, part)
	l.consume(part[:n])
	return n, nil
}

// more returns bytes of a long line that are in memory, none at its end.
func (l *lines) more() []byte {
	for l.open {
		part := l.buf[l.start:l.end]
		i := bytes.IndexByte(part, '\n')
		switch {
		case i == 0:
			l.use(1)
			l.open, l.feed = false, true
		case i > 0:
			return part[:i]
		case len(part) > 0:
			return part
		case l.err != nil:
			l.open = false
		default:
			l.fill()
		}
	}
	return nil
}

func (l *lines) consume(part []byte) {
	l.seen += uint64(len(part))
	l.last = part[len(part)-1]
	if l.keeps {
		part := part[:min(uint64(len(part)), l.keepMost-min(l.keepMost, uint64(len(l.kept))))]
		l.kept = append(withRoom(l.kept, len(part), l.keepMost), part...)
	}
	l.use(len(part))
}

// skip drops what is left of a long line.
func (l *lines) skip() {
	for part := l.more(); len(part) > 0; part = l.more() {
		l.consume(part)
	}
}

// keepUpTo says how many bytes of a long line are kept from here on: no more
// than most in all, 0 being no limit.
func (l *lines) keepUpTo(most uint64) {
	if most == 0 {
		most = math.MaxUint64
	}
	l.keepMost = most
}

// text returns what is known of the present line, which was read.
func (l *lines) text() []byte {
	if l.isWhole {
		return l.line
	}
	return l.kept
}

// lineEnd returns what stands behind the present line, which was read.
func (l *lines) lineEnd() string {
	if l.feed {
		return "\n"
	}
	return ""
}

// length is the length in bytes of the present line, once it was read.
func (l *lines) length() uint64 {
	if l.isWhole {
		return uint64(len(l.line))
	}
	return l.seen
}

// cutNumber reports whether the present line ends the stream without a line
// feed and in a digit: more digits may be missing.
func (l *lines) cutNumber() bool {
	last := l.last
	if l.isWhole && len(l.line) > 0 {
		last = l.line[len(l.line)-1]
	}
	return !l.feed && last >= '0' && last <= '9'
}

// failure returns what ended the stream before its end, if anything did.
func (l *lines) failure() error {
	if l.err == io.EOF {
		return nil
	}
	return l.err
}
