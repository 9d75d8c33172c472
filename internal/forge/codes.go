package forge

import (
	"slices"
	"sync"
)

// Codes are the two code sets of a block, as code lengths in bits by symbol
// (RFC 1951 section 3.2.2). Zero means the symbol has no code; so does its
// absence at the end. Codes are canonical; over-subscribed or incomplete sets
// are written like any other. Lengths above 15 cannot be stated: such a symbol
// has no code.
type Codes struct {
	LitLen   []uint8 // up to 288
	Distance []uint8 // up to 32
}

// FixedCodes returns the codes of fixed blocks (RFC 1951 section 3.2.6).
func FixedCodes() Codes {
	litlen := make([]uint8, 288)
	for i := range litlen {
		switch {
		case i < 144:
			litlen[i] = 8
		case i < 256:
			litlen[i] = 9
		case i < 280:
			litlen[i] = 7
		default:
			litlen[i] = 8
		}
	}
	return Codes{litlen, slices.Repeat([]uint8{5}, 32)}
}

// fixedSets are the canonical codes of FixedCodes. Making them takes longer than
// writing a small block that uses them, so they are made once and never changed.
var fixedSets = sync.OnceValue(func() (sets struct{ litlen, dist []code }) {
	codes := FixedCodes()
	sets.litlen = appendCanonical(nil, codes.LitLen)
	sets.dist = appendCanonical(nil, codes.Distance)
	return sets
})

// CodesFor returns code sets that give codes to the symbols given and to end of
// block: complete, and as near to equal lengths as that allows. A set of one
// symbol has one code of one bit. Symbols listed earlier get the shorter codes.
func CodesFor(litlen, distance []uint) Codes {
	if !slices.Contains(litlen, EndOfBlock) {
		litlen = append(slices.Clone(litlen), EndOfBlock)
	}
	return Codes{balanced(litlen), balanced(distance)}
}

// balanced gives each symbol a code: with k symbols and 2^b ≥ k the first
// 2^b − k get b − 1 bits, the others b.
func balanced(symbols []uint) []uint8 {
	if len(symbols) == 0 {
		return nil
	}
	lengths := make([]uint8, slices.Max(symbols)+1)
	b := uint8(1)
	for 1<<b < len(symbols) {
		b++
	}
	short := 1<<b - len(symbols)
	for i, s := range symbols {
		lengths[s] = b
		if i < short && len(symbols) > 1 {
			lengths[s] = b - 1
		}
	}
	return lengths
}

// A code is a few bits as they are written, the first in bit 0.
type code struct {
	bits uint64
	n    uint
}

// then returns c followed by next.
func (c code) then(next code) code {
	return code{c.bits | next.bits<<c.n, c.n + next.n}
}

// appendCanonical appends the codes that belong to code lengths (RFC 1951
// section 3.2.2) to codes.
func appendCanonical(codes []code, lengths []uint8) []code {
	const longest = 15
	var count, next [longest + 1]int
	for _, n := range lengths {
		if n <= longest {
			count[n]++
		}
	}
	count[0] = 0
	for n := 1; n < len(next); n++ {
		next[n] = (next[n-1] + count[n-1]) << 1
	}
	for _, n := range lengths {
		var c code
		if n > 0 && n <= longest {
			c = code{reverse(uint16(next[n]), uint(n)), uint(n)}
			next[n]++
		}
		codes = append(codes, c)
	}
	return codes
}

// A value is a length or distance as its symbol and extra bits.
type value struct {
	symbol uint
	extra  code
}

// lengthSymbol returns how a match length, 3 to 258, is written (RFC 1951
// section 3.2.5).
func lengthSymbol(length int) value {
	switch n := length - 3; {
	case length == 258:
		return value{symbol: 285}
	case n < 8:
		return value{symbol: 257 + uint(n)}
	default:
		return geometric(257, n, 2)
	}
}

// distanceSymbol returns how a match distance, 1 to 32768, is written.
func distanceSymbol(distance int) value {
	if n := distance - 1; n < 4 {
		return value{symbol: uint(n)}
	}
	return geometric(0, distance-1, 1)
}

// geometric writes n for an alphabet that starts at first, in which every extra
// bit more comes with 2^group symbols: the group bits below the leading bit of n
// choose the symbol, those below them are the extra bits.
func geometric(first uint, n int, group uint) value {
	extra := uint(0)
	for n>>(extra+group+1) > 0 {
		extra++
	}
	symbol := first + extra<<group + uint(n>>extra)
	return value{symbol, code{uint64(n) & (1<<extra - 1), extra}}
}
