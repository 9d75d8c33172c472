package forge

import (
	"cmp"
	"slices"
)

// A Header is the start of a dynamic block exactly as written (RFC 1951 section
// 3.2.7). [Codes.Header] makes a true one; changing it makes a malformed block.
type Header struct {
	HLIT, HDIST, HCLEN uint          // as on the wire: 257, 1 and 4 less than the counts
	CodeLengths        [19]uint8     // lengths of the code-length codes, by symbol; HCLEN+4 of them are written
	Symbols            []LengthToken // the code lengths, run-length encoded
}

// A LengthToken is one symbol of the code-length alphabet and its extra bits.
type LengthToken struct {
	Symbol uint // 0 to 15: a length; CopyPrevious, ZerosShort, ZerosLong
	Extra  uint // what the extra bits hold: the count less 3, 3 or 11
}

// Symbols of the code-length alphabet that stand for runs.
const (
	CopyPrevious = 16 // the previous length 3 to 6 times, 2 extra bits
	ZerosShort   = 17 // 3 to 10 zeros, 3 extra bits
	ZerosLong    = 18 // 11 to 138 zeros, 7 extra bits
)

// codeLengthOrder is the order in which code-length code lengths are written.
var codeLengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// Header returns the header that states c, run-length encoded without looking
// for the shortest way.
func (c Codes) Header() Header {
	litlen := padded(c.LitLen, 257)
	distance := padded(c.Distance, 1)
	h := Header{
		HLIT:    uint(len(litlen)) - 257,
		HDIST:   uint(len(distance)) - 1,
		Symbols: LengthTokens(append(slices.Clone(litlen), distance...)),
	}
	h.Recode()
	return h
}

// padded returns lengths without zeros at the end, but at least least of them.
func padded(lengths []uint8, least int) []uint8 {
	n := len(lengths)
	for n > 0 && lengths[n-1] == 0 {
		n--
	}
	out := make([]uint8, max(n, least))
	copy(out, lengths[:n])
	return out
}

// LengthTokens run-length encodes code lengths.
func LengthTokens(lengths []uint8) []LengthToken {
	var tokens []LengthToken
	for i := 0; i < len(lengths); {
		run := 1
		for i+run < len(lengths) && lengths[i+run] == lengths[i] {
			run++
		}
		switch {
		case lengths[i] == 0 && run >= 11:
			run = min(run, 138)
			tokens = append(tokens, LengthToken{ZerosLong, uint(run - 11)})
		case lengths[i] == 0 && run >= 3:
			tokens = append(tokens, LengthToken{ZerosShort, uint(run - 3)})
		case run >= 4:
			run = min(run, 7)
			tokens = append(tokens, LengthToken{uint(lengths[i]), 0}, LengthToken{CopyPrevious, uint(run - 4)})
		default:
			run = 1
			tokens = append(tokens, LengthToken{uint(lengths[i]), 0})
		}
		i += run
	}
	return tokens
}

// Recode sets CodeLengths and HCLEN to a complete code for Symbols. Decoders
// refuse a code-length set of one code, so at least two symbols get one.
func (h *Header) Recode() {
	var count [19]int
	for _, t := range h.Symbols {
		if t.Symbol <= ZerosLong {
			count[t.Symbol]++
		}
	}
	var used []uint
	for s := range uint(19) {
		if count[s] > 0 {
			used = append(used, s)
		}
	}
	for _, spare := range []uint{ZerosLong, 0} {
		if len(used) < 2 && !slices.Contains(used, spare) {
			used = append(used, spare)
		}
	}
	slices.SortStableFunc(used, func(a, b uint) int { return cmp.Compare(count[b], count[a]) })
	h.CodeLengths = [19]uint8{}
	copy(h.CodeLengths[:], balanced(used))
	n := len(codeLengthOrder)
	for n > 4 && h.CodeLengths[codeLengthOrder[n-1]] == 0 {
		n--
	}
	h.HCLEN = uint(n) - 4
}

// write writes everything after BFINAL and BTYPE.
func (h Header) write(b *BitWriter) {
	b.Bits(uint64(h.HLIT), 5)
	b.Bits(uint64(h.HDIST), 5)
	b.Bits(uint64(h.HCLEN), 4)
	for _, s := range codeLengthOrder[:min(h.HCLEN+4, 19)] {
		b.Bits(uint64(h.CodeLengths[s]), 3)
	}
	codes := appendCanonical(nil, h.CodeLengths[:])
	for _, t := range h.Symbols {
		if t.Symbol > ZerosLong || codes[t.Symbol].n == 0 {
			b.fail("the header has no code for code length symbol %d", t.Symbol)
			return
		}
		c := codes[t.Symbol]
		b.Bits(c.bits, c.n)
		switch t.Symbol {
		case CopyPrevious:
			b.Bits(uint64(t.Extra), 2)
		case ZerosShort:
			b.Bits(uint64(t.Extra), 3)
		case ZerosLong:
			b.Bits(uint64(t.Extra), 7)
		}
	}
}
