package deflate

import (
	"encoding/binary"
	"math/bits"
)

// Bounds of RFC 1951 §3.2.5 and §3.2.7.
const (
	maxLiterals    = 286 // literal/length symbols a dynamic block may use
	maxDistances   = 30  // distance symbols a block may use
	endOfBlock     = 256
	codeLengths    = 19 // symbols of the code for code lengths
	maxShortLength = 7  // of the codes for code lengths
)

// A header is the state of reading a dynamic block's codes. It goes on between
// any two symbols.
type header struct {
	literals  int // how many code lengths there are of either kind
	distances int
	sent      int // how many code lengths' code lengths are sent
	have      int // how many of those to be read have been

	// shortLengths are the code lengths' code lengths, and short their code,
	// looked up by 7 bits: symbol<<3 | length. That is kept for another block
	// that has the same; shortFor are the lengths it was built from.
	shortLengths [codeLengths]uint8
	shortFor     [codeLengths]uint8
	shortBuilt   bool
	short        [1 << maxShortLength]uint8

	// lens are the code lengths of the literal/length code followed by those
	// of the distance code, and count is how often each occurs in both; that
	// of 0 is not kept.
	lens  [maxLiterals + maxDistances]uint8
	count lengthCount
}

// lengthOrder is the order in which the code lengths' code lengths are sent.
var lengthOrder = [codeLengths]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// readCodes reads the codes of a dynamic block (RFC 1951 §3.2.7).
func (m *Meter) readCodes(src []byte, at uint64) (uint64, Status) {
	h := &m.header
	if m.phase == atCounts {
		w, have := peek(src, at)
		if have < 14 {
			return at, NeedInput
		}
		h.literals = int(w&31) + 257
		h.distances = int(w>>5&31) + 1
		h.sent = int(w>>10&15) + 4
		if h.literals > maxLiterals || h.distances > maxDistances {
			return at, m.malformed(TooManyCodes, m.block)
		}
		at += 14
		h.have = 0
		h.shortLengths = [codeLengths]uint8{}
		m.phase = inCodeLengths
	}
	if m.phase == inCodeLengths {
		for h.have < h.sent {
			w, have := peek(src, at)
			if have < 3 {
				return at, NeedInput
			}
			for ; have >= 3 && h.have < h.sent; have -= 3 {
				h.shortLengths[lengthOrder[h.have]] = uint8(w & 7)
				h.have++
				w >>= 3
				at += 3
			}
		}
		if !(h.shortBuilt && h.shortFor == h.shortLengths) && !h.buildShort() {
			return at, m.malformed(CodeLengthSet, m.block)
		}
		h.have = 0
		h.count = lengthCount{}
		m.phase = inLengths
	}
	at, s := h.readLengths(src, at)
	if s == Malformed {
		return at, m.malformed(Repeat, m.block)
	}
	if s != running {
		return at, s
	}
	if h.lens[endOfBlock] == 0 {
		return at, m.malformed(NoEndOfBlock, m.block)
	}
	if r := m.codes.build(h.lens[:h.literals], h.lens[h.literals:][:h.distances], h.count); r != 0 {
		return at, m.malformed(r, m.block)
	}
	m.beginTokens(at)
	return at, running
}

// readLengths reads the code lengths of the two codes.
func (h *header) readLengths(src []byte, at uint64) (uint64, Status) {
	all := h.literals + h.distances
	have := h.have
	pos := uint(at >> 3)
	buf, n := peek(src, at)
	pos += (n + uint(at&7)) >> 3
	s := running
	for have < all {
		if n < 2*maxShortLength {
			// Bits of buf above the n it has are those that follow.
			if pos+8 <= uint(len(src)) {
				buf |= binary.LittleEndian.Uint64(src[pos:pos+8]) << (n & 63)
				pos += (63 - n) >> 3
				n |= 56
			} else {
				for ; n < 56 && pos < uint(len(src)); pos++ {
					buf |= uint64(src[pos]) << (n & 63)
					n += 8
				}
			}
		}
		e := h.short[buf&(1<<maxShortLength-1)]
		used, symbol := uint(e&7), e>>3
		if symbol < 16 {
			if n < used {
				s = NeedInput
				break
			}
			h.lens[have] = symbol
			h.count[symbol&15]++
			have++
			buf >>= used
			n -= used
			continue
		}
		var times int
		rest := buf >> used
		switch symbol {
		case 16:
			times = 3 + int(rest&3)
			used += 2
		case 17:
			times = 3 + int(rest&7)
			used += 3
		default:
			times = 11 + int(rest&127)
			used += 7
		}
		if n < used {
			s = NeedInput
			break
		}
		if have+times > all || symbol == 16 && have == 0 {
			s = Malformed
			break
		}
		if symbol == 16 {
			value := h.lens[have-1]
			for i := range times {
				h.lens[have+i] = value
			}
			h.count[value&15] += uint16(times)
		} else {
			clear(h.lens[have:][:times])
		}
		have += times
		buf >>= used
		n -= used
	}
	h.have = have
	return uint64(pos)*8 - uint64(n), s
}

// buildShort builds the table for the code for code lengths. That code must be
// complete, or, as zlib has it, absent: then every code length is 0 and takes
// a bit, and the block is refused for want of an end-of-block code.
func (h *header) buildShort() bool {
	var next [maxShortLength + 2]uint16
	for _, n := range h.shortLengths {
		next[n+1]++ // how many codes are shorter by one
	}
	if next[1] == codeLengths {
		for i := range h.short {
			h.short[i] = 1
		}
		h.shortFor, h.shortBuilt = h.shortLengths, true
		return true
	}
	next[1] = 0
	code := uint16(0)
	for n := 1; n <= maxShortLength; n++ {
		count := next[n+1]
		next[n] = code
		code = (code + count) << 1
	}
	if code != 1<<(maxShortLength+1) {
		return false
	}
	h.shortFor, h.shortBuilt = h.shortLengths, true
	for symbol, n := range h.shortLengths {
		if n == 0 {
			continue
		}
		reversed := bits.Reverse16(next[n]) >> (16 - n)
		next[n]++
		for i := reversed; i < 1<<maxShortLength; i += 1 << n {
			h.short[i] = uint8(symbol)<<3 | n
		}
	}
	return true
}
