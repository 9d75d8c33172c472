package msgpackcheck

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/harden-input/harden/internal/anycost"
)

const (
	// slack is the bytes that run wants ahead of it: the longest header or
	// number, so that reading one needs no further bounds.
	slack = 9
	// dearest is the most that a byte of a scalar costs decoded: an empty str
	// is one byte and costs its header. Every other scalar is cheaper a byte.
	dearest = anycost.String
	// leastRun is the fewest bytes worth running over.
	leastRun = 12

	highBits = 0x8080808080808080
)

// fixCost is what a fixmap or fixarray costs decoded, by its first byte - 0x80.
var fixCost = makeFixCost()

func makeFixCost() (t [32]uint16) {
	for n := range uint64(16) {
		t[n] = uint16(anycost.MapSize(n))
		t[16+n] = uint16(anycost.Slice + n*anycost.Slot)
	}
	return t
}

// run walks values as step does, as far as they are common, complete in the
// window, and far from every limit. It stops in front of the first that is not,
// which step then judges. What it keeps:
//
//   - p ≤ end = len(b)-slack in front of every value, so headers and numbers
//     are there;
//   - outer + left ≤ size - p after every header, as step does;
//   - b is cut so short that its scalars cannot reach MaxDecodedSize, and room
//     is what is left for containers, so no scalar is compared with it;
//   - a str longer than the longest so far is compared with MaxStrLength, and
//     no other has to be;
//   - floor ≤ depth ≤ deepest, so stack is the page that both ends of a
//     container need, and every level that can be named has its place.
//
// The innermost container is in in, as a page keeps it: twice the values that it
// is still owed, plus 1 for a map. A map is owed an even number in front of a key.
func (s *scan) run() {
	b, p := s.buf, s.pos
	room := (s.lim.MaxDecodedSize - s.m.DecodedSize) / 2
	most := min(uint64(len(b)-p), room/dearest, uint64(s.rest()))
	if most < leastRun || s.checks&^UTF8 != 0 {
		return
	}
	b = b[:p+int(most)]
	end := len(b) - slack

	stack, floor, places := s.levels.present, s.levels.floor, s.trail.places
	in, depth, outer := s.innermost(), s.depth, s.outer
	deepest := floor + len(stack)
	if len(places) < trailLevels {
		deepest = min(deepest, len(places))
	}
	deepest = int(min(s.lim.MaxDepth, uint64(deepest)))
	checkUTF8 := s.checks&UTF8 != 0
	longest := s.m.LargestString
	var keyAt int64
	if depth > 0 && depth <= len(places) {
		keyAt = places[depth-1].keyAt
	}
	var cost, strs, strBytes uint64

loop:
	for {
		for in < 2 {
			if depth == floor {
				break loop
			}
			depth--
			in = stack[depth-floor]
			outer -= in >> 1
			if in&1 != 0 && depth <= len(places) {
				keyAt = places[depth-1].keyAt
			}
		}
		if p > end {
			break
		}
		c := b[p]

		if in&3 == 1 {
			// A key. Only a str can be passed here.
			from, n := p+1, int(c&31)
			if c&0xe0 != 0xa0 {
				if c != 0xd9 {
					break
				}
				from, n = p+2, int(b[p+1])
			}
			to := from + n
			if to > end {
				break
			}
			if uint64(n) > longest {
				if uint64(n) > s.lim.MaxStrLength {
					break
				}
				longest = uint64(n)
			}
			if checkUTF8 && !validShort(b[from:to:len(b)]) {
				break
			}
			keyAt = s.base + int64(p)
			strs++
			strBytes += uint64(n)
			in -= 2
			p = to
			c = b[p]
		}

		switch {
		case c < 0x80 || c >= 0xe0:
			if in >= 16 && in&1 == 0 {
				// A run of fixints, eight a step: those whose top bit is
				// clear or whose top three bits are set.
				for in >= 16 && p <= end {
					w := binary.LittleEndian.Uint64(b[p:])
					other := w &^ (w << 1 & (w << 2)) & highBits
					n := bits.TrailingZeros64(other) >> 3
					cost += anycost.Number * uint64(bits.OnesCount64(w&highBits&(1<<(n<<3)-1)))
					p += n
					in -= 2 * uint64(n)
					if n < 8 {
						break
					}
				}
				continue
			}
			cost += uint64(c >> 7 << 3) // anycost.Number for a negative one
			in -= 2
			p++

		case c == 0xcb:
			cost += anycost.Number
			in -= 2
			p += 9

		case c >= 0xa0 && c < 0xc0 || c >= 0xd9 && c <= 0xdb:
			from, n := p+1, uint64(c&31)
			if c >= 0xd9 {
				h := headers[c]
				from, n = p+int(h.size), h.length(b[p:])
			}
			if n > uint64(len(b)-from) {
				break loop
			}
			if n > longest {
				if n > s.lim.MaxStrLength {
					break loop
				}
				longest = n
			}
			to := from + int(n)
			if checkUTF8 && !validShort(b[from:to:len(b)]) {
				break loop
			}
			strs++
			strBytes += n
			cost += anycost.String
			in -= 2
			p = to

		case c < 0xa0 || c >= 0xdc:
			n, to, isMap := uint64(c&15), p+1, uint64(0)
			var owes, size uint64
			if c < 0xa0 {
				size = uint64(fixCost[c-0x80])
				if c < 0x90 {
					isMap = 1
				}
			} else {
				h := headers[c]
				n, to = h.length(b[p:]), p+int(h.size)
				size = anycost.Slice + anycost.Slot*n
				if h.kind == mapKind {
					isMap, size = 1, anycost.MapSize(n)
				}
			}
			if n == 0 && depth < deepest && size <= room {
				// Nothing is promised, so nothing else is to be looked at.
				room -= size
				cost += size
				s.m.Maps += isMap
				s.m.Arrays += 1 - isMap
				if uint64(depth) >= s.m.Depth {
					s.m.Depth = uint64(depth) + 1
				}
				in -= 2
				p = to
				continue
			}
			owes = n << isMap
			rest := uint64(s.size - s.base - int64(to))
			if n == 0 || in>>1-1+outer+owes > rest || depth >= deepest ||
				size > room || owes > s.lim.MaxValues-s.promised {
				break loop
			}
			if isMap != 0 {
				if n > s.m.LargestMap {
					if n > s.lim.MaxMapLength {
						break loop
					}
					s.m.LargestMap = n
				}
				s.m.Maps++
			} else {
				if n > s.m.LargestArray {
					if n > s.lim.MaxArrayLength {
						break loop
					}
					s.m.LargestArray = n
				}
				s.m.Arrays++
			}
			room -= size
			cost += size
			s.promised += owes
			if uint64(depth) >= s.m.Depth {
				s.m.Depth = uint64(depth) + 1
			}
			in -= 2
			if in&1 != 0 && depth <= len(places) {
				places[depth-1].keyAt = keyAt
			}
			stack[depth-floor] = in
			outer += in >> 1
			in = owes<<1 | isMap
			if depth < len(places) {
				keyAt = s.base + int64(p)
				places[depth] = place{keyAt: keyAt, total: owes}
			}
			depth++
			p = to

		case c >= 0xd4 && c <= 0xd8: // fixext
			n, from := 1<<((c-0xd4)&7), p+2
			if from+n > end || uint64(n) > s.lim.MaxExtLength {
				break loop
			}
			if b[p+1] == 0xff && c != 0xd6 {
				// A timestamp that has nanoseconds, or is none.
				if _, ok := parseTimestamp(b[from : from+n]); !ok {
					break loop
				}
			}
			s.m.ExtBytes += uint64(n)
			cost += extBase + uint64(n)
			in -= 2
			p = from + n

		case c >= 0xca && c < 0xd4:
			if c != 0xcc {
				cost += anycost.Number
			}
			p += 1 + int(headers[c].inline)
			in -= 2

		case c <= 0xc3 && c != 0xc1:
			in -= 2
			p++

		case c <= 0xc6 && c >= 0xc4:
			h := headers[c]
			n := h.length(b[p:])
			from := p + int(h.size)
			if n > uint64(len(b)-from) || n > s.lim.MaxBinLength {
				break loop
			}
			s.m.BinBytes += n
			cost += anycost.Slice + n
			in -= 2
			p = from + int(n)

		case c != 0xc1: // ext
			h := headers[c]
			n, from := h.length(b[p:]), p+int(h.size)
			if n > uint64(len(b)-from) || n > s.lim.MaxExtLength || b[from-1] == 0xff {
				break loop
			}
			s.m.ExtBytes += n
			cost += extBase + n
			in -= 2
			p = from + int(n)

		default:
			break loop
		}
	}

	if in&1 != 0 && depth <= len(places) {
		places[depth-1].keyAt = keyAt
	}
	s.pos = p
	s.left, s.isMap, s.depth, s.outer = in>>1, in&1 != 0, depth, outer
	s.m.LargestString = longest
	s.m.Strings += strs
	s.m.StringBytes += strBytes
	s.m.DecodedSize += cost + strBytes
}

// validShort is utf8.Valid, faster where b is short and ASCII and has room for
// eight bytes behind it.
func validShort(b []byte) bool {
	n := len(b)
	if n > 32 {
		return utf8.Valid(b)
	}
	if cap(b)-n < 8 {
		return utf8.Valid(b)
	}
	wide := b[:n+8]
	i := 0
	for ; i+8 <= n; i += 8 {
		if binary.LittleEndian.Uint64(wide[i:])&highBits != 0 {
			return utf8.Valid(b)
		}
	}
	if binary.LittleEndian.Uint64(wide[i:])<<(64-8*uint(n-i))&highBits != 0 {
		return utf8.Valid(b)
	}
	return true
}
