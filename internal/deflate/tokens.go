package deflate

const (
	// fastMargin is how many bytes there must be from where a step of a fast
	// loop starts. A step looks at 8 bytes and uses less than 9, and the
	// distance that may be left over takes less than 4.
	fastMargin = 16
	// maxStepOutput is more than what a round of a fast loop adds: three
	// steps, in each of which every match takes two bits at least.
	maxStepOutput = 3 * (packBits/2 + 1) * 258
)

// beginTokens marks the end of a block's header.
func (m *Meter) beginTokens(at uint64) {
	m.tokensAt = m.base + at
	m.packAt = m.tokensAt + packCost - min(m.credit, packCost)
	m.phase = inTokens
}

// tokens measures the literals and matches of a block, up to its end. Most of
// them are left to the fast loops; those keep clear of the end of the input, of
// the limit and of all that is wrong, so that what happens there is decided in
// one place, token.
func (m *Meter) tokens(src []byte, at uint64, limit uint64) (uint64, Status) {
	c := &m.codes
	if m.fixed {
		c = fixedCodes()
	}
	fastLimit := limit - min(limit, maxStepOutput)
	fastEnd := uint64(max(len(src)-fastMargin, 0)) * 8
	for {
		if at < fastEnd && m.Out < fastLimit {
			var ok bool
			if at, ok = m.fast(c, src, at, fastEnd, fastLimit); !ok {
				// There is no such distance. Find the match it belongs to.
				fastEnd = 0
			}
		}
		used, s := m.token(c, src, at)
		switch s {
		case running:
		case Done:
			at += used
			m.credit = min(m.credit+m.base+at-m.tokensAt, maxCredit)
			return at, m.endBlock()
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

// fast measures what the fast loops can, up to about the bit position end or
// the output limit, and returns how far it came: always between two tokens. It
// returns false if there is an invalid distance somewhere behind that.
func (m *Meter) fast(c *codes, src []byte, at, end, limit uint64) (uint64, bool) {
	if m.Out < c.reach {
		// Distances have to be looked at until none can be too far.
		at, m.Out = c.oneByOne(src, at, end, m.Out, min(limit, c.reach))
		if m.Out < c.reach {
			return at, true
		}
	}
	p := &c.packed
	if !p.built {
		if packAt := max(m.packAt, m.base) - m.base; at < packAt {
			at, m.Out = c.oneByOne(src, at, min(end, packAt), m.Out, limit)
			if at < packAt {
				return at, true
			}
		}
		c.pack()
		m.credit -= min(m.credit, packCost)
	}
	l := lane{at: at, out: m.Out}
	for l.out < limit && l.at+3*stretch < end && m.base+l.at >= m.soloUntil && !p.stuck(src, &l) {
		ok := m.stretch(c, src, &l, limit)
		if l.state == 0 {
			at, m.Out = l.at, l.out
		}
		if !ok {
			return at, false
		}
	}
	if l.out < limit && l.at < end {
		if soloUntil := max(m.soloUntil, m.base) - m.base; soloUntil > l.at {
			end = min(end, soloUntil)
		}
		p.steps(src, &l, end, limit)
	}
	if l.state != 0 && !c.passDistance(src, &l) {
		return at, false
	}
	m.Out = l.out
	return l.at, true
}

// passDistance takes a lane beyond a distance, if there is a valid one.
func (c *codes) passDistance(src []byte, l *lane) bool {
	w, have := peek(src, l.at)
	used := uint(0)
	e := c.distance[w&c.distanceMask&(distanceSize-1)]
	if e&longDistance == longDistance {
		used = distanceBits
		e = c.distance[e>>valueShift&startMask+entry(w>>used)&(1<<(e>>widthShift)-1)]
	}
	used += uint(e&dropMask) + uint(e>>distanceExtra&15)
	if e&special != 0 || used > have {
		return false
	}
	l.at += uint64(used)
	l.state = 0
	return true
}
