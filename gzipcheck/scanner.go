package gzipcheck

import (
	"math"
	"math/bits"

	"github.com/harden-input/harden/internal/deflate"
	"github.com/harden-input/harden/rule"
)

// Work units of Limits.MaxWork that deflate does not count itself.
const (
	workPerMember = 256
	workPerByte   = 16
	ratioFrom     = 1 << 20 // output below this is never judged by its ratio
)

// section is the part of a payload that the scanner is in.
type section uint8

const (
	inHeader section = iota
	inBody
	inTrailer
	afterMember
	inPadding
	atEnd   // the input ended where it may
	stopped // a violation ended the pass
)

// A scanner walks the members of a payload that arrives in any pieces. It is
// the one engine behind Measure, MeasureReader, Decoder and Reader.
//
// It is large, for it holds deflate's tables: take it from the pool.
type scanner struct {
	lim     Limits
	section section
	m       Measurement
	pos     int64 // offset in the payload of the first byte not consumed
	start   int64 // offset of the present member's body, or of padding
	header  header
	trailer [trailerSize]byte
	fill    int // bytes that trailer holds
	// lastEmptyBGZF reports whether the last whole member is a BGZF end marker.
	lastEmptyBGZF bool
	last          rule.Violation // what ended the pass, until it is settled
	bodyOpen      bool           // the meter's totals are not in m yet
	meter         deflate.Meter
}

// reset makes s ready for a payload, without clearing deflate's tables.
func (s *scanner) reset(lim Limits) {
	s.lim = lim
	s.section = inHeader
	s.m = Measurement{}
	s.pos, s.start, s.fill = 0, 0, 0
	s.bodyOpen = false
	s.last = rule.Violation{}
	s.header = header{}
	s.lastEmptyBGZF = false
}

// step consumes bytes of src that belong to the present section and returns how
// many. last tells that nothing follows src. A section that is still the same
// afterwards needs more input: the bytes that were not consumed must come
// again, with more behind them.
func (s *scanner) step(src []byte, last bool) int {
	var n int
	switch s.section {
	case inHeader:
		n = s.stepHeader(src)
	case inBody:
		n = s.stepBody(src, last)
	case inTrailer:
		n = s.stepTrailer(src)
	case afterMember:
		n = s.stepAfter(src, last)
	case inPadding:
		n = s.stepPadding(src, last)
	}
	s.pos += int64(n)
	s.m.Compressed = uint64(s.pos)
	return n
}

// scan steps through src until the payload is over or more input is needed, and
// returns how many bytes it consumed.
func (s *scanner) scan(src []byte, last bool) int {
	n := 0
	for {
		before := s.section
		n += s.step(src[n:], last)
		if s.over() {
			return n
		}
		if s.section == before {
			if last {
				s.cutOff(len(src) - n)
			}
			return n
		}
	}
}

// over reports whether the pass has ended.
func (s *scanner) over() bool { return s.section >= atEnd }

// cutOff ends the pass at the end of an input that has left bytes which are too
// few for the present section.
func (s *scanner) cutOff(left int) {
	part := "header"
	switch s.section {
	case inBody:
		part = "compressed data"
	case inTrailer:
		part = "trailer"
	}
	s.stop(rule.Violation{Rule: &truncated, Offset: s.pos + int64(left), Detail: part,
		Message: "input ends inside a member's {detail}"})
}

// stop ends the pass with v, which settle records.
func (s *scanner) stop(v rule.Violation) {
	s.last = v
	s.section = stopped
}

// settle records the violation that ended the pass. Reader puts it off until
// all content before the violation is delivered.
func (s *scanner) settle() {
	if s.section == stopped && s.last.Rule != nil {
		s.m.Violations.Add(s.last)
		s.m.Compressed = uint64(s.last.Offset)
		s.last = rule.Violation{}
	}
}

func (s *scanner) stepHeader(src []byte) int {
	n, done := s.header.parse(src, s.lim.MaxHeaderSize, func(p headerProblem) {
		v := rule.Violation{Rule: p.rule, Offset: s.pos + p.at, Message: p.message,
			Declared: p.declared, Actual: p.actual, Detail: p.detail}
		if p.rule.Kind == rule.Limit {
			v.LimitValue, v.Unit = rule.N(s.lim.MaxHeaderSize), rule.UnitBytes
		}
		if p.rule.Stops {
			s.stop(v)
			return
		}
		s.m.Violations.Add(v)
	})
	s.m.LargestHeader = max(s.m.LargestHeader, s.header.size)
	if done {
		s.beginMember(s.pos + int64(n))
	}
	return n
}

