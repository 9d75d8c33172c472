package deflate

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync"
)

// maxCodeLength is the length of the longest code of RFC 1951.
const maxCodeLength = 15

// Table sizes. A code as long as the primary index or shorter is found with one
// lookup; a longer one goes through a table of its own behind the primary one.
// No set of 288 codes needs more than 2342 entries, and no set of 32 more than
// 402, at these widths.
const (
	literals     = 288
	literalBits  = 11
	distanceBits = 8
	literalSize  = 4096
	distanceSize = 512
)

// An entry of a decoding table. The low 6 bits say how many bits the code has
// (in a table behind the primary one: beyond the primary index).
//
// In the literal/length table the bits from 13 on are how many bytes the token
// produces. matchFlag marks a length, which a distance follows. special marks
// everything that is neither a literal nor a length without extra bits; bits 8
// to 10 then say what it is.
//
// In the distance table the bits from 13 on are the base of the distance, and
// bits 8 to 11 the number of extra bits.
type entry = uint32

const (
	dropMask     = 1<<6 - 1
	dropSumMask  = 1<<7 - 1
	specialShift = 7
	special      = 1 << specialShift
	matchFlag    = 1 << 11
	kindShift    = 8
	kindMask     = 7 << kindShift
	valueShift   = 13
	literal      = 1 << valueShift
	extraLength  = special | 0<<kindShift | matchFlag // base at 13…21, extra bits at 22…24
	blockEnd     = special | 1<<kindShift
	invalid      = special | 2<<kindShift
	more         = special | 3<<kindShift // in another table: start at 13…24, index bits at 25…28

	extraShift  = valueShift + 9
	widthShift  = valueShift + 12
	lengthMask  = 1<<9 - 1
	startMask   = 1<<12 - 1
	needShift   = 8 // bits that must be there of a distance to be packed, those of its code at least
	needMask    = 15 << needShift
	distExtra   = 8 // shift of a distance's extra bits
	distInvalid = special
	distMore    = 1 << 6 // in another table: start at 13…24, index bits at 25…28
)

// codes decodes the two codes of a block.
type codes struct {
	literalMask  uint64
	distanceMask uint64
	literal      [literalSize]entry
	distance     [distanceSize]entry

	// The code lengths, and the codes of up to packBits bits, reversed.
	lens       [literals + 32]uint8
	reversed   [literals + 32]uint16
	nLiterals  int
	nDistances int

	built  bool
	reach  uint64 // the longest distance the codes can express
	packed packedCodes
}

// literalEntries are the entries of the literal/length symbols but for the
// bits of their codes.
var literalEntries = func() (e [literals]entry) {
	for i := range endOfBlock {
		e[i] = literal
	}
	e[endOfBlock] = blockEnd
	base := entry(3)
	for i := range entry(28) {
		extra := entry(0)
		if i >= 8 {
			extra = i/4 - 1
		}
		if extra == 0 {
			e[257+i] = base<<valueShift | matchFlag
		} else {
			e[257+i] = base<<valueShift | extra<<extraShift | extraLength
		}
		base += 1 << extra
	}
	e[285] = 258<<valueShift | matchFlag
	e[286], e[287] = invalid, invalid
	return e
}()

// distanceEntries are the entries of the distance symbols but for the bits of
// their codes.
var distanceEntries = func() (e [32]entry) {
	base := entry(1)
	for i := range entry(maxDistances) {
		extra := entry(0)
		if i >= 4 {
			extra = i/2 - 1
		}
		e[i] = base<<valueShift | extra<<distExtra
		base += 1 << extra
	}
	e[30], e[31] = distInvalid, distInvalid
	return e
}()

// fixedCodes are those of RFC 1951 §3.2.6.
var fixedCodes = sync.OnceValue(func() *codes {
	var lens [literals]uint8
	var count lengthCount
	for i := range lens {
		switch {
		case i < 144:
			lens[i] = 8
		case i < 256:
			lens[i] = 9
		case i < 280:
			lens[i] = 7
		default:
			lens[i] = 8
		}
		count[lens[i]]++
	}
	dist := [...]uint8{31: 0}
	for i := range dist {
		dist[i] = 5
	}
	count[5] = uint16(len(dist))
	c := new(codes)
	if r := c.build(lens[:], dist[:], count); r != 0 {
		panic("deflate: the fixed codes are " + r.String())
	}
	c.pack()
	return c
})

// lengthCount is how many codes there are of each length.
type lengthCount [maxCodeLength + 1]uint16

