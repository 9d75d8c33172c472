package deflate

// tokens measures the literals and matches of a block, up to its end.
func (m *Meter) tokens(src []byte, at uint64, limit uint64) (uint64, Status) {
	c := &m.codes
	if m.fixed {
		c = fixedCodes()
	}
	// What a packed step adds at most is kept clear of the limit, so that the
	// token that goes beyond it is found one by one.
	fastLimit := uint64(0)
	if limit > maxPackedOutput {
		fastLimit = limit - maxPackedOutput
	}
	fastEnd := uint64(0)
	if len(src) >= fastMargin {
		fastEnd = uint64(len(src)-fastMargin) * 8
	}
	for {
		if at < fastEnd && m.Out < fastLimit && m.Out >= maxDistance {
			if !c.packed.built && m.base+at >= m.packAt {
				c.pack()
			}
			if c.packed.built {
				to, out, pending := c.packed.run(src, at, m.Out, fastLimit)
				if pending {
					w, _ := peek(src, to)
					used, ok := c.skipDistance(w)
					if !ok {
						// Find the match it belongs to.
						fastEnd = 0
						continue
					}
					to += used
				}
				at, m.Out = to, out
			}
		}
		used, s := m.token(c, src, at)
		switch s {
		case running:
		case Done:
			return at + used, m.endBlock()
		default:
			return at, s
		}
		if m.Out > limit {
			m.stop = m.base + at
			return at + used, OverOutput
		}
		at += used
	}
}

// skipDistance returns how many bits the distance takes that w starts with.
func (c *codes) skipDistance(w uint64) (uint64, bool) {
	used := uint(0)
	e := c.distance[w&c.distanceMask]
	if e&distMore != 0 {
		used = distanceBits
		width := e >> widthShift
		e = c.distance[e>>valueShift&startMask+entry(w>>used)&(1<<width-1)]
	}
	used += uint(e&dropMask) + uint(e>>distExtra&15)
	return uint64(used), e&special == 0
}

// token measures one literal, match or end of block, if all of it is present.
// It returns how many bits it takes. Done is the end of the block.
func (m *Meter) token(c *codes, src []byte, at uint64) (uint64, Status) {
	w, have := peek(src, at)
	e := c.literal[w&c.literalMask]
	used := uint(e & dropMask)
	if e&(special|kindMask) == more {
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
		switch e & (special | kindMask) {
		case blockEnd:
			return uint64(used), Done
		case invalid:
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
	if e&distMore != 0 {
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
	extra := uint(e >> distExtra & 15)
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