// beginMember counts the member whose body starts at offset body.
func (s *scanner) beginMember(body int64) {
	at := s.start
	s.start = body
	s.m.Members++
	if rule.Exceeds(s.m.Members, s.lim.MaxMembers) {
		s.stop(rule.Violation{Rule: &memberCount, Offset: at, Unit: "members",
			LimitValue: rule.N(s.lim.MaxMembers), Message: "more than {limit} members"})
		return
	}
	switch s.m.Members {
	case 1:
		s.m.BGZF = s.header.isBGZF
	case 2:
		s.m.Violations.Add(rule.Violation{Rule: &multiMember, Offset: at,
			Message: "a second member follows: the last trailer does not tell the whole length"})
	}
	s.m.Work += workPerMember
	s.meter.Reset()
	s.bodyOpen = true
	if b := s.budget(); b.Work < 0 || b.WorkMax < 0 {
		s.overWork(at)
		return
	}
	s.section = inBody
}

func (s *scanner) stepBody(src []byte, last bool) (n int) {
	for {
		used, status := s.meter.Run(src[n:], last, s.budget())
		n += used
		switch status {
		case deflate.Done:
			s.endBody()
			return n
		case deflate.OverOutput:
			if !s.overOutput() {
				continue // only the ratio asked to be looked at again
			}
		case deflate.OverWork:
			s.overWork(s.token())
		case deflate.Malformed:
			s.malformed(s.meter.Err())
		}
		return n
	}
}

func (s *scanner) malformed(err *deflate.Error) {
	v := rule.Violation{Rule: &deflateMalformed, Offset: s.token(), Message: err.Reason.String()}
	if err.Reason == deflate.DistanceTooFar {
		v.Declared, v.Actual, v.Unit = rule.N(err.Distance), rule.N(err.Produced), rule.UnitBytes
		v.Message = "a match reaches {declared} bytes back where the member has {actual}"
	}
	s.stop(v)
}

// token is the offset of the byte that holds the first bit of the block header
// or symbol at which the meter stopped.
func (s *scanner) token() int64 { return s.start + int64(s.meter.BitOffset()/8) }

// decompressed is the output of all members so far, the present one included.
func (s *scanner) decompressed() uint64 { return s.m.Decompressed + s.meter.Out }

// budget translates the limits for all members into what is left of them for
// the present one.
func (s *scanner) budget() deflate.Budget {
	b := deflate.Budget{Output: math.MaxUint64, Work: math.MaxInt64, WorkMax: math.MaxInt64}
	done := s.m.Decompressed
	if s.lim.MaxDecompressedSize != 0 {
		b.Output = s.lim.MaxDecompressedSize - done
	}
	if s.lim.MaxRatio != 0 {
		b.Output = min(b.Output, max(s.ratioAllows(), done)-done)
	}
	if s.lim.MaxWork != 0 {
		b.Work = saturate(s.lim.MaxWork, done, workPerByte) - int64(s.m.Work)
		if s.lim.MaxDecompressedSize != 0 {
			b.WorkMax = saturate(s.lim.MaxWork, s.lim.MaxDecompressedSize, 1) - int64(s.m.Work)
		}
	}
	return b
}

// ratioAllows is the output that the input up to the present token may have.
func (s *scanner) ratioAllows() uint64 {
	high, low := bits.Mul64(s.lim.MaxRatio, uint64(s.token()))
	if high != 0 {
		return math.MaxUint64
	}
	return max(low, ratioFrom)
}

// saturate returns a + n*each, at most what leaves an int64 room for sums.
func saturate(a, n, each uint64) int64 {
	const most = math.MaxInt64 / 4
	high, product := bits.Mul64(n, each)
	sum, carry := bits.Add64(a, product, 0)
	if high != 0 || carry != 0 || sum > most {
		return most
	}
	return int64(sum)
}

// overOutput stops the pass if the output is above a limit. It returns false
// where it is not: the ratio's limit has grown with the input since.
func (s *scanner) overOutput() bool {
	out := s.decompressed()
	switch {
	case rule.Exceeds(out, s.lim.MaxDecompressedSize):
		s.stop(rule.Violation{Rule: &decompressedSize, Offset: s.token(), Unit: rule.UnitBytes,
			LimitValue: rule.N(s.lim.MaxDecompressedSize), Message: "content is longer than {limit} bytes"})
	case s.lim.MaxRatio != 0 && out > s.ratioAllows():
		s.stop(rule.Violation{Rule: &ratio, Offset: s.token(), Unit: "bytes of output for each byte of input",
			Actual: rule.N(out / max(1, uint64(s.token()))), LimitValue: rule.N(s.lim.MaxRatio),
			Message: "{actual} bytes of output for each byte of input, allowed are {limit}"})
	default:
		return false
	}
	return true
}

