package deflate

import (
	"encoding/binary"
	"math"
)

// phase is what the stream has next.
type phase uint8

const (
	atBlock       phase = iota // BFINAL and BTYPE
	atBudget                   // the type is known: may the block go on?
	atStored                   // LEN and NLEN
	inStored                   // the bytes of a stored block
	atCounts                   // HLIT, HDIST and HCLEN
	inCodeLengths              // the code lengths of the code for code lengths
	inLengths                  // the code lengths of the other two codes
	inTokens                   // literals, matches and the end of the block
)

// Run measures src, which starts with the first byte not consumed so far. last
// says that nothing follows src. Run returns how many whole bytes it has
// consumed; the caller presents the others again, at most 6 after NeedInput,
// followed by more. However the stream is cut into pieces, the results are the
// same, and the work is linear in the stream's length.
//
// After Done, n is the end of the stream: the bytes behind the one that holds
// the final block's last bit are not consumed. After OverOutput and OverWork
// Run continues if given a larger budget. After Malformed, Truncated and Done
// it returns the same again until Reset.
func (m *Meter) Run(src []byte, last bool, b Budget) (n int, s Status) {
	switch m.status {
	case Done, Malformed, Truncated:
		return 0, m.status
	}
	at := uint64(m.bit)
	if m.Out > b.Output {
		if m.status != OverOutput {
			m.stop = m.base + at
			m.status = OverOutput
		}
		return 0, OverOutput
	}
	s = running
	for s == running {
		switch m.phase {
		case atBlock:
			if at, s = m.emptyBlocks(src, at, b); s == running {
				at, s = m.blockType(src, at)
			}
		case atBudget:
			s = m.checkWork(at, b)
		case atStored:
			at, s = m.storedLength(src, at)
		case inStored:
			at, s = m.storedBytes(src, at, b.Output)
		case inTokens:
			at, s = m.tokens(src, at, b.Output)
		default:
			at, s = m.readCodes(src, at)
		}
	}
	switch s {
	case NeedInput:
		m.stop = m.base + at
		if last {
			s = Truncated
		}
	case Done:
		m.stop = m.base + at
		at = (at + 7) &^ 7
	}
	m.status = s
	n = int(at >> 3)
	m.base += at &^ 7
	m.bit = uint8(at & 7)
	return n, s
}

// peek returns the bits of src from bit position at on, 57 of them or as many
// as there are, with zeros above, and their number.
func peek(src []byte, at uint64) (window uint64, have uint) {
	i := at >> 3
	if i+8 <= uint64(len(src)) {
		return binary.LittleEndian.Uint64(src[i:]) >> (at & 7), 64 - uint(at&7)
	}
	if i >= uint64(len(src)) {
		return 0, 0
	}
	tail := src[i:]
	for k, c := range tail {
		window |= uint64(c) << (8 * k)
	}
	return window >> (at & 7), uint(len(tail))*8 - uint(at&7)
}

// malformed ends the pass at the bit position stop of the stream.
func (m *Meter) malformed(r Reason, stop uint64) Status {
	m.err = Error{Reason: r}
	m.stop = stop
	return Malformed
}

// blockType reads BFINAL and BTYPE (RFC 1951 §3.2.3).
func (m *Meter) blockType(src []byte, at uint64) (uint64, Status) {
	w, have := peek(src, at)
	if have < 3 {
		return at, NeedInput
	}
	m.block = m.base + at
	m.final = w&1 != 0
	switch w >> 1 & 3 {
	case 0:
		m.Blocks.Stored++
		m.next = atStored
	case 1:
		m.Blocks.Fixed++
		m.next = inTokens
		m.fixed = true
	case 2:
		m.Blocks.Dynamic++
		m.next = atCounts
		m.fixed = false
	case 3:
		return at, m.malformed(BlockType, m.block)
	}
	m.phase = atBudget
	return at + 3, running
}

// allowance returns how much overhead the budget covers.
func (m *Meter) allowance(b Budget) uint64 {
	allowed := uint64(math.MaxUint64)
	if b.WorkMax != math.MaxInt64 {
		allowed = uint64(max(b.WorkMax, 0))
	}
	if b.Work != math.MaxInt64 && m.Out <= math.MaxUint64>>5 {
		allowed = min(allowed, uint64(max(b.Work, 0))+16*m.Out)
	}
	return allowed
}

// emptyBlocks passes over fixed and stored blocks that produce nothing, as
// long as the budget covers them. They are the quickest way to keep a decoder
// busy; what stops it is left to the other functions.
func (m *Meter) emptyBlocks(src []byte, at uint64, b Budget) (uint64, Status) {
	const (
		fixedBits  = 3 + 7 // an end of block of 7 zeros
		fixedMask  = 1<<fixedBits - 2
		fixedEmpty = 1 << 1
		storedBits = 3 + 32 // and what fills the byte in between
	)
	overhead, allowed := m.Overhead(), m.allowance(b)
	for {
		w, have := peek(src, at)
		if overhead+BlockOverhead > allowed {
			return at, running
		}
		used := uint64(0)
		if w&fixedMask == fixedEmpty && have >= fixedBits {
			used = fixedBits
			m.Blocks.Fixed++
		} else {
			fill := -(at + 3) & 7
			if w&6 != 0 || uint32(w>>(3+fill)) != 0xffff<<16 || have < uint(storedBits+fill) {
				return at, running
			}
			used = storedBits + fill
			m.Blocks.Stored++
		}
		overhead += BlockOverhead
		at += used
		if w&1 != 0 {
			m.final = true
			return at, Done
		}
	}
}

// checkWork lets the block go on if the work budget covers it.
func (m *Meter) checkWork(at uint64, b Budget) Status {
	if m.Overhead() > m.allowance(b) {
		m.stop = m.block
		return OverWork
	}
	m.phase = m.next
	if m.phase == inTokens {
		m.beginTokens(at)
	}
	return running
}

// storedLength reads LEN and NLEN (RFC 1951 §3.2.4).
func (m *Meter) storedLength(src []byte, at uint64) (uint64, Status) {
	start := (at + 7) &^ 7
	w, have := peek(src, start)
	if have < 32 {
		return at, NeedInput
	}
	if uint16(w) != ^uint16(w>>16) {
		return at, m.malformed(StoredLength, m.block)
	}
	m.stored = uint16(w)
	m.phase = inStored
	return start + 32, running
}

// storedBytes skips the bytes of a stored block.
func (m *Meter) storedBytes(src []byte, at uint64, limit uint64) (uint64, Status) {
	n := uint64(m.stored)
	if left := uint64(len(src)) - at>>3; n > left {
		n = left
	}
	if n > limit-m.Out {
		n = limit - m.Out + 1
		m.stop = m.base + at + 8*(n-1)
		m.Out += n
		m.stored -= uint16(n)
		return at + 8*n, OverOutput
	}
	m.Out += n
	m.stored -= uint16(n)
	at += 8 * n
	if m.stored > 0 {
		return at, NeedInput
	}
	return at, m.endBlock()
}

// endBlock goes on to the next block or ends the stream.
func (m *Meter) endBlock() Status {
	if m.final {
		return Done
	}
	m.phase = atBlock
	return running
}
