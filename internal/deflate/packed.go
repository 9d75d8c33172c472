package deflate

import "encoding/binary"

const (
	packBits = literalBits // of the index of the packed table
	packSize = 1 << packBits
	packMask = packSize - 1

	// Packing takes about as long as measuring packCost bits one by one. A
	// block pays with its own tokens or with credit from those before it.
	packCost  = 8 << 10
	maxCredit = 2 * packCost

	// maxStep is how many bits an entry drops at most: two steps leave
	// packBits of the 57 bits of a word.
	maxStep = 23
)

// packedCodes decode several tokens in one step. That pays because a match
// costs no more than a literal: only its length counts, and of its distance
// only how many bits it takes. So a table of 2048 entries holds many whole
// matches of the short codes that bombs have, and most literals by twos.
//
// An entry holds what a number of symbols add up to: the bits to drop, the
// bytes they produce, and in matchFlag whether a distance comes next. A special
// entry stands for a code that is too long for the index, for the end of the
// block, or for no code. It holds no symbol and leads to itself: it drops
// nothing and keeps matchFlag as it was.
//
// table is indexed by the next packBits bits, plus matchFlag where a distance
// comes next. behind is for what may follow a first symbol: index 1<<n|v, plus
// matchFlag, is for no more than n bits v.
type packedCodes struct {
	built    bool
	distance [packSize]entry // single distances
	behind   [2 * packSize]entry
	table    [2 * packSize]entry
}

// pack builds the packed table. An entry is that of its first symbol, plus the
// entry for the bits behind it.
func (c *codes) pack() {
	p := &c.packed
	c.resolveLengths()
	shortest := c.packDistances()
	least := uint(packBits)
	for _, n := range c.lens[:c.nLiterals] {
		if n != 0 {
			least = min(least, uint(n))
		}
	}
	// Behind a first symbol there are this many bits at most.
	most := packBits - least
	chained := shortest+least <= packBits
	if chained {
		most = packBits - min(least, shortest)
	}
	// fits is all ones where the first symbol fits into the bits there are.
	for n := uint32(0); n <= uint32(most); n++ {
		for v := uint32(0); v < 1<<n; v++ {
			x := (1<<n | v) & packMask
			e := c.literal[v&packMask]
			fits := ^uint32(int32(n-e&dropMask)>>31) & (e>>specialShift&1 - 1)
			p.behind[x] = (e&^matchFlag + p.behind[x>>(e&31)|e&matchFlag]) & fits

			e = p.distance[v&packMask]
			fits = ^uint32(int32(n-e>>needShift&15) >> 31)
			p.behind[matchFlag|x] = (e&^needMask+p.behind[x>>(e&31)])&fits | matchFlag&^fits
		}
	}
	for v := range uint32(packSize) {
		e := c.literal[v]
		fits := e>>specialShift&1 - 1
		p.table[v] = (e&^matchFlag+p.behind[(packSize|v)>>(e&31)&packMask|e&matchFlag])&fits | special&^fits
	}
	for v := range uint32(packSize) {
		e := p.distance[v]
		fits := e>>specialShift&1 - 1
		behind := uint32(0)
		if chained {
			behind = p.behind[(packSize|v)>>(e&31)&packMask]
		}
		p.table[matchFlag|v] = (e&^needMask+behind)&fits | (special|matchFlag)&^fits
	}
	p.built = true
}

// resolveLengths widens the literal/length table to packBits and makes the
// lengths whose extra bits fit into the index ordinary ones.
func (c *codes) resolveLengths() {
	for size := uint(c.literalMask) + 1; size < packSize; size *= 2 {
		copy(c.literal[size:2*size], c.literal[:size])
	}
	c.literalMask = packMask
	for s := 265; s < 285 && s < c.nLiterals; s++ {
		n := uint(c.lens[s])
		e := literalEntries[s]
		extra := uint(e >> extraShift)
		if n == 0 || n+extra > packBits {
			continue
		}
		base := e >> valueShift & lengthMask
		for v := range uint32(1) << extra {
			e := (base+v)<<valueShift | matchFlag | uint32(n+extra)
			for i := uint(c.reversed[s]) | uint(v)<<n; i < packSize; i += 1 << (n + extra) {
				c.literal[i&packMask] = e
			}
		}
	}
}

// packDistances fills in the single distances, extra bits included, and
// returns the least number of bits one takes.
func (c *codes) packDistances() uint {
	single := &c.packed.distance
	for i := range single {
		single[i] = special | needMask
	}
	shortest := uint(packBits)
	for s := range min(c.nDistances, maxDistances) {
		n := uint(c.lens[literalSymbols+s])
		if n == 0 || n > packBits || n+uint(distanceEntries[s]>>distanceExtra&15) > maxStep {
			continue
		}
		bits := n + uint(distanceEntries[s]>>distanceExtra&15)
		shortest = min(shortest, bits)
		need := max(n, bits-min(bits, maxStep-packBits))
		e := uint32(bits) | uint32(need)<<needShift
		for i := uint(c.reversed[literalSymbols+s]); i < packSize; i += 1 << n {
			single[i&packMask] = e
		}
	}
	return shortest
}

// steps measures by steps, up to a special entry, the bit position end or the
// output limit.
func (p *packedCodes) steps(src []byte, l *lane, end, limit uint64) {
	table := &p.table
	pos := uint(l.at >> 3)
	buf := binary.LittleEndian.Uint64(src[pos:]) >> (l.at & 7)
	pos += 7
	have := uint(56 - l.at&7)
	e := l.state
	out := l.out
	last := uint((end+7)>>3) + 7
	for pos+8 <= uint(len(src)) && pos < last {
		buf |= binary.LittleEndian.Uint64(src[pos:pos+8]) << (have & 63)
		pos += (63 - have) >> 3
		have |= 56
		// 56 bits hold two steps of maxStep.
		e1 := uint64(table[buf&packMask|e&matchFlag])
		buf >>= e1 & dropMask
		e = uint64(table[buf&packMask|e1&matchFlag])
		buf >>= e & dropMask
		sum := e1 + e
		have -= uint(sum & dropMask)
		out += sum >> valueShift
		if e&special != 0 || out >= limit {
			break
		}
	}
	l.at = uint64(pos)*8 - uint64(have)
	l.out = out
	l.state = e & matchFlag
}