// build builds the tables for codes of the given lengths, of which all counts
// both kinds, or says why there are no such codes.
func (c *codes) build(lits, dists []uint8, all lengthCount) Reason {
	if c.built && len(lits) == c.nLiterals && len(dists) == c.nDistances &&
		bytes.Equal(lits, c.lens[:len(lits)]) && bytes.Equal(dists, c.lens[literals:][:len(dists)]) {
		return 0
	}
	c.built = false
	c.packed.built = false
	c.nLiterals = copy(c.lens[:literals], lits)
	clear(c.lens[len(lits):literals])
	c.nDistances = copy(c.lens[literals:], dists)
	clear(c.lens[literals+len(dists):])
	var count lengthCount
	c.reach = 0
	for s, n := range dists {
		n &= maxCodeLength
		count[n]++
		if n != 0 {
			all[n]--
			if s < maxDistances {
				c.reach = uint64(s)
			}
		}
	}
	mask, ok := buildTable(c.literal[:], c.lens[:literals], literalEntries[:], c.reversed[:literals], literalBits, invalid, more, &all)
	if !ok {
		return LiteralSet
	}
	c.literalMask = mask
	mask, ok = buildTable(c.distance[:], c.lens[literals:], distanceEntries[:], c.reversed[literals:], distanceBits, distInvalid, distMore, &count)
	if !ok {
		return DistanceSet
	}
	c.distanceMask = mask
	e := distanceEntries[c.reach]
	c.reach = uint64(e>>valueShift) + 1<<(e>>distExtra&15) - 1
	c.built = true
	return 0
}

// buildTable fills table for the canonical code with the given lengths (RFC
// 1951 §3.2.2), where symbol i gets entries[i]. It returns the mask of the
// primary index, and false if the code is over-subscribed or incomplete. As
// in zlib, no code at all is complete, and so is a single code of length 1;
// what they do not define takes one bit and is absent.
//
// The number of lengths is a multiple of 8.
func buildTable(table []entry, lens []uint8, entries []entry, reversed []uint16, width uint, absent, behind entry, count *lengthCount) (uint64, bool) {
	left := 1
	longest := uint(0)
	var next [maxCodeLength + 2]uint16 // where the symbols of each length start in sorted
	for n := 1; n <= maxCodeLength; n++ {
		left = left<<1 - int(count[n])
		if left < 0 {
			return 0, false
		}
		if count[n] != 0 {
			longest = uint(n)
		}
		next[n+1] = next[n] + count[n]
	}
	if left > 0 && longest > 1 {
		return 0, false
	}
	var sorted [512]uint16 // a power of two, so that a mask keeps to it
	for i := 0; i+8 <= len(lens); i += 8 {
		eight := binary.LittleEndian.Uint64(lens[i : i+8])
		for eight != 0 {
			k := bits.TrailingZeros64(eight) / 8
			n := eight >> (8 * k) & maxCodeLength
			eight &^= 0xff << (8 * k)
			sorted[next[n]&511] = uint16(i + k)
			next[n]++
		}
	}
	if left > 0 {
		table[0], table[1] = absent|1, absent|1
		if longest == 1 {
			table[0] = entries[sorted[0]] + 1
			reversed[sorted[0]] = 0
		}
		return 1, true
	}

	// Codes are assigned in the order of sorted, each one more than the one
	// before. They are sent from their highest bit down, so that an index of
	// the table holds a code reversed. While the codes of length n are filled
	// in, the table has 1<<n entries; going to n+1 doubles it.
	n, code, size := uint(1), uint16(0), uint(2)
	s := 0
	for ; n <= width; n++ {
		code <<= 1
		for _, symbol := range sorted[s:][:count[n]] {
			index := bits.Reverse16(code) >> (16 - n)
			table[index] = entries[symbol] + entry(n)
			reversed[symbol] = index
			code++
		}
		s += int(count[n])
		if n == longest {
			return uint64(size - 1), true
		}
		if n < width {
			copy(table[size:2*size], table[:size])
			size *= 2
		}
	}
	// The rest are longer than the primary index. Those that share their first
	// width bits share a table, wide enough for the longest of them: it is
	// full once the codes counted fill it.
	prefix := ^uint(0)
	var start, end, subBits uint
	end = size
	for ; n <= longest; n++ {
		code <<= 1
		for k, symbol := range sorted[s:][:count[n]] {
			index := uint(bits.Reverse16(code) >> (16 - n))
			code++
			if p := index & (size - 1); p != prefix {
				prefix = p
				start = end
				subBits = n - width
				free := 1<<subBits - (int(count[n]) - k)
				for free > 0 {
					subBits++
					free = free<<1 - int(count[width+subBits])
				}
				end = start + 1<<subBits
				table[p] = behind | entry(start)<<valueShift | entry(subBits)<<widthShift | entry(width)
			}
			e := entries[symbol] + entry(n-width)
			reversed[symbol] = uint16(index)
			for i := index >> width; i < 1<<subBits; i += 1 << (n - width) {
				table[start+i] = e
			}
		}
		s += int(count[n])
	}
	return uint64(size - 1), true
}