func (s *scanner) overWork(offset int64) {
	s.stop(rule.Violation{Rule: &work, Offset: offset, Unit: "work units",
		Actual: rule.N(s.m.Work + s.meter.Overhead()), LimitValue: rule.N(s.lim.MaxWork),
		Message: "blocks and members cost {actual} work units, more than {limit} and what the output justifies"})
}

// addBody brings the totals of the present member into m.
func (s *scanner) addBody(m *Measurement) {
	m.Decompressed += s.meter.Out
	m.LargestMember = max(m.LargestMember, s.meter.Out)
	m.Work += s.meter.Overhead()
	m.StoredBlocks += s.meter.Blocks.Stored
	m.FixedBlocks += s.meter.Blocks.Fixed
	m.DynamicBlocks += s.meter.Blocks.Dynamic
}

// measurement returns what was found so far, an unfinished member included.
func (s *scanner) measurement() Measurement {
	m := s.m
	if s.bodyOpen {
		s.addBody(&m)
	}
	return m
}

func (s *scanner) endBody() {
	s.addBody(&s.m)
	s.bodyOpen = false
	s.section, s.fill = inTrailer, 0
}

func (s *scanner) stepTrailer(src []byte) int {
	n := copy(s.trailer[s.fill:], src)
	s.fill += n
	if s.fill < trailerSize {
		return n
	}
	length := s.meter.Out
	at := s.pos + int64(n) - 4
	if _, isize := s.sums(); isize != uint32(length) {
		s.m.Violations.Add(rule.Violation{Rule: &isizeForged, Offset: at, Unit: rule.UnitBytes,
			Declared: rule.N(uint64(isize)), Actual: rule.N(length),
			Message: "trailer declares {declared} bytes, member holds {actual}"})
	} else if length > math.MaxUint32 {
		s.m.Violations.Add(rule.Violation{Rule: &isizeWrapped, Offset: at, Unit: rule.UnitBytes,
			Declared: rule.N(uint64(isize)), Actual: rule.N(length),
			Message: "trailer can only say {declared} bytes of a member that holds {actual}"})
	}
	s.lastEmptyBGZF = s.header.isBGZF && length == 0
	s.section = afterMember
	return n
}

// sums returns what the trailer that was read last states.
func (s *scanner) sums() (crc, isize uint32) {
	t := &s.trailer
	return uint32(t[0]) | uint32(t[1])<<8 | uint32(t[2])<<16 | uint32(t[3])<<24,
		uint32(t[4]) | uint32(t[5])<<8 | uint32(t[6])<<16 | uint32(t[7])<<24
}

// stepAfter decides by one byte what follows a member. It consumes nothing.
func (s *scanner) stepAfter(src []byte, last bool) int {
	if len(src) == 0 {
		if last {
			s.end(s.pos)
		}
		return 0
	}
	s.start = s.pos
	switch src[0] {
	case magic1:
		if len(src) > 1 && src[1] != magic2 {
			s.garbage()
			return 0
		}
		if len(src) == 1 && !last {
			return 0
		}
		s.header = header{}
		s.section = inHeader
	case 0:
		s.section = inPadding
	default:
		s.garbage()
	}
	return 0
}

// stepPadding consumes zeros. s.start is where they begin.
func (s *scanner) stepPadding(src []byte, last bool) int {
	n := 0
	for n < len(src) && src[n] == 0 {
		n++
	}
	s.m.TrailingZeros += uint64(n)
	switch {
	case n < len(src):
		s.garbage()
	case last:
		s.m.Violations.Add(rule.Violation{Rule: &trailingZeros, Offset: s.start, Unit: rule.UnitBytes,
			Actual: rule.N(s.m.TrailingZeros), Message: "{actual} zero bytes follow the last member"})
		s.end(s.start)
	}
	return n
}

func (s *scanner) garbage() {
	s.stop(rule.Violation{Rule: &trailingGarbage, Offset: s.start,
		Message: "bytes that are not a member follow the last member"})
}

// end ends a pass that came to the end of the input; the last member ended at
// offset at.
func (s *scanner) end(at int64) {
	if s.m.BGZF && !s.lastEmptyBGZF {
		s.m.Violations.Add(rule.Violation{Rule: &bgzfNoEOF, Offset: at,
			Message: "BGZF without its empty last member: probably cut off"})
	}
	s.m.Complete = true
	s.section = atEnd
}
