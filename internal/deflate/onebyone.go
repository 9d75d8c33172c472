package deflate

import "encoding/binary"

// oneByOne measures tokens one by one, where enough input follows: up to the
// bit position end, the output limit, or a token that is neither a literal nor
// a match of a distance within reach. It needs no more than the plain tables.
func (c *codes) oneByOne(src []byte, at, end, out, limit uint64) (uint64, uint64) {
	pos := uint(at >> 3)
	last := uint(end >> 3)
	buf := binary.LittleEndian.Uint64(src[pos:]) >> (at & 7)
	pos += 7
	have := uint(56 - at&7)
	for pos+8 <= uint(len(src)) && pos <= last && out < limit {
		buf |= binary.LittleEndian.Uint64(src[pos:pos+8]) << (have & 63)
		pos += (63 - have) >> 3
		have |= 56
		// 56 bits hold two literals, of 30 bits at most, or the longest match,
		// of 48.
		e := c.literal[buf&c.literalMask&(literalSize-1)]
		if e&(special|matchFlag) == 0 {
			buf >>= e & dropMask
			have -= uint(e & dropMask)
			out++
			e = c.literal[buf&c.literalMask&(literalSize-1)]
			if e&(special|matchFlag) == 0 {
				buf >>= e & dropMask
				have -= uint(e & dropMask)
				out++
			}
			continue
		}
		w := buf
		used := e & dropMask
		w >>= used
		length := e >> valueShift
		if e&special != 0 {
			if e&kindMask == longLiteral {
				e = c.literal[(length&startMask+uint32(w)&(1<<(e>>widthShift&15)-1))&(literalSize-1)]
				n := e & dropMask
				used += n
				w >>= n
				if e&(special|matchFlag) == 0 {
					buf = w
					have -= uint(used)
					out++
					continue
				}
				length = e >> valueShift
			}
			if e&special != 0 {
				if e&kindMask != extraLength&kindMask {
					break
				}
				extra := e >> extraShift & 7
				length = length&lengthMask + uint32(w)&(1<<extra-1)
				used += extra
				w >>= extra
			}
		}
		e = c.distance[w&c.distanceMask&(distanceSize-1)]
		if e&longDistance == longDistance {
			used += distanceBits
			w >>= distanceBits
			e = c.distance[(e>>valueShift&startMask+uint32(w)&(1<<(e>>widthShift&15)-1))&(distanceSize-1)]
		}
		n := e & dropMask
		w >>= n
		extra := e >> distanceExtra & 15
		distance := uint64(e>>valueShift) + w&(1<<extra-1)
		if e&special != 0 || distance > out {
			break
		}
		used += n + extra
		out += uint64(length)
		buf = w >> extra
		have -= uint(used)
	}
	return uint64(pos)*8 - uint64(have), out
}

// token measures one literal, match or end of block, if all of it is present.
// It returns how many bits it takes. Done is the end of the block.
func (m *Meter) token(c *codes, src []byte, at uint64) (uint64, Status) {
	w, have := peek(src, at)
	e := c.literal[w&c.literalMask]
	used := uint(e & dropMask)
	if e&kindMask == longLiteral {
		if have < used {
			return 0, NeedInput
		}
		width := e >> widthShift
		e = c.literal[e>>valueShift&startMask+entry(w>>used)&(1<<width-1)]
		used += uint(e & dropMask)
	}
	if have < used {
		return 0, NeedInput
	}
	length := uint64(e >> valueShift)
	if e&special != 0 {
		switch e & kindMask {
		case blockEnd:
			return uint64(used), Done
		case noLiteral:
			return 0, m.malformed(LiteralCode, m.base+at)
		}
		extra := uint(e >> extraShift)
		if have < used+extra {
			return 0, NeedInput
		}
		length = length&lengthMask + w>>used&(1<<extra-1)
		used += extra
	}
	if e&matchFlag == 0 {
		m.Out++
		return uint64(used), running
	}
	e = c.distance[w>>used&c.distanceMask]
	if e&longDistance == longDistance {
		if have < used+distanceBits {
			return 0, NeedInput
		}
		used += distanceBits
		width := e >> widthShift
		e = c.distance[e>>valueShift&startMask+entry(w>>used)&(1<<width-1)]
	}
	used += uint(e & dropMask)
	if have < used {
		return 0, NeedInput
	}
	if e&special != 0 {
		return 0, m.malformed(DistanceCode, m.base+at)
	}
	extra := uint(e >> distanceExtra & 15)
	if have < used+extra {
		return 0, NeedInput
	}
	distance := uint64(e>>valueShift) + w>>used&(1<<extra-1)
	if distance > m.Out {
		s := m.malformed(DistanceTooFar, m.base+at)
		m.err.Distance, m.err.Produced = distance, m.Out
		return 0, s
	}
	m.Out += length
	return uint64(used + extra), running
}
