package msgpackcheck

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"strconv"

	"github.com/harden-input/harden/internal/keyset"
	"github.com/harden-input/harden/rule"
)

// checkKeyType looks at a key that is no str. Arrays, maps, bin and ext cannot
// be keys in most languages; other scalars weigh less.
func (s *scan) checkKeyType(e *element) {
	if s.checks&KeyType == 0 {
		return
	}
	v := rule.Violation{Message: "a map key of type {detail}", Detail: e.kind.noun()}
	if !unhashable(e.kind) {
		v.Severity = rule.Note
	}
	s.add(keyType, e.at, v)
}

// unhashable reports whether values of kind k cannot be keys of a Go map.
func unhashable(k kind) bool {
	return k == arrayKind || k == mapKind || k == binKind || k == extKind
}

// checkExtType looks at the type of an ext.
func (s *scan) checkExtType(e *element) {
	var v rule.Violation
	switch {
	case e.ext < timestampType:
		v.Message, v.Severity = "ext type {detail} is reserved", rule.Note
	case e.ext == 98 || e.ext == 99:
		v.Message = "ext type {detail} is known to hold LZ4 blocks that declare another length"
	case e.ext == 100:
		v.Message = "ext type {detail} is known to name the type to create"
	default:
		return
	}
	v.Detail = strconv.Itoa(int(e.ext))
	s.add(extType, e.at, v)
}

// The hash of a key is that of its bytes or number under the set's seed, set
// apart by what kinds cannot be equal. Nobody who does not know the seed can
// tell which numbers differ by these.
const (
	numberHash = 0x6e756d626572 << 8
	floatHash  = 0x666c6f6174 << 16
	extHash    = 0x657874 << 32
)

// number returns h, set apart, for eight bytes.
func number(seed maphash.Seed, v, apart uint64) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	return maphash.Bytes(seed, b[:]) ^ apart
}

// scalarHash returns the hash of the nil, bool or number encoded in b, or 0 for
// a NaN, which equals no key.
func scalarHash(seed maphash.Seed, b []byte) uint64 {
	switch headers[b[0]].kind {
	case uintKind:
		return number(seed, integer(b), numberHash)
	case intKind:
		v := integer(b)
		return number(seed, v, numberHash+v>>63)
	case floatKind:
		f := float(b)
		if f != f {
			return 0
		}
		return number(seed, math.Float64bits(f+0), floatHash) // -0.0 + 0 is 0.0
	}
	return number(seed, uint64(b[0]), 0)
}

// payloadHash returns the hash of the str, bin or ext key that holds b.
func payloadHash(seed maphash.Seed, e *element, b []byte) uint64 {
	if e.kind == extKind && e.ext == timestampType {
		if t, ok := parseTimestamp(b); ok {
			return number(seed, uint64(t.sec), extHash) + uint64(t.nsec)*0x9e3779b97f4a7c15
		}
	}
	return kindHash(e, maphash.Bytes(seed, b))
}

// kindHash sets the hash h of a payload apart: str and bin of equal bytes stay
// equal.
func kindHash(e *element, h uint64) uint64 {
	if e.kind == extKind {
		h ^= extHash + uint64(uint8(e.ext))
	}
	return h
}

// checkDuplicate looks for an equal key in the same map. hash 0 stands for a
// key that equals none. Arrays and maps as keys are not compared.
func (s *scan) checkDuplicate(e *element, hash uint64) {
	if hash == 0 {
		return
	}
	first, r := s.keys.Add(hash, uint32(s.depth), e.at)
	switch r {
	case keyset.Seen:
		if s.src.R == nil && !equalKeys(s.buf[first:], s.buf[e.at:]) {
			return
		}
		s.add(duplicateKey, e.at, rule.Violation{Message: "the map holds this key already"})
	case keyset.Full:
		if s.trail.unchecked {
			return
		}
		s.trail.unchecked = true
		s.add(duplicateUnchecked, e.at, rule.Violation{
			LimitValue: rule.N(s.lim.MaxTrackedKeys), Unit: "keys",
			Message: "more keys than the {limit} that are tracked: duplicates may be missed",
		})
	}
}

// equalKeys reports whether the complete keys at the starts of a and b are
// equal, by the rules of msgpack/duplicate-key.
func equalKeys(a, b []byte) bool {
	x, y := headers[a[0]], headers[b[0]]
	switch {
	case isNumber(x.kind) && isNumber(y.kind):
		u, v := integer(a), integer(b)
		return u == v && (x.kind == y.kind || u < 1<<63)
	case x.kind == floatKind && y.kind == floatKind:
		return float(a) == float(b)
	case isText(x.kind) && isText(y.kind):
		return bytes.Equal(x.data(a), y.data(b))
	case x.kind == extKind && y.kind == extKind:
		i, j := int8(a[x.size-1]), int8(b[y.size-1])
		if i == timestampType && j == timestampType {
			t, ok := parseTimestamp(x.data(a))
			u, both := parseTimestamp(y.data(b))
			if ok && both {
				return t == u
			}
		}
		return i == j && bytes.Equal(x.data(a), y.data(b))
	}
	return a[0] == b[0]
}

func isNumber(k kind) bool { return k == uintKind || k == intKind }
func isText(k kind) bool   { return k == strKind || k == binKind }

// data returns the payload of the complete str, bin or ext at the start of b.
func (h header) data(b []byte) []byte {
	return b[h.size:][:h.length(b)]
}
