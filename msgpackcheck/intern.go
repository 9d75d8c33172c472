package msgpackcheck

import "sync"

// internedName is the longest key that is interned.
const internedName = 32

// An interner holds short keys of one value, by what hashes to their place. A
// key that takes the place of another costs a copy and nothing else.
type interner [256]string

var interners = sync.Pool{New: func() any { return new(interner) }}

// free gives n back, without the keys.
func (n *interner) free() {
	clear(n[:])
	interners.Put(n)
}

// name returns the str key b, interned unless n is nil.
func (n *interner) name(b []byte) string {
	if n == nil || len(b) == 0 || len(b) > internedName {
		return string(b)
	}
	slot := &n[(uint(b[0])+uint(b[len(b)-1])*31+uint(b[len(b)/2])*7+uint(len(b))*131)%uint(len(n))]
	if *slot != string(b) {
		*slot = string(b)
	}
	return *slot
}
