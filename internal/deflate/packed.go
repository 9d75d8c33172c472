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

	needShift = 7
	needMask  = 15 << needShift
	never     = 15 << needShift
)

// packedCodes decode several tokens at once.
type packedCodes struct {
	built  bool
	single [2 * packSize]entry
	table  [2 * packSize]entry
}

func (c *codes) pack() {
	p := &c.packed
	single := &p.single
	mask := uint32(c.literalMask)
	for i := range uint32(packSize) {
		e := c.literal[i&mask&(literalSize-1)]
		m := -(e >> 6 & 1)
		e |= e & dropMask << needShift
		single[i] = e&^m | (special|never)&m
	}
	for s := 265; s < 285 && s < c.nLiterals; s++ {
		n := uint(c.lens[s])
		e := literalEntries[s]
		extra := uint(e >> extraShift)
		if n == 0 || n+extra > packBits {
			continue
		}
		base := e >> valueShift & lengthMask
		for v := range uint32(1) << extra {
			e := (base+v)<<valueShift | matchFlag | uint32(n+extra)*(1|1<<needShift)
			for i := uint(c.reversed[s]) | uint(v)<<n; i < packSize; i += 1 << (n + extra) {
				single[i&packMask] = e
			}
		}
	}
	distances := (*[packSize]entry)(single[packSize:])
	for i := range distances {
		distances[i] = special | never | matchFlag
	}
	for s := range c.nDistances {
		n := uint(c.lens[288+s])
		if n == 0 || n > packBits || s >= maxDistances {
			continue
		}
		extra := uint(distanceEntries[s] >> distExtra & 15)
		e := uint32(n+extra) | uint32(n)<<needShift
		for i := uint(c.reversed[288+s]); i < packSize; i += 1 << n {
			distances[i&packMask] = e
		}
	}
	table := &p.table
	copy(table[:], single[:])
	for range 12 {
		changed := uint32(0)
		for i := range uint32(packSize) {
			e := table[i]
			d := e & dropMask
			next := single[i>>(d&31)|e&matchFlag]
			room := int32(packBits) - int32(d) - int32(next&needMask>>needShift)
			m := ^uint32(room >> 31)
			changed |= m
			table[i] = e&^(matchFlag&m) + next&^needMask&m
		}
		if changed == 0 {
			break
		}
	}
	for i := range table {
		table[i] &^= needMask
	}
	p.built = true
}

// run measures whole steps
func (p *packedCodes) run(src []byte, at, out, limit uint64) (uint64, uint64, bool) {
	table := &p.table
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
