package msgpackcheck

import (
	"github.com/harden-input/harden/internal/anycost"
	"github.com/harden-input/harden/rule"
)

// smallSize is the largest input that is worth a look by small: beyond it, what
// Measure costs to start is not felt.
const smallSize = 1024

// small reports whether src is one array or map of a few scalars, well formed
// and within lim, which has no checks; it then has n elements or pairs, from
// src[first] on. It is Measure for payloads that take less time than starting it,
// and says false whenever there is more to it: a nested container, an ext, an odd
// length of header.
func small(src []byte, lim *Limits) (n uint64, first int, ok bool) {
	if len(src) == 0 || len(src) > smallSize {
		return 0, 0, false
	}
	c := src[0]
	n, first = uint64(c&15), 1
	switch {
	case c&0xe0 == 0x80:
	case c == 0xdc || c == 0xde:
		if len(src) < 3 {
			return 0, 0, false
		}
		n, first = headers[c].length(src), 3
	default:
		return 0, 0, false
	}
	p := first
	owes, cost, most := n, anycost.Slice+n*anycost.Slot, lim.MaxArrayLength
	if headers[c].kind == mapKind {
		owes, cost, most = 2*n, anycost.MapSize(n), lim.MaxMapLength
	}
	if owes > uint64(len(src)-p) || rule.Exceeds(n, most) || rule.Exceeds(1+owes, lim.MaxValues) {
		return 0, 0, false
	}
	longest := 0
	for ; owes > 0; owes-- {
		if p >= len(src) {
			return 0, 0, false
		}
		if src[p] < 0x80 {
			p++
			continue
		}
		h := headers[src[p]]
		n := int(h.size + h.inline)
		switch h.kind {
		case strKind:
			if h.field != 0 {
				return 0, 0, false
			}
			longest = max(longest, int(h.inline))
			cost += anycost.String + uint64(h.inline)
		case uintKind, intKind, floatKind:
			cost += numberCost(src[p])
		case nilKind, boolKind:
		default:
			return 0, 0, false
		}
		p += n
	}
	return n, first, p == len(src) && !rule.Exceeds(cost, lim.MaxDecodedSize) && !rule.Exceeds(uint64(longest), lim.MaxStrLength)
}
