package deflate

import (
	"encoding/binary"
	"math"
)

const (
	stretch = 8 * 2 << 10
	traced  = 48
)

// A lane is where one of the decoders is.
type lane struct {
	at    uint64 // bit position
	out   uint64 // bytes produced
	state uint64 // matchFlag where a distance comes next, else 0
}

// lanes measures a stretch.
func (c *codes) lanes(src []byte, a *lane, limit uint64) (synced, ok bool) {
	p := &c.packed
	start := a.at + stretch
	b := lane{at: start, out: c.reach}
	n := 0
	bGoes := true
	for ; n < traced && bGoes; n++ {
		p.trace[n] = b
		p.step(src, &b)
		if p.stuck(src, &b) {
			bGoes = c.free(src, &b, math.MaxUint64)
		}
	}
	for a.at < start && a.out < limit {
		if bGoes {
			p.pair(src, a, &b, start, limit)
			if b.at>>3+fastMargin > uint64(len(src)) {
				bGoes = false
			} else if p.stuck(src, &b) {
				bGoes = c.free(src, &b, math.MaxUint64)
			}
		} else {
			p.run(src, a, start, limit)
		}
		if p.stuck(src, a) && !c.free(src, a, limit) {
			return true, a.state == 0
		}
	}
	for k := 0; a.out < limit; {
		for k < n && p.trace[k].at < a.at {
			k++
		}
		if k == n {
			return false, true
		}
		if p.trace[k].at == a.at && p.trace[k].state == a.state {
			gain := b.out - p.trace[k].out
			if gain >= limit-a.out {
				return false, true
			}
			*a = lane{at: b.at, out: a.out + gain, state: b.state}
			return true, true
		}
		p.step(src, a)
		if p.stuck(src, a) && !c.free(src, a, limit) {
			return false, a.state == 0
		}
	}
	return false, true
}

func (p *packedCodes) step(src []byte, l *lane) {
	i := uint(l.at >> 3)
	e := uint64(p.table[binary.LittleEndian.Uint64(src[i:i+8])>>(l.at&7)&packMask|l.state&matchFlag])
	l.at += e & dropMask
	l.out += e >> valueShift
	l.state = e & matchFlag
}

// stuck says whether the lane has a special entry before it.
func (p *packedCodes) stuck(src []byte, l *lane) bool {
	i := uint(l.at >> 3)
	return p.table[binary.LittleEndian.Uint64(src[i:i+8])>>(l.at&7)&packMask|l.state&matchFlag]&special != 0
}

// free takes a lane beyond a special entry, if that is a matter of long codes.
func (c *codes) free(src []byte, l *lane, limit uint64) bool {
	if l.state != 0 {
		w, _ := peek(src, l.at)
		used, ok := c.skipDistance(w)
		if !ok {
			return false
		}
		l.at += used
		l.state = 0
		return true
	}
	at := l.at
	l.at, l.out = c.run(src, at, at+64, l.out, limit)
	return l.at != at
}

// pair takes steps with two lanes at once.
func (p *packedCodes) pair(src []byte, la, lb *lane, end, limit uint64) {
	table := &p.table
	a, b := *la, *lb
	for a.at < end && a.out < limit {
		i, j := uint(a.at>>3), uint(b.at>>3)
		if i+8 > uint(len(src)) || j+8 > uint(len(src)) {
			break
		}
		u := binary.LittleEndian.Uint64(src[i:i+8]) >> (a.at & 7)
		v := binary.LittleEndian.Uint64(src[j:j+8]) >> (b.at & 7)
		e1 := uint64(table[u&packMask|a.state&matchFlag])
		f1 := uint64(table[v&packMask|b.state&matchFlag])
		u >>= e1 & dropMask
		v >>= f1 & dropMask
		e2 := uint64(table[u&packMask|e1&matchFlag])
		f2 := uint64(table[v&packMask|f1&matchFlag])
		u >>= e2 & dropMask
		v >>= f2 & dropMask
		e := uint64(table[u&packMask|e2&matchFlag])
		f := uint64(table[v&packMask|f2&matchFlag])
		sum := e1 + e2 + e
		a.at += sum & (2*dropMask + 1)
		a.out += sum >> valueShift
		a.state = e
		sum = f1 + f2 + f
		b.at += sum & (2*dropMask + 1)
		b.out += sum >> valueShift
		b.state = f
		if (e|f)&special != 0 {
			break
		}
	}
	a.state &= matchFlag
	b.state &= matchFlag
	*la, *lb = a, b
}
