package msgpackcheck

import (
	"math"
	"unicode/utf8"

	"github.com/harden-input/harden/internal/anycost"
	"github.com/harden-input/harden/internal/pointer"
	"github.com/harden-input/harden/rule"
)

// wholeSize is the longest payload that a reader's window gathers before it is
// judged; a longer one is judged in chunks.
const wholeSize = 4096

// element is the value that step is at.
type element struct {
	header
	at    int64 // offset of its header
	isKey bool
	// length is what the header of a container, str, bin or ext declares.
	length uint64
	ext    int8 // type of an ext
}

// step walks the header of one value and, where it is no container, its
// payload. It is the whole meaning of the format: run only takes short cuts.
func (s *scan) step() {
	e := element{at: s.offset(), isKey: s.isMap && s.left&1 == 0}
	if e.isKey && s.depth <= len(s.trail.places) {
		s.trail.places[s.depth-1].keyAt = e.at
	}
	s.left--
	if !s.need(1) {
		s.cut(e.at, rule.Violation{Message: "input ends before a promised value"})
		s.left++
		return
	}
	e.header = headers[s.buf[s.pos]]
	if e.kind == reserved {
		s.add(reservedByte, e.at, rule.Violation{Message: "0xc1 starts no value"})
		return
	}
	if !s.need(int(e.size)) {
		s.cut(e.at, rule.Violation{Message: "input ends inside a header: {detail}", Detail: e.kind.noun()})
		return
	}
	b := s.buf[s.pos:]
	switch e.length = e.header.length(b); e.kind {
	case arrayKind, mapKind:
		s.open(&e)
	case extKind:
		e.ext = int8(b[e.size-1])
		s.payload(&e)
	case strKind, binKind:
		s.payload(&e)
	default:
		s.scalar(&e)
	}
}

// cut ends the pass where the input does.
func (s *scan) cut(at int64, v rule.Violation) {
	if s.err != nil {
		s.stopped = true
		return
	}
	s.add(truncated, at, v)
}

// open walks the header of an array or map and makes it the innermost
// container. What cannot be comes before what may not be.
func (s *scan) open(e *element) {
	s.pos += int(e.size)
	owes, cost := e.length, anycost.Slice+anycost.Slot*e.length
	if e.kind == mapKind {
		owes, cost = 2*e.length, anycost.MapSize(e.length)
	}
	owed, rest := s.outer+s.left, uint64(s.rest())
	if room := rest - min(owed, rest); owes > room {
		s.add(headerOversized, e.at, rule.Violation{
			Declared: rule.N(owes), Actual: rule.N(room), Unit: "values", Detail: e.kind.noun(),
			Message: "{detail} header promises {declared} values, at most {actual} can follow: forged or cut off",
		})
		return
	}
	if uint64(s.depth) >= s.lim.MaxDepth {
		s.add(depth, e.at, rule.Violation{
			Actual: rule.N(uint64(s.depth) + 1), LimitValue: rule.N(s.lim.MaxDepth), Unit: "levels",
			Message: "nested {actual} levels deep, the limit is {limit}",
		})
		return
	}
	id, limit, unit := arrayLength, s.lim.MaxArrayLength, "elements"
	if e.kind == mapKind {
		id, limit, unit = mapLength, s.lim.MaxMapLength, "pairs"
	}
	if e.length > limit {
		s.add(id, e.at, rule.Violation{
			Declared: rule.N(e.length), LimitValue: rule.N(limit), Unit: unit, Detail: e.kind.noun(),
			Message: "{detail} of {declared} " + unit + ", the limit is {limit}",
		})
		return
	}
	if s.promised+owes > s.lim.MaxValues {
		s.add(values, e.at, rule.Violation{
			Declared: rule.N(s.promised + owes), LimitValue: rule.N(s.lim.MaxValues), Unit: "values",
			Message: "{declared} values so far, the limit is {limit}",
		})
		return
	}
	if !s.charge(cost, e.at) {
		return
	}
	if e.kind == mapKind {
		s.m.Maps++
		s.m.LargestMap = max(s.m.LargestMap, e.length)
	} else {
		s.m.Arrays++
		s.m.LargestArray = max(s.m.LargestArray, e.length)
	}
	if s.checks&Canonical != 0 && (e.field == 2 && e.length < 16 || e.field == 4 && e.length <= math.MaxUint16) {
		s.add(nonCanonical, e.at, longer(e))
	}
	if e.isKey {
		s.checkKeyType(e)
	}
	if s.sink != nil {
		s.sink.open(e, s)
	}
	s.promised += owes
	s.push(owes, e.kind == mapKind, e.at)
}

