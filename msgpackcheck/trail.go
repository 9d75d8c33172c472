package msgpackcheck

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/harden-input/harden/internal/pointer"
	"github.com/harden-input/harden/rule"
)

// trailLevels is how many levels of containers are remembered well enough to
// name them in a pointer. Deeper ones are shown as "…".
const trailLevels = 1024

// keptKey is the bytes of an encoded key that are enough to render it: the
// longest header and what a pointer shows of a name.
const keptKey = 5 + pointer.KeptName

// A trail remembers where the scan is, for pointers.
type trail struct {
	places []place
	// names are the keys that a reader's window does not hold any more.
	names []savedKey
	// unchecked is set once duplicate-unchecked was raised.
	unchecked bool
}

// place describes the open container at one level.
type place struct {
	// keyAt is the offset of the key that was begun last, for maps.
	keyAt int64
	// total is the values the container was promised.
	total uint64
}

// savedKey is the start of the encoded key at the offset at.
type savedKey struct {
	at int64
	n  uint8
	b  [keptKey]byte
}

// clear forgets all names, at a cost that does not depend on how many there
// were: a stream may have a thousand of them in one record, and then a million
// records of a byte each.
func (t *trail) clear() { t.names = t.names[:0] }

// container returns how many values the container at level is still owed, and
// whether it is a map. Level 0 is the outermost.
func (s *scan) container(level int) (left uint64, isMap bool) {
	if level+1 == s.depth {
		return s.left, s.isMap
	}
	e := s.levels.at(level + 1)
	return e >> 1, e&1 != 0
}

// saveKeys copies the keys of open maps out of the window.
func (s *scan) saveKeys() {
	levels := min(s.depth, trailLevels)
	for level := range levels {
		at := s.trail.places[level].keyAt
		if _, isMap := s.container(level); !isMap || at < s.base {
			continue
		}
		for len(s.trail.names) <= level {
			s.trail.names = append(s.trail.names, savedKey{at: -1})
		}
		k := &s.trail.names[level]
		k.at = at
		k.n = uint8(copy(k.b[:], s.buf[at-s.base:]))
	}
}

// key returns the encoded key that the map at level has begun last, as far as
// it is known.
func (s *scan) key(level int) []byte {
	at := s.trail.places[level].keyAt
	if at >= s.base && at-s.base < int64(len(s.buf)) {
		return s.buf[at-s.base:]
	}
	if level < len(s.trail.names) && s.trail.names[level].at == at {
		k := &s.trail.names[level]
		return k.b[:k.n]
	}
	return nil
}

// pointer returns the pointer of the value whose header was taken last.
func (s *scan) pointer() string {
	return pointer.Render(s.depth, func(level int) pointer.Segment {
		if level >= trailLevels {
			return pointer.Segment{}
		}
		left, isMap := s.container(level)
		if isMap {
			return keySegment(s.key(level))
		}
		return pointer.Index(s.trail.places[level].total - left - 1)
	})
}

// keySegment renders the encoded key b, of which the end may be missing.
func keySegment(b []byte) pointer.Segment {
	if len(b) == 0 {
		return pointer.Segment{}
	}
	h := headers[b[0]]
	fixed := h.kind == uintKind || h.kind == intKind || h.kind == floatKind
	if len(b) < int(h.size) || fixed && len(b) < int(h.size+h.inline) {
		return pointer.Segment{}
	}
	var text []byte
	switch h.kind {
	case strKind:
		text = b[h.size:]
		if n := h.length(b); n < uint64(len(text)) {
			text = text[:n]
		}
	case uintKind:
		text = strconv.AppendUint(nil, integer(b), 10)
	case intKind:
		text = strconv.AppendInt(nil, int64(integer(b)), 10)
	case floatKind:
		text = strconv.AppendFloat(nil, float(b), 'g', -1, 64)
	case boolKind:
		text = strconv.AppendBool(nil, b[0] == 0xc3)
	default:
		text = []byte("<" + h.kind.noun() + ">")
	}
	return pointer.Name(text)
}

// float returns the number whose first byte is b[0]. b holds the whole value.
func float(b []byte) float64 {
	if b[0] == 0xca {
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b[1:])))
	}
	return math.Float64frombits(binary.BigEndian.Uint64(b[1:]))
}

// add records a violation of the rule at index id, by the value at offset at
// whose header was taken last. A rule that stops ends the pass.
func (s *scan) add(id int, at int64, v rule.Violation) {
	where := ""
	if s.m.Violations.Count(Rules[id].ID) == 0 || len(s.m.Violations.Kept()) < rule.MaxKept {
		where = s.pointer()
	}
	s.addAt(id, at, where, v)
}

// addAt is add for a violation whose pointer is known.
func (s *scan) addAt(id int, at int64, where string, v rule.Violation) {
	v.Rule, v.Offset, v.Pointer = &Rules[id], at, where
	s.m.Violations.Add(v)
	s.stopped = s.stopped || v.Rule.Stops
}
