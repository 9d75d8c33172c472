package jsoncheck

import (
	"io"
	"math"
	"sync"

	"github.com/harden-input/harden/internal/refill"
	"github.com/harden-input/harden/rule"
)

// A scanner is the state of one pass over a text. It works over a window of
// the text: all of it, or what a reader has delivered lately.
type scanner struct {
	// The window. Index i of buf is the byte at base+i of the text. Places
	// that outlive a refill are kept as such sums.
	buf     []byte
	base    int64
	src     refill.Source // R is nil where the window is the whole text
	memory  []byte        // what buf is cut from, for a reader
	ended   bool          // src has no more
	readErr error         // why, where that was not the end of input

	// Limits, none made unlimited.
	maxDepth, maxString, maxName, maxNumber, maxExponent int64
	maxEntries, maxElements                              int64
	valuesLeft, decodedLeft                              int64
	// shortNumbers says that none of the numbers that the main loop takes
	// by itself can break a limit.
	shortNumbers bool
	limits       Limits

	m Measurement

	// newLine says that a line ended after the root value.
	newLine bool

	// head is how the text starts; what it lacks in length is filled with
	// bytes that are not zero.
	head [4]byte

	// The containers. levels holds, for each open container but the innermost,
	// 8 bytes in pages that are reached without copying: the number of entries
	// begun, and what kind of container it is. depth, entries and kind are
	// those of the innermost, up to date only while run has called out.
	first   page
	pages   []*page // those after the first
	depth   int
	entries int64
	kind    kind

	names
}

// A page holds the levels of pageLevels containers.
type page [pageLevels]uint64

const (
	pageLevels = 512
	levelMask  = pageLevels - 1
)

// kind is what a value is inside of.
type kind uint64

const (
	inRoot kind = iota
	inArray
	inObject
)

const kindBits = 2

var pool = sync.Pool{New: func() any { return new(scanner) }}

// begin readies s for a text under lim.
func (s *scanner) begin(lim *Limits) {
	s.limits = *lim
	s.maxDepth = min(ceiling(lim.MaxDepth), math.MaxInt)
	s.maxString = ceiling(lim.MaxStringLength)
	s.maxName = ceiling(lim.MaxNameLength)
	s.maxNumber = ceiling(lim.MaxNumberLength)
	s.maxExponent = ceiling(lim.MaxExponent)
	s.maxEntries = ceiling(lim.MaxObjectEntries)
	s.maxElements = ceiling(lim.MaxArrayElements)
	s.valuesLeft = ceiling(lim.MaxValues)
	s.decodedLeft = ceiling(lim.MaxDecodedSize)
	s.shortNumbers = s.maxNumber >= shortNumber && s.maxExponent >= 99+shortNumber
	s.m = Measurement{}
	s.depth, s.entries, s.kind = 0, 0, inRoot
	s.newLine = false
	s.beginNames()
}

// end forgets the text, and memory that only a text out of the ordinary needs.
func (s *scanner) end() {
	s.buf, s.src = nil, refill.Source{}
	s.m = Measurement{}
	s.readErr = nil
	if len(s.pages) > keptPages {
		s.pages = nil
	}
}

// keptPages is how many pages a pooled scanner keeps, at 4 KiB each.
const keptPages = 8

// measure makes one pass over src or, where r is not nil, over what r delivers.
func (s *scanner) measure(src []byte, r io.Reader, size int64, lim *Limits) (Measurement, error) {
	s.begin(lim)
	s.open(src, r, size)
	s.run(s.start())
	m := s.m
	m.DecodedSize = uint64(ceiling(lim.MaxDecodedSize) - s.decodedLeft)
	err := s.readErr
	s.end()
	if err != nil {
		m.Complete = false
		return m, err
	}
	return m, m.Violations.Err()
}

// start skips a byte order mark, and returns where the text starts.
func (s *scanner) start() int {
	const bom = "\xef\xbb\xbf"
	for len(s.buf) < len(s.head) {
		if _, _, ok := s.more(0); !ok {
			break
		}
	}
	s.head = [4]byte{1, 1, 1, 1}
	copy(s.head[:], s.buf)
	if len(s.buf) >= len(bom) && string(s.buf[:len(bom)]) == bom {
		s.m.Violations.Add(rule.Violation{
			Rule:    &Rules[ruleBOM],
			Message: "text starts with a UTF-8 byte order mark, which RFC 8259 forbids senders to add",
		})
		return len(bom)
	}
	return 0
}

// pageOf returns the page that holds level, making it if it is the next one.
func (s *scanner) pageOf(level int) *page {
	n := level / pageLevels
	if n == 0 {
		return &s.first
	}
	if n > len(s.pages) {
		s.pages = append(s.pages, new(page))
	}
	return s.pages[n-1]
}

// level returns the number of entries begun in the container at level, 0 being
// the outermost, and the container's kind.
func (s *scanner) level(level int) (entries int64, k kind) {
	if level == s.depth-1 {
		return s.entries, s.kind
	}
	packed := s.pageOf(level + 1)[(level+1)&levelMask]
	return int64(packed >> kindBits), kind(packed & (1<<kindBits - 1))
}