// charge adds n bytes to the estimate of the decoded size, and reports whether
// the limit allows it.
func (s *scan) charge(n uint64, at int64) bool {
	sum := s.m.DecodedSize + n
	if sum < n {
		sum = math.MaxUint64
	}
	s.m.DecodedSize = sum
	if sum <= s.lim.MaxDecodedSize {
		return true
	}
	s.add(decodedSize, at, rule.Violation{
		Actual: rule.N(sum), LimitValue: rule.N(s.lim.MaxDecodedSize), Unit: rule.UnitBytes,
		Message: "decoded, the values so far take about {actual} bytes, the limit is {limit}",
	})
	return false
}

// numberCost is what a number costs boxed: Go keeps values below 256 without
// allocating for them.
func numberCost(c byte) uint64 {
	if k := headers[c].kind; c != 0xcc && (k == intKind || k == uintKind && c > 0x7f || k == floatKind) {
		return anycost.Number
	}
	return 0
}

// scalar walks a nil, bool or number.
func (s *scan) scalar(e *element) {
	n := int(e.size + e.inline)
	// Whatever is found, its pointer shows a key as a whole.
	there := s.need(n)
	if !s.charge(numberCost(s.buf[s.pos]), e.at) {
		return
	}
	if !there {
		s.cut(e.at, rule.Violation{Message: "input ends inside a value: {detail}", Detail: e.kind.noun()})
		return
	}
	b := s.buf[s.pos : s.pos+n]
	s.pos += n
	if s.checks&Canonical != 0 && (e.kind == uintKind || e.kind == intKind) && n > shortest(integer(b), e.kind == intKind) {
		s.add(nonCanonical, e.at, longer(e))
	}
	if e.isKey {
		s.checkKeyType(e)
		if s.checks&DuplicateKeys != 0 {
			s.checkDuplicate(e, scalarHash(s.keys.Seed(), b))
		}
	}
	if s.sink != nil {
		s.sink.scalar(e, b, s)
	}
}

// shortest returns the bytes of the shortest encoding of an integer, given as
// its bits.
func shortest(bits uint64, signed bool) int {
	if signed && int64(bits) < 0 {
		switch v := int64(bits); {
		case v >= -32:
			return 1
		case v >= math.MinInt8:
			return 2
		case v >= math.MinInt16:
			return 3
		case v >= math.MinInt32:
			return 5
		}
		return 9
	}
	switch {
	case bits < 128:
		return 1
	case bits <= math.MaxUint8:
		return 2
	case bits <= math.MaxUint16:
		return 3
	case bits <= math.MaxUint32:
		return 5
	}
	return 9
}

// payload walks a str, bin or ext.
func (s *scan) payload(e *element) {
	if e.isKey {
		// What is there of the key now is all that a pointer can show later.
		s.need(int(e.size) + int(min(e.length, pointer.KeptName)))
	}
	id, limit := strLength, s.lim.MaxStrLength
	cost := anycost.String + e.length
	switch {
	case e.kind == binKind:
		id, limit, cost = binLength, s.lim.MaxBinLength, anycost.Slice+e.length
	case e.kind == extKind:
		id, limit, cost = extLength, s.lim.MaxExtLength, extBase+e.length
	case e.isKey:
		cost = e.length
	}
	rest := uint64(max(0, s.rest()-int64(e.size)))
	if e.length > rest && e.length-rest > oversizedBy {
		s.add(headerOversized, e.at, rule.Violation{
			Declared: rule.N(e.length), Actual: rule.N(rest), Unit: rule.UnitBytes, Detail: e.kind.noun(),
			Message: "{detail} header promises {declared} bytes, at most {actual} can follow: forged or cut off",
		})
		return
	}
	if e.length > limit {
		s.add(id, e.at, rule.Violation{
			Declared: rule.N(e.length), LimitValue: rule.N(limit), Unit: rule.UnitBytes, Detail: e.kind.noun(),
			Message: "{detail} of {declared} bytes, the limit is {limit}",
		})
		return
	}
	if !s.charge(cost, e.at) {
		return
	}
	if e.length > rest {
		s.cutPayload(e)
		return
	}
	s.pos += int(e.size)
	var found findings
	if e.length <= wholeSize || s.src.R == nil {
		if e.length <= wholeSize && !s.need(int(e.length)) || uint64(len(s.buf)-s.pos) < e.length {
			s.cutPayload(e)
			return
		}
		found = s.whole(e)
	} else {
		var there bool
		if found, there = s.chunks(e); !there {
			s.cutPayload(e)
			return
		}
	}
	s.judge(e, &found)
}

func (s *scan) cutPayload(e *element) {
	s.cut(e.at, rule.Violation{
		Declared: rule.N(e.length), Unit: rule.UnitBytes, Detail: e.kind.noun(),
		Message: "input ends inside a value: {detail} of {declared} bytes",
	})
}

// findings are what was seen in a payload.
type findings struct {
	badUTF8      bool
	badTimestamp bool
	shorter      bool   // a timestamp fits a shorter form
	hash         uint64 // of a key, if duplicates are looked for
}

