package deflate

// Bounds of RFC 1951 §3.2.5 and §3.2.7.
const (
	maxLiterals  = 286 // literal/length symbols a dynamic block may use
	maxDistances = 30  // distance symbols a block may use
	endOfBlock   = 256
)

// A header is the state of reading a dynamic block's codes.
type header struct {
	kind      phase // what follows the block type
	literals  uint16
	distances uint16
	lengths   uint8 // how many of the code lengths' code lengths are present
	have      uint16
	// lens holds the code lengths' code lengths, then is filled anew with
	// those of the literal/length code followed by the distance code.
	lens [maxLiterals + maxDistances]uint8
	// short decodes the code for code lengths by 7 bits: symbol<<3 | length.
	short [128]uint8
}

// lengthOrder is the order in which the code lengths' code lengths are sent.
var lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// readCodes reads the codes of a dynamic block (RFC 1951 §3.2.7).
func (m *Meter) readCodes(src []byte, at uint64) (uint64, Status) {
	h := &m.header
	if m.phase == atCounts {
		w, have := peek(src, at)
		if have < 14 {
			return at, NeedInput
		}
		h.literals = uint16(w&31) + 257
		h.distances = uint16(w>>5&31) + 1
		h.lengths = uint8(w>>10&15) + 4
		if h.literals > maxLiterals || h.distances > maxDistances {
			return at, m.malformed(TooManyCodes, m.block)
		}
		at += 14
		h.have = 0
		clear(h.lens[:len(lengthOrder)])
		m.phase = inCodeLengths
	}
	if m.phase == inCodeLengths {
		for h.have < uint16(h.lengths) {
			w, have := peek(src, at)
			if have < 3 {
				return at, NeedInput
			}
			h.lens[lengthOrder[h.have]] = uint8(w & 7)
			h.have++
			at += 3
		}
		if !h.buildShort() {
			return at, m.malformed(CodeLengthSet, m.block)
		}
		h.have = 0
		m.phase = inLengths
	}
	all := h.literals + h.distances
	for h.have < all {
		w, have := peek(src, at)
		e := h.short[w&127]
		bits, symbol := uint(e&7), e>>3
		if have < bits {
			return at, NeedInput
		}
		if symbol < 16 {
			h.lens[h.have] = symbol
			h.have++
			at += uint64(bits)
			continue
		}
		w >>= bits
		var value uint8
		var times uint16
		var extra uint
		switch symbol {
		case 16:
			times, extra = 3+uint16(w&3), 2
		case 17:
			times, extra = 3+uint16(w&7), 3
		default:
			times, extra = 11+uint16(w&127), 7
		}
		if have < bits+extra {
			return at, NeedInput
		}
		if symbol == 16 {
			if h.have == 0 {
				return at, m.malformed(Repeat, m.block)
			}
			value = h.lens[h.have-1]
		}
		if h.have+times > all {
			return at, m.malformed(Repeat, m.block)
		}
		for range times {
			h.lens[h.have] = value
			h.have++
		}
		at += uint64(bits + extra)
	}
	if h.lens[endOfBlock] == 0 {
		return at, m.malformed(NoEndOfBlock, m.block)
	}
	if r := m.codes.build(h.lens[:h.literals], h.lens[h.literals:all]); r != 0 {
		return at, m.malformed(r, m.block)
	}
	m.tokensAt = m.base + at
	m.packAt = m.tokensAt + packCost - min(m.credit, packCost)
	m.phase = inTokens
	return at, running
}

// buildShort builds the table for the code for code lengths. That code must be
// complete, or, like zlib has it, absent: then every code length is 0 and
// takes a bit, and the block is refused for want of an end-of-block code.
func (h *header) buildShort() bool {
	var count [8]uint16
	for _, n := range h.lens[:len(lengthOrder)] {
		count[n]++
	}
	if count[0] == uint16(len(lengthOrder)) {
		for i := range h.short {
			h.short[i] = 1
		}
		return true
	}
	var next [8]uint16
	code := uint16(0)
	for n := 1; n < 8; n++ {
		next[n] = code
		code = (code + count[n]) << 1
	}
	if code != 256 {
		return false
	}
	for symbol, n := range h.lens[:len(lengthOrder)] {
		if n == 0 {
			continue
		}
		reversed := reverse(next[n], n)
		next[n]++
		for i := reversed; i < 128; i += 1 << n {
			h.short[i] = uint8(symbol)<<3 | n
		}
	}
	return true
}
