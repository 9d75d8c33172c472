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
	// is one byte and costs its header.
	dearest = anycost.String
	// leastRun is the fewest bytes worth running over.
	leastRun = 32

	highBits = 0x8080808080808080
)

// run walks values as step does, as far as they are common, complete in the
// window, and far from every limit. It stops in front of the first that is not,
// which step then judges. What it keeps:
//
//   - p+slack ≤ len(b) in front of every value, so headers and numbers are there;
//   - outer+left ≤ size-p after every header, as step does;
//   - b is cut so short that its scalars cannot reach MaxDecodedSize, and room
//     is what is left for containers, so no scalar is compared with it;
//   - a str longer than the longest so far is compared with MaxStrLength, and
//     no other has to be.
func (s *scan) run() {
	b, p := s.buf, s.pos
	room := (s.lim.MaxDecodedSize - s.m.DecodedSize) / 2
	most := min(uint64(len(b)-p), room/dearest, uint64(s.rest()))
	if most < leastRun || s.checks&^UTF8 != 0 {
		return
	}
	b = b[:p+int(most)]
	end := len(b) - slack
	size := uint64(s.size - s.base) // of the input, counted as p is

	left, isMap, depth, outer, promised := s.left, s.isMap, s.depth, s.outer, s.promised
	stack := s.stack[:cap(s.stack)]
	places := s.trail.places
	checkUTF8 := s.checks&UTF8 != 0
	longest := s.m.LargestString
	var keyAt int64
	if isMap && depth <= len(places) {
		keyAt = places[depth-1].keyAt
	}
	var numbers, strs, keys, strBytes, bins, binBytes, exts, extBytes uint64
	spent := uint64(0) // of room, on containers

loop:
	for {
		for left == 0 {
			if depth == 0 {
				break loop
			}
			depth--
			around := stack[depth]
			left, isMap = around>>1, around&1 != 0
			outer -= left
			if isMap && depth <= len(places) {
				keyAt = places[depth-1].keyAt
			}
		}
		if p > end {
			break
		}
		c := b[p]

		if isMap && left&1 == 0 {
			at, n := p+1, int(c&31)
			if c&0xe0 != 0xa0 {
				if c != 0xd9 {
					break
				}
				at, n = p+2, int(b[p+1])
			}
			q := at + n
			if q > end {
				break
			}
			if uint64(n) > longest {
				if uint64(n) > s.lim.MaxStrLength {
					break
				}
				longest = uint64(n)
			}
			if checkUTF8 && !validShort(b[at:q:len(b)]) {
				break
			}
			keyAt = s.base + int64(p)
			keys++
			strs++
			strBytes += uint64(n)
			left--
			p = q
			c = b[p]
		}

		switch {
		case c < 0x80 || c >= 0xe0:
			if left >= 8 && !isMap {
				// A run of fixints, eight a step: those whose top bit is
				// clear or whose top three bits are set.
				for left >= 8 && p <= end {
					w := binary.LittleEndian.Uint64(b[p:])
					other := w &^ (w << 1 & (w << 2)) & highBits
					n := bits.TrailingZeros64(other) >> 3
					numbers += uint64(bits.OnesCount64(w & highBits & (1<<(n<<3) - 1)))
					p += n
					left -= uint64(n)
					if n < 8 {
						break
					}
				}
				continue
			}
			numbers += uint64(c >> 7)
			left--
			p++

		case c >= 0xa0 && c < 0xc0 || c >= 0xd9 && c <= 0xdb:
			at, n := p+1, uint64(c&31)
			if c >= 0xd9 {
				h := headers[c]
				at, n = p+int(h.size), h.length(b[p:])
			}
			if n > uint64(len(b)-at) {
				break loop
			}
			q := at + int(n)
			if n > longest {
				if n > s.lim.MaxStrLength {
					break loop
				}
				longest = n
			}
			if checkUTF8 && !validShort(b[at:q:len(b)]) {
				break loop
			}
			strs++
			strBytes += n
			left--
			p = q

		case c < 0xa0 || c >= 0xdc:
			h := headers[c]
			n := h.length(b[p:])
			owes, cost := n, anycost.Slice+anycost.Slot*n
			limit := s.lim.MaxArrayLength
			if h.kind == mapKind {
				owes, cost = 2*n, anycost.MapSize(n)
				limit = s.lim.MaxMapLength
			}
			q := p + int(h.size)
			if left-1+outer+owes > size-uint64(q) || n > limit || uint64(depth) >= s.lim.MaxDepth ||
				promised+owes > s.lim.MaxValues || cost > room-spent || depth >= len(stack) {
				break loop
			}
			spent += cost
			promised += owes
			left--
			p = q
			largest := &s.m.LargestArray
			if h.kind == mapKind {
				largest = &s.m.LargestMap
				s.m.Maps++
			} else {
				s.m.Arrays++
			}
			*largest = max(*largest, n)
			s.m.Depth = max(s.m.Depth, uint64(depth)+1)
			if n == 0 {
				continue
			}
			around := left << 1
			if isMap {
				around |= 1
				if depth <= len(places) {
					places[depth-1].keyAt = keyAt
				}
			}
			stack[depth] = around
			outer += left
			left, isMap = owes, h.kind == mapKind
			if depth < len(places) {
				places[depth] = place{keyAt: s.base + int64(p), total: owes}
			}
			depth++

		case c >= 0xca && c < 0xd4:
			p += 1 + int(headers[c].inline)
			if c != 0xcc {
				numbers++
			}
			left--

		case c <= 0xc3 && c != 0xc1:
			left--
			p++

		case c <= 0xc6 && c >= 0xc4:
			h := headers[c]
			n := h.length(b[p:])
			at := p + int(h.size)
			if n > uint64(len(b)-at) || n > s.lim.MaxBinLength {
				break loop
			}
			bins++
			binBytes += n
			left--
			p = at + int(n)

		case c != 0xc1: // ext
			h := headers[c]
			n := h.length(b[p:])
			at := p + int(h.size)
			if n > uint64(len(b)-at) || n > s.lim.MaxExtLength {
				break loop
			}
			q := at + int(n)
			if b[at-1] == 0xff && n != 4 {
				// A timestamp that has nanoseconds, or is none.
				if _, ok := parseTimestamp(b[at:q]); !ok {
					break loop
				}
			}
			exts++
			extBytes += n
			left--
			p = q

		default:
			break loop
		}
	}

	if isMap && depth <= len(places) {
		places[depth-1].keyAt = keyAt
	}
	s.pos = p
	s.left, s.isMap, s.depth, s.outer, s.promised = left, isMap, depth, outer, promised
	s.stack = stack[:depth]
	s.m.LargestString = longest
	s.m.Strings += strs
	s.m.StringBytes += strBytes
	s.m.BinBytes += binBytes
	s.m.ExtBytes += extBytes
	s.m.DecodedSize += spent + numbers*anycost.Number + (strs-keys)*anycost.String + strBytes + bins*anycost.Slice + binBytes +
		exts*extBase + extBytes
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
