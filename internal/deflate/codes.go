package deflate

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync"
)

// Table sizes. A code no longer than the primary index is found with one
// lookup; a longer one is in a table of its own, behind the primary one, for
// all codes that start alike. No code for 288 symbols needs more than 2342
// entries at a primary index of 11 bits, and none for 32 symbols more than 402
// at 8 bits.
const (
	literalBits  = 11
	distanceBits = 8
	literalSize  = 4096
	distanceSize = 512

	maxCodeLength = 15 // of any code of RFC 1951
)

// codes decodes the two codes of a block.
type codes struct {
	literalMask  uint64
	distanceMask uint64
	literal      [literalSize]entry
	distance     [distanceSize]entry

	// The lengths of the codes and the codes themselves, reversed, of both
	// alphabets one after the other.
	lens       [literalSymbols + distanceSymbols]uint8
	reversed   [literalSymbols + distanceSymbols]uint16
	nLiterals  int
	nDistances int

	built  bool
	reach  uint64 // the longest distance the codes can express
	packed packedCodes
}

// fixedCodes are those of RFC 1951 §3.2.6.
var fixedCodes = sync.OnceValue(func() *codes {
	var lens [literalSymbols]uint8
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
	var dist [distanceSymbols]uint8
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
		bytes.Equal(lits, c.lens[:len(lits)]) && bytes.Equal(dists, c.lens[literalSymbols:][:len(dists)]) {
		return 0
	}
	c.built = false
	c.packed.built = false
	c.nLiterals = copy(c.lens[:literalSymbols], lits)
	clear(c.lens[len(lits):literalSymbols])
	c.nDistances = copy(c.lens[literalSymbols:], dists)
	clear(c.lens[literalSymbols+len(dists):])
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
	mask, ok := literalAlphabet.build(c.literal[:], c.lens[:literalSymbols], c.reversed[:literalSymbols], &all)
	if !ok {
		return LiteralSet
	}
	c.literalMask = mask
	mask, ok = distanceAlphabet.build(c.distance[:], c.lens[literalSymbols:], c.reversed[literalSymbols:], &count)
	if !ok {
		return DistanceSet
	}
	c.distanceMask = mask
	e := distanceEntries[c.reach]
	c.reach = uint64(e>>valueShift) + 1<<(e>>distanceExtra&15) - 1
	c.built = true
	return 0
}

// An alphabet says what a table is built of.
type alphabet struct {
	entries []entry // of the symbols, but for the bits of their codes
	bits    uint    // of the primary index
	absent  entry   // for what has no symbol
	long    entry   // for what is in a table of its own
}

var (
	literalAlphabet  = alphabet{literalEntries[:], literalBits, noLiteral, longLiteral}
	distanceAlphabet = alphabet{distanceEntries[:], distanceBits, noDistance, longDistance}
)

// build fills table for the canonical code with the given lengths (RFC 1951
// §3.2.2), and reversed with the codes. It returns the mask of the
// primary index, and false if the code is over-subscribed or incomplete. As
// in zlib, no code at all is complete, and so is a single code of length 1;
// what they do not define takes one bit and is absent.
//
// The number of lengths is a multiple of 8.
func (a *alphabet) build(table []entry, lens []uint8, reversed []uint16, count *lengthCount) (uint64, bool) {
	entries, width := a.entries, a.bits
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
		table[0], table[1] = a.absent|1, a.absent|1
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
				table[p] = a.long | entry(start)<<valueShift | entry(subBits)<<widthShift | entry(width)
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