// judge counts a payload that was walked to its end, and adds what was found.
func (s *scan) judge(e *element, f *findings) {
	switch e.kind {
	case strKind:
		s.m.Strings++
		s.m.StringBytes += e.length
		s.m.LargestString = max(s.m.LargestString, e.length)
	case binKind:
		s.m.BinBytes += e.length
	case extKind:
		s.m.ExtBytes += e.length
	}
	if f.badUTF8 {
		s.add(invalidUTF8, e.at, rule.Violation{Message: "a str that is not UTF-8"})
	}
	if f.badTimestamp {
		s.add(timestamp, e.at, rule.Violation{
			Declared: rule.N(e.length), Unit: rule.UnitBytes,
			Message: "an ext of type -1 and {declared} bytes that is not a timestamp",
		})
	}
	if s.checks&Canonical != 0 && (f.shorter || longLength(e)) {
		s.add(nonCanonical, e.at, longer(e))
	}
	if s.checks&ExtType != 0 && e.kind == extKind {
		s.checkExtType(e)
	}
	if e.isKey {
		if e.kind != strKind {
			s.checkKeyType(e)
		}
		if s.checks&DuplicateKeys != 0 {
			s.checkDuplicate(e, f.hash)
		}
	}
}

// longLength reports whether the length of a str, bin or ext would fit a
// shorter header.
func longLength(e *element) bool {
	switch e.field {
	case 1:
		switch e.kind {
		case strKind:
			return e.length < 32
		case extKind:
			return e.length <= 16 && e.length&(e.length-1) == 0 && e.length != 0
		}
	case 2:
		return e.length <= math.MaxUint8
	case 4:
		return e.length <= math.MaxUint16
	}
	return false
}

func longer(e *element) rule.Violation {
	return rule.Violation{Message: "{detail} in a longer encoding than needed", Detail: e.kind.noun()}
}

// whole takes a payload that is all in the window.
func (s *scan) whole(e *element) (f findings) {
	b := s.buf[s.pos : s.pos+int(e.length)]
	s.pos += int(e.length)
	if e.kind == strKind && s.checks&UTF8 != 0 {
		f.badUTF8 = !utf8.Valid(b)
	}
	if e.kind == extKind && e.ext == timestampType {
		t, ok := parseTimestamp(b)
		f.badTimestamp, f.shorter = !ok, ok && t.shorter(len(b))
	}
	if e.isKey && s.checks&DuplicateKeys != 0 {
		f.hash = payloadHash(s.keys.Seed(), e, b)
	}
	if s.sink != nil {
		s.sink.payload(e, b, s)
	}
	return f
}

// chunks takes a payload that is longer than what a window gathers.
func (s *scan) chunks(e *element) (f findings, there bool) {
	checkUTF8 := e.kind == strKind && s.checks&UTF8 != 0
	hashing := e.isKey && s.checks&DuplicateKeys != 0
	s.str.tailLen = 0
	if hashing {
		s.str.hash.SetSeed(s.keys.Seed())
	}
	for left := e.length; left > 0; {
		if !s.need(1) {
			return f, false
		}
		b := s.buf[s.pos:]
		if uint64(len(b)) > left {
			b = b[:left]
		}
		s.pos += len(b)
		left -= uint64(len(b))
		if checkUTF8 && !f.badUTF8 {
			f.badUTF8 = !s.str.valid(b, left == 0)
		}
		if hashing {
			s.str.hash.Write(b)
		}
		if s.sink != nil {
			s.sink.chunk(e, b)
		}
	}
	f.badTimestamp = e.kind == extKind && e.ext == timestampType
	if hashing {
		f.hash = kindHash(e, s.str.hash.Sum64())
	}
	if s.sink != nil {
		s.sink.chunked(e, s)
	}
	return f, true
}

// valid reports whether the next chunk of a str is UTF-8. A character cut by
// the chunk's end is kept for the next one; last says that there is none.
func (r *strReader) valid(b []byte, last bool) bool {
	for r.tailLen > 0 && len(b) > 0 && !utf8.FullRune(r.tail[:r.tailLen]) {
		r.tail[r.tailLen] = b[0]
		r.tailLen++
		b = b[1:]
	}
	if t := r.tail[:r.tailLen]; len(t) > 0 {
		if !utf8.FullRune(t) {
			return !last
		}
		if !utf8.Valid(t) {
			return false
		}
		r.tailLen = 0
	}
	if !last {
		for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
			if c := b[len(b)-i]; utf8.RuneStart(c) {
				if cut := b[len(b)-i:]; !utf8.FullRune(cut) {
					r.tailLen = copy(r.tail[:], cut)
					b = b[:len(b)-i]
				}
				break
			}
		}
	}
	return utf8.Valid(b)
}
