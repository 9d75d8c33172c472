package deflate

import "encoding/binary"

const (
	packBits = literalBits
	packSize = 1 << packBits
	packMask = packSize - 1

	packCost  = 8 << 10
	maxCredit = 64 << 10
	// maxPackedOutput is more than what two packed steps can add: every match
	// takes two bits at least.
	maxPackedOutput = 2 * (packBits/2 + 1) * 258
	// fastMargin is how many bytes must follow where packed steps start.
	fastMargin = 16

	needShift = 8
	needMask  = 15 << needShift
)

// packedCodes decode several tokens at once.
//
// An entry holds what a whole number of symbols add up to: the bits to drop,
// the bytes they produce, and in matchFlag whether a distance comes next.
// Special entries hold none, and lead to themselves: they drop nothing and
// keep matchFlag as it was.
//
// table holds an entry for every sequence of up to packBits bits, written as a
// number with a 1 above the first bit that is not there: table[1<<n|v] for the
// n bits v, and table[distances|1<<n|v] where a distance comes first.
type packedCodes struct {
	built    bool
	distance [packSize]entry // single distances
	table    [2 * distances]entry
}

const distances = 2 * packSize

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
	behind := packBits - least
	if shortest+least <= packBits {
		behind = packBits - min(least, shortest)
	}
	for n := uint(0); n <= behind; n++ {
		for v := uint32(0); v < 1<<n; v++ {
			x := 1<<n | v
			e := c.literal[v]
			fits := ^uint32(int32(uint32(n)-e&dropMask)>>31) & (e>>6&1 - 1)
			p.table[x] = (e&^matchFlag + p.table[x>>(e&dropMask)|e&matchFlag]) & fits

			e = p.distance[v]
			fits = ^uint32(int32(uint32(n)-e>>needShift&15) >> 31)
			p.table[distances|x] = (e&^needMask+p.table[x>>(e&dropMask)])&fits | matchFlag&^fits
		}
	}
	for v := range uint32(packSize) {
		e := c.literal[v]
		fits := e>>6&1 - 1
		p.table[packSize|v] = (e&^matchFlag+p.table[(packSize|v)>>(e&dropMask)|e&matchFlag])&fits | special&^fits
	}
	if shortest+least > packBits {
		for v := range uint32(packSize) {
			p.table[distances|packSize|v] = p.distance[v] &^ needMask
		}
	} else {
		for v := range uint32(packSize) {
			e := p.distance[v]
			fits := e>>6&1 - 1
			p.table[distances|packSize|v] = (e&^needMask+p.table[(packSize|v)>>(e&dropMask)])&fits | (special|matchFlag)&^fits
		}
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
		single[i] = special | needMask | matchFlag
	}
	shortest := uint(packBits)
	for s := range min(c.nDistances, maxDistances) {
		n := uint(c.lens[literals+s])
		if n == 0 || n > packBits {
			continue
		}
		bits := n + uint(distanceEntries[s]>>distExtra&15)
		shortest = min(shortest, bits)
		e := uint32(bits) | uint32(n)<<needShift
		for i := uint(c.reversed[literals+s]); i < packSize; i += 1 << n {
			single[i&packMask] = e
		}
	}
	return shortest
}

// run measures whole steps
func (p *packedCodes) run(src []byte, at, out, limit uint64) (uint64, uint64, bool) {
	table := (*[distances + packSize]entry)(p.table[packSize:])
	pos := uint(at >> 3)
	buf := binary.LittleEndian.Uint64(src[pos:]) >> (at & 7)
	pos += 7
	have := uint(56 - at&7)
	e := uint64(0)
	for pos+8 <= uint(len(src)) {
		buf |= binary.LittleEndian.Uint64(src[pos:pos+8]) << (have & 63)
		pos += (63 - have) >> 3
		have |= 56
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
	return uint64(pos)*8 - uint64(have), out, e&matchFlag != 0
}
