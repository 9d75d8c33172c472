package deflate

import (
	"encoding/binary"
	"math"
)

const (
	// stretch is how many bits the first of two lanes measures before it
	// meets the second. Much longer, and too many blocks end before; much
	// shorter, and looking for the meeting point costs more than it saves.
	stretch = 8 * 2 << 10
	// traced is how many steps of the second lane the first may meet.
	traced = 48
	// maxSolo bounds for how many stretches lanes that did not meet are not
	// tried again.
	maxSolo = 64
)

// A lane is where a decoder is, and what it has measured so far.
type lane struct {
	at    uint64 // bit position
	out   uint64 // bytes
	state uint64 // matchFlag where a distance comes next, else 0
}

// stretch measures a stretch of a block with two lanes at once.
//
// Steps are bound by latency: where the next one starts is known only when the
// last one has been looked up. So a second lane starts a stretch further on, in
// the middle of who knows which code, and takes its steps at the same time.
// Prefix codes synchronise themselves: after a few wrong tokens the second lane
// is most likely to run on the true ones. When the first lane has measured the
// stretch it looks for a step that the second lane took as well. From there on
// the second has measured what the first would have, and the first takes it
// over. If there is none, what the second lane did is forgotten.
//
// All distances must be within reach. It returns false at an invalid distance.
func (m *Meter) stretch(c *codes, src []byte, a *lane, limit uint64) bool {
	p := &c.packed
	start := a.at + stretch
	b := lane{at: start, out: c.reach}
	goes := true // as long as b is not stuck
	n := 0
	for ; n < traced && goes; n++ {
		m.trace[n] = b
		p.step(src, &b)
		goes = c.unstick(src, &b, math.MaxUint64)
	}
	for a.at < start && a.out < limit {
		if goes {
			p.pair(src, a, &b, start, limit)
			goes = b.at>>3+fastMargin <= uint64(len(src)) && c.unstick(src, &b, math.MaxUint64)
		} else {
			p.steps(src, a, start, limit)
		}
		if !c.unstick(src, a, limit) {
			// The end of the block, or a distance that is none.
			return a.state == 0
		}
	}
	for k := 0; a.out < limit; {
		for k < n && m.trace[k].at < a.at {
			k++
		}
		if k == n {
			break
		}
		if t := &m.trace[k]; t.at == a.at && t.state == a.state {
			if b.out-t.out >= limit-a.out {
				break
			}
			*a = lane{at: b.at, out: a.out + b.out - t.out, state: b.state}
			m.solo = 1
			return true
		}
		p.step(src, a)
		if !c.unstick(src, a, limit) {
			return a.state == 0
		}
	}
	m.soloUntil = m.base + a.at + m.solo*stretch
	m.solo = min(2*m.solo+1, maxSolo)
	return true
}

// pair takes steps with two lanes by turns, until the first has come to the bit
// position end or the output limit, or one of them to a special entry or to the
// end of the input.
func (p *packedCodes) pair(src []byte, first, second *lane, end, limit uint64) {
	table := &p.table
	a, b := *first, *second
	for a.at < end && a.out < limit {
		i, j := uint(a.at>>3), uint(b.at>>3)
		if i+fastMargin > uint(len(src)) || j+fastMargin > uint(len(src)) {
			break
		}
		// 57 bits at least: the first two steps drop at most maxStep each,
		// which leaves an index for the third.
		u := binary.LittleEndian.Uint64(src[i:i+8]) >> (a.at & 7)
		v := binary.LittleEndian.Uint64(src[j:j+8]) >> (b.at & 7)
		u1 := uint64(table[u&packMask|a.state&matchFlag])
		v1 := uint64(table[v&packMask|b.state&matchFlag])
		u >>= u1 & dropMask
		v >>= v1 & dropMask
		u2 := uint64(table[u&packMask|u1&matchFlag])
		v2 := uint64(table[v&packMask|v1&matchFlag])
		u >>= u2 & dropMask
		v >>= v2 & dropMask
		u3 := uint64(table[u&packMask|u2&matchFlag])
		v3 := uint64(table[v&packMask|v2&matchFlag])
		// The fields of an entry have room for the sum of three.
		sum := u1 + u2 + u3
		a.at += sum & dropSumMask
		a.out += sum >> valueShift
		a.state = u3
		sum = v1 + v2 + v3
		b.at += sum & dropSumMask
		b.out += sum >> valueShift
		b.state = v3
		// A special entry leads to itself, so the last one tells.
		if (u3|v3)&special != 0 {
			break
		}
	}
	a.state &= matchFlag
	b.state &= matchFlag
	*first, *second = a, b
}

// next returns the entry for a lane's next step.
func (p *packedCodes) next(src []byte, l *lane) uint64 {
	i := uint(l.at >> 3)
	w := binary.LittleEndian.Uint64(src[i:i+8]) >> (l.at & 7)
	return uint64(p.table[w&packMask|l.state&matchFlag])
}

// step takes one step.
func (p *packedCodes) step(src []byte, l *lane) {
	e := p.next(src, l)
	l.at += e & dropMask
	l.out += e >> valueShift
	l.state = e & matchFlag
}

// stuck says whether a lane has a special entry before it.
func (p *packedCodes) stuck(src []byte, l *lane) bool { return p.next(src, l)&special != 0 }

// unstick takes a lane beyond special entries that only stand for long codes.
// It returns false if there is another.
func (c *codes) unstick(src []byte, l *lane, limit uint64) bool {
	if !c.packed.stuck(src, l) {
		return true
	}
	if l.state != 0 {
		return c.passDistance(src, l)
	}
	at := l.at
	l.at, l.out = c.oneByOne(src, at, at+64, l.out, limit)
	return l.at != at
}
